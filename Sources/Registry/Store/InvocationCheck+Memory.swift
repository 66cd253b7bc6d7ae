package import Invocation

extension InvocationCheck {
  /// The check over a copy of the registry in memory: ten thousand rows in one transaction instead
  /// of several for each. A registry too large to be copied in less than a second is asked itself.
  package func inMemory(of registry: any RegistryStore) throws -> InvocationCheck {
    let (counts, document) = try registry.read { registry throws(RegistryError) in
      let counts = try registry.counts()
      return (counts, counts.experiences <= 20_000 ? try registry.document() : nil)
    }
    guard let document, counts.experiences > 0 else { return self }
    return InvocationCheck(directory: ExperienceCatalog(document), engine: engine)
  }
}
