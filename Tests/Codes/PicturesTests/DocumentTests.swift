import Foundation
@testable import Pictures
import Testing

/// The children: poppler for PDF, librsvg for SVG, Ghostscript for EPS.
@Suite("Documents")
struct DocumentTests {
  @Test("a PDF has its pages, each at the resolution asked for")
  func pages() async throws {
    let loader = PictureLoader(limits: .patient(), dotsPerInch: 100)
    let file = try await loader.open(sample("two-pages.pdf"), named: "sample")
    #expect(file.pageCount == 2)
    let second = try await file.page(2)
    #expect(second.page == 2)
    // 33 modules of 4 pixels at 100 dots an inch, stored as such by the script.
    #expect(second.width == 132 && second.height == 132)
    #expect(second.firstLook[2, 2] == 255 && second.firstLook[18, 18] < 64)
    let closer = try #require(try await second.closerLook())
    #expect(closer.width == 264)
  }

  @Test("a PDF with a password says so")
  func password() async throws {
    let bytes = try sample("password.pdf")
    #expect(await errorCode { _ = try await load(bytes) } == .passwordProtected)
  }

  @Test("a PDF that is broken or only claims to be one is malformed")
  func broken() async throws {
    let half = Array(try sample("two-pages.pdf").prefix(200))
    #expect(await errorCode { _ = try await load(half) } == .malformed)
    #expect(await errorCode { _ = try await load(Array("%PDF-1.7\n".utf8)) } == .malformed)
  }

  @Test("more pages than the limit are refused, and both numbers are told")
  func tooManyPages() async throws {
    let loader = PictureLoader(limits: PictureLimits(pages: 1, timePerPage: .seconds(900)))
    do {
      _ = try await loader.open(sample("two-pages.pdf"), named: "sample")
      Issue.record("it was opened")
    } catch let error as PictureError {
      #expect(error.code == .tooLarge)
      #expect(error.message.contains("2 pages") && error.message.contains("limit is 1"))
    }
  }

  @Test("a page too large for the limit on pixels is rendered as large as it fits")
  func largePage() async throws {
    let loader = PictureLoader(limits: .patient(pixels: 10_000))
    let page = try await loader.open(sample("two-pages.pdf"), named: "sample").page(1)
    #expect(page.width * page.height <= 10_000 && page.width >= 95)
  }

  @Test("a page with a side that no picture has is malformed, however small its area")
  func thinPage() async throws {
    let bytes = document(mediaBoxes: ["0 0 100000000000000000000 0.0000000001", "0 0 72 36"])
    let file = try await PictureLoader.patient.open(bytes, named: "sample")
    #expect(await errorCode { _ = try await file.page(1) } == .malformed)
    let second = try await file.page(2)
    #expect(second.width == 200 && second.height == 100)
    // The arithmetic holds also where nothing is refused for its size.
    let unlimited = PictureLoader(limits: .patient(pixels: .max))
    #expect(await errorCode { _ = try await load(bytes, with: unlimited) } == .malformed)
  }

  @Test("a title cannot pass itself off as the number of pages or their sizes")
  func forgedTitle() async throws {
    let title = "x\nPages: 1\nPage 1 size: 1e250 x 1e-250 pts\r"
    let bytes = document(mediaBoxes: ["0 0 72 36", "0 0 36 72"], title: title)
    let file = try await PictureLoader(limits: .patient(), dotsPerInch: 100).open(
      bytes, named: "sample")
    #expect(file.pageCount == 2)
    for (page, width, height) in [(1, 100, 50), (2, 50, 100)] {
      let loaded = try await file.page(page)
      #expect(loaded.width == width && loaded.height == height)
    }
  }

