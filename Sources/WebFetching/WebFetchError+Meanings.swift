extension WebFetchError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.invalidRequest, "The request cannot be sent: its URL, method or headers are wrong."),
    (.notHTTPS, "The URL to be fetched is not one of HTTPS."),
    (.hostNotFound, "No address is known for the host's name."),
    (.cannotConnect, "Nothing accepts connections there."),
    (.proxyFailed, "The proxy cannot be reached or refuses."),
    (.certificateExpired, "The certificate is not valid any more, or not yet."),
    (.certificateWrongHost, "The certificate is for other hosts."),
    (
      .certificateUnknownIssuer,
      "The certificate's issuer is not trusted, or it is signed by itself."
    ),
    (.certificateInvalid, "The certificate is wrong in another way."),
    (.tlsFailed, "The server and this computer do not agree on TLS."),
    (.authoritiesUnreadable, "The file of trusted certificates cannot be used."),
    (.timedOut, "Fetching took longer than is allowed."),
    (.tooLarge, "The answer is larger than is read."),
    (.truncated, "The connection ended before the whole answer had come."),
    (.connectionLost, "The connection ended before an answer."),
    (.badResponse, "The answer is not HTTP, or its compression is damaged."),
    (.redirected, "The server redirects, and no redirect is followed here."),
    (.crossSiteRedirect, "The server redirects to another host."),
    (.insecureRedirect, "The server redirects to something else than HTTPS."),
    (.tooManyRedirects, "The server redirects too often."),
    (.cancelled, "The work was stopped."),
    (.libraryMissing, "libcurl is not installed, or too old."),
    (.failed, "Fetching failed in another way."),
  ]
}
