import CliptagBasics
import TagAuthenticity
import TestSupport
import Testing

/// A published pair of UID and signature. Source: the self-tests of Proxmark3's
/// `tools/recover_pk.py`; each was also verified with ECDSA written out over the integers of Python,
/// which shares no code with OpenSSL.
struct PublishedSignature: CustomTestStringConvertible {
  let product: String
  let uid: [UInt8]
  let signature: [UInt8]

  init(_ product: String, _ uid: String, _ signature: String) {
    self.product = product
    self.uid = bytes(uid)
    self.signature = bytes(signature)
  }

  var testDescription: String { product }

  static let all = [
    PublishedSignature(
      "NTAG215", "04E10CDA993C80",
      "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3"),
    PublishedSignature(
      "NTAG213", "04DB0BDA993C80",
      "6048EFD9417CD10F6B7F1818D471A7FE5B46868D2EABDC6307A1E0AAE139D8D0"),
    PublishedSignature(
      "MIFARE Ultralight EV1", "04C1285A373080",
      "CEA2EB0B3C95D0844A95B824A7553703B3702378033BF0987899DB70151A19E7"),
    PublishedSignature(
      "MIFARE Ultralight EV1", "04C2285A373080",
      "A561506723D422D29ED9F93E60D20B9ED1E05CC1BF81DA19FE500CA0B81CC0ED"),
    PublishedSignature(
      "ICODE DNA", "E0040118009B5FEE",
      "32D9E7579CD77E6F1FA11419231E874826984C5F189FDE1421684563A9663377"),
    PublishedSignature(
      "ICODE SLIX2", "E00401082AD28E83",
      "CAE8183CB4823C765AFDEB78C9D66C959990FD52A5820E76E1D6E025D76EAD79"),
    PublishedSignature(
      "ICODE SLIX2", "E00401086FC2621F",
      "9F47BF33D9ED62A62AFEF5685BC4006CFB290C344EAD5C5B49BF976804A9EE62"),
    PublishedSignature(
      "NTAG 424 DNA", "0463474AA26A80",
      "27E9A50E6CA4BA9037C02F7D20A80D0284D0C1D83C67F5A5AC1D8A4E"
        + "F86C9508417E4E9C6F85AA7920F0ABDED984CAF20467D66EA54BBF08"),
    PublishedSignature(
      "NTAG 424 DNA", "04C46C222A6380",
      "344A806EBF704C05C19215D2F840529CE365AAD2D08A469A95896D75"
        + "D477D9FAB02A0C827E9F215BD8EB0E56A3A9A008FB75D706AABBD4DA"),
    PublishedSignature(
      "MIFARE Ultralight AES", "045E4CC2451390",
      "C9BBDA1B99EB6634CDFD8E3251AC5C4742EA5FA507B8A8A8"
        + "B39B19AB7340D173331589C54C56C49F0CCA6DDBAC1E492A"),
    PublishedSignature(
      "MIFARE Ultralight AES", "043F88C2451390",
      "5C2055A7373F119C3FDD9843020B06AA0E6DE18C16496C42"
        + "5C4AD971A50F05FA1A67B9E39CA60C355EEEEBF8214A84A5"),
    PublishedSignature(
      "MIFARE Ultralight AES", "04A31232241C90",
      "057595DCC601CA7E21341F1F978FA134F0204D87A33749C5"
        + "6DDB4ABD6F1F26194341DB10093B34C42F524A30DCC5CE54"),
    PublishedSignature(
      "MIFARE Ultralight AES", "041BC1D2F31B90",
      "FB5CF8F1B3CC39984BCA54A50FCF47ACFDC8C969010C1F45"
        + "99554AF9A8E4F2B8371524855E45AD7EE71179A660D27667"),
    PublishedSignature(
      "NTAG 223 DNA", "043302218D3D00",
      "6A5D5E034F4FC823CACAB56C1A77A409B8DB345F89BD3FD5"
        + "9ED1F9C0093518609BE62D0A20764D2011E47EFA187F29AA"),
  ]

  /// The verdict on a signature that is wrong: only of products whose keys are all published does it
  /// say something about the tag.
  var refuted: String { signature.count == 48 ? "not-checkable" : "not-genuine" }

  func verdict(uid: [UInt8]? = nil, signature: [UInt8]? = nil) -> Originality {
    OriginalitySignature.verdict(
      uid: uid ?? self.uid, signature: signature ?? self.signature, product: product)
  }
}

/// The orders of the curves (SEC 2, 2.2.1 and 2.3.2 of version 1 and 2).
private let orders = [
  48: "FFFFFFFFFFFFFFFFFFFFFFFF99DEF836146BC9B1B4D22831",
  32: "FFFFFFFE0000000075A30D1B9038A115",
  56: "FFFFFFFFFFFFFFFFFFFFFFFFFFFF16A2E0B8F03E13DD29455C5C2A3D",
]

@Suite("Originality signatures") struct OriginalityTests {
  @Test("published signatures are genuine", arguments: PublishedSignature.all)
  func published(sample: PublishedSignature) {
    #expect(sample.verdict() == .genuine)
  }

