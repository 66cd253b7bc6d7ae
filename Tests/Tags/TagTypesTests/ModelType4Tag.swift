@testable import TagTypes

/// A Type 4 tag in memory: applications, files, access rights, status words and faults, as NFC
/// Forum Type 4 Tag 2.0 and 3.0 and the NT4H2421Gx data sheet describe them.
actor ModelType4Tag: TagChannel {
  /// The faults, and the commands at which they occur.
  struct Faults: Sendable {
    /// The number of commands and selections after which the tag is gone.
    var vanishesAfter: Int?
    /// The number of bytes that the command that finds the tag gone, an UPDATE BINARY, still
    /// stores.
    var lastUpdateByteCount: Int?
    /// The number of commands and selections after which another tag lies on the reader.
    var swappedAfter: Int?
    /// Commands (counted from 0) that stay unanswered once although the tag is there.
    var lostAnswers: Set<Int> = []
    /// Commands (counted from 0) that the reader fails to deliver to the tag.
    var refusals: Set<Int> = []
    /// Commands (counted from 0) that are answered with a status word instead.
    var statuses: [Int: UInt16] = [:]
    /// Whether the capability container can be written, as on a generic tag.
    var opensContainer = false
    /// The response to every UPDATE BINARY.
    var updateStatus: UInt16?
    /// An offset of the NDEF file that stores another byte than the one written.
    var wrongOffset: Int?
  }

  nonisolated let target: TagTarget
  nonisolated let maximumAnswerByteCount: Int
  private(set) var files: [UInt16: [UInt8]]
  private let version: [[UInt8]]
  /// The response to GetFileSettings; `nil` when the tag does not know it.
  private var settings: [UInt8]?
  /// The ranges that replace parts of the NDEF file when it is read, renewed at each selection of
  /// the application.
  private var mirrored: [Range<Int>] = []
  private var readings: UInt8 = 0
  private let application: UInt8
  private(set) var faults = Faults()
  private(set) var commands: [[UInt8]] = []
  private(set) var fieldCycles = 0
  private(set) var selections = 0
  private var sent = 0
  private var hasApplication = false
  private var file: UInt16?

  /// - Parameters:
  ///   - container: The capability container file; by default that of an NTAG 424 DNA.
  ///   - file: The NDEF file E104, from its start on.
  ///   - size: Bytes of the NDEF file.
  ///   - application: The last byte of the NDEF application's name.
  init(
    container: [UInt8] = ModelType4Tag.container424, file: [UInt8] = [], size: Int = 256,
    version: [[UInt8]] = ModelType4Tag.version424, application: UInt8 = 0x01,
    uid: [UInt8] = ModelTag.uid, sak: UInt8 = 0x20, maximumAnswerByteCount: Int = 240
  ) {
    target = TagTarget(
      atqa: [0x03, 0x44], sak: sak, uid: uid, ats: [0x77, 0x77, 0x71, 0x02, 0x80])
    files = [
      0xE103: container, 0xE104: file + [UInt8](repeating: 0, count: max(0, size - file.count)),
    ]
    self.version = version
    self.application = application
    self.maximumAnswerByteCount = maximumAnswerByteCount
  }

  /// The capability container of an NTAG 424 DNA as it leaves the factory.
  static let container424: [UInt8] = [
    0x00, 0x17, 0x20, 0x01, 0x00, 0x00, 0xFF, 0x04, 0x06, 0xE1, 0x04, 0x01, 0x00, 0x00, 0x00,
    0x05, 0x06, 0xE1, 0x05, 0x00, 0x80, 0x82, 0x83,
  ]
  static let version424: [[UInt8]] = [
    [0x04, 0x04, 0x02, 0x30, 0x00, 0x11, 0x05], [0x04, 0x04, 0x02, 0x01, 0x02, 0x11, 0x05],
    ModelTag.uid + [0xCF, 0x39, 0xD4, 0x49, 0x80, 0x34, 0x20],
  ]

  /// A container with one NDEF file, E104.
  static func container(
    version: UInt8 = 0x20, read: Int = 0x3B, write: Int = 0x34, size: Int, readAccess: UInt8 = 0,
    writeAccess: UInt8 = 0, extended: Bool = false
  ) -> [UInt8] {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    let block: [UInt8] =
      [extended ? 0x06 : 0x04, extended ? 8 : 6, 0xE1, 0x04] + bytes(size, extended ? 4 : 2)
      + [readAccess, writeAccess]
    return bytes(7 + block.count, 2) + [version] + bytes(read, 2) + bytes(write, 2) + block
  }

  func setFaults(_ faults: Faults) {
    self.faults = faults
    sent = 0
    commands = []
    selections = 0
    fieldCycles = 0
  }

  var ndef: [UInt8] { files[0xE104] ?? [] }

  /// The message that an independent reader would find: `nil` if the length exceeds the file.
  var message: [UInt8]? {
    let length = Int(ndef[0]) << 8 | Int(ndef[1])
    return 2 + length <= ndef.count ? Array(ndef[2..<2 + length]) : nil
  }

  /// Mirrors incrementing digits over parts of the NDEF file, and sets the file settings that say
  /// so.
  func mirror(_ ranges: [Range<Int>], settings: [UInt8]) {
    mirrored = ranges
    self.settings = settings
  }

  func removeFile(_ id: UInt16) { files[id] = nil }

  /// Returns the commands with these instruction bytes.
  func sent(_ instructions: UInt8...) -> [[UInt8]] {
    commands.filter { instructions.contains($0[1]) && $0[0] == 0 }
  }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    defer { sent += 1 }
    if let limit = faults.vanishesAfter, sent >= limit {
      if sent == limit, let count = faults.lastUpdateByteCount, command[1] == 0xD6 {
        update(Array(command[5..<5 + min(count, Int(command[4]))]), at: offset(command))
      }
      throw TagChannelError(.tagLost, "no answer")
    }
    if let limit = faults.swappedAfter, sent >= limit {
      throw TagChannelError(.tagLost, "no answer")
    }
    if faults.lostAnswers.contains(sent) { throw TagChannelError(.tagLost, "no answer") }
    if faults.refusals.contains(sent) {
      forgetSelection()
      throw TagChannelError(.refused, "status 01")
    }
    commands.append(command)
    if let status = faults.statuses[sent] { return Self.status(status) }
    return answer(command)
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    defer { sent += 1 }
    if let limit = faults.vanishesAfter, sent >= limit { throw TagChannelError(.tagLost, "no tag") }
    if let limit = faults.swappedAfter, sent >= limit {
      throw TagChannelError(.tagChanged, "another tag")
    }
    if fieldCycle && target.hasRandomUID {
      throw TagChannelError(.tagChanged, "a tag with another UID")
    }
    selections += 1
    fieldCycles += fieldCycle ? 1 : 0
    forgetSelection()
  }

  private func forgetSelection() {
    hasApplication = false
    file = nil
  }

  private static func status(_ status: UInt16) -> [UInt8] {
    [UInt8(status >> 8), UInt8(status & 0xFF)]
  }

  private func offset(_ command: [UInt8]) -> Int { Int(command[2]) << 8 | Int(command[3]) }

  private func answer(_ command: [UInt8]) -> [UInt8] {
    if command[0] == 0x90 { return nativeAnswer(command) }
    switch command[1] {
    case 0xA4 where command[2] == 0x04:
      let name: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, application]
      guard Array(command[5..<12]) == name else { return Self.status(0x6A82) }
      (hasApplication, file) = (true, nil)
      readings += 1
      return Self.status(0x9000)
    case 0xA4:
      let id = UInt16(command[5]) << 8 | UInt16(command[6])
      // Mapping version 1.0 selects with P2 00, later versions with 0C.
      guard command[3] == (application == 0 ? 0x00 : 0x0C) else { return Self.status(0x6A86) }
      guard hasApplication, files[id] != nil else { return Self.status(0x6A82) }
      file = id
      return Self.status(0x9000)
    case 0xB0:
      return read(command[4] == 0 ? 256 : Int(command[4]), at: offset(command))
    case 0xB1:
      guard let offset = farOffset(command) else { return Self.status(0x6A80) }
      let answer = read(Int(command[10]) - 3, at: offset)
      let data = answer.dropLast(2)
      guard answer.suffix(2) == [0x90, 0x00] else { return answer }
      return [0x53] + (data.count < 0x80 ? [] : [0x81]) + [UInt8(data.count)] + answer
    case 0xD6:
      guard Int(command[4]) == command.count - 5 else { return Self.status(0x6700) }
      return write(Array(command[5...]), at: offset(command))
    case 0xD7:
      guard let offset = farOffset(command), command[10] == 0x53 else { return Self.status(0x6A80) }
      return write(Array(command[(command[11] == 0x81 ? 13 : 12)...]), at: offset)
    default:
      return Self.status(0x6D00)
    }
  }

  private func nativeAnswer(_ command: [UInt8]) -> [UInt8] {
    guard !version.isEmpty else { return Self.status(0x6E00) }
    if command[1] == 0xF5 {
      guard let settings, hasApplication else { return Self.status(0x911C) }
      return settings + Self.status(0x9100)
    }
    let part = commands.reversed().prefix { $0[0] == 0x90 }.count - 1
    guard command[1] == (part == 0 ? 0x60 : 0xAF), version.indices.contains(part) else {
      return Self.status(0x911C)
    }
    return version[part] + (part == version.count - 1 ? [0x91, 0x00] : [0x91, 0xAF])
  }

  private func farOffset(_ command: [UInt8]) -> Int? {
    guard command.count >= 11, command[5] == 0x54, command[6] == 0x03 else { return nil }
    return command[7..<10].reduce(0) { $0 << 8 | Int($1) }
  }

  private var container: [UInt8] { files[0xE103] ?? [] }

  private func read(_ count: Int, at offset: Int) -> [UInt8] {
    guard let id = file, var bytes = files[id] else { return Self.status(0x6986) }
    for range in id == 0xE104 ? mirrored : [] {
      for index in range where index < bytes.count { bytes[index] = 0x41 + readings % 6 }
    }
    let limit = container.count > 4 ? Int(container[3]) << 8 | Int(container[4]) : 15
    guard count <= max(15, limit) else { return Self.status(0x6700) }
    guard offset < bytes.count else { return Self.status(0x6B00) }
    let end = min(offset + count, bytes.count)
    return Array(bytes[offset..<end]) + Self.status(end == offset + count ? 0x9000 : 0x6282)
  }

  private func write(_ bytes: [UInt8], at offset: Int) -> [UInt8] {
    if let status = faults.updateStatus { return Self.status(status) }
    guard let id = file, id == 0xE104 || faults.opensContainer, let held = files[id],
      id != 0xE104 || container.count != 15 || container[14] == 0
    else { return Self.status(0x6986) }
    guard bytes.count <= Int(container[5]) << 8 | Int(container[6]) else {
      return Self.status(0x6700)
    }
    guard offset + bytes.count <= held.count else { return Self.status(0x6A84) }
    if id == 0xE103 {
      files[id]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    } else {
      update(bytes, at: offset)
    }
    return Self.status(0x9000)
  }

  private func update(_ bytes: [UInt8], at offset: Int) {
    files[0xE104]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    if let wrong = faults.wrongOffset, (offset..<offset + bytes.count).contains(wrong) {
      files[0xE104]?[wrong] ^= 0x10
    }
  }
}
