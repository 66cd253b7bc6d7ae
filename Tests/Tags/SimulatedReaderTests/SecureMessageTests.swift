import SecureTags
import TagAuthenticity
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Secure Unique NFC messages of a simulated NTAG 424 DNA")
struct SecureMessageTests {
  static let uid: [UInt8] = [0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40]

  /// Reads the URL as a phone does: the length, then the rest, in one selection of the file.
  static func url(of host: inout SimulatedHost) throws -> String {
    #expect(host.exchange(Type4TagTests.selectApplication) == [0x00, 0x90, 0x00])
    #expect(host.exchange(Type4TagTests.selectFile(0x04)) == [0x00, 0x90, 0x00])
    let length = host.exchange([0x00, 0xB0, 0x00, 0x00, 0x02])
    let count = try #require(length?[2])
    let record = host.exchange([0x00, 0xB0, 0x00, 0x02, count])
    let text = try #require(record)
    return "https://" + String(decoding: text.dropFirst(6).dropLast(2), as: UTF8.self)
  }

  static func host(_ template: String, counter: Int = 0) throws -> SimulatedHost {
    var tag = try SimulatedType4Tag(.ntag424, uid: uid)
    var messages = try #require(SimulatedSecureMessages(template: template))
    messages.counter = counter
    let isMirrored = tag.mirror(messages)
    #expect(isMirrored)
    var host = SimulatedHost(tag)
    host.searchBriefly()
    host.select()
    return host
  }

  @Test("AN12196's tag at its reading 61 tells the code that the note prints")
  func vector() throws {
    var host = try Self.host("https://a.example/?u={uid}&n={counter}&c={mac}", counter: 60)
    let url = try Self.url(of: &host)
    #expect(url == "https://a.example/?u=04DE5F1EACC040&n=00003D&c=94EED9EE65337086")
  }

  @Test("each selection of the file makes a fresh message, and a verifier takes it")
  func fresh() throws {
    let key = SecretKey.factory
    let configuration = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: key), macParameter: "c",
      fileDataParameter: "x", fileReadKey: key)
    var host = try Self.host("https://a.example/?e={picc}&x={enc:0123456789abcdef}&c={mac}")
    var seen: Set<String> = []
    for reading in 1...3 {
      let url = try Self.url(of: &host)
      let message = try SecureUniqueMessage(url: url, configuration: configuration)
      #expect(message.counter == reading)
      #expect(message.uid == Self.uid)
      #expect(message.fileData == Array("0123456789abcdef".utf8))
      seen.insert(url)
    }
    #expect(seen.count == 3)
  }

  @Test("the code covers the URL from where the template says")
  func covered() throws {
    let key = SecretKey.factory
    func configuration(
      _ beginning: SecureUniqueMessageConfiguration.MACBeginning
    ) throws -> SecureUniqueMessageConfiguration {
      try SecureUniqueMessageConfiguration(
        identification: .encrypted(parameter: "e", metaReadKey: key), macParameter: "c",
        fileReadKey: key, macBeginning: beginning)
    }
    var host = try Self.host("https://a.example/?k={from}v&e={picc}&c={mac}")
    let url = try Self.url(of: &host)
    _ = try SecureUniqueMessage(
      url: url, configuration: configuration(.value(parameter: "k")))
    #expect(throws: AuthenticityError.self) {
      try SecureUniqueMessage(url: url, configuration: configuration(.nowhere))
    }
  }

  @Test("what is stored stays what was written, and a write goes below the message")
  func stored() throws {
    var host = try Self.host("https://a.example/?e={picc}&c={mac}")
    _ = try Self.url(of: &host)
    let before = try #require(host.chip.field.card as? SimulatedType4Tag)
    #expect(before.ndefFile.suffix(from: 7).starts(with: "a.example/?e=00000000".utf8))
    #expect(
      host.exchange([0x00, 0xD6, 0x00, 0x07, 0x02] + Array("bb".utf8)) == [0x00, 0x90, 0x00])
    let url = try Self.url(of: &host)
    #expect(url.hasPrefix("https://bbexample/?e="))
  }

  @Test(
    "a template with an unknown placeholder, or text that is no whole block, is none",
    arguments: ["https://a/{what}", "https://a/{picc", "https://a/{enc:short}"])
  func malformed(template: String) {
    #expect(SimulatedSecureMessages(template: template) == nil)
  }

  @Test("a URL that is not https, or too long for the file, is not mirrored")
  func refused() throws {
    var tag = try SimulatedType4Tag(.ntag424)
    let long = "https://a/" + String(repeating: "x", count: 240) + "{mac}"
    for template in ["http://a/{mac}", long] {
      let messages = try #require(SimulatedSecureMessages(template: template))
      let isMirrored = tag.mirror(messages)
      #expect(!isMirrored)
    }
    #expect(tag.settings.messages == nil)
  }
}
