import CCurl

/// One transfer's settings and state in libcurl, freed with the value.
struct EasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  /// What libcurl writes more about a failure into.
  private let reasonBuffer: UnsafeMutablePointer<CChar>
  /// Where the shim writes the address that it refused.
  private let refusedAddress: UnsafeMutablePointer<CChar>
  /// Lists that libcurl reads as long as the handle lives.
  private var lists: [UnsafeMutablePointer<curl_slist>] = []

  /// Makes a handle; nil when there is no memory.
  init?() {
    guard let pointer = ccurl_easy_init() else { return nil }
    self.pointer = pointer
    reasonBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    reasonBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    refusedAddress = .allocate(capacity: Int(CCURL_ADDRESS_SIZE))
    refusedAddress.initialize(repeating: 0, count: Int(CCURL_ADDRESS_SIZE))
    _ = ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, reasonBuffer)
  }

  deinit {
    ccurl_easy_cleanup(pointer)
    for list in lists { ccurl_slist_free_all(list) }
    reasonBuffer.deallocate()
    refusedAddress.deallocate()
  }

  /// What libcurl says about the last failure: its own sentence, or the code's.
  borrowing func reason(_ code: CURLcode) -> String {
    let text = String(cString: reasonBuffer)
    return text.isEmpty ? String(cString: ccurl_easy_strerror(code)) : text
  }

  borrowing func set(_ option: CURLoption, _ value: Int) throws(CurlRefusal) {
    try Self.check(ccurl_set_long(pointer, option, value), option)
  }

  borrowing func set(_ option: CURLoption, _ value: String?) throws(CurlRefusal) {
    try Self.check(ccurl_set_string(pointer, option, value), option)
  }

  /// Sets a time, in whole milliseconds and at least one, as 0 means for ever.
  borrowing func set(_ option: CURLoption, _ value: Duration) throws(CurlRefusal) {
    try set(option, max(1, value.wholeMilliseconds))
  }

  /// Keeps the connection from the programs that this one starts, and from addresses that are this
  /// computer's own or of private networks, unless they are allowed.
  borrowing func setSockets(allowsPrivateAddresses: Bool) throws(CurlRefusal) {
    try Self.check(
      ccurl_open_sockets(pointer, allowsPrivateAddresses ? nil : refusedAddress),
      CURLOPT_OPENSOCKETFUNCTION)
  }

  /// The address that was not connected to, if any.
  borrowing func refused() -> String? {
    refusedAddress.pointee == 0 ? nil : String(cString: refusedAddress)
  }

  /// Sets the bytes to send, which libcurl copies.
  borrowing func setBody(_ bytes: [UInt8]) throws(CurlRefusal) {
    let size = ccurl_set_large(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
    try Self.check(size, CURLOPT_POSTFIELDSIZE_LARGE)
    let code = bytes.withUnsafeBytes { bytes in
      // An empty array may have no address, which would mean that the bytes are read elsewhere.
      ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? .init(reasonBuffer))
    }
    try Self.check(code, CURLOPT_COPYPOSTFIELDS)
  }

  /// Sets a list of texts, which the handle keeps.
  mutating func set(_ option: CURLoption, _ texts: [String]) throws(CurlRefusal) {
    var list: UnsafeMutablePointer<curl_slist>?
    for text in texts {
      guard let longer = ccurl_slist_append(list, text) else {
        ccurl_slist_free_all(list)
        throw CurlRefusal(option: option, code: CURLE_OUT_OF_MEMORY)
      }
      list = longer
    }
    guard let list else { return }
    lists.append(list)
    try Self.check(ccurl_set_pointer(pointer, option, list), option)
  }

  borrowing func number(_ info: CURLINFO) -> Int { ccurl_get_long(pointer, info) }

  borrowing func large(_ info: CURLINFO) -> Int { Int(ccurl_get_large(pointer, info)) }

  borrowing func string(_ info: CURLINFO) -> String? {
    ccurl_get_string(pointer, info).map { String(cString: $0) }
  }

  /// The server's own certificate, the first of its chain, line by line.
  borrowing func certificate() -> CertificateFacts? {
    guard let chain = ccurl_get_certificates(pointer), chain.pointee.num_of_certs > 0 else {
      return nil
    }
    var lines: [String] = []
    var next = chain.pointee.certinfo[0]
    while let line = next {
      if let data = line.pointee.data { lines.append(String(cString: data)) }
      next = line.pointee.next
    }
    return lines.isEmpty ? nil : CertificateFacts(lines: lines)
  }

  private static func check(_ code: CURLcode, _ option: CURLoption) throws(CurlRefusal) {
    guard code == CURLE_OK else { throw CurlRefusal(option: option, code: code) }
  }
}

/// An option that libcurl does not take: it is too old, or built without it.
struct CurlRefusal: Error {
  let option: CURLoption
  let code: CURLcode
}

extension Duration {
  /// Rounded up, and never more than a day, which fits into every C integer.
  var wholeMilliseconds: Int {
    if self >= .seconds(86_400) { return 86_400_000 }
    if self <= .zero { return 0 }
    let (seconds, attoseconds) = components
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int(seconds) * 1000 + Int((attoseconds + millisecond - 1) / millisecond)
  }
}

/// The shared library that does the work, opened when it is first needed.
enum CurlLibrary {
  /// Opens it.
  ///
  /// - Throws: `.libraryMissing`.
  static func load(for url: String) throws(WebFetchError) {
    guard let reason = ccurl_load() else { return }
    throw missing(String(cString: reason), url: url)
  }

  static func missing(_ reason: String, url: String) -> WebFetchError {
    WebFetchError(
      .libraryMissing, "libcurl cannot be used: \(reason).",
      hint: "Install it (Debian: apt-get install libcurl4) and run the command again.", url: url)
  }
}
