import Foundation
import Registry
import Testing

extension CommandSuite {
  /// Walks that are killed.
  @Suite("Walks that are killed") struct AuditKillTests {
    /// The contents of a registry.
    private struct Holding: Equatable {
      /// Stops of all walks.
      var stops = 0
      /// Entries of the record, all of them whole.
      var entries = 0
    }

    /// Returns a sandbox with a printed code, its picture, and the library that ends a command at a
    /// write.
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      let compiled = try await sandbox.shell(
        "cc -shared -fPIC -o die.so \"$1\" -ldl || clang -shared -fPIC -o die.so \"$1\" -ldl",
        Repository.path("Tests/Scripts/die-at-write.c"))
      try #require(compiled.status == 0, "\(compiled.errors)")
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "sign.png")
      try #require(made.status == 0, "\(made.errors)")
      return sandbox
    }

    private static let walk = [
      "audit", "sign.png", "--place", "cupertino", "--name", "Autumn", "--keep-pictures",
    ]

    @Test("killed at any write, a stop is there wholly or not at all, and the walk goes on")
    func stop() async throws {
      let sandbox = try await Self.scene()
      let before = try holding(sandbox.registry)
      let after = Holding(stops: before.stops + 1, entries: before.entries + 1)
      let kills = try await killed(sandbox, Self.walk, from: sandbox.registry) { laptop, outcome in
        let found = try holding(laptop)
        #expect([before, after].contains(found))
        // A stop that was reported as kept is kept.
        if outcome.output.contains(#""stop":"#) { #expect(found == after) }
        // The same command goes on, and the picture is there once.
        let again = try await sandbox.run(Self.walk + ["--registry", laptop])
        #expect(again.status == 0, "\(again.errors)")
        #expect(try holding(laptop) == after)
      }
      #expect(kills > 10, "the command was killed at each of its writes: \(kills)")
    }

    @Test("a full disk ends a walk with one error that names the picture")
    func fullDisk() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "1.png")
      try #require(made.status == 0)
      let bytes = try #require(sandbox.bytes(of: "1.png"))
      for number in 2...30 {
        // Another picture each, of the same code.
        try sandbox.write(bytes + [UInt8](repeating: 0, count: number), to: "\(number).png")
      }
      // As for the registry's export; SQLite's log of changes meets the limit after some stops.
      let outcome = try await sandbox.shell(
        """
        export LLVM_PROFILE_FILE=/dev/null
        trap '' XFSZ; ulimit -f 800
        exec cliptag audit --keep-pictures --place cupertino --name Full $(ls *.png | sort -n)
        """)
      // To SQLite the limit is a failing disk.
      #expect([73, 78].contains(outcome.status), "\(outcome.errors)")
      #expect(outcome.errors.ranges(of: "error:").count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains(".png could not be stored in the walk"))
      let again = try await sandbox.shell(
        "cliptag audit --place cupertino --name Full $(ls *.png | sort -n)")
      #expect(again.status == 0, "\(again.errors)")
      #expect(again.errors.contains("known before") || again.output.contains("known before"))
    }

    @Test("killed at any write, a merge of walks is there wholly or not at all")
    func merge() async throws {
      let sandbox = try await Self.scene()
      let (office, field) = (sandbox.path("office.sqlite"), sandbox.registry)
      try Self.copyRegistry(field, to: office)
      let before = try holding(office)
      for name in ["Autumn", "Spring"] {
        let walk = Self.walk.map { $0 == "Autumn" ? name : $0 }
        try #require(try await sandbox.run(walk).status == 0)
      }
      let after = try holding(field)
      try #require(after.stops == 2 && after.entries == before.entries + 2)
      let merge = ["audit", "merge", "--accept-unsigned", field]
      let kills = try await killed(sandbox, merge, from: office) { laptop, outcome in
        let found = try holding(laptop)
        #expect([before, after].contains(found))
        if !outcome.output.isEmpty { #expect(found == after) }
        let again = try await sandbox.run(merge + ["--registry", laptop])
        #expect(again.status == 0, "\(again.errors)")
        #expect(try holding(laptop) == after)
      }
      #expect(kills > 10, "the command was killed at each of its writes: \(kills)")
    }

    /// Copies a registry with SQLite's log of changes, which stays beside it when its last user could
    /// not write it back.
    static func copyRegistry(_ source: String, to copy: String) throws {
      try FileManager.default.copyItem(atPath: source, toPath: copy)
      guard FileManager.default.fileExists(atPath: source + "-wal") else { return }
      try FileManager.default.copyItem(atPath: source + "-wal", toPath: copy + "-wal")
    }

    /// Runs a command on a copy of a registry and kills it at one of its writes, then on a new copy
    /// at a later one, until it comes to its end; once with none of the write left, once with half
    /// of it.
    ///
    /// - Returns: The number of kills.
    private func killed(
      _ sandbox: Sandbox, _ arguments: [String], from base: String,
      then check: (_ laptop: String, Outcome) async throws -> Void
    ) async throws -> Int {
      var kills = 0
      for written in ["none", "half"] {
        var number = KillPoints.first(written: written)
        while true {
          let laptop = sandbox.path("laptop-\(written)-\(number).sqlite")
          try Self.copyRegistry(base, to: laptop)
          let outcome = try await sandbox.run(
            arguments + ["--registry", laptop, "--json"],
            environment: [
              "LD_PRELOAD": sandbox.path("die.so"), "DIE_AT_WRITE": "\(number)",
              "DIE_WRITTEN": written,
            ])
          if outcome.status == 0 { break }
          try #require(outcome.status == 128 + SIGKILL, "\(outcome.errors)")
          kills += 1
          try await check(laptop, outcome)
          number += KillPoints.stride
        }
      }
      print("killed \(kills) times: \(arguments.prefix(2).joined(separator: " "))")
      return kills
    }

    /// Reads a registry anew, as `code verify` and `audit list` do.
    private func holding(_ path: String) throws -> Holding {
      let registry = try RegistryLocation.named(path, station: nil).open(for: .review)
      var findings: [String] = []
      let chains = try registry.verifyRecord { findings.append($0.message) }
      #expect(findings == [])
      return Holding(
        stops: try registry.walks().reduce(0) { $0 + (try registry.stops(of: $1.id).count) },
        entries: chains.reduce(0) { $0 + $1.entries })
    }
  }
}
