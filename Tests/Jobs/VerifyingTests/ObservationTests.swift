import CliptagBasics
import CodeScanning
import Foundation
import Invocation
import JourneyFixtures
import NFCReader
import Registry
import SimulatedReader
import Synchronization
import TagTypes
import Testing
import Verifying

@Suite("Observations") struct ObservationTests {
  private let verifier: Verifier
  private let folder: String

  init() throws {
    verifier = Verifier(check: try Fixtures.registry().check, location: .waived)
    folder = NSTemporaryDirectory() + "observations-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func all(_ observations: Observations) async -> [CodeObservation] {
    await observations.reduce(into: []) { $0.append($1) }
  }

  @Test("pictures come in the order they were named, and go on behind a broken one")
  func pictures() async throws {
    let urls = (0..<12).map { "\(Fixtures.cupertino)/table/\($0)" }
    var paths: [String] = []
    for (index, url) in urls.enumerated() {
      paths.append("\(folder)/\(index).png")
      // Large and small ones, so that they end in another order than they begin.
      try Fixtures.picture(of: [url], module: index.isMultiple(of: 3) ? 24 : 4)
        .write(to: URL(filePath: paths[index]))
    }
    try Data("no picture".utf8).write(to: URL(filePath: paths[5]))
    var verifier = verifier
    verifier.options.workers = 3
    let seen = await all(verifier.observations(of: paths))
    #expect(seen.map(\.source) == paths)
    #expect(seen.indices.filter { seen[$0].failure != nil } == [5])
    #expect(seen.allSatisfy { $0.end == .finished })
    var expected = urls
    expected.remove(at: 5)
    #expect(seen.flatMap(\.codes).map(\.verification.payload) == expected)
    #expect(seen.flatMap(\.codes).allSatisfy { $0.verdict == .accepted && $0.identity == nil })
  }

  @Test("a picture without a code says so at its end; a page of a document is told")
  func empty() async throws {
    let path = "\(folder)/empty.png"
    try Fixtures.picture(of: [], module: 4).write(to: URL(filePath: path))
    let seen = await all(verifier.observations(of: [path]))
    #expect(seen.map(\.end) == [.nothingFound(cutShort: false)])
    #expect(seen.allSatisfy { $0.isEmpty && $0.page == nil })
  }

  @Test("a cancelled task gets no more observations")
  func cancelled() async throws {
    let path = "\(folder)/a.png"
    try Fixtures.picture(of: [Fixtures.cupertino], module: 4).write(to: URL(filePath: path))
    let observations = verifier.observations(of: Array(repeating: path, count: 200))
    let count = await Task {
      var count = 0
      for await _ in observations {
        count += 1
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }.value
    #expect(count == 1)
  }

  /// Delivers texts like a scanner, and ends or fails.
  private final class ListedSource: LiveSource {
    let name = "listed"
    let description = "a list"
    private let rest: Mutex<[LiveReading]>
    private let failure: LiveSourceError?

    init(_ readings: [LiveReading], failure: LiveSourceError? = nil) {
      rest = Mutex(readings)
      self.failure = failure
    }

    func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading? {
      let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      if next == nil, let failure { throw failure }
      return next
    }
  }

  @Test("a live source gives a code at a time, tells what is unreadable, and why it ended")
  func live() async throws {
    let readings: [LiveReading] = [
      .text(Fixtures.cupertino, symbology: .qr), .unreadable(reason: "no text"),
      .text(Fixtures.foreign, symbology: nil),
    ]
    let seen = await all(verifier.observations(of: ListedSource(readings)))
    #expect(seen.map(\.reading) == readings + [nil])
    #expect(
      seen.flatMap(\.codes).map(\.verification.carrier) == [.qr, .barcode])
    #expect(seen.map(\.end) == [nil, nil, nil, .finished])
    let lost = LiveSourceError(.deviceLost, source: "listed", message: "", hint: "")
    let broken = await all(verifier.observations(of: ListedSource(readings, failure: lost)))
    #expect(broken.count == 4 && broken.last?.failure as? LiveSourceError == lost)
  }

  @Test("the tags of a reader come one after another, and a reader without one says so")
  func tags() async throws {
    let simulated = try SimulatedReader(.ntag213)
    let running = Task { try await simulated.run() }
    let reader = try await NFCReader.open(simulated.connectionString)
    let seen = await all(verifier.observations(of: reader, timeout: .seconds(10), count: 1))
    #expect(seen.map(\.kind) == [.tag])
    #expect(seen.first?.codes.first?.findings.map(\.code) == [.emptyTag])
    #expect(seen.first?.end == .finished)
    await reader.close()
    let closed = await all(verifier.observations(of: reader, timeout: .zero))
    #expect(closed.count == 1 && closed.first?.failure is NFCReaderError)
    simulated.stop()
    try await running.value
  }

  @Test("a tag of another technology is told of, and the next one is read all the same")
  func otherTechnology() async throws {
    let simulated = try SimulatedReader(tag: try SimulatedTagKind.felica.card())
    let running = Task { try await simulated.run() }
    let reader = try await NFCReader.open(simulated.connectionString)
    var seen: [CodeObservation] = []
    for await observation in verifier.observations(of: reader, timeout: .seconds(10), count: 1) {
      seen.append(observation)
      if seen.count == 1 { simulated.replaceTag(with: try SimulatedTag(.ntag213)) }
    }
    #expect((seen.first?.failure as? NFCReaderError)?.code == .tagUnsupported)
    #expect(seen.first?.end == nil)
    #expect(seen.dropFirst().map { $0.failure == nil } == [true])
    await reader.close()
    simulated.stop()
    try await running.value
  }

  @Test("which issued code was read is told where the record is asked")
  func identity() async throws {
    let registry = try Fixtures.registry()
    let time = Date(timeIntervalSince1970: 1_795_262_400)
    let code = IssuedCode(
      id: CodeID(at: time), payload: Fixtures.cupertino, carrier: .qr, placeID: nil,
      created: time, registered: true, output: "a.png", tagUID: nil)
    try registry.issue([code], by: "printer")
    var verifier = Verifier(check: registry.check)
    verifier.options.record = registry
    let ours = try await verifier.verify(Fixtures.cupertino, on: .qr, source: "desk")
    #expect(ours.identity?.standing == .issued && ours.identity?.code?.id == code.id)
    let foreign = try await verifier.verify(Fixtures.foreign, on: .qr, source: "desk")
    #expect(foreign.identity?.standing == .unissued)
    #expect(try await verifier.verify(Fixtures.cupertino, source: "desk").identity == nil)
    try registry.retire(code.id, at: time, by: "manager")
    let retired = try await verifier.verify(Fixtures.cupertino, on: .qr, source: "desk")
    #expect(retired.identity?.standing == .retired)
  }
}
