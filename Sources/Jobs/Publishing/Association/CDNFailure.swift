import CliptagBasics
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Invocation
import WebFetching

/// The reason that Apple's network has no association file for a host, from its header fields.
///
/// Apple does not document the fields; they are known from answers that developers have published.
public struct CDNFailure: Sendable, Hashable {
  /// The number of the reason, for example `SWCERR00101`; `nil` if not given.
  public let number: String?
  /// The description of the reason, for example `Bad HTTP Response: 403 Forbidden`.
  public let reason: String?
  /// The details as JSON, verbatim: `{"status":"403 Forbidden"}`.
  public let details: String?
  /// The URL that the network fetched.
  public let origin: String?
  /// A Boolean value that indicates whether devices should query the host directly; `nil` if not
  /// given.
  public let triesDirect: Bool?
  /// The time for which the network caches the failure, in seconds, before it queries the host
  /// again.
  public let secondsKept: Int?

  /// Creates a failure from an answer whose status is not 200.
  init(_ headers: HeaderFields) {
    func text(_ name: String) -> String? {
      headers[name].map { String($0.prefix(500)) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let reason = text("Apple-Failure-Reason")
    let first = reason?.prefix { $0 != " " } ?? ""
    if first.hasPrefix("SWCERR") {
      number = String(first)
      let rest = reason?.dropFirst(first.count).drop { $0 == " " } ?? ""
      self.reason = rest.isEmpty ? nil : String(rest)
    } else {
      number = nil
      self.reason = reason
    }
    details = text("Apple-Failure-Details")
    origin = text("Apple-From")
    triesDirect = ["true": true, "false": false][text("Apple-Try-Direct")?.lowercased() ?? ""]
    secondsKept =
      headers.values("Cache-Control").flatMap { $0.split(separator: ",") }
      .compactMap { directive in
        let name = directive.drop { $0 == " " }
        return name.hasPrefix("max-age=") ? Int(name.dropFirst("max-age=".count)) : nil
      }.first
  }

  /// The code of App Store Connect for the reason. The known numbers were observed; for others the
  /// description decides.
  var domainError: DomainErrorCode {
    switch number {
    case "SWCERR00101": return .badHTTPResponse
    // "Connections to private/reserved IP addresses are not allowed"
    case "SWCERR00202": return .networkError
    case "SWCERR00301": return .timeout
    default: break
    }
    guard let reason = reason?.lowercased() else {
      return number == nil ? .cannotReachAASAFile : .otherError
    }
    return Self.words.first { reason.contains($0.word) }?.code ?? .otherError
  }

  private static let words: [(word: String, code: DomainErrorCode)] = [
    ("cross-site", .crossSiteRedirectsForbidden), ("cross site", .crossSiteRedirectsForbidden),
    ("insecure redirect", .insecureRedirectsForbidden), ("too many redirect", .tooManyRedirects),
    ("http response", .badHTTPResponse), ("json", .badJSONContent),
    ("pkcs7", .badPKCS7Signature), ("pkcs#7", .badPKCS7Signature), ("timeout", .timeout),
    ("timed out", .timeout), ("tls", .tlsError), ("ssl", .tlsError), ("certificate", .tlsError),
    ("dns", .dnsError), ("temporary", .networkErrorTemporary), ("network", .networkError),
  ]
}

extension WebResponse {
  /// Returns the findings about how an association file was served.
  func associationFindings(now: Date) -> [AssociationFinding] {
    redirects.map { redirect in
      AssociationFinding(
        .associationRedirect, .warning,
        "\(redirect.from) redirects to \(redirect.to) (status \(redirect.status)). Apple's crawler "
          + "follows redirects within a host in tests, but the documentation forbids them: serve the "
          + "file at its own URL.")
    } + [typeFinding, certificateFinding(now: now)].compactMap(\.self)
  }

  /// Apple's own hosts send `application/octet-stream`, so no type is an error; but App Store
  /// Connect has been observed to reject an App Clip's domain because of it.
  private var typeFinding: AssociationFinding? {
    let type = headers["Content-Type"]
    let media = type?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } ?? ""
    guard !["application/json", "application/pkcs7-mime"].contains(media) else { return nil }
    let how = type.map { "as \($0.printable)" } ?? "without a Content-Type"
    return AssociationFinding(
      .associationContentType, .warning,
      "The file is sent \(how); serve it as application/json, as Apple's documentation requires. "
        + "Other types have passed for universal links and failed the validation of App Clips.")
  }

  private func certificateFinding(now: Date) -> AssociationFinding? {
    guard let end = certificate?.validUntil else { return nil }
    let days = Int(bounded: (end.timeIntervalSince(now) / 86_400).rounded(.down))
    guard days < 14 else { return nil }
    return AssociationFinding(
      .associationCertificateEnds, .warning,
      "The certificate of \(url) expires in \(max(0, days)) days; renew it, or the file is not read "
        + "any more.")
  }
}

extension CDNFailure {
  /// Returns the message for a user.
  func sentence(host: String, status: Int, _ code: DomainErrorCode) -> String {
    var text = "Apple's network has no file for \(host): "
    if number == nil, reason == nil {
      text += "it responds with status \(status) and no reason."
    } else {
      text += [number?.printable, reason?.printable].compactMap(\.self).joined(separator: " ")
      if let details { text += " (\(details.printable))" }
      text += origin.map { ", at \($0.printable)." } ?? "."
    }
    text += " \(code.nextStep)"
    if let secondsKept, secondsKept > 0 {
      text += " The network retries after \((secondsKept + 59) / 60) minutes at most."
    }
    if triesDirect == true { text += " Until then devices contact the host directly." }
    return text
  }
}
