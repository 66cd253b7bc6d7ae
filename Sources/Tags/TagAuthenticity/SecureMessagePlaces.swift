/// The places of a Secure Unique NFC message in a URL that a tag is given: offsets of characters, in
/// which the URL holds zeros.
package struct SecureMessagePlaces: Hashable, Sendable {
  /// The URL with zeros in the places.
  package let url: String
  /// The offset of UID and counter encrypted, 32 digits; `nil` if they are in clear.
  package private(set) var encryptedIdentity: Int?
  /// The offset of the UID in clear, 14 digits.
  package private(set) var uid: Int?
  /// The offset of the counter in clear, six digits.
  package private(set) var counter: Int?
  /// The offset of the MAC, 16 digits.
  package let mac: Int
  /// The offset at which the text begins that the MAC covers; ``mac`` if it covers none.
  package let coveredFrom: Int

  /// A placeholder in a URL, and its parameter.
  private struct Field {
    let placeholder: String
    let parameter: String
    let digitCount: Int
    var zeros: String { String(repeating: "0", count: digitCount) }
  }

  private static let placeholders = ["{picc}", "{uid}", "{counter}", "{mac}"]

  /// Finds the places.
  ///
  /// - Parameters:
  ///   - template: A URL in which `{picc}` (UID and counter encrypted) or `{uid}` and `{counter}`,
  ///     and `{mac}`, are the values of the configuration's parameters. Without placeholders the
  ///     parameters are added at the end of the query.
  ///   - configuration: The names of the parameters.
  /// - Throws: ``AuthenticityError`` with code `invalid-value` if the template contradicts the
  ///   configuration, or the configuration needs encrypted file data.
  package init(
    _ template: String, for configuration: SecureUniqueMessageConfiguration
  ) throws(AuthenticityError) {
    guard configuration.fileDataParameter == nil else {
      throw AuthenticityError(
        .invalidValue, "Tags with encrypted file data (“fileData”) are verified only, not made.")
    }
    var fields =
      switch configuration.identification {
      case .encrypted(let parameter, _):
        [Field(placeholder: "{picc}", parameter: parameter, digitCount: 32)]
      case .plain(let uid, let counter):
        [
          Field(placeholder: "{uid}", parameter: uid, digitCount: 14),
          Field(placeholder: "{counter}", parameter: counter, digitCount: 6),
        ]
      }
    fields.append(
      Field(placeholder: "{mac}", parameter: configuration.macParameter, digitCount: 16))
    var text = template
    if !Self.placeholders.contains(where: template.contains) {
      text = Self.adding(fields.map { "\($0.parameter)=\($0.placeholder)" }, to: template)
    }
    for field in fields {
      let item = "\(field.parameter)=\(field.placeholder)"
      guard let range = text.firstRange(of: item) else {
        throw AuthenticityError(
          .invalidValue, "The URL has no \(item), which the key file states for its prefix.")
      }
      text.replaceSubrange(range, with: "\(field.parameter)=\(field.zeros)")
    }
    guard !Self.placeholders.contains(where: text.contains) else {
      throw AuthenticityError(
        .invalidValue, "The URL has a placeholder that the key file does not state for its prefix.")
    }
    let query = MirroredQuery(text)
    func place(_ field: Field) throws(AuthenticityError) -> Int {
      do throws(AuthenticityError) {
        let range = try query.range(of: field.parameter)
        if String(decoding: query.bytes[range], as: UTF8.self) == field.zeros {
          return range.lowerBound
        }
      } catch {
        throw AuthenticityError(.invalidValue, error.message)
      }
      throw AuthenticityError(
        .invalidValue,
        "\(field.placeholder) has to be the whole value of the query item “\(field.parameter)”.")
    }
    url = text
    mac = try place(fields.removeLast())
    if fields.count == 1 {
      encryptedIdentity = try place(fields[0])
    } else {
      uid = try place(fields[0])
      counter = try place(fields[1])
    }
    switch configuration.macBeginning {
    case .nowhere: coveredFrom = mac
    case .byte(let count): coveredFrom = count
    case .value(let parameter):
      do throws(AuthenticityError) {
        coveredFrom = try query.range(of: parameter).lowerBound
      } catch {
        throw AuthenticityError(.invalidValue, error.message)
      }
    }
    guard coveredFrom <= mac else {
      throw AuthenticityError(
        .invalidValue, "The MAC is before the text that it covers (“macFrom”).")
    }
  }

  /// The template with further query items, before the fragment.
  private static func adding(_ items: [String], to template: String) -> String {
    let end = template.firstIndex(of: "#") ?? template.endIndex
    let separator =
      template[..<end].contains("?")
      ? template[..<end].hasSuffix("?") || template[..<end].hasSuffix("&") ? "" : "&" : "?"
    return template[..<end] + separator + items.joined(separator: "&") + template[end...]
  }
}
