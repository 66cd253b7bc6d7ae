import TagTypes
import Testing

/// A Type 4 tag that answers Read_Sig with what it is given.
private struct SignedTag: TagChannel {
  let base: ModelType4Tag
  let answer: [UInt8]

  init(answering answer: [UInt8]) {
    base = ModelType4Tag()
    self.answer = answer
  }

  var target: TagTarget { base.target }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    command == [0x90, 0x3C, 0x00, 0x00, 0x01, 0x00, 0x00]
      ? answer : try await base.exchange(command)
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await base.reselect(fieldCycle: fieldCycle)
  }
}

@Suite("Originality signatures of Type 4 tags") struct SignatureTests {
  private func signature(_ answer: [UInt8]) async throws -> [UInt8]? {
    let channel = SignedTag(answering: answer)
    let tag = try #require(try await TagTypes.Tag.identify(over: channel).type4)
    return try await tag.readSignature(over: channel)
  }

  @Test("the signature comes with either status of success, as it is")
  func given() async throws {
    let bytes = (1...56).map { UInt8($0) }
    #expect(try await signature(bytes + [0x91, 0x90]) == bytes)
    #expect(try await signature(bytes + [0x91, 0x00]) == bytes)
    #expect(try await signature([1, 2, 0x91, 0x90]) == [1, 2], "its length is the judge's affair")
  }

  @Test("a tag that does not know the command has none")
  func refused() async throws {
    for answer: [UInt8] in [[0x91, 0x1C], [0x6D, 0x00], [0x91], [], [0x90, 0x00]] {
      #expect(try await signature(answer) == nil)
    }
  }
}
