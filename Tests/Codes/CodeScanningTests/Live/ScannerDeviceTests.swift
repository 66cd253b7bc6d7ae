import CLinuxDevices
import CliptagPlatform
@testable import LinuxDevices
import Synchronization
import Testing

@testable import CodeScanning

/// The scanner's end of a serial port.
private struct SerialPort: ~Copyable {
  let path: String
  let device: Int32

  init() throws {
    var device: Int32 = -1
    var port: Int32 = -1
    var name = [CChar](repeating: 0, count: 128)
    try #require(openpty(&device, &port, &name, nil, nil) == 0)
    var mode = termios()
    try #require(tcgetattr(port, &mode) == 0)
    cfmakeraw(&mode)
    try #require(tcsetattr(port, TCSANOW, &mode) == 0)
    close(port)
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.device = device
  }

  func send(_ text: String) { _ = write(device, text, text.utf8.count) }
  func unplug() { close(device) }
}

@Suite("A serial scanner")
struct SerialScannerTests {
  @Test("codes arrive as they are sent, and unplugging is told after them, without half a code")
  func reading() throws {
    let port = try SerialPort()
    let scanner = try SerialScanner.open(port.path)
    port.send("]Q1https://a.example/1\r\nhttps://a.example/2\rhttps://a.ex")
    #expect(try scanner.next(while: { true }) == .text("https://a.example/1", symbology: .qr))
    port.unplug()
    #expect(try scanner.next(while: { true }) == .scanned("https://a.example/2"))
    let error = #expect(throws: LiveSourceError.self) { _ = try scanner.next(while: { true }) }
    #expect(error?.code == .deviceLost)
    #expect(error?.message.contains(port.path) == true)
  }

  @Test("a code without an end of line counts when the scanner falls silent")
  func silence() throws {
    let port = try SerialPort()
    let scanner = try SerialScanner.open(port.path)
    port.send("https://a.example/1")
    #expect(try scanner.next(while: { true }) == .scanned("https://a.example/1"))
    port.unplug()
  }

  @Test("a port that another program holds is busy")
  func busy() throws {
    let port = try SerialPort()
    let first = try SerialScanner.open(port.path)
    let error = #expect(throws: LiveSourceError.self) { try SerialScanner.open(port.path) }
    #expect(error?.code == .deviceBusy)
    withExtendedLifetime(first) {}
    port.unplug()
  }

  @Test("what is no serial port is called so")
  func wrong() {
    let error = #expect(throws: LiveSourceError.self) { try SerialScanner.open("/dev/null") }
    #expect(error?.code == .wrongDevice)
  }
}

@Suite("A keyboard scanner")
struct KeyboardScannerTests {
  /// Plays an event device: what it sends, and then how it fails.
  private final class Played: Sendable {
    let grabs = Atomic<Int>(0)
    let closes = Atomic<Int>(0)
    private let rest: Mutex<[UInt8]>
    private let grabResult: Int32

    init(_ bytes: [UInt8] = [], grab: Int32 = 0) {
      rest = Mutex(bytes)
      grabResult = grab
    }

    var calls: DeviceCalls {
      var calls = DeviceCalls.system
      calls.open = { _, _ in 1000 }
      calls.close = { _ in self.closes.add(1, ordering: .relaxed) }
      calls.wait = { _, _ in 1 }
      calls.control = { _, request, argument in
        // The number 1 in place of a pointer grabs; a pointer to 0 would let go.
        guard request == UInt(CINPUT_GRAB), UInt(bitPattern: argument) == 1 else { return -ENOTTY }
        self.grabs.add(1, ordering: .relaxed)
        return self.grabResult
      }
      calls.read = { _, buffer in
        self.rest.withLock { rest in
          if rest.isEmpty { return -Int(ENODEV) }
          let count = min(rest.count, min(buffer.count, 33))
          buffer.copyBytes(from: rest[..<count])
          rest.removeFirst(count)
          return count
        }
      }
      return calls
    }
  }

  private let machine = DeviceView.showing(
    access: DeviceView.Access(group: "input", groupMayUse: true, isDevice: true))

