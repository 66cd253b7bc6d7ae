import CliptagBasics
import Testing

@Suite("Hints")
struct HintTests {
  @Test("advice is worded by the face, and a value stays as it is")
  func wording() {
    let name = "redo row 3"
    let hint: Hint = "Keep \(name), or \(.redoRow(3))."
    #expect(hint.text == "Keep redo row 3, or redo row 3.")
    #expect(
      hint.text { $0 == .redoRow(3) ? "add --redo 3" : "" } == "Keep redo row 3, or add --redo 3.")
  }

  @Test("joined and interpolated hints keep their advice")
  func joining() {
    let first: Hint = "First \(.overwrite)"
    let both = first + "; then \(.redoRow(2))."
    #expect(both.text { _ in "X" } == "First X; then X.")
    let outer: Hint = "\(both) Again: \(first)"
    #expect(outer.text { _ in "X" } == "First X; then X. Again: First X")
    #expect(Hint("First overwrite the tag").text == first.text)
    #expect(Hint("First overwrite the tag") != first)
  }

  @Test("a sentence begins with a capital letter in every wording")
  func sentences() {
    let hint: Hint = .sentence("\(.givePassword), or use another tag")
    #expect(hint.text == "Give the tag's password, or use another tag.")
    #expect(hint.text { _ in "add --password-file" } == "Add --password-file, or use another tag.")
    #expect(Hint("ready now").asSentence.asSentence.text == "Ready now.")
  }
}
