import CliptagBasics

/// The structure of a PDF file: numbered objects, the cross-reference table and the trailer (ISO
/// 32000-1, 7.5). Each object is written to the sink as soon as it is complete.
struct PDFFile<Sink: ByteSink> {
  private var sink: Sink
  /// The number of bytes written.
  private var length = 0
  /// The offset of each object, in the order of their numbers from 1; nil if only reserved.
  private var offsets: [Int?] = []
  private var fingerprint = Fingerprint()

  init(sink: Sink) throws(Sink.Failure) {
    self.sink = sink
    // Four bytes above 127 indicate to transfer programs that the file is binary (7.5.2).
    try write(Array("%PDF-1.6\n%\u{E2}\u{E3}\n".utf8))
  }

  /// Reserves a number for an object that is added later; every reserved object must be added.
  mutating func reserve() -> Int {
    offsets.append(nil)
    return offsets.count
  }

  /// Adds an object under a new number, which is returned.
  @discardableResult
  mutating func add(_ object: String) throws(Sink.Failure) -> Int {
    let number = reserve()
    try put(object, as: number)
    return number
  }

  /// Adds the object of a reserved number.
  mutating func put(_ object: String, as number: Int) throws(Sink.Failure) {
    var text = begin(number)
    text.append(object)
    text.append("\nendobj\n")
    try write(text.bytes)
  }

  /// Adds an encoded stream under a new number.
  ///
  /// - Parameters:
  ///   - stream: Its bytes, encoded as stated in `entries`.
  ///   - entries: The entries of its dictionary besides the length.
  @discardableResult
  mutating func add(stream: [UInt8], entries: String = "") throws(Sink.Failure) -> Int {
    let number = reserve()
    try put(stream: stream, entries: entries, as: number)
    return number
  }

  /// Adds the encoded stream of a reserved number.
  mutating func put(
    stream: [UInt8], entries: String, as number: Int
  ) throws(Sink.Failure) {
    var text = begin(number)
    text.append("<< \(entries)\(entries.isEmpty ? "" : " ")/Length \(stream.count) >>\nstream\n")
    text.append(stream)
    text.append("\nendstream\nendobj\n")
    try write(text.bytes)
  }

  private mutating func begin(_ number: Int) -> ByteText {
    precondition(offsets[number - 1] == nil, "an object comes once")
    offsets[number - 1] = length
    var text = ByteText()
    text.append("\(number) 0 obj\n")
    return text
  }

  private mutating func write(_ bytes: [UInt8]) throws(Sink.Failure) {
    fingerprint.add(bytes)
    length += bytes.count
    try sink.write(bytes)
  }

  /// The hash of all bytes so far.
  var identifier: String { fingerprint.hexadecimal }

  /// Ends the file.
  ///
  /// - Parameters:
  ///   - root: The number of the catalog.
  ///   - information: The number of the document information.
  /// - Returns: The sink with all bytes written.
  consuming func finished(root: Int, information: Int) throws(Sink.Failure) -> Sink {
    // The identifier is derived from the content, so that equal files have equal identifiers.
    let identifier = identifier
    let start = length
    var text = ByteText()
    text.append("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n")
    for offset in offsets {
      guard let offset else { preconditionFailure("a reserved object never came") }
      let digits = String(offset)
      text.append(String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n")
    }
    text.append(
      """
      trailer
      << /Size \(offsets.count + 1) /Root \(root) 0 R /Info \(information) 0 R \
      /ID [<\(identifier)> <\(identifier)>] >>
      startxref
      \(start)
      %%EOF

      """)
    try write(text.bytes)
    return sink
  }
}

/// A 128-bit FNV-1a hash, which distinguishes files but does not protect against forgery.
private struct Fingerprint {
  private static let prime: UInt128 = (1 << 88) + 0x13B
  private var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { hash = (hash ^ UInt128(byte)) &* Self.prime }
  }

  var hexadecimal: String { hash.hexadecimal(digits: 32) }
}

/// A text string object: PDFDocEncoding for ASCII, otherwise UTF-16 (ISO 32000-1, 7.9.2.2).
func pdfString(_ text: String) -> String {
  if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "(", ")", "\\": "\\\(scalar)"
      default: String(scalar)
      }
    }
    return "(" + escaped.joined() + ")"
  }
  return "<FEFF" + text.utf16.map { $0.hexadecimal(digits: 4) }.joined() + ">"
}
