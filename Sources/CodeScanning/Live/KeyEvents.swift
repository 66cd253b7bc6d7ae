import CLinuxDevices

/// The lines that a scanner types as a keyboard, from the kernel's `struct input_event`s.
///
/// Only a US layout has one meaning for each key without asking a desktop. What is no text (a
/// function key, a key with Control) makes the line damaged instead of leaving a gap.
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
      // Type, code and value end the structure; the time before them has several layouts.
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
      damage = "The scanner typed faster than it was read, and keys were lost."
      held = []
      return []
    }
    // 2 is the kernel's own repetition of a key that stays down.
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
      damage = "The scanner pressed key \(code), which is no character of a US keyboard."
    }
    return []
  }

  /// Ctrl-C on the device itself lets go of it: it may be the user's only keyboard.
  private mutating func pressWithModifier(_ code: UInt16) -> [ScannedLine] {
    let controls = [UInt16(KEY_LEFTCTRL), UInt16(KEY_RIGHTCTRL)]
    if code == UInt16(KEY_C), !held.isDisjoint(with: controls) { return [.leave] }
    damage = "The scanner pressed a key together with Control or Alt, which is no text."
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