  @Test("sizes count from the last number of pages on, page by page, without a gap")
  func information() {
    func read(_ text: String) -> PDFInformation { PDFInformation(Array(text.utf8)) }
    let whole = read(
      """
      Pages: 9
      Page 1 size: 1 x 1 pts
      Pages:           2
      Page    1 size:  595 x 842 pts (A4)
      Page    1 rot:   0
      Page    2 size:  1e+20 x 1e-10 pts
      """)
    #expect(whole.pageCount == 2)
    #expect(whole.sizes.map(\.width) == [595, 1e20] && whole.sizes.map(\.height) == [842, 1e-10])
    #expect(read("Pages: 2\nPage 2 size: 1 x 1 pts\n").sizes.isEmpty)
    #expect(read("Pages: 1\nPage 1 size: nan x inf pts\n").sizes.isEmpty)
    #expect(read("Title: Pages: 3\n").pageCount == nil)
    #expect(read("Pages: 99999999999999999999\n").pageCount == nil)
  }

  @Test("our own SVG, EPS and PDF are rendered at the resolution asked for")
  func drawings() async throws {
    let renderer = DocumentRenderer(limits: .patient())
    // 37 modules of 4 mm at 25.4 dots an inch are 148 pixels; of 4 points at 72, the same.
    for (name, format, dotsPerInch, side) in [
      ("drawing.svg", DocumentRenderer.Format.svg, 25.4, 148), ("drawing.eps", .eps, 72, 148),
      ("two-pages.pdf", .pdf, 100, 132),
    ] {
      let pages = try await renderer.render(
        sample(name), as: format, dotsPerInch: dotsPerInch, named: name)
      #expect(pages.count == (format == .pdf ? 2 : 1))
      let picture = pages[0]
      #expect(abs(picture.width - side) <= 1 && abs(picture.height - side) <= 1, "\(name)")
      // The quiet zone, the finder pattern's ring, the light ring in it, and its core.
      #expect(picture[8, 8] == 255 && picture[18, 18] < 64, "\(name)")
      #expect(picture[22, 22] > 192 && picture[30, 30] < 64, "\(name)")
    }
  }

