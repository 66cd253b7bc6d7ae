import AppClipCodes
import Dispatch
import LinuxDevices
import Pictures
import Synchronization

/// Reads the codes in front of a camera.
///
/// A text counts only after it was read in two pictures: among thousands of pictures of everyday
/// things there is one in which noise is read as a code.
public final class CameraScanner: LiveSource {
  /// The path of the camera or recording.
  public let name: String
  /// A description that includes the camera's format.
  public let description: String
  /// The number of pictures in which a text must be read: two.
  public let sightingsNeeded = 2

  private let pump: FramePump
  private let scanner: CodeScanner
  /// The pictures taken so far.
  private let pictures = Mutex(0)
  private let waiting = Mutex<[LiveReading]>([])

  /// Starts taking pictures.
  ///
  /// - Parameters:
  ///   - frames: The camera or recording; used only by this scanner.
  ///   - scanner: The scanner for each picture.
  package init(_ frames: any FrameSource, scanner: CodeScanner = CodeScanner(effort: .firstCode)) {
    name = frames.name
    description = frames.description
    self.scanner = scanner
    pump = FramePump(frames)
  }

  /// Opens a camera, or a recording of one if the path is a file or a pipe.
  ///
  /// - Parameters:
  ///   - path: A Video4Linux device, or a file.
  ///   - size: The size of the pictures in a recording of raw YUYV; `nil` for Motion JPEG.
  /// - Throws: ``LiveSourceError`` if it cannot be opened.
  public static func open(
    _ path: String, recorded size: (width: Int, height: Int)? = nil
  ) throws(LiveSourceError) -> CameraScanner {
    let isRecording = DeviceView.live.access(path).map { !$0.isDevice } ?? false
    guard isRecording || size != nil else {
      #if os(Linux)
        return CameraScanner(try V4L2Camera(path))
      #else
        throw .needsLinux(path)
      #endif
    }
    let format = size.map { RecordedFrames.Format.raw(.yuyv, width: $0.width, height: $0.height) }
    return CameraScanner(try RecordedFrames(path, format: format ?? .motionJPEG))
  }

  /// Waits for the next code in a picture; see ``LiveSource/next(while:)``.
  public func next(while isWanted: () -> Bool) throws(LiveSourceError) -> LiveReading? {
    while true {
      if let reading = takeWaiting() { return reading }
      guard let frame = try pump.next(while: isWanted) else { return nil }
      guard let picture = frame.picture else { continue }
      let number = pictures.withLock { pictures in
        defer { pictures += 1 }
        return pictures
      }
      let found = try scan(picture, by: Self.scanner(scanner, ofPicture: number))
      waiting.withLock { $0 = Self.readings(found) }
    }
  }

  /// The work that an ordinary picture may cost: that of 30 pictures a second.
  private static let quickBudget = Duration.milliseconds(30)
  /// One of this many pictures is searched with the whole budget, for a code that is hard to read and
  /// does not move.
  private static let thoroughEvery = 8

  /// Returns the scanner of a picture, by its number from 0.
  static func scanner(_ scanner: CodeScanner, ofPicture number: Int) -> CodeScanner {
    guard !(number + 1).isMultiple(of: thoroughEvery) else { return scanner }
    var quick = scanner
    quick.budget = min(scanner.budget ?? quickBudget, quickBudget)
    return quick
  }

  private func scan(
    _ picture: GreyPicture, by scanner: CodeScanner
  ) throws(LiveSourceError) -> ScanResult {
    do {
      return try scanner.examine(picture)
    } catch {
      throw LiveSourceError(
        .libraryMissing, source: name, message: error.message, hint: error.hint)
    }
  }

  private func takeWaiting() -> LiveReading? {
    waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// The number of bits of an App Clip Code that must be reliable: a code with fewer will be better
  /// visible in a later picture.
  private static let leastSureBits = 90

  /// Returns each text once: two labels with the same text in one picture are not a second
  /// sighting.
  private static func readings(_ found: ScanResult) -> [LiveReading] {
    var texts: Set<String> = []
    return found.codes.filter { texts.insert($0.text).inserted }.map(LiveReading.decoded)
      + found.appClipCodes.filter { $0.reading.sureCount >= leastSureBits }
      .map(LiveReading.appClipCode)
  }
}

/// Takes pictures from a source on a separate thread, and keeps only the newest.
///
/// Searching for codes takes longer than the interval between a camera's pictures; a queue of old
/// ones would grow, and codes would be reported after they are gone. Recordings drop nothing: the
/// next picture is read after the last one was taken.
final class FramePump: Sendable {
  private struct Box {
    var frame: CameraFrame?
    var end: Result<Void, LiveSourceError>?
  }

  /// The state shared by both threads; the pump itself belongs to the one that takes pictures.
  private final class Shared: Sendable {
    let box = Mutex(Box())
    let isStopped = Atomic<Bool>(false)
    let filled = DispatchSemaphore(value: 0)
    let emptied = DispatchSemaphore(value: 0)

    var isWanted: Bool { !isStopped.load(ordering: .relaxed) }
  }

  private static let interval = DispatchTimeInterval.milliseconds(50)

  private let shared = Shared()
  private let queue = DispatchQueue(label: "CodeScanning.FramePump")

  /// Starts taking pictures.
  init(_ source: any FrameSource) {
    queue.async { [shared] in Self.fill(shared, from: source) }
  }

  /// Stops the source's thread, and waits for it.
  deinit {
    shared.isStopped.store(true, ordering: .relaxed)
    queue.sync {}
  }

  /// Waits for a new picture.
  ///
  /// - Returns: `nil` at the source's end, or when `isWanted` returns `false`.
  func next(while isWanted: () -> Bool) throws(LiveSourceError) -> CameraFrame? {
    while isWanted() {
      let box = shared.box.withLock { box in
        defer { box.frame = nil }
        return box
      }
      if let frame = box.frame {
        shared.emptied.signal()
        return frame
      }
      if let end = box.end {
        try end.get()
        return nil
      }
      _ = shared.filled.wait(timeout: .now() + Self.interval)
    }
    return nil
  }

  private static func fill(_ shared: Shared, from source: any FrameSource) {
    let end: Result<Void, LiveSourceError>
    do throws(LiveSourceError) {
      while let frame = try source.nextFrame(while: { shared.isWanted }) {
        shared.box.withLock { $0.frame = frame }
        shared.filled.signal()
        while !source.isLive, shared.isWanted, shared.box.withLock({ $0.frame != nil }) {
          _ = shared.emptied.wait(timeout: .now() + interval)
        }
      }
      end = .success(())
    } catch {
      end = .failure(error)
    }
    shared.box.withLock { $0.end = end }
    shared.filled.signal()
  }
}
