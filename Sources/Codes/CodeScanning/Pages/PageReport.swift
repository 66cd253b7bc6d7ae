import CliptagBasics
public import Pictures

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The result of one page in a form that is passed between processes: a line of JSON, followed by
/// the pixels of a small copy if requested.
///
/// Reports from another process are validated; see `init(_:answering:)`.
public struct PageReport: Codable, Sendable {
  /// The requested content about a page.
  public enum Content: String, CaseIterable, Sendable {
    /// The number of pages, and the position of the picture.
    case facts
    /// The facts and the codes.
    case codes
    /// The facts and the codes with the grades of their print.
    case grades
    /// A small copy in colour.
    case copy
  }

  /// The number of pages in the file, at least 1; 1 if it could not be opened.
  package let pageCount: Int
  /// A Boolean value that indicates whether page numbers are meaningful; see
  /// `PictureFile.isDocument`.
  package let isDocument: Bool
  /// A Boolean value that indicates whether it is a drawing; see `PictureFile.isDrawing`.
  package let isDrawing: Bool
  /// The recorded position of the picture.
  package let position: PicturePosition?
  /// The recorded time at which the picture was taken.
  package let taken: Date?
  private let found: ScanResult
  private let grades: [PrintGrade?]?
  private let copy: Measures?
  private let failure: Failure?
  /// The red, green and blue planes of the copy, in this order.
  private var planes: [UInt8] = []

  private enum CodingKeys: CodingKey {
    case pageCount, isDocument, isDrawing, position, taken, found, grades, copy, failure
  }

  fileprivate struct Measures: Codable {
    let width: Int
    let height: Int
    let originalWidth: Int
    let originalHeight: Int
  }

  private struct Failure: Codable {
    let code: String
    let source: String
    let message: String
    let hint: String
  }

  /// Loads one page in this process and produces the requested content.
  ///
  /// - Parameters:
  ///   - page: The number of the page, from 1.
  ///   - path: The file.
  ///   - source: The name of the file in messages, if not its path.
  ///   - content: The requested content.
  ///   - loader: The loader of the file.
  ///   - grader: The grader, with its scanner.
  public init(
    readingPage page: Int, ofFile path: String, named source: String? = nil,
    asking content: Content = .codes, loader: PictureLoader, grader: PrintGrader
  ) async {
    var file: PictureFile?
    var found = ScanResult(codes: [])
    var grades: [PrintGrade?]?
    var copy: SmallCopy?
    do throws(PictureError) {
      let opened = try await loader.open(path: path, named: source ?? path)
      file = opened
      switch content {
      case .facts: break
      case .codes, .grades:
        let read = try await PageReader(opened, grader: grader, isGrading: content == .grades)
          .read(page: page)
        found = read.result
        grades = read.grades
      case .copy: copy = try await opened.page(page).smallCopy(longestSide: Self.longestSide)
      }
      failure = nil
    } catch {
      failure = Failure(
        code: error.code.rawValue, source: error.source, message: error.message,
        hint: error.hint)
    }
    pageCount = max(1, file?.pageCount ?? 1)
    isDocument = file?.isDocument ?? false
    isDrawing = file?.isDrawing ?? false
    position = file?.position
    taken = file?.taken
    self.found = found
    self.grades = grades
    self.copy = copy.map {
      Measures(
        width: $0.picture.width, height: $0.picture.height, originalWidth: $0.originalWidth,
        originalHeight: $0.originalHeight)
    }
    planes =
      copy.map { $0.picture.red.pixels + $0.picture.green.pixels + $0.picture.blue.pixels } ?? []
  }

  /// The most pixels on a side of a small copy: any code that a person could recognise is still
  /// visible, and five hundred copies take some hundred megabytes.
  package static let longestSide = 1_600

  /// Returns the results of the page.
  ///
  /// - Throws: `PictureError` if the page could not be read.
  package func result() throws(PictureError) -> ScanResult {
    try checkWasRead()
    return found
  }

  /// Returns the grade of each code, or `nil` if its modules cannot be located; empty if grades
  /// were not requested.
  ///
  /// - Throws: `PictureError` if the page could not be read.
  package func printGrades() throws(PictureError) -> [PrintGrade?] {
    try checkWasRead()
    return grades ?? []
  }

  /// Returns the small copy, if it was requested.
  ///
  /// - Throws: `PictureError` if the page could not be read.
  package func smallCopy() throws(PictureError) -> SmallCopy? {
    try checkWasRead()
    return copy.map {
      SmallCopy(
        picture: ColourPicture(width: $0.width, height: $0.height, planes: planes),
        originalWidth: $0.originalWidth, originalHeight: $0.originalHeight)
    }
  }

  private func checkWasRead() throws(PictureError) {
    guard let failure else { return }
    throw PictureError(
      PictureError.Code(rawValue: failure.code), source: failure.source, message: failure.message,
      hint: failure.hint)
  }

