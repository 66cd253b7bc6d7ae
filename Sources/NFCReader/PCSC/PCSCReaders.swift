/// Which PC/SC reader is meant: `pcsc:NAME`, a part of the name being enough.
struct PCSCName: Hashable, Sendable {
  /// The part of the name; empty for the only reader there is.
  let part: String

  /// Reads a connection string; nil when it names no PC/SC reader.
  init?(_ text: String) {
    guard text == "pcsc" || text.hasPrefix("pcsc:") else { return nil }
    part = String(text.dropFirst("pcsc:".count))
  }

  /// What names this reader and no other.
  static func connectionString(_ reader: String) -> String { "pcsc:\(reader)" }

  /// Whether a name is that of a slot for SAM cards, which takes no tag.
  static func isSAM(_ reader: String) -> Bool {
    reader.split { !$0.isLetter && !$0.isNumber }.contains { $0.uppercased() == "SAM" }
  }

  /// The readers that are meant, of those that the service knows: the one of exactly this name, else
  /// those whose name holds the part, in whatever case, or begins with the number. Slots for SAM cards
  /// are never meant.
  func matches(in readers: [String]) -> [String] {
    let slots = readers.filter { !Self.isSAM($0) }
    if slots.contains(part) { return [part] }
    if let number = Int(part) { return slots.indices.contains(number) ? [slots[number]] : [] }
    let wanted = part.lowercased()
    let found = slots.filter { part.isEmpty || $0.lowercased().contains(wanted) }
    // Of two slots of one device the contactless one takes tags.
    let contactless = found.filter { name in
      let words = name.uppercased().split { !$0.isLetter && !$0.isNumber }
      return words.contains("PICC") || words.contains("CL") || words.contains("CONTACTLESS")
        || words.contains("NFC")
    }
    return contactless.count == 1 ? contactless : found
  }
}

/// The readers that the smart card service knows, and why one does not open.
enum PCSCReaders {
  /// The names of all readers that take tags; none when the service does not run.
  static func names(_ calls: PCSCCalls) -> [String] {
    guard calls.trouble() == nil,
      let names = try? PCSCContext(calls: calls).readers()
    else { return [] }
    return names.filter { !PCSCName.isSAM($0) }
  }

  /// Opens the reader that is meant.
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

  /// None is meant, or more than one.
  static func choice(
    _ name: PCSCName, _ text: String, found: [String], all: [String]
  ) -> NFCReaderError {
    if found.count > 1 {
      return NFCReaderError(
        .noReader, "\(text) may mean \(list(found))",
        hint: "write more of the name, such as \(PCSCName.connectionString(found[0]))",
        connectionString: text)
    }
    guard !all.isEmpty else {
      return NFCReaderError(
        .noReader, "the smart card service knows no reader",
        hint: "plug the reader in; if it is, see whether its driver is installed "
          + "(Debian: apt-get install libccid)", connectionString: text)
    }
    return NFCReaderError(
      .noReader, "no PC/SC reader is called \(name.part); there is \(list(all))",
      hint: "write \(PCSCName.connectionString(all[0])), or a part of that name",
      connectionString: text)
  }

  private static func list(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: " and ")
  }

  /// What helps when another program holds the tag.
  static let helpAgainstHolder =
    "end the other program: gpg's scdaemon (`gpgconf --kill scdaemon`), a browser or OpenSC"

  /// What helps against a reader or a service that does not answer.
  static let helpForSilence =
    "plug the reader in again; if that does not help, restart the service: "
    + "`sudo systemctl restart pcscd`"

  /// Why the service or the reader does not let itself be used.
  static func failure(_ failure: DeviceFailure, _ text: String) -> NFCReaderError {
    guard case .pcsc(let status) = failure else {
      return NFCReaderError(
        .readerFailed, "the reader \(text) cannot be used: \(failure)", connectionString: text,
        status: failure)
    }
    let (code, hint): (NFCReaderError.Code, String) =
      switch status {
      case .noService, .serviceStopped:
        (
          .noReader,
          "start it: `sudo systemctl start pcscd.socket` (install it: `sudo apt-get install pcscd`)"
        )
      case .securityViolation:
        (
          .noReader,
          "polkit lets only who sits at the machine use it: allow the actions "
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
  /// The element, when there is one and no other.
  var only: Element? { count == 1 ? self[0] : nil }
}
