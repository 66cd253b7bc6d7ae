import Foundation
import Testing

/// A logo in a code: its report, and refusals.
extension CommandSuite {
  @Suite("Logos") struct LogoTests {
    private static let logo = Repository.path("Samples/fruta/logo.svg")

    @Test("a logo is drawn into every format, and its cost is said")
    func cost() async throws {
      let sandbox = try await Sandbox.withFruta()
      let files = ["svg", "png", "pdf", "eps"].flatMap { ["-o", "a.\($0)"] }
      let made = try await sandbox.run(
        ["qr", Fruta.cupertino, "--logo", Self.logo, "--json"] + files)
      #expect(made.status == 0 && made.errors == "")
      #expect(try made.lines.map { $0["verified"] } == [true, true, true, true])
      for line in try made.lines {
        #expect(line["errorCorrection"] == "H")
        #expect(line["logo"]["file"].text == Self.logo)
        #expect(line["logo"]["modules"].number == 9)
        #expect((line["logo"]["coveredCodewords"].number ?? 0) > 10)
        #expect((line["logo"]["unusedErrorCorrection"].number ?? 0) >= 0.62)
      }
      let plain = try await sandbox.run("qr", Fruta.cupertino, "-o", "b.svg", "--json")
      #expect(try plain.lines.map { $0["logo"] } == [.null])
      let chosen = try await sandbox.run(
        "qr", Fruta.cupertino, "-o", "c.svg", "--logo", Self.logo, "--logo-size", "auto", "--json")
      #expect(try chosen.lines.first?["logo"]["modules"].number == 9)
    }

    @Test(
      "a logo that spends the reserve is warned of; one beyond it is refused with what would do")
    func tooLarge() async throws {
      let sandbox = try await Sandbox.withFruta()
      func run(_ options: String...) async throws -> Outcome {
        try await sandbox.run(
          ["qr", Fruta.cupertino, "-o", "a.svg", "--logo", Self.logo, "--json"] + options)
      }
      let large = try await run("--logo-size", "13")
      #expect(large.status == 0)
      #expect(try large.lines.first?["findings"].elements.map { $0["code"] } == ["logo-large"])
      let refused = try await run("--logo-size", "21")
      #expect(refused.status == 64)
      #expect(try refused.lines.map { $0["code"] } == ["logo-too-large"])
      #expect(refused.errors.contains("9 modules"))
      #expect(try await run("--logo-size", "8").lines.map { $0["code"] } == ["invalid-logo-size"])
      let weak = try await run("--error-correction", "M")
      #expect(try weak.lines.map { $0["code"] } == ["no-room-for-logo"])
      #expect(weak.errors.contains("level Q"))
    }

    @Test("a logo that is missing or no picture ends the command before anything is recorded")
    func unreadable() async throws {
      let sandbox = try await Sandbox.withFruta()
      let missing = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--logo", "no.svg")
      #expect(missing.status == 66)
      try sandbox.write("not a picture", to: "words.png")
      let words = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.svg", "--logo", "words.png")
      #expect(words.status == 65)
      #expect(
        try await sandbox.run("qr", Fruta.cupertino, "--logo-size", "9").status == 64)
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }
  }
}
