import AppClipCodes
import CliptagBasics
import QRSymbol

/// A poster being drawn by a design: sets texts, places the code, and mirrors the layout for
/// languages that are read from right to left.
///
/// Designs count from the edge where reading begins; all lengths are in millimetres.
struct PosterCanvas: PlacedPage {
  var page: PageDrawing
  var placedCode: (code: CodeDrawing, box: DrawingBox)?
  var placedAppClipCode: (code: AppClipCodeDrawing, box: DrawingBox)?
  var targetBox: DrawingBox?
  private let memory = Memory()

  let symbol: QRSymbol
  let request: Poster.Request
  let shaper: TextShaper
  /// A hundredth of the shorter side, the unit of the designs.
  let unit: Double

  var content: PosterContent { request.content }
  var colours: PosterColours { request.colours }
  var width: Double { page.width }
  var height: Double { page.height }
  /// The App Clip Code beside or instead of the QR code.
  var appClipCode: AppClipCode? { request.appClipCode?.code }
  var hasQRCode: Bool { request.appClipCode?.replacesQRCode != true }
  /// Whether a ring marks the position of the tag. The tag of an App Clip Code of the kind `nfc` is
  /// in the middle of the code.
  var hasRing: Bool { content.targetCaption != nil && appClipCode?.kind != .nfc }

  init(_ symbol: QRSymbol, _ request: Poster.Request, shaper: TextShaper) {
    self.symbol = symbol
    self.request = request
    self.shaper = shaper
    page = PageDrawing(
      width: request.paper.width, height: request.paper.height, bleed: request.bleed,
      hasCropMarks: request.hasCropMarks)
    unit = min(page.width, page.height) / 100
  }

  // MARK: Words

  /// The settings of a text, and its available space.
  struct Setting: Hashable {
    /// The height of the em, which is reduced by steps of the scale until the text fits.
    var size: Double
    /// The least height of the em.
    var leastSize = TypeScale.smallest
    var weight = 400
    var width: Double
    var lines = 1
    var alignment = TextAlignment.start
    var lineSpacing = 1.0
    var breaksWords = false
    /// Whether lines are broken to be of about equal length.
    var isBalanced = false
    /// The places within words at which lines may be broken.
    var wordBreaks = WordBreaks.standard
  }

  /// Texts that were set before: a layout is found by trying sizes, in which most texts are the same.
  private final class Memory {
    struct Key: Hashable {
      let text: String
      let setting: Setting
    }

    var texts: [Key: Result<ShapedText, TextError>] = [:]
  }

  /// Sets a text in the largest size that fits.
  func words(_ text: String, _ setting: Setting) throws(TextError) -> ShapedText {
    let key = Memory.Key(text: text, setting: setting)
    if let known = memory.texts[key] { return try known.get() }
    let result = Result { () throws(TextError) in try set(text, setting) }
    memory.texts[key] = result
    return try result.get()
  }

  private func set(_ text: String, _ setting: Setting) throws(TextError) -> ShapedText {
    var style = TextStyle(size: setting.size, families: request.families)
    style.weight = setting.weight
    style.lineSpacing = setting.lineSpacing
    let alignment = content.alignment(setting.alignment, of: text)
    var fitted: ShapedText?
    for step in stride(
      from: TypeScale.step(atMost: setting.size),
      through: TypeScale.step(atMost: setting.leastSize),
      by: -1)
    {
      style.size = TypeScale.size(step)
      do {
        fitted = try shaper.shape(
          text, style, width: setting.width, alignment: alignment, maximumLines: setting.lines,
          breaksWords: setting.breaksWords, wordBreaks: setting.wordBreaks,
          language: content.language)
        break
      } catch {
        guard error.code == .textTooLarge else { throw error }
      }
    }
    guard let fitted else {
      throw .doesNotFit(text, width: setting.width, height: .infinity, size: setting.leastSize)
    }
    // A narrower width would divide more words.
    guard setting.isBalanced, fitted.lines.count > 1, !fitted.lines.contains(where: \.isHyphenated)
    else { return fitted }
    return try balanced(fitted, setting, style, alignment)
  }

  /// The text in the narrowest width that needs no more lines.
  private func balanced(
    _ text: ShapedText, _ setting: Setting, _ style: TextStyle, _ alignment: TextAlignment
  ) throws(TextError) -> ShapedText {
    var best = text
    var (low, high) = (setting.width / Double(text.lines.count) / 2, setting.width)
    while high - low > setting.width / 200 {
      let middle = (low + high) / 2
      do {
        best = try shaper.shape(
          text.text, style, width: middle, alignment: alignment,
          maximumLines: text.lines.count, wordBreaks: setting.wordBreaks,
          language: content.language)
        high = middle
      } catch {
        guard error.code == .textTooLarge else { throw error }
        low = middle
      }
    }
    return best
  }

