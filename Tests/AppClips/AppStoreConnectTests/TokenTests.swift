import CCrypto
import Foundation
import Synchronization
import Testing

@testable import AppStoreConnect

@Suite("Tokens for App Store Connect")
struct TokenTests {
  @Test("a team's token has the documented header and claims, and ends within twenty minutes")
  func claims() throws {
    let token = try testCredentials().token(issued: 1_790_000_000, lifetime: 900)
    let parts = token.split(separator: ".").map(String.init)
    #expect(parts.count == 3)
    let header = try json(parts[0])
    #expect(header as? [String: String] == ["alg": "ES256", "kid": "2X9R4HXF34", "typ": "JWT"])
    let claims = try json(parts[1])
    #expect(claims["iss"] as? String == "57246542-96fe-1a63-e053-0824d011072a")
    #expect(claims["aud"] as? String == "appstoreconnect-v1")
    #expect(claims["iat"] as? Int == 1_790_000_000)
    #expect(claims["exp"] as? Int == 1_790_000_900)
    #expect(claims["sub"] == nil)
    #expect(TokenSource.lifetime <= 1200)
  }

  @Test("one person's token names no issuer and the subject \"user\"")
  func individual() throws {
    let token = try testCredentials(issuer: nil).token(issued: 0, lifetime: 900)
    let claims = try json(token.split(separator: ".").map(String.init)[1])
    #expect(claims["sub"] as? String == "user")
    #expect(claims["iss"] == nil)
  }

  @Test("the signature is that of the key, in 64 bytes, every time")
  func signature() throws {
    for issued in 0..<64 {
      let token = try testCredentials().token(issued: issued, lifetime: 900)
      let dot = try #require(token.lastIndex(of: "."))
      let signature = try #require(bytes(String(token[token.index(after: dot)...])))
      #expect(signature.count == 64)
      #expect(verifies(Array(token[..<dot].utf8), signature))
      #expect(!verifies(Array(token[..<dot].utf8) + [0], signature))
    }
  }

  @Test("a token is used again, and renewed before it ends or when the clock is set back")
  func renewal() throws {
    let now = Mutex(1_790_000_000)
    let source = TokenSource(try testCredentials()) { now.withLock { $0 } }
    let first = try source.token()
    now.withLock { $0 += TokenSource.lifetime - TokenSource.margin - 1 }
    #expect(try source.token() == first)
    now.withLock { $0 += 1 }
    let second = try source.token()
    #expect(second != first)
    now.withLock { $0 -= 5 }
    #expect(try source.token() != second)
  }

  @Test("what is no key of App Store Connect is refused without telling anything of it")
  func refused() throws {
    let files: [String] = [
      "", "secret", keyFile.replacingOccurrences(of: "M", with: "#"),
      // RSA, and a curve that App Store Connect does not use.
      try openssl(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"]),
      try openssl(["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]),
      // Encrypted: nobody is asked for a passphrase.
      try openssl([
        "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-aes128", "-pass",
        "pass:word",
      ]),
      // Not PKCS #8.
      try openssl(["ecparam", "-name", "prime256v1", "-genkey", "-noout"]),
    ]
    for file in files {
      let error = #expect(throws: AppStoreConnectError.self) {
        try SigningKey(Array(file.utf8))
      }
      #expect(error?.code == .unusableKey)
      for line in file.split(separator: "\n") where line.count > 20 {
        #expect(!(error.map { "\($0)" } ?? "").contains(line))
      }
    }
    let large = Array(keyFile.utf8) + Array(repeating: 10, count: SigningKey.maximumByteCount)
    #expect(throws: AppStoreConnectError.self) { try SigningKey(large) }
  }

  @Test("a key is not shown by printing, dumping or looking into it")
  func secrecy() throws {
    let credentials = try testCredentials()
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped] {
      #expect(text.contains("(secret)"))
      #expect(!text.contains("0x"))
    }
  }

  @Test("identifiers that could change the token are refused", arguments: ["", "a\"b", "a b"])
  func identifiers(text: String) throws {
    let key = try SigningKey(Array(keyFile.utf8))
    #expect(throws: AppStoreConnectError.self) {
      try Credentials(key: key, keyID: text, issuerID: nil)
    }
    #expect(throws: AppStoreConnectError.self) {
      try Credentials(key: key, keyID: "2X9R4HXF34", issuerID: text)
    }
  }

  private func bytes(_ text: String) -> [UInt8]? {
    var text = text.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return Data(base64Encoded: text).map(Array.init)
  }

  private func json(_ part: String) throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(try #require(bytes(part))))
    return try #require(value as? [String: Any])
  }

  /// OpenSSL's own judgement, by the public key alone.
  private func verifies(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool {
    let key = ccrypto_public_key("prime256v1", publicPoint, publicPoint.count)
    defer { EVP_PKEY_free(key) }
    let numbers = ECDSA_SIG_new()
    defer { ECDSA_SIG_free(numbers) }
    let r = BN_bin2bn(signature, 32, nil)
    let s = BN_bin2bn(Array(signature[32...]), 32, nil)
    ECDSA_SIG_set0(numbers, r, s)
    var sequence: UnsafeMutablePointer<UInt8>?
    let count = i2d_ECDSA_SIG(numbers, &sequence)
    defer { CRYPTO_free(sequence, "", 0) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit_ex(context, nil, "SHA256", nil, nil, key, nil) == 1
      && EVP_DigestVerify(context, sequence, Int(count), bytes, bytes.count) == 1
  }

  private func openssl(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
