import CliptagPlatform
import ScanFixtures
import CLinuxDevices
import Pictures
import Synchronization
import TestSupport
import Testing

@testable import CodeScanning

/// Pictures as cameras send them.
enum Recorded {
  /// A picture of a symbol in a camera's layout, with rows that are padded.
  static func yuyv(_ picture: GreyPicture, padding: Int = 0, colourFirst: Bool = false) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<picture.height {
      for column in 0..<picture.width {
        let brightness = picture.pixels[row * picture.width + column]
        bytes += colourFirst ? [77, brightness] : [brightness, 77]
      }
      bytes += [UInt8](repeating: 33, count: padding)
    }
    return bytes
  }

  /// A symbol as a grey picture of 640 × 480 pixels.
  static func symbol(_ text: String) throws -> GreyPicture {
    let symbol = try #require(drawSymbol(Array(text.utf8), modulePixels: 6))
    var pixels = [UInt8](repeating: 200, count: 640 * 480)
    for row in 0..<symbol.height {
      for column in 0..<symbol.width {
        pixels[(row + 60) * 640 + column + 90] = symbol.pixels[row * symbol.width + column]
      }
    }
    return GreyPicture(width: 640, height: 480, pixels: pixels)
  }

  /// A JPEG file without its Huffman tables, as cameras send it.
  static func withoutHuffmanTables(_ jpeg: [UInt8]) -> [UInt8] {
    var frame = Array(jpeg.prefix(2))
    var place = 2
    while place + 4 <= jpeg.count, jpeg[place] == 0xFF {
      let length = Int(jpeg[place + 2]) << 8 | Int(jpeg[place + 3])
      if jpeg[place + 1] == 0xDA { break }
      if jpeg[place + 1] != 0xC4 { frame += jpeg[place..<place + 2 + length] }
      place += 2 + length
    }
    return frame + jpeg[place...]
  }
}

@Suite("A camera's pictures")
struct CameraFrameTests {
  @Test("one of eight pictures has the whole budget, and the others that of 30 a second")
  func thorough() {
    let scanner = CodeScanner(effort: .firstCode, budget: .milliseconds(400))
    let budgets = (0..<16).map { CameraScanner.scanner(scanner, ofPicture: $0).budget }
    #expect(budgets.indices.filter { budgets[$0] == .milliseconds(400) } == [7, 15])
    #expect(budgets.count { $0 == .milliseconds(30) } == 14)
    let short = CodeScanner(budget: .milliseconds(5))
    #expect(CameraScanner.scanner(short, ofPicture: 0).budget == .milliseconds(5))
  }

  private let picture = GreyPicture(width: 4, height: 2, pixels: [0, 10, 20, 30, 40, 50, 60, 70])

  @Test("brightness comes out of YUYV, UYVY, grey and NV12, padded rows too")
  func layouts() {
    let nv12 = picture.pixels + [1, 2, 3, 4]
    let frames = [
      CameraFrame(layout: .yuyv, width: 4, height: 2, bytes: Recorded.yuyv(picture)),
      CameraFrame(
        layout: .yuyv, width: 4, height: 2, bytesPerRow: 11,
        bytes: Recorded.yuyv(picture, padding: 3)),
      CameraFrame(
        layout: .uyvy, width: 4, height: 2, bytes: Recorded.yuyv(picture, colourFirst: true)),
      CameraFrame(layout: .grey, width: 4, height: 2, bytes: picture.pixels),
      CameraFrame(layout: .nv12, width: 4, height: 2, bytes: nv12),
    ]
    #expect(frames.map(\.picture) == Array(repeating: picture, count: 5))
  }

  @Test("a frame that is cut short gives no picture, and one without its last padding does")
  func short() {
    let bytes = Recorded.yuyv(picture, padding: 3)
    func frame(_ count: Int) -> GreyPicture? {
      CameraFrame(
        layout: .yuyv, width: 4, height: 2, bytesPerRow: 11, bytes: Array(bytes.prefix(count))
      ).picture
    }
    #expect(frame(bytes.count - 3) == picture)
    #expect(frame(bytes.count - 4) == nil)
    #expect(frame(0) == nil)
  }

