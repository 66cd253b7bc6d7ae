import AppClipCodeFixtures
import CodeDrawing
import Auditing
import Foundation
import Invocation
import Issuing
import Jobs
import NFCReader
import Pictures
import Publishing
import QRSymbol
import Registry
import SimulatedReader
import TagTypes
import Testing
import Verifying

@Suite("What the articles of Issuing and Verifying show is true") struct JourneyArticleTests {
  private let registry: any RegistryStore
  private let payload = "https://fruta.example.com/order/cupertino"

  /// A new folder for a test's files.
  private static func folder() throws -> String {
    let folder = NSTemporaryDirectory() + "journeys-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  init() throws {
    registry = try RegistryLocation.memory.open()
    let file = URL(fileURLWithPath: Fixtures.path("Samples/fruta/registry.yaml"))
    _ = try registry.importDocument(Data(contentsOf: file), as: .yaml)
  }

  @Test("the code of a photograph is judged")
  func landingPage() async throws {
    let path = Fixtures.path("Samples/VerifyCode/sign.png")
    let verifier = Verifier(check: InvocationCheck(directory: registry), location: .missing)
    for await seen in verifier.observations(of: [path, "missing.png"]) {
      if let failure = seen.failure { print(seen.source, failure) }
      for code in seen.codes {
        print(code.verdict, code.verification.payload)
        for finding in code.findings { print(" ", finding.code, finding.message) }
      }
    }
    let seen = await verifier.observations(of: [path, "missing.png"]).reduce(into: []) {
      $0.append($1)
    }
    let codes = seen.flatMap(\.codes)
    #expect(seen.map { $0.failure == nil } == [true, false])
    #expect(codes.map(\.verification.payload) == [payload])
    #expect(codes.map(\.verification.place?.id) == ["cupertino"])
  }

