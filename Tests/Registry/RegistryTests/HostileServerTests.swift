import CPostgreSQL
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Registry

/// Servers that send false data, break the protocol, or stay silent. No behaviour of theirs ends
/// this process or blocks it without limit.
@Suite("Hostile servers", OnThreads(), .timeLimit(.minutes(2)))
struct HostileServerTests {
  private typealias Fake = FakePostgreSQL

  private func connect(
    _ server: FakePostgreSQL, _ rest: String = "", patience: Duration = .seconds(30),
    limit: Int = PostgreSQLConnection.largestResult
  ) throws -> PostgreSQLConnection {
    try PostgreSQLConnection(
      ServerAddress(server.address(rest), station: "bench", patience: patience),
      patience: patience, limit: limit)
  }

  /// Returns a server that answers each group with one column of one row.
  private func server(_ type: Int, _ value: [UInt8]) throws -> FakePostgreSQL {
    try FakePostgreSQL { _, send in
      _ = send(
        Fake.prepared + Fake.columns("x", type: type) + Fake.row(value) + Fake.done + Fake.ready)
    }
  }

  private func trouble(_ body: () throws -> Void) -> ServerTrouble? {
    #expect(throws: ServerTrouble.self, performing: body)
  }

  // MARK: False answers

  @Test(
    "a number that has not the length of its type, or is none, is an error",
    arguments: [
      (20, []), (20, [1, 2, 3]), (20, [UInt8](repeating: 1, count: 9)), (21, [1]),
      (23, [UInt8](repeating: 1, count: 300)), (16, []), (16, [1, 1]), (25, [1, 2, 3, 4]),
      (701, [0x7F, 0xF8, 0, 0, 0, 0, 0, 0]), (701, [0x7F, 0xF0, 0, 0, 0, 0, 0, 0]),
      (701, [1, 2, 3, 4]), (701, []),
    ] as [(Int, [UInt8])])
  func numbers(type: Int, value: [UInt8]) throws {
    let server = try server(type, value)
    defer { server.end() }
    let results = try connect(server).run([.init(sql: "SELECT x")])
    for read in [{ _ = $0.integer("x") }, { _ = $0.number("x") }] as [(any RegistryRow) -> Void] {
      let rows = PostgreSQLRows(results[0])
      read(try #require(try rows.next()))
      let error = #expect(throws: RegistryError.self) { try rows.next() }
      #expect(error?.code == .damaged)
    }
  }

  @Test("a number that is too large for a whole one is an error, and no end of the process")
  func tooLarge() throws {
    let server = try server(701, [0x7F, 0xE0, 0, 0, 0, 0, 0, 0])
    defer { server.end() }
    let rows = PostgreSQLRows(try connect(server).run([.init(sql: "SELECT x")])[0])
    let row = try #require(try rows.next())
    #expect(row.integer("x") == nil)
    #expect(throws: RegistryError.self) { try rows.next() }
  }

  @Test("an answer has a bound", arguments: [1, 100_000])
  func endless(size: Int) throws {
    let server = try FakePostgreSQL { _, send in
      guard send(Fake.prepared + Fake.columns("x", type: 25)) else { return }
      let rows = Array(
        repeatElement(Fake.row([UInt8](repeating: 65, count: size)), count: max(1, 65_536 / size))
          .joined())
      while send(rows) {}
    }
    defer { server.end() }
    let connection = try connect(server, limit: 4 << 20)
    let trouble = trouble { _ = try connection.run([.init(sql: "SELECT x")]) }
    #expect(trouble?.state == ServerTrouble.State.broken)
    #expect(trouble?.isLost == true)
  }

  @Test(
    "what is no answer to what was asked is an error",
    arguments: [
      Fake.ready, Fake.prepared + Fake.ready,
      Fake.prepared + Fake.message("H", [0] + Fake.int16(0)),
      Fake.prepared + Fake.message("G", [0] + Fake.int16(0)),
      Fake.prepared + Fake.done + Fake.prepared + Fake.done + Fake.ready, Fake.message("?"),
    ])
  func strange(bytes: [UInt8]) throws {
    let server = try FakePostgreSQL { _, send in _ = send(bytes) }
    defer { server.end() }
    let connection = try connect(server, patience: .seconds(1))
    #expect(trouble { _ = try connection.run([.init(sql: "SELECT x")]) }?.isLost == true)
  }

  // MARK: Missing answers

  @Test(
    "a server that falls silent is given up",
    arguments: [
      [], Fake.prepared + Fake.columns("x", type: 25),
      Fake.prepared + Fake.columns("x", type: 25) + Fake.row([1, 2, 3]).dropLast(2),
    ])
  func silent(bytes: [UInt8]) throws {
    let server = try FakePostgreSQL { _, send in _ = send(bytes) }
    defer { server.end() }
    let connection = try connect(server, patience: .milliseconds(300))
    let trouble = trouble { _ = try connection.run([.init(sql: "SELECT x")]) }
    #expect(trouble?.state == ServerTrouble.State.silent)
    #expect(trouble?.isLost == true)
  }

  @Test("a server that says a byte now and then is given up, too")
  func dripping() throws {
    let server = try FakePostgreSQL { _, send in
      guard
        send(
          Fake.prepared + Fake.columns("x", type: 25) + Fake.message("D", Fake.int16(1)).prefix(1))
      else { return }
      var (byte, gone) = ([UInt8(0)], pollfd(fd: -1, events: 0, revents: 0))
      while send(byte) {
        byte = [65]
        poll(&gone, 1, 50)
      }
    }
    defer { server.end() }
    let connection = try connect(server, patience: .milliseconds(500))
    #expect(trouble { _ = try connection.run([.init(sql: "SELECT x")]) }?.isLost == true)
  }

  @Test(
    "a server that does not greet is given up, over TLS or not", arguments: ["disable", "require"])
  func unfriendly(mode: String) throws {
    let server = try FakePostgreSQL(.silence)
    defer { server.end() }
    let location = RegistryLocation.server(server.address("&sslmode=\(mode)"))
    let error = #expect(throws: RegistryError.self) {
      try location.open(for: .lookUp, busyTimeout: .milliseconds(300))
    }
    #expect(error?.code == .unavailable)
  }

