import Foundation
import GRDB
import Subprocess
import Testing

extension CommandSuite {
  /// The record of codes: verified, signed, exported, merged and due.
  @Suite("The record of codes") struct RecordCommandTests {
    /// Returns a sandbox with some codes and a history, its log and its checkpoint.
    private static func scene(codes: Int = 2) async throws -> (Sandbox, code: String) {
      let sandbox = try await Sandbox.withFruta()
      var first = ""
      for index in 0..<codes {
        let url = index == 0 ? Fruta.cupertino : Fruta.sanFrancisco + "/\(index)"
        let made = try await sandbox.run("qr", url, "-o", "\(index).svg", "--json")
        if index == 0 { first = try #require(try made.lines.first?["code"].text) }
      }
      try await sandbox.run(
        "code", "note", first, "--kind", "installed", "--at", Fruta.inCupertino, "--note",
        "=1+1, \"left\" door")
      try await sandbox.run("code", "checkpoint", "--make-key", "record.key")
      try await sandbox.run("code", "checkpoint", "--key", "record.key", "-o", "record.checkpoint")
      try await sandbox.run("code", "export", "-o", "record.jsonl")
      return (sandbox, first)
    }

    private static let proof = [
      "--checkpoint", "record.checkpoint", "--public-key", "record.key.pub",
    ]

    @Test("a log is verified without the registry, by this command and by Python and openssl")
    func independent() async throws {
      let (sandbox, _) = try await Self.scene()
      try FileManager.default.removeItem(atPath: sandbox.registry)
      let log = ["code", "verify", "--log", "record.jsonl", "--json"]
      let own = try await sandbox.run(log + Self.proof)
      #expect(own.status == 0)
      // The contents of the sample registry were recorded by the importer.
      let chains = try own.lines("chain")
      #expect(chains.count == 2 && chains.contains { $0["entries"] == 5 })
      let script = Repository.path("Tests/Scripts/verify-log.py")
      let other = "/usr/bin/python3 \(script) record.jsonl record.checkpoint record.key.pub"
      let outcome = try await sandbox.shell(other)
      let all = try #require(sandbox.bytes(of: "record.jsonl")).count { $0 == 10 }
      #expect(outcome.output == "whole: \(all) entries of 2 recorders\n", "\(outcome.errors)")
      // Both recognize a log that was cut off, and one in which a word was changed.
      let text = String(decoding: try #require(sandbox.bytes(of: "record.jsonl")), as: UTF8.self)
      let lines = text.split(separator: "\n").map { $0 + "\n" }
      for wrong in [lines.dropLast().joined(), text.replacing("left", with: "near")] {
        try sandbox.write(wrong, to: "record.jsonl")
        #expect(try await sandbox.run(log + Self.proof).status == 1)
        #expect(try await sandbox.shell(other).status == 1)
      }
      // Neither takes a checkpoint that was changed.
      try sandbox.write(text, to: "record.jsonl")
      let checkpoint = try #require(sandbox.bytes(of: "record.checkpoint"))
      try sandbox.write(
        String(decoding: checkpoint, as: UTF8.self).replacing("time 20", with: "time 19"),
        to: "record.checkpoint")
      let refused = try await sandbox.run(log + Self.proof)
      #expect(refused.status == 1)
      #expect(try refused.errorCodes == ["wrong-signature"])
      #expect(try await sandbox.shell(other).status != 0)
    }

    @Test("of a copy that nobody continued, only that no entry was changed is claimed")
    func copy() async throws {
      let (sandbox, _) = try await Self.scene()
      let own = try await sandbox.run("code", "verify")
      #expect(own.status == 0 && own.errors.contains("nothing was changed"), "\(own.errors)")
      try await sandbox.run("registry", "backup", "copy.sqlite")
      let copy = try await sandbox.run("code", "verify", "--registry", "copy.sqlite")
      #expect(copy.status == 0 && copy.errors.contains("no entry was changed"), "\(copy.errors)")
    }

    @Test("what openssl makes is a key, and what is made here is one for openssl")
    func keys() async throws {
      let (sandbox, _) = try await Self.scene()
      let made = try await sandbox.shell(
        """
        openssl genpkey -algorithm ed25519 -out o.key && openssl pkey -in o.key -pubout -out o.pub \
        && openssl pkey -in record.key -pubout | cmp - record.key.pub
        """)
      #expect(made.status == 0, "\(made.errors)")
      let mode = try FileManager.default.attributesOfItem(atPath: sandbox.path("record.key"))
      #expect(mode[.posixPermissions] as? Int == 0o600)
      try await sandbox.run("code", "checkpoint", "--key", "o.key", "-o", "o.checkpoint")
      let verified = try await sandbox.run(
        "code", "verify", "--checkpoint", "o.checkpoint", "--public-key", "o.pub")
      #expect(verified.status == 0, "\(verified.errors)")
      // Another key, a private key in its place, and a key that is there already.
      for (arguments, code) in [
        (
          ["verify", "--checkpoint", "o.checkpoint", "--public-key", "record.key.pub"],
          "wrong-signature"
        ),
        (["verify", "--checkpoint", "o.checkpoint", "--public-key", "o.key"], "unusable-key"),
        (["checkpoint", "--key", "o.pub"], "unusable-key"),
        (["checkpoint", "--make-key", "record.key"], "cannot-create"),
        (
          ["verify", "--checkpoint", "record.jsonl", "--public-key", "o.pub"],
          "malformed-checkpoint"
        ),
        (["verify", "--log", "record.checkpoint"], "malformed-log"),
        (["verify", "--log", "nowhere"], "unreadable-log"),
      ] {
        let outcome = try await sandbox.run(["code"] + arguments + ["--json"])
        #expect(try outcome.errorCodes == [code], "\(arguments)")
      }
    }

    @Test("whoever changes the database is found out, with recorder, number and code")
    func tampered() async throws {
      let (sandbox, code) = try await Self.scene()
      do {
        let queue = try DatabaseQueue(path: sandbox.registry)
        try await queue.write { database in
          try database.executeWithoutGuards("UPDATE code SET place_id = 'x' WHERE id = '\(code)'")
        }
      }
      let outcome = try await sandbox.run("code", "verify", "--json")
      #expect(outcome.status == 1)
      let finding = try #require(try outcome.lines("finding").first)
      #expect(finding["code"] == .string("entry-altered"))
      #expect(finding["subject"] == .string(code) && finding["number"] == .number(1))
      #expect(try await sandbox.run("code", "verify", code).status == 1)
      let listed = try await sandbox.run("code", "list", "--json").lines
      let other = try #require(listed.compactMap { $0["code"].text }.first { $0 != code })
      #expect(try await sandbox.run("code", "verify", other).status == 0)
      #expect(try await sandbox.run("code", "verify", "c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E").status == 66)
    }

    @Test("who did what is reported by month, person, place and kind")
    func activity() async throws {
      let (sandbox, _) = try await Self.scene()
      let all = try await sandbox.run("registry", "activity", "--json").lines("activity")
      let codes = all.filter { $0["place"] == "cupertino" }
      #expect(!codes.isEmpty && codes.count < all.count, "settings have no place")
      let month = try #require(codes[0]["month"].text)
      let who = try #require(codes[0]["who"].text)
      let some = try await sandbox.run(
        "registry", "activity", "--json", "--month", month, "--place", "cupertino", "--who", who)
      #expect(try some.lines("activity") == codes.filter { $0["who"].text == who })
      #expect(try await sandbox.run("registry", "activity", "--month", "2026-13").status == 64)
    }

    @Test("a table for spreadsheets holds no formula")
    func table() async throws {
      let (sandbox, code) = try await Self.scene()
      try await sandbox.run("code", "note", code, "--kind", "read", "--at", "-33.86,151.21")
      let outcome = try await sandbox.run("code", "export")
      let lines = outcome.output.split(separator: "\r\n")
      #expect(lines.count == 7)
      #expect(lines[0].hasPrefix("code,url,carrier,place,event,time,kind,who,latitude,longitude"))
      #expect(outcome.output.contains(#","'=1+1, ""left"" door","#))
      #expect(outcome.output.contains(",-33.86,151.21,"))
      let script = """
        import csv, sys
        rows = list(csv.reader(sys.stdin))
        assert {len(row) for row in rows} == {18}, rows
        assert any(row[13] == "'=1+1, \\"left\\" door" for row in rows), rows
        """
      let read = try await sandbox.shell(
        "/usr/bin/python3 -c \"$1\"", script, stdin: outcome.outputBytes)
      #expect(read.status == 0, "\(read.errors)")
    }

    @Test("records of several laptops become one, in any order and as often as one likes")
    func merged() async throws {
      let (sandbox, code) = try await Self.scene()
      let laptops = ["a.sqlite", "b.sqlite"]
      for laptop in laptops {
        try FileManager.default.copyItem(
          atPath: sandbox.registry, toPath: sandbox.path(laptop))
        try await sandbox.run("code", "note", code, "--kind", "read", "--registry", laptop)
      }
      try await sandbox.run("code", "export", "-o", "b.jsonl", "--registry", "b.sqlite")
      for (file, added) in [("a.sqlite", 1.0), ("b.jsonl", 1), ("b.sqlite", 0), ("a.sqlite", 0)] {
        let outcome = try await sandbox.run("code", "merge", "--accept-unsigned", file, "--json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.lines.first?["added"] == .number(added))
      }
      let verified = try await sandbox.run(["code", "verify", "--json"] + Self.proof)
      #expect(verified.status == 0)
      #expect(try verified.lines("chain").count == 4)
      let kinds = try await sandbox.run("code", "show", code).output
      #expect(kinds.split(separator: "\n").count { $0.contains("  read ") } == 2)
    }

    @Test("a second key says that a checkpoint was there, and no other")
    func witnessed() async throws {
      let (sandbox, code) = try await Self.scene()
      try await sandbox.run("code", "checkpoint", "--make-key", "witness.key")
      let made = try await sandbox.run(
        "code", "witness", "record.checkpoint", "--public-key", "record.key.pub", "--key",
        "witness.key", "-o", "record.witness")
      #expect(made.status == 0, "\(made.errors)")
      let verify = ["code", "verify", "--json", "--public-key", "record.key.pub"]
      let seen = ["--witness", "record.witness", "--witness-key", "witness.key.pub"]
      let whole = try await sandbox.run(verify + ["--checkpoint", "record.checkpoint"] + seen)
      #expect(try whole.lines("witness").count == 1 && whole.status == 0, "\(whole.errors)")
      // Another key, a later checkpoint, a file of another kind, and one without its checkpoint.
      let other = try await sandbox.run(
        verify + ["--checkpoint", "record.checkpoint", "--witness", "record.witness"]
          + ["--witness-key", "record.key.pub"])
      #expect(try other.errorCodes == ["wrong-signature"] && other.status == 1)
      try await sandbox.run("code", "note", code, "--kind", "read")
      try await sandbox.run("code", "checkpoint", "--key", "record.key", "-o", "later.checkpoint")
      let later = try await sandbox.run(verify + ["--checkpoint", "later.checkpoint"] + seen)
      #expect(try later.errorCodes == ["other-checkpoint"] && later.status == 1)
      let kind = try await sandbox.run(
        verify + ["--checkpoint", "record.witness", "--public-key", "witness.key.pub"])
      #expect(try kind.errorCodes == ["malformed-checkpoint"])
      #expect(try await sandbox.run(["code", "verify"] + seen).status == 64)
    }

    @Test("a time-stamp authority's reply is checked by OpenSSL")
    func stamped() async throws {
      let (sandbox, _) = try await Self.scene()
      try sandbox.write(
        """
        [tsa]
        default_tsa = this
        [this]
        serial = serial
        signer_cert = tsa.pem
        signer_key = tsa.key
        signer_digest = sha256
        default_policy = 1.2.3.4
        digests = sha256
        ess_cert_id_alg = sha256
        [req]
        distinguished_name = name
        [name]
        [stamps]
        extendedKeyUsage = critical,timeStamping
        """, to: "tsa.cnf")
      let made = try await sandbox.shell(
        """
        set -e
        new="openssl req -newkey rsa:2048 -nodes -config tsa.cnf"
        for name in root stranger; do
          openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 9 \
            -subj /CN=$name
        done
        $new -keyout tsa.key -out tsa.csr -subj /CN=tsa
        openssl x509 -req -in tsa.csr -CA root.pem -CAkey root.key -CAcreateserial -days 9 \
          -extfile tsa.cnf -extensions stamps -out tsa.pem
        echo 01 > serial
        openssl ts -query -data record.checkpoint -sha256 -cert -out record.tsq
        openssl ts -reply -config tsa.cnf -queryfile record.tsq -out record.tsr
        openssl ts -query -data record.key.pub -sha256 -cert -out other.tsq
        openssl ts -reply -config tsa.cnf -queryfile other.tsq -out other.tsr
        openssl ts -verify -data record.checkpoint -in record.tsr -CAfile root.pem
        """)
      try #require(made.status == 0, "\(made.errors)")
      func verify(_ reply: String, _ authority: String) async throws -> Outcome {
        try await sandbox.run(
          ["code", "verify", "--json"] + Self.proof
            + ["--time-stamp", reply, "--time-stamp-authority", authority])
      }
      let whole = try await verify("record.tsr", "root.pem")
      #expect(whole.status == 0, "\(whole.errors)")
      let stamp = try #require(try whole.lines("witness").first)
      #expect(stamp["kind"] == "time-stamp" && stamp["time"].text?.hasPrefix("20") == true)
      for (reply, authority) in [
        ("other.tsr", "root.pem"), ("record.tsr", "stranger.pem"), ("record.tsq", "root.pem"),
        ("record.checkpoint", "root.pem"),
      ] {
        let refused = try await verify(reply, authority)
        #expect(try refused.errorCodes == ["wrong-time-stamp"] && refused.status == 1)
      }
      #expect(try await verify("record.tsr", "record.key.pub").errorCodes == ["unusable-key"])
    }

    @Test("what others recorded is taken with a checkpoint of a trusted key, or knowingly without")
    func trusted() async throws {
      let (sandbox, code) = try await Self.scene()
      try FileManager.default.copyItem(
        atPath: sandbox.registry, toPath: sandbox.path("field.sqlite"))
      try await sandbox.run("code", "note", code, "--kind", "read", "--registry", "field.sqlite")
      try await sandbox.run("code", "checkpoint", "--make-key", "field.key")
      let sign = ["code", "checkpoint", "--key", "field.key", "-o", "field.checkpoint"]
      try await sandbox.run(sign + ["--registry", "field.sqlite"])
      try await sandbox.run("code", "export", "-o", "field.jsonl", "--registry", "field.sqlite")
      let before = try await count(sandbox, sandbox.registry)
      let signed = ["code", "merge", "--checkpoint", "field.checkpoint", "--json"]
      func refused(_ arguments: [String], _ code: String) async throws {
        let outcome = try await sandbox.run(arguments)
        #expect(try outcome.errorCodes == [code] && outcome.status == 1, "\(arguments)")
        #expect(try await count(sandbox, sandbox.registry) >= before)
        #expect(try await count(sandbox, sandbox.registry) <= before + 1)
      }
      // No trusted party was named; then one was, and the file alone still has no value.
      try await refused(["code", "merge", "--json", "field.jsonl"], "untrusted-record")
      try await refused(signed + ["field.jsonl"], "wrong-signature")
      let trust = ["registry", "trust", "add", "field.key.pub", "--name", "Field laptop", "--json"]
      let added = try await sandbox.run(trust)
      #expect(try added.lines.first?["name"] == "Field laptop" && added.status == 0)
      #expect(try await sandbox.run(trust).errorCodes == ["already-exists"])
      #expect(try await sandbox.run("registry", "trust", "--json").lines.count == 1)
      try await refused(["code", "merge", "--json", "field.jsonl"], "untrusted-record")
      try await refused(["audit", "merge", "--json", "field.sqlite"], "untrusted-record")
      // An entry that came after the checkpoint is covered by none.
      try FileManager.default.copyItem(
        atPath: sandbox.path("field.sqlite"), toPath: sandbox.path("later.sqlite"))
      try await sandbox.run("code", "note", code, "--kind", "read", "--registry", "field.sqlite")
      try await refused(signed + ["field.sqlite"], "untrusted-record")
      let taken = try await sandbox.run(signed + ["field.jsonl"])
      #expect(try taken.lines("merge").first?["added"] == 1, "\(taken.errors)")
      #expect(try taken.lines("merge").first?["unsigned"] == 0)
      // Known records need no trusted signature.
      #expect(try await sandbox.run("code", "merge", "field.jsonl").status == 0)
      let knowingly = try await sandbox.run(
        "code", "merge", "--accept-unsigned", "--json", "field.sqlite")
      #expect(try knowingly.lines("merge").first?["unsigned"] == 1)
      #expect(knowingly.errors.contains("no trusted key signed"))
      // Trust ends, too.
      try await sandbox.run("code", "note", code, "--kind", "read", "--registry", "field.sqlite")
      try await sandbox.run(sign + ["--registry", "field.sqlite"])
      #expect(try await sandbox.run("registry", "trust", "remove", "Field laptop").status == 0)
      let ended = try await sandbox.run(signed + ["field.sqlite"])
      #expect(try ended.errorCodes == ["wrong-signature"])
    }

    @Test(
      "a message that was used up on one laptop is a copy on another after any kind of merge",
      arguments: [
        ["code", "merge", "a.jsonl"], ["code", "merge", "a.sqlite"],
        ["audit", "merge", "a.sqlite"],
      ])
    func countersMerge(command: [String]) async throws {
      let (sandbox, _) = try await Self.scene()
      try FileManager.default.copyItem(atPath: sandbox.registry, toPath: sandbox.path("a.sqlite"))
      let tapped = try String(
        contentsOfFile: Repository.path("Samples/fruta/tapped.txt"), encoding: .utf8)
      let message = String(try #require(tapped.split(separator: "\n").first))
      let check = ["check", message, "--keys", try sandbox.keys, "--json"]
      #expect(
        try await sandbox.run(check + ["--consume", "--registry", "a.sqlite"]).status == 0)
      try await sandbox.run("code", "export", "-o", "a.jsonl", "--registry", "a.sqlite")
      // A reader that knows no counters still reads the log.
      let script = Repository.path("Tests/Scripts/verify-log.py")
      let other = try await sandbox.shell("/usr/bin/python3 \(script) a.jsonl")
      #expect(other.output.hasPrefix("whole: "), "\(other.errors)")
      #expect(try await sandbox.run(check).status == 0, "nobody told this registry yet")
      for flags in [["--dry-run"], []] {
        let merged = try await sandbox.run(command + ["--accept-unsigned", "--json"] + flags)
        #expect(try merged.lines.first?["counters"] == 1, "\(merged.output)\(merged.errors)")
      }
      let copied = try await sandbox.run(check)
      #expect(copied.status == 1 && copied.output.contains("sun-replayed"))
    }

    @Test("a merge tells places that are not here, and what it leaves where it is")
    func leftOut() async throws {
      let (sandbox, _) = try await Self.scene()
      try await sandbox.run("code", "export", "-o", "record.jsonl")
      let empty = ["--registry", "empty.sqlite", "--json", "--accept-unsigned"]
      let log = try await sandbox.run(["code", "merge", "record.jsonl"] + empty)
      #expect(log.status == 0)
      #expect(try log.lines.first?["unknownPlaces"][0]["place"] == "cupertino")
      #expect(try log.lines.first?["unknownPlaces"][1]["codes"] == 1)
      #expect(try log.lines.first?["notMerged"] == .null, "a log does not say")
      #expect(log.errors.contains("1 code belongs to the place “cupertino”, which this registry"))
      let file = try await sandbox.run(["code", "merge", sandbox.registry] + empty)
      #expect(try file.lines.first?["notMerged"]["places"] == 2)
      #expect(file.errors.contains("not merged: 2 places (transfer them with registry export"))
      let walks = try await sandbox.run(["audit", "merge", sandbox.registry] + empty)
      #expect(try walks.lines.first?["notMerged"]["places"] == 2)
    }

    @Test("killed at any write, a merge and an entry are there wholly or not at all")
    func killed() async throws {
      let (sandbox, code) = try await Self.scene(codes: 4)
      let compiled = try await sandbox.shell(
        "cc -shared -fPIC -o die.so \"$1\" -ldl || clang -shared -fPIC -o die.so \"$1\" -ldl",
        Repository.path("Tests/Scripts/die-at-write.c"))
      try #require(compiled.status == 0, "\(compiled.errors)")
      // A laptop that knows half of it.
      let base = sandbox.path("base.sqlite")
      try FileManager.default.copyItem(atPath: sandbox.registry, toPath: base)
      for kind in ["packed", "read"] {
        try await sandbox.run("code", "note", code, "--kind", kind)
      }
      let made = try await sandbox.run("qr", Fruta.sanFrancisco + "/9", "-o", "9.svg", "--json")
      let fresh = try #require(try made.lines.first?["code"].text)
      try await sandbox.run("code", "retire", fresh, "--yes")
      try await sandbox.run("code", "export", "-o", "new.jsonl")
      let before = try await count(sandbox, base)
      let after = try await count(sandbox, sandbox.registry)

      var kills = 0
      let works: [(arguments: [String], after: Int)] = [
        (["code", "merge", "--accept-unsigned", "new.jsonl"], after),
        (["code", "note", code, "--kind", "read"], before + 1),
      ]
      for work in works {
        for written in ["none", "half"] {
          var number = KillPoints.first(written: written)
          while true {
            let laptop = sandbox.path("laptop.sqlite")
            for suffix in ["", "-wal", "-shm"] {
              try? FileManager.default.removeItem(atPath: laptop + suffix)
            }
            try FileManager.default.copyItem(atPath: base, toPath: laptop)
            let outcome = try await sandbox.run(
              work.arguments + ["--registry", laptop],
              environment: [
                "LD_PRELOAD": sandbox.path("die.so"), "DIE_AT_WRITE": "\(number)",
                "DIE_WRITTEN": written,
              ])
            let found = try await count(sandbox, laptop)
            if outcome.status == 0 {
              #expect(found == work.after)
              break
            }
            try #require(outcome.status == 128 + SIGKILL, "\(outcome.errors)")
            kills += 1
            #expect([before, work.after].contains(found), "\(work.arguments) at write \(number)")
            if work.after == after {
              // Once more, and nothing was counted twice.
              let again = try await sandbox.run(work.arguments + ["--registry", laptop])
              #expect(again.status == 0, "\(again.errors)")
              #expect(try await count(sandbox, laptop) == after)
            }
            number += KillPoints.stride
          }
        }
      }
      #expect(kills > 20, "the command was killed at each of its writes: \(kills)")
      print("killed \(kills) times")
    }

    /// Returns the number of entries in a registry, all of them whole.
    private func count(_ sandbox: Sandbox, _ registry: String) async throws -> Int {
      let outcome = try await sandbox.run("code", "verify", "--json", "--registry", registry)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      return try outcome.lines("chain").reduce(0) {
        if case .number(let entries) = $1["entries"] { $0 + Int(entries) } else { $0 }
      }
    }

    @Test("a code is due when nobody met it for long, and when it must come down")
    func due() async throws {
      let (sandbox, code) = try await Self.scene()
      #expect(try await sandbox.run("code", "due").status == 0)
      // A hundred days ago, before today's date.
      do {
        let queue = try DatabaseQueue(path: sandbox.registry)
        try await queue.write { database in
          try database.executeWithoutGuards(
            """
            UPDATE code_entry SET time = time - 8640000000;
            UPDATE code SET created = created - 8640000000
            """)
        }
      }
      let due = try await sandbox.run("code", "due", "--json")
      #expect(due.status == 1)
      #expect(try due.lines.map { $0["reason"] } == [.string("not-seen"), .string("not-seen")])
      let first = try #require(try due.lines.first { $0["code"] == .string(code) })
      #expect(first["days"] == .number(100) && first["lastSeen"] != .null)
      #expect(try await sandbox.run("code", "due", "--days", "101").status == 0)
      try await sandbox.run("code", "note", code, "--kind", "read")
      #expect(try await sandbox.run("code", "due", "--json").lines.count == 1)
      // The experience goes: everything that hangs must come down.
      try await sandbox.run("experience", "remove", "https://fruta.example.com/order")
      let gone = try await sandbox.run("code", "due", "--json")
      #expect(
        try gone.lines.map { $0["reason"] } == [.string("not-covered"), .string("not-covered")])
      // A retired code is not due until it is met.
      try await sandbox.run("code", "retire", "--yes", code)
      #expect(try await sandbox.run("code", "due", "--json").lines.count == 1)
      try await sandbox.run("code", "note", code, "--kind", "read")
      let hanging = try await sandbox.run("code", "due", "--json").lines
      #expect(
        hanging.contains { $0["reason"] == .string("retired") && $0["code"] == .string(code) })
    }
  }
}
