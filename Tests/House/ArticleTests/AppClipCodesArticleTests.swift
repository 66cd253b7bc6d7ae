import AppClipCodeFixtures
import AppClipCodeFiles
import AppClipCodes
import Testing

@Suite("What the articles of AppClipCodes show is true") struct AppClipCodesArticleTests {
  @Test("a file that another program changed is refused with the reason")
  func telling() throws {
    let file = DrawnAppClipCode("https://fruta.example.com/t/7").bytes
    do throws(AppClipCodeError) {
      let code = try AppClipCode(svg: file)
      print("unaltered:", code.payload)
    } catch {
      switch error.code {
      case .altered: print("a part was moved, added, removed or recoloured")
      case .reexported: print("another program saved it, and changed no part")
      case .foreignColours: print("a pair of colours that Apple does not offer")
      default: print("no App Clip Code")
      }
      print(error.message, error.hint)
    }
  }

  @Test("a file tells its URL, arcs and badge")
  func landingPage() throws {
    let file = DrawnAppClipCode("https://fruta.example.com/t/7").bytes
    let code = try AppClipCode(svg: file)
    print(code.payload, code.pattern.arcs.count, code.badge?.kind.rawValue ?? "no badge")
    #expect(code.payload == "https://fruta.example.com/t/7")
  }

  @Test("a reading is compared with the codes on record")
  func knowing() throws {
    let code = try DrawnAppClipCode("https://fruta.example.com/t/7").code
    let reading = AppClipCodeReading(code.pattern)
    let index = AppClipCodeIndex([code.pattern])
    let match = index.match(reading)
    switch match.answer {
    case .code(let pattern):
      print("ours:", pattern, "with", match.wrong, "of", match.known, "bits wrong")
    case .oneOf(let patterns): print("one of", patterns.count, "that are too alike")
    case .unknown: print("none of ours")
    case .unclear: print("too little was read")
    }
    #expect(match.answer == .code(code.pattern))
  }
}
