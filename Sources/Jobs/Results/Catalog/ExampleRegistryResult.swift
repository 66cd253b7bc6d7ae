package import Registry

/// The `example` object of a registry file that was begun.
package struct ExampleRegistryResult: Encodable {
  /// The type of the object.
  let type = "example"
  /// The file.
  let output: String
  /// The host of the invocation URLs.
  let domain: String
  /// The bundle identifier of the clip.
  let clip: String
  /// The ids of the places.
  let places: [String]
  /// An invocation URL to try.
  let url: String

  package init(_ example: ExampleRegistry, output: String) {
    self.output = output
    domain = example.host
    clip = example.clip
    places = example.places.map(\.id)
    url = example.firstURL
  }
}
