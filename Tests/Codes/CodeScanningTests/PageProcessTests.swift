import Foundation
import Pictures
import Testing

@testable import CodeScanning

@Suite("A process for each page")
struct PageProcessTests {
  /// What a shell that stands for the reader comes to.
  private func read(
    _ script: String, limits: PictureLimits = PictureLimits(timePerPage: .seconds(900))
  ) async -> Result<PageReport, PictureError> {
    let process = PageProcess(program: "sh", arguments: ["-c", script], limits: limits)
    do throws(PictureError) {
      return .success(try await process.open(path: "wall.jpg").read(page: 1))
    } catch {
      return .failure(error)
    }
  }

  @Test(
    "a process that crashes, fails, or writes no report is an error of its picture",
    arguments: [
      "kill -SEGV $$", "kill -KILL $$", "exit 3", "", "echo nonsense", "echo '{}'",
      #"echo '{"pageCount":0,"isDrawing":false,"isDocument":false,"found":[]}'"#,
      #"echo '{"pageCount":501,"isDrawing":false,"isDocument":true,"found":{"codes":[],"appClipCodes":[],"unread":[],"wasCutShort":false}}'"#,
      #"echo '{"pageCount":1,"isDrawing":false,"isDocument":false,"found":[{"text":1}]}'"#,
    ])
  func crash(script: String) async {
    guard case .failure(let error) = await read(script) else {
      Issue.record("it was taken for a report")
      return
    }
    #expect(error.code == .decoderCrashed && error.source == "wall.jpg")
  }

  /// A report with a code at these corners, which it also grades.
  private func report(corners: String, code: String = "", grade: String = "4") -> String {
    let code =
      #"{"text":"a","bytes":[97],"symbology":"qr","corners":\#(corners),"isInverted":false,"#
      + #""stage":"full frame"\#(code)}"#
    let parameter = #"{"name":"decode","basis":"measured","grade":\#(grade),"parts":[]}"#
    return
      #"{"pageCount":1,"isDrawing":false,"isDocument":false,"found":{"codes":[\#(code)],"appClipCodes":[],"unread":[],"#
      + #""wasCutShort":false},"grades":[{"code":\#(code),"corners":\#(corners),"modulePixels":3,"#
      + #""parameters":[\#(parameter)]}]}"#
  }

  private static let square =
    #"[{"x":0,"y":0},{"x":1,"y":0},{"x":1,"y":1},{"x":0,"y":1}]"#

  @Test("numbers that nothing in a picture has, on which others would trip, are no report")
  func implausible() throws {
    func reads(_ line: String, _ content: PageReport.Content = .grades) -> Bool {
      PageReport(Array("\(line)\n".utf8), answering: content) != nil
    }
    #expect(reads(report(corners: Self.square)))
    #expect(!reads(report(corners: Self.square), .codes), "nobody asked for grades")
    #expect(!reads(report(corners: Self.square), .copy), "the copy is missing")
    #expect(!reads(report(corners: "[]")), "no corners")
    let far = Self.square.replacingOccurrences(of: #""x":1"#, with: #""x":1e300"#)
    #expect(!reads(report(corners: far)), "a corner out of every picture")
    for code in [#","version":9223372036854775807"#, #","mask":-1"#, #","modulePixels":1e300"#] {
      #expect(!reads(report(corners: Self.square, code: code)), "\(code)")
    }
    #expect(!reads(report(corners: Self.square, grade: "5")))
    #expect(!reads(report(corners: Self.square, grade: "-9223372036854775808")))
  }

  @Test("a small copy has as many pixels as it says, and no more than it may")
  func copies() throws {
    func copy(_ width: Int, _ height: Int, bytes: Int) -> SmallCopy? {
      let line =
        #"{"pageCount":1,"isDrawing":false,"isDocument":false,"found":{"codes":[],"appClipCodes":[],"unread":[],"wasCutShort":false},"#
        + #""copy":{"width":\#(width),"height":\#(height),"originalWidth":9,"originalHeight":9}}"#
      let output = Array("\(line)\n".utf8) + [UInt8](repeating: 7, count: bytes)
      return try? PageReport(output, answering: .copy)?.smallCopy()
    }
    #expect(copy(2, 3, bytes: 18)?.picture.blue.pixels == [7, 7, 7, 7, 7, 7])
    #expect(copy(2, 3, bytes: 17) == nil && copy(2, 3, bytes: 19) == nil)
    #expect(copy(0, 3, bytes: 0) == nil && copy(1_601, 1, bytes: 4_803) == nil)
    #expect(copy(.max, .max, bytes: 3) == nil && copy(-1, -1, bytes: 3) == nil)
  }

  @Test("what is asked comes through: the codes, their grades, a small copy")
  func contents() async throws {
    let path = Bundle.module.bundleURL.appending(path: "Samples/photo-exif-6.jpg").path
    for content in PageReport.Content.allCases {
      let made = await PageReport(
        readingPage: 1, ofFile: path, asking: content, loader: PictureLoader(),
        grader: PrintGrader())
      let report = try #require(PageReport(try made.bytes(), answering: content))
      let codes = try report.result().codes
      #expect(codes.isEmpty == [.facts, .copy].contains(content))
      #expect(try report.printGrades().count == (content == .grades ? codes.count : 0))
      let copy = try report.smallCopy()
      #expect((copy != nil) == (content == .copy))
      if let copy {
        #expect(max(copy.picture.width, copy.picture.height) <= PageReport.longestSide)
      }
    }
  }

  @Test("a process that hangs is killed, with what it started")
  func hanging() async {
    let limits = PictureLimits(timePerPage: .milliseconds(20))
    guard case .failure(let error) = await read("sleep 1000 & sleep 1000", limits: limits) else {
      Issue.record("it came to an end")
      return
    }
    #expect(error.code == .decoderCrashed && error.message.contains("killed"))
  }

  @Test("the pages of a document share a budget of time, and none is begun when it is spent")
  func documentTime() async throws {
    let limits = PictureLimits(timePerPage: .seconds(900), timePerDocument: .milliseconds(20))
    let job = try PageProcess(
      program: "sh", arguments: ["-c", "sleep 1000"], limits: limits
    ).open(path: "wall.pdf")
    for page in 1...500 {
      do throws(PictureError) {
        _ = try await job.read(page: page)
        Issue.record("it came to an end")
      } catch {
        #expect(error.code == .documentTimedOut && error.message.contains("wall.pdf"))
      }
    }
  }

  @Test("a report comes through as it was made")
  func report() async throws {
    let line =
      #"{"pageCount":3,"isDrawing":false,"isDocument":true,"found":{"codes":[],"appClipCodes":[],"unread":[],"wasCutShort":false}}"#
    let report = try await read("echo '\(line)'").get()
    #expect(report.pageCount == 3 && report.isDocument)
    #expect(try report.result().codes == [])
    let loader = PictureLoader()
    let missing = await PageReport(
      readingPage: 1, ofFile: "/nowhere/wall.jpg", named: "wall.jpg", loader: loader,
      grader: PrintGrader())
    let copy = try #require(PageReport(try missing.bytes(), answering: .codes))
    do throws(PictureError) {
      _ = try copy.result()
      Issue.record("it was read")
    } catch {
      #expect(error.code == .notFound && error.source == "wall.jpg")
    }
  }
}
