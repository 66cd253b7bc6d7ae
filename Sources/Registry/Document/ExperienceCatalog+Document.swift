public import Invocation

extension ExperienceCatalog {
  /// A document compiled for checks.
  public init(_ document: RegistryDocument) {
    self.init(
      clips: document.clips, experiences: document.experiences, places: document.places)
  }
}
