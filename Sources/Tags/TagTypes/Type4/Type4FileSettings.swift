import CliptagBasics

/// The settings of the NDEF file of an NTAG 424 DNA or NTAG 413 DNA: its write access, and the
/// places where the tag mirrors UID, counter and code over it when it is read (Secure Dynamic
/// Messaging).
///
/// Source: GetFileSettings, NT4H2421Gx data sheet, section 10.7.2; AN12196, section 3.
package struct Type4FileSettings: Hashable, Sendable {
  /// A Boolean value that indicates whether the file is freely writable.
  package let isWriteFree: Bool
  /// A Boolean value that indicates whether the file is not writable, with any key.
  package let isWriteDenied: Bool
  /// A Boolean value that indicates whether no key can change the settings.
  package let isFrozen: Bool
  /// The bytes of the file, length field included, that show other than the stored content; in
  /// ascending order.
  package private(set) var mirrored: [Range<Int>]
  /// The bytes among them that show the stored content encrypted, and so need not be zeros.
  let encrypted: Range<Int>?

  /// The codes of free and of denied access (section 8.2.3.3).
  private static let (free, denied): (UInt8, UInt8) = (0x0E, 0x0F)

  /// Parses the response to GetFileSettings.
  ///
  /// - Returns: `nil` if it does not describe a standard file, or ends too early.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 7, bytes[0] == 0x00 else { return nil }
    // Access rights: read-write and change in the first byte, read and write in the second.
    let rights = [bytes[2] >> 4, bytes[3] & 0x0F]
    isWriteFree = rights.contains(Self.free)
    isWriteDenied = rights.allSatisfy { $0 == Self.denied }
    isFrozen = bytes[2] & 0x0F == Self.denied
    guard bytes[1] & 0x40 != 0 else {
      mirrored = []
      encrypted = nil
      return
    }
    guard let places = Self.places(bytes.dropFirst(7)) else { return nil }
    mirrored = places.mirrored.sorted { $0.lowerBound < $1.lowerBound }
    encrypted = places.encrypted
  }

  /// The size of UID and counter encrypted: one block of AES in hexadecimal. In LRP mode it has 16
  /// more digits, of random bytes.
  private static let encryptedIdentityCount = 32
  private static let encryptedIdentityCountInLRP = 48

  /// The settings with the places of a tag in LRP mode, if its file shows that mode: as many
  /// upper-case hexadecimal digits as it mirrors, and no other place among them. Without a key
  /// there is no other sign.
  func seen(in file: [UInt8]) -> Type4FileSettings {
    var settings = self
    for (index, range) in mirrored.enumerated()
    where range.count == Self.encryptedIdentityCount && range != encrypted {
      let longer = range.lowerBound..<range.lowerBound + Self.encryptedIdentityCountInLRP
      let digits = file[longer.clamped(to: file.indices)]
      let isShown = digits.allSatisfy { "0123456789ABCDEF".utf8.contains($0) }
      let overlaps = mirrored.contains { $0 != range && $0.overlaps(longer) }
      if digits.count == longer.count, isShown, !overlaps { settings.mirrored[index] = longer }
    }
    return settings
  }

  /// The offsets, each present only if the options and access rights before them require it.
  private static func places(
    _ bytes: ArraySlice<UInt8>
  ) -> (mirrored: [Range<Int>], encrypted: Range<Int>?)? {
    guard bytes.count >= 3, let options = bytes.first else { return nil }
    let (metaRead, fileRead) = (bytes[bytes.startIndex + 2] >> 4, bytes[bytes.startIndex + 2] & 15)
    var rest = bytes.dropFirst(3)
    var isComplete = true
    func number() -> Int {
      guard rest.count >= 3 else {
        isComplete = false
        return 0
      }
      defer { rest = rest.dropFirst(3) }
      return rest.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var ranges: [Range<Int>] = []
    var encrypted: Range<Int>?
    func add(_ count: Int) {
      let start = number()
      ranges.append(start..<start + count)
    }
    let hasUID = options & 0x80 != 0
    let hasCounter = options & 0x40 != 0
    if metaRead == free, hasUID { add(14) }
    if metaRead == free, hasCounter { add(6) }
    if metaRead < 0x05 { add(encryptedIdentityCount) }
    if fileRead != denied {
      _ = number()
      if options & 0x10 != 0 {
        let start = number()
        let range = start..<start + number()
        ranges.append(range)
        encrypted = range
      }
      add(16)
    }
    return isComplete ? (ranges, encrypted) : nil
  }
}

extension Type4Commands {
  /// GetFileSettings of the NDEF file (file 02); `nil` if the tag does not report them.
  mutating func fileSettings() async throws(TagChannelError) -> Type4FileSettings? {
    let answer = try await transmit([0x90, 0xF5, 0x00, 0x00, 0x01, 0x02, 0x00], in: .application)
    guard let answer, answer.status == .nativeDone else { return nil }
    return Type4FileSettings(answer.data)
  }
}

extension Type4Tag {
  /// A Boolean value that indicates whether tags of this product report the settings of their NDEF
  /// file.
  private var tellsSettings: Bool { ["NTAG 424 DNA", "NTAG 413 DNA"].contains(name) }

  /// A Boolean value that indicates whether tags of this product are made ready and locked with keys.
  package var takesLockKeys: Bool { name == "NTAG 424 DNA" }

  /// Returns the same tag with the settings of its NDEF file, if it reports them.
  package func loadingSettings(over channel: some TagChannel) async throws(TagChannelError)
    -> Type4Tag
  {
    guard tellsSettings, capabilityContainer != nil, !hasReadSettings else { return self }
    var commands = Type4Commands(channel)
    var tag = self
    tag.settings = try await commands.fileSettings()?.seen(in: file)
    tag.hasReadSettings = true
    tag.exchanges += commands.exchanges
    return tag
  }

  /// The tag with zeros in the places where it mirrors a message, as such a message is on record.
  package var withoutMirror: Type4Tag {
    guard case .message(let message) = content else { return self }
    var tag = self
    let start = file.count >= message.count ? capabilityContainer?.lengthByteCount ?? 2 : 0
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: file.count)
    tag.file = unmirrored(file, as: zeros)
    guard tag.file.count >= start + message.count else { return self }
    tag.content = .message(Array(tag.file[start..<start + message.count]))
    return tag
  }

  /// The bytes of a file without the mirror: mirrored ranges are replaced by those of another file.
  package func unmirrored(_ bytes: [UInt8], as wanted: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for range in settings?.mirrored ?? [] {
      let range = range.clamped(to: 0..<min(bytes.count, wanted.count))
      bytes.replaceSubrange(range, with: wanted[range])
    }
    return bytes
  }

  /// Checks that the mirror covers only zeros that were reserved for it.
  func checkPlaceholders(in wanted: [UInt8]) throws(TagError) {
    for range in settings?.mirrored ?? [] where range != settings?.encrypted {
      let range = range.clamped(to: 0..<wanted.count)
      guard wanted[range].contains(where: { $0 != UInt8(ascii: "0") }) else { continue }
      throw TagError(
        .mirroredText,
        "\(name) \(uid.hexadecimal) mirrors its UID, counter or code over the message, from offset "
          + "\(range.lowerBound) to \(range.upperBound - 1)",
        hint: "leave zeros for it there in the URL, or turn Secure Dynamic Messaging off with "
          + "the tool that set it",
        offset: range.lowerBound, uid: uid)
    }
  }
}