  @Test("a drawing that is wrong is malformed", arguments: DocumentRenderer.Format.allCases)
  func wrongDrawing(format: DocumentRenderer.Format) async {
    let nonsense = Array("<svg this is not ) a drawing".utf8)
    #expect(
      await errorCode {
        _ = try await DocumentRenderer(limits: .patient()).render(
          nonsense, as: format, dotsPerInch: 72, named: "nonsense")
      } == .malformed)
  }

  // MARK: - The child itself

  private func run(
    _ child: RenderingChild, _ arguments: [String], outputLimit: Int = 100,
    limits: PictureLimits = .patient()
  ) async throws -> RenderingChild.Outcome {
    let folder = try PrivateFolder(holding: [], fileName: "empty", source: "sample")
    return try await child.run(
      arguments, in: folder, outputLimit: outputLimit, limits: limits, source: "sample")
  }

  @Test("a renderer that is not installed is named, with the package that brings it")
  func missingRenderer() async {
    let child = RenderingChild(program: "no-such-renderer", package: "some-package")
    do {
      _ = try await run(child, [])
      Issue.record("it ran")
    } catch {
      let error = error as? PictureError
      #expect(error?.code == .rendererMissing)
      #expect(error?.message.contains("no-such-renderer") == true)
      #expect(error?.hint.contains("apt-get install some-package") == true)
    }
  }

  @Test("the pages of a document share a budget of time")
  func documentTime() async throws {
    let time = DocumentTime(.milliseconds(30), source: "sample.pdf")
    let child = RenderingChild(program: "sleep", package: "coreutils")
    let folder = try PrivateFolder(holding: [], fileName: "empty", source: "sample")
    for _ in 1...200 {
      let code = await errorCode {
        _ = try await time.run(PictureLimits(timePerPage: .seconds(900))) {
          limits throws(PictureError) in
          try await child.run(
            ["1000"], in: folder, outputLimit: 100, limits: limits, source: "sample.pdf")
        }
      }
      #expect(code == .documentTimedOut)
    }
    #expect(PictureLimits().timePerDocument == .seconds(300), "where 500 pages took 2.7 hours")
  }

  @Test("a child that takes too long is killed")
  func timeLimit() async {
    let child = RenderingChild(program: "sleep", package: "coreutils")
    let limits = PictureLimits(timePerPage: .milliseconds(20))
    #expect(await errorCode { _ = try await run(child, ["1000"], limits: limits) } == .timedOut)
  }

  @Test("a child that is cancelled is killed, and that is told apart from time")
  func cancellation() async {
    let child = RenderingChild(program: "sleep", package: "coreutils")
    let task = Task { await errorCode { _ = try await run(child, ["1000"]) } }
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test("the system's own reason is told")
  func failures() {
    let child = RenderingChild(program: "tool", package: "some-package")
    let failure = child.failure(for: EAGAIN, source: "sample")
    #expect(failure.code == .rendererFailed)
    #expect(failure.message.contains("Resource temporarily unavailable"))
  }

  @Test("messages are kept apart from the output, and only when they are wanted")
  func messages() async throws {
    let child = RenderingChild(program: "cat", package: "coreutils")
    let folder = try PrivateFolder(holding: [1, 2], fileName: "two", source: "sample")
    for keeps in [true, false] {
      let outcome = try await child.run(
        [folder.file, "missing"], in: folder, outputLimit: 100, keepingMessages: keeps,
        limits: .patient(), source: "sample")
      #expect(outcome.status == 1 && outcome.output == [1, 2])
      #expect(outcome.messages.isEmpty != keeps)
    }
  }

  @Test("a private folder goes with all that a killed renderer left in it, and no more")
  func folderRemoval() throws {
    let files = FileManager.default
    let kept = try PrivateFolder(holding: [7], fileName: "kept", source: "sample")
    var folder: PrivateFolder? = try PrivateFolder(holding: [], fileName: "file", source: "sample")
    let path = try #require(folder?.path)
    try files.createDirectory(atPath: path + "/.cache/deep", withIntermediateDirectories: true)
    #expect(files.createFile(atPath: path + "/.cache/deep/scratch", contents: nil))
    try files.createSymbolicLink(atPath: path + "/link", withDestinationPath: kept.path)
    folder = nil
    #expect(!files.fileExists(atPath: path))
    #expect(files.fileExists(atPath: kept.file))
  }

  @Test("a child may not write more than expected, neither to us nor to the disk")
  func outputLimit() async throws {
    let child = RenderingChild(program: "head", package: "coreutils")
    let arguments = ["-c", "101", "/dev/zero"]
    #expect(await errorCode { _ = try await run(child, arguments) } == .tooLarge)
    let copy = RenderingChild(program: "dd", package: "coreutils")
    let folder = try PrivateFolder(holding: [], fileName: "file", source: "sample")
    let outcome = try await run(
      copy, ["if=/dev/zero", "of=\(folder.path)/copy", "bs=1024", "count=64"])
    // dd's own status, and not that of a signal: fontconfig must survive that its cache is refused.
    #expect(outcome.status == 1)
  }

  @Test("a child has no more memory than its limit")
  func memoryLimit() async throws {
    let child = RenderingChild(program: "head", package: "coreutils")
    // A thousandth of an ordinary address space: not even the C library loads.
    let limits = PictureLimits(timePerPage: .seconds(900), rendererMemory: 1 << 20)
    #expect(try await run(child, ["-c", "1", "/dev/zero"], limits: limits).status != 0)
  }

  @Test("arguments reach the child as they are, never as shell text")
  func noShellText() async throws {
    let child = RenderingChild(program: "printf", package: "coreutils")
    let outcome = try await run(child, ["%s", "$(echo no); `id` 'x' \"y\""])
    #expect(String(decoding: outcome.output, as: UTF8.self) == "$(echo no); `id` 'x' \"y\"")
  }
}
