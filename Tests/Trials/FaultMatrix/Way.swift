import CliptagPlatform
import SimulatedReader

/// The path between the operation and the simulated tag.
enum Way: Hashable, Sendable, CustomStringConvertible {
  /// The real libnfc and a simulated PN532 on a pseudo-terminal.
  case libnfc
  /// The real client library of pcsc-lite and a simulated PC/SC reader on a socket.
  case pcsc(SimulatedPCSCModel)

  /// Returns every way, or the named ones: `libnfc` and models.
  static func named(_ names: [String]) throws -> [Way] {
    try names.map { name in
      if name == "libnfc" { return .libnfc }
      guard let model = SimulatedPCSCModel(rawValue: name) else {
        throw MatrixError("no reader is present \(name)")
      }
      return .pcsc(model)
    }
  }

  static let all: [Way] = [.libnfc] + SimulatedPCSCModel.allCases.map(Way.pcsc)

  /// The socket's path. pcsc-lite keeps the first one it is given for the whole process.
  private static let socket = "/tmp/cliptag-matrix-\(getpid()).socket"

  static func prepare() {
    setenv("LIBNFC_LOG_LEVEL", "0", 0)
    setenv("PCSCLITE_CSOCK_NAME", socket, 1)
  }

  func reader(
    with tag: any SimulatedCard, stranger: (any SimulatedCard)? = nil, faults: [Fault] = []
  ) throws -> SimulatedReader {
    switch self {
    case .libnfc: try SimulatedReader(tag: tag, stranger: stranger, faults: faults)
    case .pcsc(let model):
      try SimulatedReader(
        tag: tag, stranger: stranger, faults: faults, pcsc: PCSCSocket(model, path: Self.socket))
    }
  }

  /// Stops a reader; the socket is free for the next one.
  func end(_ reader: SimulatedReader) async {
    reader.stop()
    if self != .libnfc { try? await reader.run() }
  }

  /// The number of trials that run concurrently: over libnfc, they mostly wait for a reader's
  /// time-outs.
  var lanes: Int { self == .libnfc ? 12 : 1 }

  var description: String {
    switch self {
    case .libnfc: "libnfc"
    case .pcsc(let model): model.rawValue
    }
  }

  /// Returns whether an operation is possible this way: not every reader supports every tag or
  /// command.
  func takes(_ operation: Operation) -> Bool {
    // It reaches no tag whole; a message within its reach is not changed either.
    if self == .pcsc(.omnikey5426), operation.need != .type5 { return false }
    let carriesCommands = ![.pcsc(.omnikey5022), .pcsc(.utrust3700)].contains(self)
    switch (operation.need, self) {
    case (.type2, _): return true
    // READ BINARY alone does not show the end of a blank Ultralight.
    case (.blankUltralight, _), (.rawCommands, _): return carriesCommands
    case (.type5, .pcsc(.acr1552)), (.type5, .pcsc(.omnikey5022)), (.type5, .pcsc(.omnikey5426)):
      return true
    case (.type5Locks, .pcsc(.acr1552)): return true
    case (.type4, .libnfc): return true
    default: return false
    }
  }
}
