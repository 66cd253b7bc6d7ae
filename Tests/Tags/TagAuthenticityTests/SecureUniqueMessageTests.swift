import CliptagBasics
import TagAuthenticity
import TestSupport
import Testing

@Suite("Secure Unique NFC messages") struct SecureUniqueMessageTests {
  @Test("published messages verify and tell UID, counter and file data", arguments: 0..<4)
  func published(index: Int) throws {
    let vector = MessageVector.all[index]
    let message = try SecureUniqueMessage(url: vector.url, configuration: try vector.configuration)
    #expect(message.uid == bytes(vector.uid))
    #expect(message.counter == vector.counter)
    #expect(message.fileData == vector.fileData)
  }

  @Test("a message tells what its tag computed it with")
  func modes() throws {
    for vector in MessageVector.all {
      let message = try SecureUniqueMessage(
        url: vector.url, configuration: try vector.configuration)
      #expect(message.mode == (vector.url == MessageVector.resilient.url ? .lrp : .aes))
    }
  }

  @Test(
    "LRP computes the CMACs that NXP AN12304 publishes",
    arguments: [
      ("63A0169B4D9FE42C72B2784C806EAC21", "", "0E07C601970814A4176FDA633C6FC3DE"),
      (
        "5AA9F6C6DE5138113DF5D6B6C77D5D52", "A4434D740C2CB665FE5396959189383F",
        "8B43ADF767E46B692E8F24E837CB5EFC"
      ),
      (
        "11ED02022570CB10502BC1DACF64B21F", "E825603F896A85CAB45E6730D89DD4CE78010599",
        "4A1577C366D53080D0DFD1CC47EE3CC7"
      ),
    ])
  func resilientMAC(key: String, message: String, expected: String) throws {
    let primitive = try LeakageResilientPrimitive(
      key: try SecretKey(hexadecimal: key), updatedKey: 0)
    #expect(try primitive.mac(of: bytes(message)) == bytes(expected))
  }

  @Test("LRP decrypts what NXP AN12304 publishes, and counts from block to block")
  func resilientDecryption() throws {
    let primitive = try LeakageResilientPrimitive(
      key: try SecretKey(hexadecimal: "E0C4935FF0C254CD2CEF8FDDC32460CF"), updatedKey: 0)
    let text = try primitive.decrypt(
      bytes("FCBBACAA4F29182464F99DE41085266F480E863E487BAAF687B43ED1ECE0D623"),
      counter: bytes("C3315DBF"))
    #expect(text == bytes("012D7F1653CAF6503C6AB0C1010E8CB080") + [UInt8](repeating: 0, count: 15))
  }

