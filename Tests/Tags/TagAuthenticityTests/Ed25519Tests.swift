import TagAuthenticity
import Testing

@Suite("Signatures with Ed25519")
struct Ed25519Tests {
  /// RFC 8410, 10.3 and 10.1, whose keys are halves of one pair.
  private static let privateKey = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
    -----END PRIVATE KEY-----

    """
  private static let publicKey = """
    -----BEGIN PUBLIC KEY-----
    MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
    -----END PUBLIC KEY-----

    """

  @Test("the keys of RFC 8410 are read, written again, and belong together")
  func keys() throws {
    let key = try #require(Ed25519PrivateKey(pem: Array(Self.privateKey.utf8)))
    #expect(String(decoding: try key.pem(), as: UTF8.self) == Self.privateKey)
    #expect(String(decoding: try key.publicKey().pem(), as: UTF8.self) == Self.publicKey)
    let other = try #require(Ed25519PublicKey(pem: Array(Self.publicKey.utf8)))
    #expect(try other.verifies(try key.signature(of: [1, 2]), of: [1, 2]))
  }

  @Test("a signature over other bytes, by another key or with another bit is wrong")
  func wrong() throws {
    let key = try Ed25519PrivateKey()
    let signature = try key.signature(of: [1, 2, 3])
    let half = try key.publicKey()
    #expect(signature.count == 64)
    #expect(try half.verifies(signature, of: [1, 2, 3]))
    #expect(try !half.verifies(signature, of: [1, 2]))
    #expect(try !Ed25519PrivateKey().publicKey().verifies(signature, of: [1, 2, 3]))
    #expect(try !half.verifies([], of: [1, 2, 3]))
    for index in signature.indices {
      var altered = signature
      altered[index] ^= 1
      #expect(try !half.verifies(altered, of: [1, 2, 3]))
    }
  }

  @Test("what is no key of this kind is not taken for one")
  func malformed() throws {
    let key = try Ed25519PrivateKey()
    let ends = [[], Array("x".utf8), Array(Self.privateKey.utf8.dropLast(40))]
    for file in ends + [try key.publicKey().pem()] { #expect(Ed25519PrivateKey(pem: file) == nil) }
    for file in ends + [try key.pem()] { #expect(Ed25519PublicKey(pem: file) == nil) }
  }

  @Test("a private key is not printed")
  func secret() throws {
    let key = try Ed25519PrivateKey()
    #expect("\(key)" == "(secret)" && String(reflecting: key) == "(secret)")
  }
}
