import CliptagBasics
import Invocation
import NDEF
import TagAuthenticity
package import TagTypes
import Verifying

/// The kind of a tag and what it holds, without a judgement: the `tag` object of the command's
/// contract.
public struct TagInfoResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "tag"
  /// The connection string of the reader.
  public let source: String
  /// The facts that all types of tags have in common.
  public let tag: TagFactsResult
  /// `message`, `empty`, `blank`, `not-ndef`, `other-data`, `torn`, `password` or `unreadable`.
  public let content: String
  /// The URI that a phone takes from the tag.
  public let payload: String?
  /// The findings about the tag and its data.
  public let findings: [FindingResult]
  /// The facts of the tag's type.
  public let details: TagDetailsResult
  /// The records of the tag's message.
  public let records: [TagRecordResult]

  /// - Parameters:
  ///   - counter: The number of readings that the tag has counted.
  ///   - showsBytes: Whether the payloads of the records are stated.
  init(
    _ tag: Tag, _ facts: TagFacts, findings: [Finding], payload: String?, counter: Int?,
    showsBytes: Bool, source: String
  ) {
    self.source = source
    self.tag = TagFactsResult(facts)
    // A tag that refuses every command has unknown content; a password would be a guess.
    content = tag.type2?.isMute == true ? "unreadable" : tag.content.name
    self.payload = payload
    self.findings = findings.map(FindingResult.init)
    details = TagDetailsResult(
      tag, counter: counter,
      isMakerUnproven: facts.originality?.hasUnverifiedSignature == true)
    records = tag.records.map { TagRecordResult($0, showsBytes: showsBytes) }
  }
}

/// The facts that only tags of one type have.
public enum TagDetailsResult: Encodable, Hashable, Sendable {
  /// A Type 2 tag.
  case type2(Type2Result)
  /// A Type 4 tag.
  case type4(Type4Result)
  /// A Type 5 tag.
  case type5(Type5Result)

  init(_ tag: Tag, counter: Int?, isMakerUnproven: Bool) {
    switch tag {
    case .type2(let tag):
      self = .type2(Type2Result(tag, counter: counter, isMakerUnproven: isMakerUnproven))
    case .type4(let tag): self = .type4(Type4Result(tag))
    case .type5(let tag): self = .type5(Type5Result(tag))
    }
  }

  /// Encodes the object of the type.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .type2(let details): try details.encode(to: encoder)
    case .type4(let details): try details.encode(to: encoder)
    case .type5(let details): try details.encode(to: encoder)
    }
  }
}

/// The product, locks, password, mirror and counter of a Type 2 tag. Bytes are in hexadecimal.
public struct Type2Result: Encodable, Hashable, Sendable {
  /// The configuration pages.
  public struct Configuration: Encodable, Hashable, Sendable {
    /// The two pages.
    public let bytes: String
    /// Whether reading needs the password, too.
    public let protectsReading: Bool
    /// The number of wrong passwords in a row that close the guarded pages; 0 for no limit.
    public let wrongPasswordLimit: Int
    /// Whether the configuration can no longer be changed.
    public let locked: Bool
    /// Whether the tag counts its readings.
    public let counterEnabled: Bool
    /// Whether the counter is read with the password only.
    public let counterNeedsPassword: Bool
  }

  /// The characters that the tag shows over its memory.
  public struct Mirror: Encodable, Hashable, Sendable {
    /// `{uid}`, `{counter}` or `{uid}x{counter}`.
    public let shows: String
    /// The first page.
    public let page: Int
    /// The first byte in that page.
    public let byte: Int
  }

  /// The answer to GET_VERSION.
  public let version: String?
  /// The maker of the chip by its version; `null` if no known key verifies its signature.
  public let vendor: String?
  /// The least and the largest size of user memory that the chip reports, in bytes.
  public let storageBytes: [Int]?
  /// The number of pages.
  public let pages: Int
  /// The size of the user memory, in bytes.
  public let userBytes: Int
  /// The capability container.
  public let capabilityContainer: String?
  /// The static lock bytes.
  public let staticLocks: String?
  /// The dynamic lock bytes.
  public let dynamicLocks: String?
  /// The pages that are locked for good.
  public let lockedPages: [Int]
  /// The first and last page whose locks are unknown.
  public let unknownLockPages: [Int]?
  /// The first page that needs the password.
  public let firstProtectedPage: Int?
  /// The configuration, on a product that has one.
  public let configuration: Configuration?
  /// The mirror, if one is on.
  public let mirror: Mirror?
  /// The number of readings that the tag has counted.
  public let counter: Int?

  init(_ tag: Type2Tag, counter: Int?, isMakerUnproven: Bool) {
    version = tag.version?.hexadecimal
    vendor = isMakerUnproven ? nil : tag.vendor
    storageBytes = (tag.productVersion?.storageByteCount).map { [$0.lowerBound, $0.upperBound] }
    pages = tag.layout.pageCount
    userBytes = tag.layout.userPages.count * TagMemory.pageByteCount
    capabilityContainer = tag.capabilityContainer?.bytes.hexadecimal
    staticLocks = tag.staticLockBytes?.hexadecimal
    dynamicLocks = tag.dynamicLockBytes?.hexadecimal
    lockedPages = tag.lockedPages
    unknownLockPages = tag.pagesWithUnknownLocks.map { [$0.lowerBound, $0.upperBound] }
    firstProtectedPage = tag.firstProtectedPage
    configuration = tag.configuration.map { configuration in
      Configuration(
        bytes: configuration.bytes.hexadecimal, protectsReading: configuration.protectsReading,
        wrongPasswordLimit: configuration.wrongPasswordLimit, locked: configuration.isLocked,
        counterEnabled: configuration.counterIsEnabled,
        counterNeedsPassword: configuration.counterNeedsPassword)
    }
    mirror = tag.mirror.map { mirror in
      Mirror(shows: mirror.kind.placeholder, page: mirror.page, byte: mirror.byte)
    }
    self.counter = counter
  }
}

