import CliptagBasics
import SecureTags
import TagAuthenticity
import TagTypes

/// A URL with Secure Unique NFC messages for an NTAG 424 DNA: the text of its NDEF file, and the
/// parts mirrored over it at each reading (NT4H2421Gx, section 9.3; AN12196).
package struct SimulatedSecureMessages: Hashable, Sendable {
  /// The URL with its placeholders as stored in the file, filled with zeros.
  let text: [UInt8]
  /// The places of the parts in the file.
  let places: SecureFileSettings.Messages

  /// The number of readings of the file. A tag from the factory begins at 0.
  package var counter = 0

  /// Parses a URL with placeholders.
  ///
  /// - Parameter template: The URL. `{picc}` is UID and counter encrypted, `{uid}` and `{counter}`
  ///   are each of them in clear, `{enc:TEXT}` is a text of 16 characters (or 32, 48 …) encrypted,
  ///   `{mac}` is the tag's code, and `{from}`, which takes no space, is the beginning of the
  ///   code's coverage. Without `{from}` it covers the URL from `{enc:…}` on, or not at all.
  /// - Returns: `nil` for an unknown placeholder, a text of another length, or a URL without
  ///   `{mac}`.
  package init?(template: String) {
    var text: [UInt8] = []
    var places = SecureFileSettings.Messages(mac: 0, coveredFrom: 0)
    var covered: Int?
    var mac: Int?
    var rest = Substring(template)
    // In the file, the prefix byte replaces `https://`, after NLEN, header and type of the record.
    var place: Int { text.count - "https://".utf8.count + 7 }
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "0"), count: count) }
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { return nil }
      text += rest[..<open].utf8
      let name = rest[rest.index(after: open)..<close]
      rest = rest[rest.index(after: close)...]
      switch name {
      case "from": covered = place
      case "picc":
        places.encryptedIdentity = place
        text += zeros(32)
      case "uid":
        places.uid = place
        text += zeros(14)
      case "counter":
        places.counter = place
        text += zeros(6)
      case "mac":
        mac = place
        text += zeros(16)
      case _ where name.hasPrefix("enc:"):
        let content = Array(name.dropFirst(4).utf8)
        guard !content.isEmpty, content.count.isMultiple(of: 16) else { return nil }
        covered = covered ?? place
        places.fileData = place..<place + 2 * content.count
        text += content + zeros(content.count)
      default: return nil
      }
    }
    guard let mac else { return nil }
    (places.mac, places.coveredFrom) = (mac, min(covered ?? mac, mac))
    (self.text, self.places) = (text + rest.utf8, places)
  }
}

/// The keys of an NTAG 424 DNA and the settings of its files, which it keeps without a field.
struct SimulatedSecrets: Hashable, Sendable {
  /// The application keys.
  var keys = [[UInt8]](repeating: [UInt8](repeating: 0, count: 16), count: TagKeys.count)
  /// The version of each key.
  var versions = [UInt8](repeating: 0, count: TagKeys.count)
  /// The settings of the NDEF file.
  var settings = SecureFileSettings(rights: .open)
  /// The settings of the file with the capability container.
  var container = Self.factoryContainer
  private static let factoryContainer = SecureFileSettings(rights: .keyed)

  /// The bytes in a memory file: each key and its version, then the settings and their length; then,
  /// if they were changed, the settings of the container.
  var bytes: [UInt8] {
    zip(keys, versions).flatMap { $0 + [$1] } + [UInt8(settings.bytes.count)] + settings.bytes
      + (container == Self.factoryContainer ? [] : container.bytes)
  }

  init() {}

  /// Parses ``bytes``.
  init?(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    for number in keys.indices {
      guard rest.count > 17 else { return nil }
      keys[number] = Array(rest.prefix(16))
      versions[number] = rest[rest.startIndex + 16]
      rest = rest.dropFirst(17)
    }
    guard let count = rest.popFirst().map(Int.init), rest.count >= count,
      let settings = SecureFileSettings(Array(rest.prefix(count)))
    else { return nil }
    self.settings = settings
    guard rest.count > count else { return }
    guard let container = SecureFileSettings(Array(rest.dropFirst(count))) else { return nil }
    self.container = container
  }

  func key(_ number: Int) throws(AuthenticityError) -> SecretKey { try SecretKey(keys[number]) }

