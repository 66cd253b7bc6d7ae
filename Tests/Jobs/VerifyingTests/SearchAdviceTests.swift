import CodeScanning
import Invocation
import JourneyFixtures
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

  @Test(
    "a symbol that resembles a QR code is rejected, whatever it says",
    arguments: DecodedCode.Symbology.relatedToQR)
  func otherKinds(kind: DecodedCode.Symbology) throws {
    let corners = [(0.0, 0.0), (9, 0), (9, 9), (0, 9)].map { PicturePoint(x: $0.0, y: $0.1) }
    let verifier = Verifier(check: try Fixtures.registry().check, location: .waived)
    func examined(_ kind: DecodedCode.Symbology) throws -> VerifiedCode {
      let text = Fixtures.cupertino
      return try verifier.examine(
        DecodedCode(
          text: text, bytes: Array(text.utf8), symbology: kind, corners: corners, stage: "test"),
        source: "a.png")
    }
    let code = try examined(kind)
    #expect(code.verification.carrier == .barcode && code.verdict == .rejected)
    #expect(code.findings.first?.code == .unsupportedSymbol)
    #expect(!code.findings.contains { $0.code == .barcodeCarrier })
    #expect(try examined(.qr).verdict == .accepted)
    let goods = try examined(.ean13).findings.map(\.code)
    #expect(goods.contains(.barcodeCarrier) && !goods.contains(.unsupportedSymbol))
  }
}
