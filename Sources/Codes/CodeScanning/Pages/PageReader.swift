package import Pictures

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The pages of a picture or document, read either in this process or each in a separate one.
package struct PageReader: Sendable {
  /// The number of pages, at least 1.
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
  private let page: @Sendable (_ number: Int) async throws(PictureError) -> ReadPage

  /// Reads pages in this process.
  ///
  /// - Parameters:
  ///   - file: The picture or document.
  ///   - grader: The grader, with its scanner.
  ///   - isGrading: Whether prints are graded.
  package init(_ file: PictureFile, grader: PrintGrader, isGrading: Bool) {
    pageCount = max(1, file.pageCount)
    isDocument = file.isDocument
    isDrawing = file.isDrawing
    position = file.position
    taken = file.taken
    page = { number async throws(PictureError) in
      let pixels = try await file.page(number)
      var result = try await grader.scanner.examine(pixels)
      if isGrading, grader.scanner.symbologies.contains(.qr) {
        result = result.adding(try await UnreadableSymbols.symbols(in: pixels, besides: result))
      }
      return ReadPage(
        result: result,
        grades: isGrading ? try await grader.grades(of: result.codes, in: pixels) : nil
      ) { () async throws(PictureError) in
        try await pixels.smallCopy(longestSide: PageReport.longestSide)
      }
    }
  }

  /// Reads each page in a separate process; the first one immediately.
  ///
  /// - Parameters:
  ///   - job: The job that runs the processes.
  ///   - isGrading: Whether prints are graded.
  ///   - isKnown: Whether the pages may not be needed, so that none is searched immediately.
  /// - Throws: As ``PageProcess/Job/read(page:asking:)``.
  package init(
    _ job: PageProcess.Job, isGrading: Bool, isKnown: Bool = false
  ) async throws(PictureError) {
    let content = isGrading ? PageReport.Content.grades : .codes
    let first = try await job.read(page: 1, asking: isKnown ? .facts : content)
    pageCount = first.pageCount
    isDocument = first.isDocument
    isDrawing = first.isDrawing
    position = first.position
    taken = first.taken
    page = { number async throws(PictureError) in
      let report =
        number == 1 && !isKnown ? first : try await job.read(page: number, asking: content)
      return ReadPage(
        result: try report.result(), grades: isGrading ? try report.printGrades() : nil
      ) { () async throws(PictureError) in
        try await job.read(page: number, asking: .copy).smallCopy()
      }
    }
  }

  /// Decodes a page.
  ///
  /// - Parameter page: The number of the page, from 1.
  /// - Throws: `PictureError`. Other pages remain readable.
  package func read(page: Int) async throws(PictureError) -> ReadPage { try await self.page(page) }
}

/// The contents of a page.
package struct ReadPage: Sendable {
  /// The codes, and unread symbols.
  package let result: ScanResult
  /// The grade of each code, or `nil` if its modules cannot be located; `nil` for the whole list if
  /// grading was not requested.
  package let grades: [PrintGrade?]?
  private let copy: @Sendable () async throws(PictureError) -> SmallCopy?

  fileprivate init(
    result: ScanResult, grades: [PrintGrade?]?,
    copy: @escaping @Sendable () async throws(PictureError) -> SmallCopy?
  ) {
    self.result = result
    self.grades = grades
    self.copy = copy
  }

  /// Returns a small copy in colour; decodes the page again.
  package func smallCopy() async throws(PictureError) -> SmallCopy? { try await copy() }
}
