extension PositionError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.noGPSD, "Nothing answers where gpsd should."),
    (.notGPSD, "What answers is not gpsd, or speaks another version of its protocol."),
    (.noDevice, "There is no such device."),
    (.noPermission, "You may not use the device."),
    (.deviceBusy, "Another program uses the device."),
    (.wrongDevice, "The device is not of the kind that was asked for."),
    (.deviceLost, "The device was unplugged while it was read."),
    (.deviceFailed, "The device failed in another way."),
    (.noPosition, "No position that can be used came before the time or the source was over."),
    (.cancelled, "The work was stopped."),
  ]
}
