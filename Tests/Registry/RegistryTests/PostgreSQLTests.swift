import CliptagBasics
import CliptagPlatform
import Foundation
import GRDB
import Invocation
import RegistryFixtures
import Synchronization
import TestSupport
import Testing

@testable import Registry

/// The features that only a registry on a server has: logins with roles, many stations, lost
/// connections.
@Suite(
  "PostgreSQL", OnThreads(), .enabled(if: TestServer.shared != nil, "make test starts the server"))
struct PostgreSQLTests {
  let folder: TemporaryFolder
  let database: TestDatabase

  init() throws {
    folder = try TemporaryFolder()
    database = try folder.database()
  }

  /// Creates a login with a role of the database and a unique name.
  private func login(_ role: String) throws -> String {
    let name = "\(role)_\(database.name)"
    // The roles are those of the template of which this database is a copy.
    try database.ask(
      """
      CREATE ROLE \(name) LOGIN;
      GRANT "\(try self.role(role))" TO \(name)
      """)
    return name
  }

  private func role(_ kind: String) throws -> String {
    try database.ask(
      """
      SELECT regexp_replace(pg_get_userbyid(relowner), '_owner$', '_\(kind)') FROM pg_class
      WHERE oid = 'cliptag.meta'::regclass
      """)
  }

  private func open(
    as login: String, station: String = "bench 1", for access: RegistryAccess = .change
  ) throws -> any RegistryStore {
    try RegistryLocation.server(database.address(as: login), station: station).open(for: access)
  }

  private func fill(_ registry: any RegistryStore) throws {
    try registry.write { registry in
      try registry.add(Fixtures.clip)
      try registry.add(Fixtures.cupertino)
      try registry.issue(Fixtures.code(1, place: "cupertino"), by: "Ada")
    }
  }

  // MARK: Roles

