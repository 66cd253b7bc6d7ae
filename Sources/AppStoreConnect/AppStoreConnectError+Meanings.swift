extension AppStoreConnectError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (
      .unusableKey,
      "The key cannot be used: no private key, of another kind, or with impossible identifiers."
    ),
    (.signingFailed, "OpenSSL could not sign the token for App Store Connect."),
    (.unauthorized, "App Store Connect does not know the key, or the clock is wrong (401)."),
    (.forbidden, "The key may not do this in App Store Connect (403)."),
    (.notFound, "App Store Connect has no such thing (404)."),
    (
      .refused,
      "App Store Connect refuses the request, which breaks a rule (400, 409, 422 and others)."
    ),
    (.rateLimited, "App Store Connect had too many requests in this hour (429)."),
    (.unavailable, "App Store Connect is not there, or cannot answer now."),
    (.malformedAnswer, "An answer of App Store Connect is not what its documentation says."),
    (.tooMuch, "App Store Connect has more than is read."),
    (.missingAnswer, "A saved answer of App Store Connect is missing."),
    (.unknownTeam, "Nothing tells the team of a clip."),
    (.missingPicture, "A new experience has no picture."),
    (.cancelled, "The work was stopped."),
  ]
}
