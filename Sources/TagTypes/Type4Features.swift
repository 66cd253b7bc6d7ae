extension Type4Tag {
  /// Reads the originality signature that NXP stored when the tag was made (Read_Sig; NTAG 424 DNA
  /// data sheet NT4H2421Gx, section 10.13; AN12196, section 7.2). It needs no key.
  ///
  /// - Returns: 56 bytes, r before s, from a tag that is in order; `nil` when the tag does not know the
  ///   command.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func readSignature(over channel: some TagChannel) async throws(TagError) -> [UInt8]? {
    var commands = Type4Commands(channel)
    do throws(TagChannelError) {
      return try await commands.signature()
    } catch {
      throw TagError(error, uid: uid)
    }
  }
}
