import CliptagBasics
import Testing

@testable import TagAuthenticity

/// The numbers are those of NXP AN12196, rev. 2.0, with the section or table at each.
@Suite("Authenticated messages of NTAG 424 DNA") struct SecureSessionTests {
  /// Section 5.6: authentication with key 0.
  private static func first() throws -> (SecureAuthentication, SecureSession) {
    let reader = SecureAuthentication(
      key: zeroKey, random: bytes("13C5DB8A5930439FC3DEF9A4C675360F"))
    return (
      reader,
      try reader.session(
        challenge: bytes("A04C124213C186F22399D33AC2A30215"),
        confirmation: bytes("3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F08120663"))
    )
  }

  private static func session(
    _ encryption: String, _ mac: String, _ transaction: String, _ counter: UInt16
  ) throws -> SecureSession {
    SecureSession(
      encryptionKey: try SecretKey(bytes(encryption)), macKey: try SecretKey(bytes(mac)),
      transaction: bytes(transaction), counter: counter)
  }

  @Test(
    "AuthenticateEV2First gives the reply and the session keys of AN12196",
    arguments: [
      (
        "13C5DB8A5930439FC3DEF9A4C675360F", "A04C124213C186F22399D33AC2A30215",
        "35C3E05A752E0144BAC0DE51C1F22C56B34408A23D8AEA266CAB947EA8E0118D",
        "3FA64DB5446D1F34CD6EA311167F5E4985B89690C04A05F17FA7AB2F08120663",
        [
          "1309C877509E5A215007FF0ED19CA564", "4C6626F5E72EA694202139295C7A7FC7", "9D00C4DF",
        ]
      ),
      (
        "B98F4C50CF1C2E084FD150E33992B048", "B875CEB0E66A6C5CD00898DC371F92D1",
        "FF0306E47DFBC50087C4D8A78E88E62DE1E8BE457AA477C707E2F0874916A8B1",
        "0CC9A8094A8EEA683ECAAC5C7BF20584206D0608D477110FC6B3D5D3F65C3A6A",
        [
          "7A93D6571E4B180FCA6AC90C9A7488D4", "FC4AF159B62E549B5812394CAB1918CC", "7614281A",
        ]
      ),
    ])
  func authentication(
    random: String, challenge: String, reply: String, confirmation: String, keys: [String]
  ) throws {
    let reader = SecureAuthentication(key: zeroKey, random: bytes(random))
    #expect(try reader.reply(to: bytes(challenge)) == bytes(reply))
    let session = try reader.session(
      challenge: bytes(challenge), confirmation: bytes(confirmation))
    #expect(session == (try Self.session(keys[0], keys[1], keys[2], 0)))
  }