  @Test("a signature is good for one UID only", arguments: PublishedSignature.all)
  func otherUID(sample: PublishedSignature) {
    for index in sample.uid.indices {
      var uid = sample.uid
      uid[index] &+= 1
      #expect(sample.verdict(uid: uid).name == sample.refuted)
    }
    #expect(sample.verdict(uid: Array(sample.uid.dropLast())).name == sample.refuted)
    #expect(sample.verdict(uid: sample.uid + [0]).name == sample.refuted)
  }

  @Test("one wrong bit anywhere in a signature is noticed", arguments: PublishedSignature.all)
  func flippedBits(sample: PublishedSignature) {
    for bit in 0..<sample.signature.count * 8 {
      var signature = sample.signature
      signature[bit / 8] ^= 1 << (bit % 8)
      #expect(sample.verdict(signature: signature).name == sample.refuted)
    }
  }

  @Test("a key of one family is none of another")
  func otherFamily() {
    let sample = PublishedSignature.all[0]
    for product in ["MIFARE Ultralight EV1", "NTAG 424 DNA"] {
      let verdict = OriginalitySignature.verdict(
        uid: sample.uid, signature: sample.signature, product: product)
      #expect(verdict == .notGenuine)
    }
  }

  @Test("every NTAG21x is signed with one key")
  func sharedKey() {
    let sample = PublishedSignature.all[0]
    for product in ["NTAG210", "NTAG212", "NTAG213", "NTAG215", "NTAG216"] {
      #expect(OriginalitySignature.isCheckable(product: product))
      let verdict = OriginalitySignature.verdict(
        uid: sample.uid, signature: sample.signature, product: product)
      #expect(verdict == .genuine)
    }
  }

  @Test(
    "a signature that a customer can replace is of an unknown key, and not of another maker",
    arguments: ["NTAG 5", "ICODE 3"])
  func replaced(product: String) {
    let verdict = OriginalitySignature.verdict(
      uid: bytes("E004015801234567"), signature: [UInt8](repeating: 0x55, count: 32),
      product: product)
    #expect(verdict.name == "not-checkable")
    #expect(verdict.reason?.contains("no key known here verifies the signature") == true)
  }

  @Test(
    "a signature that fails with every known key is no proof while NXP has keys that are unpublished",
    arguments: ["MIFARE Ultralight AES", "NTAG 224 DNA StatusDetect"])
  func unpublishedKeys(product: String) {
    let verdict = OriginalitySignature.verdict(
      uid: bytes("043302218D3D01"), signature: [UInt8](repeating: 0x55, count: 48),
      product: product)
    #expect(verdict.name == "not-checkable" && verdict.hasUnverifiedSignature)
    #expect(verdict.reason?.contains("has not published every key") == true)
    #expect(Originality.notGenuine.hasUnverifiedSignature)
    #expect(!Originality.genuine.hasUnverifiedSignature)
    #expect(!Originality.notCheckable(reason: "its UID is random").hasUnverifiedSignature)
  }

  @Test("numbers of zero, of the curve's order and above it are no signature")
  func outOfRange() throws {
    for sample in PublishedSignature.all {
      let half = sample.signature.count / 2
      let order = bytes(try #require(orders[sample.signature.count]))
      let r = Array(sample.signature[..<half])
      let s = Array(sample.signature[half...])
      let zero = [UInt8](repeating: 0, count: half)
      let highest = [UInt8](repeating: 0xFF, count: half)
      for wrong in [zero, order, highest] {
        #expect(sample.verdict(signature: wrong + s).name == sample.refuted)
        #expect(sample.verdict(signature: r + wrong).name == sample.refuted)
        #expect(sample.verdict(signature: wrong + wrong).name == sample.refuted)
      }
    }
  }

  @Test("an answer of another length is no signature", arguments: PublishedSignature.all)
  func otherLength(sample: PublishedSignature) {
    let right = sample.signature
    for count in 0...80 where count != right.count {
      #expect(
        sample.verdict(signature: Array((right + right).prefix(count))).name == sample.refuted)
    }
  }

  @Test("whatever a tag answers, there is a verdict")
  func garbage() {
    var generator = SeededGenerator(seed: 424)
    for sample in PublishedSignature.all {
      for _ in 0..<300 {
        let count = Int.random(in: 0...70, using: &generator)
        let signature = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let uidCount = Int.random(in: 0...40, using: &generator)
        let uid = (0..<uidCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        #expect(sample.verdict(uid: uid, signature: signature).name == sample.refuted)
      }
    }
  }

  @Test("a tag without a signature is not checkable, and told apart from one without a key")
  func notCheckable() {
    let uid = PublishedSignature.all[0].uid
    let silent = OriginalitySignature.verdict(uid: uid, signature: nil, product: "NTAG215")
    #expect(silent.name == "not-checkable")
    #expect(silent.reason?.contains("returned no signature") == true)
    for product in ["MIFARE Ultralight", "unknown Type 2", ""] {
      let verdict = OriginalitySignature.verdict(uid: uid, signature: nil, product: product)
      #expect(verdict.reason?.contains("originality key") == true)
      #expect(!OriginalitySignature.isCheckable(product: product))
    }
    #expect(Originality.genuine.reason == nil && Originality.notGenuine.name == "not-genuine")
  }
}
