import FoundationEssentials
import Invocation
import WebFetching

extension WebResponse {
  /// What is worth knowing about how an association file was served.
  func associationFindings(now: Date) -> [AssociationFinding] {
    redirects.map { redirect in
      AssociationFinding(
        .associationRedirect, .warning,
        "\(redirect.from) redirects to \(redirect.to) (status \(redirect.status)). Apple's crawler "
          + "seems to follow redirects within a host, but the documentation forbids any: serve the "
          + "file at its own URL.")
    } + [typeFinding, certificateFinding(now: now)].compactMap(\.self)
  }

  /// Apple's own hosts send `application/octet-stream`, so that no type is an error.
  private var typeFinding: AssociationFinding? {
    let type = headers["Content-Type"]
    let media = type?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } ?? ""
    guard !["application/json", "application/pkcs7-mime"].contains(media) else { return nil }
    let how = type.map { "as \($0.printable)" } ?? "without a Content-Type"
    return AssociationFinding(
      .associationContentType, .note,
      "The file is sent \(how); Apple's documentation asks for application/json, and its crawler "
        + "takes other types too.")
  }

  private func certificateFinding(now: Date) -> AssociationFinding? {
    guard let end = certificate?.validUntil else { return nil }
    let days = Int((end.timeIntervalSince(now) / 86_400).rounded(.down))
    guard days < 14 else { return nil }
    return AssociationFinding(
      .associationCertificateEnds, .warning,
      "The certificate of \(url) ends in \(max(0, days)) days; renew it, or the file is not read "
        + "any more.")
  }
}

extension CDNFailure {
  /// The sentence for a person.
  func sentence(host: String, status: Int, _ code: DomainErrorCode) -> String {
    var text = "Apple's network has no file for \(host): "
    if number == nil, reason == nil {
      text += "it answers with status \(status) and gives no reason."
    } else {
      text += [number?.printable, reason?.printable].compactMap(\.self).joined(separator: " ")
      if let details { text += " (\(details.printable))" }
      text += origin.map { ", asked at \($0.printable)." } ?? "."
    }
    text += " \(code.nextStep)"
    if let secondsKept, secondsKept > 0 {
      text += " The network asks again after \((secondsKept + 59) / 60) minutes at most."
    }
    if triesDirect == true { text += " Until then devices ask the host themselves." }
    return text
  }
}
