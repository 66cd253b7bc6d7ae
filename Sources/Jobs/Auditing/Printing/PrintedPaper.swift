import CodeDrawing
import Foundation
import Registry

/// The sheets that a web page is printed on, with the texts in their margins.
struct PrintedPaper: Sendable {
  let size: PaperSize
  /// The margin at each side, in millimetres.
  let margin: Double
  /// The creation time in the document, in seconds since 1970; `nil` for none.
  let creationTime: Int?
  /// The rules of the margins, in CSS (Paged Media, section 5).
  let margins: String

  /// The width between the margins, in millimetres.
  var width: Double { size.width - 2 * margin }

  /// The rules that follow those of the page.
  var style: String {
    func millimetres(_ length: Double) -> String { "\(decimal(length, places: 2))mm" }
    return """
      @page { size: \(millimetres(size.width)) \(millimetres(size.height));
        margin: \(millimetres(margin)) \(millimetres(margin)) \(millimetres(margin + 4)); \(margins) }
      @page :first { @top-left { content: none; border: 0; } }
      footer { display: none; }

      """
  }

  /// The element that gives the creation time, for the head of the page.
  var creation: String {
    guard let creationTime else { return "" }
    let time = Date(timeIntervalSince1970: Double(creationTime)).registryTimestamp
    return "<meta name=\"dcterms.created\" content=\"\(time)\">\n"
  }

  /// A text as a string of CSS inside a `style` element.
  static func string(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.value < 32 || "\"\\<".unicodeScalars.contains(scalar))
        ? "\\\(String(scalar.value, radix: 16)) " : String(scalar)
    }
    return "\"\(escaped.joined())\""
  }
}
