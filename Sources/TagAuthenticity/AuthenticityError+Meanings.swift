extension AuthenticityError.Code {
  /// The code that ends a command, with what it means in one sentence; the others are findings, or
  /// mistakes of a key file.
  package static let meanings: [(code: Self, text: String)] = [
    (.cryptography, "OpenSSL failed, or lacks an algorithm: nothing can be said.")
  ]
}