  @Test("PICCData of tags in LRP mode decrypts to UID and counter")
  func resilientIdentity() throws {
    let encrypted = "AAE1508939ECF6FF26BCE407959AB1A5EC022819A35CD293"
    let identity = try #require(
      try PICCData(encrypted: bytes(encrypted), metaReadKey: zeroKey))
    #expect(identity.uid == bytes("042E1D222A6380"))
    #expect(identity.counter == [0x6A, 0x00, 0x00])
  }

  @Test("one wrong bit anywhere in a message is noticed", arguments: 0..<4)
  func flippedBits(index: Int) throws {
    let vector = MessageVector.all[index]
    let text = Array(vector.url.utf8)
    let query = try #require(text.firstIndex(of: UInt8(ascii: "?")))
    var tried = 0
    for position in text.indices.dropFirst(query + 1) {
      for bit in 0..<7 {
        var wrong = text
        wrong[position] ^= 1 << bit
        let url = String(decoding: wrong, as: UTF8.self)
        #expect(try vector.refusal(of: url) != nil, "\(url)")
        tried += 1
      }
    }
    #expect(tried > 300)
  }

  @Test("one wrong bit in what the digits spell is noticed, and told as not authentic")
  func flippedBytes() throws {
    for vector in MessageVector.all {
      for name in try vector.configuration.parameters {
        let parts = vector.url.components(of: name)
        for bit in 0..<parts.value.count * 4 {
          var value = bytes(parts.value)
          value[bit / 8] ^= 1 << (bit % 8)
          let url = parts.before + value.hexadecimal + parts.after
          #expect(try vector.refusal(of: url) == .notAuthentic, "\(url)")
        }
      }
    }
  }

  @Test("other keys make other messages")
  func otherKeys() throws {
    let other = try SecretKey(hexadecimal: "00000000000000000000000000000001")
    let vector = MessageVector.encrypted
    let wrongMeta = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: other), macParameter: "c",
      fileReadKey: zeroKey)
    let wrongFile = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: zeroKey), macParameter: "c",
      fileReadKey: other)
    for configuration in [wrongMeta, wrongFile] {
      #expect(throws: AuthenticityError(.notAuthentic, "")) {
        try SecureUniqueMessage(url: vector.url, configuration: configuration)
      }
    }
  }

  @Test("a part that is not there is missing, not wrong")
  func missingParts() throws {
    for vector in MessageVector.all {
      for name in try vector.configuration.parameters {
        let parts = vector.url.components(of: name)
        let renamed =
          parts.before.dropLast(name.count + 1) + "other=" + parts.value + parts.after
        #expect(try vector.refusal(of: String(renamed)) == .missing)
      }
      let bare = String(vector.url.prefix { $0 != "?" })
      #expect(try vector.refusal(of: bare) == .missing)
      #expect(try !SecureUniqueMessage.isPresent(in: bare, configuration: vector.configuration))
      #expect(
        try SecureUniqueMessage.isPresent(in: vector.url, configuration: vector.configuration))
    }
  }

  @Test("what stands behind the number sign is no part of the query")
  func fragment() throws {
    let vector = MessageVector.encrypted
    #expect(try vector.refusal(of: vector.url.replacing("?", with: "#?")) == .missing)
    #expect(try vector.refusal(of: vector.url + "#section") == nil)
  }

  @Test("a part that is there twice is refused, also when both are right")
  func repeatedParts() throws {
    for vector in MessageVector.all {
      for name in try vector.configuration.parameters {
        let value = vector.url.components(of: name).value
        #expect(try vector.refusal(of: vector.url + "&\(name)=\(value)") == .notAuthentic)
      }
    }
  }

  @Test("digits are taken in upper case only, as tags write them, and unescaped")
  func strictDigits() throws {
    let vector = MessageVector.encrypted
    let lower = vector.url.replacing("94EED9EE65337086", with: "94eed9ee65337086")
    #expect(try vector.refusal(of: lower) == .notAuthentic)
    #expect(try vector.refusal(of: vector.url.replacing("=E", with: "=%45")) == .notAuthentic)
  }

  @Test("the code covers the text from where the configuration says, to the byte")
  func coveredText() throws {
    let url = "https://ntag.example.com/424?uid=04DE5F1EACC040&ctr=00003D&cmac="
    let identification = SecureUniqueMessageConfiguration.Identification.plain(
      uidParameter: "uid", counterParameter: "ctr")
    let messaging = try SecureMessaging(
      uid: bytes("04DE5F1EACC040"), counter: [0x3D, 0, 0], fileReadKey: zeroKey)
    for begin in [0, 8, 25, url.utf8.count] {
      let code = try messaging.truncatedMAC(over: Array(url.utf8.dropFirst(begin)))
      let signed = url + code.hexadecimal
      let vector = MessageVector(
        url: signed,
        parts: .init(identification: identification, code: "cmac", beginning: .byte(begin)),
        uid: "04DE5F1EACC040", counter: 61, fileData: nil)
      #expect(try vector.refusal(of: signed) == nil)
      // The last character of the path is byte 27 of the URL.
      let moved = signed.replacing("/424?", with: "/425?")
      #expect(try vector.refusal(of: moved) == (begin <= 27 ? .notAuthentic : nil))
    }
  }

  @Test("a code that stands before its text, or leaves file data out, covers nothing")
  func uncovered() throws {
    let vector = MessageVector.withFileData
    let enc = vector.url.components(of: "enc").value
    let moved = vector.url.replacing("&enc=\(enc)", with: "") + "&enc=\(enc)"
    #expect(try vector.refusal(of: moved) == .notAuthentic)
    for count in [-1, 10_000, 100] {
      let elsewhere = MessageVector(
        url: vector.url,
        parts: .init(
          identification: vector.parts.identification, code: "cmac", fileData: "enc",
          beginning: .byte(count)),
        uid: vector.uid, counter: vector.counter, fileData: nil)
      #expect(try elsewhere.refusal(of: vector.url) == .notAuthentic)
    }
  }

  @Test("a tag that mirrors only one of UID and counter verifies, and says only that")
  func partialIdentity() throws {
    let padding = [UInt8](repeating: 0x5A, count: 15)
    for data in [
      PICCData(uid: bytes("04DE5F1EACC040"), counter: nil),
      PICCData(uid: nil, counter: [1, 2, 3]), PICCData(uid: nil, counter: nil),
    ] {
      let block = try data.encrypted(metaReadKey: zeroKey, padding: padding)
      #expect(try PICCData(encrypted: block, metaReadKey: zeroKey) == data)
      let code = try SecureMessaging(
        uid: data.uid ?? [], counter: data.counter ?? [], fileReadKey: zeroKey
      ).truncatedMAC(over: [])
      let message = try SecureUniqueMessage(
        url: "https://ntag.example.com/?e=\(block.hexadecimal)&c=\(code.hexadecimal)",
        configuration: try MessageVector.encrypted.configuration)
      #expect(message.uid == data.uid)
      #expect(message.counter == data.counter.map { _ in 0x030201 })
    }
  }

  @Test("whatever a URL says, it is refused without a crash")
  func garbage() throws {
    var generator = SeededGenerator(seed: 196)
    let alphabet = Array("?&=#%ABCDEF0189epcuidctrma/\u{FF}é".unicodeScalars)
    for _ in 0..<3_000 {
      var text = "https://ntag.example.com/?"
      for _ in 0..<Int.random(in: 0...90, using: &generator) {
        text.unicodeScalars.append(alphabet.randomElement(using: &generator)!)
      }
      for vector in MessageVector.all { #expect(try vector.refusal(of: text) != nil) }
    }
  }

  @Test("a tag with a key of its own is verified by the key that is made of its UID")
  func diversifiedKeys() throws {
    let uid = bytes("04DE5F1EACC040")
    let master = try SecretKey(hexadecimal: "00112233445566778899AABBCCDDEEFF")
    for input: [UInt8] in [[], [0x30, 0x42, 0xF5], [UInt8](repeating: 9, count: 24)] {
      let mac = try SecureMessaging(
        uid: uid, counter: [7, 0, 0], fileReadKey: try master.diversified(by: uid + input)
      ).truncatedMAC(over: [])
      func refusal(uid: String, input: [UInt8]?) throws -> AuthenticityError.Code? {
        let configuration = try SecureUniqueMessageConfiguration(
          identification: .plain(uidParameter: "u", counterParameter: "n"), macParameter: "c",
          fileReadKey: master, diversificationInput: input)
        do throws(AuthenticityError) {
          let url = "https://ntag.example.com/?u=\(uid)&n=000007&c=\(mac.hexadecimal)"
          _ = try SecureUniqueMessage(url: url, configuration: configuration)
          return nil
        } catch {
          return error.code
        }
      }
      #expect(try refusal(uid: "04DE5F1EACC040", input: input) == nil)
      #expect(try refusal(uid: "04DE5F1EACC041", input: input) == .notAuthentic)
      #expect(try refusal(uid: "04DE5F1EACC040", input: nil) == .notAuthentic)
      #expect(
        try refusal(uid: "04DE5F1EACC040", input: input.isEmpty ? [0] : []) == .notAuthentic)
    }
  }

  @Test("a configuration names every part, each differently")
  func configuration() {
    for names in [("e", "e"), ("", "c"), ("e", "")] {
      #expect(throws: AuthenticityError(.invalidValue, "")) {
        try SecureUniqueMessageConfiguration(
          identification: .encrypted(parameter: names.0, metaReadKey: zeroKey),
          macParameter: names.1, fileReadKey: zeroKey)
      }
    }
  }
}

