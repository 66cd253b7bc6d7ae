public import ArgumentParser
public import CodeDrawing
import Deployment
import Foundation
import Glibc
import Invocation
public import QRSymbol
import Registry

/// `cliptag qr URL -o FILE`
struct QRCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "Make a QR code as SVG, PNG, PDF or EPS, or show it in the terminal.",
    discussion: """
      The URL is checked first, and the file is read back from its own pixels before it is \
      written. Modules fall on whole dots of the printer, so the size is a little below what was \
      asked for; print at 100 %, without fitting to the page.

      Examples:
        cliptag qr https://fruta.example.com/order/cupertino
        cliptag qr https://fruta.example.com/order/cupertino -o cupertino.svg
        cliptag qr https://fruta.example.com/order/cupertino -o cupertino.pdf \\
          --width 40 --dpi 600
        cliptag qr https://fruta.example.com/order/cupertino -o a.svg -o a.png \\
          --module-size 0.5
        cliptag qr https://fruta.example.com/order/cupertino -o wall.pdf \\
          --distance 1000
        cliptag qr https://fruta.example.com/order/cupertino -o blue.svg \\
          --foreground 003366 --background fff8e0
        cliptag qr https://fruta.example.com/order/cupertino -o branded.pdf \\
          --logo Samples/fruta/logo.svg
        cliptag qr https://fruta.example.com/order/cupertino -o proof.pdf --prove
        cliptag qr https://fruta.example.com/order/cupertino --explain
        cliptag qr https://fruta.example.com/order/cupertino -o small.svg --compact
      """)

  @Argument(help: "The invocation URL.")
  var url: String

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "The file, its format by its ending (.svg .png .pdf .eps); may be repeated.",
      valueName: "file"),
    completion: .file(extensions: ["svg", "png", "pdf", "eps"]))
  var output: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The most that the code may measure, with its quiet zone, in millimetres.", valueName: "mm"))
  var width: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The side of one module in millimetres (default about 0.85).", valueName: "mm"))
  var moduleSize: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The distance to read the code from, in millimetres: sets the size that phones read from \
      there, or is compared with --width or --module-size.
      """, valueName: "mm"))
  var distance: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The printer's resolution in dots per inch.", valueName: "dpi")
  )
  var dpi: Double = 600

  @Option(
    help: ArgumentHelp(
      "The colour of the modules in files, as RRGGBB with or without #.", valueName: "colour"))
  var foreground = Colour.black
  @Option(
    help: ArgumentHelp(
      "The colour of the background and the quiet zone in files.", valueName: "colour"))
  var background = Colour.white

  @Option(
    help: """
      The lowest error-correction level, L, M, Q or H; raised where that costs no size (default: \
      M, with a logo H).
      """)
  var errorCorrection: QRSymbol.ErrorCorrection?
  @OptionGroup var logos: LogoOptions

  @Flag(help: "Show what the symbol is made of, and what would make it smaller.")
  var explain = false
  @Flag(
    help: """
      Write scheme and host in capitals where that makes the code smaller or more robust; try the \
      code on a device.
      """)
  var compact = false

  @Flag(
    help: """
      Decode the file under blur, spreading ink, dirt, fading and distance too, and say how much of \
      each it stands; takes some seconds.
      """)
  var prove = false
  @Flag(help: "Issue it although the check does not accept it.")
  var unregistered = false
  @Flag(name: [.long, .customShort("n")], help: "Make and prove the code, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  /// A logo lives on the error correction, so that it brings the strongest.
  private var least: QRSymbol.ErrorCorrection {
    errorCorrection ?? (logos.logo == nil ? .medium : .high)
  }

  func validate() throws {
    if global.json, output.contains("-") {
      throw ValidationError("--json and -o - both want standard output: name a file.")
    }
    if prove, output.isEmpty {
      throw ValidationError(
        "--prove needs a file to prove: add -o FILE (with --dry-run it is not written).")
    }
  }

  func execute(_ console: Console) async throws {
    // Every name is understood before anything is made.
    let outputs = try output.map { name in
      (name: name, format: name == "-" ? .svg : try DrawingFormat(fileName: name))
    }
    let logo = try await logos.request()
    let records = !dryRun && !outputs.isEmpty
    let registry =
      records ? try global.registryForWriting() : try global.registryForReading(console)
    let check = InvocationCheck(directory: registry, engine: matching.matching)
    let capitals = try compact ? CompactedURL(url, minimum: least) : nil
    guard
      let approval = try console.approve(
        capitals?.payload ?? url, check, unregistered: unregistered)
    else { return }
    if let capitals { console.say("\(console.error.bold("compact:")) \(capitals.message)") }
    let drawing = try draw(approval.verification.payload, logo, console)
    if outputs.isEmpty { try show(drawing, capitals, console) }
    let ledger = CodeLedger(registry: registry, who: Operator.name)
    for (name, format) in outputs {
      try Task.checkCancellation()
      do {
        let printed = try await PrintedCode(drawing, as: format, named: name)
        let proof = prove ? try await printed.proof(named: name) : nil
        for finding in proof?.findings ?? [] {
          console.say("\(console.error.yellow("warning:")) \(finding.text)")
        }
        let code = records ? try await write(printed, to: name, approval, ledger, console) : nil
        if name != "-" {
          console.result(
            json(drawing, capitals, output: name, code: code, proof),
            text: text(drawing, output: name, code: code) + (proof?.lines ?? ""))
        }
      } catch {
        console.report(Failure(describing: error, source: name))
      }
    }
    if explain {
      console.explain(
        try SymbolExplanation(of: drawing.symbol, requested: least),
        outputHoldsFile: output.contains("-"))
    }
  }

  /// The code at its size; what speaks against printing it is said where it is printed.
  private func draw(
    _ payload: String, _ logo: CodeLogo.Request?, _ console: Console
  ) throws -> CodeDrawing {
    let drawing = try CodeDrawing(
      QRSymbol(payload, minimumErrorCorrection: least),
      size: CodeSize.Request(
        width: width, moduleSize: moduleSize, readingDistance: distance, dotsPerInch: dpi),
      colours: CodeColours(foreground: foreground, background: background),
      logo: logo, creationTime: SourceDate.seconds)
    for warning in drawing.warnings where !output.isEmpty {
      console.say("\(console.error.yellow("warning:")) \(warning.text)")
    }
    return drawing
  }

  /// Without a file, the code is shown in the terminal.
  private func show(
    _ drawing: CodeDrawing, _ capitals: CompactedURL?, _ console: Console
  ) throws {
    try PrintedCode.prove(drawing, named: "the code")
    console.result(
      json(drawing, capitals, output: nil, code: nil),
      text: drawing.terminalText(style: console.output.isColoured ? .colour : .blocksOnDark)
        + "\(drawing.text.printable)")
  }

  /// The file is complete beside its destination before the code is recorded, and only renamed
  /// after: a full disk or a busy registry leaves neither a file nor a record.
  private func write(
    _ printed: PrintedCode, to name: String, _ approval: Approval, _ ledger: CodeLedger,
    _ console: Console
  ) async throws -> CodeID {
    let symbol = IssuedCode.Symbol(printed.drawing)
    guard name != "-" else {
      let code = try await ledger.recordPrinted(approval, output: name, symbol: symbol)
      console.write(printed.bytes)
      return code
    }
    let file = try AtomicFile(path: name, bytes: printed.bytes)
    let code = try await ledger.recordPrinted(approval, output: name, symbol: symbol)
    try file.commit()
    return code
  }

  private func json(
    _ drawing: CodeDrawing, _ capitals: CompactedURL?, output: String?, code: CodeID?,
    _ proof: DesignProof? = nil
  ) -> JSONValue {
    drawing.issueJSON(
      output: output, code: code, dryRun: dryRun, proof: proof,
      [("compact", capitals?.json ?? .null)])
  }

  private func text(_ drawing: CodeDrawing, output: String, code: CodeID?) -> String {
    let symbol = drawing.symbol
    let size = drawing.size
    return """
      \(dryRun ? "would write" : "wrote") \(output)
        code      \(code?.description ?? "none")
        symbol    version \(symbol.version), level \(symbol.errorCorrection.rawValue), read back \
      from its own pixels
        size      \(size.width.inThousandths) mm wide with its quiet zone, modules of \
      \(size.moduleSize.inThousandths) mm (\(size.dotsPerModule) dots)
        distance  phones read it from up to \(Int(size.readingDistance)) mm\(drawing.logoLine)
      """
  }
}

extension QRSymbol.ErrorCorrection: ExpressibleByArgument {
  /// The letter, in any case.
  public init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}

extension Colour: ExpressibleByArgument {
  /// Six hexadecimal digits, with or without a number sign.
  public init?(argument: String) { self.init(argument) }
  /// As help shows a default.
  public var defaultValueDescription: String { String(hexadecimal.dropFirst()) }
}
