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
      #"echo '{"pageCount":0,"isDocument":false,"found":[]}'"#,
      #"echo '{"pageCount":501,"isDocument":true,"found":{"codes":[],"unread":[],"wasCutShort":false}}'"#,
      #"echo '{"pageCount":1,"isDocument":false,"found":[{"text":1}]}'"#,
    ])
  func crash(script: String) async {
    guard case .failure(let error) = await read(script) else {
      Issue.record("it was taken for a report")
      return
    }
    #expect(error.code == .decoderCrashed && error.source == "wall.jpg")
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
      #"{"pageCount":3,"isDocument":true,"found":{"codes":[],"unread":[],"wasCutShort":false}}"#
    let report = try await read("echo '\(line)'").get()
    #expect(report.pageCount == 3 && report.isDocument)
    #expect(try report.result().codes == [])
    let loader = PictureLoader()
    let missing = await PageReport(
      readingPage: 1, ofFile: "/nowhere/wall.jpg", named: "wall.jpg", loader: loader,
      scanner: CodeScanner())
    let copy = try #require(PageReport(line: try missing.line()))
    do throws(PictureError) {
      _ = try copy.result()
      Issue.record("it was read")
    } catch {
      #expect(error.code == .notFound && error.source == "wall.jpg")
    }
  }
}
