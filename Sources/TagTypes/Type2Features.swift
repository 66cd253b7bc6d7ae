extension Type2Tag {
  /// Reads the NFC counter, which the tag raises at the first read after each power-up (READ_CNT;
  /// NTAG213/215/216 data sheet, sections 8.8 and 10.6).
  ///
  /// - Returns: 0 to 16,777,215; `nil` when the product has no counter, does not count, or wants a
  ///   password first.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func readCounter(over channel: some TagChannel) async throws(TagError) -> Int? {
    guard layout.hasCounter, configuration?.counterIsEnabled != false else { return nil }
    var commands = Type2Commands(channel)
    do throws(TagChannelError) {
      guard let bytes = try await commands.counter() else { return nil }
      return Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
    } catch {
      throw TagError(error, uid: uid)
    }
  }

  /// Reads the originality signature that NXP stored when the tag was made (READ_SIG;
  /// NTAG213/215/216 data sheet, sections 8.9 and 10.8; MF0ULx1, section 10.8).
  ///
  /// - Returns: 32 bytes, r before s; `nil` when the product has none.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func readSignature(over channel: some TagChannel) async throws(TagError) -> [UInt8]? {
    guard layout.version != nil else { return nil }
    var commands = Type2Commands(channel)
    do throws(TagChannelError) {
      return try await commands.signature()
    } catch {
      throw TagError(error, uid: uid)
    }
  }
}