  /// The settings of a file; `nil` for the proprietary one, which is not simulated, and others.
  subscript(file: UInt8) -> SecureFileSettings? {
    switch file {
    case SecureFileSettings.fileNumber: settings
    case SecureFileSettings.containerFileNumber: container
    default: nil
    }
  }

  /// Mirrors a message over a file.
  ///
  /// - Returns: The file; `nil` if the system's cryptography fails.
  func file(
    _ stored: [UInt8], mirroring places: SecureFileSettings.Messages, uid: [UInt8], counter: Int
  )
    -> [UInt8]?
  {
    let little = [0, 8, 16].map { UInt8(truncatingIfNeeded: counter >> $0) }
    let isEncrypted = places.encryptedIdentity != nil
    do {
      let messaging = try SecureMessaging(
        uid: isEncrypted || places.uid != nil ? uid : [],
        counter: isEncrypted || places.counter != nil ? little : [], fileReadKey: try key(1))
      var file = stored
      func lay(_ bytes: [UInt8], at offset: Int?) {
        guard let offset else { return }
        for (index, digit) in bytes.hexadecimal.utf8.enumerated() where offset + index < file.count
        {
          file[offset + index] = digit
        }
      }
      if isEncrypted {
        let identity = try PICCData(uid: uid, counter: little).encrypted(
          metaReadKey: try key(2), padding: (0..<5).map { _ in UInt8.random(in: 0...255) })
        lay(identity, at: places.encryptedIdentity)
      }
      lay(uid, at: places.uid)
      lay(little.reversed(), at: places.counter)
      if let range = places.fileData {
        // The first half is the text; its digits take all of it.
        let text = Array(stored[range.prefix(range.count / 2)])
        lay(try messaging.encrypt(fileData: text), at: range.lowerBound)
      }
      // The code comes last, since it covers the other parts.
      lay(
        try messaging.truncatedMAC(over: Array(file[places.coveredFrom..<places.mac])),
        at: places.mac)
      return file
    } catch {
      return nil
    }
  }
}

/// The authentication of a reader, which the loss of the field ends.
struct SimulatedSession: Hashable, Sendable {
  /// An authentication between its two commands.
  struct Pending: Hashable, Sendable {
    let number: Int
    let random: [UInt8]
    /// A Boolean value that indicates whether it begins a new session.
    let isFirst: Bool
  }

  var pending: Pending?
  /// The number of the key with which the reader authenticated, and the session.
  var active: (number: Int, session: SecureSession)? {
    get { number.flatMap { number in session.map { (number, $0) } } }
    set { (number, session) = (newValue?.number, newValue?.session) }
  }
  private var number: Int?
  private var session: SecureSession?
}

/// The commands of NTAG 424 DNA that need a key (NT4H2421Gx, sections 10.4 to 10.8).
extension SimulatedType4Tag {
  /// A Boolean value that indicates whether the product has keys and settings of its files.
  var hasKeys: Bool { product.version != nil && product.name.hasPrefix("NTAG") }

  /// The number of failed authentications in a row from which the tag refuses to try.
  private static let failureLimit = 50

  /// The tag's response to a native command.
  mutating func nativeResponse(to command: CommandAPDU) -> [UInt8] {
    let pending = session.pending
    session.pending = nil
    let response = nativeResponse(to: command, pending)
    // Any failure ends the session.
    if ![StatusWord.nativeOK, .nativeMore, .nativeSignature].contains(where: {
      response.suffix(2) == $0.bytes[...]
    }) {
      session = SimulatedSession()
    }
    return response
  }

  private mutating func nativeResponse(
    to command: CommandAPDU, _ pending: SimulatedSession.Pending?
  ) -> [UInt8] {
    switch command.instruction {
    case 0x60: return version(command)
    case 0xAF:
      guard let pending else { return version(command) }
      return (try? completed(pending, command.data)) ?? StatusWord.nativeAuthenticationError.bytes
    case 0x3C where product.hasSignature: return signature(command)
    case 0xF5, 0x71, 0x77, 0x64, 0x51, 0xC4, 0x5F, 0x8D:
      guard hasKeys else { return StatusWord.nativeIllegalCommand.bytes }
      guard isApplicationSelected else { return StatusWord.nativeLengthError.bytes }
      do {
        return try keyedResponse(to: command)
      } catch {
        return ((error as? StatusWord) ?? .nativeIntegrityError).bytes
      }
    default: return StatusWord.nativeIllegalCommand.bytes
    }
  }

