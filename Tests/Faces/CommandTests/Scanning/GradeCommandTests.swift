import Foundation
import Testing

/// `grade`: its output, its JSON, and its exit status.
extension CommandSuite {
  @Suite("Grading") struct GradeCommandTests {
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png", "--width", "40")
      try #require(made.status == 0, "\(made.errors)")
      return sandbox
    }

    @Test("a grade never stands without saying that it is no verification")
    func wording() async throws {
      let sandbox = try await Self.scene()
      let outcome = try await sandbox.run("grade", "a.png", "--dpi", "300")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let caveat = "estimated grade (uncalibrated; not an ISO/IEC 15415 verification)"
      #expect(outcome.output.contains(caveat) && outcome.output.hasPrefix("A (4.0) "))
      #expect(outcome.output.contains("symbol contrast"))
      let line = try #require(try await sandbox.run("grade", "a.png", "--json").lines.first)
      #expect(line["caveat"].text == caveat)
    }

    @Test("the JSON has every key, and null for what cannot be told")
    func json() async throws {
      let sandbox = try await Self.scene()
      for arguments in [[], ["--dpi", "300", "--white", "0.8"]] {
        let outcome = try await sandbox.run(["grade", "a.png", "--json"] + arguments)
        let line = try #require(try outcome.lines("grade").first)
        line.expectKeys([
          "type", "source", "page", "payload", "letter", "grade", "decimal", "caveat", "capture",
          "dpi", "modulePixels", "moduleSize", "corners", "parameters",
        ])
        #expect(line["payload"].text == Fruta.cupertino && line["letter"] == "A")
        #expect(line["capture"].text == (arguments.isEmpty ? "photograph" : "flatbed"))
        guard case .array(let parameters) = line["parameters"] else {
          Issue.record("no parameters")
          continue
        }
        for parameter in parameters {
          parameter.expectKeys([
            "name", "basis", "value", "letter", "grade", "decimal", "note", "parts",
          ])
          #expect(
            (parameter["basis"] == "notMeasured")
              == (parameter["value"] == .null
                && parameter["grade"] == .null))
        }
        let contrast = parameters.first { $0["name"] == "symbolContrast" }
        #expect(contrast?["basis"] == "estimated")
      }
    }

    @Test("0 graded, 1 below what is asked for, 2 nothing to grade, 64 an option that cannot be")
    func status() async throws {
      let sandbox = try await Self.scene()
      try sandbox.write(Picture.white, to: "white.pgm")
      #expect(try await sandbox.run("grade", "a.png", "--minimum", "a").status == 0)
      // Paper that reflects half of the light leaves a symbol contrast of 50 %, which is C.
      let dull = ["grade", "a.png", "--dpi", "300", "--white", "0.5", "--minimum"]
      #expect(try await sandbox.run(dull + ["C"]).status == 0)
      #expect(try await sandbox.run(dull + ["B"]).status == 1)
      let none = try await sandbox.run("grade", "white.pgm", "--json")
      #expect(none.status == 2)
      #expect(try none.errorCodes == ["no-code"])
      #expect(try await sandbox.run("grade", "missing.png", "a.png").status == 66)
      for wrong in [
        ["a.png", "--white", "0.8"], ["a.png", "--dpi", "600", "--white", "2"],
        ["a.png", "--dpi", "0"], ["a.png", "--minimum", "E"], [],
      ] {
        #expect(try await sandbox.run(["grade"] + wrong).status == 64, "\(wrong)")
      }
    }
  }
}
