import CliptagBasics
import Foundation
import GRDB
import Invocation
import Registry
import RegistryFixtures
import TestSupport
import Testing

extension Fixtures {
  static let noon = Date(timeIntervalSince1970: 1_795_262_400)

  /// Returns a code whose name depends on `number` alone.
  static func code(
    _ number: UInt64, _ payload: String = "https://fruta.example.com/order/cupertino",
    place: String? = nil, uid: String? = nil
  ) -> IssuedCode {
    var generator = SeededGenerator(seed: number)
    let date = noon.addingTimeInterval(Double(number))
    return IssuedCode(
      id: CodeID(at: date, using: &generator), payload: payload,
      carrier: uid == nil ? .qr : .nfc, placeID: place, created: date, registered: true,
      output: uid == nil ? "sign-\(number).svg" : nil, tagUID: uid,
      tagType: uid == nil ? nil : "NTAG215",
      symbol: uid == nil
        ? .init(version: 3, errorCorrection: "M", moduleSize: 0.85, width: 31.5) : nil)
  }

  /// Returns the same code, retired.
  static func retired(_ code: IssuedCode) -> IssuedCode {
    IssuedCode(
      id: code.id, payload: code.payload, carrier: code.carrier, placeID: code.placeID,
      created: code.created, registered: code.registered, status: .retired, output: code.output,
      tagUID: code.tagUID, tagType: code.tagType, symbol: code.symbol)
  }
}

/// A folder for one test, removed when the value is released.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/registry-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func file(_ name: String) -> String { path + "/" + name }

  private var databases: [TestDatabase] = []

  /// Creates a registry on the tests' server, removed with the folder.
  func database() throws -> TestDatabase {
    let server = try #require(TestServer.shared, "make test starts the server")
    let database = try server.registry { address in
      _ = try RegistryLocation.server(address).makeOnServer()
    }
    databases.append(database)
    return database
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The implementations that the conformance suite runs over.
enum StoreKind: String, CaseIterable {
  case memory
  case sqlite
  case postgresql

  /// All stores; PostgreSQL only if the tests have a server, which `make test` starts.
  static var allCases: [StoreKind] {
    TestServer.shared == nil ? [.memory, .sqlite] : [.memory, .sqlite, .postgresql]
  }

  func make(in folder: TemporaryFolder) throws -> any RegistryStore {
    switch self {
    case .memory: try RegistryLocation.memory.open()
    case .sqlite: try RegistryLocation.file(folder.file("registry.sqlite")).open()
    case .postgresql: try folder.database().location.open()
    }
  }
}

extension TestDatabase {
  var location: RegistryLocation { .server(address, station: "bench 1") }
}

extension Database {
  /// Changes rows that triggers guard, and recreates the triggers: without them no registry is
  /// opened.
  func executeWithoutGuards(_ sql: String) throws {
    let guards = try Row.fetchAll(
      self, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    for row in guards { try execute(sql: "DROP TRIGGER \(row["name"] as String)") }
    try execute(sql: sql)
    for row in guards { try execute(sql: row["sql"]) }
  }
}

/// Merges that trust every recorder, for rules that hold for any author of a record.
extension RegistryStore {
  func merge(
    _ source: some RecordSource, name: String, retellingForks: Bool = false, dryRun: Bool = false
  ) throws(RegistryError) -> MergeReport {
    try merge(
      source, name: name, trusting: .everybody, retellingForks: retellingForks, dryRun: dryRun)
  }

  func mergeWalks(
    from source: any RegistryStore, name: String, dryRun: Bool = false
  ) throws(RegistryError) -> WalkMergeReport {
    try mergeWalks(from: source, name: name, trusting: .everybody, dryRun: dryRun)
  }
}
