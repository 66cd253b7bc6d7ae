import CodeDrawing
import CodeScanning
import Foundation
import Pictures

extension LabelSheetJob {
  /// The pixels that the smallest module of a sheet gets.
  private static let pixelsPerModule = 5.0

  /// One code that must be found at its place.
  private struct Expectation: Sendable {
    let label: Label
    let bytes: [UInt8]
  }

  /// Renders every sheet of the finished file with poppler, cuts every label's code out and decodes
  /// it on its own.
  ///
  /// - Parameters:
  ///   - labels: What ``draw(to:)`` returned.
  ///   - path: The finished file.
  ///   - name: What to call it in messages.
  ///   - progress: Called with the number of labels whenever some were proven.
  /// - Throws: ``IssuingError`` with code `unreadable-rendering` that names row and sheet,
  ///   `PictureError`, or `CancellationError`.
  package func prove(
    _ labels: [Label], at path: String, named name: String,
    progress: (_ labels: Int) -> Void = { _ in }
  ) async throws {
    let workers = min(max(ProcessInfo.processInfo.activeProcessorCount, 1), 4)
    var rows = file.rows().makeIterator()
    var row = rows.next()
    try await withThrowingTaskGroup(of: Int.self) { group in
      var running = 0
      var next = 0
      while next < labels.count {
        let page = labels[next].place.page
        var expected: [Expectation] = []
        while next < labels.count, labels[next].place.page == page {
          while let current = row, current.number < labels[next].row { row = rows.next() }
          expected.append(
            Expectation(label: labels[next], bytes: Array((row?.url ?? "").utf8)))
          next += 1
        }
        if running == workers, let done = try await group.next() {
          running -= 1
          progress(done)
        }
        running += 1
        group.addTask { [expected] in
          try await prove(expected, page: page, at: path, named: name)
          return expected.count
        }
      }
      while let done = try await group.next() { progress(done) }
    }
  }

  private func prove(
    _ expected: [Expectation], page: Int, at path: String, named name: String
  ) async throws {
    let module = expected.map(\.label.moduleSize).min() ?? 1
    let resolution = 25.4 * Self.pixelsPerModule / module
    let paper = options.stock.paper
    let picture = try await DocumentRenderer(limits: .ownDrawing).render(
      page: page, ofPDF: path, width: paper.width, height: paper.height, dotsPerInch: resolution,
      named: name)
    for expectation in expected {
      try Task.checkCancellation()
      let label = expectation.label
      let codes = try CodeScanner().readBack(picture.part(label.box, of: paper.width))
      guard codes.count == 1, codes[0].bytes == expectation.bytes else {
        let found = codes.isEmpty ? "no code" : codes.map(\.text).joined(separator: ", ")
        throw IssuingError(
          .unreadableRendering,
          "\(name) was not written: row \(label.row) on page \(page), label "
            + "\(label.place.position), read back from its own pixels, gives \(found).",
          hint: "Use larger labels, fewer captions or a shorter URL; if it stays, report this "
            + "with the URL.")
      }
    }
  }
}
