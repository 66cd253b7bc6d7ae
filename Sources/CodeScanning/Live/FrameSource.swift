/// Something that gives pictures one after another: a camera, or a recording of one.
package protocol FrameSource: Sendable {
  /// What to call it: the device's or the file's path.
  var name: String { get }
  /// What it is, with its format, for people.
  var description: String { get }
  /// Whether pictures come whether or not somebody takes them, so that old ones are better dropped.
  var isLive: Bool { get }

  /// Waits for the next picture.
  ///
  /// - Parameter isWanted: Asked at least every 100 ms while nothing comes.
  /// - Returns: `nil` at the end, or when it is no longer wanted.
  /// - Throws: When the camera is gone or fails, or the recording is damaged.
  func nextFrame(while isWanted: () -> Bool) throws(LiveSourceError) -> CameraFrame?
}
