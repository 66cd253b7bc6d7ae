package import SecureTags
import TagTypes

/// A Type 4 tag in memory: ISO/IEC 14443-4, the NDEF application and its files.
///
/// It supports SELECT, READ BINARY and UPDATE BINARY of ISO/IEC 7816-4 with short lengths, NXP's
/// GetVersion, and on an NTAG 424 DNA authentication (EV2 with AES), keys and settings of its file.
package struct SimulatedType4Tag: Hashable, Sendable {
  /// A UID with which an NTAG 424 DNA is genuine: NXP's signature of it was published.
  package static let genuineUID: [UInt8] = [0x04, 0x63, 0x47, 0x4A, 0xA2, 0x6A, 0x80]

  /// The product, with its files in their factory state.
  package let product: SimulatedType4Product
  /// The files in their current state.
  package internal(set) var files: [SimulatedType4Product.File]
  /// The UID in the chip, seven bytes, also if the tag shows random ones.
  package let chipUID: [UInt8]

  /// The number of readings of the NDEF file with messages.
  package internal(set) var counter = 0
  /// The number of failed authentications since the last successful one.
  package internal(set) var failedAuthentications = 0
  /// The keys and the settings of the files.
  var secrets = SimulatedSecrets()
  /// ``secrets`` at the beginning, which a memory file leaves out.
  private(set) var initialSecrets = SimulatedSecrets()

  /// The settings of the NDEF file, for an NTAG 424 DNA.
  package var settings: SecureFileSettings { secrets.settings }
  /// The settings of the file with the capability container, for an NTAG 424 DNA.
  package var containerSettings: SecureFileSettings { secrets.container }
  /// The application keys, for an NTAG 424 DNA.
  package var applicationKeys: [[UInt8]] { secrets.keys }

  var session = SimulatedSession()
  var randomUID: [UInt8]?
  var state = TypeAState()
  var transponder: ISODEPTransponder
  var isApplicationSelected = false
  var selectedFile: Int?
  /// The remaining frames of GetVersion.
  var versionFrames: [[UInt8]] = []
  /// The NDEF file as mirrored for the reads since the last other command.
  var mirroredFile: [UInt8]?

  /// Makes a tag of a product.
  ///
  /// - Parameters:
  ///   - product: The product.
  ///   - uid: Seven bytes.
  /// - Throws: `.malformedUID`.
  package init(
    _ product: SimulatedType4Product, uid: [UInt8] = SimulatedTag.defaultUID
  ) throws(SimulatedReaderError) {
    guard uid.count == 7 else {
      throw SimulatedReaderError(
        .malformedUID, "A UID of \(uid.count) bytes was given for a \(product.name).",
        hint: "Give seven bytes, for example 04E10CDA993C80.")
    }
    self.product = product
    files = product.files
    chipUID = uid
    transponder = ISODEPTransponder(ats: product.ats)
  }

  /// The bytes of the NDEF file, length field first.
  package var ndefFile: [UInt8] { files.first { $0.identifier == 0xE104 }?.bytes ?? [] }

  /// Puts bytes into a file directly, without any checks; those past its end are dropped.
  package mutating func place(_ bytes: [UInt8], inFile identifier: UInt16, at offset: Int = 0) {
    guard let index = files.firstIndex(where: { $0.identifier == identifier }), offset >= 0 else {
      return
    }
    for (position, byte) in zip(offset..<max(offset, files[index].bytes.count), bytes) {
      files[index].bytes[position] = byte
    }
  }

  /// Fills the NDEF file with one URI record and from now on mirrors a fresh message over it
  /// whenever it is read (Secure Unique NFC of NTAG 424 DNA).
  ///
  /// - Returns: `true` on success: the URL begins with `https://`, and it fits.
  package mutating func mirror(_ messages: SimulatedSecureMessages) -> Bool {
    let scheme = Array("https://".utf8)
    guard messages.text.starts(with: scheme) else { return false }
    let payload = [0x04] + messages.text[scheme.count...]
    let message = [0xD1, 0x01, UInt8(truncatingIfNeeded: payload.count), 0x55] + payload
    guard payload.count < 0x100, message.count + 2 <= ndefFile.count else { return false }
    place([0x00, UInt8(message.count & 0xFF)] + message, inFile: 0xE104)
    if message.count > 0xFF { place([0x01], inFile: 0xE104) }
    counter = messages.counter
    secrets.settings.messages = messages.places
    initialSecrets = secrets
    return true
  }

  /// Puts keys into the tag directly, of one version, and settings of its NDEF file.
  package mutating func hold(
    keys: [[UInt8]], version: UInt8, settings: SecureFileSettings? = nil
  ) {
    secrets.keys = keys
    secrets.versions = keys.map { _ in version }
    if let settings { secrets.settings = settings }
    initialSecrets = secrets
  }

  /// The NDEF file as seen by a reader, with a fresh message if none was made since the last
  /// command other than a read.
  mutating func freshNDEFFile() -> [UInt8] {
    if let mirroredFile { return mirroredFile }
    // An authenticated reader gets the file as stored (NT4H2421Gx, section 9.3.2).
    guard let places = secrets.settings.messages, session.active == nil else { return ndefFile }
    counter += 1
    let file = secrets.file(ndefFile, mirroring: places, uid: chipUID, counter: counter)
    mirroredFile = file
    return file ?? ndefFile
  }

  /// Returns the tag with the keys and settings of a memory file, or those at the beginning of
  /// another tag of its product.
  func taking(_ secrets: SimulatedSecrets?, of other: SimulatedType4Tag) -> SimulatedType4Tag {
    var tag = self
    tag.initialSecrets = other.initialSecrets
    tag.secrets = secrets ?? other.initialSecrets
    tag.counter = other.counter
    return tag
  }

  /// The access to a file by container and settings: `00` is permitted.
  func access(to identifier: UInt16) -> (read: UInt8, write: UInt8) {
    var access = containerAccess(to: identifier)
    guard hasKeys, identifier == 0xE104 else { return access }
    let rights = secrets.settings.rights
    func isGranted(_ right: UInt8) -> Bool {
      [right, rights.readWrite].contains {
        $0 == SecureFileSettings.Rights.free || session.active?.number == Int($0)
      }
    }
    if !isGranted(rights.read) { access.read = 0xFF }
    if !isGranted(rights.write) { access.write = 0xFF }
    return access
  }

  /// The access to a file according to the capability container: `00` is free.
  ///
  /// The container itself may be read, not written.
  func containerAccess(to identifier: UInt16) -> (read: UInt8, write: UInt8) {
    guard let container = files.first, identifier != container.identifier else { return (0, 0xFF) }
    let bytes = container.bytes
    var position = 7
    while position + 2 <= bytes.count, (4...6).contains(bytes[position]) {
      let value = bytes[(position + 2)...].prefix(Int(bytes[position + 1]))
      if value.count >= 6,
        Array(value.prefix(2)) == [UInt8(identifier >> 8), UInt8(identifier & 255)]
      {
        return (value[value.endIndex - 2], value[value.endIndex - 1])
      }
      position += 2 + value.count
    }
    return (0xFF, 0xFF)
  }

  /// MLe and MLc of the container, if the product enforces them.
  var maximumLengths: (read: Int, write: Int) {
    guard product.enforcesMaximumLengths, let bytes = files.first?.bytes, bytes.count >= 7 else {
      return (256, 255)
    }
    return (Int(bytes[3]) << 8 | Int(bytes[4]), Int(bytes[5]) << 8 | Int(bytes[6]))
  }
}

