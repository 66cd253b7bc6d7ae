import CliptagBasics

/// The changes that an upgrade of a registry made, or would make.
public struct RegistryUpgrade: Hashable, Sendable {
  /// The format before.
  public let from: Int
  /// The format after.
  public let to: Int
  /// The summaries of the steps between, in order.
  public let steps: [String]

  init(from version: Int) {
    from = version
    to = RegistryFormat.current
    steps = RegistryFormat.news(since: version)
  }
}

extension RegistryLocation {
  /// Upgrades a registry of an older format, in one transaction.
  ///
  /// Opening a file upgrades it as well; a registry on a server is upgraded only by this call, as
  /// its owner.
  ///
  /// - Parameters:
  ///   - isRehearsal: Whether to run every step without keeping the result: on a server in a
  ///     transaction that is rolled back, with a file on a copy of it.
  ///   - busyTimeout: The longest wait for another process that holds the registry's lock.
  /// - Throws: `RegistryError` with `RegistryError.Code.missing`, `RegistryError.Code.newerVersion`,
  ///   `RegistryError.Code.altered`, `RegistryError.Code.notPermitted`,
  ///   `RegistryError.Code.locked`. Nothing is changed then.
  public func upgrade(
    isRehearsal: Bool = false, busyTimeout: Duration = .seconds(10)
  ) throws(RegistryError) -> RegistryUpgrade {
    if let path = filePath {
      return RegistryUpgrade(
        from: try SQLiteConnection.upgrade(
          path: path, isRehearsal: isRehearsal, busyTimeout: busyTimeout))
    }
    guard let address = serverAddress(patience: busyTimeout) else {
      return RegistryUpgrade(from: RegistryFormat.current)
    }
    let line = try PostgreSQLRegistry.connect(address, .forOwner(busyTimeout))
    do {
      return RegistryUpgrade(
        from: try RegistryRoles.upgrade(on: line, at: address, isRehearsal: isRehearsal))
    } catch {
      throw RegistryError(error, at: address)
    }
  }
}
