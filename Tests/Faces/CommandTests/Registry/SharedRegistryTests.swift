import Foundation
import SimulatedReader
import Subprocess
import TestSupport
import Testing

/// A registry on a server, as people use it.
extension CommandSuite {
  @Suite(
    "A registry for many stations",
    .enabled(if: TestServer.shared != nil, "make test starts the server"))
  struct SharedRegistryTests {
    let database: TestDatabase

    init() throws { database = try #require(TestServer.shared).database() }

    @Test("it is made, filled, issued from by name, followed into the field and brought back")
    func wholeWay() async throws {
      let sandbox = try await Sandbox.withFruta()
      let place = ["--registry", database.address]
      let made = try await sandbox.run(["registry", "init", "--json"] + place)
      #expect(made.status == 0)
      #expect(try made.lines("init").first?["station"] == .string("\(database.name)_station"))
      let moved = try await sandbox.run("registry", "move", sandbox.registry, database.address)
      #expect(moved.status == 0)
      #expect(moved.errors.contains("wait until the end"))
      #expect(try await sandbox.run(["check", Fruta.cupertino] + place).status == 0)
      let sign = ["qr", Fruta.cupertino, "-o", "a.svg", "--by", "Ada Lovelace", "--json"]
      let issued = try await sandbox.run(sign + place)
      #expect(issued.status == 0)
      let code = try #require(try issued.lines.first?["code"].text)
      let shown = try await sandbox.run(["code", "show", code] + place)
      #expect(shown.output.contains("cliptag (Ada Lovelace)"))
      #expect(try await sandbox.run(["registry", "checkout", "field.sqlite"] + place).status == 0)
      let noted = try await sandbox.run(
        "code", "note", code, "--kind", "installed", "--registry", sandbox.path("field.sqlite"))
      #expect(noted.status == 0)
      let merged = try await sandbox.run(
        ["code", "merge", "--accept-unsigned", "field.sqlite"] + place)
      #expect(merged.status == 0, "\(merged.errors)")
      let told = try await sandbox.run(["code", "show", code] + place)
      #expect(told.output.contains("installed"))
      #expect(try await sandbox.run(["code", "verify"] + place).status == 0)
    }

    @Test("codes are followed as others go on with them, until that is interrupted")
    func followed() async throws {
      let sandbox = try Sandbox()
      let place = ["--registry", database.address]
      try await sandbox.run(["registry", "init"] + place)
      let sign = ["qr", Fruta.cupertino, "-o", "a.svg", "--unregistered"]
      try await sandbox.run(sign + place)
      let outcome = try await sandbox.start(["code", "list", "--follow", "--json"] + place) {
        command in
        let first = try await command.line()
        try await sandbox.run(
          ["qr", Fruta.sanFrancisco, "-o", "b.svg", "--unregistered"] + place)
        let second = try await command.line()
        #expect(first?.contains(Fruta.cupertino) == true)
        #expect(second?.contains(Fruta.sanFrancisco) == true)
        try command.send(.interrupt)
      }
      #expect(outcome.status == 130)
    }

    @Test("a tag of a batch costs eight turns of the line to a server at most")
    func turnsOfATag() async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.run("registry", "init", "--registry", database.address)
      try await sandbox.run(
        "registry", "import", Repository.path("Samples/fruta/registry.yaml"), "--registry",
        database.address)
      func turns(_ batch: String, of count: Int, firstUID: UInt8) async throws -> Int {
        let rows = (1...count).map { "https://fruta.example.com/order/cupertino/\(batch)/\($0)\n" }
        try sandbox.write("url\n" + rows.joined(), to: "\(batch).csv")
        let line = try ServerLine(to: database)
        let reader = try SimulatedReader(
          deck: SimulatedDeck(.ntag213, count: count, firstUID: [4, 1, 2, 3, 4, firstUID, 1]))
        let outcome = try await sandbox.tag(
          "batch", "\(batch).csv", "--timeout", "60", "--registry", line.address, "--json",
          on: reader)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(try outcome.lines("write").count == count)
        return try line.turns()
      }
      let few = try await turns("few", of: 2, firstUID: 1)
      let more = try await turns("more", of: 7, firstUID: 2)
      #expect(more - few <= 5 * 8, "\(more - few) turns for 5 tags")
    }

