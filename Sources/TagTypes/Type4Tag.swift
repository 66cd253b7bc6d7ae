/// An NFC Forum Type 4 tag that has been identified and read.
///
/// It is a value: it tells what was on the tag when it was read, and talks to the tag only in the
/// functions that take a channel. NTAG 424 DNA, NTAG 413 DNA and MIFARE DESFire are known by their
/// answer to GetVersion; any other tag with an NDEF application is called "Type 4".
public struct Type4Tag: Hashable, Sendable {
  /// The tag as it answered when it was selected.
  public let target: TagTarget
  /// The answer to GetVersion, its parts in a row; `nil` when the tag does not know the command.
  public let version: [UInt8]?
  /// The capability container; `nil` when there is none that can be read.
  public let capabilityContainer: Type4CapabilityContainer?
  /// What the tag holds.
  public internal(set) var content: TagContent
  /// Why the tag is no NDEF tag or cannot be read, for a person; empty when it can.
  package let problem: String
  /// How the tag treats its NDEF file, if it is a product that tells and was asked.
  package internal(set) var settings: Type4FileSettings?
  var hasReadSettings = false
  /// Bytes of the NDEF file that have been read, from its start on.
  var file: [UInt8]
  /// Commands and selections it took to get here.
  package internal(set) var exchanges: Int

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG 424 DNA`, or `Type 4`.
  public var name: String {
    if let name = version.flatMap(Type4Product.name) { return name }
    // A chip card that offers both, and was activated as the one.
    if capabilityContainer == nil && target.sak & 0x08 != 0 { return "MIFARE Classic (SmartMX)" }
    return capabilityContainer == nil ? "ISO-DEP card" : "Type 4"
  }

  /// Bytes of the longest message that fits; 0 when the tag is not one of NDEF.
  public var capacity: Int { capabilityContainer?.capacity ?? 0 }

  /// Whether the message can never be changed again, as the capability container or the file's
  /// settings say.
  public var isLocked: Bool {
    capabilityContainer?.writeAccess == 0xFF || settings?.isWriteDenied == true
  }

  /// Whether a key guards the message, as the capability container or the file's settings say, or
  /// as reading showed.
  public var isPasswordProtected: Bool {
    if case .unreadable = content { return true }
    if let settings, !settings.isWriteFree, !settings.isWriteDenied { return true }
    return capabilityContainer.map { (0x80...0xFE).contains($0.writeAccess) } ?? false
  }

  /// Whether the tag follows mapping version 1.0, which is only read.
  var usesFirstMapping: Bool { capabilityContainer.map { $0.mappingVersion >> 4 == 1 } ?? false }
}
