/// GetFileSettings of an NTAG 424 DNA (NT4H2421Gx, section 10.7.2), for its NDEF file only.
extension SimulatedType4Tag {
  /// File type, options, access rights, size, and with Secure Unique NFC where each part lies.
  func fileSettings(_ command: CommandAPDU) -> [UInt8] {
    guard product.version != nil, product.name.hasPrefix("NTAG") else {
      return StatusWord.nativeIllegalCommand.bytes
    }
    guard command.data == [0x02], isApplicationSelected else {
      return StatusWord.nativeLengthError.bytes
    }
    // Read, write and read-write are free (E), changing the settings takes key 0.
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
  /// SDMOptions, SDMAccessRights and the offsets that these two ask for. Keys 2 and 1 read.
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

  /// Where a character of the URL lies in the NDEF file: behind NLEN, the record's header, its type
  /// and the prefix byte, which stands for `https://`.
  private func fileOffset(_ offset: Int) -> Int { offset - "https://".utf8.count + 7 }
}
