import Testing

@testable import TagTypes

@Suite("Configuration, counter and signature")
struct ConfigurationTests {
  @Test("every field of the configuration is where the data sheet says")
  func fields() {
    let configuration = Type2Configuration(
      [0xF4, 0x00, 0x0C, 0x10, 0xDB, 0x05, 0x00, 0x00], on: .ntag215)
    #expect(configuration.mirror == TagMirror(.uidAndCounter, at: 0x0C * 4 + 3))
    #expect(configuration.mirror?.page == 0x0C)
    #expect(configuration.mirror?.byte == 3)
    #expect(configuration.firstProtectedPage == 0x10)
    #expect(configuration.protectsReading)
    #expect(configuration.isLocked)
    #expect(configuration.counterIsEnabled)
    #expect(configuration.counterNeedsPassword)
    #expect(configuration.wrongPasswordLimit == 3)
    let new = Type2Configuration([0x04, 0, 0, 0xFF, 0, 5, 0, 0], on: .ntag215)
    #expect(new.mirror == nil)
    #expect(new.firstProtectedPage == nil)
    #expect(!new.protectsReading && !new.isLocked && !new.counterIsEnabled)
    #expect(new.wrongPasswordLimit == 0)
  }

  @Test("changing one field keeps every other bit, whatever it is", arguments: [0x00, 0xFF, 0xA5])
  func oneFieldAtATime(fill: Int) {
    let bytes = [UInt8](repeating: UInt8(fill), count: 8)
    let old = Type2Configuration(bytes, on: .ntag213)
    func changed(_ new: Type2Configuration) -> [UInt8] {
      zip(new.bytes, bytes).map { $0 ^ $1 }.enumerated().map { index, difference in
        [0xF0, 0, 0xFF, 0xFF, 0xDF, 0, 0, 0][index] & difference == difference ? 0 : difference
      }
    }
    let copies = [
      old.with(mirror: TagMirror(.uid, at: 33)), old.with(mirror: nil),
      old.with(firstProtectedPage: 4), old.with(firstProtectedPage: nil),
      old.with(protectsReading: true), old.with(protectsReading: false),
      old.with(counterIsEnabled: true), old.with(wrongPasswordLimit: 7), old.locked(),
    ]
    for copy in copies { #expect(changed(copy) == [UInt8](repeating: 0, count: 8)) }
    #expect(old.with(firstProtectedPage: 4).bytes[3] == 4)
    #expect(old.with(protectsReading: true).bytes[4] == UInt8(fill) | 0x80)
    #expect(old.with(counterIsEnabled: true).bytes[4] == UInt8(fill) | 0x10)
    #expect(old.with(wrongPasswordLimit: 0).bytes[4] == UInt8(fill) & 0xF8)
    #expect(old.locked().bytes[4] == UInt8(fill) | 0x40)
    #expect(old.with(mirror: nil).mirror == nil)
  }

  @Test("a mirror that is set is the one that is read back")
  func mirrors() {
    for start in [16, 33, 79] {
      for kind in TagMirror.Kind.allCases {
        let old = Type2Configuration([0x04, 0, 0, 0xFF, 0, 0, 0, 0], on: .ntag213)
        let new = old.with(mirror: TagMirror(kind, at: start))
        #expect(new.mirror == TagMirror(kind, at: start))
        #expect(new.bytes[0] & 0x0F == 0x04)
      }
    }
  }

  @Test("NTAG210 and NTAG212 mirror the UID alone, whatever the bits of the kind are")
  func smallMirror() {
    for layout in [Type2Layout.ntag210, .ntag212] {
      let old = Type2Configuration([0x04, 0, 0, 0xFF, 0, 0, 0, 0], on: layout)
      let new = old.with(mirror: TagMirror(.uid, at: 0x0A * 4 + 1))
      #expect(new.bytes == [0x14, 0, 0x0A, 0xFF, 0, 0, 0, 0])
      #expect(new.mirror == TagMirror(.uid, at: 41))
      #expect(new.with(mirror: nil).mirror == nil)
    }
  }

  @Test("MIFARE Ultralight EV1 mirrors nothing and has no counter that readers raise")
  func ultralightEV1() {
    let old = Type2Configuration([0xFF, 0, 8, 0xFF, 0x18, 5, 0, 0], on: .ultralightEV1Large)
    #expect(old.mirror == nil)
    #expect(!old.counterIsEnabled && !old.counterNeedsPassword)
    #expect(old.with(mirror: TagMirror(.uid, at: 40)) == old)
  }

  @Test("the configuration is known when both pages have been read")
  func known() async throws {
    let model = ModelTag(.ntag212)
    let tag = try await Type2Tag.identify(over: model)
    #expect(tag.configuration == nil)
    let read = try await tag.readingConfiguration(over: model)
    #expect(read.configuration?.firstProtectedPage == nil)
    // CFG0 open, CFG1 protected by a password that is needed for reading.
    await model.store([0, 0, 0, 0x26, 0x80, 0, 0, 0], at: 0x25)
    let closed = try await tag.readingConfiguration(over: model)
    #expect(closed.configuration == nil)
    #expect(closed.firstProtectedPage == 0x26)
    #expect(closed.isPasswordProtected == true)
  }

  @Test("the counter is read when the tag counts, and only then")
  func counter() async throws {
    let model = ModelTag(.ntag215)
    let silent = try await Type2Tag.identify(over: model)
    #expect(try await silent.readCounter(over: model) == nil)
    await model.store([0x10, 5, 0, 0], at: 0x84)
    let counting = try await Type2Tag.identify(over: model)
    await model.setCounter(0x01_02_03)
    #expect(try await counting.readCounter(over: model) == 0x01_02_03)
    let known = try await Type2Tag.identify(over: ModelTag(.ntag215), includingConfiguration: true)
    #expect(try await known.readCounter(over: SilentTag(target: known.target)) == nil)
    let other = try await Type2Tag.identify(over: ModelTag(.ultralightEV1Small))
    #expect(try await other.readCounter(over: SilentTag(target: other.target)) == nil)
  }

  @Test("products that know GET_VERSION have a signature, others none")
  func signature() async throws {
    for layout in Type2Layout.all {
      let model = ModelTag(layout)
      let tag = try await Type2Tag.identify(over: model)
      let expected = layout.version == nil ? nil : ModelTag.signature
      #expect(try await tag.readSignature(over: model) == expected)
    }
  }
}
