import Foundation
import Testing

/// Names and texts of others on the terminal.
extension CommandSuite {
  @Suite("Hostile names") struct HostileNameTests {
    /// A line that must not pass for the program's, and codes that move the cursor: ESC, CSI of the
    /// second set of control characters, a mark that turns the direction of writing.
    private static let forgery =
      "x\n\u{1B}[2J\u{1B}[32;1mACCEPTED \u{1B}[0m https://fruta.example.com/\u{9B}31m\u{202E}\r"

    /// Returns whether people see the text as one harmless stretch.
    private static func isHarmless(_ text: String) -> Bool {
      !text.split(separator: "\n").contains { $0.hasPrefix("ACCEPTED") || $0.hasPrefix("wrote") }
        && text.unicodeScalars.allSatisfy { scalar in
          scalar == "\n" || scalar.properties.generalCategory != .control && scalar != "\u{202E}"
        }
    }

    @Test(
      "a file's name with line feeds and escape codes prints no line of ours, wherever it stands")
    func files() async throws {
      let sandbox = try await Sandbox.withFruta()
      let name = Self.forgery.replacing("/", with: ":")
      try sandbox.write("no picture", to: name + ".png")
      try sandbox.write("places: [", to: name + ".yaml")
      try sandbox.write("a;b\n1", to: name + ".csv")
      try sandbox.write("{", to: name + ".jsonl")
      try sandbox.write("{}", to: name)
      for arguments in [
        ["scan", name + ".png"], ["grade", name + ".png"], ["audit", name + ".png"],
        ["scan", "--verbose", "."], ["scan", name + "-missing.png"],
        ["registry", "import", name + ".yaml"], ["sheet", name + ".csv", "-o", "a.pdf"],
        ["code", "merge", name + ".jsonl"], ["code", "merge", name + "-missing.jsonl"],
        ["association", "check", "fruta.example.com", "--file", name],
        ["qr", "https://fruta.example.com/order/cupertino", "-o", name + "/a.svg"],
        ["place", "show", name], ["explain", name], ["check", name], ["--" + name],
        ["place", "list", "--registry", name], ["tag", "read", "--reader", name],
        ["qr", "https://fruta.example.com/order/cupertino", "--logo-size", name],
      ] {
        let outcome = try await sandbox.run(arguments)
        #expect(
          Self.isHarmless(outcome.output) && Self.isHarmless(outcome.errors),
          "\(arguments.prefix(2)): \(outcome.output.debugDescription) \(outcome.errors.debugDescription)"
        )
      }
      let issued = try await sandbox.run(
        "qr", "https://fruta.example.com/order/cupertino", "-o", name + ".svg")
      #expect(issued.status == 0)
      #expect(issued.output.hasPrefix("wrote x\\u{a}\\u{1b}[2J"), "the name is shown, as an escape")
      #expect(issued.output.split(separator: "\n").count == 6, "each line is ours")
    }

    @Test("what a registry holds prints no line of ours, and JSON has it exactly")
    func registry() async throws {
      let sandbox = try await Sandbox.withFruta()
      let name = Self.forgery.replacing("/", with: ":") + ".svg"
      let issued = try await sandbox.run(
        "qr", "https://fruta.example.com/order/cupertino", "-o", name, "--json")
      let code = try #require(try issued.lines.first?["code"].text)
      for arguments in [["code", "list"], ["code", "show", code], ["pack", "cupertino"]] {
        let outcome = try await sandbox.run(arguments + ["--color", "always"])
        #expect(outcome.output.contains("ACCEPTED"), "it is shown")
        #expect(Self.isHarmless(outcome.output), "\(outcome.output.debugDescription)")
      }
      let json = try await sandbox.run("code", "show", code, "--json")
      #expect(
        !json.output.unicodeScalars.contains {
          $0.properties.generalCategory == .control && $0 != "\n"
        })
      #expect(try json.lines.first?["output"] == .string(name), "JSON stays exact")
    }

    @Test("the program's own colours stay, around values that carry none")
    func colours() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.run(
        "check", "https://fruta.example.com/order/cupertino", Self.forgery, "--color", "always")
      #expect(outcome.output.hasPrefix("\u{1B}[32;1mACCEPTED \u{1B}[0m \u{1B}[1mhttps://"))
      #expect(!outcome.output.contains("\u{1B}[2J") && !outcome.output.contains("\u{9B}"))
      #expect(outcome.output.contains("\\u{1b}[2J"))
    }
  }
}
