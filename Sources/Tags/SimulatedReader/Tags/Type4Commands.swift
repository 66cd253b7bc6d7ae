/// The commands of a Type 4 tag (NFC Forum Type 4 Tag, section 5.4; for errors, NT4H2421Gx, section
/// 10.9).
extension SimulatedType4Tag {
  /// The tag's response to a whole command, status word last.
  package mutating func response(to bytes: [UInt8]) -> [UInt8] {
    guard let command = CommandAPDU(bytes) else {
      return (bytes.first == 0x90 ? StatusWord.nativeLengthError : .wrongLength).bytes
    }
    // A read after a read continues with the same message (NT4H2421Gx, section 9.3.2).
    if command.classByte != 0x00 || command.instruction & 0xFE != 0xB0 { mirroredFile = nil }
    switch (command.classByte, command.instruction) {
    case (0x00, 0xA4): return select(command).bytes
    case (0x00, 0xB0): return readBinary(command)
    case (0x00, 0xD6): return updateBinary(command).bytes
    case (0x00, 0xB1) where mappingVersion >= 0x30: return readBinary(command)
    case (0x00, 0xD7) where mappingVersion >= 0x30: return updateBinary(command).bytes
    case (0x00, _): return StatusWord.unknownInstruction.bytes
    case (0x90, _): return nativeResponse(to: command)
    default: return StatusWord.unknownClass.bytes
    }
  }

  private mutating func select(_ command: CommandAPDU) -> StatusWord {
    guard command.parameter2 == 0x00 || command.parameter2 == 0x0C else { return .wrongParameters }
    switch command.parameter1 {
    case 0x04:
      let last: UInt8 = mappingVersion < 0x20 ? 0x00 : 0x01
      guard command.data == [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, last] else {
        return .fileNotFound
      }
      isApplicationSelected = true
      selectedFile = nil
      session = SimulatedSession()
      return .ok
    case 0x00, 0x02:
      guard command.data.count == 2 else { return .lengthContradictsParameters }
      let identifier = UInt16(command.data[0]) << 8 | UInt16(command.data[1])
      guard isApplicationSelected,
        let index = files.firstIndex(where: { $0.identifier == identifier })
      else { return .fileNotFound }
      selectedFile = index
      return .ok
    default: return .wrongParameters
    }
  }

  /// The version in the capability container.
  private var mappingVersion: UInt8 { files.first?.bytes.dropFirst(2).first ?? 0x20 }

  /// The file to which an access refers.
  private func file(of access: Type4Access) throws(StatusWord) -> Int {
    switch access.target {
    case .selected:
      guard let selectedFile else { throw .noFileSelected }
      return selectedFile
    case .short(let identifier):
      let file = files.firstIndex { isApplicationSelected && $0.identifier & 0x1F == identifier }
      guard let file else { throw .fileNotFound }
      return file
    }
  }

  private mutating func readBinary(_ command: CommandAPDU) -> [UInt8] {
    do throws(StatusWord) {
      let access = try Type4Access(command)
      guard command.expectedByteCount ?? 0 <= maximumLengths.read else { throw .wrongLength }
      let index = try file(of: access)
      selectedFile = index
      let file = files[index]
      guard self.access(to: file.identifier).read == 0x00 else { throw .securityNotSatisfied }
      guard access.offset < file.bytes.count else { throw wrongOffset }
      let bytes = file.identifier == 0xE104 ? freshNDEFFile() : file.bytes
      return access.wrapped(bytes[access.offset...].prefix(access.count)) + StatusWord.ok.bytes
    } catch {
      return error.bytes
    }
  }

  private mutating func updateBinary(_ command: CommandAPDU) -> StatusWord {
    do throws(StatusWord) {
      let access = try Type4Access(command)
      guard command.data.count <= maximumLengths.write else { throw .wrongLength }
      let index = try file(of: access)
      selectedFile = index
      let file = files[index]
      guard self.access(to: file.identifier).write == 0x00 || closesTag(access, file) else {
        throw .securityNotSatisfied
      }
      guard access.offset < file.bytes.count else { throw wrongOffset }
      guard access.offset + access.data.count <= file.bytes.count else { throw .wrongLength }
      place(access.data, inFile: file.identifier, at: access.offset)
      return .ok
    } catch {
      return error
    }
  }

