import CliptagBasics
import Foundation
import Invocation
import RegistryFixtures
import TagAuthenticity
import TestSupport
import Testing

@testable import Registry

/// Attacks by logins with few or no rights on a registry on a server, in SQL.
@Suite(
  "Attacks on a registry in PostgreSQL",
  .enabled(if: TestServer.shared != nil, "make test starts the server"))
struct PostgreSQLAttackTests {
  let folder: TemporaryFolder
  let database: TestDatabase
  let anna: String

  init() throws {
    folder = try TemporaryFolder()
    database = try folder.database()
    anna = try database.login("station")
  }

  private func open(as login: String? = nil) throws -> any RegistryStore {
    let address = login.map { database.address(as: $0) } ?? database.address
    return try RegistryLocation.server(address, station: "bench 1").open()
  }

  private func ask(_ sql: String, as login: String) throws -> String {
    try database.server.ask(sql, at: database.address(as: login))
  }

  private func expectRefused(_ sql: String, as login: String, _ why: String = "") {
    let error = #expect(throws: TestServer.Refused.self, "\(sql)") { try ask(sql, as: login) }
    #expect(error?.description.contains(why) == true, "\(error?.description ?? "")")
  }

  /// The statement that adds an entry about a code, as an attacker who knows the tables writes it.
  private func insertion(_ entry: RecordEntry, hash: EntryHash? = nil) -> String {
    """
    INSERT INTO cliptag.code_entry SELECT key, \(entry.number), '\\x\(entry.previous)',
      '\\x\(hash ?? entry.hash)', '\(entry.subject)', \(entry.milliseconds), '\(entry.kind)',
      '\(entry.who)', '\(FlatJSON.text(entry.details))', \(entry.isAdopted), false
    FROM cliptag.recorder WHERE id = '\(entry.recorder)'
    """
  }

  private func entry(by who: String, after head: ChainHead) throws -> RecordEntry {
    try RecordEntry(
      of: CodeEvent(
        code: Fixtures.code(1).id, sequence: 0, time: Fixtures.noon, kind: .verified, who: who,
        details: ["é": "1\"/\\n", "a": "b"]), after: head, by: head.recorder)
  }

  // MARK: The record

  @Test("a station adds to its own chain, in its own name, what its hash says, and nothing else")
  func ownChain() throws {
    let registry = try open(as: anna)
    try registry.issue(Fixtures.code(1), by: "Anna")
    #expect(try registry.history(of: Fixtures.code(1).id).map(\.who) == ["\(anna) (Anna)"])
    let head = try #require(try registry.chainHeads().first)
    for who in ["headquarters", "\(anna)x", "cliptag (\(anna))", " \(anna)", ""] {
      expectRefused(insertion(try entry(by: who, after: head)), as: anna, "names the login")
    }
    let right = try entry(by: "\(anna) (Ben)", after: head)
    expectRefused(insertion(right, hash: head.hash), as: anna, "hash of an entry")
    expectRefused(
      insertion(right).replacing("b\"", with: "c\""), as: anna, "hash of an entry")
    _ = try ask(insertion(right), as: anna)
    #expect(try registry.wholeRecord(named: "").entries == 2)
  }

  @Test("a chain that has no login, because it was merged or left, is gone on with by no station")
  func foreignChain() throws {
    let registry = try open(as: anna)
    try registry.issue(Fixtures.code(1), by: "Anna")
    try registry.write { try $0.leaveOwnChain() }
    let file = try RegistryLocation.file(folder.file("other.sqlite")).open()
    try file.issue(Fixtures.code(2), by: "headquarters")
    _ = try open().merge(file, name: "other")
    for head in try registry.chainHeads() {
      for who in ["headquarters", anna] {
        expectRefused(insertion(try entry(by: who, after: head)), as: anna, "vouch")
      }
    }
    #expect(try registry.wholeRecord(named: "").entries == 2)
  }

