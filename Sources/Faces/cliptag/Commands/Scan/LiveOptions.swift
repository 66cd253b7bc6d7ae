import ArgumentParser
import CodeScanning

/// Options for the camera or scanner that is read live, and for how long.
struct LiveOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read a camera live, for example /dev/video0, or a recording in Motion JPEG.",
      valueName: "device"),
    completion: .file())
  var camera: String?

  @Option(
    help: ArgumentHelp(
      "The --camera is a recording of raw YUYV pictures of this size, for example 640x480.",
      valueName: "size"))
  var yuyv: FrameSizeArgument?

  @Option(
    help: ArgumentHelp(
      "Read a serial scanner live, for example /dev/ttyACM0.", valueName: "device"),
    completion: .file())
  var serial: String?

  @Option(
    help: ArgumentHelp("The speed of a scanner on a real serial line.", valueName: "bits/s"))
  var baud = 115_200

  @Option(
    help: ArgumentHelp(
      "Read a scanner that emulates a US keyboard, and capture its input exclusively.",
      discussion: "For example /dev/input/by-id/usb-Scanner-event-kbd.", valueName: "device"),
    completion: .file())
  var wedge: String?

  @Flag(help: "Read codes from standard input, one a line, as typed by a scanner.")
  var lines = false

  @Flag(help: "Assume QR codes from a scanner without AIM identifiers.")
  var assumeQR = false

  @Option(help: ArgumentHelp("Stop after this number of codes.", valueName: "number"))
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop after this time without a new code (default: never).", valueName: "seconds"))
  var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The absence of a code before it is reported again.", valueName: "seconds"))
  var again: Double = 3

  /// The number of live sources that were named.
  private var sourceCount: Int { [camera != nil, serial != nil, wedge != nil, lines].count { $0 } }

  /// Whether codes come from a live source instead of files.
  var isLive: Bool { sourceCount > 0 }

  func validate() throws {
    guard sourceCount <= 1 else {
      throw ValidationError("Give one live source only: --camera, --serial, --wedge or --lines.")
    }
    guard SerialScanner.speeds.contains(baud) else {
      let speeds = SerialScanner.speeds.map(String.init).joined(separator: ", ")
      throw ValidationError("--baud must be one of \(speeds), not \(baud).")
    }
    if let count, count < 1 { throw ValidationError("--count must be at least 1, not \(count).") }
    if let timeout, !(0...86_400).contains(timeout) {
      throw ValidationError("--timeout must be 0 to 86400 seconds, not \(timeout).")
    }
    guard (0...86_400).contains(again) else {
      throw ValidationError("--again must be 0 to 86400 seconds, not \(again).")
    }
    if camera != nil, again < 1 {
      throw ValidationError("--again must be at least 1 second with --camera, not \(again).")
    }
    if camera == nil, yuyv != nil {
      throw ValidationError("--yuyv needs --camera FILE.")
    }
  }

  /// Refuses what only makes sense for codes that come one after another.
  func checkIsLive() throws {
    if !isLive, assumeQR || count != nil || timeout != nil {
      throw ValidationError(
        "--count, --timeout and --assume-qr need --camera, --serial, --wedge or --lines.")
    }
  }

  /// Opens the source that was named.
  func open() throws(LiveSourceError) -> (any LiveSource)? {
    if let camera {
      return try CameraScanner.open(camera, recorded: yuyv.map { ($0.width, $0.height) })
    }
    if let serial { return try SerialScanner.open(serial, speed: baud) }
    if let wedge { return try KeyboardScanner.open(wedge) }
    return lines ? LineScanner.standardInput() : nil
  }
}

/// `WIDTHxHEIGHT` in pixels.
struct FrameSizeArgument: ExpressibleByArgument, Sendable {
  let width: Int
  let height: Int

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...16_384).contains(width), (1...16_384).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }
}
