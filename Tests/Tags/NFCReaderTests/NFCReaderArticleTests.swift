import NFCReader
import SimulatedReader
import TagTypes
import Testing

extension OverLibNFC {
  @Suite("What the articles of NFCReader show is true") struct NFCReaderArticleTests {
    @Test("a reader is opened and gives a tag")
    func landingPage() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let connection: String? = simulated.connectionString
      let reader = try await NFCReader.open(connection)  // nil: the reader that is there
      let channel = try await reader.waitForTag(timeout: .seconds(10))
      let tag = try await Tag.identify(over: channel)
      print(reader.connectionString, tag.name)
      await reader.close()
      #expect(tag.name == "NTAG213" && reader.connectionString == connection)
    }

    @Test("whatever keeps a reader from opening is looked at, and opening it is tried last")
    func examining() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let connection: String? = simulated.connectionString
      for check in await NFCReader.examine(connection) {
        print(check.verdict, check.subject.rawValue, check.finding)
        if let hint = check.hint { print("  do this:", hint) }
      }
      let checks = await NFCReader.examine(connection)
      #expect(checks.last?.subject == .opening && checks.last?.verdict == .fine)
    }
  }
}