  @Test("Motion JPEG is read without Huffman tables; what is none gives no picture")
  func motionJPEG() throws {
    let jpeg = try sampleBytes("photo.jpg")
    let bare = Recorded.withoutHuffmanTables(jpeg)
    #expect(bare.count < jpeg.count - 100)
    let whole = CameraFrame(layout: .motionJPEG, width: 0, height: 0, bytes: jpeg).picture
    #expect(whole != nil)
    let frame = CameraFrame(layout: .motionJPEG, width: 0, height: 0, bytes: bare)
    #expect(frame.picture == whole)
    for bytes in [[], [0xFF, 0xD8], Array(bare.prefix(40)), Array("no picture".utf8)] {
      #expect(
        CameraFrame(layout: .motionJPEG, width: 0, height: 0, bytes: bytes).picture == nil)
    }
  }
}

@Suite("The format a camera is asked for")
struct CameraFormatTests {
  private func best(_ offers: (CameraFrame.Layout, Int, Int)...) -> CameraFormat? {
    CameraFormat.best(of: offers.map { CameraFormat(layout: $0.0, width: $0.1, height: $0.2) })
  }

  @Test("uncompressed up to 1280 × 720 before Motion JPEG")
  func uncompressed() {
    let chosen = best(
      (.motionJPEG, 1280, 720), (.yuyv, 640, 480), (.yuyv, 1280, 720), (.yuyv, 1920, 1080))
    #expect(chosen == CameraFormat(layout: .yuyv, width: 1280, height: 720))
  }

  @Test("Motion JPEG where uncompressed pictures are too small or too large")
  func compressed() {
    let small = best((.yuyv, 320, 240), (.motionJPEG, 1280, 720), (.motionJPEG, 1920, 1080))
    #expect(small == CameraFormat(layout: .motionJPEG, width: 1280, height: 720))
  }

  @Test("the smallest size where all are large, and what there is where all are small")
  func extremes() {
    #expect(
      best((.motionJPEG, 3840, 2160), (.motionJPEG, 1920, 1080))
        == CameraFormat(layout: .motionJPEG, width: 1920, height: 1080))
    #expect(best((.yuyv, 160, 120)) == CameraFormat(layout: .yuyv, width: 160, height: 120))
    #expect(best() == nil)
  }
}

@Suite("A Video4Linux camera")
struct V4L2CameraTests {
  private let grey = GreyPicture(width: 4, height: 2, pixels: [0, 10, 20, 30, 40, 50, 60, 70])

  /// Opens the camera, takes all pictures, and closes it.
  private func play(
    _ camera: SimulatedCamera
  ) -> (pictures: [GreyPicture?], error: LiveSourceError?) {
    var pictures: [GreyPicture?] = []
    do throws(LiveSourceError) {
      let opened = try V4L2Camera("/dev/video0", calls: camera.calls, view: .showing())
      while let frame = try opened.nextFrame(while: { true }) { pictures.append(frame.picture) }
      return (pictures, nil)
    } catch {
      return (pictures, error)
    }
  }

  private func expectTidy(_ camera: SimulatedCamera) {
    let state = camera.state.withLock { $0 }
    #expect(!state.isOpen && !state.isStreaming && state.mapped.isEmpty)
    #expect(state.mistakes == [])
  }

  @Test("more pictures than buffers arrive in order; then unplugging is told, and all is undone")
  func pictures() {
    var plan = SimulatedCamera.Plan()
    plan.given = ("YUYV", 4, 2, 11)
    plan.pictures = (0..<10).map { number in
      let pixels = grey.pixels.map { $0 + UInt8(number) }
      return .whole(
        Recorded.yuyv(GreyPicture(width: 4, height: 2, pixels: pixels), padding: 3))
    }
    let camera = SimulatedCamera(plan)
    let (pictures, error) = play(camera)
    #expect(pictures.compactMap { $0?.pixels.first } == (0..<10).map { UInt8($0) })
    #expect(error?.code == .deviceLost)
    expectTidy(camera)
  }