  /// The line spacing of a headline, as a part of the fonts' own: large letters need less, except
  /// in scripts with stacked marks.
  var headlineSpacing: Double {
    let stacks = content.headline.unicodeScalars.contains { (0x590...0x1CFF).contains($0.value) }
    return stacks ? 0.95 : 0.82
  }

  /// Places a text by the edge where reading begins and its top.
  mutating func add(
    _ text: ShapedText, x: Double, y: Double, colour: Colour,
    role: PageDrawing.Words.Role = .paragraph, link: String? = nil
  ) {
    let corner = mirrored(DrawingBox(x: x, y: y, width: text.width, height: text.height))
    page.elements.append(
      .text(
        PageDrawing.Words(
          text: text, corner: DrawingPoint(x: corner.x, y: corner.y), colour: colour, role: role,
          link: link)))
  }

  // MARK: Shapes

  mutating func add(_ box: DrawingBox, colour: Colour, cornerRadius: Double = 0) {
    page.elements.append(
      .shape(.rectangle(mirrored(box), cornerRadius: cornerRadius), colour))
  }

  mutating func add(_ logo: LogoPicture, in box: DrawingBox) {
    page.elements.append(.picture(logo, mirrored(box)))
  }

  /// A box, mirrored on right-to-left pages.
  func mirrored(_ box: DrawingBox) -> DrawingBox {
    guard content.isRightToLeft else { return box }
    var mirrored = box
    mirrored.x = width - box.right
    return mirrored
  }
}

extension CodeDrawingError {
  static func noRoom(_ width: Double, most: Double) -> CodeDrawingError {
    CodeDrawingError(
      .noRoom, "The poster has no room for a code of \(asGiven(width)) mm.",
      hint: "Give a width of \(atMost(most)) mm or less, a larger paper, or fewer words.")
  }
}

/// Texts, and a logo, above each other.
struct WordStack {
  /// The purpose of a text, which determines its colour.
  enum Kind {
    case ink, accent, heading, quiet, link(String)

    var link: String? { if case .link(let link) = self { link } else { nil } }
  }

  private enum Part {
    case text(ShapedText, Kind)
    case logo(LogoPicture, width: Double, height: Double, plate: Colour?, padding: Double)

    var isHeading: Bool { if case .text(_, .heading) = self { true } else { false } }
  }

  /// The width in which parts are centred; `nil` to set them flush.
  private let centredWidth: Double?
  private(set) var height = 0.0
  private var parts: [(part: Part, top: Double)] = []
  private var gap = 0.0

  init(centredIn width: Double? = nil) { centredWidth = width }

  /// Adds a text below, and the gap before the next part; an empty text takes no room.
  mutating func append(_ text: ShapedText, _ kind: Kind, gap: Double = 0) {
    guard !text.isEmpty else { return }
    append(.text(text, kind), height: text.height, gap: gap)
  }

  /// Adds a logo in the largest size that fits, with its plate if it has one.
  mutating func append(
    _ logo: LogoPicture, within size: (width: Double, height: Double), plate: Colour?, gap: Double
  ) {
    let padding = plate == nil ? 0 : 0.12 * min(size.width, size.height)
    let scale = min(
      (size.width - 2 * padding) / Double(logo.width),
      (size.height - 2 * padding) / Double(logo.height))
    let width = Double(logo.width) * scale + 2 * padding
    let height = Double(logo.height) * scale + 2 * padding
    append(
      .logo(logo, width: width, height: height, plate: plate, padding: padding), height: height,
      gap: gap)
  }

  private mutating func append(_ part: Part, height: Double, gap: Double) {
    let top = parts.isEmpty ? 0 : self.height + self.gap
    parts.append((part, top))
    self.height = top + height
    self.gap = gap
  }

  /// Places the parts, the heading first: it is read before the logo and the brand above it.
  func add(to canvas: inout PosterCanvas, x: Double, y: Double, _ style: PosterStyle) {
    func left(of width: Double) -> Double { centredWidth.map { x + ($0 - width) / 2 } ?? x }
    for isHeading in [true, false] {
      for (part, top) in parts where part.isHeading == isHeading {
        switch part {
        case .text(let text, let kind):
          let colour =
            switch kind {
            case .ink, .heading: style.ink
            case .accent: style.accent
            case .quiet, .link: style.quiet
            }
          canvas.add(
            text, x: left(of: text.width), y: y + top, colour: colour,
            role: isHeading ? .heading : .paragraph, link: kind.link)
        case .logo(let logo, let width, let height, let plate, let padding):
          let box = DrawingBox(x: left(of: width), y: y + top, width: width, height: height)
          if let plate { canvas.add(box, colour: plate, cornerRadius: padding) }
          canvas.add(logo, in: box.grown(by: -padding))
        }
      }
    }
  }
}
