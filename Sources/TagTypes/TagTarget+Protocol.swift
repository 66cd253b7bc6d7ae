extension TagTarget {
  /// Whether the tag speaks ISO/IEC 14443-4 (ISO-DEP), so that commands are APDUs: bit 6 of the SAK
  /// (ISO/IEC 14443-3, table 9).
  public var speaksISODEP: Bool { sak & 0x20 != 0 }

  /// Whether the UID is a random one, which the tag makes anew each time it is powered: four bytes,
  /// the first of them `08` (ISO/IEC 14443-3, 6.5.4).
  ///
  /// Such a tag cannot be told from another one of its kind once the field has been off.
  public var hasRandomUID: Bool { uid.count == 4 && uid[0] == 0x08 }
}
