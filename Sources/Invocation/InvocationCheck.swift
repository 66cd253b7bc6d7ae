/// Says what a phone would do with a payload: URL rules, association, experience, place, position.
public struct InvocationCheck: Sendable {
  /// Where clips, experiences and places are looked up.
  public let directory: any ExperienceDirectory
  /// How registered links are compared.
  public let engine: PrefixEngine

  /// Makes a check.
  public init(directory: any ExperienceDirectory, engine: PrefixEngine = .segment) {
    self.directory = directory
    self.engine = engine
  }
}
