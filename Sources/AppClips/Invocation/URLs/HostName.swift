import CliptagBasics

// For `URLComponents`: UTS 46 needs Unicode's mapping tables.
internal import Foundation

/// The rules for the host of an invocation URL and of a clip's associated domain.
package enum HostName {
  /// Checks a host and returns it as A-labels in lower case.
  ///
  /// - Parameter text: A host without port, for example an `appclips:` entry without its prefix.
  /// - Throws: The first rule that it breaks; offsets count from the host's start.
  package static func parse(_ text: String) throws(InvocationURLError) -> String {
    try parse(text, at: 0)
  }

  /// - Parameter offset: The offset of the host in the payload, for the error.
  static func parse(_ text: String, at offset: Int) throws(InvocationURLError) -> String {
    let host = try asciiForm(of: text, at: offset)
    guard !host.hasSuffix(".") || host == "." else {
      throw InvocationURLError(
        .hostRootDot, at: offset + text.utf8.count - 1,
        "The host \(text.quotedForMessage) ends with a dot",
        hint: "remove the dot; certificates and associated domains are written without it")
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    for label in labels { try check(label, of: text, at: offset) }
    guard host.utf8.count <= 253 else {
      throw InvocationURLError(
        .hostTooLong, at: offset,
        "The host has \(host.utf8.count) characters; the limit is 253 (RFC 1035)",
        hint: "use a shorter domain name")
    }
    if isNumeric(labels[labels.count - 1]) {
      throw addressError("a number or an IP address, \(text.quotedForMessage)", at: offset)
    }
    guard labels.count > 1 else {
      throw InvocationURLError(
        .hostWithoutDot, at: offset, "The host \(text.quotedForMessage) has no dot",
        hint: "use a full domain name such as \(host).com")
    }
    return host
  }

  static func addressError(_ what: String, at offset: Int) -> InvocationURLError {
    InvocationURLError(
      .ipAddress, at: offset, "The host is \(what)",
      hint: "use a domain name; a clip cannot be associated with an address")
  }

  private static func asciiForm(of text: String, at offset: Int) throws(InvocationURLError)
    -> String
  {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let lowered = isASCII ? text.lowercased() : text
    guard !isASCII || lowered.hasPrefix("xn--") || lowered.contains(".xn--") else {
      return lowered
    }
    guard let converted = asciiForm(ofInternational: lowered) else {
      throw InvocationURLError(
        .badInternationalHost, at: offset,
        "The host \(text.quotedForMessage) is not a valid international domain name (UTS 46)",
        hint: "check its spelling, and copy its xn-- form from the registrar")
    }
    return converted
  }

  /// The A-labels of a host (UTS 46, non-transitional), or `nil` if it has none.
  ///
  /// `URLComponents` percent-encodes a host that UTS 46 refuses instead of failing, and passes an
  /// `xn--` label on unchecked. Both cases are handled: the result is accepted only if it contains
  /// no escapes, and if it has a Unicode form, which `URLComponents` returns only for valid
  /// A-labels.
  private static func asciiForm(ofInternational host: String) -> String? {
    var components = URLComponents()
    components.host = host
    guard let encoded = components.encodedHost, !encoded.contains("%") else { return nil }
    var back = URLComponents()
    back.encodedHost = encoded
    return back.host == nil ? nil : encoded.lowercased()
  }

  /// Checks one label: letters, digits and inner hyphens, 1 to 63 of them (RFC 1123, section 2.1).
  private static func check(
    _ label: Substring, of text: String, at offset: Int
  ) throws(InvocationURLError) {
    func refuse(_ what: String) -> InvocationURLError {
      InvocationURLError(
        .hostLabel, at: offset, "The host \(text.quotedForMessage) has \(what)",
        hint: "use labels of 1 to 63 letters, digits and inner hyphens")
    }
    guard !label.isEmpty else { throw refuse("an empty label") }
    guard label.utf8.count <= 63 else {
      throw refuse("a label of \(label.utf8.count) characters")
    }
    if let byte = label.utf8.first(where: {
      !$0.isASCIILetter && !$0.isASCIIDigit && $0 != UInt8(ascii: "-")
    }) {
      throw refuse("the character \(String(Unicode.Scalar(byte)).quotedForMessage)")
    }
    guard !label.hasPrefix("-"), !label.hasSuffix("-") else {
      throw refuse("a label that begins or ends with a hyphen")
    }
  }

  /// Whether URL parsers would take a host with this last label for an IPv4 address (WHATWG URL,
  /// "ends in a number").
  private static func isNumeric(_ label: Substring) -> Bool {
    if label.utf8.allSatisfy(\.isASCIIDigit) { return true }
    return label.hasPrefix("0x")
      && label.utf8.dropFirst(2).allSatisfy { $0.hexadecimalValue != nil }
  }
}
