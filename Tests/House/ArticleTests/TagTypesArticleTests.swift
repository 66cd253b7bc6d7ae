import Foundation
import NDEF
import SimulatedReader
import TagTypes
import Testing

func url(on channel: some TagChannel) async throws -> String? {
  let tag = try await Tag.identify(over: channel)
  guard case .message(let bytes) = tag.content else { return nil }
  return try NDEFMessage(decoding: bytes).firstURI()?.uri
}

func write(_ url: String, over channel: some TagChannel) async throws(TagError) -> WriteReport {
  let tag = try await Tag.identify(over: channel)
  if case .message(let bytes) = tag.content {
    print("holds \(bytes.count) bytes already")  // Whether to replace them is your decision.
  }
  let plan = try await tag.planWrite(NDEFMessage(uri: url), over: channel)
  for step in plan.steps { print(step.place, step.before, step.after) }
  return try await plan.execute(over: channel)
}

@Suite("What the articles of TagTypes show is true") struct TagTypesArticleTests {
  @Test("a URL is written over any channel, and read back")
  func writing() async throws {
    let channel = SimulatedTagChannel(try SimulatedTag(.ntag213))
    #expect(try await url(on: channel) == nil)
    let report = try await write("https://fruta.example.com/order", over: channel)
    #expect(report.pagesWritten > 0)
    #expect(try await url(on: channel) == "https://fruta.example.com/order")
  }

  @Test("a saved dump is read as the tag it was made of")
  func savedDump() async throws {
    let channel = SimulatedTagChannel(try SimulatedTag(.ntag215))
    _ = try await write("https://fruta.example.com/order", over: channel)
    let made = try await Type2Tag.identify(over: channel).dump(over: channel)
    for bytes in try [TagDumpFile.text(made, mirror: nil, time: Date()), TagDumpFile.bare(made)] {
      let dump = try TagDumpFile(reading: bytes).dump()
      print(dump.name, dump.unreadablePages)
      let tag = try await Tag.identify(over: DumpChannel(dump), includingConfiguration: true)
      if case .message(let message) = tag.content {
        print(try NDEFMessage(decoding: message).firstURI()?.uri ?? "no URI")
      }
      #expect(tag.name == "NTAG215" && tag.uid == made.uid)
      #expect(try await url(on: DumpChannel(dump)) == "https://fruta.example.com/order")
    }
  }
}
