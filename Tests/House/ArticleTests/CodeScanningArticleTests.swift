import AppClipCodeFixtures
import AppClipCodes
import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol
import Synchronization
import Testing

@Suite("What the articles of CodeScanning show is true") struct CodeScanningArticleTests {
  private let path = Fixtures.path("Samples/VerifyCode/sign.png")
  private let url = "https://fruta.example.com/order/cupertino"

  @Test("a code of a picture is read, with its corners")
  func landingPage() async throws {
    let file = try await PictureLoader().open(path: path)
    let page = try await file.page(1)
    for code in try await CodeScanner().scan(page) {
      print(code.text, code.corners.map { "(\(Int($0.x)), \(Int($0.y)))" })
    }
    let codes = try await CodeScanner().scan(page)
    #expect(codes.map(\.text) == [url])
    #expect(codes.first?.corners.count == 4)
  }

  @Test("App Clip Codes of a picture are found, and compared with those that are known")
  func appClipCodes() throws {
    let drawn = DrawnAppClipCode(url)
    let picture = AppClipCodePhotograph(drawn).picture(width: 220, height: 200)
    let index = AppClipCodeIndex([drawn.pattern])
    let result = try CodeScanner().examine(picture)
    for code in result.appClipCodes {
      print(index.match(code.reading).answer, code.corners, code.diameter)
    }
    #expect(result.appClipCodes.map { index.match($0.reading).answer } == [.code(drawn.pattern)])
  }

  @Test("everything that was seen on a picture is told")
  func everyCode() async throws {
    let page = try await PictureLoader().open(path: path).page(1)
    var scanner = CodeScanner()
    scanner.budget = .seconds(2)  // a page; 400 ms unless said otherwise
    let result = try await scanner.examine(page)
    for code in result.codes {
      print(code.text, code.version ?? 0, code.modulePixels ?? 0)
    }
    for symbol in result.unread { print("unread:", symbol.kind) }
    if result.wasCutShort { print("there may be more: give it more time") }
    #expect(result.codes.map(\.version) == [3])
    #expect(result.unread.isEmpty && !result.wasCutShort)
  }

  @Test("the pixels of a drawing have the best grade")
  func grading() async throws {
    let page = try await PictureLoader().open(path: path).page(1)
    let grader = PrintGrader(capture: .flatbed(dotsPerInch: 300))
    let (grades, ungraded) = try await grader.grades(of: page)
    for grade in grades {
      print(grade.letter, grade.code.text)  // A https://fruta.example.com/order/cupertino
      for parameter in grade.parameters { print(" ", parameter.name, parameter.letter ?? "-") }
    }
    print(ungraded)  // 0: symbols too small to be graded
    #expect(grades.map(\.letter) == ["A"] && grades.map(\.code.text) == [url] && ungraded == 0)
  }

  @Test("a scanner's readings come one by one until there is a code")
  func live() async throws {
    let source = ListedReadings([
      .unreadable(reason: "not UTF-8"), .text(url, symbology: .qr),
      .text("not asked for", symbology: nil),
    ])
    let scan = LiveScan(clock: ContinuousClock(), timeout: .seconds(30))
    let end = try await scan.run(source) { reading in
      switch reading {
      case .decoded(let code): print(code.text, code.corners)
      case .appClipCode(let code): print("an App Clip Code", code.corners)
      case .text(let text, _): print(text)
      case .unreadable(let reason): print("not taken:", reason)
      }
      return reading.text == nil  // go on until there is a code
    }
    if end == .timedOut { print("no code came for 30 s") }
    #expect(end == .enough)
  }
}

/// A scanner whose codes are known before.
private final class ListedReadings: LiveSource {
  let name = "list"
  let description = "a list"
  private let rest: Mutex<[LiveReading]>

  init(_ readings: [LiveReading]) { rest = Mutex(readings) }

  func next(while isWanted: () -> Bool) -> LiveReading? {
    rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