  @Test("a station issues, notes and retires; history stays as it is and guards stay on")
  func station() throws {
    let name = try login("station")
    let registry = try open(as: name)
    try fill(registry)
    try registry.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    for statement in [
      "UPDATE cliptag.code_entry SET who = 'nobody'", "DELETE FROM cliptag.code_entry",
      "DELETE FROM cliptag.code", "UPDATE cliptag.code SET payload = 'x'",
      "TRUNCATE cliptag.setting_entry", "DROP TRIGGER code_is_not_deleted ON cliptag.code",
      "ALTER TABLE cliptag.code DISABLE TRIGGER ALL", "SET session_replication_role = replica",
      "CREATE TABLE cliptag.mine (x int)", "SET ROLE \"\(try role("owner"))\"",
      "INSERT INTO cliptag.trusted_key VALUES ('a', 'b', 1, 'c')",
      "UPDATE cliptag.recorder SET id = 'x'",
    ] {
      #expect(throws: TestServer.Refused.self, "\(statement)") {
        try database.server.ask(statement, at: database.address(as: name))
      }
    }
    #expect(try registry.wholeRecord(named: "").entries == 4)
  }

  @Test("a reader looks things up and changes nothing")
  func reader() throws {
    try fill(try database.location.open())
    let name = try login("reader")
    let registry = try open(as: name)
    #expect(try registry.codes().count == 1)
    let error = #expect(throws: RegistryError.self) {
      try registry.issue(Fixtures.code(2), by: "CI")
    }
    #expect(error?.code == .notPermitted)
    #expect(try registry.codes().count == 1)
  }

  @Test("not even the owner alters what is history, as long as the guards are on")
  func owner() throws {
    try fill(try database.location.open())
    for statement in [
      "UPDATE cliptag.code_entry SET who = 'nobody'", "DELETE FROM cliptag.setting_entry",
      "TRUNCATE cliptag.code_entry", "DELETE FROM cliptag.code", "TRUNCATE cliptag.code CASCADE",
      """
      INSERT INTO cliptag.code_entry SELECT recorder, number + 2, hash, hash, code, time, kind, who,
        details, adopted, false FROM cliptag.code_entry
      """,
    ] {
      #expect(throws: TestServer.Refused.self, "\(statement)") { try database.ask(statement) }
    }
  }

  @Test("a registry whose guards are switched off is refused, with their names")
  func guards() throws {
    try database.ask("ALTER TABLE cliptag.code_entry DISABLE TRIGGER code_entry_is_not_changed")
    let error = #expect(throws: RegistryError.self) { try database.location.open(for: .lookUp) }
    #expect(error?.code == .altered)
    #expect(error?.message.contains("code_entry_is_not_changed") == true)
  }

  @Test("each login and station has a chain of its own, which no other goes on with")
  func chains() throws {
    let (anna, ben) = (try login("station"), "ben_\(database.name)")
    try database.ask("CREATE ROLE \(ben) LOGIN; GRANT \"\(try role("station"))\" TO \(ben)")
    let registry = try open(as: anna)
    try fill(registry)
    try open(as: anna, station: "bench 2")
      .record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Anna")
    try open(as: ben).record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ben")
    #expect(try registry.chainHeads().map(\.number).sorted() == [1, 1, 3])
    #expect(throws: TestServer.Refused.self) {
      try database.server.ask(
        """
        INSERT INTO cliptag.code_entry SELECT recorder, number + 1, hash, hash, code, time, kind, who,
          details, adopted, false FROM cliptag.code_entry WHERE number = 3
        """, at: database.address(as: ben))
    }
  }

  @Test("whoever is named at opening stands beside the login in the record")
  func who() throws {
    #expect(try database.location.open().who == "cliptag")
    let registry = try database.location.open(by: "Ada Lovelace")
    #expect(registry.who == "cliptag (Ada Lovelace)")
    try registry.add(Fixtures.cupertino)
    var entries: [RecordEntry] = []
    try registry.forEachEntry { entries.append($0) }
    #expect(entries.map(\.who) == ["cliptag (Ada Lovelace)"])
  }

  @Test("a registry made twice keeps what it holds")
  func madeTwice() throws {
    try fill(try database.location.open())
    let setup = try RegistryLocation.server(database.address).makeOnServer()
    #expect(setup.wasThere)
    #expect(try database.location.open(for: .lookUp).codes().count == 1)
  }

  /// Creates a login with options of `CREATE ROLE`, dropped with the database.
  private func ordinary(_ options: String) throws -> String {
    let name = "rent_\(database.name)"
    try database.ask("CREATE ROLE \(name) LOGIN \(options)")
    return name
  }

  @Test("an ordinary login that may create roles makes a registry, works with it and fills it")
  func madeByOrdinaryLogin() throws {
    let empty = try database.server.database()
    let name = try ordinary("CREATEROLE")
    try empty.ask("ALTER DATABASE \(empty.name) OWNER TO \(name)")
    let location = RegistryLocation.server(empty.address(as: name), station: "bench 1")
    #expect(try !location.makeOnServer().wasThere)
    #expect(try location.makeOnServer().wasThere)
    try fill(try location.open())
    let other = try database.server.database()
    try other.ask("GRANT CREATE ON DATABASE \(other.name) TO \(name)")
    let target = RegistryLocation.server(other.address(as: name), station: "bench 1")
    #expect(try target.takeAll(of: .file(try file())).entries == 6)
    // The login grants roles to others.
    let anna = "anna_\(empty.name)"
    try database.ask("CREATE ROLE \(anna) LOGIN")
    try database.server.ask(
      "GRANT \(empty.name)_station TO \(anna)", at: empty.address(as: name))
    let station = RegistryLocation.server(empty.address(as: anna), station: "bench 2")
    try station.open().retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Anna")
    #expect(try location.open().wholeRecord(named: "").entries == 4)
  }

  @Test("a login that may create no roles is told what an administrator does, after which it may")
  func madeWithAdministrator() throws {
    let empty = try database.server.database()
    let name = try ordinary("")
    let location = RegistryLocation.server(empty.address(as: name), station: "bench 1")
    let error = #expect(throws: RegistryError.self) { try location.makeOnServer() }
    #expect(error?.code == .notPermitted)
    let words = try #require(
      error?.hint.range(of: "CREATE ROLE").map { error?.hint[$0.lowerBound...] })
    try empty.ask(String(try #require(words)))
    #expect(try !location.makeOnServer().wasThere)
    try fill(try location.open())
  }

  @Test("both engines' tables have the same columns, and no column may be empty in one alone")
  func columns() throws {
    let server = try database.ask(
      """
      SELECT table_name || ' ' || column_name || ' ' || is_nullable FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
      WHERE table_schema = 'cliptag' AND table_type = 'BASE TABLE' AND table_name NOT IN ('meta', 'turn', 'vouched')
        AND column_name <> 'login'
      """)
    let file = try RegistryLocation.memory.open()
    let columns = try file.rows(
      """
      SELECT m.name || ' ' || c.name || ' ' ||
        CASE WHEN c."notnull" OR c.pk THEN 'NO' ELSE 'YES' END AS line
      FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'
      """
    ) { row -> String in try row["line"] }
    #expect(server.split(separator: "\n").map(String.init).sorted() == columns.sorted())
  }

  // MARK: Many stations

  @Test("of stations that issue at once none issues a code twice, and no chain has a gap")
  func stations() async throws {
    let (location, address) = (database.location, database.address)
    let payloads = (0..<40).map { "https://fruta.example.com/order/\($0)" }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for station in 0..<4 {
        group.addTask {
          let registry = try RegistryLocation.server(address, station: "bench \(station)").open()
          for (index, payload) in payloads.enumerated() {
            try await registry.write { registry in
              guard try registry.codes(CodeFilter(payload: payload)).isEmpty else { return }
              try registry.issue(
                Fixtures.code(UInt64(station * 1000 + index), payload), by: "station")
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let registry = try location.open(for: .lookUp)
    #expect(try registry.codes().map(\.payload).sorted() == payloads.sorted())
    #expect(try registry.wholeRecord(named: "").entries == 40)
  }

  @Test("a change waits for another station's, for no longer than it was told to")
  func waits() throws {
    let holder = try database.location.open()
    let other = try database.location.open(busyTimeout: .milliseconds(50))
    try holder.write { registry in
      try registry.add(Fixtures.cupertino)
      let error = #expect(throws: RegistryError.self) { try other.add(Fixtures.sanFrancisco) }
      #expect(error?.code == .locked)
      #expect(try other.places().isEmpty)
    }
    try other.add(Fixtures.sanFrancisco)
    #expect(try holder.places().map(\.id) == ["cupertino", "san-francisco"])
  }

  @Test("a cache hears of what another station changed")
  func announced() throws {
    let watching = try database.location.open(for: .lookUp)
    let directory = RegistryDirectory(watching)
    try directory.refresh()
    #expect(try directory.place(id: "cupertino") == nil)
    #expect(try watching.changeNumber() == watching.changeNumber())
    try database.location.open().add(Fixtures.cupertino)
    try watching.waitForChange(atMost: .seconds(60))
    try directory.refresh()
    #expect(try directory.place(id: "cupertino") == Fixtures.cupertino)
  }

  // MARK: Losses

  @Test("a connection that was lost while nobody used it is made anew")
  func reconnected() throws {
    let registry = try database.location.open()
    try fill(registry)
    try database.server.disconnect(database)
    #expect(try registry.codes().count == 1)
    try database.server.disconnect(database)
    try registry.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    #expect(try registry.wholeRecord(named: "").entries == 4)
  }

  @Test("a connection that is lost in the middle of a change changes nothing", arguments: 0..<4)
  func lostInTheMiddle(step: Int) throws {
    let registry = try database.location.open()
    let work: [(borrowing RegistryTransaction) throws -> Void] = [
      { try $0.add(Fixtures.clip) }, { try $0.add(Fixtures.cupertino) },
      { try $0.issue(Fixtures.code(1, place: "cupertino"), by: "Ada") },
      { try $0.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ada") },
    ]
    let error = #expect(throws: RegistryError.self) {
      try registry.write { registry in
        for (index, work) in work.enumerated() {
          try work(registry)
          if index == step { try database.server.disconnect(database) }
        }
      }
    }
    #expect(error?.code == .unavailable)
    #expect(try registry.wholeRecord(named: "").entries == 0)
    try fill(registry)
    #expect(try registry.wholeRecord(named: "").entries == 3)
  }

  @Test("a merge looks up what the registry has in groups, for new entries and known ones")
  func turnsOfAMerge() throws {
    let other = try RegistryLocation.memory.open()
    let codes = (1...1_200).map { Fixtures.code(UInt64($0)) }
    try other.issue(codes, by: "Ada")
    for code in codes.prefix(300) { try other.retire(code.id, at: Fixtures.noon, by: "Ada") }
    // The last code is here already: no name of the others is known to be new.
    let last = try #require(codes.last)
    func turns() throws -> (turns: Int, report: MergeReport) {
      let line = try ServerLine(to: database)
      let report = try RegistryLocation.server(line.address, station: "bench 1").open()
        .merge(other, name: "other")
      return (try line.turns(), report)
    }
    try database.location.open().issue(last, by: "Ada")
    let first = try turns()
    #expect(first.report.added == 1_500 && first.report.codes == 1_199)
    let again = try turns()
    #expect(again.report.added == 0 && again.report.known == 1_500)
    // Three groups of 500 entries; one turn for each entry would be 1,500.
    #expect(first.turns < 40 && again.turns < 40, "\(first.turns) and \(again.turns)")
  }

  @Test("a change whose end the server could not acknowledge is asked for, and was kept")
  func unacknowledged() throws {
    let line = try ServerLine(to: database, ["--lose-answer-to", #"COMMIT\0"#])
    let registry = try RegistryLocation.server(line.address, station: "bench 1").open()
    try registry.issue(Fixtures.code(1), by: "Ada")
    #expect(try registry.codes().count == 1)
    #expect(try registry.wholeRecord(named: "").entries == 1)
  }

  @Test(
    "a line that falls silent ends in time, and nothing was changed",
    arguments: ["INSERT INTO code_entry", "FROM place", "take_turn"])
  func silent(statement: String) throws {
    let line = try ServerLine(to: database, ["--silent-at", statement])
    let registry = try RegistryLocation.server(line.address, station: "bench 1").open(
      busyTimeout: .seconds(1))
    let error = #expect(throws: RegistryError.self) { try fill(registry) }
    #expect(error?.code == .unavailable)
    #expect(try database.location.open(for: .lookUp).codes().isEmpty)
  }

  @Test("a line that is silent from the beginning ends in time")
  func silentAtOnce() throws {
    let line = try ServerLine(to: database, ["--silent-at", "cliptag"])
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.server(line.address).open(for: .lookUp, busyTimeout: .seconds(1))
    }
    #expect(error?.code == .unavailable)
  }

  @Test(
    "a change whose end was met with silence is asked for",
    arguments: [("--silent-behind", true), ("--silent-at", false)])
  func silentAtTheEnd(option: String, isKept: Bool) throws {
    let line = try ServerLine(to: database, [option, #"COMMIT\0"#])
    let registry = try RegistryLocation.server(line.address, station: "bench 1").open(
      busyTimeout: .seconds(1))
    if isKept {
      try registry.issue(Fixtures.code(1), by: "Ada")
    } else {
      let error = #expect(throws: RegistryError.self) {
        try registry.issue(Fixtures.code(1), by: "Ada")
      }
      #expect(error?.code == .unavailable)
    }
    #expect(try registry.codes().count == (isKept ? 1 : 0))
  }

  @Test("a statement that takes too long is ended by the server")
  func tooLong() throws {
    let registry = try database.location.open(busyTimeout: .seconds(1))
    let error = #expect(throws: RegistryError.self) {
      try registry.rows("SELECT 1 AS one FROM pg_sleep(60)") { _ in true }
    }
    #expect(error?.code == .unavailable)
    #expect(try registry.codes().isEmpty)
  }

  // MARK: Replicas and poolers

  @Test("a hot standby is read and followed; a change there is refused")
  func standby() async throws {
    try fill(try database.location.open())
    let standby = try ServerLine(to: database, script: "postgresql-standby.sh")
    let location = RegistryLocation.server(standby.address, station: "bench 1")
    let registry = try location.open()
    let (codes, heads) = try await registry.read { registry in
      (try registry.codes(), try registry.chainHeads())
    }
    #expect(codes.count == 1)
    async let told = registry.codesTold(after: heads)
    try database.location.open().issue(Fixtures.code(2), by: "Ada")
    #expect(try await told.codes.count == 1)
    let error = #expect(throws: RegistryError.self) {
      try location.open().issue(Fixtures.code(3), by: "Ada")
    }
    #expect(error?.code == .readOnly)
  }

  @Test("stations and those who follow go on when a replica takes over, with chains of their own")
  func promoted() async throws {
    try fill(try database.location.open())
    let line = try ServerLine(to: database)
    let standby = try ServerLine(to: database, script: "postgresql-standby.sh")
    let location = RegistryLocation.server(
      try line.address(before: standby), station: "bench 1")
    let (station, follower) = (try location.open(), try location.open(for: .lookUp))
    try await station.write { registry in
      _ = try registry.record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    }
    let heads = try await follower.read { try $0.chainHeads() }
    #expect(heads.map(\.number) == [4])
    async let told = follower.codesTold(after: heads)
    // The standby shows committed changes once they have arrived.
    let replica = try RegistryLocation.server(standby.address).open(for: .lookUp)
    while try await replica.read({ try $0.chainHeads() }) != heads {
      try replica.waitForChange(atMost: .milliseconds(100))
    }
    line.end()
    // A statement that waits for the promotion could delay the rest of the replay.
    try database.server.ask("SELECT pg_promote(false)", at: standby.address)
    while try database.server.ask("SELECT pg_is_in_recovery()", at: standby.address) == "t" {}
    try await station.write { registry in
      _ = try registry.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    }
    #expect(try await told.codes.map(\.status) == [.retired])
    let report = try station.wholeRecord(named: "")
    #expect(report.heads.map(\.number).sorted() == [1, 4])
  }

  @Test("a pooler that keeps sessions serves; one in transaction mode is refused in one sentence")
  func poolers() throws {
    let keeping = try ServerLine(to: database, ["session"], script: "postgresql-pooler.py")
    try fill(try RegistryLocation.server(keeping.address, station: "bench 1").open())
    let giving = try ServerLine(to: database, ["transaction"], script: "postgresql-pooler.py")
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.server(giving.address).open(for: .lookUp)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("pooler in transaction mode") == true)
  }

  @Test("a database that is not there is named")
  func noDatabase() throws {
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.server(database.server.address(of: "nowhere")).open(for: .lookUp)
    }
    #expect(error?.code == .missing)
    #expect(error?.message.contains("no database of that name") == true)
  }

  @Test("a change that the server gave up as it was to be kept is reported, and can be made again")
  func givenUp() throws {
    let registry = try database.location.open()
    try database.ask(
      """
      CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
      CREATE CONSTRAINT TRIGGER die AFTER INSERT ON cliptag.code DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION public.die()
      """)
    let error = #expect(throws: RegistryError.self) {
      try registry.issue(Fixtures.code(1), by: "Ada")
    }
    #expect(error?.code == .unavailable)
    try database.ask("DROP TRIGGER die ON cliptag.code")
    #expect(try registry.codes().isEmpty)
    try registry.issue(Fixtures.code(1), by: "Ada")
    #expect(try registry.wholeRecord(named: "").entries == 1)
  }

  /// The transactions of a station in one day.
  private var day: [@Sendable (borrowing RegistryTransaction) throws -> Void] {
    let station = BatchStation(
      holder: BatchClaim.Holder(machine: "a", process: 1, started: "1"), reader: "r", who: "Ada",
      isAlive: { _ in true })
    return [
      { try $0.add(Fixtures.clip) }, { try $0.add(Fixtures.cupertino) },
      { try $0.add(try Fixtures.experience("https://fruta.example.com/order")) },
      { try $0.issue(Fixtures.code(1, place: "cupertino"), by: "Ada") },
      { try $0.record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ada") },
      { _ = try $0.advanceCounter(ofTag: "04E10CDA993C80", to: 7, at: Fixtures.noon) },
      {
        try $0.openBatch("b", [.init(url: "https://a.example.com")], at: Fixtures.noon, by: "Ada")
      },
      { registry in
        let row = try registry.claimNextRow(of: "b", for: station, at: Fixtures.noon)
        _ = try registry.intend(
          try #require(row), .init(uid: "04E10CDA993C80", type: "NTAG215", reader: "r"),
          at: Fixtures.noon, for: station)
      },
      { try $0.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ada") },
    ]
  }

  @Test(
    "a server that dies at any write keeps nothing of it, and the day goes on where it was",
    arguments: [
      "clip", "clip_domain", "place", "experience", "code", "recorder", "code_entry",
      "setting_entry",
      "tag_counter", "batch", "batch_row", "batch_event", "batch_claim",
    ])
  func diesAtEveryWrite(table: String) throws {
    let untouched = try #require(TestServer.shared).registry { address in
      _ = try RegistryLocation.server(address).makeOnServer()
    }
    let other = try RegistryLocation.server(untouched.address, station: "bench 1").open()
    for step in day { try other.write(step) }
    let registry = try database.location.open()
    try database.ask(
      """
      CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
      CREATE TRIGGER a_die BEFORE INSERT OR UPDATE ON cliptag.\(table)
        FOR EACH ROW EXECUTE FUNCTION public.die()
      """)
    var deaths = 0
    for step in day {
      do {
        try registry.write(step)
      } catch {
        #expect(error.code == .unavailable)
        deaths += 1
        try database.ask("DROP TRIGGER a_die ON cliptag.\(table)")
        try registry.write(step)
      }
    }
    #expect(deaths == 1)
    #expect(try registry.wholeRecord(named: "").entries == other.wholeRecord(named: "").entries)
    #expect(try registry.document() == other.document())
    #expect(try registry.codes() == other.codes())
    #expect(
      try registry.batchRows(BatchRowFilter(batch: "b"))
        == other.batchRows(BatchRowFilter(batch: "b")))
    #expect(try registry.batchHistory("b", 1) == other.batchHistory("b", 1))
  }

  @Test(
    "a server that is gone when it should acknowledge a change leaves it unconfirmed, and says so")
  func unconfirmed() throws {
    var line: ServerLine? = try ServerLine(to: database)
    let registry = try RegistryLocation.server(
      try #require(line).address + "&connect_timeout=2", station: "bench 1"
    ).open(busyTimeout: .milliseconds(10))
    let error = #expect(throws: RegistryError.self) {
      try registry.write { registry in
        try registry.issue(Fixtures.code(1), by: "Ada")
        line = nil
      }
    }
    #expect(error?.code == .unconfirmed)
    #expect(error?.hint.contains("pg_xact_status") == true)
    #expect(try database.location.open().codes().isEmpty)
  }

  @Test("a server that is not there is named, without the password")
  func absent() {
    let secret = "postgresql://ada:sEcret%21@127.0.0.1:1/shops?connect_timeout=2"
    let error = #expect(throws: RegistryError.self) { try RegistryLocation.server(secret).open() }
    #expect(error?.code == .unavailable)
    let told = "\(error?.message ?? "") \(error?.hint ?? "") \(error?.path ?? "")"
    #expect(told.contains("postgresql://ada:…@127.0.0.1:1/shops"))
    #expect(!told.contains("sEcret"))
  }

  @Test(
    "no password is shown, however its address is written",
    arguments: [
      ("postgresql://a:b@h/d", "postgresql://a:…@h/d"),
      ("postgres://a:b@c@h/d", "postgres://a:…@h/d"),
      ("postgresql://a:b/c?d@h/x", "postgresql://a:…@h/x"),
      ("postgresql:///d?user=a&password=b&host=/s", "postgresql:///d?user=a&password=…&host=/s"),
      ("postgresql://h/d?sslpassword=b", "postgresql://h/d?sslpassword=…"),
      ("postgresql://h:5432/d", "postgresql://h:5432/d"),
      ("postgresql://a@h/d", "postgresql://a@h/d"),
    ])
  func redacted(address: String, shown: String) {
    #expect(RegistryLocation.named(address).description == shown)
  }

  // MARK: Moving

  /// Creates a file with rows in every table.
  private func file() throws -> String {
    let path = folder.file("from.sqlite")
    let registry = try RegistryLocation.file(path).open()
    try fill(registry)
    try registry.add(try Fixtures.experience("https://fruta.example.com/order"))
    try registry.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    _ = try registry.advanceCounter(ofTag: "04E10CDA993C80", to: 7, at: Fixtures.noon)
    let station = BatchStation(
      holder: BatchClaim.Holder(machine: "a", process: 1, started: "1"), reader: "r", who: "Ada",
      isAlive: { _ in true })
    try registry.write { registry in
      try registry.openBatch(
        "b", [.init(url: "https://a.example.com"), .init(url: "https://b.example.com")],
        at: Fixtures.noon, by: "Ada")
      let row = try registry.claimNextRow(of: "b", for: station, at: Fixtures.noon)
      _ = try registry.intend(
        try #require(row), .init(uid: "04E10CDA993C80", type: "NTAG215", reader: "r"),
        at: Fixtures.noon, for: station)
      try registry.keepAppClipCodeBadge("[]", digest: "d")
    }
    return path
  }

  @Test("a file moves to a server with everything that is in it, and goes on there")
  func moved() throws {
    let server = try #require(TestServer.shared)
    let path = try file()
    let empty = try server.database()
    let target = RegistryLocation.server(empty.address, station: "bench 1")
    let report = try target.takeAll(of: .file(path))
    let (before, after) = (try RegistryLocation.file(path).open(), try target.open())
    #expect(try after.chainHeads() == before.chainHeads())
    #expect(report.entries == 6)
    #expect(try after.document() == before.document())
    #expect(try after.codes() == before.codes())
    #expect(try after.tagCounters() == before.tagCounters())
    #expect(
      try after.batchRows(BatchRowFilter(batch: "b"))
        == before.batchRows(BatchRowFilter(batch: "b")))
    #expect(try after.batchHistory("b", 1) == before.batchHistory("b", 1))
    #expect(try after.appClipCodeBadge(digest: "d") == "[]")
    try after.issue(Fixtures.code(2), by: "Ada")
    #expect(try after.wholeRecord(named: "").heads.count == 2)
    let again = #expect(throws: RegistryError.self) { try target.takeAll(of: .file(path)) }
    #expect(again?.code == .alreadyExists)
  }

  @Test("a file whose record was altered does not move")
  func alteredFile() throws {
    let server = try #require(TestServer.shared)
    let path = try file()
    try DatabaseQueue(path: path).write {
      try $0.executeWithoutGuards("UPDATE code_entry SET who = 'Eve'")
    }
    let empty = try server.database()
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.server(empty.address).takeAll(of: .file(path))
    }
    #expect(error?.code == .brokenRecord)
    #expect(try empty.ask("SELECT count(*) FROM pg_namespace WHERE nspname = 'cliptag'") == "0")
  }

  @Test("what was done in the field with a file that was checked out comes back by a merge")
  func checkedOut() throws {
    let registry = try database.location.open()
    try fill(registry)
    let path = folder.file("field.sqlite")
    _ = try database.location.checkOut(to: path)
    let field = try RegistryLocation.file(path).open()
    #expect(try field.codes() == registry.codes())
    try field.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    try registry.record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ben")
    let report = try registry.merge(field, name: "field")
    #expect(report.added == 1)
    #expect(try registry.code(id: Fixtures.code(1).id)?.status == .retired)
    #expect(try registry.wholeRecord(named: "").entries == 5)
    let again = #expect(throws: RegistryError.self) { try database.location.checkOut(to: path) }
    #expect(again?.code == .alreadyExists)
  }

  @Test("a database restored from a dump begins a chain of its own")
  func restored() throws {
    let registry = try database.location.open()
    try fill(registry)
    let copy = try database.server.copy(of: database)
    let restored = try RegistryLocation.server(copy.address, station: "bench 1").open()
    try restored.record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ben")
    try registry.record(.verified, of: Fixtures.code(1).id, at: Fixtures.noon, by: "Ada")
    #expect(try restored.chainHeads().count == 2)
    #expect(try registry.merge(restored, name: "restored").added == 1)
  }
}
