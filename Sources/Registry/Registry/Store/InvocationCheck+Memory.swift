package import Invocation

extension InvocationCheck {
  /// Returns a check with a copy of the registry in memory: thousands of rows are read in one
  /// transaction instead of several for each. Of a registry that is large compared with the
  /// payloads, it reads only hosts that are used often enough.
  ///
  /// - Parameter payloads: The number of payloads to check, if known.
  package func inMemory(
    of registry: any RegistryStore, for payloads: Int = 0
  ) throws -> InvocationCheck {
    let directory = RegistryDirectory(registry)
    try directory.readAhead(for: payloads)
    return InvocationCheck(directory: directory, engine: engine)
  }
}
