/// The kinds of file a code is drawn as.
public enum DrawingFormat: String, CaseIterable, Hashable, Sendable {
  /// Scalable Vector Graphics 1.1, sized in millimetres.
  case svg
  /// Portable Network Graphics at one bit a pixel, one pixel a printer's dot.
  case png
  /// Portable Document Format 1.6, one page of the code's size.
  case pdf
  /// Encapsulated PostScript, level 2.
  case eps

  /// The ending of file names, without the dot.
  public var fileEnding: String { rawValue }

  /// The format that a file name ends in, in capital or small letters.
  ///
  /// - Throws: ``CodeDrawingError`` with `unknownFormat`, whose hint lists the endings.
  public init(fileName: String) throws(CodeDrawingError) {
    let name = fileName.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    guard let ending, let format = Self(rawValue: ending.lowercased()) else {
      throw .unknownFormat(fileName)
    }
    self = format
  }
}
