import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Jobs
import Pictures
import Registry
import Synchronization

/// Posters and sheets: the page is shown as it would be printed, and made as the command makes it.
struct PrintDesk: Sendable {
  let runner: RequestRunner
  let files: KeptFiles
  let matching: PrefixEngine
  /// The folder for printed files.
  let folder: String

  /// The longest side of a preview, in pixels.
  private static let longestPreview = 1_600

  var routes: [StationRoute] {
    [
      StationRoute("GET", "/api/places") { _ in
        await runner.look { try $1.showPlaces(of: $0) }.response
      },
      StationRoute("GET", "/api/experiences") { _ in
        await runner.look { try $1.showExperiences(of: $0) }.response
      },
      StationRoute("GET", "/api/codes") { request in
        try await codes(
          place: request.place(), containing: request.query["search"] ?? "",
          limit: request.number("limit", in: 1...1000)
        ).response
      },
      StationRoute("POST", "/api/poster", taking: .file) { request in
        try await poster(request).response
      },
      StationRoute("GET", "/api/templates") { request in
        let words = request.query["words"] ?? ""
        return await runner.work { try $0.list(LabelStockLibrary().listing(matching: words)) }
          .response
      },
      StationRoute("GET", "/api/templates/:name") { request in
        .json(
          TemplateGeometryResult(
            try LabelStockLibrary().stock(named: request.parameter("name"))))
      },
      StationRoute("POST", "/api/tables", taking: .file) { request in
        .json(TableTextResult(Array(request.body)))
      },
      StationRoute("POST", "/api/sheet", taking: .file) { request in
        try await sheet(request).response
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
      var job = ListCodes(CodeFilter(status: .issued, placeID: place))
      job.text = text
      let found = Mutex<[ListedCode]>([])
      let total = try await job.run(
        in: Workplace(registry: try runner.registryForReading(console))
      ) { event in
        if case .codes(let codes) = event { found.withLock { $0 += codes } }
      }
      for code in found.withLock(\.self).reversed().prefix(limit ?? total) {
        console.print(of: code.result)
      }
      return [("total", .integer(total))]
    }
  }

  /// A poster that is only shown unless the request says otherwise.
  private struct PosterOrder: Decodable {
    let job: PrintPoster

    private enum CodingKeys: CodingKey { case dryRun }

    init(from decoder: any Decoder) throws {
      var job = try PrintPoster(from: decoder)
      let values = try decoder.container(keyedBy: CodingKeys.self)
      job.dryRun = try values.decodeIfPresent(Bool.self, forKey: .dryRun) ?? true
      self.job = job
    }
  }

  private func poster(_ request: StationRequest) async throws -> CommandAnswer {
    let order: PosterOrder = try request.json()
    var job = order.job
    let file = try output("sign-" + Self.stem(of: job.url), isRehearsal: job.dryRun)
    job.outputs = [PrintOutput(.file(file.path), as: .pdf)]
    let made = Mutex<[PrintedFile]>([])
    var answer = await runner.work(job: request.headers["x-job"]) { [job] console in
      let workplace = try runner.workplace(matching, isRehearsal: job.dryRun, console)
      try await console.showingRefusal {
        let files = try await job.run(in: workplace) { console.show($0, isRehearsal: job.dryRun) }
        made.withLock { $0 = files }
      }
    }
    let files = made.withLock(\.self)
    if let page = files.first {
      answer.preview = try await preview(ofPDF: page.issued.printed.bytes)
    }
    if !job.dryRun { answer.files = files.map { self.file(at: $0.output) } }
    return answer
  }

  private struct SheetOrder: Decodable {
    let csv: String
    var name: String?
    let template: String
    var start: Int?
    var copies: Int?
    var captions: [String]?
    var itemName: Bool?
    var cutMarks: Bool?
    var outlines: Bool?
    var unregistered: Bool?
    var strict: Bool?
    var dryRun: Bool?

    func rows(named name: String) throws -> LabelRows {
      var rows = try LabelRows(Array(csv.utf8), named: name)
      rows.captions = captions ?? []
      rows.unregistered = unregistered ?? false
      rows.strict = strict ?? false
      return rows
    }
  }

  private func sheet(_ request: StationRequest) async throws -> CommandAnswer {
    let order: SheetOrder = try request.json()
    let isRehearsal = order.dryRun ?? true
    let name = SentFile.plain(order.name ?? "rows.csv")
    let stem = ((order.name.map { _ in name } ?? "sheet") as NSString).deletingPathExtension
    let file = try output("sheet-" + Self.stem(of: stem), isRehearsal: isRehearsal)
    let made = Mutex<PrintSheet.Output?>(nil)
    var answer = await runner.work(job: request.headers["x-job"]) { console in
      let stock = try LabelStockLibrary().stock(named: order.template)
      try await console.showingRefusal(of: name) {
        var job = PrintSheet(try order.rows(named: name), to: .file(file.path), on: stock)
        job.start = order.start ?? 1
        job.copies = order.copies ?? 1
        job.itemName = order.itemName ?? false
        job.cutMarks = order.cutMarks ?? false
        job.outlines = order.outlines ?? false
        job.dryRun = isRehearsal
        job.returnsBytes = true
        let workplace = try runner.workplace(matching, isRehearsal: isRehearsal, console)
        let bar = ProgressBar(console)
        let sheet = try await job.run(in: workplace) { console.show($0, on: bar) }
        console.show(sheet, at: file.path, dryRun: isRehearsal)
        made.withLock { $0 = sheet }
      }
    }
    let sheet = made.withLock(\.self)
    if let bytes = sheet?.bytes { answer.preview = try await preview(ofPDF: bytes) }
    if let manifest = sheet?.issued.manifestPath {
      answer.files = [self.file(at: file.path), self.file(at: manifest)]
    }
    return answer
  }

  /// Returns the first page as it looks on paper.
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

  /// A new name in the folder of prints, which stays this request's until the file is there.
  private func output(_ stem: String, isRehearsal: Bool) throws -> ReservedFile {
    guard !isRehearsal else { return ReservedFile(unreserved: "\(stem).pdf") }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try ReservedFile(in: folder, named: stem, ending: "pdf")
  }
}
