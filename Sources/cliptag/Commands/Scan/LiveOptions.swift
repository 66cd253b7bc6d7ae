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
      "Read a scanner that plays a US keyboard, and keep what it types from everybody else.",
      discussion: "For example /dev/input/by-id/usb-Scanner-event-kbd.", valueName: "device"),
    completion: .file())
  var wedge: String?

  @Flag(help: "Read what a scanner types here, one code a line, from standard input.")
  var lines = false

  @Flag(help: "The scanner reads QR codes only, and does not say so (no AIM identifiers).")
  var assumeQR = false

  @Option(help: ArgumentHelp("End after this many codes.", valueName: "number"))
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End when no new code came for this long (default: never).", valueName: "seconds"))
  var timeout: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long a code must be away before it is reported again.", valueName: "seconds"))
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
      throw ValidationError("--baud takes one of \(speeds); got \(baud).")
    }
    if let count, count < 1 { throw ValidationError("--count takes 1 or more; got \(count).") }
    if let timeout, !(0...86_400).contains(timeout) {
      throw ValidationError("--timeout takes seconds from 0 to 86400; got \(timeout).")
    }
    guard (0...86_400).contains(again) else {
      throw ValidationError("--again takes seconds from 0 to 86400; got \(again).")
    }
    if camera != nil, again < 1 {
      throw ValidationError("--again takes 1 second or more with --camera; got \(again).")
    }
    if camera == nil, yuyv != nil {
      throw ValidationError("--yuyv tells the size of a recording: give --camera FILE as well.")
    }
  }

  /// Refuses what only makes sense for codes that come one after another.
  func checkIsLive() throws {
    if !isLive, assumeQR || count != nil || timeout != nil {
      throw ValidationError(
        "--count, --timeout and --assume-qr belong to --camera, --serial, --wedge or --lines.")
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
