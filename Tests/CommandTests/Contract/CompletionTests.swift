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
          COMP_WORDS=(cliptag registry im) COMP_CWORD=2 && _cliptag && echo "${COMPREPLY[@]}"'
        """)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.output.contains("import"), "\(outcome.output)")
    }

    @Test("zsh and fish, where they are installed, take theirs for right")
    func others() async throws {
      let sandbox = try Sandbox()
      for shell in ["zsh", "fish"] {
        let outcome = try await sandbox.shell(
          """
          cliptag --generate-completion-script \(shell) > completion || exit 1
          command -v \(shell) >/dev/null || exit 0
          exec \(shell) -n completion
          """)
        #expect(outcome.status == 0, "\(shell): \(outcome.errors)")
      }
    }
  }
}