  /// Returns the encoded report: one line of JSON, and the pixels.
  public func bytes() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) + [0x0A] + planes }

  /// Parses the output of another process, which may be compromised by the picture it read.
  ///
  /// - Returns: `nil` for anything but an answer to the request, with the declared number of pixels
  ///   and every number in its valid range: the contents may be wrong, but cannot crash the program
  ///   that uses them. Texts are untrusted.
  init?(_ output: [UInt8], answering content: Content) {
    guard let end = output.firstIndex(of: 0x0A),
      var report = try? JSONDecoder().decode(PageReport.self, from: Data(output[..<end])),
      report.pageCount >= 1, report.found.isPlausible,
      report.position.map(\.isPlausible) ?? true, report.taken.map(\.isPlausible) ?? true
    else { return nil }
    report.planes = Array(output[(end + 1)...])
    let wanted = report.copy.map(\.byteCount) ?? 0
    guard report.planes.count == wanted else { return nil }
    if report.failure == nil {
      guard (report.copy != nil) == (content == .copy),
        (report.grades != nil) == (content == .grades)
      else { return nil }
    }
    if let grades = report.grades {
      let codes = report.found.codes
      guard grades.count == codes.count,
        zip(grades, codes).allSatisfy({ grade, code in grade?.isPlausible(of: code) ?? true })
      else { return nil }
    }
    self = report
  }
}

extension PageReport.Measures {
  /// The number of bytes of the copy; -1 for an invalid size.
  fileprivate var byteCount: Int {
    let sides = 1...PageReport.longestSide
    let originals = 1...PictureLimits.standard.side
    guard sides.contains(width), sides.contains(height), originals.contains(originalWidth),
      originals.contains(originalHeight)
    else { return -1 }
    return width * height * 3
  }
}

extension PicturePosition {
  /// A Boolean value that indicates whether the position and the time are in valid ranges.
  fileprivate var isPlausible: Bool {
    abs(latitude) <= 90 && abs(longitude) <= 180
      && horizontalError.map { $0 > 0 && $0.isPlausible } ?? true
      && time.map(\.isPlausible) ?? true
  }
}

extension Date {
  /// A Boolean value that indicates whether the time is in the years that a picture can state.
  fileprivate var isPlausible: Bool {
    (-62_000_000_000...250_000_000_000).contains(timeIntervalSince1970)
  }
}

extension ScanResult {
  /// A Boolean value that indicates whether a picture could contain this result.
  fileprivate var isPlausible: Bool {
    codes.count + unread.count + appClipCodes.count <= 100_000 && codes.allSatisfy(\.isPlausible)
      && appClipCodes.allSatisfy(\.isPlausible)
      && unread.allSatisfy { symbol in
        if case .partOfMessage(let number, let count) = symbol.kind {
          guard (1...16).contains(number), (1...16).contains(count) else { return false }
        }
        return symbol.corners.arePlausible
      }
  }
}

extension SeenAppClipCode {
  fileprivate var isPlausible: Bool {
    corners.arePlausible && diameter.isPlausible
      && [print.disc, print.foreground, print.third, print.arcWidth ?? 0, print.gapDepth]
        .allSatisfy(\.isPlausible)
  }
}

extension DecodedCode {
  fileprivate var isPlausible: Bool {
    // A message over sixteen symbols of the largest version, each byte of which takes two in UTF-8.
    bytes.count <= 1 << 16 && text.utf8.count <= 1 << 18 && corners.arePlausible
      && (Symbology.all + Symbology.relatedToQR).contains(symbology)
      && version.map((1...40).contains) ?? true && mask.map((0...7).contains) ?? true
      && modulePixels.map(\.isPlausible) ?? true && correction.map(\.isPlausible) ?? true
  }
}

extension ErrorCorrectionUse {
  fileprivate var isPlausible: Bool {
    (0...65_536).contains(codewords) && (0...65_536).contains(correctedCodewords)
      && unused.isPlausible
  }
}

extension PrintGrade {
  /// Returns whether it is a valid grade of a code that was read.
  fileprivate func isPlausible(of code: DecodedCode) -> Bool {
    self.code == code && corners.arePlausible && modulePixels.isPlausible
      && moduleMillimetres.map(\.isPlausible) ?? true && parameters.allSatisfy(\.isPlausible)
  }
}

extension GradedParameter {
  fileprivate var isPlausible: Bool {
    let steps = 0...4
    return grade.map(steps.contains) ?? true && decimal.map((0.0...4).contains) ?? true
      && value.map(\.isPlausible) ?? true
      && parts.allSatisfy { steps.contains($0.grade) && $0.modules >= 0 && $0.wrongModules >= 0 }
  }
}

extension [PicturePoint] {
  /// A Boolean value that indicates whether these are four corners that can be converted to
  /// integers.
  fileprivate var arePlausible: Bool {
    count == 4 && allSatisfy { $0.x.isPlausible && $0.y.isPlausible }
  }
}

extension Double {
  /// A Boolean value that indicates whether it is finite and small enough for a length in a
  /// picture.
  fileprivate var isPlausible: Bool { abs(self) <= 10_000_000 }
}
