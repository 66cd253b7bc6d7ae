/// Whether a page can be written, as the tag's lock bits and configuration say.
package enum PageProtection: Hashable, Sendable {
  /// Nothing that has been read forbids it.
  case open
  /// A lock bit is set: the page can never be written again.
  case locked
  /// The page is at or behind AUTH0, and the tag was not read over an ``AuthenticatedChannel``:
  /// writing it needs the password.
  case password
}

extension Type2Layout {
  /// The pages with dynamic lock bits, mirror, password start and access, read in one command.
  var protectionPages: ClosedRange<Int>? {
    guard let page = configurationPage ?? tripleDESPage else { return nil }
    return (dynamicLockPage ?? page)...page + 1
  }
}

extension Type2Tag {
  /// Whether a page can be written, by what has been read: static lock bits (page 2) always,
  /// dynamic lock bits and AUTH0 after ``readingConfiguration(over:)``.
  ///
  /// Lock bits: NTAG21x data sheet, sections 8.5.2 and 8.5.3. AUTH0: section 8.5.7.
  package func protection(of page: Int) -> PageProtection {
    if isLocked(page) { return .locked }
    if let first = layout.configurationPage, page == first || page == first + 1,
      configuration?.isLocked == true
    {
      return .locked
    }
    if !isAuthenticated, let firstProtectedPage, page >= firstProtectedPage { return .password }
    return .open
  }

  /// Whether the NDEF memory is read-only for good: the capability container grants no write
  /// access, or a page of the data area is locked.
  ///
  /// Complete after ``readingConfiguration(over:)``; before, pages from 10h on count as open.
  public var isLocked: Bool {
    if let container = capabilityContainer, container.isNDEF, container.writeAccess == 0x0F {
      return true
    }
    return map.area.addresses.contains { isLocked($0 / Type2Memory.pageByteCount) }
  }

  /// Whether a password guards the tag or part of it: AUTH0 points into its memory, or pages
  /// could not be read. `nil` when the configuration has not been read.
  public var isPasswordProtected: Bool? {
    if case .unreadable = content { return true }
    guard let page = layout.configurationPage ?? layout.tripleDESPage else { return false }
    if memory.isUnreadable(page) { return true }
    guard memory[page] != nil else { return nil }
    return firstProtectedPage != nil
  }

  /// The first page that needs the password, or on MIFARE Ultralight C the key (AUTH0), if that
  /// lies on the tag and is known.
  public var firstProtectedPage: Int? {
    let page: UInt8?
    if let tripleDESPage = layout.tripleDESPage {
      page = memory[tripleDESPage]?[0]
    } else {
      page = layout.configurationPage.flatMap { memory[$0]?[3] }
    }
    return page.map(Int.init).flatMap { $0 < layout.pageCount ? $0 : nil }
  }

  /// The bytes, counted from page 0, over which the tag shows its UID or counter instead of its
  /// memory (NTAG21x data sheet, section 8.7); empty when it does not or when that is not known.
  var mirrored: Range<Int> {
    let end = (layout.userPages.upperBound + 1) * Type2Memory.pageByteCount
    return mirror?.addresses.clamped(to: 0..<end) ?? 0..<0
  }

  /// Whether a page holds these bytes, as far as a mirror lets one see.
  func shows(_ bytes: [UInt8], on page: Int) -> Bool {
    guard let current = memory[page] else { return false }
    let mirrored = mirrored
    return current.indices.allSatisfy { index in
      current[index] == bytes[index]
        || mirrored.contains(page * Type2Memory.pageByteCount + index)
    }
  }

  private func isLocked(_ page: Int) -> Bool {
    if (3...15).contains(page) {
      guard let bytes = memory[2] else { return false }
      let bits = Int(bytes[2]) | Int(bytes[3]) << 8
      return bits >> page & 1 == 1
    }
    // The last bit of an NTAG215 or NTAG216 stands for 16 pages, of which the lock page and what
    // follows it are none (NTAG21x data sheet, section 8.5.3).
    if let lockPage = layout.dynamicLockPage, page >= lockPage { return false }
    guard let lockBits = layout.dynamicLockBits ?? map.lockBits,
      let bit = lockBits.bit(for: page)
    else { return false }
    let address = lockBits.address + bit / 8
    guard let bytes = memory[address / Type2Memory.pageByteCount] else { return false }
    return bytes[address % Type2Memory.pageByteCount] >> (bit % 8) & 1 == 1
  }
}
