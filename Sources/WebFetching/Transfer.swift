internal import CCurl

/// One request and its answer over libcurl, without redirects. Blocks the thread that runs it.
struct Transfer: Sendable {
  let request: WebRequest
  let address: WebAddress
  let policy: WebFetcher.Policy
  /// When everything must be done.
  let deadline: ContinuousClock.Instant

  /// What came back.
  struct Answer: Sendable {
    let response: WebResponse
    /// Where the answer redirects to, as an absolute URL.
    let target: String?
  }

  /// Runs the transfer.
  func run(on connections: Connections, until cancellation: Cancellation) -> Result<
    Answer, WebFetchError
  > {
    guard var easy = EasyHandle() else { return .failure(failure("there is no memory for it")) }
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
    return result ?? .failure(failure("libcurl does not take its callbacks"))
  }

  private func perform(
    _ easy: borrowing EasyHandle, _ collector: AnswerCollector, _ connections: Connections,
    _ cancellation: Cancellation
  ) -> Result<Answer, WebFetchError> {
    var hasStalled = false
    let code: CURLcode?
    do {
      // Not through a closure alone: it would have to capture the handle, which is borrowed.
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
    // Signals belong to the program; the thread keeps SIGPIPE away from libcurl itself.
    try easy.set(CURLOPT_NOSIGNAL, 1)
    try easy.setCloseOnExec()
    // A name that takes long to resolve must not hold up what was cancelled or timed out: its
    // thread ends by itself. An older libcurl waits for it.
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
    case .environment: break
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

  private func configureRequest(_ easy: inout EasyHandle) throws(CurlRefusal) {
    if let body = request.body {
      try easy.setBody(body)
    } else if request.method == "HEAD" {
      try easy.set(CURLOPT_NOBODY, 1)
    }
    try easy.set(CURLOPT_CUSTOMREQUEST, request.method)
    try easy.set(CURLOPT_USERAGENT, policy.userAgent)
    // An empty value has a spelling of its own; a name and a colon mean that libcurl sends none.
    var lines = request.headers.map { field in
      field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
    }
    if request.body != nil {
      if request.headers["Expect"] == nil { lines.append("Expect:") }
      if request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
    }
    try easy.set(CURLOPT_HTTPHEADER, lines)
  }
}