  @Test("damaged and lost pictures and pauses are passed over")
  func damage() {
    var plan = SimulatedCamera.Plan()
    plan.given = ("GREY", 4, 2, 4)
    plan.pictures = [
      .silence, .damaged(grey.pixels), .lost, .whole([]), .whole(grey.pixels), .silence, .lost,
      .whole(grey.pixels),
    ]
    let camera = SimulatedCamera(plan)
    #expect(play(camera).pictures == [grey, grey])
    expectTidy(camera)
  }

  @Test("a camera that sends nothing, or nothing whole, has failed", arguments: [true, false])
  func useless(isSilent: Bool) {
    var plan = SimulatedCamera.Plan()
    plan.end = nil
    if !isSilent { plan.pictures = Array(repeating: .damaged([1]), count: 100) }
    let camera = SimulatedCamera(plan)
    let error = play(camera).error
    #expect(error?.code == .deviceFailed)
    #expect(error?.message == "/dev/video0 sends no complete pictures.")
    expectTidy(camera)
  }

  @Test(
    "a request that fails is told with its reason, and what was done before is undone",
    arguments: [
      (UInt(CVIDEO_QUERY_CAPABILITIES), ENOTTY, LiveSourceError.Code.wrongDevice),
      (UInt(CVIDEO_SET_FORMAT), EBUSY, .deviceBusy),
      (UInt(CVIDEO_REQUEST_BUFFERS), EBUSY, .deviceBusy),
      (UInt(CVIDEO_QUERY_BUFFER), EINVAL, .deviceFailed),
      (UInt(CVIDEO_QUEUE_BUFFER), EIO, .deviceFailed),
      (UInt(CVIDEO_START), ENOSPC, .deviceBusy),
    ])
  func refusals(request: UInt, number: Int32, code: LiveSourceError.Code) {
    var plan = SimulatedCamera.Plan()
    plan.failures = [request: number]
    let camera = SimulatedCamera(plan)
    #expect(play(camera).error?.code == code)
    expectTidy(camera)
  }

  @Test("a node of a camera that gives no pictures, and a camera of unknown formats, are told")
  func unusable() {
    var metadata = SimulatedCamera.Plan()
    metadata.capabilities = CVIDEO_CAN_STREAM
    var raw = SimulatedCamera.Plan()
    raw.formats = [("pBAA", [(640, 480)])]
    for plan in [metadata, raw] {
      let camera = SimulatedCamera(plan)
      #expect(play(camera).error?.code == .wrongDevice)
      expectTidy(camera)
    }
  }

  @Test("a missing camera is told with the ones that are there")
  func missing() {
    let error = #expect(throws: LiveSourceError.self) { try V4L2Camera("/dev/video-none") }
    #expect(error?.code == .noDevice)
  }
}

@Suite("Codes in front of a camera")
struct CameraScannerTests {
  /// Pictures from memory, each told apart from a live camera's.
  private final class Listed: FrameSource {
    let name = "list"
    let description = "a list"
    let isLive: Bool
    private let source: ListedSource
    private let frames: [CameraFrame]

    init(_ frames: [CameraFrame], isLive: Bool) {
      self.frames = frames
      self.isLive = isLive
      source = ListedSource(frames.indices.map { .scanned(String($0)) })
    }

    func nextFrame(while isWanted: () -> Bool) throws(LiveSourceError) -> CameraFrame? {
      try source.next(while: isWanted)?.text.flatMap { Int($0) }.map { frames[$0] }
    }
  }

  private func frame(_ text: String) throws -> CameraFrame {
    CameraFrame(
      layout: .yuyv, width: 640, height: 480, bytes: Recorded.yuyv(try Recorded.symbol(text)))
  }

  @Test("a code counts when it was in two pictures, and once; one that flashed by does not")
  func confirmation() async throws {
    let one = try frame("https://a.example/1")
    let flash = try frame("https://a.example/2")
    let broken = CameraFrame(layout: .yuyv, width: 640, height: 480, bytes: [1, 2, 3])
    let source = Listed([broken, one, flash, broken, one, one], isLive: false)
    var found: [DecodedCode] = []
    let end = try await LiveScan(clock: ManualClock()).run(CameraScanner(source)) { reading in
      if case .decoded(let code) = reading { found.append(code) }
      return true
    }
    #expect(end == .endOfInput)
    #expect(found.map(\.text) == ["https://a.example/1"])
    #expect(found.first?.errorCorrection == .medium)
  }

