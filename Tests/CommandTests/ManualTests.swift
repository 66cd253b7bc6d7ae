import Foundation
import Testing

/// What `make manual` and `make codes` write.
extension CommandSuite {
  @Suite("Manual") struct ManualTests {
    @Test("the list of codes in the documentation is the one that the sources give")
    func codes() async throws {
      let sandbox = try Sandbox()
      try #require(try await sandbox.run("manual", "--codes", "Codes.md").status == 0)
      let made = try String(contentsOfFile: sandbox.path("Codes.md"), encoding: .utf8)
      let kept = try String(
        contentsOfFile: Repository.path("Sources/cliptag/cliptag.docc/Codes.md"), encoding: .utf8)
      #expect(made == kept, "run make codes, and commit what it changed")
    }

    @Test("a list of codes that cannot be written is a failure that says so")
    func unwritable() async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.run("manual", "--codes", "no/such/folder/Codes.md")
      #expect(outcome.status == 73)
      #expect(outcome.errors.contains("no/such/folder/Codes.md"))
    }
  }
}
