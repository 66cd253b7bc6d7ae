/// One face of one font file, as the system's font configuration named it.
public struct FontFace: Hashable, Sendable {
  /// The family, such as `Noto Sans Arabic`.
  public let family: String
  /// The style within the family, such as `Bold`.
  package let style: String
  /// The file that holds the face.
  let path: String
  /// Which face of the file it is; the upper 16 bits name an instance of a variable font, from 1.
  let index: Int
  /// The settings of a variable font's axes, such as `wght=700`; empty for none.
  let variations: String

  /// Family and style, such as `Noto Sans Arabic Bold`.
  public var name: String { style == "Regular" || style.isEmpty ? family : "\(family) \(style)" }
}