  @Test("a tag that does not return the reader's random number is refused")
  func impostor() throws {
    let reader = SecureAuthentication(
      key: zeroKey, random: bytes("13C5DB8A5930439FC3DEF9A4C675360F"))
    #expect(throws: AuthenticityError.self) {
      try reader.session(
        challenge: bytes("A04C124213C186F22399D33AC2A30215"),
        confirmation: bytes("0CC9A8094A8EEA683ECAAC5C7BF20584206D0608D477110FC6B3D5D3F65C3A6A"))
    }
  }

  @Test("GetFileSettings carries the MAC of section 5.3, and its answer is verified")
  func macOnly() throws {
    var session = try Self.session(
      "1309C877509E5A215007FF0ED19CA564", "8248134A386E86EB7FAF54A52E536CB6", "7A21085E", 0)
    #expect(
      try session.command(0xF5, header: [0x02], .mac) == bytes("90F5000009026597A457C8CD442C00"))
    let answer = bytes("0040EEEE000100D1FE001F00004400004400002000006A00002A474282E7A47986")
    var forged = answer
    forged[1] ^= 0x01
    #expect(throws: AuthenticityError.self) { try session.response(forged, status: 0, .mac) }
    #expect(try session.response(answer, status: 0, .mac) == Array(answer.dropLast(8)))
  }

  @Test("ChangeFileSettings is encrypted as in table 19, and its answer is verified")
  func fileSettings() throws {
    var session = try Self.session(
      "1309C877509E5A215007FF0ED19CA564", "4C6626F5E72EA694202139295C7A7FC7", "9D00C4DF", 1)
    let data = bytes("4000E0C1F121200000430000430000")
    #expect(
      try session.command(0x5F, header: [0x02], data: data, .full)
        == bytes("905F0000190261B6D97903566E84C3AE5274467E89EAD799B7C1A0EF7A0400"))
    #expect(try session.response(bytes("57BFF87B1241E93D"), status: 0, .full) == [])
  }

  @Test("WriteData is encrypted as in table 22, whatever the length of the data")
  func writeData() throws {
    var session = try Self.session(
      "7A93D6571E4B180FCA6AC90C9A7488D4", "FC4AF159B62E549B5812394CAB1918CC", "7614281A", 0)
    #expect(
      try session.command(
        0x8D, header: bytes("030000000A0000"), data: bytes("0102030405060708090A"), .full)
        == bytes("908D00001F030000000A00006B5E6804909962FC4E3FF5522CF0F8436C0C53315B9C73AA00"))
    #expect(try session.response(bytes("C26D236E4A7C046D"), status: 0, .full) == [])
  }

  @Test("ChangeKey is as in tables 26 and 27, for another key and for the session's own")
  func changeKey() throws {
    let other = try SecretKey(bytes("F3847D627727ED3BC9C4CC050489B966"))
    let data = other.replacing(zeroKey, isOwn: false, version: 1)
    #expect(data == bytes("F3847D627727ED3BC9C4CC050489B96601789DFADC"))
    var session = try Self.session(
      "4CF3CB41A22583A61E89B158D252FC53", "5529860B2FC5FB6154B7F28361D30BF9", "7614281A", 2)
    #expect(
      try session.command(0xC4, header: [0x02], data: data, .full)
        == bytes(
          "90C4000029022CF362B7BF4311FF3BE1DAA295E8C68DE09050560D19B9E16C2393AE9CD1FAC75D0CE20BCD1D06E600"
        ))
    #expect(try session.response(bytes("203BB55D1089D587"), status: 0, .full) == [])
    let own = try SecretKey(bytes("5004BF991F408672B1EF00F08F9E8647"))
    #expect(
      try session.command(
        0xC4, header: [0x00], data: own.replacing(zeroKey, isOwn: true, version: 1), .full)
        == bytes(
          "90C400002900C0EB4DEEFEDDF0B513A03A95A75491818580503190D4D05053FF75668A01D6FDA6610234BDED643200"
        ))
  }

  @Test(
    "both sides of a session understand each other, and nobody else", arguments: [0, 15, 16, 40])
  func bothSides(count: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(count) + 37)
    func random(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
    }
    let key = try SecretKey(random(16))
    let reader = SecureAuthentication(key: key)
    let tag = SecureAuthentication(key: key)
    let challenge = try tag.challenge()
    let stranger = SecureAuthentication(key: zeroKey)
    #expect(try tag.accept(try stranger.reply(to: challenge), transaction: random(4)) == nil)
    let accepted = try #require(
      try tag.accept(try reader.reply(to: challenge), transaction: random(4)))
    var mine = try reader.session(challenge: challenge, confirmation: accepted.confirmation)
    var theirs = accepted.session
    #expect(mine == theirs)
    for protection in [SecureSession.Protection.mac, .full] {
      let sent = random(count)
      let command = try mine.command(0x51, header: [0x07], data: sent, protection)
      var body = Array(command[5..<command.count - 1])
      #expect(
        try theirs.received(0x51, body, headerByteCount: 1, protection) == [0x07] + sent)
      body[0] ^= 0x01
      #expect(try theirs.received(0x51, body, headerByteCount: 1, protection) == nil)
      let returned = random(count)
      let answer = try theirs.answer(returned, status: 0, protection)
      #expect(try mine.response(answer, status: 0, protection) == returned)
    }
    // An answer is never accepted twice.
    let answer = try theirs.answer([], status: 0, .mac)
    #expect(try mine.response(answer, status: 0, .mac) == [])
    #expect(throws: AuthenticityError.self) { try mine.response(answer, status: 0, .mac) }
  }

  @Test("a session and a key show no secret")
  func redacted() throws {
    let (_, session) = try Self.first()
    for text in ["\(session)", String(reflecting: session), "\(TagKeys.factory.keys)"] {
      #expect(!text.contains("1309") && !text.contains("19, 9") && !text.contains("0, 0"))
    }
  }
}

@Suite("Keys of a tag") struct TagKeyTests {
  private static let uid = bytes("04782E21801D80")
  private static let master = "00112233445566778899AABBCCDDEEFF"

  private static func set(
    master: String = master, read: String = "0102030405060708090A0B0C0D0E0F10",
    meta: String? = "11111111111111111111111111111111",
    input: [UInt8]? = bytes("3042F54E585020416275"),
    version: UInt8 = 1
  ) throws -> TagKeySet {
    try TagKeySet(
      masterKey: try SecretKey(bytes(master)), fileReadKey: try SecretKey(bytes(read)),
      metaReadKey: try meta.map { try SecretKey(bytes($0)) }, diversificationInput: input,
      version: version)
  }

