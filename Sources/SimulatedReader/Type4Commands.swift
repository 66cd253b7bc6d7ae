/// The commands of a Type 4 tag (NFC Forum Type 4 Tag, section 5.4; NT4H2421Gx, section 10.9, for
/// what goes wrong).
extension SimulatedType4Tag {
  /// What the tag responds to a whole command, status word last.
  mutating func response(to bytes: [UInt8]) -> [UInt8] {
    guard let command = CommandAPDU(bytes) else {
      return (bytes.first == 0x90 ? StatusWord.nativeLengthError : .wrongLength).bytes
    }
    // A read that follows a read goes on with the same message (NT4H2421Gx, section 9.3.2).
    if command.classByte != 0x00 || command.instruction != 0xB0 { mirroredFile = nil }
    switch (command.classByte, command.instruction) {
    case (0x00, 0xA4): return select(command).bytes
    case (0x00, 0xB0): return readBinary(command)
    case (0x00, 0xD6): return updateBinary(command).bytes
    case (0x00, _): return StatusWord.unknownInstruction.bytes
    case (0x90, 0x60), (0x90, 0xAF): return version(command)
    case (0x90, _): return StatusWord.nativeIllegalCommand.bytes
    default: return StatusWord.unknownClass.bytes
    }
  }

  private mutating func select(_ command: CommandAPDU) -> StatusWord {
    guard command.parameter2 == 0x00 || command.parameter2 == 0x0C else { return .wrongParameters }
    switch command.parameter1 {
    case 0x04:
      guard command.data == [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01] else {
        return .fileNotFound
      }
      isApplicationSelected = true
      selectedFile = nil
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

  /// The file and the offset that READ BINARY or UPDATE BINARY means.
  private func target(of command: CommandAPDU) -> (file: Int?, offset: Int, failure: StatusWord?) {
    guard command.parameter1 & 0x80 != 0 else {
      return (selectedFile, command.offset, selectedFile == nil ? .noFileSelected : nil)
    }
    let short = UInt16(command.parameter1 & 0x1F)
    guard command.parameter1 & 0x60 == 0, short != 0x1F else { return (nil, 0, .wrongParameters) }
    let offset = Int(command.parameter2)
    if short == 0 { return (selectedFile, offset, selectedFile == nil ? .noFileSelected : nil) }
    let file = files.firstIndex { isApplicationSelected && $0.identifier & 0x1F == short }
    return (file, offset, file == nil ? .fileNotFound : nil)
  }

  private mutating func readBinary(_ command: CommandAPDU) -> [UInt8] {
    guard command.data.isEmpty, let count = command.expectedByteCount,
      count <= maximumLengths.read || !product.enforcesMaximumLengths
    else { return StatusWord.wrongLength.bytes }
    let target = target(of: command)
    guard let index = target.file else { return (target.failure ?? .noFileSelected).bytes }
    selectedFile = index
    let file = files[index]
    guard access(to: file.identifier).read == 0x00 else {
      return StatusWord.securityNotSatisfied.bytes
    }
    guard target.offset < file.bytes.count else { return wrongOffset.bytes }
    let bytes = file.identifier == 0xE104 ? freshNDEFFile() : file.bytes
    return bytes[target.offset...].prefix(count) + StatusWord.ok.bytes
  }

  private mutating func updateBinary(_ command: CommandAPDU) -> StatusWord {
    guard !command.data.isEmpty, command.expectedByteCount == nil,
      command.data.count <= maximumLengths.write
    else { return .wrongLength }
    let target = target(of: command)
    guard let index = target.file else { return target.failure ?? .noFileSelected }
    selectedFile = index
    let file = files[index]
    guard access(to: file.identifier).write == 0x00 else { return .securityNotSatisfied }
    guard target.offset < file.bytes.count else { return wrongOffset }
    guard target.offset + command.data.count <= file.bytes.count else { return .wrongLength }
    place(command.data, inFile: file.identifier, at: target.offset)
    return .ok
  }

  /// NXP's tags call an offset past the end a wrong parameter, ISO/IEC 7816-4 a wrong offset.
  private var wrongOffset: StatusWord { product.version == nil ? .wrongOffset : .wrongParameters }

  /// GetVersion: hardware, then software, then UID and batch, each asked for with 90AF.
  private mutating func version(_ command: CommandAPDU) -> [UInt8] {
    guard let version = product.version else { return StatusWord.nativeIllegalCommand.bytes }
    guard command.data.isEmpty, command.parameter1 == 0, command.parameter2 == 0 else {
      return StatusWord.nativeLengthError.bytes
    }
    if command.instruction == 0x60 {
      let production: [UInt8] = [0xCF, 0x39, 0xD4, 0x49, 0x80, 0x34, 0x20]
      // A tag with random UIDs does not give the true one away here either.
      let told = product.usesRandomUID ? [UInt8](repeating: 0, count: 7) : chipUID
      versionFrames = [version.software, told + production]
      return version.hardware + StatusWord.nativeMore.bytes
    }
    guard !versionFrames.isEmpty else { return StatusWord.nativeIllegalCommand.bytes }
    let frame = versionFrames.removeFirst()
    return frame + (versionFrames.isEmpty ? StatusWord.nativeOK : .nativeMore).bytes
  }

  /// The part of a file that UPDATE BINARY would write; `nil` when a command is none.
  func range(writtenBy bytes: [UInt8]) -> (file: Int, range: Range<Int>)? {
    guard let command = CommandAPDU(bytes), command.classByte == 0x00, command.instruction == 0xD6,
      !command.data.isEmpty
    else { return nil }
    let target = target(of: command)
    guard let file = target.file else { return nil }
    return (file, target.offset..<target.offset + command.data.count)
  }
}
