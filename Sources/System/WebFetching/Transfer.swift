import CliptagBasics
import CCurl

import CliptagPlatform

/// One request and its answer over libcurl, without redirects. Blocks its thread.
struct Transfer: Sendable {
  let request: WebRequest
  let address: WebAddress
  let policy: WebFetcher.Policy
  /// The time limit of the whole request.
  let deadline: ContinuousClock.Instant

  /// The answer of the server.
  struct Answer: Sendable {
    let response: WebResponse
    /// The target of a redirect, as an absolute URL.
    let target: String?
  }

  /// Runs the transfer.
  func run(on connections: Connections, until cancellation: Cancellation) -> Result<
    Answer, WebFetchError
  > {
    guard var easy = EasyHandle() else { return .failure(failure("not enough memory")) }
    do {
      try configure(&easy)
    } catch {
      return .failure(failure(of: error))
    }
    let collector = AnswerCollector(
      maximumBodyBytes: policy.maximumBodyBytes, isCancelled: { cancellation.isCancelled })
    let result = collector.listen(to: easy) { easy in
      perform(easy, collector, connections, cancellation)
    }
    return result ?? .failure(failure("libcurl rejected the callbacks"))
  }

  private func perform(
    _ easy: borrowing EasyHandle, _ collector: AnswerCollector, _ connections: Connections,
    _ cancellation: Cancellation
  ) -> Result<Answer, WebFetchError> {
    var hasStalled = false
    let code: CURLcode?
    do {
      // The closure cannot capture the handle, which is borrowed.
      let pointer = easy.pointer
      code = try connections.run(easy) {
        guard !cancellation.isCancelled else { return nil }
        guard ccurl_get_large(pointer, CURLINFO_PRETRANSFER_TIME_T) > 0 else {
          collector.restartWaiting()
          return 1000
        }
        let left = policy.stallTimeout - (.now - collector.lastMoved)
        hasStalled = left <= .zero
        return hasStalled ? nil : min(1000, left.wholeMilliseconds)
      }
    } catch {
      return .failure(failure("libcurl's connections failed with code \(error.code)"))
    }
    if cancellation.isCancelled { return .failure(cancelled) }
    if hasStalled { return .failure(timedOut(easy, collector, stalled: true)) }
    guard code == CURLE_OK, let status = collector.status else {
      return .failure(failure(code ?? CURLE_ABORTED_BY_CALLBACK, easy, collector))
    }
    let response = WebResponse(
      status: status, headers: collector.headers, body: collector.body, url: address.url,
      certificate: easy.certificate(), remoteAddress: easy.string(CURLINFO_PRIMARY_IP))
    return .success(Answer(response: response, target: easy.string(CURLINFO_REDIRECT_URL)))
  }

