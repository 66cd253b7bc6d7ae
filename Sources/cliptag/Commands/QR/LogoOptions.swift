import ArgumentParser
import CodeDrawing
import Pictures

/// How large a logo's plate is asked for.
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

/// The logo that stands in the middle of a code.
struct LogoOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      A picture for the middle of the code (SVG, PNG, JPEG); the error correction is H then, \
      unless given.
      """, valueName: "file"),
    completion: .file(extensions: ["svg", "png", "jpg", "jpeg"]))
  var logo: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The modules that the logo's plate covers on its long side, odd; auto is the most that leave \
      62 % of the error correction.
      """, valueName: "modules"))
  var logoSize: LogoSize?

  func validate() throws {
    if logo == nil, logoSize != nil {
      throw ValidationError("--logo-size needs --logo: name the picture.")
    }
  }

  /// Reads the logo.
  ///
  /// - Throws: ``Failure`` or `PictureError`.
  func request() async throws -> CodeLogo.Request? {
    guard let logo else { return nil }
    return CodeLogo.Request(try await LogoPicture(file: logo), modules: logoSize?.modules)
  }
}

extension LogoPicture {
  /// Reads a logo's file; `-` is standard input.
  ///
  /// - Throws: ``Failure`` or `PictureError`.
  init(file: String) async throws {
    try await self.init(
      InputFile.bytes(of: file, limit: LogoPicture.limits.fileBytes), named: file)
  }
}

extension CodeDrawing {
  /// What `--json` says of the logo.
  var logoJSON: JSONValue {
    guard let logo else { return .null }
    return .object([
      ("file", .string(logo.picture.source)), ("modules", .integer(logo.plate.modules)),
      ("coveredCodewords", .integer(logo.plate.coveredCodewords)),
      ("unusedErrorCorrection", .number(logo.plate.unusedErrorCorrection)),
    ])
  }

  /// A line of the report, or nothing without a logo.
  var logoLine: String {
    guard let plate = logo?.plate else { return "" }
    let left = Int((plate.unusedErrorCorrection * 100 + 1e-9).rounded(.down))
    return "\n  logo      \(plate.width) × \(plate.height) modules; \(left) % of the error "
      + "correction is left beside it"
  }
}
