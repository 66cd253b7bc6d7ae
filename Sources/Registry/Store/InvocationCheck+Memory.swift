package import Invocation

extension InvocationCheck {
  /// The check over what is read of the registry once: thousands of rows in one transaction instead of
  /// several for each. Of a registry that is large beside what is checked, it reads the hosts that pay.
  ///
  /// - Parameter payloads: How many will be checked, when that is known.
  package func inMemory(
    of registry: any RegistryStore, for payloads: Int = 0
  ) throws -> InvocationCheck {
    let directory = RegistryDirectory(registry)
    try directory.readAhead(for: payloads)
    return InvocationCheck(directory: directory, engine: engine)
  }
}
