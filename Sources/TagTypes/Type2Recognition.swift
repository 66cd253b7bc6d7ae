/// Finds out which product a Type 2 tag is, with as few exchanges as that takes.
///
/// 1. FAST_READ of the pages that every Type 2 tag has. A tag that answers, holds a message or
///    an empty one, and has the capability container of one product alone, is that product when its
///    lock bytes lie where that product's do; they have to be read anyway. So a tag that is new or
///    in use takes two exchanges. Any other that answers is asked for its version.
/// 2. A tag that does not know FAST_READ is read with READ. It is a MIFARE Ultralight when its
///    capability container is an Ultralight's, or blank with page 0 right behind page 15; else it
///    is asked for its version, in case that it was a protected or disturbed NTAG, and for its
///    3DES authentication, which only MIFARE Ultralight C knows.
struct Type2Recognition<Channel: TagChannel> {
  var reading: Type2Reading<Channel>
  private(set) var version: [UInt8]?
  private let target: TagTarget
  private let isThorough: Bool

  /// Every Type 2 tag has at least these pages.
  private static var commonPages: ClosedRange<Int> { 0...15 }

  /// - Parameter isThorough: Whether a MIFARE Ultralight with a message is told from a small NTAG
  ///   whose password closes pages behind the message to readers, which may take one READ more.
  init(_ commands: Type2Commands<Channel>, _ target: TagTarget, isThorough: Bool) {
    self.target = target
    self.isThorough = isThorough
    reading = Type2Reading(
      commands, memory: Type2Memory(), usesFastRead: true, lastPage: Self.commonPages.upperBound)
  }

  /// The product, after which ``reading`` knows the first pages at least, and its last page.
  mutating func product() async throws(TagChannelError) -> Type2Layout {
    let layout =
      try await reading.tryFastRead(Self.commonPages)
      ? try await productWithFastRead() : try await productWithoutFastRead()
    reading.lastPage = layout.pageCount - 1
    return layout
  }

  private var container: CapabilityContainer? { reading.memory[3].map(CapabilityContainer.init) }

  private mutating func productWithFastRead() async throws(TagChannelError) -> Type2Layout {
    if let layout = candidate, holdsMessage(on: layout), let pages = layout.protectionPages,
      let lockPage = layout.dynamicLockPage
    {
      reading.lastPage = layout.pageCount - 1
      if try await reading.tryFastRead(pages),
        reading.memory[lockPage]?.last == Type2Layout.endOfDynamicLockPage
      {
        return layout
      }
      for page in pages { reading.memory.forget(page) }
    }
    version = try await reading.commands.version(attempts: 2)
    return named ?? .unknown(container, version: version)
  }

  /// The only product that knows FAST_READ and has this capability container, access apart.
  private var candidate: Type2Layout? {
    guard let container, container.isNDEF else { return nil }
    let all = Type2Layout.all.filter {
      $0.version != nil && $0.capabilityContainer[..<3] == container.bytes[..<3]
    }
    return all.count == 1 ? all[0] : nil
  }

  /// Whether there is a message, empty or not, be it that its end has not been read yet.
  private func holdsMessage(on layout: Type2Layout) -> Bool {
    do throws(MissingPages) {
      switch try Type2Tag.map(of: reading.memory, layout).content {
      case .message, .empty: return true
      default: return false
      }
    } catch {
      return true
    }
  }

  private mutating func productWithoutFastRead() async throws(TagChannelError) -> Type2Layout {
    // Page 0 is known from the selection, so that the first READ gets one page more.
    if let page = target.firstPage { reading.memory.store(page, from: 0) }
    try await reading.load(0...3)
    let ultralight = Type2Layout.ultralight
    var mayBeUltralight = !reading.endsEarly
    if container?.isNDEF == true {
      mayBeUltralight =
        mayBeUltralight && container?.bytes[2] == ultralight.capabilityContainer[2]
      if mayBeUltralight && isThorough { try await reading.load(13...15) }
    } else if mayBeUltralight {
      try await reading.load(Self.commonPages)
    }
    if mayBeUltralight && !reading.endsEarly && !reading.goesOn { return ultralight }
    version = try await reading.commands.version(attempts: 1)
    if version == nil, try await reading.commands.knowsTripleDES() { return .ultralightC }
    return named ?? .unknown(container, version: version)
  }

  private var named: Type2Layout? {
    version.flatMap { answer in Type2Layout.all.first { $0.matches(answer) } }
  }
}

extension Type2Layout {
  /// What the last byte of the page with the dynamic lock bytes reads on NTAG and MIFARE Ultralight
  /// EV1 (NTAG213/215/216 data sheet, section 8.5.3: to be ignored, and BDh on every one).
  static let endOfDynamicLockPage: UInt8 = 0xBD
}

extension TagTarget {
  /// Page 0, which a tag with a UID of seven bytes has told when it was selected: three bytes of the
  /// UID, and their check byte (ISO/IEC 14443-3, section 6.5.3).
  fileprivate var firstPage: [UInt8]? {
    guard uid.count == 7 else { return nil }
    return uid[..<3] + [0x88 ^ uid[0] ^ uid[1] ^ uid[2]]
  }
}
