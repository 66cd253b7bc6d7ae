import Foundation
import Testing

/// Questions on a terminal before what cannot be undone.
extension CommandSuite {
  @Suite("Questions on the terminal") struct PromptTests {
    /// Runs a command on a terminal of its own and answers its question.
    private static let terminal = """
      import os, pty, sys
      answer, command = sys.argv[1], sys.argv[2:]
      process, terminal = pty.fork()
      if process == 0: os.execvp(command[0], command)
      shown, asked = b'', False
      try:
        while part := os.read(terminal, 4096):
          shown += part
          if b'[y/N]' in shown and not asked:
            asked = True
            os.write(terminal, answer.encode() + b'\\n')
      except OSError: pass
      print(shown.decode())
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
      """

    private func sandbox() async throws -> Sandbox {
      let sandbox = try Sandbox()
      try sandbox.write(Self.terminal, to: "terminal.py")
      try await sandbox.run(
        "registry", "import", Repository.path("Samples/fruta/registry.yaml"))
      return sandbox
    }

    private func answer(
      _ answer: String, _ words: [String], _ sandbox: Sandbox
    ) async throws -> Outcome {
      let command = words.map { "'\($0)'" }.joined(separator: " ")
      return try await sandbox.shell("/usr/bin/python3 terminal.py \(answer) cliptag \(command)")
    }

    @Test("a removal says what it removes, and only y does it")
    func removal() async throws {
      let sandbox = try await sandbox()
      let link = "https://fruta.example.com/summer"
      let no = try await answer("n", ["experience", "remove", link], sandbox)
      #expect(no.status == 1 && no.output.contains("Remove \(link) (DEACTIVATED)"))
      #expect(try await sandbox.run("experience", "show", link).status == 0)
      let yes = try await answer("y", ["experience", "remove", link], sandbox)
      #expect(yes.status == 0 && yes.output.contains("removed \(link)"))
      #expect(try await sandbox.run("experience", "show", link).status == 66)
    }

    @Test("an import that removes shows its changes first")
    func replaceAll() async throws {
      let sandbox = try await sandbox()
      try sandbox.write("places: []\nclips: []\n", to: "empty.yaml")
      let no = try await answer(
        "n", ["registry", "import", "--replace-all", "empty.yaml"], sandbox)
      #expect(no.status == 1 && no.output.contains("Remove what the file does not name?"))
      #expect(try await sandbox.run("clip", "list", "--json").lines.count == 2)
      // Without a terminal, the option is the answer.
      let piped = try await sandbox.run("registry", "import", "--replace-all", "empty.yaml")
      #expect(piped.status == 0)
      #expect(try await sandbox.run("clip", "list", "--json").lines.isEmpty)
    }

    @Test("a retirement names its codes, by any part of their URLs")
    func retirement() async throws {
      let sandbox = try await sandbox()
      let url = "https://fruta.example.com/order/cupertino"
      try await sandbox.run("qr", url, "-o", "code.svg")
      let no = try await answer("n", ["code", "retire", "cupertino"], sandbox)
      #expect(
        no.status == 1 && no.output.contains(url) && no.output.contains("Retire it for good?"))
      let yes = try await answer("y", ["code", "retire", "cupertino"], sandbox)
      #expect(yes.status == 0 && yes.output.contains("RETIRED"))
      #expect(try await sandbox.run("code", "retire", "cupertino").status == 64)
    }

    @Test("the same advice is printed once")
    func advice() async throws {
      let sandbox = try await sandbox()
      let shown = try await sandbox.run("place", "show", "nowhere", "elsewhere-1")
      let lines = shown.errors.split(separator: "\n")
      #expect(lines.filter { $0.hasPrefix("error:") }.count == 2)
      #expect(lines.filter { $0.hasPrefix("next:") }.count == 1)
    }
  }
}