  @Test("of a live camera's pictures that nobody took in time only the newest is left")
  func dropping() throws {
    let frames = (0..<20).map {
      CameraFrame(layout: .grey, width: 1, height: 1, bytes: [UInt8($0)])
    }
    let pump = FramePump(Listed(frames, isLive: true))
    var taken: [UInt8] = []
    while let frame = try pump.next(while: { true }) { taken += frame.bytes }
    #expect(taken.last == 19)
    #expect(taken == taken.sorted(), "never an older one after a newer one")
  }

  @Test("of a recording no picture is dropped")
  func keeping() throws {
    let frames = (0..<20).map {
      CameraFrame(layout: .grey, width: 1, height: 1, bytes: [UInt8($0)])
    }
    let pump = FramePump(Listed(frames, isLive: false))
    var taken: [UInt8] = []
    while let frame = try pump.next(while: { true }) { taken += frame.bytes }
    #expect(taken == (0..<20).map { UInt8($0) })
  }
}

@Suite("A camera's recording")
struct RecordedFramesTests {
  /// The frames of bytes that come through a pipe in pieces.
  private func frames(
    _ bytes: [UInt8], _ format: RecordedFrames.Format, pieces: Int = .max
  ) throws -> [CameraFrame] {
    let pipe = Pipe()
    let writing = pipe.writing
    let writer = Thread(bytes, pieces, writing)
    defer {
      writer.join()
      close(pipe.reading)
    }
    let recording = try RecordedFrames("/proc/self/fd/\(pipe.reading)", format: format)
    var all: [CameraFrame] = []
    while let frame = try recording.nextFrame(while: { true }) { all.append(frame) }
    return all
  }

  /// Writes to a pipe from a thread of its own: a pipe holds less than a picture.
  private final class Thread {
    private var thread = pthread_t()

    init(_ bytes: [UInt8], _ pieces: Int, _ descriptor: Int32) {
      let work = Unmanaged.passRetained(Work(bytes, pieces, descriptor))
      let result = pthread_create(
        &thread, nil,
        { argument in
          guard let argument else { return nil }
          Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, work.toOpaque())
      precondition(result == 0)
    }

    func join() { pthread_join(thread, nil) }
  }

  private final class Work {
    private var rest: ArraySlice<UInt8>
    private let pieces: Int
    private let descriptor: Int32

    init(_ bytes: [UInt8], _ pieces: Int, _ descriptor: Int32) {
      rest = bytes[...]
      self.pieces = pieces
      self.descriptor = descriptor
    }

    func run() {
      while !rest.isEmpty {
        let count = rest.prefix(pieces).withUnsafeBytes {
          write(descriptor, $0.baseAddress, $0.count)
        }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      close(descriptor)
    }
  }

  @Test("raw pictures are cut by their size; what is left of a cut one is no picture")
  func raw() throws {
    let found = try frames(
      Array(0..<20), .raw(.yuyv, width: 2, height: 2), pieces: 3)
    #expect(found.map(\.bytes) == [Array(0..<8), Array(8..<16)])
    #expect(found.allSatisfy { $0.width == 2 && $0.bytesPerRow == 4 })
  }

  @Test("Motion JPEG is cut at the end of each picture, with zeros between them")
  func motionJPEG() throws {
    let jpeg = Recorded.withoutHuffmanTables(try sampleBytes("photo.jpg"))
    let found = try frames(jpeg + [0, 0, 0] + jpeg + jpeg.dropLast(9), .motionJPEG, pieces: 1000)
    #expect(found.map(\.bytes) == [jpeg, jpeg])
  }

  @Test("what is no Motion JPEG is told, and a file that is not there")
  func malformed() {
    let error = #expect(throws: LiveSourceError.self) {
      try frames(Array("GIF89a".utf8), .motionJPEG)
    }
    #expect(error?.code == .malformedRecording)
    let missing = #expect(throws: LiveSourceError.self) {
      try RecordedFrames("/nowhere.mjpeg", format: .motionJPEG)
    }
    #expect(missing?.code == .noDevice)
  }
}
