import TagTypes

/// What only a Type 2 tag has: its product, locks, password, mirror and counter.
struct TagDetails {
  let tag: Type2Tag
  let counter: Int?

  /// Reads what identifying left out.
  init(_ tag: Type2Tag, over channel: some TagChannel) async throws(TagError) {
    self.tag = try await tag.readingVersion(over: channel)
    counter = try await tag.readCounter(over: channel)
  }

  var json: JSONValue {
    .object([
      ("version", JSONValue(tag.version?.hexadecimal)),
      ("vendor", JSONValue(vendor)),
      (
        "storageBytes",
        storage.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) } ?? .null
      ),
      ("pages", .integer(tag.layout.pageCount)),
      ("userBytes", .integer(userByteCount)),
      ("capabilityContainer", JSONValue(tag.capabilityContainer?.bytes.hexadecimal)),
      ("staticLocks", JSONValue(tag.staticLockBytes?.hexadecimal)),
      ("dynamicLocks", JSONValue(tag.dynamicLockBytes?.hexadecimal)),
      ("lockedPages", .array(tag.lockedPages.map(JSONValue.integer))),
      ("firstProtectedPage", JSONValue(tag.firstProtectedPage)),
      ("configuration", tag.configuration.map(json) ?? .null),
      ("mirror", tag.mirror.map(json) ?? .null),
      ("counter", JSONValue(counter)),
    ])
  }

  private func json(_ configuration: Type2Configuration) -> JSONValue {
    .object([
      ("bytes", .string(configuration.bytes.hexadecimal)),
      ("protectsReading", .bool(configuration.protectsReading)),
      ("wrongPasswordLimit", .integer(configuration.wrongPasswordLimit)),
      ("locked", .bool(configuration.isLocked)),
      ("counterEnabled", .bool(configuration.counterIsEnabled)),
      ("counterNeedsPassword", .bool(configuration.counterNeedsPassword)),
    ])
  }

  private func json(_ mirror: TagMirror) -> JSONValue {
    .object([
      ("shows", .string(mirror.kind.placeholder)), ("page", .integer(mirror.page)),
      ("byte", .integer(mirror.byte)),
    ])
  }

  /// One line for each thing there is to say.
  var lines: [String] {
    [
      ("product", product), ("NDEF", container), ("locks", locks), ("password", password),
      ("mirror", mirror), ("counter", count),
    ].compactMap { name, text in text.map { "  \(name.padding(to: 9)) \($0)" } }
  }

  private var userByteCount: Int { tag.layout.userPages.count * Type2Memory.pageByteCount }

  /// How much user memory the chip says it has, at least and at most.
  private var storage: ClosedRange<Int>? { tag.productVersion?.storageByteCount }

  private var vendor: String? {
    tag.productVersion.map { $0.vendor == 4 ? "NXP" : "number \($0.vendor)" }
  }

  private var product: String {
    var text = "\(userByteCount) bytes of user memory on \(tag.layout.pageCount) pages"
    if let vendor { text += ", chip by \(vendor)" }
    if let version = tag.version { text += " (version \(version.hexadecimal))" }
    return text
  }

  private var container: String? {
    guard let container = tag.capabilityContainer else { return nil }
    let bytes = "capability container \(container.bytes.hexadecimal)"
    guard container.isNDEF else { return bytes + ", not one of NDEF" }
    let access =
      switch container.writeAccess {
      case 0x0: "everybody may write"
      case 0xF: "nobody may write, for good"
      default: "writing needs a secret"
      }
    return "\(container.dataAreaByteCount) bytes, \(access) (\(bytes))"
  }

  private var locks: String {
    let pages = tag.lockedPages
    let user = Array(tag.layout.userPages)
    let locked =
      pages.isEmpty
      ? "no page is locked"
      : Set(user).isSubset(of: pages)
        ? "every page is locked for good" : "locked for good: pages \(ranges(pages))"
    return tag.configuration?.isLocked == true
      ? "\(locked); the configuration is locked for good" : locked
  }

  private var password: String? {
    guard let page = tag.firstProtectedPage else {
      guard tag.isPasswordProtected == true else { return nil }
      return "pages cannot be read, so a password guards them"
    }
    if tag.layout.tripleDESPage != nil {
      return "a 3DES key guards the tag from page \(page) on"
    }
    guard let configuration = tag.configuration else {
      return "needed from page \(page) on, to read too"
    }
    let access = configuration.protectsReading ? "to read and to write" : "to write"
    let limit = configuration.wrongPasswordLimit
    guard limit > 0 else { return "needed \(access) from page \(page) on, any number of tries" }
    return
      "needed \(access) from page \(page) on; after \(limit) wrong ones in a row (AUTHLIM) those pages "
      + "are closed to everybody, for good"
  }

  private var mirror: String? {
    tag.mirror.map {
      "shows \($0.kind.placeholder) over its memory from page \($0.page), byte \($0.byte) on"
    }
  }

  private var count: String? {
    if let counter { return counter == 1 ? "read once" : "read \(counter) times" }
    guard let configuration = tag.configuration, configuration.counterIsEnabled else { return nil }
    return "counts its readings, but tells them only to who knows the password"
  }

  /// Numbers as `4-9, 12`.
  private func ranges(_ pages: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for page in pages {
      if let last = ranges.last, last.upperBound + 1 == page {
        ranges[ranges.count - 1] = last.lowerBound...page
      } else {
        ranges.append(page...page)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ", ")
  }
}