  /// Returns `true` if a write makes the NDEF file read-only, the only write to the container that
  /// a tag of the standard accepts (NFC Forum Type 4 Tag 2.0, section 5.4.7). NXP's tags require a
  /// key for that.
  private func closesTag(_ access: Type4Access, _ file: SimulatedType4Product.File) -> Bool {
    product.version == nil && file.identifier == 0xE103 && access.data == [0xFF]
      && access.offset == file.bytes.count - 1 && self.access(to: 0xE104).write == 0x00
  }

  /// The status for an offset past the end: a wrong parameter on NXP's tags, a wrong offset in
  /// ISO/IEC 7816-4.
  private var wrongOffset: StatusWord { product.version == nil ? .wrongOffset : .wrongParameters }

  /// GetVersion: hardware, then software, then UID and batch, each requested with 90AF.
  mutating func version(_ command: CommandAPDU) -> [UInt8] {
    guard let version = product.version else { return StatusWord.nativeIllegalCommand.bytes }
    guard command.data.isEmpty, command.parameter1 == 0, command.parameter2 == 0 else {
      return StatusWord.nativeLengthError.bytes
    }
    if command.instruction == 0x60 {
      let production: [UInt8] = [0xCF, 0x39, 0xD4, 0x49, 0x80, 0x34, 0x20]
      // A tag with random UIDs does not reveal the true one here either.
      let told = product.usesRandomUID ? [UInt8](repeating: 0, count: 7) : chipUID
      versionFrames = [version.software, told + production]
      return version.hardware + StatusWord.nativeMore.bytes
    }
    guard !versionFrames.isEmpty else { return StatusWord.nativeIllegalCommand.bytes }
    let frame = versionFrames.removeFirst()
    return frame + (versionFrames.isEmpty ? StatusWord.nativeOK : .nativeMore).bytes
  }

  /// Read_Sig (AN12196, section 7.2).
  func signature(_ command: CommandAPDU) -> [UInt8] {
    guard command.data == [0x00], command.parameter1 == 0, command.parameter2 == 0 else {
      return StatusWord.nativeLengthError.bytes
    }
    // The signature would identify the tag, which a random UID must prevent.
    guard !product.usesRandomUID else { return StatusWord.nativeAuthenticationError.bytes }
    return TagSignature.bytesOfNTAG424(for: chipUID) + StatusWord.nativeSignature.bytes
  }

  /// The part of a file that UPDATE BINARY would write; `nil` for any other command.
  func range(writtenBy bytes: [UInt8]) -> (file: Int, range: Range<Int>)? {
    guard let command = CommandAPDU(bytes), command.classByte == 0x00,
      command.instruction & 0xFE == 0xD6, let access = try? Type4Access(command),
      !access.data.isEmpty, let file = try? file(of: access)
    else { return nil }
    return (file, access.offset..<access.offset + access.data.count)
  }
}

/// A command of ISO/IEC 7816-4 with short lengths: header, data, and the expected length.
struct CommandAPDU: Hashable, Sendable {
  let classByte: UInt8
  let instruction: UInt8
  let parameter1: UInt8
  let parameter2: UInt8
  let data: [UInt8]
  /// Le: the maximum length of the response data, 1 to 256; `nil` if the command has none.
  let expectedByteCount: Int?

  /// Parses a command. Returns `nil` if its lengths contradict each other.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4 else { return nil }
    classByte = bytes[0]
    instruction = bytes[1]
    parameter1 = bytes[2]
    parameter2 = bytes[3]
    let body = bytes[4...]
    guard body.count > 1, let count = body.first.map(Int.init) else {
      data = []
      expectedByteCount = body.first.map { $0 == 0 ? 256 : Int($0) }
      return
    }
    guard count > 0, body.count == count + 1 || body.count == count + 2 else { return nil }
    data = Array(body.dropFirst().prefix(count))
    expectedByteCount = body.count == count + 2 ? (bytes.last.map { $0 == 0 ? 256 : Int($0) }) : nil
  }

  /// The offset in P1 and P2, if they contain one of fifteen bits.
  var offset: Int { Int(parameter1 & 0x7F) << 8 | Int(parameter2) }
}

