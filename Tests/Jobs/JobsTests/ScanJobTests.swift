import CliptagBasics
import CodeScanning
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import Registry
import Synchronization
import Testing
import Verifying

/// Payloads, pictures and live sources, examined without a command.
@Suite("Jobs: checks and scans") struct ScanJobTests {
  private let registry: any RegistryStore
  private let workplace: Workplace
  private let folder: ScratchFolder

  init() throws {
    registry = try Fixtures.registry()
    workplace = Workplace(registry: registry, person: "ada")
    folder = try #require(ScratchFolder())
  }

  private func picture(_ name: String, of urls: [String]) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Fixtures.picture(of: urls, module: 4).write(to: URL(filePath: path))
    return path
  }

  // MARK: Payloads

  @Test("each payload is answered in its order, and the answer counts those that are accepted")
  func payloads() async throws {
    let run = CheckPayloads([Fixtures.cupertino, Fixtures.foreign]).start(in: workplace)
    var states: [String] = []
    for await code in run { states.append(code.result.state) }
    #expect(states == ["ok", "unregistered"])
    let counts = try await run.output
    #expect(counts.accepted == 1 && counts.others == 1)
  }

  @Test("a payload that was waited for is compared with the registry as it is then")
  func awaited() async throws {
    let registry = registry
    let lines = AsyncThrowingStream<CheckPayloads.Payload, any Error> { stream in
      stream.yield(.init(Fixtures.foreign, from: "-"))
      stream.yield(.init(Fixtures.foreign, from: "-", wasAwaited: true))
      stream.finish()
    }
    let states = Mutex<[String]>([])
    _ = try await CheckPayloads(lines).run(in: workplace) { code in
      states.withLock { $0.append(code.result.state) }
      try? registry.addClip(for: "elsewhere.example.net", link: Fixtures.foreign)
    }
    #expect(states.withLock { $0 } == ["unregistered", "ok"])
  }

  @Test("the error with which the payloads end is that of the job")
  func broken() async throws {
    struct Broken: Error {}
    let lines = AsyncThrowingStream<CheckPayloads.Payload, any Error> { stream in
      stream.yield(.init(Fixtures.cupertino))
      stream.finish(throwing: Broken())
    }
    await #expect(throws: Broken.self) { _ = try await CheckPayloads(lines).run(in: workplace) }
  }

  // MARK: Pictures

  @Test(
    "the codes of pictures are verified, and then drawn with their verdicts where that is wanted")
  func pictures() async throws {
    let path = try picture("wall.png", of: [Fixtures.cupertino, Fixtures.foreign])
    var job = ScanPictures([path])
    job.location = .waived
    job.drawings = try AnnotationPlace("\(folder.path)/checked.svg", inputs: [path])
    let run = job.start(in: workplace)
    var steps: [String] = []
    for await event in run {
      switch event {
      case .observed(let page): steps.append("\(page.codes.map(\.verdict.rawValue).sorted())")
      case .scanned(let output): steps.append("scanned \(output.count) \(output.skippedCount)")
      case .drawn(let drawing): steps.append("drawn \(drawing.codes)")
      case .notReadAgain, .notDrawn: steps.append("\(event)")
      }
    }
    #expect(steps == [#"["accepted", "rejected"]"#, "scanned 1 0", "drawn 2"])
    #expect(try await run.output.count == 1)
    #expect(FileManager.default.fileExists(atPath: "\(folder.path)/checked.svg"))
  }

  @Test("a code that is on record is named where the options have the record")
  func identified() async throws {
    let path = try picture("wall.png", of: [Fixtures.cupertino])
    var job = ScanPictures([path])
    job.location = .waived
    let issued = try await Issuer(registry: registry, who: "ada")
      .issue(Fixtures.cupertino, to: "\(folder.path)/code.svg").id
    job.options.record = registry
    let codes = Mutex<[CodeID?]>([])
    _ = try await job.run(in: workplace) { event in
      guard case .observed(let page) = event else { return }
      codes.withLock { $0 += page.codes.map(\.identity?.code?.id) }
    }
    #expect(codes.withLock { $0 } == [issued] && issued != nil)
  }

  @Test("drawings have no place where they would overwrite a picture or have no format")
  func places() throws {
    let path = try picture("wall.png", of: [Fixtures.cupertino])
    #expect(throws: AnnotationPlace.Problem.overwrites(path)) {
      _ = try AnnotationPlace(path, inputs: [path])
    }
    #expect(throws: AnnotationPlace.Problem.unknownFormat("checked.gif")) {
      _ = try AnnotationPlace("checked.gif", inputs: [path])
    }
    #expect(throws: AnnotationPlace.Problem.noFolder("checked.png")) {
      _ = try AnnotationPlace("checked.png", inputs: [path, "other.png"])
    }
    #expect(throws: AnnotationPlace.Problem.standardInput) {
      _ = try AnnotationPlace("checked.png", inputs: ["-"])
    }
  }

  // MARK: Live sources

  /// A scanner that sends some readings, and then nothing until it is no longer wanted.
  private final class Scanner: LiveSource {
    let name = "scanner"
    let description = "a scanner"
    private let rest: Mutex<[LiveReading]>
    private let staysOn: Bool
    let wasLeft = Mutex(false)

    init(_ readings: [LiveReading], staysOn: Bool = false) {
      rest = Mutex(readings)
      self.staysOn = staysOn
    }

    func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading? {
      if let reading = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return reading }
      while staysOn, isWanted() {}
      wasLeft.withLock { $0 = true }
      return nil
    }
  }

  @Test("a live source is read to its end, and what its scanner does not say is reported once")
  func live() async throws {
    let scanner = Scanner([
      .text(Fixtures.cupertino, symbology: nil), .unreadable(reason: "Noise."),
      .text(Fixtures.sanFrancisco, symbology: nil),
    ])
    let steps = Mutex<[String]>([])
    let output = try await ScanLive(scanner).run(in: workplace) { event in
      steps.withLock { steps in
        switch event {
        case .observed(let seen): steps.append(seen.codes.map(\.result.carrier).joined())
        case .unreadable(let reason): steps.append(reason)
        case .unnamedSymbology: steps.append("unnamed")
        }
      }
    }
    #expect(steps.withLock { $0 } == ["unnamed", "barcode", "Noise.", "barcode"])
    #expect(output.count == 2 && output.end == .finished)
  }

  @Test("a live source ends after the wanted number of codes")
  func liveCount() async throws {
    let scanner = Scanner([.text(Fixtures.cupertino, symbology: .qr)], staysOn: true)
    var job = ScanLive(scanner)
    job.count = 1
    let output = try await job.run(in: workplace)
    #expect(output.count == 1 && output.end == nil)
  }

  @Test("cancelling a scan leaves the device")
  func liveCancelled() async throws {
    let scanner = Scanner([.text(Fixtures.cupertino, symbology: .qr)], staysOn: true)
    let run = ScanLive(scanner).start(in: workplace)
    for await _ in run { run.cancel() }
    await #expect(throws: CancellationError.self) { _ = try await run.output }
    #expect(scanner.wasLeft.withLock { $0 })
  }
}

/// The objects of the contract as an encoder writes them.
@Suite("Results of verifications") struct VerificationResultTests {
  @Test("advice in a finding is in the wording of the face that encodes it")
  func wording() throws {
    let finding = Finding(.unknownHost, .error, advising: "Use \(.allowReuse).")
    let encoder = JSONEncoder()
    func message() throws -> String? {
      let object = try JSONSerialization.jsonObject(
        with: try encoder.encode(FindingResult(finding)))
      return (object as? [String: String])?["message"]
    }
    #expect(try message() == "Use allowing reuse.")
    let wording: AdviceWording = { _ in "--reuse" }
    encoder.userInfo[.adviceWording] = wording
    #expect(try message() == "Use --reuse.")
  }

  @Test("the parameters of a URL are an object of their names")
  func parameters() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let members = SortedMembers(["b": "2", "a": "1"])
    #expect(
      String(decoding: try encoder.encode(members), as: UTF8.self) == #"{"a":"1","b":"2"}"#)
  }
}
