package import Invocation

extension InvocationCheck {
  /// The check over a copy of the registry in memory: ten thousand rows in one transaction instead
  /// of several for each. A registry too large to be copied in less than a second is asked itself.
  package func inMemory(of registry: any RegistryStore) throws -> InvocationCheck {
    let directory = RegistryDirectory(registry)
    guard try registry.counts().experiences > 0, try directory.readAhead() else { return self }
    return InvocationCheck(directory: directory, engine: engine)
  }
}
