extension InvocationURL {
  /// Where the path, the query or the fragment begins in ``payload``, in bytes of UTF-8; its
  /// length when nothing follows the host.
  package var hostEnd: Int {
    let bytes = Array(payload.utf8)
    let ends = "/?#".utf8
    // The scheme and its three signs take eight bytes in every invocation URL.
    return bytes[8...].firstIndex(where: ends.contains) ?? bytes.count
  }

  /// ``payload`` with its scheme and host in capitals, which QR codes hold in fewer bits.
  ///
  /// It is the same URL: scheme and host are compared without case (RFC 3986, 6.2.2.1), so
  /// ``normalized`` does not change. Path, query and fragment are, and stay as they are. Letters
  /// beyond ASCII stay, too: no QR code holds their capitals in fewer bits.
  package var payloadWithHostInCapitals: String {
    let end = hostEnd
    let bytes = payload.utf8.enumerated().map { offset, byte in
      offset < end && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & 0xDF : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
