import Foundation

extension StationRequest {
  /// Returns the fields of a form, or of the query: names and values as browsers write them (URL
  /// Standard, section 5.1).
  static func fields(of text: String) -> [(String, String)] {
    text.split(separator: "&").map { field in
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let words = parts.map { part in
        let spaced = String(part.replacing("+", with: " "))
        return spaced.removingPercentEncoding ?? spaced
      }
      return (words[0], words.count > 1 ? words[1] : "")
    }
  }

  /// A field of a form that was sent without JavaScript.
  func formField(_ name: String) -> String? {
    guard (headers["content-type"] ?? "").hasPrefix("application/x-www-form-urlencoded") else {
      return nil
    }
    return Self.fields(of: String(decoding: body, as: UTF8.self)).first { $0.0 == name }?.1
  }

  /// A part of a form that was sent as multipart/form-data (RFC 7578).
  func formPart(_ name: String) -> (fileName: String?, bytes: Data)? {
    let type = headers["content-type"] ?? ""
    guard type.hasPrefix("multipart/form-data"), let range = type.range(of: "boundary=") else {
      return nil
    }
    let boundary = type[range.upperBound...].prefix { $0 != ";" }
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" "))
    guard !boundary.isEmpty, boundary.utf8.count <= 70 else { return nil }
    let parts = Multipart(body, boundary: boundary)
    return parts.first { $0.head.contains(" name=\"\(name)\"") }.map { part in
      let file = part.head.range(of: "filename=\"").map {
        part.head[$0.upperBound...].prefix { $0 != "\"" }
      }
      return (file.map { String($0) }, part.bytes)
    }
  }
}

/// The parts of a body of multipart/form-data, each looked at once, whatever is in it.
struct Multipart: Sequence, IteratorProtocol {
  private let body: Data
  private let delimiter: [UInt8]
  /// The beginning of the next part; `nil` behind the last.
  private var start: Int?

  /// The longest head of a part: what is longer ends the sequence.
  private static let longestHead = 1 << 20

  init(_ body: Data, boundary: String) {
    self.body = Data(body)
    delimiter = Array("--\(boundary)".utf8)
    start = 0
    start = isDelimiter(at: 0) ? delimiter.count : nextDelimiter(from: 0).map { $0.end }
  }

  private func isDelimiter(at place: Int) -> Bool {
    body.count - place >= delimiter.count
      && body[place..<place + delimiter.count].elementsEqual(delimiter)
  }

  /// The next line that begins with the delimiter. A boundary holds no line end, so that no byte is
  /// compared for two lines.
  private func nextDelimiter(from place: Int) -> (start: Int, end: Int)? {
    var place = place
    while let newline = newline(from: place) {
      if newline > 0, body[newline - 1] == 13, isDelimiter(at: newline + 1) {
        return (newline - 1, newline + 1 + delimiter.count)
      }
      place = newline + 1
    }
    return nil
  }

  private func newline(from place: Int) -> Int? {
    body.withUnsafeBytes { bytes in
      guard place < bytes.count, let start = bytes.baseAddress else { return nil }
      return memchr(start + place, 10, bytes.count - place).map {
        $0 - UnsafeMutableRawPointer(mutating: start)
      }
    }
  }

  mutating func next() -> (head: String, bytes: Data)? {
    guard let start, let end = nextDelimiter(from: start) else { return nil }
    self.start = end.end
    let part = body[start..<end.start]
    guard
      let head = part.prefix(Self.longestHead).range(of: Data("\r\n\r\n".utf8))
    else { return nil }
    return (
      String(decoding: part[..<head.lowerBound], as: UTF8.self), Data(part[head.upperBound...])
    )
  }
}
