import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import CodeScanning
import Foundation
import Invocation
import Issuing
import JourneyFixtures
import Pictures
import Registry
import Testing

@testable import Verifying

@Suite("App Clip Codes are verified as any carrier")
struct AppClipCodeVerdictTests {
  private let registry: any RegistryStore
  private let folder: ScratchFolder
  private let drawn = (0..<4).map { DrawnAppClipCode("\(Fixtures.cupertino)/\($0)") }

  init() async throws {
    registry = try Fixtures.registry()
    folder = try #require(ScratchFolder())
    let codes = "\(folder.path)/codes"
    try FileManager.default.createDirectory(atPath: codes, withIntermediateDirectories: true)
    for (number, code) in drawn.prefix(3).enumerated() {
      try Data(code.bytes).write(to: URL(filePath: "\(codes)/\(number).svg"))
    }
    let issuer = Issuer(registry: registry, who: "tester")
    _ = try await issuer.take(issuer.examine(AppClipCodeCollection([codes])).candidates)
  }

  /// Returns the observation of a photograph of a code.
  private func observe(
    _ code: DrawnAppClipCode, at location: LocationEvidence = .notAsked,
    record: Bool = false, prepare: (inout AppClipCodePhotograph) -> Void = { _ in }
  ) async throws -> VerifiedCode {
    var photograph = AppClipCodePhotograph(code)
    prepare(&photograph)
    let picture = photograph.picture(width: 240, height: 240)
    let path = "\(folder.path)/photograph.png"
    try Data(PNGWriter.colour(ColourPicture(picture))).write(to: URL(filePath: path))
    var options = Verifier.Options()
    if record { options.record = registry } else { options.appClipCodes = registry }
    let verifier = Verifier(
      check: InvocationCheck(directory: registry), location: location, options: options)
    var seen: [VerifiedCode] = []
    for await observation in verifier.observations(of: [path]) {
      if let failure = observation.failure { throw failure }
      seen += observation.codes
    }
    try #require(seen.count == 1)
    return seen[0]
  }

  @Test("a code on record has the URL of its file, and is checked as an App Clip Code")
  func known() async throws {
    let code = try await observe(drawn[1], record: true)
    #expect(code.verification.payload == drawn[1].payload)
    #expect(code.verification.carrier == .appClipCode)
    #expect(code.verdict == .accepted)
    #expect(code.identity?.standing == .issued)
    #expect(code.identity?.code?.payload == drawn[1].payload)
    #expect(code.corners.count == 4)
    #expect(code.appClipCode?.match.wrong == 0)
  }

  @Test("a code that is none on record is said to be that, and rejected")
  func unknown() async throws {
    let code = try await observe(drawn[3], record: true)
    #expect(code.verdict == .rejected)
    #expect(code.verification.payload.isEmpty)
    #expect(code.findings.map(\.code) == [.unknownAppClipCode])
    #expect(code.identity?.standing == .unissued)
  }

  @Test("a code of which too little is seen is undecided, whichever it may be")
  func unclear() throws {
    let clean = AppClipCodeReading(drawn[0].pattern)
    let covered = clean.continues.enumerated().map { $0.offset < 100 ? 0 : $0.element }
    let reading = try #require(
      AppClipCodeReading(continues: covered, third: [Float](repeating: 0, count: 128)))
    let seen = SeenAppClipCode(reading: reading, corners: [], diameter: 100)
    var verifier = Verifier(
      check: InvocationCheck(directory: registry), location: .notAsked)
    verifier.options.appClipCodes = registry
    let code = try verifier.examine(seen, source: "wall.jpg")
    #expect(code.verdict == .undecided)
    #expect(code.verification.payload.isEmpty)
    #expect(code.findings.map(\.code) == [.unclearAppClipCode])
  }

  @Test("a record that is set after the verifier was made has its App Clip Codes recognised")
  func recordSetLater() throws {
    let seen = SeenAppClipCode(
      reading: AppClipCodeReading(drawn[1].pattern), corners: [], diameter: 100)
    var verifier = Verifier(
      check: InvocationCheck(directory: registry), location: .notAsked)
    #expect(try verifier.examine(seen, source: "wall.jpg").verification.payload.isEmpty)
    verifier.options.record = registry
    #expect(
      try verifier.examine(seen, source: "wall.jpg").verification.payload == drawn[1].payload)
  }

  @Test("a retired code is told as such where the record is asked")
  func retired() async throws {
    let issued = try #require(try registry.codes(CodeFilter(payload: drawn[2].payload)).first)
    try registry.retire(issued.id, at: Date(), by: "tester")
    let code = try await observe(drawn[2], record: true)
    #expect(code.identity?.standing == .retired)
    #expect(code.verification.payload == drawn[2].payload)
  }
}
