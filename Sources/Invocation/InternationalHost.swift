// The only file that needs more than the standard library: UTS 46 takes Unicode's mapping tables.
internal import Foundation

/// International domain names.
enum InternationalHost {
  /// The A-labels of a host (UTS 46, non-transitional), or `nil` when it has none.
  ///
  /// `URLComponents` percent-encodes a host that UTS 46 refuses instead of failing, and passes an
  /// `xn--` label on without a look. Both are caught here: the result is accepted only when it is
  /// without escapes, and when it has a Unicode form, which `URLComponents` gives only for valid
  /// A-labels.
  static func asciiForm(of host: String) -> String? {
    var components = URLComponents()
    components.host = host
    guard let encoded = components.encodedHost, !encoded.contains("%") else { return nil }
    var back = URLComponents()
    back.encodedHost = encoded
    return back.host == nil ? nil : encoded.lowercased()
  }
}
