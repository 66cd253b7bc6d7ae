import NDEF
import SimulatedReader
import TagTypes
import Testing

@Suite("What the articles of SimulatedReader show is true") struct SimulatedReaderArticleTests {
  @Test("a reader is run and stopped, and says what to open")
  func landingPage() async throws {
    let reader = try SimulatedReader(.ntag215)
    print(reader.connectionString)  // pn532_uart:/dev/pts/7
    let running = Task { try await reader.run() }
    // What opens it now finds an NTAG215.
    reader.stop()
    try await running.value
    #expect(reader.connectionString == "pn532_uart:\(reader.devicePath)")
  }

  @Test("a tag in memory is written and read like any other")
  func testing() async throws {
    let channel = SimulatedTagChannel(try SimulatedTag(.ntag215))
    let blank = try await Tag.identify(over: channel)
    let plan = try await blank.planWrite(
      NDEFMessage(uri: "https://fruta.example.com/order"), over: channel)
    _ = try await plan.execute(over: channel)
    let written = try await Tag.identify(over: channel)
    print(written.name, written.content)
    let message = NDEFMessage(uri: "https://fruta.example.com/order")
    #expect(written.name == "NTAG215" && written.content == .message(message.bytes))
  }
}