  private mutating func keyedResponse(to command: CommandAPDU) throws -> [UInt8] {
    switch command.instruction {
    case 0x71, 0x77: return try challenge(command)
    case 0xF5 where session.active == nil:
      guard command.data.count == 1 else { throw StatusWord.nativeLengthError }
      return try settingsReport(of: command.data[0]) + StatusWord.nativeOK.bytes
    case 0xF5:
      let header = try received(command, headerByteCount: 1, .mac)
      guard header.count == 1 else { throw StatusWord.nativeParameterError }
      return try answer(settingsReport(of: header[0]), .mac)
    case 0x8D: return try write(command.data)
    case 0x64:
      let header = try received(command, headerByteCount: 1, .mac)
      guard let number = header.first, number < TagKeys.count else {
        throw StatusWord.nativeParameterError
      }
      return try answer([secrets.versions[Int(number)]], .mac)
    case 0x51:
      _ = try received(command, headerByteCount: 0, .mac)
      return try answer(chipUID, .full)
    case 0xC4:
      let data = try received(command, headerByteCount: 1, .full)
      return try changeKey(Int(data[0] & 0x0F), Array(data[1...]))
    default:
      let data = try received(command, headerByteCount: 1, .full)
      return try changeSettings(data)
    }
  }

  /// The first half of an authentication.
  private mutating func challenge(_ command: CommandAPDU) throws -> [UInt8] {
    let isFirst = command.instruction == 0x71
    guard let number = command.data.first.map(Int.init), number < TagKeys.count,
      isFirst ? command.data.count >= 2 : command.data.count == 1
    else { throw StatusWord.nativeLengthError }
    guard isFirst || session.active != nil else { throw StatusWord.nativeIllegalCommand }
    guard failedAuthentications < Self.failureLimit else { throw StatusWord.nativeDelay }
    let random = (0..<SecureAuthentication.randomByteCount).map { _ in
      UInt8.random(in: .min ... .max)
    }
    let challenge = try SecureAuthentication(key: secrets.key(number), random: random).challenge()
    if isFirst { session.active = nil }
    session.pending = SimulatedSession.Pending(number: number, random: random, isFirst: isFirst)
    return challenge + StatusWord.nativeMore.bytes
  }

  /// The second half of an authentication.
  private mutating func completed(
    _ pending: SimulatedSession.Pending, _ reply: [UInt8]
  ) throws -> [UInt8]? {
    let transaction = (0..<SecureSession.transactionByteCount).map { _ in
      UInt8.random(in: .min ... .max)
    }
    let authentication = SecureAuthentication(
      key: try secrets.key(pending.number), random: pending.random)
    guard
      let accepted = try authentication.accept(
        reply, transaction: transaction, continuing: pending.isFirst ? nil : session.active?.session
      )
    else {
      failedAuthentications += 1
      return nil
    }
    failedAuthentications = 0
    session.active = (pending.number, accepted.session)
    return accepted.confirmation + StatusWord.nativeOK.bytes
  }

  private func received(
    _ command: CommandAPDU, headerByteCount: Int, _ protection: SecureSession.Protection
  ) throws -> [UInt8] {
    guard let (_, session) = session.active else { throw StatusWord.nativeAuthenticationError }
    let data = try session.received(
      command.instruction, command.data, headerByteCount: headerByteCount, protection)
    guard let data else { throw StatusWord.nativeIntegrityError }
    return data
  }

  private mutating func answer(
    _ data: [UInt8], _ protection: SecureSession.Protection
  ) throws -> [UInt8] {
    guard case (let number, var current)? = session.active else {
      throw StatusWord.nativeAuthenticationError
    }
    let answer = try current.answer(data, status: 0x00, protection)
    session.active = (number, current)
    return answer + StatusWord.nativeOK.bytes
  }

  private mutating func changeKey(_ number: Int, _ data: [UInt8]) throws -> [UInt8] {
    guard session.active?.number == 0 else { throw StatusWord.nativeAuthenticationError }
    guard number < TagKeys.count else { throw StatusWord.nativeParameterError }
    let successor = SecretKey.successor(of: try secrets.key(number), isOwn: number == 0, in: data)
    guard let (key, version) = successor else { throw StatusWord.nativeIntegrityError }
    secrets.keys[number] = key.bytes
    secrets.versions[number] = version
    guard number != 0 else {
      session = SimulatedSession()
      return StatusWord.nativeOK.bytes
    }
    return try answer([], .full)
  }

