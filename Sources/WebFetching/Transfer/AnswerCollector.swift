import CCurl
public import FoundationEssentials

/// Gathers an answer while it comes in, and ends what goes too far. Lives on one thread.
final class AnswerCollector {
  /// Why an answer was cut off.
  enum Excess { case body, headers }

  /// The most bytes of headers; servers in use stay under 16 KB.
  static let maximumHeaderBytes = 1 << 16

  private(set) var status: Int?
  private(set) var headers = HeaderFields()
  private(set) var body: [UInt8] = []
  private(set) var excess: Excess?
  /// When something last came or went.
  private(set) var lastMoved = ContinuousClock.now

  private let maximumBodyBytes: Int
  private let isCancelled: () -> Bool
  private var moved: Int64 = 0
  private var headerBytes = 0
  private var isInHeaders = false

  init(maximumBodyBytes: Int, isCancelled: @escaping () -> Bool) {
    self.maximumBodyBytes = maximumBodyBytes
    self.isCancelled = isCancelled
  }

  /// Has the handle tell this collector, for as long as `body` runs.
  func listen<Result>(
    to easy: borrowing EasyHandle, during body: (borrowing EasyHandle) -> Result
  ) -> Result? {
    var listener = ccurl_listener(
      context: Unmanaged.passUnretained(self).toOpaque(),
      header: { AnswerCollector.of($0)?.takeHeader(bytes($1, $2)) ?? false },
      body: { AnswerCollector.of($0)?.takeBody(bytes($1, $2)) ?? false },
      progress: { AnswerCollector.of($0)?.takeProgress(Int64($1)) ?? false })
    return withUnsafeMutablePointer(to: &listener) { listener in
      guard ccurl_set_listener(easy.pointer, listener) == CURLE_OK else { return nil }
      return withExtendedLifetime(self) { body(easy) }
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> AnswerCollector? {
    context.map { Unmanaged<AnswerCollector>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Takes one line of headers, its end included. A new status line begins anew: 100 Continue and
  /// the like come before the answer.
  func takeHeader(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    lastMoved = .now
    headerBytes += line.count
    guard headerBytes <= Self.maximumHeaderBytes else {
      excess = .headers
      return false
    }
    var text = line[...]
    while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
    if text.starts(with: "HTTP/".utf8) {
      (status, headers, isInHeaders) = (Self.status(of: text), HeaderFields(), true)
    } else if text.isEmpty {
      isInHeaders = false
    } else if isInHeaders {
      take(field: text)
    }
    return !isCancelled()
  }

  private func take(field line: Slice<UnsafeBufferPointer<UInt8>>) {
    func text(_ bytes: some Collection<UInt8>) -> String {
      let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
      let trimmed = Array(Array(bytes.drop(while: isBlank)).reversed().drop(while: isBlank))
      return String(decoding: trimmed.reversed(), as: UTF8.self)
    }
    if line.first == 0x20 || line.first == 0x09 {
      headers.continueLast(text(line))
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
      headers.append(text(line[..<colon]), text(line[line.index(after: colon)...]))
    }
  }

  private static func status(of line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let words = line.split(separator: 0x20, maxSplits: 2)
    return words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) : nil
  }

  /// Takes bytes of the body, decompressed.
  func takeBody(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    lastMoved = .now
    guard bytes.count <= maximumBodyBytes - body.count else {
      excess = .body
      return false
    }
    body.append(contentsOf: bytes)
    return !isCancelled()
  }

  /// Takes the count of bytes that went either way.
  func takeProgress(_ moved: Int64) -> Bool {
    if moved != self.moved {
      self.moved = moved
      lastMoved = .now
    }
    return !isCancelled()
  }

  /// Begins anew to count the time in which nothing moves.
  func restartWaiting() { lastMoved = .now }
}

private func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  // A char and a byte have one size and no alignment.
  UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
}

/// What a server's own certificate says, as libcurl tells it.
public struct CertificateFacts: Sendable, Hashable {
  /// Whom it is for, for example `CN = example.com`.
  public let subject: String
  /// Who issued it.
  public let issuer: String
  /// When it begins to be valid; nil when that is not understood.
  public let validFrom: Date?
  /// When it ceases to be valid; nil when that is not understood.
  public let validUntil: Date?
  /// The host names it is for, `*.example.com` among them.
  public let hosts: [String]

  /// Makes facts.
  package init(
    subject: String, issuer: String, validFrom: Date?, validUntil: Date?, hosts: [String]
  ) {
    self.subject = subject
    self.issuer = issuer
    self.validFrom = validFrom
    self.validUntil = validUntil
    self.hosts = hosts
  }

  /// Reads libcurl's lines, each `Name:value`.
  init(lines: [String]) {
    var values: [Substring: Substring] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = line[line.index(after: colon)...]
    }
    let names = values["X509v3 Subject Alternative Name"] ?? ""
    self.init(
      subject: String(values["Subject"] ?? ""), issuer: String(values["Issuer"] ?? ""),
      validFrom: values["Start date"].flatMap(Self.date),
      validUntil: values["Expire date"].flatMap(Self.date),
      hosts: names.split(separator: ",").compactMap { part in
        let name = part.drop { $0 == " " }
        return name.hasPrefix("DNS:") ? String(name.dropFirst(4)) : nil
      })
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// A moment as OpenSSL prints it: `Nov 22 06:32:36 2026 GMT`, the day padded with a blank.
  static func date(_ text: Substring) -> Date? {
    let words = text.split(separator: " ")
    guard words.count == 5, words[4] == "GMT",
      let month = months.firstIndex(of: String(words[0])),
      let day = Int(words[1]), let year = Int(words[3]),
      (1...31).contains(day), (1...9999).contains(year)
    else { return nil }
    let clock = words[2].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3 else { return nil }
    var components = DateComponents()
    (components.year, components.month, components.day) = (year, month + 1, day)
    (components.hour, components.minute, components.second) = (clock[0], clock[1], clock[2])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: components)
  }
}
