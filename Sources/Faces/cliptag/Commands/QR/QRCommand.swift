public import CliptagBasics
public import ArgumentParser
import CliptagPlatform
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Jobs
import Pictures
public import QRSymbol
import Registry

/// `cliptag qr URL -o FILE`
struct QRCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "qr",
    abstract: "Make a QR code as SVG, PNG, PDF or EPS, or show it in the terminal.",
    discussion: """
      The URL is checked first, and the file is read back from its pixels before it is \
      written. Modules are aligned to the dots of the printer, so the size is slightly below the \
      requested one; print at 100 %, without fitting to the page.

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
        cliptag qr https://fruta.example.com/order/cupertino -o placed.pdf \\
          --background none --quiet-zone 0
        cliptag qr https://fruta.example.com/order/cupertino -o branded.pdf \\
          --logo Samples/fruta/logo.svg
        cliptag qr https://fruta.example.com/order/cupertino -o proof.pdf --prove
        cliptag qr https://fruta.example.com/order/cupertino --explain
        cliptag qr https://fruta.example.com/order/cupertino -o small.svg --compact
      """)

  @Argument(help: "The invocation URL.", completion: .urls)
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
      "The maximum width of the code, with its quiet zone, in millimetres.", valueName: "mm"),
    transform: LengthArgument.millimetres)
  var width: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The side of one module in millimetres (default about 0.85).", valueName: "mm"),
    transform: LengthArgument.millimetres)
  var moduleSize: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The reading distance in millimetres: sets the size, \
      or is compared with --width or --module-size.
      """, valueName: "mm"), transform: LengthArgument.millimetres)
  var distance: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The printer's resolution in dots per inch (default: that of --print-on, else 600).",
      valueName: "dpi")
  )
  var dpi: Double?

  @Option(
    help: ArgumentHelp(
      "The colour of the modules in files: d81f26, #fff, or navy.", valueName: "colour"))
  var foreground = Colour.black
  @Option(
    help: ArgumentHelp(
      """
      The colour of the background and the quiet zone in files; none draws neither, for a code \
      that is placed on a light page.
      """, valueName: "colour"))
  var background = CodeGround(colour: .white)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The light modules on each side of the code, 0 to 40; readers need 4.", valueName: "modules")
  )
  var quietZone = CodeSize.quietZoneModules

  @Option(
    help: """
      The lowest error-correction level, L, M, Q or H; raised if that costs no size (default: \
      M, with a logo H).
      """)
  var errorCorrection: QRSymbol.ErrorCorrection?
  @OptionGroup var logos: LogoOptions

  @Flag(help: "Show the structure of the symbol, and ways to make it smaller.")
  var explain = false
  @Flag(
    help: """
      Write scheme and host in capitals if that makes the code smaller or more robust; test the \
      code on a device.
      """)
  var compact = false

  @Flag(
    help: """
      Also decode the file under blur, ink spread, dirt, fading and distance, and show the limit of \
      each; takes some seconds.
      """)
  var prove = false
  @OptionGroup(title: "Printing") var printing: PrintOnOptions
  @OptionGroup var approvals: ApprovalOptions
  @Flag(name: [.long, .customShort("n")], help: "Make and verify the code, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if global.json, output.contains("-") {
      throw ValidationError("--json and -o - both use standard output: give a file.")
    }
    try printing.validate(output)
    if prove, output.isEmpty {
      throw ValidationError(
        "--prove needs a file: add -o FILE (with --dry-run it is not written).")
    }
  }

  func execute(_ console: Console) async throws {
    let printer = try await printing.queue()
    var job = PrintCode(url: url)
    job.outputs = try console.outputs(output, standardOutput: .svg)
    job.size = CodeSize.Request(
      width: width, moduleSize: moduleSize, readingDistance: distance,
      dotsPerInch: dpi ?? printer?.dotsPerInch ?? 600,
      quietZone: quietZone)
    job.errorCorrection = errorCorrection
    job.foreground = foreground
    if let colour = background.colour { job.background = colour } else { job.hasGround = false }
    job.logo = try await logos.request(for: Set(job.outputs.map(\.format)))
    job.compact = compact
    job.unregistered = approvals.unregistered
    job.strict = approvals.strict
    job.prove = prove
    job.dryRun = dryRun
    let isRehearsal = dryRun || output.isEmpty
    var workplace = try global.workplace(matching, isRehearsal: isRehearsal, console)
    workplace.printer = printer
    try await console.showingRefusal {
      let code = try await job.run(in: workplace) { console.show($0, isRehearsal: dryRun) }
      guard let drawing = code.design.content.drawing else { return }
      if let shown = code.shown {
        console.result(
          of: shown,
          text: .drawing(
            drawing.terminalText(style: console.output.isColoured ? .colour : .blocksOnDark))
            + "\(drawing.text)")
      }
      if explain {
        console.explain(
          try SymbolExplanation(of: drawing.symbol, requested: code.requestedErrorCorrection),
          outputHoldsFile: output.contains("-"))
      }
    }
  }
}

extension QRSymbol.ErrorCorrection: ExpressibleByArgument {
  /// The letter, in any case.
  public init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}

extension Colour: ExpressibleByArgument {
  /// A name, or hexadecimal digits with or without a number sign.
  public init?(argument: String) { self.init(argument) }
  /// As help shows a default.
  public var defaultValueDescription: String { String(hexadecimal.dropFirst()) }
}

/// The ground of a code: a colour, or none.
struct CodeGround: ExpressibleByArgument {
  /// The colour; `nil` for none.
  let colour: Colour?

  init(colour: Colour?) { self.colour = colour }

  init?(argument: String) {
    let colour = Colour(argument)
    guard colour != nil || argument.lowercased() == "none" else { return nil }
    self.init(colour: colour)
  }

  var defaultValueDescription: String { colour?.defaultValueDescription ?? "none" }
}

/// A length on the command line.
enum LengthArgument {
  /// Reads a length in millimetres, or in the unit behind it.
  static func millimetres(_ argument: String) throws -> Double {
    guard let length = Length.millimetres(argument) else {
      throw ValidationError(
        "\(argument.printable) is not a length: write 30 for millimetres, or 30mm, 3cm, 1.2in.")
    }
    return length
  }
}

/// The requested size of a logo's plate.
enum LogoSize: Equatable, ExpressibleByArgument {
  /// The largest that leaves a good reserve of error correction.
  case chosen
  /// So many modules on its long side.
  case modules(Int)

  init?(argument: String) {
    if argument == "auto" {
      self = .chosen
    } else if let modules = Int(argument) {
      self = .modules(modules)
    } else {
      return nil
    }
  }

  var modules: Int? {
    switch self {
    case .chosen: nil
    case .modules(let modules): modules
    }
  }
}

/// Options for the logo in the middle of a code.
struct LogoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A picture for the middle of the code (SVG, PDF, PNG, JPEG); the error correction is H then, \
      unless given.
      """, valueName: "file"),
    completion: .file(extensions: ["svg", "pdf", "png", "jpg", "jpeg"]))
  var logo: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The modules that the logo's plate covers on its long side, odd; auto is the maximum that leaves \
      62 % of the error correction.
      """, valueName: "modules"))
  var logoSize: LogoSize?

  func validate() throws {
    if logo == nil, logoSize != nil {
      throw ValidationError("--logo-size needs --logo.")
    }
  }

  /// Reads the logo.
  ///
  /// - Parameter formats: The formats that the code is drawn in.
  /// - Throws: ``Failure`` or `PictureError`.
  func request(for formats: Set<DrawingFormat>) async throws -> CodeLogo.Request? {
    guard let logo else { return nil }
    return CodeLogo.Request(
      try await LogoPicture(file: logo, for: formats), modules: logoSize?.modules)
  }
}

extension LogoPicture {
  /// Reads a logo's file; `-` is standard input.
  ///
  /// - Throws: ``Failure`` or `PictureError`.
  fileprivate init(file: String, for formats: Set<DrawingFormat>) async throws {
    try await self.init(
      InputFile.bytes(of: file, limit: LogoPicture.limits.fileBytes), named: file, for: formats)
  }
}

extension CodeDrawing {
  /// A line of the report, or nothing without a logo.
  var logoLine: ConsoleText {
    guard let plate = logo?.plate else { return "" }
    let left = Int(bounded: (plate.unusedErrorCorrection * 100 + 1e-9).rounded(.down))
    return "\n  logo      \(plate.width) × \(plate.height) modules; \(left) % of the error "
      + "correction is left beside it"
  }
}