@Suite("Secret keys") struct SecretKeyTests {
  @Test("32 hexadecimal digits of any case are a key")
  func reading() throws {
    let upper = try SecretKey(hexadecimal: "00112233445566778899AABBCCDDEEFF")
    let lower = try SecretKey(hexadecimal: "00112233445566778899aabbccddeeff")
    #expect(upper.bytes == lower.bytes && upper.bytes[15] == 0xFF)
  }

  @Test(
    "anything else is none, and the error does not repeat it",
    arguments: ["", "0011", "00112233445566778899AABBCCDDEEFFGG", "5EC2E7", "é", "SECRET"])
  func refusals(text: String) {
    do throws(AuthenticityError) {
      _ = try SecretKey(hexadecimal: text)
      Issue.record("\(text) is no key")
    } catch {
      #expect(error.code == .invalidValue)
      #expect(text.isEmpty || !error.message.contains(text))
    }
  }

  @Test("a key is not printed, described, dumped or reflected")
  func hidden() throws {
    let key = try SecretKey(hexadecimal: "DEADBEEF445566778899AABBCCDDEEFF")
    var dumped = ""
    dump(key, to: &dumped)
    let configuration = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: key), macParameter: "c",
      fileReadKey: key)
    dump(configuration, to: &dumped)
    for text in ["\(key)", String(reflecting: key), String(describing: configuration), dumped] {
      #expect(!text.uppercased().contains("DEADBEEF"))
      #expect(!text.contains("222"), "no byte as a number: 222 is DE")
    }
  }
}

