#if os(Linux)
  import CLinuxDevices
  import CliptagPlatform
  import LinuxDevices

  /// A scanner that emulates a keyboard ("keyboard wedge"), read through the kernel's event device.
  public enum KeyboardScanner {
    /// Opens the event device and grabs it, so that no other program receives the scanner's input.
    ///
    /// A code ends with Enter or Tab, or with half a second of silence. The scanner must be set to a
    /// US keyboard. A file or a pipe of recorded events is read like a device, to its end.
    ///
    /// - Parameter path: The device, for example `/dev/input/by-id/usb-…-event-kbd`.
    /// - Throws: ``LiveSourceError`` if the device does not exist, may not be used, or another
    ///   program grabbed it.
    public static func open(_ path: String) throws(LiveSourceError) -> TextSource {
      try open(path, calls: .system, view: .live)
    }

    static func open(
      _ path: String, calls: DeviceCalls, view: DeviceView
    ) throws(LiveSourceError) -> TextSource {
      // With O_NONBLOCK, a pipe without a writer opens at once and is at its end until the writer
      // comes; therefore a pipe is opened blocking, which waits for the writer.
      let isDevice = view.access(path)?.isDevice ?? true
      let number = calls.open(path, isDevice ? O_RDONLY | O_NONBLOCK : O_RDONLY)
      guard number >= 0 else { throw DeviceTrouble.opening(path, .keyboard, -number, view) }
      let descriptor = DeviceDescriptor(number, calls: calls)
      guard isDevice else {
        return TextSource(
          descriptor, name: path, description: "the recorded keys in \(path)", lines: KeyEvents(),
          end: .endOfInput)
      }
      // The kernel takes the number 1 itself instead of a pointer.
      let result =
        UnsafeMutableRawPointer(bitPattern: 1).map { calls.control(number, UInt(CINPUT_GRAB), $0) }
        ?? -EINVAL
      guard result >= 0 else { throw DeviceTrouble.opening(path, .keyboard, -result, view) }
      return TextSource(
        descriptor, name: path, description: "the keyboard scanner \(path)", lines: KeyEvents(),
        end: .unplugged(.keyboard), quietWaitsForLine: 10)
    }
  }

  /// Assembles the lines that a scanner types as a keyboard, from the kernel's `struct input_event`s.
  ///
  /// Only a US layout gives each key one meaning independent of the desktop. Keys that are not text
  /// (a function key, a key with Control) make the line damaged instead of leaving a gap.
  struct KeyEvents: LineFinder {
    private static let eventSize = MemoryLayout<input_event>.stride

    private var rest: [UInt8] = []
    private var line: [UInt8] = []
    private var damage: String?
    private var held: Set<UInt16> = []
    private var isCapsLocked = false

    mutating func take(_ bytes: some Sequence<UInt8>) -> [ScannedLine] {
      rest += bytes
      var lines: [ScannedLine] = []
      var start = 0
      while rest.count - start >= Self.eventSize {
        // The structure ends with type, code and value; the time before them has several layouts.
        let end = start + Self.eventSize
        let (type, code, value) = rest.withUnsafeBytes { bytes in
          (
            bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt16.self),
            bytes.loadUnaligned(fromByteOffset: end - 6, as: UInt16.self),
            bytes.loadUnaligned(fromByteOffset: end - 4, as: Int32.self)
          )
        }
        start = end
        lines += event(type: Int32(type), code: code, value: value)
      }
      rest.removeFirst(start)
      return lines
    }

    mutating func finish() -> [ScannedLine] {
      defer {
        line = []
        damage = nil
      }
      if let damage { return [.damaged(damage)] }
      return line.isEmpty ? [] : [.bytes(line)]
    }

    private mutating func event(type: Int32, code: UInt16, value: Int32) -> [ScannedLine] {
      if type == EV_SYN, Int32(code) == SYN_DROPPED {
        damage = "The input buffer overflowed, and keys of the scanner were lost."
        held = []
        return []
      }
      // 2 is the kernel's repetition of a held key.
      guard type == EV_KEY, value == 0 || value == 1 else { return [] }
      guard value == 1 else {
        held.remove(code)
        return []
      }
      return press(code)
    }

    private mutating func press(_ code: UInt16) -> [ScannedLine] {
      switch KeyboardLayout.key(code) {
      case .shift, .otherModifier: held.insert(code)
      case .capsLock: isCapsLocked.toggle()
      case .ignored: break
      case .end: return finish()
      case .character(let plain, let shifted, let isLetter):
        if isHeld(.otherModifier) { return pressWithModifier(code) }
        type(isHeld(.shift) != (isCapsLocked && isLetter) ? shifted : plain)
      case nil:
        damage = "The scanner pressed key \(code), which is not a character of a US keyboard."
      }
      return []
    }

    /// Ctrl-C on the device releases it: it may be the user's only keyboard.
    private mutating func pressWithModifier(_ code: UInt16) -> [ScannedLine] {
      let controls = [UInt16(KEY_LEFTCTRL), UInt16(KEY_RIGHTCTRL)]
      if code == UInt16(KEY_C), !held.isDisjoint(with: controls) { return [.leave] }
      damage = "The scanner pressed a key together with Control or Alt, which is not text."
      return []
    }

    private mutating func type(_ character: UInt8) {
      if line.count < ScannedLine.longest {
        line.append(character)
      } else if case .damaged(let reason) = ScannedLine.tooLong {
        damage = reason
      }
    }

    private func isHeld(_ key: KeyboardLayout.Key) -> Bool {
      held.contains { KeyboardLayout.key($0) == key }
    }
  }

  /// The characters on the keys of a US keyboard, as emulated by a scanner (HID Usage Tables, usage
  /// page 0x07, through the kernel's key codes).
  private enum KeyboardLayout {
    enum Key: Hashable {
      case character(plain: UInt8, shifted: UInt8, isLetter: Bool)
      /// Enter or Tab, which end a code.
      case end
      case shift
      case capsLock
      /// Control, Alt and Windows, which change the meaning of other keys.
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
#else
  /// A scanner that emulates a keyboard ("keyboard wedge"); read on Linux only.
  public enum KeyboardScanner {
    /// Always throws: only Linux gives one keyboard to one program.
    ///
    /// - Parameter path: The device.
    /// - Throws: ``LiveSourceError`` with the code `no-device`.
    public static func open(_ path: String) throws(LiveSourceError) -> TextSource {
      throw .needsLinux(path)
    }
  }
#endif
