public import CliptagBasics

/// A named place on an artwork: for a code, for the ring of a tag, or for a text that varies.
public struct ArtworkField: Hashable, Sendable {
  /// The names with a meaning: those of codes and ring, and of the words that every poster has.
  package enum Name {
    /// The place of the QR code, or of the App Clip Code that replaces it.
    package static let code = "code"
    /// The place of an App Clip Code beside the QR code.
    package static let appClipCode = "app-clip-code"
    /// The place of the ring in front of a tag.
    package static let ring = "ring"
    /// The places of codes.
    package static let codes = [code, appClipCode]
    /// All places that hold no text.
    package static let figures = codes + [ring]
  }

  /// The name, in lower case with hyphens: `code`, `app-clip-code` and `ring`; `headline`, `brand`,
  /// `call-to-action`, `place-name`, `target-caption`, `address` and `code-name` for the words of
  /// posters; any other for a further text.
  public var name: String
  /// The place, in millimetres from the top left corner of the trimmed page.
  public var box: DrawingBox
  /// The height of the em in millimetres, which is reduced until the text fits; `nil` for the
  /// largest that fits.
  public var size: Double?
  /// The font families in order of preference; empty for those of the poster.
  public var families: [String] = []
  /// The weight of the strokes, 100 to 900.
  public var weight = 400
  /// The colour of the letters; `nil` for that of the poster's words, or for black or white if it
  /// is hard to read on the artwork.
  public var colour: Colour?
  /// The alignment in the box.
  public var alignment = TextAlignment.start
  /// The alignment of lines in the height of the box.
  public var verticalAlignment = VerticalAlignment.top
  /// The most lines; `nil` for any number.
  public var lines: Int?
  /// The look of a list, whose rows are lines or separated by semicolons, and whose columns by
  /// vertical lines, such as `Smoothie | 4.50; Juice | 3.20`; `nil` for a text.
  public var list: ListStyle?
  /// A text that does not vary; `nil` for that of the name.
  package var fixedText: String?
  /// The mean colour of the artwork in the box; `nil` if it is not known.
  public var ground: Colour?

  /// The look of a list.
  public enum ListStyle: String, Hashable, Sendable {
    /// Rows with dots between the first column and the last.
    case plain
    /// Rows with numbers in circles.
    case numbered
  }

  /// Makes a field.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - box: The place, in millimetres from the top left corner of the trimmed page.
  public init(_ name: String, in box: DrawingBox) {
    self.name = name
    self.box = box
  }

  /// Reads a field as people write it: its name, the distances of its box from the left and top
  /// edges, the width and the height, such as `headline=12,30,80,20`, and optionally
  /// `size=14pt`, `weight=700`, `colour=#fff`, `align=centre`, `valign=middle`, `lines=2`,
  /// `list=plain` and `font=Noto Serif`.
  ///
  /// Without a height, the box is a square.
  ///
  /// - Throws: ``CodeDrawingError`` with code `invalid-field`.
  public init(_ text: String) throws(CodeDrawingError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isName(parts[0]) else { throw .invalidField(text) }
    let items = parts[1].split(separator: ",").map { $0.trimmingSpaces }
    let lengths = items.prefix { !$0.contains("=") }.map { Length.millimetres($0) }
    let numbers = lengths.compactMap { $0 }
    guard numbers.count == lengths.count, (3...4).contains(numbers.count),
      numbers.allSatisfy({ abs($0) <= CodeSize.largestWidth }), numbers[2...].allSatisfy({ $0 > 0 })
    else { throw .invalidField(text) }
    self.init(
      String(parts[0]),
      in: DrawingBox(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers.last ?? numbers[2]))
    for item in items.dropFirst(numbers.count) {
      let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, set(String(pair[0]), to: String(pair[1])) else {
        throw .invalidField(text)
      }
    }
  }

  /// Changes a property by its name; returns whether the value is one.
  private mutating func set(_ property: String, to value: String) -> Bool {
    switch property {
    case "size":
      guard let size = Length.millimetres(value, unit: "pt"), size > 0 else { return false }
      self.size = size
    case "weight":
      guard let weight = Int(value), (100...900).contains(weight) else { return false }
      self.weight = weight
    case "colour", "color":
      guard let colour = Colour(value) else { return false }
      self.colour = colour
    case "align":
      let names: [String: TextAlignment] = [
        "start": .start, "left": .start, "centre": .centre, "center": .centre, "end": .end,
        "right": .end,
      ]
      guard let alignment = names[value.lowercased()] else { return false }
      self.alignment = alignment
    case "valign":
      guard let alignment = VerticalAlignment(rawValue: value.lowercased()) else { return false }
      verticalAlignment = alignment
    case "list":
      guard let list = ListStyle(rawValue: value.lowercased()) else { return false }
      self.list = list
    case "lines":
      guard let lines = Int(value), (1...100).contains(lines) else { return false }
      self.lines = lines
    case "font":
      guard !value.isEmpty else { return false }
      families.append(value)
    default: return false
    }
    return true
  }

  static func isName(_ name: Substring) -> Bool {
    !name.isEmpty && name.count <= 64
      && name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
      }
  }
}

extension CodeDrawingError {
  fileprivate static func invalidField(_ text: String) -> CodeDrawingError {
    CodeDrawingError(
      .invalidField, "“\(text)” is not a place on the artwork.",
      hint: """
        Write name=x,y,width,height in millimetres from the top left corner, such as \
        code=12,30,40 for a square, or headline=12,80,90,15,size=24pt,align=centre.
        """)
  }
}
