import CodeScanning
import Invocation
import Testing

@testable import Verifying

@Suite("What is said of a search")
struct SearchAdviceTests {
  @Test("the advice fits what was searched and what was seen")
  func advice() {
    let part = UnreadSymbol.Kind.partOfMessage(number: 1, of: 2)
    #expect(SearchAdvice(unread: [], isDrawing: false) == .anotherPicture)
    #expect(SearchAdvice(unread: [], isDrawing: true) == .lookAtDrawing)
    #expect(SearchAdvice(unread: [part], isDrawing: true) == .allParts)
    for kind in [UnreadSymbol.Kind.microQR, .rectangularMicroQR, .model1QR] {
      #expect(SearchAdvice(unread: [part, kind], isDrawing: false) == .anotherKind)
    }
  }

  @Test("light on transparent is told as that, and not as light on dark besides")
  func lightOnTransparent() {
    let corners = [(0.0, 0.0), (9, 0), (9, 9), (0, 9)].map { PicturePoint(x: $0.0, y: $0.1) }
    let code = DecodedCode(
      text: "a", bytes: [97], corners: corners, isInverted: true, stage: "test")
    #expect(Finding.about(code).map(\.code) == [.invertedSymbol])
    #expect(Finding.about(code.seen(on: .dark)).map(\.code) == [.needsDarkGround])
  }
}
