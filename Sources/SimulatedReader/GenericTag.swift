import TagTypes

extension SimulatedTag {
  /// A Type 2 tag of no known product: it does not tell a version, and says by TLV blocks where
  /// its lock bits are and which memory it keeps for itself.
  ///
  /// The data area has 240 bytes. In front of the empty NDEF message (page 4 on) lie
  /// - Lock Control `01 03 80 18 35`: 24 bits at byte 256, each for eight bytes from byte 64 on;
  /// - Memory Control `02 03 60 10 04`: sixteen bytes at byte 96, in the middle of the data area,
  ///   which refuse every write;
  /// - two bytes of a proprietary block.
  ///
  /// - Parameters:
  ///   - uid: Seven bytes.
  ///   - blocks: The TLV blocks from page 4 on instead of these.
  /// - Throws: `.malformedUID`.
  package static func generic(
    uid: [UInt8] = SimulatedTag.defaultUID, blocks: [UInt8]? = nil
  ) throws(SimulatedReaderError) -> SimulatedTag {
    let lockPage = 64
    let layout = Type2Layout(
      name: "Type 2 tag", pageCount: lockPage + 1, userPages: 0x04...0x3F,
      capabilityContainer: [0xE1, 0x10, 0x1E, 0x00],
      factoryData: [0x01, 0x03, 0x80, 0x18, 0x35, 0x02, 0x03, 0x60], dynamicLockPage: lockPage)
    var tag = try SimulatedTag(layout, uid: uid)
    tag.isGeneric = true
    tag.reservedPages = 24..<28
    tag.place(
      blocks ?? [
        0x01, 0x03, 0x80, 0x18, 0x35, 0x02, 0x03, 0x60, 0x10, 0x04, 0xFD, 0x02, 0xCA, 0xFE, 0x03,
        0x00, 0xFE,
      ], atPage: 4)
    tag.place([UInt8](repeating: 0xA5, count: 16), atPage: 24)
    return tag
  }
}