/// A Type 4 tag on a simulated reader; its places are byte offsets in the file being written.
extension SimulatedType4Tag: SimulatedCard {
  /// Type A at 106 kbit/s.
  package var technology: SimulatedTechnology { .typeA }
  /// The product's name.
  package var name: String { product.name }
  /// The UID it shows: the chip's, or a random one since the field was switched on.
  package var uid: [UInt8] { randomUID ?? chipUID }

  /// ATQA (0344 of NXP's; its bits for the UID's size are 0 with a random UID) and SAK 20, ISO/IEC
  /// 14443-4.
  package func targetData(for request: [UInt8]) -> [UInt8]? {
    [product.atqa[0], product.atqa[1] & (uid.count == 7 ? 0xFF : 0x3F), 0x20, UInt8(uid.count)]
      + uid
  }

  /// Returns the same product, blank, without a mirror; by default with another UID than this
  /// one's.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedType4Tag {
    // Another UID with a published signature.
    let other: [UInt8] = [0x04, 0xC4, 0x6C, 0x22, 0x2A, 0x63, 0x80]
    return try SimulatedType4Tag(
      product, uid: uid ?? (chipUID == other ? Self.genuineUID : other))
  }

  /// Switches the field on, which generates a random UID if the product shows one.
  package mutating func fieldOn() {
    guard state.isOff else { return }
    state.fieldOn()
    guard product.usesRandomUID else { return }
    // A random UID begins with 08 (ISO/IEC 14443-3, section 6.5.4).
    randomUID = [0x08] + (0..<3).map { _ in UInt8.random(in: 0...255) }
  }

  /// Switches the field off.
  package mutating func fieldOff() {
    leaveProtocol()
    state.fieldOff()
  }

  /// Receives a request. A tag in ISO/IEC 14443-4 ignores it and keeps its state; only S(DESELECT)
  /// or the loss of the field releases it.
  package mutating func request(wakeUp: Bool) -> Bool {
    !transponder.isActivated && state.request(wakeUp: wakeUp)
  }

  /// Selects the tag.
  package mutating func select() -> Bool { state.select() }

  /// Returns to the state before the request.
  package mutating func fallBack() {
    leaveProtocol()
    state.fallBack()
  }

  /// Halts the tag: S(DESELECT), or HLTA before RATS.
  package mutating func halt() {
    leaveProtocol()
    state.halt()
  }

  /// A Boolean value that indicates whether the tag is selected.
  package var isActive: Bool { state.isActive }

  /// Receives one block of ISO/IEC 14443-4, or RATS or HLTA before.
  package mutating func receive(_ frame: [UInt8]) -> TagAnswer {
    receive(frame) { tag, command in tag.response(to: command) }
  }

  /// Gives no answer to a damaged block; before RATS the tag falls back.
  package mutating func receiveDamagedFrame() -> TagAnswer {
    if isActive, !transponder.isActivated { fallBack() }
    return .silence
  }

  /// The offsets in the file that UPDATE BINARY writes, at its last block.
  package func places(writtenBy frame: [UInt8]) -> Range<Int>? {
    guard isActive, let command = transponder.command(completedBy: frame) else { return nil }
    return place(changedBy: command) ?? range(writtenBy: command)?.range
  }

  /// Answers status 6581, memory failure.
  package mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer {
    receive(frame) { _, _ in StatusWord.memoryFailure.bytes }
  }

  /// Answers the status word if the frame ends an APDU.
  package mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer? {
    guard isActive, transponder.command(completedBy: frame) != nil else { return nil }
    return receive(frame) { _, _ in word }
  }

  /// Stores at most the first half of the bytes, unless the product stores so few bytes atomically.
  /// A key and the settings are stored wholly or not at all (NT4H2421Gx, section 8.2.2).
  package mutating func tear(_ frame: [UInt8], isHalf: Bool) {
    if isHalf, transponder.command(completedBy: frame).flatMap(place(changedBy:)) != nil {
      _ = receive(frame)
    }
    guard isHalf, let command = transponder.command(completedBy: frame),
      let (file, range) = range(writtenBy: command), range.count > product.atomicWriteByteCount
    else { return }
    let before = files[file].bytes
    _ = receive(frame)
    let kept = range.lowerBound + range.count / 2
    for offset in kept..<max(kept, min(range.upperBound, before.count)) {
      files[file].bytes[offset] = before[offset]
    }
  }

  /// Inverts the lowest bit at an offset of the file that was written last.
  package mutating func spoil(place offset: Int) {
    guard let file = selectedFile, files[file].bytes.indices.contains(offset) else { return }
    files[file].bytes[offset] ^= 0x01
  }

  private mutating func receive(
    _ frame: [UInt8], respond: (inout SimulatedType4Tag, [UInt8]) -> [UInt8]
  ) -> TagAnswer {
    guard isActive else { return .silence }
    switch transponder.receive(frame) {
    case .block(let block): return .data(block)
    case .command(let command):
      let response = respond(&self, command)
      return .data(transponder.send(response, answering: frame))
    case .deselected(let block):
      halt()
      return .data(block)
    case .silence: return .silence
    case .unknown:
      if frame == [0x50, 0x00] { halt() } else { fallBack() }
      return .silence
    }
  }

  private mutating func leaveProtocol() {
    transponder.reset()
    isApplicationSelected = false
    selectedFile = nil
    versionFrames = []
    mirroredFile = nil
    session = SimulatedSession()
  }
}
