import Foundation
import Pictures
import Subprocess
import Testing

/// Pictures that control their own decoder.
extension CommandSuite {
  @Suite("A decoder that was taken over") struct TakenOverTests {
    /// Puts a program in the place of the renderer of SVG.
    private func renderer(_ script: String, in sandbox: Sandbox) throws {
      let path = sandbox.root + "/bin/rsvg-convert"
      try Data(script.utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      try sandbox.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "wall.svg")
    }

    @Test(
      "a renderer gets nothing of its user's, and neither does what reads the page",
      .enabled(if: RenderingChild.landlockVersion > 0, "this kernel has no Landlock"),
      arguments: [
        ["scan", "--no-location"], ["scan", "--no-location", "--isolate"],
        ["audit", "--place", "cupertino"], ["pack", "verify", "cupertino"],
      ])
    func renderer(command: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      try #require(try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png").status == 0)
      let picture = Data(try #require(sandbox.bytes(of: "a.png"))).base64EncodedString()
      let keys = try sandbox.keys
      try renderer(
        """
        #!/usr/bin/python3 -B
        import base64, os, socket, sys
        def write(path):
            with open(path, "w") as file: file.write("planted")
        def steal(path):
            with open(path) as file: file.read()
        attempts = [
            lambda: steal("\(sandbox.registry)"), lambda: steal("\(keys)"),
            lambda: steal("/etc/passwd"), lambda: write("\(sandbox.registry)"),
            lambda: write("\(sandbox.folder)/planted"), lambda: write("\(sandbox.root)/home/.profile"),
            lambda: os.remove("\(sandbox.registry)"), lambda: os.remove("\(sandbox.folder)/a.png"),
            lambda: os.chmod("\(sandbox.registry)", 0o666),
            lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
            lambda: socket.socket(socket.AF_UNIX, socket.SOCK_STREAM),
            lambda: write("/dev/tty"), lambda: write("/dev/pts/0"), os.fork,
        ]
        for attempt in attempts:
            try: attempt()
            except OSError: continue
            sys.exit(1)
        # All that is left to it: another picture.
        sys.stdout.buffer.write(base64.b64decode("\(picture)"))
        """, in: sandbox)
      let registry = FileManager.default.contents(atPath: sandbox.registry)
      let outcome = try await sandbox.run(command + ["wall.svg", "--json"])
      #expect(outcome.output.contains(Fruta.cupertino), "\(outcome.output)\(outcome.errors)")
      #expect(try sandbox.listing() == ["a.png", "wall.svg"])
      #expect(!FileManager.default.fileExists(atPath: sandbox.root + "/home/.profile"))
      if command[0] == "scan" {
        #expect(FileManager.default.contents(atPath: sandbox.registry) == registry)
      }
    }

    @Test(
      "a renderer that hangs ends with a command that is killed",
      arguments: ["--isolate", "--no-isolate"])
    func killed(isolation: String) async throws {
      let sandbox = try await Sandbox.withFruta()
      try renderer("#!/bin/sh\nexec tail -f /dev/null\n", in: sandbox)
      let outcome = try await sandbox.start("scan", "wall.svg", isolation) { running in
        try await until {
          sandbox.processes().contains { number in
            FileManager.default.contents(atPath: "/proc/\(number)/cmdline")
              == Data("tail\0-f\0/dev/null\0".utf8)
          }
        }
        try running.send(.kill)
        _ = try await running.remainingLines()
      }
      #expect(outcome.status != 0)
      try await until { sandbox.processes().isEmpty }
    }

    @Test(
      "what reads strangers' pictures for a walk, a parcel or a grade does so in a process of its own",
      arguments: [["audit", "--place", "cupertino"], ["pack", "verify", "cupertino"], ["grade"]])
    func bomb(command: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      try #require(try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png").status == 0)
      // 98 megapixels are within the limit for pictures, but not within the memory given here.
      let header = "P5 20000 4900 255\n"
      try sandbox.write(header, to: "bomb.pgm")
      let bomb = try FileHandle(forWritingTo: URL(filePath: sandbox.path("bomb.pgm")))
      try bomb.truncate(atOffset: UInt64(header.utf8.count + 20_000 * 4900))
      try bomb.close()
      let outcome = try await sandbox.run(
        command + ["bomb.pgm", "--memory-limit", "256", "--json"])
      #expect(try outcome.errorCodes == ["decoder-crashed"], "\(outcome.output)\(outcome.errors)")
    }

    @Test("a page is read alike here and in a process of its own: codes, grades, small copies")
    func alike() async throws {
      let sandbox = try await Sandbox.withFruta()
      let wall = Repository.path("Samples/pictures/wall.jpg")
      var answers: [String: [String]] = [:]
      for isolation in ["--isolate", "--no-isolate"] {
        let name = "walk\(isolation)"
        for command in [
          ["grade", wall, "--dpi", "300", "--white", "0.8"],
          ["audit", wall, "--place", "cupertino", "--dry-run"],
          ["audit", wall, "--place", "cupertino", "--name", name, "--keep-pictures"],
        ] {
          let outcome = try await sandbox.run(command + [isolation, "--json"])
          #expect(!outcome.output.isEmpty, "\(outcome.errors)")
          guard command.last != "--keep-pictures" else { continue }
          // A walk that is only tried out has another name each time, and the second finds the
          // first, which has its picture.
          let answer = outcome.output.replacing(/"walk":"[^"]*"/, with: "")
            .replacing(/"stopFindings":\[[^\]]*\]/, with: "")
          answers[isolation, default: []].append(answer)
        }
        try await sandbox.run("audit", "report", name, "-o", "\(name).html")
        let report = try #require(sandbox.bytes(of: "\(name).html"))
        let copy = try #require(
          String(decoding: report, as: UTF8.self).firstMatch(of: /data:image\/jpeg;base64,[^"]+/))
        answers[isolation, default: []].append(String(copy.output))
        // What the walk has is not read again.
        let again = try await sandbox.run(
          "audit", wall, "--place", "cupertino", "--name", name, isolation)
        #expect(again.errors.contains("1 known before"), "\(again.errors)")
      }
      #expect(answers["--isolate"] == answers["--no-isolate"])
    }
  }
}
