import AppClipCodes
import CliptagBasics
package import CodeDrawing
package import Invocation
package import Issuing
import QRSymbol
package import Registry

/// The result of making a file of a code: the `issue` object of the command's contract.
///
/// Lengths are in millimetres. Absent facts are `nil` and encoded as `null`.
public struct IssueResult: Encodable, Sendable {
  /// The facts that only one kind of file has.
  public enum Details: Sendable {
    /// A code alone; what capitals did to the URL, where that was asked for.
    case code(compact: CompactedURL?)
    /// A poster, in a design.
    case poster(PosterResult)
    /// A label of a CSV file's row: its sheet and its position on the sheet, both from 1, or `nil`
    /// for a separate file.
    case label(row: Int, page: Int?, position: Int?)
    /// A poster of a CSV file's row, in a design: its page, from 1, or `nil` for a separate file.
    case posterOfRow(PosterResult, row: Int, page: Int?)
  }

  /// The logo in a code.
  public struct Logo: Encodable, Hashable, Sendable {
    /// The file of the picture.
    public let file: String
    /// The modules that the logo's plate covers on its long side.
    public let modules: Int
    /// The codewords that it covers at least in part.
    public let coveredCodewords: Int
    /// The part of the error correction that is left, 0 to 1.
    public let unusedErrorCorrection: Double
  }

  /// An App Clip Code beside or in the place of the QR code.
  public struct PrintedAppClipCode: Encodable, Sendable {
    /// The text that the App Clip Code carries.
    public let payload: String
    /// `cam` or `nfc`.
    public let kind: String
    /// The number of Apple's colour template; `nil` for other colours.
    public let template: Int?
    /// The colour of the arcs, `#rrggbb`.
    public let foreground: String
    /// The colour of the disc, `#rrggbb`.
    public let background: String
    /// The diameter of the disc.
    public let diameter: Double
    /// The width.
    public let width: Double
    /// The largest distance from which phones read it.
    public let readingDistance: Double
    /// The margins, where they were measured.
    public let proof: ProofResult<AppClipCodeMarginResult>?
  }

  private struct CodeMembers: Encodable {
    /// The URL in capitals, if they were asked for.
    let compact: CompactedURL?
  }

  private struct PosterMembers: Encodable {
    /// The poster.
    let poster: PosterResult
  }

  private struct LabelMembers: Encodable {
    /// The number of the row, from 1.
    let row: Int
    /// The number of the sheet or page, from 1; `nil` for a separate file.
    let page: Int?
    /// The position on the sheet, from 1; `nil` for a page or a separate file.
    let position: Int?
  }

  /// The type of the object.
  public let type = "issue"
  /// The file; `nil` for a code that is shown in the terminal.
  public let output: String?
  /// The text that the code carries, exactly.
  public let url: String
  /// The version of the QR code, 1 to 40; `nil` where an App Clip Code replaces it.
  public let version: Int?
  /// The error-correction level, `L`, `M`, `Q` or `H`.
  public let errorCorrection: String?
  /// The side of a module.
  public let moduleSize: Double?
  /// The width with the quiet zone.
  public let width: Double?
  /// The contrast of the colours, 0 to 1.
  public let contrast: Double?
  /// The largest distance from which phones read it.
  public let readingDistance: Double?
  /// Whether the finished file was read back; nothing is issued that was not.
  public let verified = true
  /// The code's name in the registry; `nil` in a rehearsal.
  public let code: String?
  /// Whether nothing was written and recorded.
  public let dryRun: Bool
  /// The logo; `nil` without one.
  public let logo: Logo?
  /// The margins, where they were measured.
  public let proof: DesignProofResult?
  /// The App Clip Code; `nil` without one.
  public let appClipCode: PrintedAppClipCode?
  /// The findings of the check, then what speaks against the design.
  public let findings: [FindingResult]
  /// The name of the code's item that was printed, as on packing lists; the copies of a row are one
  /// item. `nil` where `code` is.
  public let item: String?
  /// The facts of this kind of file, encoded beside the others.
  public let details: Details

  private enum CodingKeys: String, CodingKey {
    case type, output, url, version, errorCorrection, moduleSize, width, contrast, readingDistance
    case verified, code, dryRun, logo, proof, appClipCode, findings, item
  }

