import CliptagBasics
import TagAuthenticity
import TagTypes

/// The Secure Unique NFC messages of an NTAG 424 DNA: the parts mirrored over its NDEF file at each
/// reading, and their keys (NT4H2421Gx, section 9.3; AN12196).
package struct SimulatedSecureMessages: Hashable, Sendable {
  /// A part mirrored over the file.
  enum Part: Hashable, Sendable {
    /// UID and counter encrypted, 32 hexadecimal digits.
    case piccData
    /// UID, 14 digits.
    case uid
    /// Counter, six digits.
    case counter
    /// This many bytes of the file encrypted, two digits for each, over twice as many bytes.
    case fileData(byteCount: Int)
    /// Half of a CMAC, 16 digits.
    case mac
  }

  /// A part and its place.
  struct Placed: Hashable, Sendable {
    let offset: Int
    let part: Part
  }

  /// The URL with its placeholders as stored in the file, filled with zeros.
  let text: [UInt8]
  /// The parts with their offsets in the text.
  let parts: [Placed]
  /// The offset in the text at which the MAC's coverage begins; `nil` if it covers nothing.
  let coveredOffset: Int?
  let metaReadKey: [UInt8]
  let fileReadKey: [UInt8]

  /// The number of readings of the file. A tag from the factory begins at 0.
  package var counter = 0
  /// The padding of PICCData, five bytes or more; `nil` for random bytes, as in tags.
  package var padding: [UInt8]?

  /// Parses a URL with placeholders.
  ///
  /// - Parameters:
  ///   - template: The URL. `{picc}` is UID and counter encrypted, `{uid}` and `{counter}` are each
  ///     of them in clear, `{enc:TEXT}` is a text of 16 characters (or 32, 48 …) encrypted, `{mac}`
  ///     is the tag's code, and `{from}`, which takes no space, is the beginning of the code's
  ///     coverage. Without `{from}` it covers the URL from `{enc:…}` on, or not at all.
  ///   - metaReadKey: K_SDMMetaRead, 16 bytes.
  ///   - fileReadKey: K_SDMFileRead, 16 bytes.
  /// - Returns: `nil` for an unknown placeholder, or a text or key of another length.
  package init?(
    template: String, metaReadKey: [UInt8] = [UInt8](repeating: 0, count: 16),
    fileReadKey: [UInt8] = [UInt8](repeating: 0, count: 16)
  ) {
    guard metaReadKey.count == 16, fileReadKey.count == 16 else { return nil }
    var text: [UInt8] = []
    var parts: [Placed] = []
    var covered: Int?
    var rest = Substring(template)
    while let open = rest.firstIndex(of: "{") {
      guard let close = rest[open...].firstIndex(of: "}") else { return nil }
      text += rest[..<open].utf8
      let name = rest[rest.index(after: open)..<close]
      rest = rest[rest.index(after: close)...]
      if name == "from" {
        covered = text.count
        continue
      }
      guard let (part, content) = Self.part(name) else { return nil }
      parts.append(Placed(offset: text.count, part: part))
      if case .fileData = part { covered = covered ?? text.count }
      text += content
    }
    self.text = text + rest.utf8
    self.parts = parts
    coveredOffset = covered
    self.metaReadKey = metaReadKey
    self.fileReadKey = fileReadKey
  }

  /// The meaning of a placeholder, and its content in the file.
  private static func part(_ name: Substring) -> (Part, [UInt8])? {
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "0"), count: count) }
    switch name {
    case "picc": return (.piccData, zeros(32))
    case "uid": return (.uid, zeros(14))
    case "counter": return (.counter, zeros(6))
    case "mac": return (.mac, zeros(16))
    case _ where name.hasPrefix("enc:"):
      let content = Array(name.dropFirst(4).utf8)
      guard !content.isEmpty, content.count.isMultiple(of: 16) else { return nil }
      return (.fileData(byteCount: content.count), content + zeros(content.count))
    default: return nil
    }
  }

  /// Mirrors the next message over the text.
  ///
  /// - Returns: The text with every placeholder filled; `nil` if the system's cryptography fails.
  func text(for uid: [UInt8], over stored: [UInt8]) -> [UInt8]? {
    let little = [0, 8, 16].map { UInt8(truncatingIfNeeded: counter >> $0) }
    do {
      let messaging = try SecureMessaging(
        uid: uid, counter: little, fileReadKey: SecretKey(fileReadKey))
      var text = stored
      // The code comes last, since it covers the other parts.
      for placed in parts where placed.part != .mac {
        let offset = placed.offset
        let content: [UInt8] =
          switch placed.part {
          case .piccData:
            try PICCData(uid: uid, counter: little).encrypted(
              metaReadKey: SecretKey(metaReadKey),
              padding: padding ?? (0..<5).map { _ in UInt8.random(in: 0...255) })
          case .uid: uid
          case .counter: little.reversed()
          case .fileData(let count):
            try messaging.encrypt(fileData: Array(stored[offset..<offset + count]))
          case .mac: []
          }
        Self.lay(content, over: &text, at: offset)
      }
      for offset in parts.filter({ $0.part == .mac }).map(\.offset) {
        let begin = min(coveredOffset ?? offset, offset)
        let code = try messaging.truncatedMAC(over: Array(text[begin..<offset]))
        Self.lay(code, over: &text, at: offset)
      }
      return text
    } catch {
      return nil
    }
  }

  private static func lay(_ bytes: [UInt8], over text: inout [UInt8], at offset: Int) {
    for (index, digit) in bytes.hexadecimal.utf8.enumerated() where offset + index < text.count {
      text[offset + index] = digit
    }
  }
}

