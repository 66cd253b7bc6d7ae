package import Registry

/// The `registry-key` object of the reference of registry files and key files.
package struct RegistryKeyResult: Encodable {
  /// The type of the object.
  let type = "registry-key"
  /// The name of the mapping that has the key.
  let mapping: String
  /// The key.
  let key: String
  /// The form of the value, in words.
  let value: String
  /// Whether the mapping is refused without the key.
  let required: Bool
  /// The meaning of the value.
  let meaning: String

  package init(_ key: DocumentKey, of shape: DocumentShape) {
    mapping = shape.name
    self.key = key.name
    value = key.value.words
    required = key.isRequired
    meaning = key.meaning
  }
}
