import CliptagBasics
import CNFC
import TestSupport
import Testing

/// A reader's statements about a tag, with every length wrong.
@Suite("Answers of a hostile reader")
struct HostileReaderTests {
  private func read(_ answer: [UInt8]) -> (status: Int32, target: cnfc_target) {
    var target = cnfc_target()
    let status = cnfc_read_target(answer, answer.count, &target)
    return (status, target)
  }

  private func uid(of target: cnfc_target) -> [UInt8] {
    withUnsafeBytes(of: target.uid) { Array($0.prefix(Int(target.uid_length))) }
  }

  private func ats(of target: cnfc_target) -> [UInt8] {
    withUnsafeBytes(of: target.ats) { Array($0.prefix(Int(target.ats_length))) }
  }

  @Test("a UID has 4, 7 or 10 bytes that are there; cascade tags are left out")
  func identifiers() {
    let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    for count in [4, 7, 10] {
      let found = read([1, 1, 0, 0x44, 0, UInt8(count)] + uid.prefix(count))
      #expect(found.status == 1)
      #expect(self.uid(of: found.target) == Array(uid.prefix(count)))
      #expect(found.target.ats_length == 0)
    }
    #expect(
      self.uid(of: read([1, 1, 0, 0x44, 0, 8, 0x88] + uid.prefix(7)).target) == Array(uid[..<7]))
    let triple = [0x88] + uid[..<3] + [0x88] + uid[3...]
    #expect(self.uid(of: read([1, 1, 0, 0x44, 0, 12] + triple).target) == uid)
    for count in 0...255 where ![4, 7, 10].contains(count) {
      let bytes = [UInt8](repeating: 0x41, count: 280)
      #expect(read([1, 1, 0, 0x44, 0, UInt8(count)] + bytes).status == NFC_ECHIP)
    }
    #expect(read([1, 1, 0, 0x44, 0, 255] + uid).status == NFC_ECHIP)
    for count in 0..<13 {
      let whole: [UInt8] = [1, 1, 0, 0x44, 0, 7] + uid.prefix(7)
      #expect(read(Array(whole.prefix(count))).status == NFC_ECHIP)
    }
  }

  @Test("an ATS whose length is 0, or more than there is, is what there is")
  func answerToSelect() {
    let head: [UInt8] = [1, 1, 3, 0x44, 0x20, 4, 8, 1, 2, 3]
    for (rest, expected) in [
      ([0], []), ([1], []), ([0, 0x77, 0x80], []), ([4, 0x77, 0x80, 2], [0x77, 0x80, 2]),
      ([255, 0x77], [0x77]), ([2], []), ([2, 0x70, 0x55], [0x70]),
    ] as [([UInt8], [UInt8])] {
      let found = read(head + rest)
      #expect(found.status == 1)
      #expect(ats(of: found.target) == expected)
    }
    #expect(ats(of: read(head + [255] + [UInt8](repeating: 1, count: 254)).target).count == 254)
  }

  @Test("whatever bytes come, nothing is read behind them, and lengths stay in their buffers")
  func anything() {
    var generator = SeededGenerator(seed: 20)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...300, using: &generator)
      var answer = generator.bytes(count)
      if count > 5, Bool.random(using: &generator) {
        answer[5] = [4, 7, 8, 10, 12, 255].randomElement(using: &generator) ?? 4
      }
      // In memory of exact size, so that a sanitizer detects every byte too many.
      let exact = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, 1))
      defer { exact.deallocate() }
      _ = exact.initialize(fromContentsOf: answer.isEmpty ? [0] : answer)
      var target = cnfc_target()
      if cnfc_read_target(exact.baseAddress, count, &target) == 1 {
        #expect([4, 7, 10].contains(target.uid_length))
        #expect(target.ats_length <= 254)
      }
      for type in [NMT_FELICA, NMT_JEWEL, NMT_ISO14443B] {
        var identifier = cnfc_identifier()
        let status = cnfc_read_other(type, exact.baseAddress, count, &identifier)
        #expect(
          status == (count >= (type == NMT_FELICA ? 12 : type == NMT_JEWEL ? 8 : 7) ? 1 : NFC_ECHIP)
        )
        #expect(identifier.length <= 8)
      }
    }
  }
}
