import Foundation
import Testing

/// Files that are handed to a printer, with programs in the place of CUPS's.
extension CommandSuite {
  @Suite("Printers of CUPS") struct PrintOnTests {
    /// A sandbox with two printers. `lp` notes its arguments, the file and the codes on record.
    private static func scene(lp ending: String = "echo \"request id is $2-42 (1 file(s))\"")
      async throws -> Sandbox
    {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.install("lpstat", "[ \"$LC_ALL $1\" = 'C -e' ] && printf 'office\\nroll\\n'")
      try sandbox.install(
        "lp",
        """
        for word in "$@"; do printf "%s\\n" "$word" >> lp.txt; file=$word; done
        head -c 5 "$file" >> lp.txt; echo >> lp.txt
        cliptag code list --json | wc -l >> lp.txt
        \(ending)
        """)
      return sandbox
    }

    private static let url = Fruta.cupertino

    @Test("a code goes to the printer after it is proven and recorded, at 100 %, with its size")
    func code() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "qr", Self.url, "-o", "a.svg", "-o", "a.pdf", "--module-size", "0.5", "--print-on", "roll",
        "--print-copies", "3", "--json")
      #expect(made.status == 0, "\(made.errors)")
      let words = try #require(sandbox.bytes(of: "lp.txt"))
      #expect(
        String(decoding: words, as: UTF8.self).split(separator: "\n").map(String.init) == [
          "-d", "roll", "-n", "3", "-o", "print-scaling=none", "-o", "media=Custom.18.8x18.8mm",
          "--", "a.pdf", "%PDF-", "1",
        ])
      let lines = try made.lines("handover")
      #expect(lines.count == 1)
      let line = try #require(lines.first)
      #expect(line["job"] == "roll-42" && line["printer"] == "roll" && line["output"] == "a.pdf")
      #expect(line["copies"].number == 3 && line["width"].number == 18.796)
      #expect(line["dryRun"] == false)
    }

    @Test(
      "modules are whole dots of the printer, unless another resolution is given",
      arguments: [nil, 300])
    func resolution(_ given: Double?) async throws {
      let sandbox = try await Self.scene()
      try sandbox.install(
        "lpoptions",
        """
        [ "$1 $2 $3" = "-p roll -l" ] || exit 1
        printf 'PageSize/Media Size: *w162h90\\n'
        printf 'Resolution/Output Resolution: 136dpi *203dpi 300dpi\\n'
        """)
      for command in ["qr", "poster"] {
        let made = try await sandbox.run(
          [command, Self.url, "-o", "a.pdf", "--width", "40", "--print-on", "roll", "--json"]
            + (given.map { ["--dpi", "\($0)"] } ?? []))
        #expect(made.status == 0, "\(made.errors)")
        let module = try #require(try made.lines("issue").first)["moduleSize"].number ?? 0
        let dots = module / 25.4 * (given ?? 203)
        #expect(abs(dots - dots.rounded()) < 0.01, "\(command): \(dots) dots")
      }
    }

    @Test("what is said is that the file was handed over, with the job, not that it is printed")
    func words() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "poster", Self.url, "-o", "a.pdf", "--paper", "DK-11202", "--print-on", "roll")
      #expect(made.status == 0, "\(made.errors)")
      #expect(
        made.output.hasSuffix("handed a.pdf over to roll: job roll-42, 62.0 × 100.0 mm at 100 %\n"))
      #expect(!made.output.contains("printed"))
    }

    @Test("a page of a usual size is printed on the medium of that name, in either orientation")
    func medium() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "poster", Self.url, "-o", "a.pdf", "--landscape", "--print-on", "office")
      #expect(made.status == 0, "\(made.errors)")
      let words = try #require(sandbox.bytes(of: "lp.txt"))
      #expect(String(decoding: words, as: UTF8.self).contains("media=A4\n"))
    }

    @Test("sheets and runs of posters go to the printer as one file", arguments: [true, false])
    func rows(isSheet: Bool) async throws {
      let sandbox = try await Self.scene()
      try sandbox.write("url,paper\n\(Self.url),A5\n\(Self.url),A6\n", to: "t.csv")
      let job =
        isSheet
        ? ["sheet", "t.csv", "--template", "60x40,3x6,14,20,61,42"] : ["poster", "--csv", "t.csv"]
      let made = try await sandbox.run(job + ["-o", "t.pdf", "--print-on", "office", "--json"])
      #expect(made.status == 0, "\(made.errors)")
      let line = try #require(try made.lines("handover").first)
      #expect(line["job"] == "office-42" && line["output"] == "t.pdf")
      // Pages of different sizes have no one medium.
      #expect(line["width"].number == (isSheet ? 210 : nil))
      let words = String(decoding: try #require(sandbox.bytes(of: "lp.txt")), as: UTF8.self)
      #expect(words.contains("media=A4") == isSheet && words.contains("print-scaling=none"))
    }

    @Test("a calibration sheet goes to the printer, too, and a rehearsal hands over nothing")
    func calibrationSheet() async throws {
      let sandbox = try await Self.scene()
      let arguments = [
        "sheet", "--calibration-sheet", "--template", "60x40,3x6,14,20,61,42", "-o", "c.pdf",
        "--print-on", "office", "--json",
      ]
      let tried = try await sandbox.run(arguments + ["--dry-run"])
      #expect(try tried.lines("handover").map { $0["job"] } == [.null])
      #expect(sandbox.bytes(of: "c.pdf") == nil && sandbox.bytes(of: "lp.txt") == nil)
      let made = try await sandbox.run(arguments)
      #expect(made.status == 0, "\(made.errors)")
      #expect(try made.lines("handover").map { $0["job"].text } == ["office-42"])
      let words = String(decoding: try #require(sandbox.bytes(of: "lp.txt")), as: UTF8.self)
      #expect(words.contains("media=A4") && words.contains("c.pdf\n%PDF-\n0\n"), "\(words)")
    }

    @Test(
      "an unknown printer is refused before anything is made, with those that there are",
      arguments: [
        ["qr", url, "-o", "a.pdf"], ["poster", url, "-o", "a.pdf"],
        ["poster", "--all-places", "-o", "a.pdf"],
        [
          "sheet", "t.csv", "-o", "a.pdf", "--template", "60x40,3x6,14,20,61,42", "--printer", "p",
          "--offset", "1,1",
        ],
      ])
    func unknown(arguments: [String]) async throws {
      let sandbox = try await Self.scene()
      try sandbox.write("url\n\(Self.url)\n", to: "t.csv")
      let made = try await sandbox.run(arguments + ["--print-on", "ofice"])
      #expect(made.status == 64)
      #expect(made.errors.contains("CUPS has no printer ofice."))
      #expect(made.errors.contains("It has office, roll."))
      #expect(try sandbox.listing() == ["t.csv"])
      #expect(try await sandbox.run("code", "list", "--json").output.isEmpty)
      #expect(
        !FileManager.default.fileExists(
          atPath: sandbox.root + "/home/.config/cliptag/printers.json"))
    }

    @Test("CUPS without a printer, or that does not run, has an empty list")
    func none() async throws {
      let sandbox = try await Self.scene()
      try sandbox.install("lpstat", "exit 0")
      let made = try await sandbox.run("qr", Self.url, "-o", "a.pdf", "--print-on", "office")
      #expect(made.status == 64 && made.errors.contains("lpstat -r"), "\(made.errors)")
      #expect(try sandbox.listing().isEmpty)
    }

    @Test("without CUPS, the package to install is named, and nothing is made")
    func missing() async throws {
      let sandbox = try await Sandbox.withFruta()
      let folder = sandbox.root + "/none"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/env", withDestinationPath: "/usr/bin/env")
      let made = try await sandbox.run(
        ["qr", Self.url, "-o", "a.pdf", "--print-on", "office", "--json"],
        environment: ["PATH": folder])
      #expect(try made.status == 69 && made.errorCodes == ["no-print-system"])
      #expect(made.errors.contains("cups-client"))
      #expect(try sandbox.listing().isEmpty)
    }

    @Test("a file that the printer refuses is complete and recorded, and the reason is said")
    func refused() async throws {
      let sandbox = try await Self.scene(lp: "echo 'lp: The printer rejects jobs.' >&2; exit 1")
      try sandbox.write("url\n\(Self.url)\n", to: "t.csv")
      for job in [
        ["qr", Self.url, "-o", "a.pdf"],
        ["sheet", "t.csv", "-o", "t.pdf", "--template", "60x40,3x6,14,20,61,42"],
      ] {
        let made = try await sandbox.run(job + ["--print-on", "office", "--json"])
        #expect(try made.status == 69 && made.errorCodes == ["queue-refused"])
        #expect(made.errors.contains("The printer rejects jobs."))
        #expect(try made.lines("issue").map { $0["verified"] } == [true])
      }
      #expect(sandbox.bytes(of: "a.pdf") != nil && sandbox.bytes(of: "t.pdf") != nil)
    }

    @Test("more printers than are read are an ordinary error, before anything is recorded")
    func manyPrinters() async throws {
      let sandbox = try await Self.scene()
      try sandbox.install("lpstat", "yes printer | head -c 1100000")
      let made = try await sandbox.run(
        "qr", Self.url, "-o", "a.pdf", "--print-on", "roll", "--json")
      #expect(try made.status == 69 && made.errorCodes == ["no-print-system"], "\(made.output)")
      #expect(try sandbox.listing().isEmpty)
    }

    @Test("a rehearsal finds the printer, and hands nothing over")
    func rehearsal() async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "qr", Self.url, "-o", "a.pdf", "--print-on", "office", "--dry-run")
      #expect(made.status == 0 && made.output.contains("would hand a.pdf over to office"))
      #expect(try sandbox.listing().isEmpty)
    }

    @Test(
      "what no printer takes is wrong usage",
      arguments: [
        ["qr", "x", "-o", "a.svg", "--print-on", "p"], ["qr", "x", "--print-on", "p"],
        ["qr", "x", "-o", "a.pdf", "--print-copies", "2"],
        ["qr", "x", "-o", "a.pdf", "--print-on", "p", "--print-copies", "0"],
        ["poster", "--all-places", "-o", "a", "--format", "pdf", "--print-on", "p"],
        ["sheet", "t.csv", "-o", "-", "--template", "L7163", "--print-on", "p"],
        ["sheet", "t.csv", "-o", "a", "--format", "pdf", "--print-on", "p"],
      ])
    func usage(arguments: [String]) async throws {
      let made = try await Sandbox().run(arguments)
      #expect(made.status == 64 && made.errors.contains("--print-"), "\(made.errors)")
    }
  }
}

extension Sandbox {
  /// Puts a program of shell in front of those of the system.
  fileprivate func install(_ name: String, _ script: String) throws {
    let path = root + "/bin/" + name
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }
}
