import CLinuxDevices
import Testing

@testable import CodeScanning

@Suite("A scanner that plays a keyboard")
struct KeyEventsTests {
  private func lines(_ bytes: [UInt8]) -> [ScannedLine] {
    var keys = KeyEvents()
    return keys.take(bytes)
  }

  private func text(_ text: String) -> ScannedLine { .bytes(Array(text.utf8)) }

  @Test("every printable character of ASCII arrives as typed")
  func characters() {
    let all = String(decoding: UInt8(0x20)...0x7E, as: UTF8.self)
    #expect(lines(Keys.typing(all + "\n")) == [text(all)])
  }

  @Test("events that are cut in pieces of any size give the same lines", arguments: [1, 7, 24, 25])
  func pieces(size: Int) {
    let bytes = Keys.typing("https://A.example/?a=1\nb\n")
    var keys = KeyEvents()
    var found: [ScannedLine] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      found += keys.take(bytes[start...].prefix(size))
    }
    #expect(found == [text("https://A.example/?a=1"), text("b")])
  }

  @Test("Tab and the number pad's Enter end a code, too")
  func ends() {
    for end in [KEY_TAB, KEY_KPENTER] {
      #expect(lines(Keys.typing("a") + Keys.tap(end)) == [text("a")])
    }
    #expect(lines(Keys.tap(KEY_ENTER)) == [])
  }

  @Test("the number pad types digits and signs; Num Lock types nothing")
  func numberPad() {
    let codes = [
      KEY_NUMLOCK, KEY_KP7, KEY_KP8, KEY_KP9, KEY_KPMINUS, KEY_KP4, KEY_KP5, KEY_KP6, KEY_KPPLUS,
      KEY_KP1, KEY_KP2, KEY_KP3, KEY_KP0, KEY_KPDOT, KEY_KPSLASH, KEY_KPASTERISK, KEY_ENTER,
    ]
    #expect(lines(codes.flatMap(Keys.tap)) == [text("789-456+1230./*")])
  }

  @Test("Caps Lock turns letters over and nothing else, until it is pressed again")
  func capsLock() {
    let bytes =
      Keys.tap(KEY_CAPSLOCK) + Keys.typing("aB1!") + Keys.tap(KEY_CAPSLOCK) + Keys.typing("aB\n")
    #expect(lines(bytes) == [text("Ab1!aB")])
  }

  @Test("a Shift that is held through counts for all, also the right one; one of two is enough")
  func shift() {
    let bytes =
      Keys.press(KEY_LEFTSHIFT) + Keys.press(KEY_RIGHTSHIFT) + Keys.tap(KEY_A)
      + Keys.release(KEY_LEFTSHIFT) + Keys.tap(KEY_B) + Keys.release(KEY_RIGHTSHIFT)
      + Keys.typing("c\n")
    #expect(lines(bytes) == [text("ABc")])
  }

  @Test("a key that the kernel repeats was pressed once")
  func repetition() {
    let held = Keys.press(KEY_A) + Keys.event(EV_KEY, KEY_A, 2) + Keys.event(EV_KEY, KEY_A, 2)
    #expect(lines(held + Keys.release(KEY_A) + Keys.tap(KEY_ENTER)) == [text("a")])
  }

  @Test(
    "a line with lost events, a key without a character or Control in it is damaged, not shorter",
    arguments: [
      Keys.event(EV_SYN, SYN_DROPPED, 0), Keys.tap(KEY_F1),
      Keys.press(KEY_LEFTCTRL) + Keys.tap(KEY_J) + Keys.release(KEY_LEFTCTRL),
    ])
  func damage(bytes: [UInt8]) {
    let found = lines(Keys.typing("a") + bytes + Keys.typing("b\nc\n"))
    guard case .damaged = found.first else {
      Issue.record("\(found)")
      return
    }
    #expect(found.dropFirst() == [text("c")])
  }

  @Test("Ctrl-C on the grabbed device itself lets go of it")
  func leaving() {
    #expect(lines(Keys.press(KEY_RIGHTCTRL) + Keys.press(KEY_C)) == [.leave])
  }
}