  private func configure(_ easy: inout EasyHandle) throws(CurlRefusal) {
    try easy.set(CURLOPT_URL, address.url)
    try easy.set(CURLOPT_PROTOCOLS_STR, "https")
    try easy.set(CURLOPT_FOLLOWLOCATION, 0)
    try easy.set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    // Signals belong to the program; the thread blocks SIGPIPE for libcurl.
    try easy.set(CURLOPT_NOSIGNAL, 1)
    try easy.setSockets(allowsPrivateAddresses: mayBePrivate)
    // A slow name look-up must not delay a cancelled or timed-out transfer: its thread ends
    // independently. An older libcurl waits for it.
    try? easy.set(CURLOPT_QUICK_EXIT, 1)
    try easy.set(CURLOPT_ACCEPT_ENCODING, "")
    try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, policy.connectTimeout)
    try easy.set(CURLOPT_TIMEOUT_MS, deadline - .now)
    try? easy.set(CURLOPT_CERTINFO, 1)
    if let file = policy.certificateAuthorities {
      try easy.set(CURLOPT_CAINFO, file)
      try easy.set(CURLOPT_CAPATH, nil)
    }
    switch policy.proxy {
    case .environment:
      // A host that is excepted from the proxy would be reached directly, at any address.
      if !policy.allowsPrivateAddresses { try easy.set(CURLOPT_NOPROXY, "") }
    case .direct: try easy.set(CURLOPT_PROXY, "")
    case .server(let proxy): try easy.set(CURLOPT_PROXY, proxy)
    }
    try easy.set(
      CURLOPT_CONNECT_TO,
      policy.endpoints.sorted { $0.key < $1.key }.map { host, endpoint in
        let isIPv6 = endpoint.address.contains(":")
        let target = isIPv6 ? "[\(endpoint.address)]" : endpoint.address
        return "\(host)::\(target):\(endpoint.port)"
      })
    try configureRequest(&easy)
  }

  /// A Boolean value that indicates whether any address is acceptable: private ones are allowed, or
  /// it belongs to a proxy.
  private var mayBePrivate: Bool {
    if policy.allowsPrivateAddresses || policy.endpoints[address.host] != nil { return true }
    switch policy.proxy {
    case .direct: return false
    case .server: return true
    case .environment:
      let names: [String] = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
      return names.contains { name in getenv(name).map { $0.pointee != 0 } ?? false }
    }
  }

  private func configureRequest(_ easy: inout EasyHandle) throws(CurlRefusal) {
    if let body = request.body {
      try easy.setBody(body)
    } else if request.method == "HEAD" {
      try easy.set(CURLOPT_NOBODY, 1)
    }
    try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
    try easy.set(CURLOPT_USERAGENT, policy.userAgent)
    // An empty value has a special syntax; with a name and a colon libcurl sends no field.
    var lines = request.headers.map { field in
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    if request.body != nil {
      if request.headers["Expect"] == nil { lines.append("Expect:") }
      if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
    }
    try easy.set(CURLOPT_HTTPHEADER, lines)
  }

  // MARK: Failures

  /// Returns the error for a failure on this computer.
  func failure(_ reason: String) -> WebFetchError {
    error(.failed, "\(address.url) was not fetched: \(reason)", "Run the command again")
  }

  private func failure(of refusal: CurlRefusal) -> WebFetchError {
    let option = "option \(refusal.option.rawValue)"
    let reason = String(cString: ccurl_easy_strerror(refusal.code))
    return CurlLibrary.missing("it does not support \(option) (\(reason))", url: address.url)
  }

  private var cancelled: WebFetchError {
    error(.cancelled, "Fetching \(address.url) was cancelled", "Run the command again")
  }

  /// Returns the error for a result code of libcurl.
  private func failure(
    _ code: CURLcode, _ easy: borrowing EasyHandle, _ collector: AnswerCollector
  ) -> WebFetchError {
    let reason = easy.reason(code)
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return timedOut(easy, collector, stalled: false)
    case CURLE_COULDNT_RESOLVE_HOST:
      return error(
        .hostNotFound, "No address was found for \(address.host): \(reason)",
        "Check the spelling, the host's DNS records and this computer's network")
    case CURLE_COULDNT_CONNECT where easy.refused() != nil:
      return error(
        .privateAddress,
        "\(address.host) has the address \(easy.refused() ?? ""), which belongs to this computer or a "
          + "private network",
        .sentence("\(.allowPrivateAddresses) if you trust the server"))
    case CURLE_COULDNT_CONNECT:
      return error(
        .cannotConnect, "\(address.host) accepts no connections on port \(address.port): \(reason)",
        "Check that the server runs and that no firewall blocks it")
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
      return error(
        .proxyFailed, "The proxy does not reach \(address.host): \(reason)",
        "Check HTTPS_PROXY and NO_PROXY")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: return certificate(reason, easy)
    case CURLE_SSL_CACERT_BADFILE:
      return error(
        .authoritiesUnreadable, "The trusted certificates cannot be read: \(reason)",
        "Give a PEM file, or install the system's certificates (Debian: ca-certificates)")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT:
      return error(
        .tlsFailed, "\(address.host) and this computer do not agree on TLS: \(reason)",
        "Enable TLS 1.2 or newer on port \(address.port) of the server")
    case CURLE_LOGIN_DENIED, CURLE_URL_MALFORMAT:
      return error(
        .invalidRequest, "\(address.url) cannot be fetched: \(reason)",
        "Give a URL like https://example.com/path")
    default: return failureInAnswer(code, reason, collector)
    }
  }

  private func failureInAnswer(
    _ code: CURLcode, _ reason: String, _ collector: AnswerCollector
  ) -> WebFetchError {
    if let excess = collector.excess { return tooLarge(excess) }
    switch code {
    case CURLE_PARTIAL_FILE: return truncated(reason, collector)
    case CURLE_RECV_ERROR where collector.status != nil: return truncated(reason, collector)
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
      return error(
        .connectionLost, "\(address.host) ended the connection without a response: \(reason)",
        "Run the command again; if the error persists, check the server's log")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      return error(
        .badResponse, "The response of \(address.url) cannot be read: \(reason)",
        "Inspect it with curl -v, and correct the server")
    default: return failure("\(reason) (libcurl \(code.rawValue))")
    }
  }

  private func tooLarge(_ excess: AnswerCollector.Excess) -> WebFetchError {
    let (what, limit) =
      switch excess {
      case .body: ("The body of", policy.maximumBodyBytes)
      case .headers: ("The header of", AnswerCollector.maximumHeaderBytes)
      }
    return error(
      .tooLarge, "\(what) \(address.url) has more than \(limit) bytes",
      "Check the file that the server sends")
  }

  private func truncated(_ reason: String, _ collector: AnswerCollector) -> WebFetchError {
    error(
      .truncated,
      "The response of \(address.url) ended after \(collector.body.count) bytes: \(reason)",
      "Run the command again; if the error persists, compare Content-Length with the file's size")
  }

  /// Returns the error for a time-out, with the step that took too long.
  private func timedOut(
    _ easy: borrowing EasyHandle, _ collector: AnswerCollector, stalled: Bool
  ) -> WebFetchError {
    let step: String
    if collector.status != nil {
      step = "after \(collector.body.count) bytes of the response"
    } else if easy.large(CURLINFO_PRETRANSFER_TIME_T) > 0 {
      step = "while waiting for the response"
    } else if easy.large(CURLINFO_NAMELOOKUP_TIME_T) > 0 {
      step = "during the connection and TLS handshake"
    } else {
      step = "during the look-up of the host name"
    }
    let how = stalled ? "No data arrived from" : "The time limit was exceeded for"
    let limit = stalled ? " for \(policy.stallTimeout)" : ""
    return error(
      .timedOut, "\(how) \(address.url)\(limit), \(step)",
      "Try again later, and check the server's speed")
  }

  /// Returns the error for a certificate, by OpenSSL's X509_V_ERR numbers, which are part of its
  /// interface. A name mismatch is detected by libcurl, which then leaves the initial number of
  /// OpenSSL or libcurl.
  private func certificate(_ reason: String, _ easy: borrowing EasyHandle) -> WebFetchError {
    let facts = easy.certificate()
    let host = address.host
    func error(_ code: WebFetchError.Code, _ message: String, _ hint: Hint) -> WebFetchError {
      WebFetchError(
        code, message + ": \(reason).", hint: hint + ".", url: address.url, certificate: facts)
    }
    switch easy.number(CURLINFO_SSL_VERIFYRESULT) {
    case 9, 10:
      return error(
        .certificateExpired, "The certificate of \(host) is expired or not yet valid",
        "Renew it, and check this computer's clock")
    case 0, 1, 62:
      return error(
        .certificateWrongHost, "The certificate of \(host) is for other hosts",
        "Request a certificate for \(host)")
    case 2, 18, 19, 20, 21:
      return error(
        .certificateUnknownIssuer, "The certificate of \(host) has no trusted issuer",
        "Use a certificate from a public authority, and let the server send the whole chain")
    default:
      return error(
        .certificateInvalid, "The certificate of \(host) is not valid",
        "Request a new certificate")
    }
  }

  private func error(
    _ code: WebFetchError.Code, _ message: String, _ hint: Hint
  ) -> WebFetchError {
    WebFetchError(code, message + ".", hint: hint + ".", url: address.url)
  }
}