  @Test("the device is grabbed, read until it is unplugged, and closed")
  func device() throws {
    let played = Played(Keys.typing("https://a.example/?q=1\n"))
    do {
      let scanner = try KeyboardScanner.open("event5", calls: played.calls, view: machine)
      #expect(try scanner.next(while: { true }) == .scanned("https://a.example/?q=1"))
      let error = #expect(throws: LiveSourceError.self) { _ = try scanner.next(while: { true }) }
      #expect(error?.code == .deviceLost)
    }
    #expect(played.grabs.load(ordering: .relaxed) == 1)
    #expect(played.closes.load(ordering: .relaxed) == 1)
  }

  @Test("a device that does not let itself be grabbed is not read, and is closed")
  func busy() {
    let played = Played(grab: -EBUSY)
    let error = #expect(throws: LiveSourceError.self) {
      try KeyboardScanner.open("event5", calls: played.calls, view: machine)
    }
    #expect(error?.code == .deviceBusy)
    #expect(played.closes.load(ordering: .relaxed) == 1)
  }

  @Test("recorded keys come through a pipe, to its end")
  func pipe() throws {
    let pipe = Pipe()
    pipe.write(Keys.typing("one\nTwo"), pieces: 25)
    pipe.end()
    let scanner = try KeyboardScanner.open(
      "/proc/self/fd/\(pipe.reading)", calls: .system, view: .live)
    #expect(try readings(of: scanner) == [.scanned("one"), .scanned("Two")])
    close(pipe.reading)
  }
}

@Suite("Why a device does not open")
struct DeviceTroubleTests {
  private func error(_ kind: DeviceKind, _ number: Int32, _ view: DeviceView) -> LiveSourceError {
    DeviceTrouble.opening("/dev/thing", kind, number, view)
  }

  @Test("a missing device comes with the ones that are there")
  func missing() {
    let folders = [
      "/dev": ["null", "ttyACM0", "ttyUSB1", "video0", "video2"],
      "/dev/input/by-id": ["usb-Scanner-event-kbd", "usb-Mouse-event-mouse"],
    ]
    let view = DeviceView.showing(folders)
    let hints = [DeviceKind.camera, .serialPort, .keyboard].map { error($0, ENOENT, view).hint }
    #expect(
      hints == [
        "Give one of these: /dev/video0, /dev/video2.",
        "Give one of these: /dev/ttyACM0, /dev/ttyUSB1.",
        "Give one of these: /dev/input/by-id/usb-Scanner-event-kbd.",
      ])
    #expect(error(.camera, ENOENT, .showing()).hint.hasPrefix("No camera was found"))
  }

  @Test("a missing permission comes with the command for the device's own group")
  func group() {
    let access = DeviceView.Access(group: "uucp", groupMayUse: true, isDevice: true)
    let found = error(.serialPort, EACCES, .showing(access: access))
    #expect(found.code == .noPermission)
    #expect(found.hint.contains("sudo usermod -aG uucp"))
  }

  @Test("where no group may use the device, a rule gives it to the usual one")
  func rule() {
    let access = DeviceView.Access(group: "root", groupMayUse: true, isDevice: true)
    let hints = [DeviceKind.camera, .serialPort, .keyboard].map {
      error($0, EACCES, .showing(access: access)).hint
    }
    #expect(hints[0].contains(#"SUBSYSTEM=="video4linux", GROUP="video", MODE="0660""#))
    #expect(hints[1].contains(#"SUBSYSTEM=="tty", GROUP="dialout""#))
    #expect(hints[2].contains(#"SUBSYSTEM=="input", GROUP="input""#))
  }

  @Test("whoever holds the device is named; ModemManager with what keeps it away")
  func holder() {
    func view(_ program: String) -> DeviceView {
      .showing(
        ["/proc": ["4711", "self"], "/proc/4711/fd": ["3"]],
        open: ["/proc/4711/fd/3": "/dev/thing"], programs: [4711: program])
    }
    let busy = error(.camera, EBUSY, view("cheese"))
    #expect(busy.code == .deviceBusy)
    #expect(busy.message == "/dev/thing is in use by cheese (process 4711).")
    #expect(error(.serialPort, EBUSY, view("ModemManager")).hint.contains("ID_MM_DEVICE_IGNORE"))
  }
}
