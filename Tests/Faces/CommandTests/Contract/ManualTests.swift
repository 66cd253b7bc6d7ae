import Foundation
import Testing

/// The output of `make manual` and `make codes`.
extension CommandSuite {
  @Suite("Manual") struct ManualTests {
    @Test("the list of codes in the documentation is the one that the sources give")
    func codes() async throws {
      let sandbox = try Sandbox()
      try #require(try await sandbox.run("manual", "--codes", "Codes.md").status == 0)
      let made = try String(contentsOfFile: sandbox.path("Codes.md"), encoding: .utf8)
      let kept = try String(
        contentsOfFile: Repository.path("Sources/Faces/cliptag/cliptag.docc/Codes.md"),
        encoding: .utf8)
      #expect(made == kept, "run make codes, and commit what it changed")
    }

    @Test("every command has a page, with every option and argument of its help")
    func pages() async throws {
      let sandbox = try await Self.manual.value
      let helpTexts = try await HelpExampleTests.helpTexts.value
      for (path, help) in helpTexts {
        let name = (["cliptag"] + path).joined(separator: "-")
        let page = try Self.page("man1/\(name).1", sandbox)
        let options = help.matches(of: /\n {2}(?:-\w, )*--([a-z0-9-]+)/).map { $0.output.1 }
        #expect(options.contains("help"))
        for option in options {
          let escaped = option.replacing("-", with: "\\-")
          #expect(page.contains("Fl \\-\(escaped)"), "\(name): --\(option)")
        }
        for argument in help.matches(of: /\n {2}<([a-z-]+)>/) {
          #expect(page.contains(".It Ar"), "\(name): \(argument.output.1)")
        }
        #expect(page.contains("\n.Sh EXIT STATUS\n"))
        #expect(page.contains("\n.Sh EXAMPLES\n") || help.contains("SUBCOMMANDS:"), "\(name)")
      }
      let folder = sandbox.path("manual/man1")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(files.count == helpTexts.count, "no page is about anything else")
    }

    @Test("a shown page has the examples and the options to the letter, backslashes included")
    func shown() async throws {
      let sandbox = try await Self.manual.value
      for (path, help) in try await HelpExampleTests.helpTexts.value {
        let name = (["cliptag"] + path).joined(separator: "-")
        let shown = try await Self.lines(
          of: sandbox.shell("mandoc -Tutf8 -Owidth=500 manual/man1/\(name).1").output)
        let wanted =
          help.split(separator: "\n").filter { $0.hasPrefix("  cliptag ") || $0.hasSuffix("\\") }
        for line in wanted {
          #expect(
            shown.contains(line.trimmingCharacters(in: .whitespaces)), "\(name) lacks \(line)")
        }
      }
      // Texts that begin with a dot, hold an apostrophe, or signs beyond ASCII.
      let codes = Self.plain(
        try await sandbox.shell("mandoc -Tutf8 -Owidth=500 manual/man7/cliptag-codes.7").output)
      #expect(codes.contains("A path segment is ‘.’ or ‘..’."))
      #expect(codes.contains("No key known here verifies the tag's originality signature."))
    }

    @Test("mandoc finds nothing to complain about, and every page that one refers to is there")
    func lint() async throws {
      let sandbox = try await Self.manual.value
      let outcome = try await sandbox.shell("mandoc -Tlint manual/man?/*")
      // It looks for pages where the system has its own, and wants no name in the footer's corner.
      let complaints = (outcome.output + outcome.errors).split(separator: "\n").filter {
        !$0.contains("referenced manual not found") && !$0.contains("operating system explicitly")
      }
      #expect(complaints == [])
      let pages = FileManager.default.enumerator(atPath: sandbox.path("manual"))
      var count = 0
      for case let path as String in try #require(pages)
      where path.contains("/cliptag") {
        for reference in try Self.page(path, sandbox).matches(of: /Xr ([a-z-]+) (\d)/) {
          let (name, section) = (reference.output.1, reference.output.2)
          count += 1
          #expect(
            sandbox.bytes(of: "manual/man\(section)/\(name).\(section)") != nil,
            "\(path) refers to \(name)(\(section))")
        }
      }
      #expect(count > 100)
    }

    @Test("the same build gives the same pages, dated by SOURCE_DATE_EPOCH if it is set")
    func reproducible() async throws {
      let sandbox = try await Self.manual.value
      let page = try Self.page("man1/cliptag.1", sandbox)
      for (seconds, date) in [("0", "January 1, 1970"), ("1767225599", "December 31, 2025")] {
        let outcome = try await sandbox.run(
          ["manual", "--output", "dated"], environment: ["SOURCE_DATE_EPOCH": seconds])
        try #require(outcome.status == 0)
        let dated = try String(
          contentsOfFile: sandbox.path("dated/man1/cliptag.1"), encoding: .utf8)
        #expect(dated.hasPrefix(".Dd \(date)\n"))
        #expect(
          dated.split(separator: "\n").dropFirst() == page.split(separator: "\n").dropFirst())
      }
    }

    @Test("every variable that the sources read is told")
    func environment() async throws {
      let page = try Self.page("man1/cliptag.1", try await Self.manual.value)
      let told = Set(page.matches(of: /\bEv (?:\\&)?([A-Z_]+)/).map { String($0.output.1) })
      var read: Set<String> = []
      let sources = try #require(
        FileManager.default.enumerator(atPath: Repository.path("Sources")))
      for case let name as String in sources
      where name.hasSuffix(".swift") && !name.hasPrefix("Benchmarks/") {
        let text = try String(contentsOfFile: Repository.path("Sources/" + name), encoding: .utf8)
        read.formUnion(
          text.matches(
            of: /(?:setting|variable|getenv|environment)[\[(]"([A-Z_]+)"|= "(CLIPTAG_[A-Z_]+)"/
          ).compactMap { ($0.output.1 ?? $0.output.2).map(String.init) })
      }
      try #require(read.count > 10)
      #expect(read.subtracting(told).sorted() == [])
    }

    @Test("a page that cannot be written is a failure; nothing to write is wrong usage")
    func unwritable() async throws {
      let sandbox = try Sandbox()
      try sandbox.write("", to: "file")
      let outcome = try await sandbox.run("manual", "--output", "file")
      #expect(outcome.status == 73)
      #expect(outcome.errors.contains("file/man1"))
      #expect(try await sandbox.run("manual").status == 64)
    }

    /// A sandbox with the man pages in the folder `manual`, which tests only read.
    private static let manual = Task {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.run("manual", "--output", "manual")
      try #require(outcome.status == 0, "\(outcome.errors)")
      return sandbox
    }

    private static func page(_ path: String, _ sandbox: Sandbox) throws -> String {
      try String(contentsOfFile: sandbox.path("manual/" + path), encoding: .utf8)
    }

    private static func lines(of text: String) -> Set<String> {
      Set(plain(text).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    }

    /// Returns the text of a page, without the overprinting that makes it bold on a terminal.
    private static func plain(_ text: String) -> String {
      text.replacing(/.\u{8}/, with: "")
    }
  }
}
