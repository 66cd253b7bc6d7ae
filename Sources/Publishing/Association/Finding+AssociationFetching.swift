public import Invocation

extension Finding.Code {
  /// No association file could be had.
  public static let associationNotFetched = Finding.Code(rawValue: "association-not-fetched")
  /// The server redirects within the host.
  public static let associationRedirect = Finding.Code(rawValue: "association-redirect")
  /// The file is at the root alone.
  public static let associationRootPath = Finding.Code(rawValue: "association-root-path")
  /// The file is sent as another type than JSON.
  public static let associationContentType = Finding.Code(rawValue: "association-content-type")
  /// The server's certificate ends soon.
  public static let associationCertificateEnds = Finding.Code(
    rawValue: "association-certificate-ends")

  /// Every code that fetching an association file can bring, with its meaning, in the order of the
  /// documentation.
  package static let ofAssociationFetching: [(code: Finding.Code, meaning: String)] = [
    (.associationNotFetched, "No association file could be fetched for the host."),
    (.associationRedirect, "The server redirects the request for the association file."),
    (
      .associationRootPath,
      "The association file is not in `/.well-known`, only at the root of the host."
    ),
    (.associationContentType, "The association file is not sent as `application/json`."),
    (.associationCertificateEnds, "The certificate of the host ends within two weeks."),
  ]
}