  @Test("key 0 of a tag is that of AN10922's example, and no two keys are equal")
  func diversified() throws {
    let keys = try Self.set().keys(ofTag: Self.uid)
    // AN10922, section 2.2.1.
    #expect(keys[0].bytes == bytes("A8DD63A3B89D54B37CA802473FDA9175"))
    #expect(Set(keys.keys.map(\.bytes)).count == TagKeys.count)
    let other = try Self.set().keys(ofTag: bytes("04782E21801D81"))
    for number in [0, 1, 3, 4] { #expect(keys[number].bytes != other[number].bytes) }
    #expect(keys[2].bytes == other[2].bytes)
    let shared = try Self.set(input: nil).keys(ofTag: Self.uid)
    #expect(shared[0].bytes == bytes(Self.master))
  }

  @Test("keys of zeros, equal keys and version 0 are refused")
  func refused() {
    let zeros = String(repeating: "0", count: 32)
    #expect(throws: AuthenticityError.self) { try Self.set(master: zeros) }
    #expect(throws: AuthenticityError.self) { try Self.set(read: zeros) }
    #expect(throws: AuthenticityError.self) { try Self.set(meta: zeros) }
    #expect(throws: AuthenticityError.self) { try Self.set(read: Self.master) }
    #expect(throws: AuthenticityError.self) { try Self.set(version: 0) }
  }

  @Test("a tag takes a successor only from a reader that knows the present key")
  func successor() throws {
    let (old, new) = (zeroKey, try SecretKey(bytes(Self.master)))
    for isOwn in [true, false] {
      let data = new.replacing(old, isOwn: isOwn, version: 7)
      let taken = try #require(SecretKey.successor(of: old, isOwn: isOwn, in: data))
      #expect(taken.key.bytes == new.bytes && taken.version == 7)
    }
    let wrong = new.replacing(new, isOwn: false, version: 7)
    #expect(SecretKey.successor(of: old, isOwn: false, in: wrong) == nil)
  }
}

@Suite("Places of a message in a URL") struct SecureMessagePlacesTests {
  private static func configuration(
    plain: Bool = false, from: SecureUniqueMessageConfiguration.MACBeginning? = nil,
    fileData: String? = nil
  ) throws -> SecureUniqueMessageConfiguration {
    try SecureUniqueMessageConfiguration(
      identification: plain
        ? .plain(uidParameter: "u", counterParameter: "n")
        : .encrypted(parameter: "e", metaReadKey: zeroKey),
      macParameter: "c", fileDataParameter: fileData, fileReadKey: zeroKey, macBeginning: from)
  }

  @Test("the places of AN12196's URL are its, with placeholders or without")
  func vector() throws {
    let zeros = String(repeating: "0", count: 32)
    let url = "https://choose.url.com/ntag424"
    for template in [url, url + "?e={picc}&c={mac}", url + "?"] {
      let places = try SecureMessagePlaces(template, for: Self.configuration())
      #expect(places.url == url + "?e=\(zeros)&c=" + zeros.prefix(16))
      // Offsets 20 and 43 in the file, behind NLEN, header, type and prefix (table 19).
      #expect(places.encryptedIdentity.map { $0 - 8 + 7 } == 0x20)
      #expect(places.mac - 8 + 7 == 0x43 && places.coveredFrom == places.mac)
    }
  }

  @Test("items are added to a query, before a fragment, in clear as well")
  func added() throws {
    let places = try SecureMessagePlaces(
      "https://a.example/x?t=1#f", for: Self.configuration(plain: true))
    #expect(
      places.url == "https://a.example/x?t=1&u=00000000000000&n=000000&c=0000000000000000#f")
    #expect(places.uid == 26 && places.counter == 43 && places.mac == 52)
  }

  @Test("the MAC covers the URL from where the key file says")
  func covered() throws {
    let places = try SecureMessagePlaces(
      "https://a.example/x?t=1", for: Self.configuration(from: .value(parameter: "t")))
    #expect(places.coveredFrom == 22)
    let byte = try SecureMessagePlaces(
      "https://a.example/x", for: Self.configuration(from: .byte(8)))
    #expect(byte.coveredFrom == 8)
  }

  @Test(
    "a URL that contradicts the key file is refused",
    arguments: [
      "https://a.example/?e={picc}", "https://a.example/?x={picc}&c={mac}",
      "https://a.example/?e={picc}1&c={mac}", "https://a.example/?e={picc}&c={mac}&u={uid}",
      "https://a.example/?e=1&e={picc}&c={mac}", "https://a.example/#?e={picc}&c={mac}",
    ])
  func refused(url: String) throws {
    let configuration = try Self.configuration()
    do {
      _ = try SecureMessagePlaces(url, for: configuration)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .invalidValue)
    }
    #expect(throws: AuthenticityError.self) {
      try SecureMessagePlaces("https://a.example/", for: Self.configuration(fileData: "x"))
    }
  }
}