  private mutating func changeSettings(_ data: [UInt8]) throws -> [UInt8] {
    guard let number = data.first, let present = secrets[number],
      let settings = SecureFileSettings(Array(data.dropFirst())),
      settings.messages.map({ number == SecureFileSettings.fileNumber && $0.fits(ndefFile.count) })
        ?? true
    else { throw StatusWord.nativeParameterError }
    guard session.active.map({ $0.number == Int(present.rights.change) }) == true else {
      let isDenied = present.rights.change == SecureFileSettings.Rights.denied
      throw isDenied ? StatusWord.nativePermissionDenied : .nativeAuthenticationError
    }
    guard number == SecureFileSettings.fileNumber else {
      secrets.container = settings
      return try answer([], .full)
    }
    // The counter begins anew when messages are switched on.
    if secrets.settings.messages == nil, settings.messages != nil { counter = 0 }
    secrets.settings = settings
    return try answer([], .full)
  }

  /// WriteData, unprotected, as the settings of both files ask for (NT4H2421Gx, section 10.8.2).
  private mutating func write(_ data: [UInt8]) throws -> [UInt8] {
    guard data.count > 7, let settings = secrets[data[0]],
      let file = files.first(where: { $0.identifier == 0xE102 + UInt16(data[0]) })
    else { throw StatusWord.nativeParameterError }
    func number(_ range: Range<Int>) -> Int {
      range.reversed().reduce(0) { $0 << 8 | Int(data[$1]) }
    }
    let (offset, count) = (number(1..<4), number(4..<7))
    guard count == data.count - 7, offset + count <= file.bytes.count else {
      throw StatusWord.nativeParameterError
    }
    let rights = [settings.rights.write, settings.rights.readWrite]
    let isGranted = rights.contains {
      $0 == SecureFileSettings.Rights.free || session.active?.number == Int($0)
    }
    guard isGranted else {
      let isDenied = rights.allSatisfy { $0 == SecureFileSettings.Rights.denied }
      throw isDenied ? StatusWord.nativePermissionDenied : .nativeAuthenticationError
    }
    place(Array(data[7...]), inFile: file.identifier, at: offset)
    // The command has its number in the session, like a protected one.
    if case (let key, var current)? = session.active {
      _ = try current.answer([], status: 0x00, .mac)
      session.active = (key, current)
    }
    return StatusWord.nativeOK.bytes
  }

  /// The answer to GetFileSettings. A capability container that closes the NDEF file is shown as
  /// rights of key 0.
  private func settingsReport(of number: UInt8) throws(StatusWord) -> [UInt8] {
    guard var settings = secrets[number] else { throw .nativeParameterError }
    guard number == SecureFileSettings.fileNumber else {
      return settings.report(fileByteCount: files.first?.bytes.count ?? 0)
    }
    if settings.rights == .open, containerAccess(to: 0xE104).write != 0x00 {
      settings.rights = .keyed
    }
    return settings.report(fileByteCount: ndefFile.count)
  }

  /// The place of a key or of the settings in the writes of a tag, past every offset of a file;
  /// `nil` for another command.
  func place(changedBy bytes: [UInt8]) -> Range<Int>? {
    guard hasKeys, let command = CommandAPDU(bytes), command.classByte == 0x90,
      let first = command.data.first
    else { return nil }
    switch command.instruction {
    case 0xC4: return 0x1_0000 + Int(first)..<0x1_0001 + Int(first)
    case 0x5F: return 0x2_0000 + Int(first)..<0x2_0001 + Int(first)
    case 0x8D: return 0x3_0000 + Int(first)..<0x3_0001 + Int(first)
    default: return nil
    }
  }
}

extension SecureFileSettings.Messages {
  /// Returns `true` if every part lies within a file.
  fileprivate func fits(_ byteCount: Int) -> Bool {
    let ends = [
      encryptedIdentity.map { $0 + 32 }, uid.map { $0 + 14 }, counter.map { $0 + 6 }, mac + 16,
      fileData?.upperBound,
    ]
    return coveredFrom <= mac && ends.compactMap(\.self).allSatisfy { $0 <= byteCount }
  }
}
