import CliptagBasics
import Jobs
import TagTypes

/// The details of a tag beyond those that all types have in common, for people.
struct TagDetails {
  /// The details, one on each line.
  let lines: [String]

  /// - Parameters:
  ///   - counter: The number of readings that the tag has counted.
  ///   - isMakerUnproven: `true` if no known key verifies the tag's signature.
  init(_ tag: Tag, counter: Int?, isMakerUnproven: Bool) {
    let named: [(String, String?)] =
      switch tag {
      case .type2(let tag):
        Type2Details(tag: tag, counter: counter, isMakerUnproven: isMakerUnproven).named
      case .type4(let tag): Type4Details(tag: tag).named
      case .type5(let tag): Type5Details(tag: tag).named
      }
    lines = named.compactMap { name, text in text.map { "  \(name.padding(to: 9)) \($0)" } }
  }
}

/// The details of a Type 4 tag: its version, and its capability container.
private struct Type4Details {
  let tag: Type4Tag

  var named: [(String, String?)] {
    let container = tag.capabilityContainer.map { container in
      let access =
        switch container.writeAccess {
        case 0x00: "writable by all"
        case 0xFF: "read-only"
        default: "writing needs a key (\([container.writeAccess].hexadecimal))"
        }
      let reading = container.readAccess == 0 ? "" : "denies reading, "
      return "mapping version \(mapping(container)), file \(file(container)) of "
        + "\(container.fileByteCount) bytes, \(reading)\(access) (capability container "
        + "\(container.bytes.hexadecimal))"
    }
    let rights = tag.settings.flatMap { settings in
      settings.isWriteDenied
        ? settings.isFrozen
          ? "nobody can write its file or change that, not even with a key"
          : "nobody can write its file until a key changes that"
        : settings.isWriteFree ? nil : "a key writes its file"
    }
    let pieces = tag.capabilityContainer.map {
      "reads up to \($0.maximumReadByteCount) bytes at once, writes up to \($0.maximumWriteByteCount)"
    }
    return [
      ("product", tag.version.map { "version \($0.hexadecimal)" }), ("NDEF", container),
      ("rights", rights), ("commands", pieces),
    ]
  }

  private func mapping(_ container: Type4CapabilityContainer) -> String {
    "\(container.mappingVersion >> 4).\(container.mappingVersion & 0x0F)"
  }
  private func file(_ container: Type4CapabilityContainer) -> String {
    [UInt8(container.fileID >> 8), UInt8(container.fileID & 0xFF)].hexadecimal
  }
}

/// The details of a Type 5 tag: its blocks, their locks, and the password's protection.
private struct Type5Details {
  let tag: Type5Tag

  var named: [(String, String?)] {
    let size = tag.blockCount.map {
      "\($0 * tag.blockByteCount) bytes of user memory on \($0) blocks of \(tag.blockByteCount)"
    }
    let container = tag.capabilityContainer.map { container in
      let access =
        switch container.writeAccess {
        case 0: "writable by all"
        case 3 where tag.isClosedOnlyByContainer: "closed by its container, which is not locked"
        case 3: "read-only"
        default: "writing needs a secret"
        }
      let reading = container.readAccess == 0 ? "" : "denies reading, "
      return "\(container.areaByteCount) bytes, \(reading)\(access) (capability container "
        + "\(container.bytes.hexadecimal))"
    }
    let locks = locked.map { locked in
      locked.isEmpty
        ? "no block is locked"
        : locked.count == tag.blockCount
          ? "every block is permanently locked"
          : Tag.type5(tag).isLockedWhole
            ? "every block of the NDEF memory is permanently locked: \(ranges(locked))"
            : "permanently locked: blocks \(ranges(locked))"
    }
    let password = rule.map {
      "needed \($0.protectsReading ? "to read and to write" : "to write") from block \($0.firstPage) on"
    }
    return [("product", size), ("NDEF", container), ("locks", locks), ("password", password)]
  }

  private var rule: PasswordRule? { Tag.type5(tag).passwordRule }
  private var locked: [Int]? {
    tag.lockedBlocks.map { locks in locks.indices.filter { locks[$0] } }
  }
}

/// The details of a Type 2 tag: its product, locks, password, mirror and counter.
private struct Type2Details {
  let tag: Type2Tag
  let counter: Int?
  let isMakerUnproven: Bool

  var named: [(String, String?)] {
    [
      ("product", product), ("NDEF", container), ("locks", locks), ("password", password),
      ("mirror", mirror), ("counter", count),
    ]
  }

  private var userByteCount: Int { tag.layout.userPages.count * TagMemory.pageByteCount }

  private var product: String {
    var text = "\(userByteCount) bytes of user memory on \(tag.layout.pageCount) pages"
    if let vendor = tag.vendor {
      text += isMakerUnproven ? ", maker unproven" : ", chip by \(vendor)"
    }
    if let version = tag.version { text += " (version \(version.hexadecimal))" }
    return text
  }

  private var container: String? {
    guard let container = tag.capabilityContainer else { return nil }
    let bytes = "capability container \(container.bytes.hexadecimal)"
    guard container.isNDEF else { return bytes + ", not an NDEF one" }
    let access =
      switch container.writeAccess {
      case 0x0: "writable by all"
      case 0xF: "permanently read-only"
      default: "writing needs a secret"
      }
    let reading = container.readAccess == 0 ? "" : "denies reading, "
    return "\(container.dataAreaByteCount) bytes, \(reading)\(access) (\(bytes))"
  }

  private var locks: String {
    let pages = tag.lockedPages
    let user = Array(tag.layout.userPages)
    if let unknown = tag.pagesWithUnknownLocks {
      let known =
        pages.isEmpty
        ? "no page from 3 to \(unknown.lowerBound - 1) is locked"
        : "permanently locked: pages \(ranges(pages))"
      return
        "\(known); the state of pages \(ranges(Array(unknown))) is unknown, because the lock bits "
        + "of this product are undocumented"
    }
    let locked =
      pages.isEmpty
      ? "no page is locked"
      : Set(user).isSubset(of: pages)
        ? "every page is permanently locked" : "permanently locked: pages \(ranges(pages))"
    return tag.configuration?.isLocked == true
      ? "\(locked); the configuration is permanently locked" : locked
  }

  private var password: String? {
    guard let page = tag.firstProtectedPage else {
      guard tag.isPasswordProtected == true else { return nil }
      return "pages are not readable, so a password protects them"
    }
    if tag.layout.tripleDESPage != nil {
      return "a 3DES key protects the tag from page \(page) on"
    }
    guard let configuration = tag.configuration else {
      return "needed from page \(page) on, to read too"
    }
    let access = configuration.protectsReading ? "to read and to write" : "to write"
    let limit = configuration.wrongPasswordLimit
    guard limit > 0 else { return "needed \(access) from page \(page) on, any number of tries" }
    return
      "needed \(access) from page \(page) on; after \(limit) wrong ones in a row (AUTHLIM) those pages "
      + "are permanently locked"
  }

  private var mirror: String? {
    tag.mirror.map {
      "mirrors \($0.kind.placeholder) over its memory from page \($0.page), byte \($0.byte) on"
    }
  }

  private var count: String? {
    if let counter { return counter == 1 ? "read once" : "read \(counter) times" }
    guard let configuration = tag.configuration, configuration.counterIsEnabled else { return nil }
    return "counts its readings, readable only with the password"
  }
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