@Suite("Diversified keys") struct DiversificationTests {
  private func key(_ input: String) throws -> [UInt8] {
    try SecretKey(hexadecimal: "00112233445566778899AABBCCDDEEFF").diversified(by: bytes(input))
      .bytes
  }

  @Test("NXP's example: UID, application and system identifier")
  func published() throws {
    // AN10922, section 2.2.1.
    #expect(
      try key("04782E21801D803042F54E585020416275") == bytes("A8DD63A3B89D54B37CA802473FDA9175"))
  }

  @Test("input of any length up to 31 bytes makes another key, and no other length does")
  func lengths() throws {
    let keys = try (1...31).map { try key(String(repeating: "A5", count: $0)) }
    #expect(Set(keys).count == 31)
    // Computed with the openssl command.
    #expect(keys[30] == bytes("AE6BFCEC53A1E26CAE51F54C02494BAA"))
    #expect(keys[6] == bytes("D34C2C5438D445F045804DA2B5DCB5B7"))
    for count in [0, 32] {
      #expect(throws: AuthenticityError(.invalidValue, "")) {
        try key(String(repeating: "A5", count: count))
      }
    }
  }
}

extension String {
  /// The text before, in and behind a query item's value.
  fileprivate func components(of name: String) -> (before: String, value: String, after: String) {
    let start = [("?" + name + "="), ("&" + name + "=")]
      .compactMap { ranges(of: $0).first?.upperBound }[0]
    let value = self[start...].prefix { $0 != "&" && $0 != "#" }
    return (String(self[..<start]), String(value), String(self[value.endIndex...]))
  }
}
