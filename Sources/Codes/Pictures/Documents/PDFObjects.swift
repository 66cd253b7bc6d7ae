import CliptagBasics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The objects of a PDF file, read and replaced by way of `qpdf --json`.
struct PDFObjects {
  let bytes: [UInt8]
  let source: String
  let limits: PictureLimits

  private struct Pages: Decodable {
    struct Page: Decodable { let object: String }
    let pages: [Page]
  }

  private struct Objects: Decodable { let qpdf: [[String: PDFValue]] }

  /// Returns keys of the file's description.
  func summary<Value: Decodable>(
    _ keys: [String], as type: Value.Type
  ) async throws(PictureError) -> Value {
    let json = try await PDFGround.run(
      ["--json=2"] + keys.map { "--json-key=\($0)" } + ["FILE"], on: bytes, limits, source)
    guard let value = try? JSONDecoder().decode(type, from: Data(json)) else {
      throw .malformed(source, "qpdf does not describe it")
    }
    return value
  }

  /// Returns the references of the pages, such as `6 0 R`, in their order.
  func pages() async throws(PictureError) -> [String] {
    try await summary(["pages"], as: Pages.self).pages.map(\.object)
  }

  /// Returns objects by their references, or by `trailer`.
  func objects(_ references: [String]) async throws(PictureError) -> [String: PDFValue] {
    guard !references.isEmpty else { return [:] }
    return try await described(["--json-stream-data=none"] + Self.options(references))
      .compactMapValues { $0.entry("value") }
  }

  private static func options(_ references: [String]) -> [String] {
    references.map { reference in
      "--json-object=\(reference.split(separator: " ").prefix(2).joined(separator: ","))"
    }
  }

  /// Returns objects by their references, with the bytes of streams.
  ///
  /// - Parameters:
  ///   - references: The references; empty for all objects.
  ///   - isDecoded: Whether streams are decoded, if they lose nothing.
  func objectsWithStreams(
    _ references: [String] = [], isDecoded: Bool = false
  ) async throws(PictureError) -> [String: PDFPicture.Object] {
    try await described(
      [
        "--json-stream-data=inline", "--decode-level=\(isDecoded ? "generalized" : "none")",
      ] + Self.options(references)
    ).compactMapValues {
      object in
      guard let stream = object.entry("stream") else {
        return object.entry("value").map { PDFPicture.Object(value: $0) }
      }
      guard let data = stream.entry("data")?.plain, let bytes = Data(base64Encoded: data) else {
        return nil
      }
      return PDFPicture.Object(
        value: stream.entry("dict") ?? .dictionary([:]), stream: Array(bytes))
    }
  }

