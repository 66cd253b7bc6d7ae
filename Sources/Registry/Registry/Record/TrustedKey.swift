import CliptagBasics
public import Foundation
public import TagAuthenticity

/// A key whose checkpoints vouch for the records of others: merges accept the chains that they
/// cover.
public struct TrustedKey: Sendable {
  /// The key's name in this registry.
  public let name: String
  /// The key.
  public let key: Ed25519PublicKey
  /// The SHA-256 of the key's SubjectPublicKeyInfo, in upper-case hexadecimal.
  public let fingerprint: String
  /// The time from which the key is trusted.
  public let added: Date
  /// The person who trusted the key.
  public let who: String

  /// The stored form of the key: SubjectPublicKeyInfo in Base64.
  fileprivate let text: String

  fileprivate init(
    name: String, key: Ed25519PublicKey, added: Date, who: String
  ) throws(RegistryError) {
    self.name = name
    self.key = key
    self.added = added.inWholeMilliseconds
    self.who = who
    do {
      let lines = String(decoding: try key.pem(), as: UTF8.self).split(separator: "\n")
      text = lines.filter { !$0.hasPrefix("-") }.joined()
      fingerprint = try SHA256.digest(of: Array(Data(base64Encoded: text) ?? Data())).hexadecimal
    } catch {
      throw RegistryError(
        .failed, "The key “\(name)” cannot be written: \(error.message)",
        hint: "Check the installation of OpenSSL's library.", underlying: error)
    }
  }
}

/// Trusted keys.
extension RegistryOperations where Self: ~Copyable {
  /// Returns every trusted key, by name.
  public borrowing func trustedKeys() throws(RegistryError) -> [TrustedKey] {
    try rows("SELECT * FROM trusted_key ORDER BY name", [], TrustedKey.init(row:))
  }

  /// Returns the form in which a key is stored.
  ///
  /// - Throws: `RegistryError.Code.alreadyExists` for a name or a key that is trusted already,
  ///   `RegistryError.Code.invalid` for a name without letters.
  package borrowing func newTrust(
    in key: Ed25519PublicKey, named name: String, at time: Date, by who: String
  ) throws(RegistryError) -> TrustedKey {
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw RegistryError(
        .invalid, "A trusted key needs a name.", hint: "Give the name of the key's owner.")
    }
    let new = try TrustedKey(name: name, key: key, added: time, who: who)
    for known in try trustedKeys() {
      if ByteKey(known.name) == ByteKey(name) { throw .exists("trusted key", name) }
      if known.text == new.text { throw .exists("trusted key", known.name) }
    }
    return new
  }

  /// Trusts a key: from now on, merges accept the chains that its checkpoints cover.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - name: The name of the key's owner.
  ///   - time: The current time.
  ///   - who: The person who trusts the key.
  /// - Throws: `RegistryError.Code.alreadyExists` for a name or a key that is trusted already,
  ///   `RegistryError.Code.invalid` for a name without letters.
  @discardableResult
  public borrowing func trust(
    _ key: Ed25519PublicKey, named name: String, at time: Date, by who: String
  ) throws(RegistryError) -> TrustedKey {
    try write { registry in
      let new = try registry.newTrust(
        in: key, named: name, at: time, by: registry.session.name(of: who))
      try registry.run(
        "INSERT INTO trusted_key (name, key, added, who) VALUES (?, ?, ?, ?)",
        [new.name, new.text, new.added.millisecondsSince1970, new.who])
      try registry.tell(Setting(.key, new.name))
      return new
    }
  }

  /// Stops trusting a key. Merged entries stay.
  ///
  /// - Throws: `RegistryError.Code.notFound`.
  @discardableResult
  public borrowing func removeTrust(inKeyNamed name: String) throws(RegistryError) -> TrustedKey {
    try write { registry in
      guard
        let known = try registry.trustedKeys().first(where: { ByteKey($0.name) == ByteKey(name) })
      else { throw RegistryError.missing("trusted key", name) }
      try registry.run("DELETE FROM trusted_key WHERE name = ?", [name])
      try registry.tell(Setting(.key, name))
      return known
    }
  }
}

extension TrustedKey {
  fileprivate init(row: any RegistryRow) throws(RegistryError) {
    let text: String = try row["key"]
    let pem = "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
    guard let key = Ed25519PublicKey(pem: Array(pem.utf8)) else {
      throw .damaged("the trusted key \(text)")
    }
    try self.init(
      name: try row["name"], key: key, added: try row.date("added"), who: try row["who"])
  }
}
