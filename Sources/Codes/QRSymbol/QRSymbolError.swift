public import CliptagBasics

/// An error that prevents a symbol from being made. Two errors are equal when their codes are
/// equal.
public struct QRSymbolError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure; later versions may add kinds.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let emptyText = Self("empty-text", .malformedInput, "The text is empty.")
    public static let tooLong = Self(
      "text-too-long", .malformedInput,
      "The text does not fit a QR code of the requested versions and level.")
    public static let invalidVersions = Self(
      "invalid-versions", .malformedInput, "The requested versions are not a range within 1 to 40.")
    public static let outOfMemory = Self(
      "out-of-memory", .malformedInput, "libqrencode ran out of memory.")
    public static let encoderFailed = Self(
      "encoder-failed", .malformedInput, "libqrencode refused a valid text.")
    public static let libraryMissing = Self(
      "encoder-library-missing", .unavailable, "libqrencode is not installed or is too old.")

    public static let all: [Self] = [
      .emptyText, .tooLong, .invalidVersions, .outOfMemory, .encoderFailed, .libraryMissing,
    ]
  }

  /// A version and a level that would hold a text that is too long.
  public struct Room: Hashable, Sendable {
    /// The version that would hold the text.
    public let version: Int
    /// The level of error correction at that version.
    public let errorCorrection: QRSymbol.ErrorCorrection
  }

  /// The kind of failure.
  public let code: Code
  /// The cause, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let hint: String
  /// The length of the text in bytes, if it matters.
  public let byteCount: Int?
  /// The number of bytes that fit at the requested level and versions, counted in byte mode.
  public let byteLimit: Int?
  /// The strongest level, then the smallest version, that hold a text that is too long.
  public let room: Room?

  init(
    _ code: Code, _ message: String, hint: String, byteCount: Int? = nil, byteLimit: Int? = nil,
    room: Room? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.byteCount = byteCount
    self.byteLimit = byteLimit
    self.room = room
  }
}

extension QRSymbolError {
  static func invalidVersions(_ minimum: Int, _ maximum: Int) -> QRSymbolError {
    QRSymbolError(
      .invalidVersions, "versions \(minimum) to \(maximum) are not a range within 1 to 40.",
      hint: "Give a smallest and a largest version from 1 to 40.")
  }

  static func tooLong(
    byteCount: Int, maximumVersion: Int, errorCorrection: QRSymbol.ErrorCorrection, room: Room?
  ) -> QRSymbolError {
    let limit = SymbolCapacity.bytes(version: maximumVersion, errorCorrection: errorCorrection)
    let hint =
      if let room {
        room.errorCorrection == errorCorrection
          ? "Permit version \(room.version), which can hold it, or shorten the text."
          : "Version \(room.version) at level \(room.errorCorrection.rawValue) can hold it; "
            + "permit it, or shorten the text."
      } else {
        "No QR code holds this text; shorten it to \(limit) bytes."
      }
    return QRSymbolError(
      .tooLong,
      "The text of \(byteCount) bytes is too long: version \(maximumVersion) at level "
        + "\(errorCorrection.rawValue) holds \(limit) bytes.",
      hint: hint, byteCount: byteCount, byteLimit: limit, room: room)
  }
}
