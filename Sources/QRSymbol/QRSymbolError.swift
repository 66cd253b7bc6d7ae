public import Basics

/// Why no symbol could be made. Two errors are equal when their codes are.
public struct QRSymbolError: CodedError {
  /// The kind of failure; new kinds may be added.
  public struct Code: ErrorCode {
    /// The stable name, lower-case with hyphens, as it stands in JSON.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no text to make a code of.
    public static let emptyText = Code(rawValue: "empty-text")
    /// The text does not fit a QR code of the versions and the level that were asked for.
    public static let tooLong = Code(rawValue: "text-too-long")
    /// The versions asked for are not a range within 1 to 40.
    public static let invalidVersions = Code(rawValue: "invalid-versions")
    /// libqrencode ran out of memory.
    public static let outOfMemory = Code(rawValue: "out-of-memory")
    /// libqrencode refused a text that it should take.
    public static let encoderFailed = Code(rawValue: "encoder-failed")

  }

  /// What would hold a text that is too long.
  public struct Room: Hashable, Sendable {
    /// The version that would do.
    public let version: Int
    /// The level that would do.
    public let errorCorrection: QRSymbol.ErrorCorrection
  }

  /// The kind of failure.
  public let code: Code
  /// What was wrong, in one sentence.
  public let message: String
  /// What to do next, in one sentence.
  public let hint: String
  /// The bytes of the text, where its length matters.
  public let byteCount: Int?
  /// The bytes that fit at the level and versions asked for, counted in byte mode.
  public let byteLimit: Int?
  /// For a text that is too long: the strongest level, then the smallest version, that hold it.
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
          ? "Version \(room.version) would hold it; allow it, or shorten the text."
          : "Version \(room.version) at level \(room.errorCorrection.rawValue) would hold it; "
            + "allow it, or shorten the text."
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
