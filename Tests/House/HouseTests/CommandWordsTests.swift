import Foundation
import Testing

@Suite("Libraries know nothing of the command")
struct CommandWordsTests {
  /// Returns the sources of libraries, each with its string literals one after the other.
  private func libraries() throws -> [(name: String, text: String)] {
    try swiftFiles(below: sources).filter {
      !$0.name.hasPrefix("Faces/")
    }.map { name, text in
      (name, text.replacing(/"\s*\n\s*\+ "/, with: ""))
    }
  }

  @Test("no sentence of a library names an option of the command")
  func noOptions() throws {
    let options = Set(
      try swiftFiles(below: sources.appending(path: "Faces/cliptag")).flatMap { _, text in
        text.matches(of: /--[a-z][a-z-]+/).map { String($0.output) }
      })
    let commands = Set(
      try FileManager.default.contentsOfDirectory(
        atPath: sources.appending(path: "Faces/cliptag/Commands").path
      ).map { $0.lowercased() })
    try #require(commands.isSuperset(of: ["code", "tag", "registry"]))
    try #require(options.contains("--registry") && options.contains("--overwrite"))
    for (name, text) in try libraries() {
      // Sentences have a space before the option; arguments of other programs have none.
      for match in text.matches(of: /"[^"\n]*[ (](--[a-z][a-z-]+)[^"\n]*"/)
      where options.contains(String(match.output.1)) {
        // Instructions to other programs.
        let others = ["sudo ", "codesign ", "var(--"]
        #expect(
          others.contains { match.output.0.contains($0) }, "\(name) says \(match.output.0)")
      }
      for match in text.matches(of: /"[^"\n]*\bcliptag ([a-z]+)\b[^"\n]*"/) {
        let isUserAgent = match.output.0.contains("(cliptag ")
        #expect(
          isUserAgent || !commands.contains(String(match.output.1)),
          "\(name) says \(match.output.0)")
      }
    }
  }
}

@Suite("The command starts fast")
struct CommandNameTests {
  @Test("every command states its name: deriving it from the type costs milliseconds at each start")
  func names() throws {
    var count = 0
    for (name, text) in try swiftFiles(below: sources.appending(path: "Faces/cliptag")) {
      for part in text.components(separatedBy: "CommandConfiguration(").dropFirst() {
        count += 1
        let isNamed = part.drop { $0.isWhitespace }.hasPrefix("commandName: ")
        #expect(isNamed, "\(name): \(part.prefix(60))")
      }
    }
    #expect(count > 90)
  }
}
