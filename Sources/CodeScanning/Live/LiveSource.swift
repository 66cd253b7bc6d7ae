/// What a live source reads.
public enum LiveReading: Hashable, Sendable {
  /// A code in a camera's picture.
  case decoded(DecodedCode)
  /// An App Clip Code in a camera's picture.
  case appClipCode(SeenAppClipCode)
  /// What a scanner sent; the symbology is `nil` when the scanner does not say it.
  case text(String, symbology: DecodedCode.Symbology?)
  /// What a scanner sent cannot be taken for a code; why not, in a sentence.
  case unreadable(reason: String)

  /// The text of a code, exactly as it was decoded; `nil` when there is none.
  public var text: String? {
    switch self {
    case .decoded(let code): code.text
    case .text(let text, _): text
    case .appClipCode, .unreadable: nil
    }
  }
}

/// A camera or a scanner that goes on giving codes until it ends or is no longer wanted.
///
/// It is read by one ``LiveScan`` at a time, on a thread of its own, where it may block.
public protocol LiveSource: Sendable {
  /// What to call the source: the device's path, or `-` for standard input.
  var name: String { get }
  /// What it is, for people: with a camera's format, for example.
  var description: String { get }
  /// What the user should know before the first code comes, in sentences.
  var notes: [String] { get }
  /// How often a text must be met before it counts; more than once where a single reading may be
  /// wrong.
  var sightingsNeeded: Int { get }

  /// Waits for the next reading.
  ///
  /// - Parameter isWanted: Asked at least every 100 ms while the source waits, and after each
  ///   picture that a camera's codes are looked for in.
  /// - Returns: `nil` at the source's end, or soon after it is no longer wanted.
  /// - Throws: When the device is gone or fails; what came before has been returned then.
  func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading?
}

extension LiveSource {
  /// Nothing to know.
  public var notes: [String] { [] }
  /// A scanner has confirmed its code itself.
  public var sightingsNeeded: Int { 1 }
}
