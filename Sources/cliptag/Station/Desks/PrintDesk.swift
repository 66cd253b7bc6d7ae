import CodeDrawing
import Foundation
import Invocation
import Pictures
import Registry

/// Posters and sheets: the page is shown as it would be printed, and made as the command makes it.
struct PrintDesk: Sendable {
  let runner: CommandRunner
  let files: KeptFiles
  /// Where printed files are put.
  let folder: String

  /// The longest side of a preview, in pixels.
  private static let longestPreview = 1_600

  var routes: [StationRoute] {
    [
      StationRoute("GET", "/api/places") { _ in
        await runner.run(CommandLineWords("place", "list")).answer.response
      },
      StationRoute("GET", "/api/experiences") { _ in
        await runner.run(CommandLineWords("experience", "list")).answer.response
      },
      StationRoute("GET", "/api/codes") { request in
        try await codes(
          place: request.query["place"], containing: request.query["search"] ?? "",
          limit: request.number("limit", in: 1...1000)
        ).response
      },
      StationRoute("POST", "/api/poster", taking: .file) { request in
        try await poster(request.json(), job: request.headers["x-job"]).response
      },
      StationRoute("GET", "/api/templates") { request in
        var words = CommandLineWords("sheet", "--list-templates")
        words.add(request.query["words"] ?? "")
        return await runner.run(words).answer.response
      },
      StationRoute("GET", "/api/templates/:name") { request in
        .json(try Self.geometry(of: request.parameter("name")))
      },
      StationRoute("POST", "/api/sheet", taking: .file) { request in
        try await sheet(request.json(), job: request.headers["x-job"]).response
      },
    ]
  }

  /// The codes that are in use, the newest first.
  ///
  /// - Parameters:
  ///   - place: Only those of a place, by its id.
  ///   - text: Only those whose name, URL, place or tag contains this, in any case.
  ///   - limit: The most that are listed; `nil` for all.
  func codes(place: String?, containing text: String, limit: Int?) async -> CommandAnswer {
    await runner.workGivingMore { console in
      let codes = try runner.options().registryForReading(console).codes(
        CodeFilter(status: .issued, placeID: place))
      let sought = text.lowercased()
      let found = codes.reversed().filter { code in
        sought.isEmpty
          || [code.id.description, code.payload, code.placeID ?? "", code.tagUID ?? ""].contains {
            $0.lowercased().contains(sought)
          }
      }
      for code in found.prefix(limit ?? found.count) { console.print(code.json(history: nil)) }
      return [("total", .integer(found.count))]
    }
  }

  private struct PosterOrder: Decodable {
    struct Logo: Decodable {
      let name: String
      let base64: Data
    }

    let url: String
    var design: String?
    var paper: String?
    var landscape: Bool?
    var language: String?
    var accent: String?
    var ink: String?
    var foreground: String?
    var background: String?
    var headline: String?
    var brand: String?
    var callToAction: String?
    var placeName: String?
    var targetCaption: String?
    var nfcTarget: Bool?
    var smallPrint: Bool?
    var width: Double?
    var distance: Double?
    var bleed: Double?
    var cropMarks: Bool?
    var logo: Logo?
    var appClipCode: String?
    var appClipCodeOnly: Bool?
    var unregistered: Bool?
    var strict: Bool?
    var prove: Bool?
    var dryRun: Bool?
  }

  private func poster(_ order: PosterOrder, job: String?) async throws -> CommandAnswer {
    let isRehearsal = order.dryRun ?? true
    var words = CommandLineWords("poster")
    for (option, value) in [
      ("--design", order.design), ("--paper", order.paper), ("--language", order.language),
      ("--accent", order.accent), ("--ink", order.ink), ("--foreground", order.foreground),
      ("--background", order.background), ("--headline", order.headline), ("--brand", order.brand),
      ("--call-to-action", order.callToAction), ("--place-name", order.placeName),
      ("--target-caption", order.targetCaption),
    ] {
      words.set(option, filled: value)
    }
    words.set("--landscape", if: order.landscape)
    words.set("--nfc-target", if: order.nfcTarget)
    words.set("--no-small-print", if: order.smallPrint.map { !$0 })
    words.set("--crop-marks", if: order.cropMarks)
    words.set("--width", order.width)
    words.set("--distance", order.distance)
    words.set("--bleed", order.bleed)
    words.set("--unregistered", if: order.unregistered)
    words.set("--strict", if: order.strict)
    words.set("--prove", if: order.prove)
    words.set("--dry-run", if: isRehearsal)
    if let code = order.appClipCode, !code.isEmpty {
      // A code of the registry, or the one that fits: never a file of this computer.
      guard code == "auto" || CodeID(code) != nil else {
        throw Failure.notFound("App Clip Code", code, see: "cliptag clipcode list")
      }
      words.set("--app-clip-code", code)
      words.set("--app-clip-code-only", if: order.appClipCodeOnly)
    }
    let logo = try order.logo.map { try SentFile($0.base64, named: $0.name) }
    words.set("--logo", logo?.path)
    let output = try place(for: "sign-" + Self.stem(of: order.url), "pdf", isRehearsal: isRehearsal)
    words.set("--output", output)
    words.add(order.url)
    var (answer, made) = await runner.run(words, job: job, reading: logo)
    if let page = made.first { answer.preview = try await preview(ofPDF: page.bytes) }
    if !isRehearsal { answer.files = made.map { self.file(at: $0.name) } }
    return answer
  }

