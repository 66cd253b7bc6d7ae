import Foundation
import Testing

/// The completions that `make install` writes, loaded by the shells they are for.
extension CommandSuite {
  @Suite("Completions") struct CompletionTests {
    @Test("bash loads its completion and offers the commands of a group")
    func bash() async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.shell(
        """
        exec bash -c '. <(cliptag --generate-completion-script bash) && complete -p cliptag &&
          COMP_WORDS=(cliptag registry im) COMP_CWORD=2 && _cliptag cliptag "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" && echo "${COMPREPLY[@]}"'
        """)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("import"), "\(outcome.output)")
    }

    @Test("bash offers what the registry holds, of the registry that the line names")
    func recorded() async throws {
      let sandbox = try Sandbox()
      _ = try await sandbox.run(
        "registry", "import", "--registry", "shop.sqlite",
        Repository.path("Samples/fruta/registry.yaml"))
      let script = try await sandbox.run("--generate-completion-script", "bash")
      try sandbox.write(script.outputBytes, to: "completion")
      func offered(_ line: String) async throws -> String {
        try await sandbox.shell(
          """
          exec bash -c '. ./completion
            COMP_LINE=$1 COMP_POINT=${#1}; read -ra COMP_WORDS <<< "$1"
            [[ $1 == *" " ]] && COMP_WORDS+=("")
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _cliptag cliptag "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" && echo "${COMPREPLY[@]}"' bash "$1"
          """, line
        ).output.trimmingCharacters(in: .whitespacesAndNewlines)
      }
      #expect(try await offered("cliptag place show ") == "")
      let shop = "--registry shop.sqlite"
      #expect(try await offered("cliptag place show \(shop) ") == "cupertino san-francisco")
      #expect(try await offered("cliptag code list \(shop) --place ") == "cupertino san-francisco")
      let clips = try await offered("cliptag clip show \(shop) ")
      #expect(clips == "com.example.fruta.Clip com.example.fruta.rewards.Clip")
      // As bash splits it.
      let links = try await offered("cliptag experience show \(shop) https : //fruta.example.com/s")
      #expect(links == "//fruta.example.com/summer")
      #expect(try await offered("cliptag poster --paper ").contains("A4"))
    }

    @Test("zsh and fish, where they are installed, take theirs for right")
    func others() async throws {
      let sandbox = try Sandbox()
      for shell in ["zsh", "fish"] {
        let outcome = try await sandbox.shell(
          """
          cliptag --generate-completion-script \(shell) > completion || exit 1
          grep -q simulate completion || exit 1
          command -v \(shell) >/dev/null || exit 0
          exec \(shell) -n completion
          """)
        #expect(outcome.status == 0, "\(shell): \(outcome.errors)")
      }
    }
  }
}
