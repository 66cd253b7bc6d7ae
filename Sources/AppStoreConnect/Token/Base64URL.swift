import FoundationEssentials

extension String {
  /// Bytes in the alphabet for URLs, without padding (RFC 4648, section 5): what tokens are made of.
  init(base64URL bytes: [UInt8]) {
    self = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
