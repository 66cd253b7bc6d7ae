import CliptagBasics

/// A sheet of paper, in millimetres.
public struct PaperSize: Hashable, Sendable {
  /// The width.
  public let width: Double
  /// The height.
  public let height: Double

  /// The allowed sides of a sheet in millimetres; the largest is 200 inches, as in a PDF.
  package static let sides = 20.0...5_080.0

  /// The names of sizes, as they are usually written.
  package static var names: [String] {
    named.keys.sorted().map { $0.count == 2 ? $0.uppercased() : $0 }
  }
  /// The named sizes, in lower case, upright (ISO 216; ANSI/ASME Y14.1).
  static let named: [String: (width: Double, height: Double)] = [
    "a0": (841, 1189), "a1": (594, 841), "a2": (420, 594), "a3": (297, 420), "a4": (210, 297),
    "a5": (148, 210), "a6": (105, 148), "a7": (74, 105), "letter": (215.9, 279.4),
    "legal": (215.9, 355.6), "tabloid": (279.4, 431.8), "half-letter": (139.7, 215.9),
    "b0": (1000, 1414), "b1": (707, 1000), "b2": (500, 707), "b3": (353, 500), "b4": (250, 353),
    "b5": (176, 250), "b6": (125, 176), "b7": (88, 125),
  ]

  /// Labels of usual rolls by their makers' names, in lower case, as glabels-data states them:
  /// Brother's by the driver of its printers, with the name of America beside that of Europe, and
  /// Dymo's.
  static let labels: [String: (width: Double, height: Double)] = [
    "dk-11201": (29, 90), "dk-1201": (29, 90), "dk-11202": (62, 100), "dk-1202": (62, 100),
    "dk-11208": (38, 90), "dk-1208": (38, 90), "dymo-99010": (28, 89), "dymo-99012": (36, 89),
    "dymo-99014": (54, 101), "dymo-30256": (59, 102),
  ]

  /// Makes a sheet.
  ///
  /// - Throws: ``CodeDrawingError`` with `invalidPaper` for sides below 20 mm or above 200 inches.
  public init(width: Double, height: Double) throws(CodeDrawingError) {
    guard Self.sides.contains(width), Self.sides.contains(height) else {
      throw .invalidPaper("\(asGiven(width))x\(asGiven(height))")
    }
    self.width = width
    self.height = height
  }

  /// Reads a name such as `A4`, `letter` or `DK-11202`, in any case, or a size such as `100x150`, `100x150mm` or
  /// `4x6in`; the unit of one side is that of both.
  ///
  /// - Throws: ``CodeDrawingError`` with `invalidPaper`, whose hint lists the names.
  public init(_ text: String) throws(CodeDrawingError) {
    if let (width, height) = Self.named[text.lowercased()] ?? Self.labels[text.lowercased()] {
      try self.init(width: width, height: height)
      return
    }
    guard let (width, height) = Length.pair(text, separatedBy: "xX×") else {
      throw .invalidPaper(text)
    }
    try self.init(width: width, height: height)
  }

  /// The sheet in landscape orientation.
  public var landscape: PaperSize { PaperSize(max(width, height), min(width, height)) }

  /// The sheet in upright orientation.
  package var upright: PaperSize { PaperSize(min(width, height), max(width, height)) }

  private init(_ width: Double, _ height: Double) {
    self.width = width
    self.height = height
  }
}

extension CodeDrawingError {
  /// The error for a sheet without room for its contents.
  package static func paperTooSmall(_ paper: PaperSize, for what: String) -> CodeDrawingError {
    CodeDrawingError(
      .invalidPaper,
      "A sheet of \(asGiven(paper.width)) × \(asGiven(paper.height)) mm is too small for \(what).",
      hint: "Give A4 or letter.")
  }

  static func invalidPaper(_ text: String) -> CodeDrawingError {
    return CodeDrawingError(
      .invalidPaper, "\(text) is not a paper size.",
      hint:
        "Give \(PaperSize.names.joined(separator: ", ")), a label of a roll such as DK-11202, or a size of 20 to "
        + "5080 mm such as 100x150 or 4x6in.")
  }
}
