import TagTypes
import Testing

/// The simulator against what real readers and tags answered.
@Suite("Recorded sessions, sent to the simulator") struct SimulatorConformanceTests {
  @Test(
    "the simulator gives the recorded bytes to the recorded commands, but for listed differences")
  func replay() async throws {
    try await checkAgainstList("simulator") { try SimulatorReplay.compare($0) }
    let sessions = try SessionRecords.all.get().sessions
    let readers = Set(sessions.map(\.device)).count
    let tags = Set(sessions.map(\.tag)).count
    print("\(sessions.count) recorded sessions of \(readers) readers and \(tags) tags")
  }
}
