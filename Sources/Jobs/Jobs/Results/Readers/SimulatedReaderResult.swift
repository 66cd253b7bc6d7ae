/// The `reader` object of a simulated reader.
package struct SimulatedReaderResult: Encodable {
  /// The type of the object.
  let type = "reader"
  /// The connection string.
  let reader: String
  /// The kind of tag, such as `ntag213`.
  let tag: String
  /// The tag's UID in hexadecimal; `nil` without a tag.
  let uid: String?

  package init(reader: String, tag: String, uid: String?) {
    (self.reader, self.tag, self.uid) = (reader, tag, uid)
  }
}

/// The `reader` object of a recording that is played.
package struct PlayedReaderResult: Encodable {
  /// The type of the object.
  let type = "reader"
  /// The connection string.
  let reader: String
  /// The name of the recording.
  let session: String
  /// The number of answers in it.
  let exchanges: Int

  package init(reader: String, session: String, exchanges: Int) {
    (self.reader, self.session, self.exchanges) = (reader, session, exchanges)
  }
}

/// The `recording` object of a reader's session.
package struct RecordingResult: Encodable {
  /// The type of the object.
  let type = "recording"
  /// The file.
  let output: String
  /// The number of commands in it.
  let exchanges: Int
  /// Whether UIDs stay in it, because a signature was read.
  let keepsUIDs: Bool

  package init(output: String, exchanges: Int, keepsUIDs: Bool) {
    (self.output, self.exchanges, self.keepsUIDs) = (output, exchanges, keepsUIDs)
  }
}

/// The `counts` object of the work of a simulated reader. Times are those of a real one.
package struct ReaderCountsResult: Encodable {
  /// The type of the object.
  let type = "counts"
  /// The number of commands to the reader.
  let exchanges: Int
  /// The number of frames to a selected tag.
  let tagCommands: Int
  /// The number of writes to a tag, accepted or not.
  let writes: Int
  /// The number of bytes from the host.
  let bytesFromHost: Int
  /// The number of bytes to the host.
  let bytesToHost: Int
  /// The time of those bytes on the line.
  let lineMilliseconds: Double
  /// The time of the frames in the air and of writing the tag's memory.
  let radioMilliseconds: Double
  /// The time of waiting for tags that did not answer.
  let waitingMilliseconds: Double
  /// The sum of the three times.
  let modelledMilliseconds: Double

  /// - Parameters:
  ///   - lineTime: The time of the bytes on the line.
  ///   - radioTime: The time of the frames in the air.
  ///   - waitingTime: The time of waiting for tags that did not answer.
  ///   - modelledTime: The sum of the three.
  package init(
    exchanges: Int, tagCommands: Int, writes: Int, bytesFromHost: Int, bytesToHost: Int,
    lineTime: Duration, radioTime: Duration, waitingTime: Duration, modelledTime: Duration
  ) {
    (self.exchanges, self.tagCommands, self.writes) = (exchanges, tagCommands, writes)
    (self.bytesFromHost, self.bytesToHost) = (bytesFromHost, bytesToHost)
    lineMilliseconds = lineTime / .milliseconds(1)
    radioMilliseconds = radioTime / .milliseconds(1)
    waitingMilliseconds = waitingTime / .milliseconds(1)
    modelledMilliseconds = modelledTime / .milliseconds(1)
  }
}
