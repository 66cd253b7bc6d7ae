import Foundation
import GRDB
import RegistryFixtures
import TestSupport
import Testing

@testable import Registry

/// The views for programs that query the database directly.
@Suite("Views") struct ViewTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func filled(_ registry: any RegistryStore) throws {
    try registry.add(Fixtures.cupertino)
    try Fixtures.fill(registry)
    let code = Fixtures.code(1).id
    try registry.record(.installed, of: code, at: Fixtures.noon, by: registry.who)
    try registry.record(
      .read, of: code, at: Fixtures.noon.addingTimeInterval(6000), by: registry.who,
      details: ["note": "it's \"fine\""])
  }

  /// Questions whose answers omit the facts that differ between two registries.
  private static let questions = [
    "SELECT code, url, carrier, status, place, place_name, prints, last_kind FROM code_current ORDER BY code",
    "SELECT place, name, in_use, retired, installed, never_seen FROM place_status ORDER BY place",
    "SELECT place, month, kind, times FROM who_did_what ORDER BY place, month, kind, times",
    "SELECT kind, code, url, carrier, place, subject, note, number FROM event ORDER BY number",
    """
    SELECT code, url, carrier, status, place, output, uid, caption, sheet, label, row_number, copies
    FROM item_current ORDER BY code, output, sheet, label
    """,
  ]

  /// A code with three prints: one file, and two rows of a sheet.
  private func print(to registry: any RegistryStore) throws {
    let code = Fixtures.code(1)
    for (minute, (output, label)) in [
      ("door \"A\".pdf", nil),
      (
        "t.pdf",
        PrintedLabel(caption: "Table “1”", row: 3, sheet: 2, position: 10, copies: 24)
      ),
      ("t.pdf", PrintedLabel(row: 4, sheet: 3, position: 4)),
    ].enumerated() {
      let time = Fixtures.noon.addingTimeInterval(minute == 0 ? 0 : 60)
      try registry.reissue(
        IssuedCode(
          id: code.id, payload: code.payload, carrier: .qr, created: code.created,
          registered: true, output: output,
          symbol: .init(version: 3, errorCorrection: "M", moduleSize: 0.85, width: 31.5)),
        at: time, by: registry.who, details: label?.details ?? [:])
    }
  }

  @Test("the view of items has the items of every code, with their copies and places on sheets")
  func items() throws {
    let path = folder.file("registry.sqlite")
    let registry = try RegistryLocation.file(path).open()
    try filled(registry)
    try print(to: registry)
    let told = try registry.items(of: registry.codes()).values.flatMap(\.self).map { item in
      let numbers = [item.sheet, item.position, item.row, item.copies].map {
        $0.map { "\($0)" } ?? ""
      }
      return ([item.code.description, item.output ?? "", item.caption ?? ""] + numbers)
        .joined(separator: "\t")
    }
    let listed = try askFile(
      path, "SELECT code, output, caption, sheet, label, row_number, copies FROM item_current")
    #expect(listed.split(separator: "\n").map(String.init).sorted() == told.sorted())
    #expect(told.count > 3)
    #expect(
      try askFile(path, "SELECT DISTINCT width FROM item_current WHERE output = 't.pdf'") == "31.5")
  }

  private func askFile(_ path: String, _ sql: String) throws -> String {
    try DatabaseQueue(path: path).read { database in
      try Row.fetchAll(database, sql: sql).map { row in
        row.databaseValues.map { $0.isNull ? "" : "\($0.storage.value ?? "")" }.joined(
          separator: "\t")
      }.joined(separator: "\n")
    }
  }

  @Test("a file answers every question that is printed")
  func file() throws {
    let path = folder.file("registry.sqlite")
    try filled(try RegistryLocation.file(path).open())
    for (question, sql) in RegistryViews.questions {
      #expect(throws: Never.self, "\(question)") { try askFile(path, sql) }
    }
    let current = try askFile(
      path, "SELECT code, last_kind, last_seen FROM code_current ORDER BY last_seen DESC LIMIT 1")
    #expect(
      current
        == "\(Fixtures.code(1).id)\tread\t"
        + Fixtures.noon.addingTimeInterval(6000).ISO8601Format(
          .iso8601(timeZone: .gmt, includingFractionalSeconds: true)) + "Z")
  }

  @Test(
    "a server answers the same, to readers too",
    .enabled(if: TestServer.shared != nil, "make test starts a server"))
  func server() throws {
    let path = folder.file("registry.sqlite")
    let file = try RegistryLocation.file(path).open()
    try filled(file)
    try print(to: file)
    let database = try folder.database()
    let shared = try database.location.open()
    try filled(shared)
    try print(to: shared)
    let login = "views_" + UUID().uuidString.prefix(8).lowercased()
    // The roles are those of the template of which this database is a copy.
    let reader = try database.ask(
      """
      SELECT replace(r.rolname, '_owner', '_reader') FROM pg_namespace AS n
      JOIN pg_roles AS r ON r.oid = n.nspowner WHERE n.nspname = 'cliptag'
      """)
    try database.ask("CREATE ROLE \(login) LOGIN; GRANT \"\(reader)\" TO \(login)")
    let way = database.address(as: login)
    func ask(_ sql: String) throws -> String {
      try database.server.ask("SET search_path = cliptag; " + sql, at: way)
    }
    for (question, sql) in RegistryViews.questions {
      #expect(throws: Never.self, "\(question)") { try ask(sql) }
    }
    for sql in Self.questions {
      let (here, there) = (try askFile(path, sql), try ask(sql))
      #expect(!here.isEmpty && here == there, "\(sql)")
    }
    #expect(
      try ask(
        "SELECT extract(epoch FROM last_seen)::bigint FROM code_current WHERE code = '\(Fixtures.code(1).id)'"
      )
        == "\(Int(Fixtures.noon.timeIntervalSince1970) + 6000)")
  }
}