  // MARK: Passwords

  @Test(
    "no password is given to a server that asks for it in clear", arguments: ["disable", "prefer"])
  func clearPassword(mode: String) throws {
    let server = try FakePostgreSQL(.bytes(Fake.message("R", Fake.int32(3))))
    defer { server.end() }
    let address = server.address("&sslmode=\(mode)", login: "ada:secret")
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.server(address).open(for: .lookUp)
    }
    #expect(error?.code == .unavailable)
    #expect(error?.message.contains("secret") == false)
    #expect(!server.messages.contains(UInt8(ascii: "p")))
  }

  @Test("a server that asks for SCRAM of millions of rounds is refused at once")
  func rounds() throws {
    let server = try FakePostgreSQL(
      .bytes(
        Fake.message("R", Fake.int32(10) + Array("SCRAM-SHA-256\u{0}\u{0}".utf8))
          + Fake.message("R", Fake.int32(11) + Array("r=abc,s=QUJD,i=2147483647".utf8))))
    defer { server.end() }
    let address = server.address("&sslmode=disable", login: "ada:secret")
    #expect(throws: RegistryError.self) { try RegistryLocation.server(address).open(for: .lookUp) }
  }

  @Test(
    "a wrong password and a missing database are named",
    arguments: [
      ("28P01", "password", RegistryError.Code.unavailable), ("28000", "login", .unavailable),
      ("3D000", "no database of that name", .missing),
    ])
  func named(state: String, word: String, code: RegistryError.Code) throws {
    let server = try FakePostgreSQL(.bytes(Fake.error(state, "no")))
    defer { server.end() }
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.server(server.address("&sslmode=disable")).open(for: .lookUp)
    }
    #expect(error?.code == code)
    #expect(error?.message.contains(word) == true)
    #expect(error?.message.contains(state) == true)
    #expect(error?.message.contains("auth.c") == false)
  }

  // MARK: TLS

  /// Returns the value of a setting at each attempt to connect.
  private func setting(_ name: String, _ uri: String) throws -> [String?] {
    let settings = try ServerSettings(ServerAddress(uri, station: "", patience: .seconds(1)))
    return try settings.attempts().map { parameters in
      parameters.last { $0.name == name }?.value
    }
  }

  @Test(
    "a host that is not this machine has to be verified, unless something else was told",
    arguments: [
      ("postgresql://db.example.com/x", "verify-full"),
      ("postgresql://db.example.com/x?sslmode=prefer", "verify-full"),
      ("postgresql://127.example.com/x", "verify-full"),
      ("postgresql://192.0.2.1/x", "verify-full"),
      ("postgresql://localhost/x?hostaddr=192.0.2.1", "verify-full"),
      ("postgresql://db.example.com/x?sslmode=require", nil),
      ("postgresql://db.example.com/x?sslmode=verify-ca", nil), ("postgresql://localhost/x", nil),
      ("postgresql://127.0.0.1/x", nil), ("postgresql://[::1]/x", nil),
      ("postgresql:///x?host=/run/postgresql", nil),
    ])
  func verified(uri: String, mode: String?) throws {
    #expect(try setting("sslmode", uri) == [mode])
    let authorities = try setting("sslrootcert", uri)
    #expect(
      (authorities[0] != nil) == (mode != nil || uri.contains("verify-ca")) || authorities == [nil])
  }

  @Test("a host whose name is looked up for ever is given up in time")
  func slowLookUp() throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    let settings = try settings("postgresql://db.example.com/x?sslmode=disable")
    let trouble = trouble {
      _ = try settings.connect(within: .milliseconds(300)) { _ in
        end.wait()
        return .success(["127.0.0.1"])
      }
    }
    #expect(trouble?.state == ServerTrouble.State.silent)
    #expect(trouble?.message.contains("db.example.com") == true)
  }

  @Test("each address of a name is tried, and a name without one is named")
  func lookedUp() throws {
    let server = try FakePostgreSQL()
    defer { server.end() }
    let settings = try settings("postgresql://db.example.com:\(server.port)/x?sslmode=disable")
    // The server listens at one address alone.
    let handle = try settings.connect(within: .seconds(30)) { name in
      .success(name == "db.example.com" ? ["127.0.0.2", "127.0.0.1"] : [])
    }
    cpostgresql_finish(handle)
    let unknown = trouble {
      _ = try self.settings("postgresql://nowhere.invalid/x").connect(within: .seconds(30)) {
        .failure(ServerTrouble(state: "", message: "the host \($0) has no address", isLost: true))
      }
    }
    #expect(unknown?.message == "the host nowhere.invalid has no address")
    guard case .failure(let trouble) = HostLookup.system(String(repeating: "a", count: 64)) else {
      Issue.record("a name that is too long has an address")
      return
    }
    #expect(trouble.message.contains(" has no address: "))
    #expect(HostLookup.isAddress("127.0.0.1") && HostLookup.isAddress("::1"))
    #expect(!HostLookup.isAddress("localhost"))
  }

  private func settings(_ uri: String) throws -> ServerSettings {
    try ServerSettings(ServerAddress(uri, station: "bench", patience: .seconds(30)))
  }

  @Test("of several hosts each has its own rule, and one that takes changes is tried first")
  func several() throws {
    let uri = "postgresql://localhost,db.example.com:5433/x"
    #expect(try setting("sslmode", uri) == [nil, "verify-full", nil, "verify-full"])
    #expect(
      try setting("host", uri) == ["localhost", "db.example.com", "localhost", "db.example.com"])
    #expect(try setting("target_session_attrs", uri) == ["primary", "primary", nil, nil])
    #expect(
      try setting("target_session_attrs", uri + "?target_session_attrs=standby") == [nil, nil])
  }

  @Test("where libpq cannot refuse it, a password for another machine goes by TLS alone")
  func passwordElsewhere() throws {
    let uri = "postgresql://ada:secret@db.example.com/x"
    let mayRefuse = try !setting("require_auth", "postgresql://ada:s@localhost/x").contains(nil)
    #expect(try setting("sslmode", uri) == ["verify-full"])
    if mayRefuse {
      #expect(try setting("require_auth", uri + "?sslmode=require") == ["!password"])
    } else {
      #expect(try setting("channel_binding", uri + "?sslmode=require") == ["require"])
      #expect(throws: ServerTrouble.self) { try setting("sslmode", uri + "?sslmode=disable") }
    }
  }

  @Test("an address that libpq does not understand is refused in its words, without the password")
  func nonsense() throws {
    let error = #expect(throws: RegistryError.self) {
      try RegistryLocation.server("postgresql://ada:secret@localhost/x?nonsense=1").open(
        for: .lookUp)
    }
    #expect(error?.message.contains("nonsense") == true)
    #expect(error?.message.contains("secret") == false)
  }
}
