public import CliptagBasics
public import CodeDrawing
import Invocation
public import Issuing
public import QRSymbol

/// Prints a QR code alone.
///
/// The URL is checked first, and each file is read back from its own pixels before it is recorded
/// and put in place.
public struct PrintCode: Job {
  /// The invocation URL, exactly as the code carries it, but for ``compact``.
  public var url: String
  /// The files to make. Without one, nothing is recorded, and the code is proven from the pixels of
  /// a drawing in memory.
  public var outputs: [PrintOutput] = []
  /// The size to draw the code at.
  public var size = CodeSize.Request()
  /// The lowest error-correction level; `nil` for M, and H with a logo, which covers modules.
  public var errorCorrection: QRSymbol.ErrorCorrection?
  /// The colour of the modules.
  public var foreground = Colour.black
  /// The colour of the background and the quiet zone.
  public var background = Colour.white
  /// Whether the background and the quiet zone are drawn; otherwise the page beneath has their
  /// colour.
  public var hasGround = true
  /// The logo in the middle.
  public var logo: CodeLogo.Request?
  /// Whether scheme and host are written in capitals where that makes the code smaller or more
  /// robust.
  public var compact = false

  /// Whether the code is issued although the check does not accept the URL.
  public var unregistered = false
  /// Whether a URL that the check warns of is refused.
  public var strict = false
  /// Whether the margins of the code are measured, which takes seconds.
  public var prove = false
  /// Whether everything is made and proven, but nothing written and recorded.
  public var dryRun = false

  /// Makes a job with the usual size and colours.
  public init(url: String) { self.url = url }

  /// The code of a finished job.
  public struct Output: Sendable {
    /// The layout.
    public let design: PrintDesign
    /// The files that were made, in the order of ``PrintCode/outputs``.
    public let files: [PrintedFile]
    /// What capitals did to the URL; `nil` if that was not asked for.
    public let compact: CompactedURL?
    /// The result of a job without outputs; `nil` with outputs.
    public let shown: IssueResult?
    /// The error-correction level that was asked for.
    public let requestedErrorCorrection: QRSymbol.ErrorCorrection
  }

  /// Prints the code in every wanted format.
  ///
  /// - Throws: ``InputError`` for inputs that exclude each other; `IssueRefusal` for a URL that the
  ///   check refuses; `QRSymbolError`, `CodeDrawingError`; `RegistryError`; `CancellationError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (PrintEvent) -> Void
  ) async throws -> Output {
    guard !(unregistered && strict) else { throw InputError.exclude(.unregistered, .strict) }
    let issuer = workplace.issuer(isRehearsal: dryRun || outputs.isEmpty)
    let least = errorCorrection ?? (logo == nil ? .medium : .high)
    let capitals = try compact ? CompactedURL(url, minimum: least) : nil
    let approval = try issuer.approve(
      capitals?.payload ?? url, unregistered: unregistered, refusingWarnings: strict)
    report(.approved(approval))
    if let capitals { report(.note(.capitals(capitals.message))) }
    let design = try PrintDesign(
      approval, size: size, errorCorrection: least,
      colours: CodeColours(
        foreground: foreground, background: background, hasGround: hasGround),
      logo: logo, creationTime: workplace.creationTime)
    report(.designed(design))
    var shown: IssueResult?
    if outputs.isEmpty, let drawing = design.content.drawing {
      try PrintedCode.prove(drawing, named: "the code")
      shown = IssueResult(
        drawing, payload: approval.verification.payload,
        findings: approval.verification.findings, output: nil, code: nil, isRehearsal: dryRun,
        details: .code(compact: capitals))
    }
    let files = try await workplace.print(
      design, to: outputs, by: issuer, isProving: prove, reporting: report
    ) { _ in .code(compact: capitals) }
    return Output(
      design: design, files: files, compact: capitals, shown: shown,
      requestedErrorCorrection: least)
  }
}
