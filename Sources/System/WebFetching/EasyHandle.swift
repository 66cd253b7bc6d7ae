import CliptagBasics
import CCurl

/// The settings and state of one transfer in libcurl, freed with the value.
struct EasyHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  /// The buffer for libcurl's description of a failure.
  private let reasonBuffer: UnsafeMutablePointer<CChar>
  /// The buffer for the address that the shim refused.
  private let refusedAddress: UnsafeMutablePointer<CChar>
  /// Lists that libcurl reads during the lifetime of the handle.
  private var lists: [UnsafeMutablePointer<curl_slist>] = []

  /// Creates a handle; `nil` if memory runs out.
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

  /// Returns libcurl's description of the last failure, or that of the code.
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

  /// Sets a time in whole milliseconds, at least one, because 0 means no limit.
  borrowing func set(_ option: CURLoption, _ value: Duration) throws(CurlRefusal) {
    try set(option, max(1, value.wholeMilliseconds))
  }

  /// Closes the connection on exec, and refuses addresses of this computer and of private networks
  /// unless they are allowed.
  borrowing func setSockets(allowsPrivateAddresses: Bool) throws(CurlRefusal) {
    try Self.check(
      ccurl_open_sockets(pointer, allowsPrivateAddresses ? nil : refusedAddress),
      CURLOPT_OPENSOCKETFUNCTION)
  }

  /// Returns the address that was refused, if any.
  borrowing func refused() -> String? {
    refusedAddress.pointee == 0 ? nil : String(cString: refusedAddress)
  }

  /// Sets the bytes to send, which libcurl copies.
  borrowing func setBody(_ bytes: [UInt8]) throws(CurlRefusal) {
    let size = ccurl_set_large(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
    try Self.check(size, CURLOPT_POSTFIELDSIZE_LARGE)
    let code = bytes.withUnsafeBytes { bytes in
      // An empty array may have no address, and a null pointer would make libcurl read the bytes
      // elsewhere.
      ccurl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress ?? .init(reasonBuffer))
    }
    try Self.check(code, CURLOPT_COPYPOSTFIELDS)
  }

  /// Sets a list of texts, which the handle retains.
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

  /// Returns the server's certificate, the first of its chain.
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

/// An option that libcurl does not accept: it is too old, or built without it.
struct CurlRefusal: Error {
  let option: CURLoption
  let code: CURLcode
}

extension Duration {
  /// The duration in milliseconds, rounded up and at most a day, which fits in every C integer.
  var wholeMilliseconds: Int {
    if self >= .seconds(86_400) { return 86_400_000 }
    if self <= .zero { return 0 }
    let (seconds, attoseconds) = components
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int(seconds) * 1000 + Int((attoseconds + millisecond - 1) / millisecond)
  }
}

/// The libcurl shared library, opened on first use.
enum CurlLibrary {
  /// Opens the library.
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