    @Test("a station's requests share its connections to the server, until another person works")
    func connections() async throws {
      let sandbox = try Sandbox()
      let place = ["--registry", database.address]
      try await sandbox.run(["registry", "init"] + place)
      try await sandbox.run(["qr", Fruta.cupertino, "-o", "a.svg", "--unregistered"] + place)
      let database = database
      try await sandbox.station(place) { station in
        let code = try #require(
          try await station.client.get("/api/codes").results("code").first?["code"].text)
        func note() async throws -> JSON {
          try await station.client.post("/api/codes/\(code)/note", ["kind": "installed"])
        }
        #expect(try await note()["status"] == 0)
        try database.server.ask("ALTER DATABASE \(database.name) ALLOW_CONNECTIONS false")
        #expect(try await note()["status"] == 0)
        #expect(try await station.client.get("/api/codes").results("code").count == 1)
        #expect(try await station.client.post("/api/who", ["by": "Ada"])["who"] == "Ada")
        #expect(try await note()["status"] == 69)
        try database.server.ask("ALTER DATABASE \(database.name) ALLOW_CONNECTIONS true")
        #expect(try await note()["status"] == 0)
      }
      let history = try await sandbox.run(["code", "list", "--json"] + place)
      #expect(history.status == 0)
    }

    @Test("a station goes on after its connections were ended, and refuses a newer format")
    func endedAndUpgraded() async throws {
      let sandbox = try Sandbox()
      let place = ["--registry", database.address]
      try await sandbox.run(["registry", "init"] + place)
      let database = database
      try await sandbox.station(place) { station in
        let client = station.client
        #expect(try await client.get("/api/places")["status"] == 0)
        try database.server.disconnect(database)
        #expect(try await client.get("/api/places")["status"] == 0)
        let version = try database.ask("SELECT version FROM cliptag.meta")
        try database.ask("UPDATE cliptag.meta SET version = version + 1")
        let refused = try await client.get("/api/places")
        #expect(refused.results("error").first?["code"] == "registry-newer", "\(refused)")
        try database.ask("UPDATE cliptag.meta SET version = \(version)")
        #expect(try await client.get("/api/places")["status"] == 0)
      }
    }

    @Test("a station whose clock is three days behind holds its claims by the server's clock")
    func claims() async throws {
      let sandbox = try Sandbox()
      let place = ["--registry", database.address]
      try await sandbox.run(["registry", "init"] + place)
      try sandbox.write("url\n\(Fruta.cupertino)\n", to: "tables.csv")
      let reader = try SimulatedReader(tag: nil)
      // `faketime` waits for its command and passes no signal on: a batch that is left behind would wait for
      // its reader, and take another test's port of the same number.
      let batch = """
        exec faketime -f -3d sh -c 'echo $$ >batch.pid; exec cliptag tag batch tables.csv --unregistered "$@"' \
          sh "$@"
        """
      let process = { @Sendable in
        let written = try #require(sandbox.bytes(of: "batch.pid"))
        return try #require(pid_t(String(decoding: written.dropLast(), as: UTF8.self)))
      }
      _ = try await sandbox.startShell(
        batch, place + ["--reader", reader.connectionString]
      ) { _ in
        while try database.ask("SELECT count(*) FROM cliptag.batch_claim") == "0" {}
        let isNow = try database.ask(
          """
          SELECT abs(extract(epoch FROM now()) * 1000 - renewed) < 3600000 FROM cliptag.batch_claim
          """)
        #expect(isNow == "t")
        #expect(kill(try process(), SIGINT) == 0)
      }
      #expect(kill(try process(), 0) == -1, "the batch has ended")
    }

    @Test("a registry of the current format needs no upgrade, and a missing one has none")
    func upgrade() async throws {
      let sandbox = try await Sandbox.withFruta()
      let place = ["--registry", database.address]
      #expect(try await sandbox.run(["registry", "upgrade"] + place).status == 66)
      try await sandbox.run(["registry", "init"] + place)
      for location in [place, ["--registry", sandbox.registry]] {
        for flags in [["--dry-run"], []] {
          let outcome = try await sandbox.run(["registry", "upgrade", "--json"] + location + flags)
          #expect(outcome.status == 0)
          let line = try #require(try outcome.lines("upgrade").first)
          #expect(line["from"] == line["to"] && line["steps"] == .array([]))
        }
      }
    }

