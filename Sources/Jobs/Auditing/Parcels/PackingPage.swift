import CliptagBasics
package import CodeDrawing
import Foundation
import Invocation
import Pictures
import Registry

/// A packing list as a web page, or printed: each code with a box to tick.
///
/// No code is shown on it: an additional code could be confused with the one that was scanned.
package struct PackingPage: Sendable {
  private let list: PackingList
  /// The instruction for scanning a parcel: a command, for example.
  private let scanning: String?
  private var paper: PrintedPaper?

  /// Describes the page of a list.
  package init(_ list: PackingList, scanning: String? = nil) {
    self.list = list
    self.scanning = scanning
  }

  /// Prints the list.
  ///
  /// - Parameters:
  ///   - size: The sheet.
  ///   - creationTime: The creation time in the document, in seconds since 1970; `nil` for none.
  /// - Returns: The number of pages, and the bytes of the PDF file; the same list gives the same
  ///   bytes.
  /// - Throws: `PictureError` with `rendererMissing` without WeasyPrint. Cancelling the task ends the
  ///   work.
  package func pdf(
    on size: PaperSize, creationTime: Int?
  ) async throws -> (pages: Int, bytes: [UInt8]) {
    var page = self
    page.paper = PrintedPaper(
      size: size, margin: 15, creationTime: creationTime,
      margins: """
        @top-left { content: string(title); width: 100%; font: bold 4mm "Noto Sans", sans-serif;
          vertical-align: bottom; padding-bottom: 1.5mm; border-bottom: .3mm solid; }
        @bottom-right { content: \(PrintedPaper.string(list.place.id)) ", page " counter(page) " of "
          counter(pages); font: 2.8mm "Noto Sans", sans-serif; color: #565f69; }
        """)
    let printer = DocumentRenderer(limits: .ownPages)
    let bytes = try await printer.print(Array(page.html.utf8), named: "the packing list")
    return (try await printer.pageCount(of: bytes, named: "the packing list"), bytes)
  }

  /// The page.
  package var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="generator" content="cliptag">
    <meta name="description" content="\(list.summary)">
    <title>Packing list of \(xmlEscaped(list.place.name.nameForPeople))</title>
    \(paper?.creation ?? "")<style>
    \(WalkPage.style)\(paper?.style ?? "")
    </style>
    </head>
    <body class="packing">
    <header>
    <h1><bdi>\(xmlEscaped(list.place.name.nameForPeople))</bdi></h1>
    <p>Packing list. \(list.summary).</p>
    <p class="facts">No codes are printed here: one more would only lie about. Compare the names beside \
    the codes, or scan the parcel\(scanning.map { ": \(xmlEscaped($0))" } ?? "").</p>
    </header>
    <main>
    <ul class="jobs">
    \(list.items.enumerated().map(row).joined())</ul>
    </main>
    </body>
    </html>

    """
  }

  private func row(_ index: Int, _ item: PackingList.Item) -> String {
    let code = item.code
    let carrier =
      switch code.carrier {
      case .qr: "Printed code"
      case .appClipCode: "App Clip Code"
      case .nfc: code.tagUID.map { "NFC tag \($0)" } ?? "NFC tag"
      }
    let payload = xmlEscaped(code.payload.printable)
    // A code is found by its label, or else by its URL.
    let name = item.label.map { xmlEscaped($0.prose) } ?? payload
    let facts = [carrier, code.id.description, item.origin].filter { !$0.isEmpty }
    // Several prints look alike when they are read: each has a box.
    let prints: [String] =
      item.items.count < 2
      ? []
      : item.items.map { print in
        let words = xmlEscaped("\(print.name) · \(print.words.printable)")
        return "<p class=\"facts\"><input type=\"checkbox\" aria-label=\"Packed\"> \(words)</p>"
      }
    return """
      <li><input type="checkbox" aria-label="Packed"><small>\(index + 1)</small><div>\
      <h2 dir="auto">\(name)</h2>\(item.label == nil ? "" : "<p><bdi>\(payload)</bdi></p>")\
      <p class="facts">\(xmlEscaped(facts.joined(separator: " · ")))</p>\(prints.joined())</div></li>

      """
  }
}
