import CliptagBasics
import Foundation
import TagAuthenticity

/// A text whose last line is its signature: Ed25519 in Base64 over every byte before that line.
enum SignedText {
  private static let mark = "signature "

  static func signed(
    _ statement: String, with key: Ed25519PrivateKey
  ) throws(AuthenticityError) -> String {
    let signature = Data(try key.signature(of: Array(statement.utf8))).base64EncodedString()
    return "\(statement)\(mark)\(signature)\n"
  }

  /// Reads a file and checks its signature.
  ///
  /// - Parameters:
  ///   - file: The file's bytes.
  ///   - key: The key that must have signed the file.
  ///   - name: The file's name, for messages.
  ///   - kind: The expected kind of text, for messages.
  /// - Returns: The signed text.
  static func statement(
    of file: [UInt8], signedBy key: Ed25519PublicKey, name: String, kind: Kind
  ) throws(RegistryError) -> String {
    let text = String(decoding: file, as: UTF8.self)
    guard file.count <= Checkpoint.maximumByteCount, text.hasSuffix("\n"),
      let mark = text.range(of: "\n" + Self.mark, options: .backwards),
      let signature = Data(base64Encoded: String(text[mark.upperBound...].dropLast()))
    else { throw kind.malformed(name, "its last line is not a signature") }
    let statement = String(text[..<mark.lowerBound]) + "\n"
    let isRight: Bool
    do {
      isRight = try key.verifies(Array(signature), of: Array(statement.utf8))
    } catch {
      throw RegistryError(
        .failed, "The signature of \(name) cannot be checked: \(error.message)",
        hint: "Check the installation of OpenSSL's library.", underlying: error)
    }
    guard isRight else {
      throw RegistryError(
        .wrongSignature, "The signature of \(name) does not match this key and the content.",
        hint: "Give the signer's public key; otherwise the file was altered.", path: name)
    }
    return statement
  }

  /// The kind of signed text.
  enum Kind: String {
    case checkpoint, witness

    /// The first line, with the version of the form.
    var firstLine: String { "cliptag \(rawValue) 1" }

    func malformed(_ name: String, _ why: String) -> RegistryError {
      let export: Advice.Export =
        switch self {
        case .checkpoint: .checkpoint
        case .witness: .witness
        }
      return RegistryError(
        .malformedCheckpoint, "\(name) is not a \(rawValue): \(why).",
        hint: .sentence("\(.takeExported(export))"), path: name)
    }
  }
}
