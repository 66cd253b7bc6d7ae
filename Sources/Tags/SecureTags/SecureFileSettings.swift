package import TagAuthenticity

/// The settings of a file of an NTAG 424 DNA, as written by ChangeFileSettings: access rights, and for
/// the NDEF file (02) the places of Secure Unique NFC messages.
///
/// ``Type4FileSettings`` reads the same from tags whose settings other tools made; this value holds
/// those that cliptag makes, and writes them.
///
/// Source: NT4H2421Gx, sections 8.2.3.3 and 10.7.1; AN12196, section 5.9.
package struct SecureFileSettings: Hashable, Sendable {
  /// The number of the NDEF file.
  package static let fileNumber: UInt8 = 0x02
  /// The number of the file with the capability container.
  package static let containerFileNumber: UInt8 = 0x01

  /// The access rights; each is the number of a key, ``free`` or ``denied``.
  package struct Rights: Hashable, Sendable {
    /// The code of free access.
    package static let free: UInt8 = 0x0E
    /// The code of denied access.
    package static let denied: UInt8 = 0x0F

    /// The right to read.
    package var read: UInt8
    /// The right to write.
    package var write: UInt8
    /// The right to read and write.
    package var readWrite: UInt8
    /// The right to change the settings.
    package var change: UInt8

    /// Free reading and writing; key 0 changes the settings. The factory's rights.
    package static let open = Rights(read: free, write: free, readWrite: free, change: 0)
    /// Free reading; key 0 writes and changes the settings.
    package static let keyed = Rights(read: free, write: 0, readWrite: 0, change: 0)
    /// Free reading; nothing else, ever.
    package static let locked = Rights(
      read: free, write: denied, readWrite: denied, change: denied)

    /// Two bytes.
    var bytes: [UInt8] { [readWrite << 4 | change, read << 4 | write] }
  }

  /// The places of a message, as offsets in the file, and the keys that make it.
  package struct Messages: Hashable, Sendable {
    /// The offset of UID and counter encrypted with key 2; `nil` if they are in clear.
    package var encryptedIdentity: Int?
    /// The offset of the UID in clear.
    package var uid: Int?
    /// The offset of the counter in clear.
    package var counter: Int?
    /// The offset of the MAC, made with key 1.
    package var mac: Int
    /// The offset at which the text begins that the MAC covers.
    package var coveredFrom: Int
    /// The part that the tag shows encrypted; cliptag makes none.
    package var fileData: Range<Int>?

    /// Makes places of a message.
    package init(
      encryptedIdentity: Int? = nil, uid: Int? = nil, counter: Int? = nil, mac: Int,
      coveredFrom: Int, fileData: Range<Int>? = nil
    ) {
      (self.encryptedIdentity, self.uid, self.counter) = (encryptedIdentity, uid, counter)
      (self.mac, self.coveredFrom, self.fileData) = (mac, coveredFrom, fileData)
    }
  }

  /// The access rights.
  package var rights: Rights
  /// The messages; `nil` if the tag mirrors nothing.
  package var messages: Messages?

  /// Makes settings.
  package init(rights: Rights, messages: Messages? = nil) {
    self.rights = rights
    self.messages = messages
  }

  /// Makes the settings of a file that shows the messages of a URL, closed by key 0.
  ///
  /// - Parameters:
  ///   - places: The places in the URL.
  ///   - byteCount: The number of bytes of the file up to the end of the URL, with which its only
  ///     record ends.
  package init(_ places: SecureMessagePlaces, fileByteCount byteCount: Int) {
    // A URL's prefix is one byte in the file, so its places are counted from the end.
    let shift = byteCount - places.url.utf8.count
    rights = .keyed
    messages = Messages(
      encryptedIdentity: places.encryptedIdentity.map { $0 + shift },
      uid: places.uid.map { $0 + shift }, counter: places.counter.map { $0 + shift },
      mac: places.mac + shift, coveredFrom: max(0, places.coveredFrom + shift))
  }

  /// The data of ChangeFileSettings: options and rights, then for messages their options, their
  /// rights, and the offsets that these require.
  package var bytes: [UInt8] {
    guard let messages else { return [0x00] + rights.bytes }
    let hasUID = messages.encryptedIdentity != nil || messages.uid != nil
    let hasCounter = messages.encryptedIdentity != nil || messages.counter != nil
    let options: UInt8 =
      (hasUID ? 0x80 : 0) | (hasCounter ? 0x40 : 0) | (messages.fileData == nil ? 0 : 0x10) | 0x01
    // Key 1 also reads the counter (SDMCtrRet); the upper half of the first byte is reserved.
    let metaRead: UInt8 = messages.encryptedIdentity == nil ? Rights.free : 2
    var bytes: [UInt8] = [0x40] + rights.bytes + [options, 0xF1, metaRead << 4 | 0x01]
    let offsets =
      messages.encryptedIdentity.map { [$0] }
      ?? [messages.uid, messages.counter].compactMap(\.self)
    bytes += (offsets + [messages.coveredFrom]).flatMap(Self.number)
    if let data = messages.fileData {
      bytes += Self.number(data.lowerBound) + Self.number(data.count)
    }
    return bytes + Self.number(messages.mac)
  }

  /// The answer to GetFileSettings: the type of the file, options and rights, its size, and the
  /// rest of ``bytes``.
  package func report(fileByteCount: Int) -> [UInt8] {
    [0x00] + bytes.prefix(3) + Self.number(fileByteCount) + bytes.dropFirst(3)
  }

  /// Parses the data of ChangeFileSettings.
  ///
  /// - Returns: `nil` for settings that this type cannot express, or malformed ones.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 3, bytes[0] & ~0x40 == 0 else { return nil }
    rights = Rights(
      read: bytes[2] >> 4, write: bytes[2] & 0x0F, readWrite: bytes[1] >> 4,
      change: bytes[1] & 0x0F)
    guard bytes[0] & 0x40 != 0 else {
      guard bytes.count == 3 else { return nil }
      return
    }
    guard bytes.count >= 6, bytes[5] & 0x0F == 0x01 else { return nil }
    let (options, metaRead) = (bytes[3], bytes[5] >> 4)
    var rest = bytes.dropFirst(6)
    func number() -> Int {
      defer { rest = rest.dropFirst(3) }
      return rest.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var found = Messages(mac: 0, coveredFrom: 0)
    switch metaRead {
    case 2: found.encryptedIdentity = number()
    case Rights.free:
      if options & 0x80 != 0 { found.uid = number() }
      if options & 0x40 != 0 { found.counter = number() }
    default: return nil
    }
    found.coveredFrom = number()
    if options & 0x10 != 0 {
      let start = number()
      found.fileData = start..<start + number()
    }
    found.mac = number()
    messages = found
    // Everything that was read is written again, or the settings say more than this type.
    guard self.bytes == bytes else { return nil }
  }

  /// Parses the answer to GetFileSettings.
  ///
  /// - Returns: `nil` as ``init(_:)``.
  package init?(reported bytes: [UInt8]) {
    guard bytes.count >= 7, bytes[0] == 0x00 else { return nil }
    self.init(Array(bytes[1..<4] + bytes[7...]))
  }

  /// Three bytes, the least significant first.
  package static func number(_ value: Int) -> [UInt8] {
    [0, 8, 16].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
