/// The model of a simulated PC/SC reader, with the name that the command uses.
///
/// The behaviour is recorded where records exist, otherwise it follows client programs and manuals.
/// A real reader may differ.
public enum SimulatedPCSCModel: String, CaseIterable, Hashable, Sendable {
  /// ACS ACR122U: a PN532 behind FF 00 00 00 D4 …; a READ that begins after the last page stops it
  /// until the tag is lifted.
  case acr122
  /// ACS ACR1252U: FF 00 00 00 passes a command on unchanged; a write through it is executed but
  /// reported as failed, and a tag without GET_VERSION makes it fail until a reset. It also has a
  /// transparent session.
  case acr1252
  /// ACS ACR1552U: a transparent session, after which standard commands fail until a reset.
  case acr1552
  /// HID OMNIKEY 5022: standard commands only; READ BINARY always returns 16 bytes.
  case omnikey5022
  /// HID OMNIKEY 5426 G2: standard commands only, for a MIFARE Ultralight's 16 pages: from page 16
  /// on it answers 6A82, whatever the tag has.
  case omnikey5426
  /// Alcor Link AK9567: standard commands only.
  case alcor
  /// Orcanthus: standard commands only, also for ISO/IEC 15693.
  case orcanthus
  /// Identiv uTrust 3700F: standard commands only; READ BINARY always returns 4 bytes.
  case utrust3700

  /// The name of the reader in the service.
  public var readerName: String {
    switch self {
    case .acr122: "ACS ACR122U PICC Interface 00 00"
    case .acr1252: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] 00 00"
    case .acr1552: "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00"
    case .omnikey5022: "HID Global OMNIKEY 5022 Smart Card Reader [OMNIKEY 5022 CL] 00 00"
    case .omnikey5426:
      "HID Global OMNIKEY 5426 G2 Smart Card Reader [OMNIKEY 5426 G2 CL] 00 00"
    case .alcor: "Alcor Link AK9567 [Contactless] 00 00"
    case .orcanthus: "Orcanthus Contactless 00 00"
    case .utrust3700: "Identiv uTrust 3700 F CL Reader [uTrust 3700 F CL Reader] 00 00"
    }
  }

  /// The name of a second slot, which takes SAM cards and no tags.
  var samName: String? {
    switch self {
    case .acr1252: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] 00 01"
    case .acr1552: "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 00 01"
    default: nil
    }
  }

  /// A Boolean value that indicates whether its antenna supports ISO/IEC 15693.
  var reachesVicinity: Bool { [.acr1552, .omnikey5022, .omnikey5426, .orcanthus].contains(self) }
  /// The number of pages of a Type 2 tag that READ BINARY and UPDATE BINARY address.
  var addressedPageCount: Int { self == .omnikey5426 ? 16 : 256 }
  var hasSession: Bool { self == .acr1252 || self == .acr1552 }
  /// The fixed number of bytes that READ BINARY returns, regardless of the request.
  var fixedAnswer: Int? {
    switch self {
    case .omnikey5022: 16
    case .utrust3700: 4
    default: nil
    }
  }
}
