public import AppClipCodes
import Markup

/// The files of App Clip Codes.
extension AppClipCode {
  /// The size limit of a file in bytes; Apple's files have about 20,000.
  public static let mostBytes = 262_144

  /// Options for reading a file.
  public struct Options: Hashable, Sendable {
    /// A Boolean value that indicates whether a pair of colours outside Apple's templates is
    /// accepted if its contrast is sufficient: Apple's generator makes such codes.
    public var allowsOwnColours: Bool

    /// Creates options; by default only the colours of Apple's templates are accepted.
    public init(allowsOwnColours: Bool = false) { self.allowsOwnColours = allowsOwnColours }
  }

  /// Parses an SVG file.
  ///
  /// The text in the file says what the arcs carry; whether they do cannot be known without Apple's
  /// tables.
  ///
  /// - Throws: ``AppClipCodeError`` if the file is not an App Clip Code, or was altered or saved by
  ///   another program.
  public init(svg bytes: [UInt8], options: Options = Options()) throws(AppClipCodeError) {
    guard bytes.count <= Self.mostBytes else {
      throw .notOne("it has \(bytes.count) bytes, and Apple's have about 20,000")
    }
    let root: MarkupElement
    do {
      root = try MarkupElement(document: bytes)
    } catch {
      throw .notOne("it is not SVG (line \(error.line), column \(error.column): \(error.message))")
    }
    var reader = AppClipCodeFileReader(options)
    self = try reader.code(root)
  }
}