  @Test("a station merges what a checkpoint of a trusted key covers; the owner anything")
  func merges() throws {
    let key = try Ed25519PrivateKey()
    try open().trust(try key.publicKey(), named: "field", at: Fixtures.noon, by: "Ada")
    let registry = try open(as: anna)
    let file = try RegistryLocation.file(folder.file("other.sqlite")).open()
    try file.issue(Fixtures.code(2), by: "field")
    let checkpoint = try Checkpoint(time: Fixtures.noon, heads: file.chainHeads()).signed(with: key)
    for isRehearsal in [true, false] {
      let error = #expect(throws: RegistryError.self) {
        try registry.merge(file, name: "other", trusting: .everybody, dryRun: isRehearsal)
      }
      #expect(error?.code == .notPermitted)
    }
    let trust = MergeTrust.checkpoints([SignedCheckpoint(Array(checkpoint.utf8), name: "c")])
    #expect(try registry.merge(file, name: "other", trusting: trust).added == 1)
    // The checkpoint does not cover a later entry.
    try file.record(.read, of: Fixtures.code(2).id, at: Fixtures.noon, by: "field")
    let error = #expect(throws: RegistryError.self) {
      try registry.merge(file, name: "other", trusting: trust)
    }
    #expect(error?.code == .untrustedRecord)
    #expect(try open().merge(file, name: "other", trusting: .everybody).added == 1)
  }

  @Test("the server checks signatures as OpenSSL does, and takes no checkpoint of a stranger's")
  func signatures() throws {
    for seed in 0..<6 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let key = try Ed25519PrivateKey()
      let message = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let signature = try key.signature(of: message)
      var wrong = signature
      wrong[Int.random(in: 0..<64, using: &generator)] ^=
        1 << UInt8.random(in: 0..<8, using: &generator)
      let text = String(decoding: try key.publicKey().pem(), as: UTF8.self).split(separator: "\n")
      let bytes = try #require(Data(base64Encoded: text.dropFirst().dropLast().joined()))
      func answer(_ signature: [UInt8], _ message: [UInt8]) throws -> String {
        try database.ask(
          """
          SELECT cliptag.verifies('\\x\(bytes.suffix(32).hexadecimal)', '\\x\(signature.hexadecimal)',
            '\\x\(message.hexadecimal)')
          """)
      }
      #expect(try answer(signature, message) == "t")
      #expect(try answer(wrong, message) == "f")
      #expect(try answer(signature, message + [0]) == "f")
    }
    let checkpoint = try Checkpoint(time: Fixtures.noon, heads: []).signed(
      with: Ed25519PrivateKey())
    expectRefused(
      "SELECT cliptag.vouch(convert_to('\(checkpoint)', 'UTF8'))", as: anna, "no trusted key")
  }

  @Test("nobody takes the place of another station in advance, or puts stops to its walk")
  func places() throws {
    let mallory = try database.login("station", name: "mallory")
    let home = try open(as: anna).read { $0.session.home }
    expectRefused(
      "INSERT INTO cliptag.recorder (id, home) VALUES ('\(Recorder())', '\(home)')", as: mallory,
      "begun by its login")
    let walk = try open(as: anna).begin("night", by: "Anna", at: Fixtures.noon)
    #expect(walk.who == "\(anna) (Anna)")
    expectRefused(
      """
      INSERT INTO cliptag.walk_stop (walk, number, time, kind, source, unread, readings, pictured)
      SELECT key, 1, 0, 'tag', 'x', 0, 0, false FROM cliptag.walk
      """, as: mallory, "gone on with by who began it")
    expectRefused(
      "INSERT INTO cliptag.batch VALUES ('b', 0, 'headquarters')", as: mallory, "names the login")
  }

  @Test(
    "a row that nobody could read is not taken",
    arguments: [
      """
      INSERT INTO cliptag.code (id, payload, carrier, created, registered, status)
      VALUES ('c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E', 'x', 'smoke', 0, true, 'issued')
      """,
      """
      INSERT INTO cliptag.code (id, payload, carrier, created, registered, status)
      VALUES ('c-1', 'x', 'qr', 0, true, 'issued')
      """,
      "INSERT INTO cliptag.recorder (id) VALUES ('x')",
    ])
  func unknownValues(sql: String) { expectRefused(sql, as: anna, "_is_known") }

  @Test(
    "a station changes a setting, a counter, a code and a row of a batch only with an entry, in the same transaction",
    arguments: [
      "UPDATE cliptag.place SET latitude = 1", "DELETE FROM cliptag.place",
      "UPDATE cliptag.place SET id = 'elsewhere'",
      "INSERT INTO cliptag.place (id, name, latitude, longitude, radius) VALUES ('a', 'A', 1, 2, 3)",
      "UPDATE cliptag.clip SET location_confirmation = false", "DELETE FROM cliptag.clip_domain",
      "DELETE FROM cliptag.tag_counter", "UPDATE cliptag.tag_counter SET counter = 99",
      "INSERT INTO cliptag.tag_counter VALUES ('04BB', 1, 1)",
      "UPDATE cliptag.code SET status = 'retired'",
      """
      INSERT INTO cliptag.code (id, payload, carrier, created, registered, status)
      VALUES ('c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E', 'x', 'qr', 0, true, 'issued')
      """,
      "UPDATE cliptag.batch_row SET state = 'skipped'",
    ])
  func pairs(sql: String) throws {
    let registry = try open(as: anna)
    try registry.add(Fixtures.clip)
    try registry.add(Fixtures.cupertino)
    try registry.write { registry in
      _ = try registry.advanceCounter(ofTag: "04AA", to: 1, at: Fixtures.noon)
      _ = try registry.openBatch(
        "tags", [BatchRow.Order(url: "https://fruta.example.com/order")], at: Fixtures.noon,
        by: "Anna")
    }
    try registry.issue(Fixtures.code(1), by: "Anna")
    expectRefused(sql, as: anna, "only with its e")
    #expect(try registry.findings() == [])
    // What the owner repaired is found, and a code that he retired can be mended.
    try database.ask(sql)
    guard sql.contains("status = 'retired'") else { return }
    #expect(try registry.findings().map(\.code) == [.statusAltered])
    try registry.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Anna")
    #expect(try registry.findings() == [])
    #expect(throws: RegistryError(.alreadyRetired, "", hint: "")) {
      try registry.retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Anna")
    }
  }

  @Test("no station calls another's entries merged")
  func merged() throws {
    let registry = try open(as: anna)
    try registry.add(Fixtures.cupertino)
    let mallory = try database.login("station", name: "mallory")
    expectRefused("UPDATE cliptag.recorder SET merged = 1", as: mallory, "append-only")
    expectRefused("UPDATE cliptag.recorder SET merged = 1", as: anna, "append-only")
    try registry.write { try $0.leaveOwnChain() }
    expectRefused("UPDATE cliptag.recorder SET merged = 1", as: mallory, "append-only")
    expectRefused(
      "INSERT INTO cliptag.recorder (id, merged) VALUES ('\(Recorder())', 1)", as: mallory, "begun")
  }

  // MARK: The lock

  @Test("a login without a role holds up no writer, and hears of nothing")
  func strangers() throws {
    let stranger = "stranger_\(database.name)"
    try database.ask("CREATE ROLE \(stranger) LOGIN")
    let reader = try database.login("reader")
    let registry = try open(as: anna)
    for login in [stranger, reader] {
      for sql in [
        "LOCK TABLE cliptag.turn IN ROW SHARE MODE", "LOCK TABLE cliptag.code IN SHARE MODE",
        "SELECT cliptag.take_turn()",
      ] { expectRefused("BEGIN; \(sql); COMMIT", as: login, "permission denied") }
    }
    expectRefused("SELECT channel FROM cliptag.meta", as: stranger, "permission denied")
    let before = try registry.changeNumber()
    // The lock's number from before it needed a right, and the channel.
    let holder = try ChildProgram(
      [
        "psql", database.address(as: stranger), "-qAtc",
        "SELECT pg_advisory_lock(1668051060); NOTIFY cliptag; SELECT pg_sleep(600)",
      ], output: "/dev/null")
    defer { holder.end() }
    while try database.ask("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") == "0" {}
    #expect(try registry.changeNumber() == before)
    try registry.issue(Fixtures.code(1), by: "Anna")
    #expect(try registry.codes().count == 1)
  }

  @Test("who waited in vain for a writer is told which login it is")
  func holder() throws {
    let registry = try open(as: anna)
    let other = try database.location.open(busyTimeout: .milliseconds(50))
    try registry.write { registry in
      try registry.add(Fixtures.cupertino)
      let error = #expect(throws: RegistryError.self) { try other.add(Fixtures.sanFrancisco) }
      #expect(error?.code == .locked)
      #expect(error?.message.contains("“\(anna)”") == true, "\(error?.message ?? "")")
    }
  }

  @Test("the server ends who holds the lock and does nothing, as soon as its owner says")
  func idle() throws {
    try database.ask("UPDATE cliptag.meta SET idle_limit = 100")
    let registry = try open(as: anna)
    let error = #expect(throws: RegistryError.self) {
      try registry.write { registry in
        try registry.add(Fixtures.cupertino)
        while try database.ask(
          "SELECT count(*) FROM pg_locks WHERE mode = 'ExclusiveLock' "
            + "AND relation = 'cliptag.turn'::regclass") != "0"
        {}
      }
    }
    #expect(error?.code == .unavailable)
    #expect(try registry.places().isEmpty)
  }

  // MARK: Objects that exist before

  @Test("nothing of a stranger's runs for whoever makes, opens or upgrades a registry")
  func trap() throws {
    let trap = try database.server.database()
    let mallory = "mallory_\(trap.name)"
    try trap.ask(
      "CREATE ROLE \(mallory) LOGIN; GRANT CREATE ON DATABASE \(trap.name) TO \(mallory)")
    try database.server.ask(
      """
      CREATE SCHEMA cliptag; GRANT USAGE ON SCHEMA cliptag TO public;
      CREATE FUNCTION cliptag.rise() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
        EXECUTE 'ALTER ROLE \(mallory) SUPERUSER'; RETURN 11; END $$;
      CREATE VIEW cliptag.meta AS SELECT cliptag.rise() AS version;
      GRANT SELECT ON cliptag.meta TO public;
      """, at: trap.address(as: mallory))
    let location = RegistryLocation.server(trap.address)
    for work in [
      { _ = try location.makeOnServer() }, { _ = try location.open() },
      { _ = try location.open(for: .lookUp) }, { _ = try location.upgrade() },
    ] as [() throws -> Void] {
      let error = #expect(throws: RegistryError.self) { try work() }
      #expect(error?.code == .notARegistry)
    }
    // The same as the schema of a role without a login.
    try trap.ask(
      "CREATE ROLE nobody_\(trap.name); ALTER SCHEMA cliptag OWNER TO nobody_\(trap.name)")
    #expect(throws: RegistryError(.notARegistry, "", hint: "")) { try location.makeOnServer() }
    #expect(try trap.ask("SELECT rolsuper FROM pg_roles WHERE rolname = '\(mallory)'") == "f")
    try trap.ask("DROP SCHEMA cliptag CASCADE")
  }

  @Test(
    "a registry that its owner built otherwise is refused, with what is other",
    arguments: [
      (
        """
        CREATE OR REPLACE FUNCTION cliptag.chain_goes_on() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RETURN NEW; END $$
        """, "the function “chain_goes_on” differs"
      ),
      (
        "CREATE FUNCTION cliptag.length(name) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "the function “length” is foreign"
      ),
      (
        "ALTER TABLE cliptag.code DISABLE TRIGGER code_is_only_retired",
        "“code_is_only_retired” differs"
      ),
      (
        """
        DROP TRIGGER code_is_only_retired ON cliptag.code;
        CREATE TRIGGER code_is_only_retired BEFORE UPDATE ON cliptag.code FOR EACH ROW
          WHEN (false) EXECUTE FUNCTION cliptag.code_is_retired()
        """, "“code_is_only_retired” differs"
      ),
      ("ALTER TABLE cliptag.code DROP CONSTRAINT code_is_known", "“code_is_known” is missing"),
      (
        "CREATE RULE r AS ON INSERT TO cliptag.place DO ALSO NOTIFY x",
        "the table “place” differs"
      ),
      ("CREATE VIEW cliptag.seen AS SELECT 1 AS one", "the table “seen” is foreign"),
      ("ALTER TABLE cliptag.place ENABLE ROW LEVEL SECURITY", "the table “place” differs"),
      (
        """
        CREATE FUNCTION public.evil(text) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true';
        ALTER TABLE cliptag.place ADD CHECK (public.evil(name))
        """, "evil(text) is foreign"
      ),
    ])
  func altered(sql: String, told: String) throws {
    try database.ask(sql)
    let error = #expect(throws: RegistryError.self) { try database.location.open(for: .lookUp) }
    #expect(error?.code == .altered)
    #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
  }

  // MARK: Formats

  /// Creates a registry in the first format on servers.
  private func first() throws -> TestDatabase {
    let old = try database.server.database()
    let owner = "\(old.name)_owner"
    let roles =
      ["owner", "station", "reader"].map { "CREATE ROLE \(old.name)_\($0);" } + [
        "GRANT \(old.name)_reader TO \(old.name)_station;"
      ]
    let files = [("door.pdf", 1), ("counter.pdf", 2), ("door.svg", 3)]
    let prints: [String] = files.map { output, number in
      """
      INSERT INTO code_entry (recorder, number, previous, hash, code, time, kind, who, details,
        adopted, begins)
      VALUES (99, \(number), sha256(''), sha256(''), '\(Fixtures.code(7).id)', \(number), 'issued',
        'Ada', '{"output":"\(output)"}', false, \(number == 1));
      """
    }
    try old.ask(
      (roles + [
        "CREATE SCHEMA cliptag AUTHORIZATION \(owner);", "SET ROLE \(owner);",
        "SET search_path = cliptag;",
      ] + PostgreSQLSchema.first.map { $0 + ";" }
        + [
          "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;",
          "CREATE TRIGGER old BEFORE DELETE ON code FOR EACH ROW EXECUTE FUNCTION refuse();",
          "INSERT INTO place (id, name, latitude, longitude, radius) VALUES ('a', 'A', 1, 2, 3);",
          """
          INSERT INTO recorder (key, id) OVERRIDING SYSTEM VALUE VALUES (99, '\(UUID())');
          INSERT INTO code (id, payload, carrier, created, registered, status)
          VALUES ('\(Fixtures.code(7).id)', 'https://a.example.com', 'qr', 1, true, 'issued');
          """,
        ] + prints).joined(separator: "\n"))
    return old
  }

  @Test("an older format is named, tried without keeping it, and brought up to date by its owner")
  func upgraded() throws {
    let old = try first()
    let location = RegistryLocation.server(old.address, station: "bench 1")
    for work in [{ _ = try location.open() }, { _ = try location.makeOnServer() }]
      as [() throws -> Void]
    {
      let error = #expect(throws: RegistryError.self) { try work() }
      #expect(error?.code == .olderVersion)
    }
    let tried = try location.upgrade(isRehearsal: true)
    #expect(
      tried.from == 11 && tried.to == RegistryFormat.current && tried.steps.count == tried.to - 11)
    #expect(throws: RegistryError(.olderVersion, "", hint: "")) { try location.open() }
    #expect(try location.upgrade() == tried)
    let registry = try location.open()
    #expect(try registry.places().map(\.id) == ["a"])
    #expect(
      try registry.items(of: Fixtures.code(7)).map(\.output) == ["counter.pdf", "door.svg"])
    try registry.issue(Fixtures.code(1), by: "Ada")
    #expect(try location.upgrade().steps.isEmpty)
    // The registry is then like a new one: the catalog compares its parts, and its roles have their
    // rights.
    try old.ask("CREATE ROLE s_\(old.name) LOGIN; GRANT \(old.name)_station TO s_\(old.name)")
    let station = RegistryLocation.server(old.address(as: "s_\(old.name)"), station: "bench 2")
    try station.open().retire(Fixtures.code(1).id, at: Fixtures.noon, by: "Ben")
  }

  @Test("a newer format is named, and nothing of it is looked at")
  func newer() throws {
    try database.ask("UPDATE cliptag.meta SET version = 99")
    let error = #expect(throws: RegistryError.self) { try database.location.upgrade() }
    #expect(error?.code == .newerVersion)
    #expect(error?.message.contains("99") == true)
  }
}

extension TestDatabase {
  /// Creates a login with a role of the database.
  func login(_ role: String, name: String? = nil) throws -> String {
    let login = "\(name ?? role)_\(self.name)"
    // The roles are those of the template of which this database is a copy.
    let granted = try ask(
      """
      SELECT regexp_replace(pg_get_userbyid(relowner), '_owner$', '_\(role)') FROM pg_class
      WHERE oid = 'cliptag.meta'::regclass
      """)
    try ask("CREATE ROLE \(login) LOGIN; GRANT \"\(granted)\" TO \(login)")
    return login
  }
}