    @Test("a database without a registry is a missing one, whatever is done")
    func missing() async throws {
      let sandbox = try Sandbox()
      for command in [["check", Fruta.cupertino], ["qr", Fruta.cupertino, "-o", "a.svg"]] {
        let outcome = try await sandbox.run(command + ["--registry", database.address, "--json"])
        #expect(outcome.status == 66)
        #expect(try outcome.errorCodes == ["no-registry"])
      }
      #expect(sandbox.bytes(of: "a.svg") == nil)
    }

    @Test("a server that does not answer is 69 without the password, and no file is made")
    func absent() async throws {
      let sandbox = try Sandbox()
      let address = "postgresql://ada:sEcret@127.0.0.1:1/shops"
      let outcome = try await sandbox.run(
        "qr", Fruta.cupertino, "-o", "a.svg", "--unregistered", "--json",
        environment: ["CLIPTAG_REGISTRY": address])
      #expect(outcome.status == 69)
      #expect(try outcome.errorCodes == ["registry-unavailable"])
      #expect(!(outcome.output + outcome.errors).contains("sEcret"))
      #expect(sandbox.bytes(of: "a.svg") == nil)
    }

    @Test("a server's registry is backed up by PostgreSQL's own tools, and the command says so")
    func backup() async throws {
      let sandbox = try Sandbox()
      let place = ["--registry", database.address]
      try await sandbox.run(["registry", "init"] + place)
      let outcome = try await sandbox.run(["registry", "backup", "a.sqlite"] + place)
      #expect(outcome.status == 78)
      #expect(outcome.errors.contains("pg_dump"))
    }

    /// Runs a script beside a second server: `$base` is the address of its first database, `$shops`
    /// that of one with the name `$1`, and `$anna` the same as another login.
    private func besideAnotherServer(
      _ sandbox: Sandbox, _ script: String
    ) async throws -> Outcome {
      let addresses = """
        set -eu
        base=$CLIPTAG_TEST_POSTGRESQL
        shops="postgresql:///$1?${base#*\\?}"
        anna="${shops%user=*}user=anna"
        PATH="$PATH:/usr/bin"
        ask() { psql -XqAt -v ON_ERROR_STOP=1 "$@"; }

        """
      try sandbox.write(addresses + script, to: "script.sh")
      return try await sandbox.shell(
        "exec \"$1\" /bin/sh script.sh \"$2\"",
        Repository.path("Tests/Scripts/with-postgresql.sh"), database.name)
    }