  /// Returns the descriptions of objects by their references.
  private func described(
    _ options: [String]
  ) async throws(PictureError) -> [String: PDFValue] {
    let json = try await PDFGround.run(
      ["--json=2", "--json-key=qpdf"] + options + ["FILE"], on: bytes, limits, source)
    guard let objects = try? JSONDecoder().decode(Objects.self, from: Data(json)).qpdf.last else {
      throw .malformed(source, "qpdf does not describe its objects")
    }
    return Dictionary(
      objects.map { key, object in
        (key.hasPrefix("obj:") ? String(key.dropFirst(4)) : key, object)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the object that a reference names, or the object itself.
  func resolved(_ object: PDFValue?) async throws(PictureError) -> PDFValue? {
    guard let reference = object?.reference else { return object }
    return try await objects([reference])[reference]
  }

  /// Returns a rectangle among the entries of an object; `nil` without one.
  func box(_ name: String, of object: PDFValue) async throws(PictureError) -> PDFGround.Box? {
    guard let value = try await resolved(object.entry(name)) else { return nil }
    var numbers: [Double] = []
    for element in value.elements {
      if let number = try await resolved(element)?.number { numbers.append(number) }
    }
    return PDFGround.Box(numbers)
  }

  /// Returns the file with other objects for some references; equal input gives equal bytes.
  ///
  /// - Parameter options: What qpdf does with the changed file.
  func replacing(
    _ changed: [String: PDFValue], then options: [String] = []
  ) async throws(PictureError) -> [UInt8] {
    let header: [String: PDFValue] = [
      "jsonversion": .number(2), "pushedinheritedpageresources": .bool(true),
      "calledgetallpages": .bool(true), "maxobjectid": .number(1),
    ]
    let values = changed.map { ("obj:\($0)", PDFValue.dictionary(["value": $1])) }
    let update = ["qpdf": [header, Dictionary(uniqueKeysWithValues: values)]]
    guard let json = try? JSONEncoder().encode(update) else {
      throw .malformed(source, "its pages cannot be changed")
    }
    let changes = try PrivateFolder(holding: Array(json), fileName: "pages.json", source: source)
    return try await PDFGround.run(
      ["FILE", "--deterministic-id", "--update-from-json=\(changes.file)"] + options + ["-"],
      on: bytes, reading: [changes.path], limits, source)
  }
}

/// An object of a PDF file as `qpdf --json` writes it: names begin with `/`, texts with `u:` or
/// `b:`, and references are `6 0 R`.
package enum PDFValue: Hashable, Codable, Sendable {
  /// The null object.
  case null
  /// A Boolean.
  case bool(Bool)
  /// An integer or real number.
  case number(Double)
  /// A name, a text or a reference.
  case plain(String)
  /// An array.
  case array([PDFValue])
  /// A dictionary.
  case dictionary([String: PDFValue])

  /// Decodes what qpdf wrote.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .plain(value)
    } else if let value = try? container.decode([PDFValue].self) {
      self = .array(value)
    } else {
      self = .dictionary(try container.decode([String: PDFValue].self))
    }
  }

  /// Encodes the object for qpdf.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value):
      if let whole = Int(exactly: value) {
        try container.encode(whole)
      } else {
        try container.encode(value)
      }
    case .plain(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .dictionary(let values): try container.encode(values)
    }
  }

  var number: Double? { if case .number(let value) = self { value } else { nil } }
  /// A name, a text with its prefix, or a reference.
  var plain: String? { if case .plain(let value) = self { value } else { nil } }
  /// A text without its prefix.
  var text: String? { plain.flatMap { $0.hasPrefix("u:") ? String($0.dropFirst(2)) : nil } }
  /// A reference to another object.
  package var reference: String? {
    plain.flatMap { $0.hasSuffix(" R") && $0.first?.isNumber == true ? $0 : nil }
  }
  /// The elements of an array.
  var elements: [PDFValue] { if case .array(let values) = self { values } else { [] } }

  /// The entries of a dictionary with some names.
  func entries(_ names: [String]) -> [String: PDFValue] {
    Dictionary(uniqueKeysWithValues: names.compactMap { name in entry(name).map { (name, $0) } })
  }

  /// Returns a dictionary with one entry changed.
  func replacing(_ name: String, by value: PDFValue?) -> PDFValue {
    guard case .dictionary(var entries) = self else { return self }
    entries[name] = value
    return .dictionary(entries)
  }

  /// Returns a dictionary without some entries.
  func without(_ names: [String]) -> PDFValue {
    names.reduce(self) { $0.replacing($1, by: nil) }
  }

  /// Returns the object with a change applied to everything in it, and then to the result.
  func mapped(_ change: (PDFValue) -> PDFValue) -> PDFValue {
    switch self {
    case .array(let values): change(.array(values.map { $0.mapped(change) }))
    case .dictionary(let entries):
      change(
        .dictionary(
          Dictionary(
            uniqueKeysWithValues: entries.sorted { $0.key < $1.key }.map {
              ($0.key, $0.value.mapped(change))
            })))
    case .null, .bool, .number, .plain: change(self)
    }
  }

  /// An entry of a dictionary; `nil` without one.
  package func entry(_ name: String) -> PDFValue? {
    if case .dictionary(let entries) = self { entries[name] } else { nil }
  }
}
