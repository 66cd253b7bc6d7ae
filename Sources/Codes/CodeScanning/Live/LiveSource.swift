/// A reading of a live source.
public enum LiveReading: Hashable, Sendable {
  /// A code in a camera's picture.
  case decoded(DecodedCode)
  /// An App Clip Code in a camera's picture.
  case appClipCode(SeenAppClipCode)
  /// The text sent by a scanner; the symbology is `nil` if the scanner does not send it.
  case text(String, symbology: DecodedCode.Symbology?)
  /// Input of a scanner that is not a code; the reason is a sentence.
  case unreadable(reason: String)

  /// The text of a code, exactly as decoded; `nil` if there is none.
  public var text: String? {
    switch self {
    case .decoded(let code): code.text
    case .text(let text, _): text
    case .appClipCode, .unreadable: nil
    }
  }
}

/// A camera or a scanner that supplies codes until it ends or is no longer wanted.
///
/// It is read by one ``LiveScan`` at a time, on a separate thread that it may block.
public protocol LiveSource: Sendable {
  /// The name of the source: the device's path, or `-` for standard input.
  var name: String { get }
  /// A description for users, for example with a camera's format.
  var description: String { get }
  /// Notes for the user before the first code, in sentences.
  var notes: [String] { get }
  /// The number of times a text must be read before it counts; more than one if a single reading
  /// may be wrong.
  var sightingsNeeded: Int { get }

  /// Waits for the next reading.
  ///
  /// - Parameter isWanted: Called at least every 100 ms while the source waits, and after each
  ///   picture of a camera that was searched; `false` ends the wait.
  /// - Returns: `nil` at the source's end, or soon after `isWanted` returns `false`.
  /// - Throws: ``LiveSourceError`` if the device is gone or fails, after all earlier readings were
  ///   returned.
  func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading?
}

extension LiveSource {
  /// The default: no notes.
  public var notes: [String] { [] }
  /// The default: one, because a scanner confirms its codes.
  public var sightingsNeeded: Int { 1 }
}