/// The version and the capability container of a Type 4 tag. Bytes are in hexadecimal.
public struct Type4Result: Encodable, Hashable, Sendable {
  /// The version of the product.
  public let version: String?
  /// The capability container.
  public let capabilityContainer: String?
  /// The version of the mapping, for example `2.0`.
  public let mappingVersion: String?
  /// The most bytes that one command reads.
  public let maximumReadBytes: Int?
  /// The most bytes that one command writes.
  public let maximumWriteBytes: Int?
  /// The identifier of the NDEF file.
  public let file: String?
  /// The size of the NDEF file, in bytes.
  public let fileBytes: Int?
  /// The condition for writing: `00` for none, `FF` for never.
  public let writeAccess: String?

  init(_ tag: Type4Tag) {
    let container = tag.capabilityContainer
    version = tag.version?.hexadecimal
    capabilityContainer = container?.bytes.hexadecimal
    mappingVersion = container.map {
      "\($0.mappingVersion >> 4).\($0.mappingVersion & 0x0F)"
    }
    maximumReadBytes = container?.maximumReadByteCount
    maximumWriteBytes = container?.maximumWriteByteCount
    file = container.map { [UInt8($0.fileID >> 8), UInt8($0.fileID & 0xFF)].hexadecimal }
    fileBytes = container?.fileByteCount
    writeAccess = container.map { [$0.writeAccess].hexadecimal }
  }
}

/// The blocks of a Type 5 tag, their locks, and the password's protection.
public struct Type5Result: Encodable, Hashable, Sendable {
  /// The capability container, in hexadecimal.
  public let capabilityContainer: String?
  /// The number of blocks.
  public let blocks: Int?
  /// The size of a block, in bytes.
  public let blockBytes: Int
  /// The blocks that are locked for good; `nil` if unknown.
  public let lockedBlocks: [Int]?
  /// The first block that needs the password.
  public let firstProtectedBlock: Int?
  /// Whether reading needs the password, too.
  public let protectsReading: Bool?

  init(_ tag: Type5Tag) {
    let whole = Tag.type5(tag)
    capabilityContainer = tag.capabilityContainer?.bytes.hexadecimal
    blocks = tag.blockCount
    blockBytes = tag.blockByteCount
    lockedBlocks = tag.lockedBlocks.map { locks in locks.indices.filter { locks[$0] } }
    firstProtectedBlock = whole.passwordRule?.firstPage
    protectsReading = whole.passwordRule?.protectsReading
  }
}

/// A record of a tag's message.
public struct TagRecordResult: Encodable, Hashable, Sendable {
  /// The number of the type name format, 0 to 7.
  public let tnf: Int
  /// The type as people name it.
  public let type: String
  /// The meaning of the record, if its type is known.
  public let holds: String?
  /// The identifier, in hexadecimal.
  public let id: String?
  /// The size of the payload, in bytes.
  public let bytes: Int
  /// The payload, in hexadecimal; `nil` unless it was asked for.
  public let payload: String?

  init(_ record: NDEFRecord, showsBytes: Bool) {
    tnf = Int(record.typeNameFormat.rawValue)
    type = Self.typeName(record)
    holds = Self.meaning(record)
    id = record.identifier?.hexadecimal
    bytes = record.payload.count
    payload = showsBytes ? record.payload.hexadecimal : nil
  }

  /// The type as people name it: `URI` for a well-known one, else the name itself.
  private static func typeName(_ record: NDEFRecord) -> String {
    let name = String(decoding: record.type, as: UTF8.self).printable
    return switch record.typeNameFormat {
    case .wellKnown:
      name == "U" ? "URI" : name == "T" ? "text" : name == "Sp" ? "Smart Poster" : name
    case .empty: "empty"
    case .media, .external: name
    case .absoluteURI: "absolute URI"
    case .unknown, .unchanged, .reserved: "unknown"
    }
  }

  private static func meaning(_ record: NDEFRecord) -> String? {
    if let uri = try? URIRecord(record, options: .lenient) { return uri.uri }
    if let text = try? TextRecord(record, options: .lenient) { return text.text }
    if let poster = try? SmartPosterRecord(record, options: .lenient) { return poster.uri.uri }
    if let application = AndroidApplicationRecord(record) { return application.packageName }
    return record.typeNameFormat == .absoluteURI
      ? String(decoding: record.type, as: UTF8.self) : nil
  }
}

extension Type2Tag {
  /// The maker of the chip, by the answer to GET_VERSION.
  package var vendor: String? {
    productVersion.map { version in
      version.vendorName ?? "maker \([version.vendor].hexadecimal)"
    }
  }
}

extension Tag {
  /// The bytes of the message; empty without one.
  package var message: [UInt8] {
    if case .message(let bytes) = content { bytes } else { [] }
  }

  /// The records of the message; a malformed one has none.
  var records: [NDEFRecord] {
    (try? NDEFReading(message, options: .lenient))?.message.records ?? []
  }
}

extension TagContent {
  /// The stable name in results.
  fileprivate var name: String {
    switch self {
    case .unformatted(let holdsData): holdsData ? "not-ndef" : "blank"
    case .notNDEF: "not-ndef"
    case .noMessage, .empty: "empty"
    case .message: "message"
    case .otherData: "other-data"
    case .torn: "torn"
    case .unreadable: "password"
    }
  }
}
