internal import Dispatch
internal import Synchronization

/// Takes pictures from a source on a thread of its own, and keeps only the newest.
///
/// Looking for codes takes longer than a camera's next picture; a queue of old ones would grow,
/// and codes would be reported when they are no longer there. Of a recording nothing is dropped:
/// its next picture is taken when the last one was.
final class FramePump: Sendable {
  private struct Box {
    var frame: CameraFrame?
    var end: Result<Void, LiveSourceError>?
  }

  /// What both threads see; the pump itself belongs to the one that takes.
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

  /// Begins to take pictures.
  init(_ source: any FrameSource) {
    queue.async { [shared] in Self.fill(shared, from: source) }
  }

  /// Ends the source's thread, and waits for it.
  deinit {
    shared.isStopped.store(true, ordering: .relaxed)
    queue.sync {}
  }

  /// Waits for a picture that was not taken yet.
  ///
  /// - Returns: `nil` at the source's end, or when it is no longer wanted.
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
