import SimulatedReader
import TagTypes
import Testing

/// A card whose reader states lengths that are not true.
private struct HostileCard: SimulatedCard {
  var technology = SimulatedTechnology.typeA
  /// The bytes behind the target's number in the answer to InListPassiveTarget.
  let stated: [UInt8]
  private(set) var isActive = false

  init(_ technology: SimulatedTechnology = .typeA, stating stated: [UInt8]) {
    self.technology = technology
    self.stated = stated
  }

  var uid: [UInt8] { [0x04, 1, 2, 3, 4, 5, 6] }
  var name: String { "hostile card" }
  var memory: [UInt8] { [] }
  func holding(_ memory: [UInt8]) -> HostileCard { self }
  func sister(uid: [UInt8]?) -> HostileCard { self }
  mutating func fieldOn() {}
  mutating func fieldOff() { isActive = false }
  mutating func request(wakeUp: Bool) -> Bool { true }
  mutating func select() -> Bool {
    isActive = true
    return true
  }
  mutating func fallBack() { isActive = false }
  mutating func halt() { isActive = false }
  func targetData(for request: [UInt8]) -> [UInt8]? { stated }
  mutating func receive(_ frame: [UInt8]) -> TagAnswer { .silence }
  mutating func receiveDamagedFrame() -> TagAnswer { .silence }
  func places(writtenBy frame: [UInt8]) -> Range<Int>? { nil }
  mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer { .silence }
  mutating func tear(_ frame: [UInt8], isHalf: Bool) {}
  mutating func spoil(place: Int) {}
}

extension CommandSuite {
  @Suite("Hostile readers") struct HostileReaderTests {
    @Test(
      "a reader that states impossible lengths fails the command, and does not crash it",
      arguments: [
        // A UID of 255 bytes, of none, of one; one that ends before its length says.
        [0x00, 0x44, 0x00, 0xFF, 1, 2, 3, 4, 5, 6, 7], [0x00, 0x44, 0x00, 0x00],
        [0x00, 0x44, 0x00, 0x01, 0x04], [0x00, 0x44, 0x00, 0x0A, 0x04, 1, 2], [],
        [0x00, 0x44, 0x00, 0xC0] + [UInt8](repeating: 0x41, count: 0xC0),
      ] as [[UInt8]])
    func identifiers(stated: [UInt8]) async throws {
      let reader = try SimulatedReader(tag: HostileCard(stating: stated))
      let outcome = try await Sandbox().tag("info", "--timeout", "0.5", "--json", on: reader)
      #expect(outcome.status == 69, "\(outcome.status) \(outcome.output) \(outcome.errors)")
      #expect(try outcome.errorCodes == ["reader-failed"])
      #expect(!outcome.output.contains("4141"))
    }

    @Test(
      "an answer to select of length 0 is none", arguments: [[0x00], [0x00, 0x77], [0xFF, 0x70]])
    func answerToSelect(ats: [UInt8]) async throws {
      let reader = try SimulatedReader(
        tag: HostileCard(stating: [0x00, 0x44, 0x00, 0x07, 0x04, 1, 2, 3, 4, 5, 6] + ats))
      let outcome = try await Sandbox().tag("info", "--timeout", "0.5", "--json", on: reader)
      #expect(outcome.status < 128, "\(outcome.status) \(outcome.errors)")
      let line = try #require(try outcome.lines.first)
      #expect(line["tag"]["uid"] == "04010203040506")
      #expect(line["tag"]["passwordProtected"] == false, "it shows nothing, and nobody knows why")
      #expect(line["content"] == "unreadable")
    }

    @Test(
      "an identifier of another technology is not taken from behind the answer",
      arguments: [SimulatedTechnology.feliCa, .typeB, .jewel])
    func otherTechnologies(technology: SimulatedTechnology) async throws {
      let reader = try SimulatedReader(tag: HostileCard(technology, stating: [0x12, 0x01]))
      let outcome = try await Sandbox().tag("info", "--timeout", "0.3", "--json", on: reader)
      #expect(outcome.status == 2, "\(outcome.output)")
      #expect(try outcome.errorCodes == ["no-tag"])
    }
  }
}