/// The two bytes that end a response.
struct StatusWord: Error, Hashable, Sendable {
  let value: UInt16
  var bytes: [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

  static let ok = StatusWord(value: 0x9000)
  static let memoryFailure = StatusWord(value: 0x6581)
  static let wrongLength = StatusWord(value: 0x6700)
  static let securityNotSatisfied = StatusWord(value: 0x6982)
  static let noFileSelected = StatusWord(value: 0x6985)
  static let wrongData = StatusWord(value: 0x6A80)
  static let fileNotFound = StatusWord(value: 0x6A82)
  static let wrongParameters = StatusWord(value: 0x6A86)
  static let lengthContradictsParameters = StatusWord(value: 0x6A87)
  static let wrongOffset = StatusWord(value: 0x6B00)
  static let unknownInstruction = StatusWord(value: 0x6D00)
  static let unknownClass = StatusWord(value: 0x6E00)
  static let nativeOK = StatusWord(value: 0x9100)
  static let nativeMore = StatusWord(value: 0x91AF)
  static let nativeIllegalCommand = StatusWord(value: 0x911C)
  static let nativeAuthenticationError = StatusWord(value: 0x91AE)
  static let nativeSignature = StatusWord(value: 0x9190)
  static let nativeLengthError = StatusWord(value: 0x917E)
  static let nativeIntegrityError = StatusWord(value: 0x911E)
  static let nativeParameterError = StatusWord(value: 0x919E)
  static let nativePermissionDenied = StatusWord(value: 0x919D)
  static let nativeDelay = StatusWord(value: 0x91AD)
}

/// The access of a READ BINARY or an UPDATE BINARY (NFC Forum Type 4 Tag, sections 5.4.4 and
/// 5.4.5), for either form of the offset.
struct Type4Access: Hashable, Sendable {
  /// The addressed file.
  enum Target: Hashable, Sendable {
    case selected
    /// The file with a short identifier, the low five bits of the whole one.
    case short(UInt16)
  }

  let target: Target
  let offset: Int
  /// The data to write; empty for a read.
  let data: [UInt8]
  /// The number of bytes to read; 0 for a write.
  let count: Int
  /// A Boolean value that indicates whether data is returned in a discretionary data object (`53`).
  let isWrapped: Bool

  /// Parses a command.
  ///
  /// - Throws: The status word for one that contradicts itself.
  init(_ command: CommandAPDU) throws(StatusWord) {
    isWrapped = command.instruction & 0x01 != 0
    let isRead = command.instruction & 0xFE == 0xB0
    var data = command.data[...]
    if isWrapped {
      // Offset data object: tag 54, three bytes.
      guard command.parameter1 == 0, command.parameter2 == 0 else { throw .wrongParameters }
      guard data.count >= 5, data.starts(with: [0x54, 0x03]) else { throw .wrongData }
      target = .selected
      offset = data.dropFirst(2).prefix(3).reduce(0) { $0 << 8 | Int($1) }
      data = data.dropFirst(5)
      if !isRead {
        guard let content = Self.content(of: data) else { throw .wrongData }
        data = content
      }
    } else if command.parameter1 & 0x80 != 0 {
      let short = UInt16(command.parameter1 & 0x1F)
      guard command.parameter1 & 0x60 == 0, short != 0x1F else { throw .wrongParameters }
      target = short == 0 ? .selected : .short(short)
      offset = Int(command.parameter2)
    } else {
      target = .selected
      offset = command.offset
    }
    guard data.isEmpty == isRead, (command.expectedByteCount != nil) == isRead else {
      throw .wrongLength
    }
    self.data = Array(data)
    // In an object, the expected length includes its tag and length.
    let header = !isWrapped ? 0 : command.expectedByteCount ?? 0 < 0x82 ? 2 : 3
    count = max(0, (command.expectedByteCount ?? 0) - header)
  }

  /// The content of a discretionary data object, its length in one byte or after `81`.
  private static func content(of object: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard object.first == 0x53 else { return nil }
    var rest = object.dropFirst()
    if rest.first == 0x81 { rest = rest.dropFirst() }
    guard let length = rest.popFirst(), rest.count == Int(length) else { return nil }
    return rest
  }

  /// The data in the form in which it is returned.
  func wrapped(_ bytes: some Collection<UInt8>) -> [UInt8] {
    guard isWrapped else { return Array(bytes) }
    let length = UInt8(truncatingIfNeeded: bytes.count)
    return (bytes.count < 0x80 ? [0x53, length] : [0x53, 0x81, length]) + bytes
  }
}
