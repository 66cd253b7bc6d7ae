import CliptagBasics

/// The line of JSON of a result, written as the result is encoded.
struct JSONLine {
  let bytes: [UInt8]

  /// Writes a result of the contract, and a line end.
  ///
  /// - Throws: An error of the result's `encode(to:)`; the results of jobs throw none.
  init(_ value: some Encodable) throws {
    let text = JSONText()
    let place = JSONTextPlace(text: text)
    try place.encode(value)
    place.end()
    text.bytes.append(UInt8(ascii: "\n"))
    bytes = text.bytes
  }
}

private final class JSONText {
  var bytes: [UInt8] = []

  init() { bytes.reserveCapacity(1024) }
}

/// A value that is being written.
private final class JSONTextPlace: ResultPlace {
  private let text: JSONText
  /// The byte that ends an object or an array; `nil` before its kind is known, and for any other
  /// value.
  private var last: UInt8?
  private var isValue = false
  private(set) var count = 0
  /// The part that is still being written.
  private var part: JSONTextPlace?

  init(text: JSONText) { self.text = text }

  func put(_ value: JSONValue) {
    isValue = true
    value.write(to: &text.bytes)
  }

  func beginArray() {
    guard last == nil else { return }
    text.bytes.append(UInt8(ascii: "["))
    last = UInt8(ascii: "]")
  }

  func append(_ value: JSONValue) {
    beginElement()
    value.write(to: &text.bytes)
  }

  func append(_ value: JSONValue, named name: String) {
    beginMember(name)
    value.write(to: &text.bytes)
  }

  func element() -> JSONTextPlace {
    beginElement()
    return nested()
  }

  func member(_ name: String) -> JSONTextPlace {
    beginMember(name)
    return nested()
  }

  /// Ends the value and all that is open in it.
  func end() {
    endPart()
    if let last {
      text.bytes.append(last)
    } else if !isValue {
      // A type without members encodes an empty object.
      text.bytes += "{}".utf8
    }
  }

  private func beginElement() {
    endPart()
    if count > 0 { text.bytes.append(UInt8(ascii: ",")) }
    count += 1
  }

  private func beginMember(_ name: String) {
    endPart()
    text.bytes.append(count > 0 ? UInt8(ascii: ",") : UInt8(ascii: "{"))
    last = UInt8(ascii: "}")
    count += 1
    text.bytes.append(jsonText: name, .small)
    text.bytes.append(UInt8(ascii: ":"))
  }

  private func nested() -> JSONTextPlace {
    let place = JSONTextPlace(text: text)
    part = place
    return place
  }

  private func endPart() {
    part?.end()
    part = nil
  }
}
