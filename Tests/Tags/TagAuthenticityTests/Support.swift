import CliptagBasics
import TagAuthenticity

/// Bytes written as hexadecimal.
func bytes(_ text: String) -> [UInt8] { [UInt8](hexadecimal: text.utf8)! }

/// The key that all published messages were made with.
let zeroKey = SecretKey.factory

/// A URL with a message, and how it is to be read.
struct MessageVector {
  /// A configuration before it is checked.
  struct Parts {
    let identification: SecureUniqueMessageConfiguration.Identification
    let code: String
    var fileData: String?
    var beginning: SecureUniqueMessageConfiguration.MACBeginning?
  }

  let url: String
  let parts: Parts
  let uid: String
  let counter: Int
  let fileData: [UInt8]?

  /// AN12196, section 4.4.
  static let encrypted = MessageVector(
    url: "https://ntag.nxp.com/424?e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086",
    parts: Parts(
      identification: .encrypted(parameter: "e", metaReadKey: zeroKey), code: "c"),
    uid: "04DE5F1EACC040", counter: 61, fileData: nil)

  /// The project ntag424-dna-server, with encrypted file data.
  static let withFileData = MessageVector(
    url: "https://ntag.example.com/tag?p=FD91EC264309878BE6345CBE53BADF40"
      + "&enc=CEE9A53E3E463EF1F459635736738962&cmac=ECC1E7F6C6C73BF6",
    parts: Parts(
      identification: .encrypted(parameter: "p", metaReadKey: zeroKey), code: "cmac",
      fileData: "enc"),
    uid: "04958CAA5C5E80", counter: 8, fileData: Array("xxxxxxxxxxxxxxxx".utf8))

  /// The same project, with UID and counter as they are.
  static let plain = MessageVector(
    url: "https://ntag.example.com/tagpt?uid=041E3C8A2D6B80&ctr=000006&cmac=4B00064004B0B3D3",
    parts: Parts(
      identification: .plain(uidParameter: "uid", counterParameter: "ctr"), code: "cmac"),
    uid: "041E3C8A2D6B80", counter: 6, fileData: nil)

  /// The sdm-backend of icedev, from a tag in LRP mode, with encrypted file data.
  static let resilient = MessageVector(
    url: "https://ntag.example.com/tag?p=07D9CA2545881D4BFDD920BE1603268C0714420DD893A497"
      + "&enc=D6E921C47DB4C17C56F979F81559BB83&cmac=F9481AC7D855BDB6",
    parts: Parts(
      identification: .encrypted(parameter: "p", metaReadKey: zeroKey), code: "cmac",
      fileData: "enc"),
    uid: "049B112A2F7080", counter: 4, fileData: Array("NTXXb7dz3PsYYBlU".utf8))

  /// How the URL is to be read.
  var configuration: SecureUniqueMessageConfiguration {
    get throws {
      try SecureUniqueMessageConfiguration(
        identification: parts.identification, macParameter: parts.code,
        fileDataParameter: parts.fileData, fileReadKey: zeroKey, macBeginning: parts.beginning)
    }
  }

  static let all = [encrypted, withFileData, plain, resilient]

  /// Why a URL is refused; `nil` when it verifies.
  func refusal(of url: String) throws -> AuthenticityError.Code? {
    let configuration = try configuration
    do throws(AuthenticityError) {
      _ = try SecureUniqueMessage(url: url, configuration: configuration)
      return nil
    } catch {
      return error.code
    }
  }
}
