import CliptagBasics
import SecureTags
import TagAuthenticity
import TagTypes
import Testing

@testable import SimulatedReader

/// A reader that authenticates with a simulated NTAG 424 DNA.
private struct SecureReader {
  var tag: SimulatedType4Tag
  var session: SecureSession?

  init(_ tag: SimulatedType4Tag) {
    self.tag = tag
    _ = self.tag.response(to: Type4TagTests.selectApplication.map(\.self))
  }

  /// Authenticates; returns the status word.
  mutating func authenticate(_ number: UInt8 = 0, with key: SecretKey = .factory) throws -> [UInt8]
  {
    let reader = SecureAuthentication(key: key)
    let first = tag.response(to: [0x90, 0x71, 0, 0, 2, number, 0, 0])
    guard first.suffix(2) == [0x91, 0xAF] else { return Array(first.suffix(2)) }
    let challenge = Array(first.dropLast(2))
    let reply = try reader.reply(to: challenge)
    let second = tag.response(to: [0x90, 0xAF, 0, 0, 0x20] + reply + [0])
    if second.suffix(2) == [0x91, 0x00] {
      session = try reader.session(challenge: challenge, confirmation: Array(second.dropLast(2)))
    }
    return Array(second.suffix(2))
  }

  /// Sends a protected command; returns the data, or the status word of a refusal.
  mutating func send(
    _ instruction: UInt8, header: [UInt8] = [], data: [UInt8] = [],
    answeredBy answer: SecureSession.Protection = .mac
  ) throws -> [UInt8] {
    var session = try #require(session)
    let protection: SecureSession.Protection = data.isEmpty ? .mac : .full
    let response = tag.response(
      to: try session.command(instruction, header: header, data: data, protection))
    guard response.suffix(2) == [0x91, 0x00] else { return Array(response.suffix(2)) }
    let found = try session.response(Array(response.dropLast(2)), status: 0, answer)
    self.session = session
    return found
  }
}

@Suite("Keys of a simulated NTAG 424 DNA") struct SecureCommandTests {
  private static let key = [UInt8](repeating: 0x5A, count: 16)

  private func reader() throws -> SecureReader {
    SecureReader(try SimulatedType4Tag(.ntag424, uid: SecureMessageTests.uid))
  }

  @Test("only the right key authenticates, and failures are counted and in the end refused")
  func authentication() throws {
    var reader = try reader()
    let wrong = try SecretKey(Self.key)
    #expect(try reader.authenticate(0, with: wrong) == [0x91, 0xAE])
    #expect(reader.tag.failedAuthentications == 1)
    #expect(try reader.authenticate() == [0x91, 0x00])
    #expect(reader.tag.failedAuthentications == 0)
    for _ in 0..<50 { _ = try reader.authenticate(0, with: wrong) }
    #expect(try reader.authenticate() == [0x91, 0xAD])
  }

  @Test("UID, key versions and settings are told to a session, protected")
  func queries() throws {
    var reader = try reader()
    #expect(reader.tag.response(to: [0x90, 0x51, 0, 0, 0]) == [0x91, 0xAE])
    _ = try reader.authenticate()
    #expect(try reader.send(0x51, answeredBy: .full) == SecureMessageTests.uid)
    #expect(try reader.send(0x64, header: [0x03]) == [0x00])
    #expect(try reader.send(0xF5, header: [0x02]) == [0x00, 0x00, 0xE0, 0xEE, 0x00, 0x01, 0x00])
    // A plain command ends the session.
    #expect(reader.tag.response(to: [0x90, 0xF5, 0, 0, 1, 2, 0]).suffix(2) == [0x91, 0x1E])
    #expect(try reader.send(0x64, header: [0x03]) == [0x91, 0xAE])
  }

  @Test("a key is changed by key 0 that knows the present one; its own change ends the session")
  func changeKey() throws {
    var reader = try reader()
    let (old, new) = (SecretKey.factory, try SecretKey(Self.key))
    _ = try reader.authenticate(1)
    let other = new.replacing(old, isOwn: false, version: 4)
    #expect(try reader.send(0xC4, header: [3], data: other) == [0x91, 0xAE])
    _ = try reader.authenticate()
    let wrong = new.replacing(new, isOwn: false, version: 4)
    #expect(try reader.send(0xC4, header: [3], data: wrong) == [0x91, 0x1E])
    _ = try reader.authenticate()
    #expect(try reader.send(0xC4, header: [3], data: other).isEmpty)
    #expect(try reader.send(0x64, header: [3]) == [4])
    #expect(reader.tag.applicationKeys[3] == Self.key)
    let own = new.replacing(old, isOwn: true, version: 4)
    let session = try #require(reader.session)
    #expect(
      reader.tag.response(to: try session.command(0xC4, header: [0], data: own, .full))
        == [0x91, 0x00])
    #expect(try reader.authenticate() == [0x91, 0xAE])
    #expect(try reader.authenticate(0, with: new) == [0x91, 0x00])
  }

  @Test("rights are enforced, messages begin, and both survive in the memory file")
  func settings() throws {
    var reader = try reader()
    let configuration = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: .factory), macParameter: "c",
      fileReadKey: .factory)
    let places = try SecureMessagePlaces("https://a.example/", for: configuration)
    let text = [0x04] + places.url.utf8.dropFirst(8)
    let file = [0x00, UInt8(text.count + 4), 0xD1, 0x01, UInt8(text.count), 0x55] + text
    reader.tag.place(file, inFile: 0xE104)
    let settings = SecureFileSettings(places, fileByteCount: file.count)
    #expect(SecureFileSettings(settings.bytes) == settings)
    _ = try reader.authenticate()
    #expect(try reader.send(0x5F, header: [0x02], data: settings.bytes).isEmpty)
    #expect(reader.tag.settings == settings)
    let restored = try SimulatedType4Tag(.ntag424).holding(reader.tag.memory)
    #expect(restored.settings == settings)
    for tag in [reader.tag, restored] {
      var phone = SecureReader(tag)
      _ = phone.tag.response(to: Type4TagTests.selectFile(0x04))
      #expect(phone.tag.response(to: [0x00, 0xD6, 0, 0, 1, 0]) == [0x69, 0x82])
      let read = phone.tag.response(to: [0x00, 0xB0, 0, 0, UInt8(file.count)])
      let url = "https://" + String(decoding: read.dropFirst(7).dropLast(2), as: UTF8.self)
      let message = try SecureUniqueMessage(url: url, configuration: configuration)
      #expect(message.uid == SecureMessageTests.uid)
      #expect(message.counter == 1)
      // Key 0 writes.
      _ = try phone.authenticate()
      _ = phone.tag.response(to: Type4TagTests.selectFile(0x04))
      #expect(phone.tag.response(to: [0x00, 0xD6, 0, 0, 1, 0]) == [0x90, 0x00])
    }
  }

  @Test("settings that name places outside the file are refused")
  func outside() throws {
    var reader = try reader()
    var settings = SecureFileSettings(
      rights: .keyed, messages: .init(encryptedIdentity: 0xF0, mac: 0x20, coveredFrom: 0x20))
    _ = try reader.authenticate()
    #expect(try reader.send(0x5F, header: [0x02], data: settings.bytes) == [0x91, 0x9E])
    settings.messages?.encryptedIdentity = 0x40
    _ = try reader.authenticate()
    #expect(try reader.send(0x5F, header: [0x02], data: settings.bytes).isEmpty)
  }
}
