import CliptagBasics

extension Type2Tag {
  /// The message with zeros in place of the digits of a mirrored counter, which differ at every
  /// reading; `nil` if the tag holds no message.
  var messageWithoutCounter: [UInt8]? {
    guard case .message(var bytes) = content else { return nil }
    guard let mirror, mirror.kind.showsCounter else { return bytes }
    let counter = mirror.addresses.suffix(6)
    // A length of one byte, or of three.
    let isLong = map.area.addresses[map.start...].dropFirst().first.map { address in
      memory[address / TagMemory.pageByteCount]?[address % TagMemory.pageByteCount] == 0xFF
    }
    let first = map.start + (isLong == true ? 4 : 2)
    for index in bytes.indices where counter.contains(map.area.addresses[first + index]) {
      bytes[index] = UInt8(ascii: "0")
    }
    return bytes
  }

  /// Returns `true` if a mirror shows the right text: this tag's UID, and six digits for its
  /// counter.
  func fillsIn(_ mirror: TagMirror) -> Bool {
    guard let shown = text(under: mirror) else { return false }
    let counter = mirror.kind.showsCounter ? [UInt8](hexadecimal: shown.utf8.suffix(6)) : []
    return counter.map { bytes in
      shown == mirror.kind.digits(uid: uid, counter: bytes.reduce(0) { $0 << 8 | Int($1) })
    } ?? false
  }

  /// The text that the tag shows at a mirror's place, if that has been read and is ASCII.
  func text(under mirror: TagMirror) -> String? {
    var text = ""
    for address in mirror.addresses {
      guard
        let byte = memory[address / TagMemory.pageByteCount]?[
          address % TagMemory.pageByteCount], byte < 0x80
      else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }
}

/// The requested mirror over the message that a plan writes.
enum MirrorRequest: Hashable, Sendable {
  /// The present mirror is kept.
  case unchanged
  /// No mirror covers the message; a mirror elsewhere is kept.
  case nothing
  /// The mirror is that of the template.
  case filling(MirrorTemplate)
}

extension Type2Tag {
  /// CFG0 and CFG1 for a request, with every other bit preserved.
  ///
  /// - Returns: `nil` if the request does not affect them.
  /// - Throws: ``TagError``: `tag-unsupported` if the product has no such mirror, `tag-locked` or
  ///   `tag-password` if the configuration must change and cannot.
  func configuration(
    for request: MirrorRequest, over image: TLVImage, messageByteCount: Int
  ) throws(TagError) -> Type2Configuration? {
    let wanted: Type2Configuration?
    switch request {
    case .unchanged: return nil
    case .nothing:
      guard let mirror, image.addresses.contains(where: mirror.addresses.contains) else {
        return nil
      }
      wanted = configuration?.with(mirror: nil)
    case .filling(let template):
      let mirror = try mirror(template, in: image, messageByteCount: messageByteCount)
      wanted = try configuration.map { configuration throws(TagError) in
        try configuration.showing(mirror, on: self)
      }
    }
    guard let configuration, let wanted else { throw unreadableConfiguration }
    if wanted != configuration { try checkConfigurationAccess(configuration) }
    return wanted
  }

  /// The mirror required by a template.
  private func mirror(
    _ template: MirrorTemplate, in image: TLVImage, messageByteCount: Int
  ) throws(TagError) -> TagMirror {
    let kind = template.kind
    let isKnown =
      switch layout.mirroring {
      case .none: false
      case .uid: kind == .uid
      case .uidAndCounter: true
      }
    guard isKnown, uid.count == 7 else {
      throw TagError(
        .tagUnsupported, "\(name) \(uid.hexadecimal) cannot fill in \(kind.placeholder)",
        hint: "use an NTAG213, NTAG215 or NTAG216"
          + (kind == .uid ? ", or an NTAG210 or NTAG212" : ""),
        uid: uid)
    }
    let end = messageByteCount - template.byteCountBehind
    let addresses = image.addresses(ofMessageBytes: end - kind.characterCount..<end)
    // Reserved memory inside the message would be covered as well.
    guard let first = addresses.first, addresses.last == first + addresses.count - 1 else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) reserves memory in the middle of \(kind.placeholder)",
        hint: "use another tag, or move \(kind.placeholder) in the URL", uid: uid)
    }
    return TagMirror(kind, at: first)
  }

  private func checkConfigurationAccess(
    _ configuration: Type2Configuration
  ) throws(TagError) {
    guard let page = layout.configurationPage else { return }
    let consequence = "so its mirror cannot change"
    if configuration.isLocked {
      throw TagError(
        .tagLocked,
        "the configuration of \(name) \(uid.hexadecimal) is permanently locked (CFGLCK), "
          + consequence,
        hint: "use another tag: this is permanent", page: page, uid: uid)
    }
    if protection(of: page + 1) == .password || protection(of: page) == .password {
      throw TagError(
        .tagPassword,
        "a password protects the configuration of \(name) \(uid.hexadecimal), \(consequence)",
        hint: TagError.givePassword + ", or use another tag",
        page: page, uid: uid)
    }
  }

  private var unreadableConfiguration: TagError {
    TagError(
      .tagPassword, "the configuration of \(name) \(uid.hexadecimal) cannot be read",
      hint: TagError.givePassword + ", or use another tag",
      page: layout.configurationPage, uid: uid)
  }

  /// The steps to the planned configuration: the counter before the mirror that shows it.
  func steps(to wanted: Type2Configuration?) -> [WritePlan.Step] {
    guard let page = layout.configurationPage, let wanted, let configuration else { return [] }
    return [
      (page + 1, configuration.secondPage, wanted.secondPage),
      (page, configuration.firstPage, wanted.firstPage),
    ].filter { $0.1 != $0.2 }.map { page, before, after in
      WritePlan.Step(.configure, at: .page(page), before: before, after: after)
    }
  }
}

extension Type2Configuration {
  /// Returns a copy with a mirror, which counts if the mirror shows the counter.
  fileprivate func showing(
    _ mirror: TagMirror, on tag: Type2Tag
  ) throws(TagError) -> Type2Configuration {
    let wanted = with(mirror: mirror)
    guard mirror.kind.showsCounter else { return wanted }
    guard !counterNeedsPassword else {
      throw TagError(
        .tagPassword,
        "the counter of \(tag.name) \(tag.uid.hexadecimal) is readable only with the password "
          + "(NFC_CNT_PWD_PROT)",
        hint: "permit reading the counter with the tool that protected it, or use another tag",
        page: tag.layout.configurationPage.map { $0 + 1 }, uid: tag.uid)
    }
    return wanted.with(counterIsEnabled: true)
  }
}
