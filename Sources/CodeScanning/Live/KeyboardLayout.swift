import CLinuxDevices

/// The characters on the keys of a US keyboard, as a scanner that plays one presses them
/// (HID Usage Tables, usage page 0x07, through the kernel's key codes).
enum KeyboardLayout {
  enum Key: Hashable {
    case character(plain: UInt8, shifted: UInt8, isLetter: Bool)
    /// Enter or Tab, which end a code.
    case end
    case shift
    case capsLock
    /// Control, Alt and Windows, which make a key another than the one printed on it.
    case otherModifier
    /// Num Lock and Scroll Lock: scanners press them, and they type nothing.
    case ignored
  }

  static func key(_ code: UInt16) -> Key? { keys[Int32(code)] }

  private static let keys: [Int32: Key] = {
    var keys: [Int32: Key] = [:]
    func add(_ first: Int32, _ plain: StaticString, shifted: StaticString) {
      let pairs = zip("\(plain)".utf8, "\(shifted)".utf8)
      for (offset, pair) in pairs.enumerated() {
        let isLetter = (0x61...0x7A).contains(pair.0)
        keys[first + Int32(offset)] = .character(
          plain: pair.0, shifted: pair.1, isLetter: isLetter)
      }
    }
    add(KEY_1, "1234567890-=", shifted: "!@#$%^&*()_+")
    add(KEY_Q, "qwertyuiop[]", shifted: "QWERTYUIOP{}")
    add(KEY_A, "asdfghjkl;'`", shifted: "ASDFGHJKL:\"~")
    add(KEY_BACKSLASH, "\\zxcvbnm,./", shifted: "|ZXCVBNM<>?")
    add(KEY_SPACE, " ", shifted: " ")
    add(KEY_102ND, "\\", shifted: "|")
    // The number pad with Num Lock on.
    add(KEY_KPASTERISK, "*", shifted: "*")
    add(KEY_KP7, "789-456+1230.", shifted: "789-456+1230.")
    add(KEY_KPSLASH, "/", shifted: "/")
    add(KEY_KPEQUAL, "=", shifted: "=")
    add(KEY_KPCOMMA, ",", shifted: ",")
    for code in [KEY_ENTER, KEY_KPENTER, KEY_TAB] { keys[code] = .end }
    for code in [KEY_LEFTSHIFT, KEY_RIGHTSHIFT] { keys[code] = .shift }
    keys[KEY_CAPSLOCK] = .capsLock
    for code in [
      KEY_LEFTCTRL, KEY_RIGHTCTRL, KEY_LEFTALT, KEY_RIGHTALT, KEY_LEFTMETA, KEY_RIGHTMETA,
    ] {
      keys[code] = .otherModifier
    }
    for code in [KEY_NUMLOCK, KEY_SCROLLLOCK] { keys[code] = .ignored }
    return keys
  }()
}
