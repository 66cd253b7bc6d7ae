import Foundation
import Testing

/// The effects of a change of the registry on codes in use, and the gaps in the app's routes.
extension CommandSuite {
  @Suite("Reviewing a registry") struct RegistryReviewTests {
    private static let sample = Repository.path("Samples/fruta/registry.yaml")

    @Test("a code that was accepted by the old file and is not now is named with its place")
    func orphans() async throws {
      let sandbox = try await Sandbox.withFruta()
      let issued = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--json")
      let code = try #require(try issued.lines.first?["code"].text)
      let same = try await sandbox.run("registry", "check", "--json", "--against", Self.sample)
      #expect(same.status == 0)
      #expect(!same.output.contains("orphaned-code"))
      let yaml = try String(contentsOfFile: Self.sample, encoding: .utf8)
      try sandbox.write(
        yaml.replacing("status: RECEIVED", with: "status: DEACTIVATED"), to: "new.yaml")
      _ = try await sandbox.run("registry", "import", "new.yaml")
      let after = try await sandbox.run("registry", "check", "--json", "--against", Self.sample)
      #expect(after.status == 1)
      let finding = try #require(try after.lines.first { $0["code"] == "orphaned-code" })
      #expect(finding["severity"] == "error")
      #expect(finding["message"].text?.contains(code) == true)
      #expect(finding["message"].text?.contains("cupertino") == true)
      _ = try await sandbox.run("code", "retire", "--yes", code)
      let retired = try await sandbox.run(
        "registry", "check", "--json", "--against", Self.sample)
      #expect(!retired.output.contains("orphaned-code"), "what was taken down hangs nowhere")
    }

    @Test("codes of an unknown place are named with the next step: before it is added, and after")
    func unknownPlace() async throws {
      let sandbox = try await Sandbox.withFruta()
      let url = "https://fruta.example.com/order/berlin"
      let made = try await sandbox.run("qr", url, "-o", "b.svg", "--unregistered", "--json")
      try #require(made.status == 0, "\(made.errors)")
      let code = try #require(try made.lines.first?["code"].text)
      /// The words of `registry check` and `code due` about the code.
      func told(_ name: String) async throws -> [String] {
        let checked = try await sandbox.run("registry", "check", "--json").lines
        let due = try await sandbox.run("code", "due", "--json")
        let found = checked.filter { $0["code"].text == name }
        let visits = try due.lines("due").filter { $0["reason"].text == name }
        #expect(due.status == (try due.lines("due").isEmpty ? 0 : 1))
        #expect(visits.allSatisfy { $0["code"].text == code })
        #expect(found.allSatisfy { $0["message"].text?.contains(code) == true })
        return (found + visits).compactMap { $0["message"].text }
      }
      let unknown = try await told("unknown-place")
      #expect(unknown.count == 2)
      for words in unknown {
        #expect(
          words.contains("“berlin”") && words.lowercased().contains("add the place"), "\(words)")
      }
      _ = try await sandbox.run("place", "add", "berlin", "--at", "52.5,13.4", "--radius", "100")
      #expect(try await told("unknown-place").isEmpty)
      let added = try await told("place-added")
      #expect(added.count == 2)
      for words in added {
        #expect(words.contains("“berlin”") && words.contains("retire the code"), "\(words)")
      }
      #expect(try await sandbox.run("pack", "berlin").status == 2)
      // What the words advise connects the sign with its place.
      _ = try await sandbox.run("code", "retire", "--yes", code)
      _ = try await sandbox.run("qr", url, "-o", "b.svg")
      #expect(try await told("place-added").isEmpty)
      #expect(try await sandbox.run("pack", "berlin").output.contains("b.svg"))
    }

    @Test("codes whose place was removed are named by registry check and code due")
    func removedPlace() async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--json")
      let code = try #require(try made.lines.first?["code"].text)
      #expect(try await !sandbox.run("registry", "check").output.contains(code))
      let removed = try await sandbox.run("place", "remove", "cupertino", "--even-if-in-use")
      #expect(removed.status == 0, "\(removed.errors)")
      let found = try await sandbox.run("registry", "check", "--json").lines.filter {
        $0["code"] == "unknown-place"
      }
      #expect(found.count == 1)
      let words = try #require(found.first?["message"].text)
      #expect(words.contains(code) && words.contains("“cupertino”"), "\(words)")
      #expect(words.lowercased().contains("add the place"), "\(words)")
      let due = try await sandbox.run("code", "due", "--json").lines("due")
      #expect(due.map { $0["reason"] } == ["unknown-place"])
      #expect(due.first?["place"]["id"] == "cupertino")
    }

    @Test("nothing is found right in a registry that is not there")
    func missing() async throws {
      let sandbox = try Sandbox()
      for arguments in [
        ["registry", "check"], ["registry", "export", "out.yaml"], ["code", "verify"],
      ] {
        let outcome = try await sandbox.run(arguments + ["--json"])
        #expect(outcome.status == 66, "\(arguments)")
        #expect(try outcome.errorCodes == ["no-registry"])
        #expect(outcome.errors.contains("--registry"))
      }
      #expect(try sandbox.listing() == [])
    }

    @Test("an issued code that no route takes is an error, a bare link a warning")
    func routes() async throws {
      let sandbox = try await Sandbox.withFruta()
      _ = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg")
      try sandbox.write("/order\n/order1\n/join\n", to: "routes.txt")
      let found = try await sandbox.run("registry", "check", "--json", "--routes", "routes.txt")
      #expect(found.status == 1)
      #expect(try found.lines.filter { $0["code"] == "unhandled-code" }.count == 1)
      try sandbox.write("/order/{place}\n/order1\n", to: "routes.txt")
      let bare = try await sandbox.run("registry", "check", "--json", "--routes", "routes.txt")
      #expect(bare.status == 0)
      #expect(try bare.lines.filter { $0["code"] == "unhandled-link" }.count == 2)
    }

    @Test("routes are of one app: other apps' links and codes are left out with --clip")
    func routesOfOneApp() async throws {
      let sandbox = try await Sandbox.withFruta()
      let other = "com.example.fruta.Clip"
      let yaml = try String(contentsOfFile: Self.sample, encoding: .utf8)
        .replacing("com.example.fruta", with: "com.example.scooter")
        .replacing("fruta.example.com", with: "scooter.example.com")
      try sandbox.write(yaml, to: "scooter.yaml")
      #expect(try await sandbox.run("registry", "import", "scooter.yaml").status == 0)
      _ = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg")
      try sandbox.write("/order/{place}\n/order1\n/order\n/join\n/pickup\n", to: "routes.txt")
      let all = try await sandbox.run("registry", "check", "--json", "--routes", "routes.txt")
      #expect(all.errors.contains("several apps"))
      let one = try await sandbox.run(
        "registry", "check", "--json", "--routes", "routes.txt", "--clip", other)
      let told = try one.lines.filter { $0["code"].text?.hasPrefix("unhandled") == true }
      #expect(!told.contains { $0["message"].text?.contains("scooter") == true })
      let unknown = try await sandbox.run(
        "registry", "check", "--routes", "routes.txt", "--clip", "com.example.none")
      #expect(unknown.status == 64 && unknown.errors.contains("com.example.scooter.Clip"))
    }
  }
}