    /// A registry with a code, a checkpoint and a dump.
    private func dumped() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      let place = ["--registry", database.address]
      for command in [
        ["registry", "move", sandbox.registry, database.address],
        ["qr", Fruta.cupertino, "-o", "a.svg"] + place,
        ["code", "checkpoint", "--make-key", "record.key"],
        ["code", "checkpoint", "--key", "record.key", "-o", "record.checkpoint"] + place,
      ] {
        let outcome = try await sandbox.run(command)
        try #require(outcome.status == 0, "\(command): \(outcome.errors)")
      }
      let dump = try await sandbox.shell(
        "PATH=\"$PATH:/usr/bin\" pg_dump -Fc -d \"$1\" -f shops.dump", database.address)
      try #require(dump.status == 0, "\(dump.errors)")
      return sandbox
    }

    @Test(
      "a dump that is restored on another server as the manual says has its owner, its roles and its record"
    )
    func restoredElsewhere() async throws {
      let sandbox = try await dumped()
      let restored = try await besideAnotherServer(
        sandbox,
        """
        ask "$base" -c "CREATE DATABASE $1"
        ask "$base" -c "CREATE ROLE $1_owner; CREATE ROLE $1_station; CREATE ROLE $1_reader"
        pg_restore -d "$shops" shops.dump
        cliptag registry init "$shops"
        ask "$shops" -c "CREATE ROLE anna LOGIN; GRANT $1_station TO anna"
        cliptag code verify --checkpoint record.checkpoint --public-key record.key.pub --registry "$shops"
        cliptag qr \(Fruta.sanFrancisco) -o b.svg --registry "$anna"
        cliptag code verify --registry "$anna"
        ask "$shops" -c "SELECT 'owner ' || nspowner::regrole FROM pg_namespace WHERE nspname = 'cliptag'"
        ask "$shops" -c "SELECT 'chains ' || count(*) FROM cliptag.recorder WHERE home IS NOT NULL"
        cliptag code export --format jsonl -o elsewhere.jsonl --registry "$shops"
        """)
      #expect(restored.status == 0, "\(restored.errors)\n\(restored.output)")
      #expect(restored.output.contains("owner \(database.name)_owner"), "\(restored.output)")
      #expect(restored.output.contains("chains 1\n"), "\(restored.output)")
      let place = ["--registry", database.address]
      let merged = try await sandbox.run(
        ["code", "merge", "--accept-unsigned", "elsewhere.jsonl"] + place)
      #expect(merged.status == 0, "\(merged.errors)")
      #expect(try await sandbox.run(["code", "verify"] + place).status == 0)
    }

    @Test("a dump that is restored without its roles is refused, with the roles to make")
    func restoredWithoutRoles() async throws {
      let restored = try await besideAnotherServer(
        try await dumped(),
        """
        ask "$base" -c "CREATE DATABASE $1"
        pg_restore -d "$shops" shops.dump 2>/dev/null || true
        cliptag registry init "$shops"
        """)
      #expect(restored.status == 78)
      #expect(restored.errors.contains("CREATE ROLE \"\(database.name)_owner\" NOLOGIN;"))
    }

    @Test(
      "a server that is copied and started beside the original forks, which a merge and a checkpoint see"
    )
    func copiedServer() async throws {
      let sandbox = try Sandbox()
      let copied = try await besideAnotherServer(
        sandbox,
        """
        bin=${CLIPTAG_TEST_POSTGRESQL_BIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)}
        data=$CLIPTAG_TEST_POSTGRESQL_DATA
        copy=${data%/data}/copy
        as=
        if [ "$(id -u)" = 0 ]; then
          user=$(stat -c %U "$data")
          as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
        fi
        cd "${data%/data}"
        ask "$base" -c "CREATE DATABASE $1"
        cliptag registry init "$shops"
        cliptag qr \(Fruta.cupertino) -o "$OLDPWD/a.svg" --unregistered --registry "$shops"
        $as "$bin/pg_ctl" -D "$data" -w -m fast stop >"$OLDPWD/log"
        $as mkdir "$copy"
        $as cp -a "$data" "$copy/data"
        rm -f "$data/../copy/data/postmaster.pid"
        run() {
          $as "$bin/pg_ctl" -D "$1" -w -l "$1.log" -o "-c listen_addresses='' -c fsync=off \
            -c unix_socket_directories='$2'" start >>"$OLDPWD/log"
        }
        run "$data" "${data%/data}/sock"
        run "$copy/data" "$copy"
        trap '$as "$bin/pg_ctl" -D "$copy/data" -m immediate -w stop >/dev/null' EXIT
        other="postgresql:///$1?host=$copy&user=cliptag"
        cd "$OLDPWD"
        cliptag qr \(Fruta.sanFrancisco) -o b.svg --unregistered --registry "$shops"
        cliptag qr \(Fruta.sanFrancisco)/table/1 -o c.svg --unregistered --registry "$other"
        cliptag code checkpoint --make-key record.key
        cliptag code checkpoint --key record.key -o record.checkpoint --registry "$shops"
        cliptag code export --format jsonl -o other.jsonl --registry "$other"
        status() { "$@" >/dev/null 2>&1 && echo 0 || echo $?; }
        echo verify $(status cliptag code verify --registry "$other")
        echo checkpoint $(status cliptag code verify --checkpoint record.checkpoint --public-key record.key.pub --registry "$other")
        echo merge $(status cliptag code merge --accept-unsigned other.jsonl --registry "$shops")
        echo retold $(status cliptag code merge --accept-unsigned --retell-forks other.jsonl --registry "$shops")
        cliptag registry init "$other"
        cliptag qr \(Fruta.sanFrancisco)/table/2 -o d.svg --unregistered --registry "$other"
        cliptag code verify --registry "$other"
        echo chains $(ask "$other" -c "SELECT count(*) FROM cliptag.recorder")
        """)
      #expect(copied.status == 0, "\(copied.errors)\n\(copied.output)")
      let lines = copied.output.split(separator: "\n")
      for line in ["verify 0", "checkpoint 1", "merge 1", "retold 0", "chains 2"] {
        #expect(lines.contains { $0 == line }, "\(line): \(copied.output)\n\(copied.errors)")
      }
    }
  }
}