  @Test("the README's program says what the codes of a wall mean")
  func readme() async throws {
    enum CommandLine {
      static let arguments = [
        "program", Fixtures.path("Samples/fruta/registry.yaml"),
        Fixtures.path("Samples/pictures/wall.jpg"),
      ]
    }
    var verdicts: [Verdict] = []
    let registry = try Data(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))
    let catalog = ExperienceCatalog(try RegistryDocument.read(registry, as: .yaml).document)
    let verifier = Verifier(check: InvocationCheck(directory: catalog), location: .waived)
    for await seen in verifier.observations(of: Array(CommandLine.arguments.dropFirst(2))) {
      if let failure = seen.failure { print(seen.source, failure) }
      for code in seen.codes {
        print(code.verdict, code.verification.payload, code.verification.place?.name ?? "-")
        for finding in code.findings { print(" ", finding.severity, finding.message) }
        verdicts.append(code.verdict)
      }
    }
    #expect(verdicts.count == 6 && verdicts.contains(.rejected))
  }

  @Test("a code is printed in one call")
  func landingPageOfIssuing() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let url = payload
    let issuer = Issuer(registry: registry, who: "print shop")
    let code = try await issuer.issue(url, to: "\(folder)/cupertino.png", width: 40)
    print(code.id?.description ?? "-", code.printed.drawing?.size.readingDistance ?? 0, "mm")
    #expect(try registry.codes().map(\.id) == [code.id])
  }

  @Test("a code is designed, proven and recorded")
  func printing() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let issuer = Issuer(registry: registry, who: "print shop")
    let approval = try issuer.approve("https://fruta.example.com/order/cupertino")
    let design = try PrintDesign(
      approval, size: CodeSize.Request(readingDistance: 600), errorCorrection: .quartile)
    let pdf = try await issuer.issue(
      design, as: .pdf, to: .file("\(folder)/cupertino.pdf"), proving: true)
    for margin in pdf.proof?.warnings ?? [] { print("little margin:", margin.trouble) }
    #expect(try registry.codes().map(\.id) == [pdf.id])
    #expect(pdf.proof != nil && pdf.printed.drawing?.size.readingDistance ?? 0 >= 600)
  }

  @Test("an App Clip Code is put on a sign and proven")
  func appClipCode() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let url = payload
    try Data(DrawnAppClipCode(url).bytes)
      .write(to: URL(fileURLWithPath: "\(folder)/cupertino.svg"))
    let issuer = Issuer(registry: registry, who: "print shop")
    let approval = try issuer.approve(url)
    let file = try issuer.appClipCode(.file("\(folder)/cupertino.svg"), carrying: url)
    let request = Poster.Request(
      content: PosterContent(
        headline: "Order a smoothie", callToAction: "Scan to open the App Clip"),
      paper: try PaperSize("A4"))
    let design = try issuer.design(
      of: approval, appClipCode: PrintedAppClipCode(file), poster: request)
    let sign = try await issuer.issue(
      design, as: .pdf, to: .file("\(folder)/sign.pdf"), proving: true)
    print(sign.printed.appClipCode?.diameter ?? 0, "mm across")
    for margin in sign.appClipCodeProof?.warnings ?? [] { print("little margin:", margin.trouble) }
    #expect(sign.appClipCodeProof?.warnings == [])
    #expect(try registry.codes().map(\.id) == [sign.id])
  }

  @Test("a sheet of labels and a folder of files are printed from a table")
  func labels() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = Array("url,place,copies,label\n\(payload),cupertino,3,Counter\n".utf8)
    let issuer = Issuer(registry: registry, who: "print shop")
    let rows = try issuer.approve(LabelFile(bytes))  // url,place,copies,label
    let stock = try LabelStockLibrary().stock(named: "60x40,3x6,15,20,60,42,A4")
    let options = LabelSheetOptions(stock: stock)
    let sheet = try await issuer.issue(rows, to: .file("\(folder)/tables.pdf"), on: options)
    for label in sheet.labels { print(label.row.url, label.id?.description ?? "-") }
    let files = try await issuer.issue(
      rows, in: "\(folder)/tables", as: CodeFileOptions(format: .svg))
    print(files.labels.count, "files, listed in", files.manifestPath ?? "-")
    #expect(sheet.labels.map(\.id) == Array(repeating: files.labels[0].id, count: 3))
  }

  @Test("a tag is written, read back and recorded")
  func writing() async throws {
    let channel = SimulatedTagChannel(try SimulatedTag(.ntag215))
    let check = InvocationCheck(directory: registry)
    let issuer = TagIssuer(ledger: CodeLedger(registry: registry, who: "Ada"), check: check)
    let approval = try check.approve("https://fruta.example.com/order/cupertino")
    let plan = try await issuer.plan(approval, on: channel)
    print(plan.changedPages, plan.irreversible)  // nothing is written yet
    let outcome = try await issuer.execute(plan, for: approval, on: channel, reader: "desk")
    print(outcome.code)
    #expect(try registry.codes().map(\.id) == [outcome.code])
    #expect(try await issuer.plan(approval, on: channel).isAlreadyCorrect)
  }

  @Test("the rows of a table become tags, and the ledger knows it")
  func manyTags() async throws {
    let simulated = try SimulatedReader(.ntag215)
    let running = Task { try await simulated.run() }
    let connection = simulated.connectionString
    let bytes = Array("url,label\nhttps://fruta.example.com/order/cupertino,Counter\n".utf8)
    let reader = try await NFCReader.open(connection)
    let batch = TagBatch(
      named: "counters", in: registry,
      station: BatchStation(reader: reader.connectionString, who: "Ada"))
    let file = BatchFile(bytes)  // url,label
    for problem in file.problems { print(problem) }
    for objection in try batch.objections(to: file) { print(objection.line, objection.reason) }
    print(try await batch.begin(file.orders), "new rows")
    let progress = try await batch.run(on: reader) { event in
      if case .wants(let row, _) = event { print("lay down a tag for", row.order.url) }
    }
    print(progress.finished, "done")
    await reader.close()
    simulated.stop()
    try await running.value
    #expect(file.problems.isEmpty && progress.finished == 1)
    #expect(try registry.codes().map(\.payload) == [payload])
  }

  @Test("a tag is judged the way a phone reads it")
  func judgingATag() async throws {
    let channel = SimulatedTagChannel(try SimulatedTag(.ntag215))
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    let verifier = Verifier(check: InvocationCheck(directory: registry))
    let code = try await verifier.verify(tag, source: "desk")
    print(code.verdict, code.verification.payload)
    for finding in code.findings { print(" ", finding.code, finding.message) }
    #expect(code.verdict == .rejected)
  }

  @Test("an association file is checked, and links that no route takes are found")
  func publishing() throws {
    let bytes = try [UInt8](
      Data(
        contentsOf: URL(
          fileURLWithPath: Fixtures.path("Samples/fruta/apple-app-site-association"))))
    let clip = AppClip(
      bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
      domains: ["fruta.example.com"], locationConfirmation: true)
    let review = AssociationReview(file: bytes, host: "fruta.example.com", clips: [clip])
    for listing in review.clips { print(listing.clip.bundleID, listing.isListed ?? false) }
    for finding in review.findings { print(finding) }
    #expect(review.clips.map(\.isListed) == [true])
    try unhandledLinks()
  }

  private func unhandledLinks() throws {
    let routes = try RouteTable(reading: "/help\n")
    let review = try RegistryReview(of: registry)
    for finding in try review.unhandled(by: routes) { print(finding.code, finding.message) }
    #expect(try !review.unhandled(by: routes).isEmpty)
  }

  @Test("what is due is told, and a parcel knows what is missing")
  func lookingAfterCodes() async throws {
    let check = InvocationCheck(directory: registry)
    let ledger = CodeLedger(registry: registry, who: "print shop")
    _ = try await ledger.recordPrinted(
      check.approve(payload), output: "a.png",
      symbol: IssuedCode.Symbol(CodeDrawing(QRSymbol(payload), size: CodeSize.Request(width: 40))))
    for due in try DueReview(of: registry, days: 90, now: Date()).dueCodes() {
      print(due.place?.name ?? "-", due.code.id, due.reason, due.days)
    }
    let place = try #require(try registry.places().first { $0.id == "cupertino" })
    let list = try PackingList(of: place, in: registry)
    var parcel = ParcelCheck(list, in: registry)
    let code = try await parcel.verifier.verify(payload, on: .qr, source: "desk scanner")
    let answer = try parcel.take(code)
    print(answer.result, parcel.missing.map(\.code.id), parcel.isComplete)
    #expect(parcel.isComplete && answer.result == .expected)
  }

  @Test("a poster is printed by a job")
  func landingPageOfJobs() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let url = payload
    let workplace = Workplace(registry: registry, person: "print shop")
    var poster = PrintPoster(url: url)
    poster.outputs = [try PrintOutput(path: "\(folder)/sign.pdf")]
    for file in try await poster.run(in: workplace) {
      print(file.output, file.result.code ?? "-", file.result.readingDistance ?? 0, "mm")
    }
    #expect(try registry.codes().map(\.payload) == [url])
  }

  @Test("a job tells its progress")
  func followingAJob() async throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let url = payload
    let workplace = Workplace(registry: registry, person: "print shop")
    let table = Array("url,label\n\(url),Counter\n".utf8)
    var rows = try LabelRows(table, named: "counter.csv")
    rows.captions = ["label"]
    var sheet = PrintSheet(
      rows, to: .file("\(folder)/labels.pdf"), on: try LabelStockLibrary().stock(named: "L7163"))
    sheet.copies = 3
    let run = sheet.start(in: workplace)
    for await event in run {
      if case .progress(let done, let total) = event { print("\(done) of \(total)") }
    }
    let labels = try await run.output.results
    #expect(labels.map(\.url) == [url, url, url])
  }
}