  /// States a file.
  ///
  /// - Parameters:
  ///   - drawing: The QR code; `nil` where an App Clip Code replaces it.
  ///   - payload: The text that the code carries.
  ///   - appClipCode: The App Clip Code beside or instead of it.
  ///   - findings: The findings of the check.
  ///   - output: The file.
  ///   - code: The code's name; `nil` in a rehearsal.
  ///   - item: The name of the code's item that was printed.
  ///   - isRehearsal: Whether nothing was written and recorded.
  ///   - proof: The margins of the QR code, where they were measured.
  ///   - appClipCodeProof: The margins of the App Clip Code, where they were measured.
  ///   - details: The facts of this kind of file.
  package init(
    _ drawing: CodeDrawing?, payload: String, appClipCode: AppClipCodeDrawing? = nil,
    findings: [Finding], output: String?, code: CodeID?, item: String? = nil,
    isRehearsal: Bool,
    proof: DesignProof? = nil, appClipCodeProof: DesignProof? = nil, details: Details
  ) {
    self.output = output
    url = payload
    version = drawing?.symbol.version
    errorCorrection = drawing?.symbol.errorCorrection.rawValue
    moduleSize = drawing?.size.moduleSize
    width = drawing?.size.width ?? appClipCode?.width
    contrast = drawing?.colours.contrast
    readingDistance = drawing?.size.readingDistance ?? appClipCode?.readingDistance
    self.code = code?.description
    dryRun = isRehearsal
    logo = drawing?.logo.map {
      Logo(
        file: $0.picture.source, modules: $0.plate.modules,
        coveredCodewords: $0.plate.coveredCodewords,
        unusedErrorCorrection: $0.plate.unusedErrorCorrection)
    }
    self.proof = proof.map(DesignProofResult.init)
    self.appClipCode = appClipCode.map { drawing in
      PrintedAppClipCode(
        payload: drawing.code.payload, kind: drawing.code.kind.rawValue,
        template: drawing.code.colours.template,
        foreground: drawing.code.colours.foreground.hexadecimal,
        background: drawing.code.colours.background.hexadecimal, diameter: drawing.diameter,
        width: drawing.width, readingDistance: drawing.readingDistance,
        proof: appClipCodeProof.map { proof in
          ProofResult(proof.margins.map { ($0.trouble, AppClipCodeMarginResult($0)) })
        })
    }
    let warnings =
      (drawing?.warnings ?? []) + (proof?.findings ?? []) + (appClipCodeProof?.findings ?? [])
    self.findings =
      findings.map(FindingResult.init)
      + warnings.map { FindingResult(code: $0.code, severity: .warning, message: $0.text) }
    self.item = item
    self.details = details
  }

  /// Encodes the object of the contract.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(type, forKey: .type)
    try values.encodeIfPresent(output, forKey: .output)
    try values.encode(url, forKey: .url)
    try values.encodeIfPresent(version, forKey: .version)
    try values.encodeIfPresent(errorCorrection, forKey: .errorCorrection)
    try values.encodeIfPresent(moduleSize, forKey: .moduleSize)
    try values.encodeIfPresent(width, forKey: .width)
    try values.encodeIfPresent(contrast, forKey: .contrast)
    try values.encodeIfPresent(readingDistance, forKey: .readingDistance)
    try values.encode(verified, forKey: .verified)
    try values.encodeIfPresent(code, forKey: .code)
    try values.encode(dryRun, forKey: .dryRun)
    try values.encodeIfPresent(logo, forKey: .logo)
    try values.encodeIfPresent(proof, forKey: .proof)
    try values.encodeIfPresent(appClipCode, forKey: .appClipCode)
    try values.encode(findings, forKey: .findings)
    try values.encodeIfPresent(item, forKey: .item)
    switch details {
    case .code(let compact): try CodeMembers(compact: compact).encode(to: encoder)
    case .poster(let poster): try PosterMembers(poster: poster).encode(to: encoder)
    case .label(let row, let page, let position):
      try LabelMembers(row: row, page: page, position: position).encode(to: encoder)
    case .posterOfRow(let poster, let row, let page):
      try PosterMembers(poster: poster).encode(to: encoder)
      try LabelMembers(row: row, page: page, position: nil).encode(to: encoder)
    }
  }
}

/// The facts of a poster in an ``IssueResult``, in millimetres on the trimmed page.
public struct PosterResult: Encodable, Sendable {
  /// A box from its top left corner.
  public struct Box: Encodable, Hashable, Sendable {
    /// The distance from the left edge.
    public let x: Double
    /// The distance from the top edge.
    public let y: Double
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double

    init(_ box: DrawingBox) {
      (x, y, width, height) = (box.x, box.y, box.width, box.height)
    }
  }

  /// The name of the design or the template; `artwork` for a page that was made elsewhere.
  public let design: String
  /// The width.
  public let width: Double
  /// The height.
  public let height: Double
  /// The ground beyond every edge.
  public let bleed: Double
  /// The QR code with its quiet zone; `nil` without one.
  public let codeBox: Box?
  /// The App Clip Code with its clear space; `nil` without one.
  public let appClipCodeBox: Box?
  /// The place of the tag behind the paper; `nil` without one.
  public let targetBox: Box?
  /// The fonts of the words, in the order in which they come.
  public let fonts: [String]

  init(_ poster: Poster, design: String) {
    self.design = poster.artwork == nil ? design : "artwork"
    width = poster.page.width
    height = poster.page.height
    bleed = poster.page.bleed
    codeBox = poster.codeBox.map(Box.init)
    appClipCodeBox = poster.appClipCodeBox.map(Box.init)
    targetBox = poster.targetBox.map(Box.init)
    fonts = poster.fonts.map(\.name)
  }
}

extension CodeDrawing {
  /// The warnings against printing the code as it is.
  package var warnings: [(code: String, text: String)] {
    size.warnings.map { ($0.code, "\($0.message) \($0.hint)") }
      + colours.warnings.map { ($0.code, "\($0.message) \($0.hint)") }
      + (colours.inkWarning.map { [($0.code, "\($0.message) \($0.hint)")] } ?? [])
      + (logo?.warnings ?? []).map { ($0.code, "\($0.message) \($0.hint)") }
  }
}
