/// The purpose for which a registry is opened.
public enum RegistryAccess: Hashable, Sendable {
  /// Looking up only. Nothing is created: a missing registry is an empty one, with a note. Works on
  /// read-only media.
  case lookUp
  /// Looking up only, in a registry that must exist: a review of a missing registry would find no
  /// fault.
  case review
  /// Looking up and changing. A missing registry is created.
  case change
}

/// The location of a registry.
///
/// ```swift
/// let registry = try RegistryLocation.file("registry.sqlite").open()
/// let trial = try RegistryLocation.memory.open()
/// ```
public struct RegistryLocation: Hashable, Sendable, CustomStringConvertible {
  private enum Place: Hashable {
    case memory
    case file(String)
    case server(String, station: String?)
  }

  private let place: Place

  /// The path of the file, if the registry is one.
  var filePath: String? {
    if case .file(let path) = place { path } else { nil }
  }

  /// Returns the server's address, if the registry is on one.
  func serverAddress(patience: Duration) -> ServerAddress? {
    guard case .server(let uri, let station) = place else { return nil }
    return ServerAddress(uri, station: station, patience: patience)
  }

  /// The registry's name in messages: a file's path, or a server's address without its password.
  public var description: String {
    switch place {
    case .memory: "in memory"
    case .file(let path): path
    case .server(let uri, _): ServerAddress.withoutPassword(uri)
    }
  }

  /// A Boolean value that indicates whether the registry is on a server.
  public var isOnServer: Bool {
    if case .server = place { true } else { false }
  }

  /// A new and empty registry in memory, released with the last reference: for tests and trials.
  public static let memory = RegistryLocation(place: .memory)

  /// Returns the location of an SQLite file, which several processes may use at once.
  ///
  /// - Parameter path: The file; a relative path is relative to the current folder.
  public static func file(_ path: String) -> RegistryLocation {
    RegistryLocation(place: .file(path))
  }

  /// Returns the location of a PostgreSQL database, which many stations use at once.
  ///
  /// libpq, PostgreSQL's library, is loaded with the first such registry; its environment variables
  /// (`PGPASSFILE`, `PGSERVICEFILE` and others) apply.
  ///
  /// - Parameters:
  ///   - uri: A connection URI: `postgresql://host/database` (PostgreSQL documentation, 34.1.1.2).
  ///   - station: A name that distinguishes the station from others of the same login; by default,
  ///     this machine.
  public static func server(_ uri: String, station: String? = nil) -> RegistryLocation {
    RegistryLocation(place: .server(uri, station: station))
  }

  /// Returns the location with a name: a server's if the name begins like a connection URI,
  /// otherwise a file.
  public static func named(_ name: String, station: String? = nil) -> RegistryLocation {
    ServerAddress.isOne(name) ? server(name, station: station) : file(name)
  }

  /// Opens the registry.
  ///
  /// A file is in WAL mode: readers never wait for a writer, and writers wait for each other, at
  /// most the busy time-out. Every committed change is on the disk when the call returns. A file of
  /// an older format is brought up to date.
  ///
  /// - Parameters:
  ///   - access: The intended access.
  ///   - createsFolder: Whether a missing folder of a file to be created is created too.
  ///   - busyTimeout: The longest wait for other processes' locks.
  ///   - person: The person who works with the registry, for the record; see ``RegistryStore/who``.
  /// - Throws: `RegistryError` with `RegistryError.Code.missing` for ``RegistryAccess/review``
  ///   only; `RegistryError.Code.notADatabase`, `RegistryError.Code.notARegistry`,
  ///   `RegistryError.Code.newerVersion`, `RegistryError.Code.unreadable`,
  ///   `RegistryError.Code.unwritable`, `RegistryError.Code.locked`,
  ///   `RegistryError.Code.diskFull` or `RegistryError.Code.damaged`; of a server
  ///   `RegistryError.Code.unavailable`, and `RegistryError.Code.missing` for every access,
  ///   because its owner must create a registry there. Nothing is changed then.
  public func open(
    for access: RegistryAccess = .change, createsFolder: Bool = false,
    busyTimeout: Duration = .seconds(10), by person: String? = nil
  ) throws(RegistryError) -> any RegistryStore {
    switch place {
    case .memory: try SQLiteRegistry()
    case .file(let path):
      try SQLiteRegistry(
        path: path, access: access, createsFolder: createsFolder, busyTimeout: busyTimeout,
        by: person)
    case .server(let uri, let station):
      try PostgreSQLRegistry(
        ServerAddress(uri, station: station, patience: busyTimeout), access: access,
        busyTimeout: busyTimeout, by: person)
    }
  }
}