/// GetFileSettings of an NTAG 424 DNA (NT4H2421Gx, section 10.7.2), for its NDEF file only.
extension SimulatedType4Tag {
  /// The file type, options, access rights, size, and with Secure Unique NFC the place of each
  /// part.
  func fileSettings(_ command: CommandAPDU) -> [UInt8] {
    guard product.version != nil, product.name.hasPrefix("NTAG") else {
      return StatusWord.nativeIllegalCommand.bytes
    }
    guard command.data == [0x02], isApplicationSelected else {
      return StatusWord.nativeLengthError.bytes
    }
    // Read, write and read-write are free (E), changing the settings requires key 0.
    let isFree = access(to: 0xE104).write == 0x00
    let rights: [UInt8] = isFree ? [0xE0, 0xEE] : [0x00, 0xE0]
    let options: UInt8 = secureMessages == nil ? 0x00 : 0x40
    return [0x00, options] + rights + Self.number(ndefFile.count)
      + (secureMessages?.settings ?? []) + StatusWord.nativeOK.bytes
  }

  /// Three bytes, the least significant first.
  static func number(_ value: Int) -> [UInt8] {
    [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

extension SimulatedSecureMessages {
  /// SDMOptions, SDMAccessRights and the offsets that these two require. Keys 2 and 1 read.
  fileprivate var settings: [UInt8] {
    func places(_ wanted: Part) -> [UInt8] {
      parts.filter { $0.part == wanted }.flatMap { SimulatedType4Tag.number(fileOffset($0.offset)) }
    }
    let picc = places(.piccData)
    let (uid, counter, mac) = (places(.uid), places(.counter), places(.mac))
    var options: UInt8 = 0x01
    if !uid.isEmpty || !picc.isEmpty { options |= 0x80 }
    if !counter.isEmpty || !picc.isEmpty { options |= 0x40 }
    var data: [UInt8] = []
    for placed in parts {
      guard case .fileData(let count) = placed.part else { continue }
      options |= 0x10
      data =
        SimulatedType4Tag.number(fileOffset(placed.offset)) + SimulatedType4Tag.number(count * 2)
    }
    let metaRead: UInt8 = picc.isEmpty ? 0xE0 : 0x20
    let fileRead: UInt8 = mac.isEmpty ? 0x0F : 0x01
    var settings = [options, 0xF1, metaRead | fileRead] + (picc.isEmpty ? uid + counter : picc)
    if !mac.isEmpty {
      let covered = coveredOffset.map { SimulatedType4Tag.number(fileOffset($0)) } ?? mac
      settings += covered + data + mac
    }
    return settings
  }

  /// The offset in the NDEF file of a character of the URL: after NLEN, the record's header, its
  /// type and the prefix byte, which replaces `https://`.
  private func fileOffset(_ offset: Int) -> Int { offset - "https://".utf8.count + 7 }
}
