/// A PC/SC reader whose habits are simulated, by the name the command uses.
///
/// The habits are those of `WhatReadersDo` in the documentation of NFCReader: recorded ones where there
/// are records, else what client programs and manuals say. A real reader may differ.
public enum SimulatedPCSCModel: String, CaseIterable, Hashable, Sendable {
  /// ACS ACR122U: a PN532 behind FF 00 00 00 D4 …; a READ that begins behind the last page stops it
  /// until the tag is lifted.
  case acr122
  /// ACS ACR1252U: FF 00 00 00 passes a command on as it is, a write by it is done and told as failed;
  /// a tag without GET_VERSION leaves it out of order until a reset. It has a transparent session too.
  case acr1252
  /// ACS ACR1552U: transparent session, after which standard commands fail until a reset.
  case acr1552
  /// HID OMNIKEY 5022: standard commands alone, READ BINARY always answers 16 bytes.
  case omnikey5022
  /// Identiv uTrust 3700F: standard commands alone, READ BINARY always answers 4 bytes.
  case utrust3700

  /// What the service calls the reader.
  public var readerName: String {
    switch self {
    case .acr122: "ACS ACR122U PICC Interface 00 00"
    case .acr1252: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader PICC] 00 00"
    case .acr1552: "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00"
    case .omnikey5022: "HID Global OMNIKEY 5022 Smart Card Reader [OMNIKEY 5022 CL] 00 00"
    case .utrust3700: "Identiv uTrust 3700 F CL Reader [uTrust 3700 F CL Reader] 00 00"
    }
  }

  /// A second slot, which takes SAM cards and no tags.
  var samName: String? {
    switch self {
    case .acr1252: "ACS ACR1252 Dual Reader [ACR1252 Dual Reader SAM] 00 01"
    case .acr1552: "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 00 01"
    default: nil
    }
  }

  /// Whether its antenna speaks ISO/IEC 15693.
  var reachesVicinity: Bool { self == .acr1552 || self == .omnikey5022 }
  var hasSession: Bool { self == .acr1252 || self == .acr1552 }
  /// Bytes that READ BINARY answers whatever is asked for.
  var fixedAnswer: Int? {
    switch self {
    case .omnikey5022: 16
    case .utrust3700: 4
    default: nil
    }
  }
}
