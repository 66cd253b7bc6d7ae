extension LiveSourceError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.noDevice, "There is no such device."),
    (.noPermission, "You may not use the device."),
    (.deviceBusy, "Another program uses the device."),
    (.wrongDevice, "The device is not of the kind that was asked for."),
    (.deviceLost, "The device was unplugged while it was read."),
    (.deviceFailed, "The device failed in another way."),
    (.libraryMissing, "zbar, which finds the codes in pictures, is not installed, or too old."),
    (.malformedRecording, "The recording is damaged, or of a kind that is not read."),
  ]
}
