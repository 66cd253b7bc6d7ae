import CliptagBasics

/// The name of a PC/SC reader in a connection string: `pcsc:NAME`, where a part of the name is
/// sufficient.
struct PCSCName: Hashable, Sendable {
  /// The part of the name; empty for the only reader present.
  let part: String

  /// Reads a connection string. Returns `nil` if it names no PC/SC reader.
  init?(_ text: String) {
    guard text == "pcsc" || text.hasPrefix("pcsc:") else { return nil }
    part = String(text.dropFirst("pcsc:".count))
  }

  /// The connection string that identifies exactly this reader.
  static func connectionString(_ reader: String) -> String { "pcsc:\(reader)" }

  /// Returns `true` if a name is that of a SAM card slot, which takes no tag.
  static func isSAM(_ reader: String) -> Bool {
    reader.split { !$0.isLetter && !$0.isNumber }.contains { $0.uppercased() == "SAM" }
  }

  /// Returns the matching readers among those known to the service: the one of exactly this name,
  /// else the one at this index, counted from 0, else those whose name contains the part, in any
  /// case. SAM card slots never match.
  func matches(in readers: [String]) -> [String] {
    let slots = readers.filter { !Self.isSAM($0) }
    if slots.contains(part) { return [part] }
    if let number = Int(part) { return slots.indices.contains(number) ? [slots[number]] : [] }
    let wanted = part.lowercased()
    let found = slots.filter { part.isEmpty || $0.lowercased().contains(wanted) }
    // Of two slots of one device, the contactless one takes tags.
    let contactless = found.filter { name in
      let words = name.uppercased().split { !$0.isLetter && !$0.isNumber }
      return words.contains("PICC") || words.contains("CL") || words.contains("CONTACTLESS")
        || words.contains("NFC")
    }
    return contactless.count == 1 ? contactless : found
  }
}

/// The readers of the smart card service, and the reasons why one does not open.
enum PCSCReaders {
  /// The names of all readers that take tags; empty if the service is not running.
  static func names(_ calls: PCSCCalls) -> [String] {
    guard calls.trouble() == nil,
      let names = try? PCSCContext(calls: calls).readers()
    else { return [] }
    return names.filter { !PCSCName.isSAM($0) }
  }

  /// Opens the matching reader.
  ///
  /// - Throws: ``NFCReaderError``: `.libraryMissing`, `.noReader`, `.readerBusy`, `.readerFailed`.
  static func open(
    _ name: PCSCName, _ text: String, _ calls: PCSCCalls
  ) throws(NFCReaderError) -> PCSCDevice {
    if let reason = calls.trouble() {
      throw NFCReaderError(
        .libraryMissing, "PC/SC cannot be used: \(reason)",
        hint: "install it (Debian: apt-get install pcscd libpcsclite1) and run the command again",
        connectionString: text)
    }
    let all: [String]
    do throws(DeviceFailure) {
      all = try PCSCContext(calls: calls).readers()
    } catch {
      throw failure(error, text)
    }
    let found = name.matches(in: all)
    guard let reader = found.first, found.count == 1 else {
      throw choice(name, text, found: found, all: all.filter { !PCSCName.isSAM($0) })
    }
    do throws(DeviceFailure) {
      let device = try PCSCDevice(calls: calls, reader: reader)
      try device.prepare()
      return device
    } catch {
      throw failure(error, text)
    }
  }

  /// The error if no reader matches, or more than one.
  static func choice(
    _ name: PCSCName, _ text: String, found: [String], all: [String]
  ) -> NFCReaderError {
    if found.count > 1 {
      return NFCReaderError(
        .noReader, "\(text) matches \(list(found))",
        hint: "write more of the name, such as \(PCSCName.connectionString(found[0]))",
        connectionString: text)
    }
    guard !all.isEmpty else {
      return NFCReaderError(
        .noReader, "the smart card service has no reader",
        hint: "plug the reader in; if it is, check that its driver is installed "
          + "(Debian: apt-get install libccid)", connectionString: text)
    }
    return NFCReaderError(
      .noReader, "no PC/SC reader matches \(name.part); available: \(list(all))",
      hint: "write \(PCSCName.connectionString(all[0])), or a part of that name",
      connectionString: text)
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: " and ")
  }

  /// The remedy if another program holds the tag.
  static let helpAgainstHolder: Hint =
    "end the other program: gpg's scdaemon (`gpgconf --kill scdaemon`), a browser or OpenSC"

  /// The remedy if a reader or a service does not answer.
  static let helpForSilence: Hint =
    "plug the reader in again; if the error persists, restart the service: "
    + "`sudo systemctl restart pcscd`"

  /// The error for a service or reader that cannot be used.
  static func failure(_ failure: DeviceFailure, _ text: String) -> NFCReaderError {
    guard case .pcsc(let status) = failure else {
      return NFCReaderError(
        .readerFailed, "the reader \(text) cannot be used: \(failure)", connectionString: text,
        status: failure)
    }
    let (code, hint): (NFCReaderError.Code, Hint) =
      switch status {
      case .noService, .serviceStopped:
        (
          .noReader,
          "start it: `sudo systemctl start pcscd.socket` (install it: `sudo apt-get install pcscd`)"
        )
      case .securityViolation:
        (
          .noReader,
          "polkit restricts it to local users: permit the actions "
            + "org.debian.pcsc-lite.access_pcsc and access_card by a rule in /etc/polkit-1/rules.d, "
            + "or start pcscd with --disable-polkit"
        )
      case .sharingViolation: (.readerBusy, helpAgainstHolder)
      case .readerUnavailable, .unknownReader: (.noReader, "plug it in again")
      case .timedOut: (.readerFailed, helpForSilence)
      default: (.readerFailed, "unplug it and plug it in again")
      }
    return NFCReaderError(
      code, "the reader \(text) cannot be used: \(status)", hint: hint, connectionString: text,
      status: failure)
  }
}

extension Array {
  /// The only element, or `nil` if there is none or more than one.
  var only: Element? { count == 1 ? self[0] : nil }
}
