public import CliptagBasics
package import Pictures

/// A page that was made elsewhere, on which the codes and the words of a poster are placed.
///
/// The page stays as it is, with its inks, fonts, pictures and boxes; what the poster adds is laid
/// over it.
public struct PosterArtwork: Hashable, Sendable {
  /// A QR code on the artwork that holds the place of the code.
  public struct Placeholder: Hashable, Sendable {
    /// The square of its modules, in millimetres from the top left corner of the trimmed page.
    public var box: DrawingBox
    /// The distance around it that nothing else is in, in millimetres.
    public var clearMargin: Double
    /// The colour around it.
    public var ground: Colour

    /// Makes a placeholder.
    package init(box: DrawingBox, clearMargin: Double, ground: Colour = .white) {
      self.box = box
      self.clearMargin = clearMargin
      self.ground = ground
    }

    /// The square for a code of a number of modules with its quiet zone: its modules are where
    /// those of the placeholder are if there is room for the quiet zone, else they are smaller.
    func space(forModules modules: Int) -> DrawingBox {
      let quiet = box.width * Double(CodeSize.quietZoneModules) / Double(modules)
      return box.grown(by: min(quiet, clearMargin))
    }
  }

  /// The file.
  package let ground: PDFGround
  /// The number of the page in the file, from 1.
  package let page: Int
  /// The width of the trimmed page in millimetres.
  public let width: Double
  /// The height of the trimmed page in millimetres.
  public let height: Double
  /// The part of the sheet that viewers and renderers show, from the top left corner of the trimmed
  /// page.
  package let sheet: DrawingBox
  /// The whole sheet, from the top left corner of the trimmed page.
  let media: DrawingBox
  /// The QR code that holds the place of the code; `nil` without one.
  public var placeholder: Placeholder?
  /// The places of codes and texts.
  public var fields: [ArtworkField]
  /// The kinds of active content of the file that a poster on it has not, such as `links`.
  public package(set) var leftOut: [String]
  /// The resolution of a picture on its sheet, in dots per inch; `nil` for a PDF or SVG file.
  public package(set) var dotsPerInch: Double?

  /// The number of pages in the file.
  public var pageCount: Int { ground.pages.count }
  /// The name of the file in messages.
  public var source: String { ground.source }

  /// Takes a page of a file, with its form fields as the places of texts.
  ///
  /// - Precondition: The page is in the file.
  package init(page: Int, of ground: PDFGround) {
    self.ground = ground
    self.page = page
    leftOut = ground.leftOut
    let sides = ground.pages[page - 1]
    let trim = sides.trim
    func box(_ box: PDFGround.Box) -> DrawingBox {
      DrawingBox(
        x: Self.millimetres(box.left - trim.left), y: Self.millimetres(trim.top - box.top),
        width: Self.millimetres(box.right - box.left),
        height: Self.millimetres(box.top - box.bottom))
    }
    // A4 is 595.276 points wide in one program and 595.28 in another.
    width = (Self.millimetres(trim.right - trim.left) * 1000).rounded() / 1000
    height = (Self.millimetres(trim.top - trim.bottom) * 1000).rounded() / 1000
    sheet = box(sides.crop)
    media = box(sides.media)
    fields = ground.fields.filter { $0.page == page }.map { ArtworkField($0, in: box($0.box)) }
  }

  private static func millimetres(_ points: Double) -> Double { points * 25.4 / 72 }

  /// The field of a name.
  package func field(_ name: String) -> ArtworkField? { fields.first { $0.name == name } }
}

extension FieldSheet {
  /// The sheet over an artwork.
  init(_ artwork: PosterArtwork) {
    var page = PageDrawing(width: artwork.width, height: artwork.height)
    page.sheet = artwork.media
    self.init(
      page: page, fields: artwork.fields, placeholder: artwork.placeholder, subject: "artwork")
  }
}

extension ArtworkField {
  /// Takes a form field with its default appearance (ISO 32000-1, 12.7.3.3).
  fileprivate init(_ field: PDFGround.Field, in box: DrawingBox) {
    self.init(field.name.lowercased(), in: box)
    alignment = [1: .centre, 2: .end][field.quadding] ?? .start
    lines = field.isMultiline ? nil : 1
    var operands: [Substring] = []
    func numbers(_ count: Int) -> [Double]? {
      let numbers = operands.suffix(count).compactMap { Double($0) }
      return numbers.count == count && numbers.allSatisfy((0...1).contains) ? numbers : nil
    }
    for word in field.appearance.split(whereSeparator: \.isWhitespace) {
      switch word {
      case "Tf":
        if let points = operands.last.flatMap({ Double($0) }), points > 0, points < 10_000 {
          size = points * 25.4 / 72
        }
        if operands.dropLast().last?.contains("Bo") == true { weight = 700 }
      case "g": colour = numbers(1).map { Colour($0[0], $0[0], $0[0]) } ?? colour
      case "rg": colour = numbers(3).map { Colour($0[0], $0[1], $0[2]) } ?? colour
      case "k":
        colour =
          numbers(4).map { ink in
            let light = ink.map { 1 - $0 }
            return Colour(light[0] * light[3], light[1] * light[3], light[2] * light[3])
          } ?? colour
      default:
        operands.append(word)
        continue
      }
      operands = []
    }
  }
}

extension Colour {
  /// A colour by its shares of light, 0 to 1.
  fileprivate init(_ red: Double, _ green: Double, _ blue: Double) {
    func byte(_ share: Double) -> UInt8 { UInt8(clamping: Int(bounded: (share * 255).rounded())) }
    self.init(red: byte(red), green: byte(green), blue: byte(blue))
  }
}
