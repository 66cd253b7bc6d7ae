import CliptagBasics
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import WebFetching

/// A request that failed: the error, and whether and when it may be repeated.
struct ConnectFailure {
  let error: AppStoreConnectError
  /// Whether the same request may succeed later, and may safely be sent twice.
  let mayRepeat: Bool
  /// The wait before a repetition, if the server names one.
  let wait: Duration?

  /// Makes the failure of a request that was not answered.
  init(_ error: WebFetchError, to request: ConnectRequest) {
    wait = nil
    if error.code == .cancelled {
      self.error = .cancelled(request)
      mayRepeat = false
      return
    }
    self.error = AppStoreConnectError(
      .unavailable, error.message, hint: error.advice, request: request.name)
    let isChance: Set<WebFetchError.Code> = [
      .cannotConnect, .timedOut, .truncated, .connectionLost, .badResponse,
    ]
    // Without a connection, the request had no effect.
    mayRepeat =
      error.code == .cannotConnect || request.isIdempotent && isChance.contains(error.code)
  }

  /// Makes the failure of an answer that is not a success.
  ///
  /// - Parameter now: Seconds since 1970 by this computer's clock.
  init(_ response: WebResponse, to request: ConnectRequest, now: Int) {
    let details = Self.details(of: response.body)
    // A request over the rate limit had no effect; after 5xx the effect is unknown.
    mayRepeat = response.status == 429 || response.status >= 500 && request.isIdempotent
    wait = response.headers["Retry-After"].flatMap { Int($0) }.flatMap {
      (0...86_400).contains($0) ? .seconds($0) : nil
    }
    let skew = response.headers["Date"].flatMap { HTTPDate.secondsSince1970($0) }.map { now - $0 }
    let (code, what, hint) = Self.meaning(of: response, skew: skew ?? 0)
    error = AppStoreConnectError(
      code, "\(request.name): \(what) (\(response.status))\(details.said).".withOneStop,
      hint: Hint(hint), request: request.name, details: details)
  }

  private static func meaning(
    of response: WebResponse, skew: Int
  ) -> (AppStoreConnectError.Code, String, String) {
    switch response.status {
    case 401 where abs(skew) > 60:
      let side = skew > 0 ? "ahead" : "behind"
      return (
        .unauthorized, "App Store Connect rejected the token",
        "Correct this computer's clock: it is \(abs(skew)) seconds \(side), and tokens count "
          + "for minutes."
      )
    case 401:
      return (
        .unauthorized, "App Store Connect rejected the token",
        "Check that the file, the key's and the issuer's identifier belong together and that the "
          + "key was not revoked; an individual key has no issuer."
      )
    case 403:
      return (
        .forbidden, "the key has no permission for this",
        "Give the key's role access to this app in App Store Connect (Marketing suffices), and "
          + "accept pending agreements there."
      )
    case 404:
      return (
        .notFound, "App Store Connect does not have the resource",
        "Check the app's number (App Store Connect, App Information, Apple ID)."
      )
    case 429:
      let limit = response.headers["X-Rate-Limit"].flatMap { RateLimit($0) }
      let words = limit.map { ": \($0.limit) an hour are allowed" } ?? ""
      return (
        .rateLimited, "too many requests\(words)", "Run the command again in an hour."
      )
    case 500...:
      return (
        .unavailable, "App Store Connect is temporarily unavailable",
        "Run the command again later; see https://developer.apple.com/system-status for outages."
      )
    default:
      return (
        .refused, "App Store Connect refuses the request",
        "Correct the named fault, and run the command again."
      )
    }
  }

  /// The errors in a body that is an `ErrorResponse`; empty for any other body.
  private static func details(of body: [UInt8]) -> [AppStoreConnectError.Detail] {
    var details: [AppStoreConnectError.Detail] = []
    do throws(AppStoreConnectError) {
      let root = try AnswerFields(ResourceDocument.root(of: body, ""), of: "")
      for node in try root.list("errors").prefix(AppStoreConnectError.maximumDetails) {
        let fields = try AnswerFields(node, of: "")
        let source = try fields.fields("source")
        let pointer = try source?.text("pointer")
        let parameter = try source?.text("parameter")
        details.append(
          AppStoreConnectError.Detail(
            status: try fields.text("status") ?? "", code: try fields.text("code") ?? "",
            title: try fields.text("title") ?? "", detail: try fields.text("detail") ?? "",
            source: pointer ?? parameter))
      }
    } catch {
      // The body is a proxy's page, for example: the status suffices.
    }
    return details
  }
}

extension AppStoreConnectError {
  static func cancelled(_ request: ConnectRequest) -> AppStoreConnectError {
    AppStoreConnectError(
      .cancelled, "\(request.name) was cancelled.", hint: "Run the command again.",
      request: request.name)
  }
}

extension [AppStoreConnectError.Detail] {
  /// The first three errors with their codes, as the continuation of a sentence.
  var said: String {
    guard !isEmpty else { return "" }
    let told = prefix(3).map { detail in
      let words = String((detail.detail.isEmpty ? detail.title : detail.detail).prefix(500))
      let source = detail.source.map { "[\($0)]" }
      let code = detail.code.isEmpty ? nil : "(\(detail.code))"
      return [words.isEmpty ? nil : words, source, code].compactMap(\.self).joined(separator: " ")
    }
    return ": " + told.joined(separator: "; ") + (count > 3 ? "; and \(count - 3) more" : "")
  }
}

extension String {
  /// Removes one of the two full stops after a quoted sentence.
  fileprivate var withOneStop: String { hasSuffix("..") ? String(dropLast()) : self }
}
