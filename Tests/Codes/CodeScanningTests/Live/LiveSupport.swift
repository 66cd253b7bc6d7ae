import CLinuxDevices
import CliptagPlatform
@testable import LinuxDevices
import Synchronization

@testable import CodeScanning

/// A source that gives what it was made with, then ends or fails; it does something before each.
final class ListedSource: LiveSource {
  let name = "list"
  let description = "a list"
  let sightingsNeeded: Int
  private let rest: Mutex<[LiveReading]>
  private let failure: LiveSourceError?
  private let before: @Sendable () -> Void

  init(
    _ readings: [LiveReading], sightingsNeeded: Int = 1, failure: LiveSourceError? = nil,
    before: @escaping @Sendable () -> Void = {}
  ) {
    rest = Mutex(readings)
    self.sightingsNeeded = sightingsNeeded
    self.failure = failure
    self.before = before
  }

  func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading? {
    before()
    guard isWanted() else { return nil }
    if let next = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return next }
    if let failure { throw failure }
    return nil
  }
}

extension LiveReading {
  static func scanned(_ text: String) -> LiveReading { .text(text, symbology: nil) }
}

extension DeviceView {
  /// A machine with these names in folders and nothing else.
  static func showing(
    _ folders: [String: [String]] = [:], access: Access? = nil, open: [String: String] = [:],
    programs: [Int: String] = [:]
  ) -> DeviceView {
    DeviceView(
      names: { folders[$0] ?? [] }, access: { _ in access }, resolve: { open[$0] ?? $0 },
      program: { programs[$0] })
  }
}

/// Everything a source gives to its end.
func readings(of source: any LiveSource) throws(LiveSourceError) -> [LiveReading] {
  var all: [LiveReading] = []
  while let next = try source.next(while: { true }) { all.append(next) }
  return all
}

/// A pipe; what is written to it is read by a source.
struct Pipe: ~Copyable {
  let reading: Int32
  let writing: Int32

  init() {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  /// Writes all, in pieces of any size.
  func write(_ bytes: [UInt8], pieces: Int = .max) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.prefix(pieces).withUnsafeBytes {
        CliptagPlatform.write(writing, $0.baseAddress, $0.count)
      }
      precondition(count > 0)
      rest = rest.dropFirst(count)
    }
  }

  /// The reading side sees the end.
  func end() { close(writing) }
}

/// What a keyboard's event device sends when keys are pressed.
enum Keys {
  /// One event.
  static func event(_ type: Int32, _ code: Int32, _ value: Int32) -> [UInt8] {
    var event = input_event()
    event.type = UInt16(type)
    event.code = UInt16(code)
    event.value = value
    return withUnsafeBytes(of: event) { [UInt8]($0) }
  }

  /// A key pressed and released, each followed by the mark that ends a report.
  static func tap(_ code: Int32) -> [UInt8] { press(code) + release(code) }
  static func press(_ code: Int32) -> [UInt8] { event(EV_KEY, code, 1) + event(EV_SYN, 0, 0) }
  static func release(_ code: Int32) -> [UInt8] { event(EV_KEY, code, 0) + event(EV_SYN, 0, 0) }

  /// Types text as scanners do: Shift down and up around each character that needs it.
  static func typing(_ text: String) -> [UInt8] {
    text.flatMap { character -> [UInt8] in
      let (code, isShifted) = places[character] ?? (KEY_F24, false)
      return isShifted ? press(KEY_LEFTSHIFT) + tap(code) + release(KEY_LEFTSHIFT) : tap(code)
    }
  }

  /// Every printable character of ASCII and its key on a US keyboard, as printed on one.
  private static let places: [Character: (Int32, Bool)] = {
    let rows: [(Int32, String, String)] = [
      (2, "1234567890-=", "!@#$%^&*()_+"), (16, "qwertyuiop[]", "QWERTYUIOP{}"),
      (30, "asdfghjkl;'", "ASDFGHJKL:\""), (41, "`", "~"), (43, "\\", "|"),
      (44, "zxcvbnm,./", "ZXCVBNM<>?"),
    ]
    var places: [Character: (Int32, Bool)] = [" ": (57, false), "\n": (28, false)]
    for (first, plain, shifted) in rows {
      for (offset, character) in plain.enumerated() {
        places[character] = (first + Int32(offset), false)
      }
      for (offset, character) in shifted.enumerated() {
        places[character] = (first + Int32(offset), true)
      }
    }
    return places
  }()
}