  private struct SheetOrder: Decodable {
    let csv: String
    var name: String?
    let template: String
    var start: Int?
    var copies: Int?
    var captions: [String]?
    var cutMarks: Bool?
    var outlines: Bool?
    var unregistered: Bool?
    var strict: Bool?
    var dryRun: Bool?
  }

  private func sheet(_ order: SheetOrder, job: String?) async throws -> CommandAnswer {
    let isRehearsal = order.dryRun ?? true
    let rows = try SentFile(Data(order.csv.utf8), named: order.name ?? "rows.csv")
    var words = CommandLineWords("sheet")
    words.set("--template", order.template)
    words.set("--start", order.start.map { "\($0)" })
    words.set("--copies", order.copies.map { "\($0)" })
    for caption in order.captions ?? [] { words.set("--caption", caption) }
    words.set("--cut-marks", if: order.cutMarks)
    words.set("--outlines", if: order.outlines)
    words.set("--unregistered", if: order.unregistered)
    words.set("--strict", if: order.strict)
    words.set("--dry-run", if: isRehearsal)
    let stem = (((order.name ?? "sheet") as NSString).lastPathComponent as NSString)
      .deletingPathExtension
    let output = try place(for: "sheet-" + Self.stem(of: stem), "pdf", isRehearsal: isRehearsal)
    words.set("--output", output)
    words.add(rows.path)
    var (answer, made) = await runner.run(words, job: job, reading: rows)
    answer.results = answer.results.map { $0.withoutFolder(of: rows) }
    if let sheet = made.first { answer.preview = try await preview(ofPDF: sheet.bytes) }
    if !isRehearsal, answer.status == .done {
      let manifest = output.dropLast(4) + "-manifest.csv"
      answer.files = [file(at: output), file(at: String(manifest))]
    }
    return answer
  }

  /// Where the labels of a stock lie, in millimetres, in the order in which they are printed.
  private static func geometry(of name: String) throws -> JSONValue {
    let stock = try LabelStockLibrary().stock(named: name)
    let isRound =
      switch stock.shape {
      case .round, .disc: true
      case .rectangle, .ellipse: false
      }
    return .object([
      ("type", "template"), ("name", .string(stock.name)),
      (
        "paper",
        .object([("width", .number(stock.paper.width)), ("height", .number(stock.paper.height))])
      ),
      (
        "labels",
        .array(
          stock.frames.map { frame in
            .object([
              ("x", .number(frame.x)), ("y", .number(frame.y)), ("width", .number(frame.width)),
              ("height", .number(frame.height)),
            ])
          })
      ),
      ("round", .bool(isRound)),
    ])
  }

  /// The first page as it is on paper.
  private func preview(ofPDF bytes: [UInt8]) async throws -> String? {
    let page = try await PictureLoader().open(bytes, named: "preview.pdf").page(1)
    let look = try await page.smallCopy(longestSide: Self.longestPreview).picture
    return files.keep(try PNGWriter.colour(look), named: "preview.png")
  }

  private func file(at path: String) -> (name: String, path: String) {
    ((path as NSString).lastPathComponent, files.keep(fileAt: path))
  }

  /// Letters and digits of a text, for the name of a file.
  private static func stem(of text: String) -> String {
    let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }.suffix(3)
    return String(words.joined(separator: "-").lowercased().suffix(60))
  }

  /// A name in the folder of prints that no file has.
  private func place(for stem: String, _ ending: String, isRehearsal: Bool) throws -> String {
    guard !isRehearsal else { return "\(stem).\(ending)" }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var number = 1
    while true {
      let name = "\(folder)/\(stem)\(number > 1 ? "-\(number)" : "").\(ending)"
      if !FileManager.default.fileExists(atPath: name) { return name }
      number += 1
    }
  }
}

extension JSONValue {
  /// The value with the names of a file that was sent instead of where it was kept.
  func withoutFolder(of file: SentFile) -> JSONValue {
    let folder = (file.path as NSString).deletingLastPathComponent + "/"
    switch self {
    case .string(let text): return .string(text.replacing(folder, with: ""))
    case .array(let values): return .array(values.map { $0.withoutFolder(of: file) })
    case .object(let members):
      return .object(members.map { ($0.0, $0.1.withoutFolder(of: file)) })
    case .null, .bool, .integer, .number, .exact: return self
    }
  }
}
