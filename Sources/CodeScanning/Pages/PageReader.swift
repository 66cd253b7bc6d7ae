package import Pictures

/// The pages of a picture or document, whether they are read here or each in a process of its own.
package struct PageReader: Sendable {
  /// How many there are, at least 1.
  package let pageCount: Int
  /// Whether pages are worth telling apart, as `PictureFile.isDocument` has it.
  package let isDocument: Bool
  /// Whether no other picture can be taken of it, as `PictureFile.isDrawing` has it.
  package let isDrawing: Bool
  /// Where the picture says it was taken.
  package let position: PicturePosition?
  private let page: @Sendable (_ number: Int) async throws(PictureError) -> ReadPage

  /// Reads pages here.
  ///
  /// - Parameters:
  ///   - file: The picture or document.
  ///   - grader: How codes are looked for, and their print is graded.
  ///   - isGrading: Whether prints are graded.
  package init(_ file: PictureFile, grader: PrintGrader, isGrading: Bool) {
    pageCount = max(1, file.pageCount)
    isDocument = file.isDocument
    isDrawing = file.isDrawing
    position = file.position
    page = { number async throws(PictureError) in
      let pixels = try await file.page(number)
      let result = try await grader.scanner.examine(pixels)
      return ReadPage(
        result: result,
        grades: isGrading ? try await grader.grades(of: result.codes, in: pixels) : nil
      ) { () async throws(PictureError) in
        try await pixels.smallCopy(longestSide: PageReport.longestSide)
      }
    }
  }

  /// Reads each page in a process of its own; the first one at once.
  ///
  /// - Parameters:
  ///   - job: The processes.
  ///   - isGrading: Whether prints are graded.
  ///   - isKnown: Whether nobody may want the pages after all, so that none is searched at once.
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
  /// - Parameter page: The page, from 1.
  /// - Throws: `PictureError`. Other pages stay readable.
  package func read(page: Int) async throws(PictureError) -> ReadPage { try await self.page(page) }
}

/// What is on a page.
package struct ReadPage: Sendable {
  /// The codes, and what looks like one.
  package let result: ScanResult
  /// The grade of each code, or `nil` where its modules cannot be followed; `nil` in all when nothing
  /// was to be graded.
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

  /// Makes a small copy in colour, for which the page is decoded again.
  package func smallCopy() async throws(PictureError) -> SmallCopy? { try await copy() }
}
