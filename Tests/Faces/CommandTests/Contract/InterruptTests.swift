import Foundation
import SimulatedReader
import Subprocess
import Testing

/// Ctrl-C at any moment: status 130, nothing half-written.
extension CommandSuite {
  @Suite("Interrupts") struct InterruptTests {
    @Test(
      "a signal ends a wait for a tag long before its time, and the status says which it was",
      arguments: [(Signal.interrupt, 130), (.terminate, 143), (.terminalClosed, 129)])
    func waiting(signal: Signal, status: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(tag: nil)
      let outcome = try await sandbox.start(
        "tag", "write", Fruta.cupertino, "--timeout", "3600", "--reader", reader.connectionString
      ) { running in
        try await until { reader.commandCount >= 12 }
        try running.send(signal)
        #expect(try await running.remainingLines() == [])
      }
      #expect(outcome.status == status)
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }

    @Test(
      "Ctrl-C while pages are written leaves a tag that the next run finishes",
      arguments: [1, 5, 10])
    func writing(pages: Int) async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader.holding()
      let before = reader.memory
      let outcome = try await sandbox.start(
        "tag", "write", Fruta.cupertino, "--reader", reader.connectionString
      ) { running in
        try await until {
          let memory = reader.memory
          let changed = stride(from: 0, to: memory.count, by: 4).filter { page in
            memory[page..<page + 4] != before[page..<page + 4]
          }
          return changed.count >= pages
        }
        try running.send(.interrupt)
        // A command that is done needs a reader for its output.
        _ = try await running.remainingLines()
      }
      // The signal may come after the last page: then the command is simply done.
      #expect([0, 74, 130].contains(outcome.status), "\(outcome.errors)")
      let read = try await sandbox.tag("read", "--no-location", "--json", on: reader)
      let payload = try read.lines("verification").first?["payload"].text
      #expect(["", Fruta.cupertino].contains(payload), "never half a URL")
      let again = try await sandbox.tag("write", Fruta.cupertino, "--json", on: reader)
      #expect(again.status == 0, "\(again.output)")
      let codes = try await sandbox.run("code", "list", "--all", "--json")
      #expect(try codes.lines.count == 1)
    }

    @Test(
      "Ctrl-C while labels are made leaves no sheet, no folder, no manifest and no record",
      arguments: [["-o", "all.pdf", "--template", "L7163"], ["-o", "all", "--format", "svg"]])
    func labels(options: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      let rows = (1...5_000).map { "\(Fruta.cupertino)?table=\($0)" }
      try sandbox.write("url\n" + rows.joined(separator: "\n") + "\n", to: "all.csv")
      let before = try sandbox.listing()
      let outcome = try await sandbox.start(["sheet", "all.csv"] + options) { running in
        // Something is being made.
        try await until { (try? sandbox.listing()) != before }
        try running.send(.interrupt)
        _ = try await running.remainingLines()
      }
      #expect(outcome.status == 130)
      #expect(try sandbox.listing() == before)
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }

    @Test("Ctrl-C while a file is proven leaves neither the file nor a temporary one")
    func issuing() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start(
        "qr", Fruta.cupertino, "--json", "-o", "a.svg", "-o", "b.pdf", "-o", "c.eps", "-o", "d.pdf",
        "-o", "e.eps"
      ) { running in
        _ = try await running.line()  // the first file is there, the next is on its way
        try running.send(.interrupt)
        _ = try await running.remainingLines()
      }
      #expect(outcome.status == 130)
      let files = try sandbox.listing()
      #expect(Set(files).isSubset(of: ["a.svg", "b.pdf", "c.eps", "d.pdf"]), "\(files)")
      let shown = try await sandbox.run("scan", "--json", "--no-location", "b.pdf")
      #expect(files.contains("b.pdf") ? shown.status == 0 : shown.status == 66)
    }

    @Test("two signals among many files leave no folder of unfinished ones behind")
    func secondSignal() async throws {
      let sandbox = try await Sandbox.withFruta()
      let rows = (1...300).map { "https://fruta.example.com/order/cupertino/table/\($0)" }
      try sandbox.write((["url"] + rows).joined(separator: "\n") + "\n", to: "t.csv")
      let outcome = try await sandbox.start("sheet", "t.csv", "-o", "codes", "--format", "pdf") {
        running in
        try await until { (try? sandbox.listing())?.contains { $0.hasSuffix(".tmp") } == true }
        try running.send(.terminate)
        try? running.send(.terminate)
        _ = try await running.remainingLines()
      }
      #expect(outcome.status == 143)
      #expect(try !sandbox.listing().contains { $0.hasSuffix(".tmp") })
    }

    @Test(
      "a signal at the first line of output is heard", arguments: [Signal.interrupt, .terminate])
    func firstLine(signal: Signal) async throws {
      let sandbox = try await Sandbox.withFruta()
      for _ in 0..<5 {
        let outcome = try await sandbox.start("reader", "simulate") { running in
          _ = try #require(try await running.line())
          try running.send(signal)
          #expect(try await running.remainingLines() == [])
        }
        #expect(outcome.status == 0)
      }
    }

    @Test("Ctrl-C ends a command that waits for its standard input")
    func readingInput() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start("check", "--json", "-") { running in
        try await running.write(Fruta.cupertino + "\n")
        _ = try await running.line()
        try running.send(.interrupt)
        #expect(try await running.remainingLines() == [])
      }
      #expect(outcome.status == 130)
    }

    @Test(
      "Ctrl-C among many pictures leaves whole lines, and no child process",
      arguments: [[], ["--isolate"]])
    func scanning(options: [String]) async throws {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run("qr", Fruta.cupertino, "-o", "a.png", "-o", "b.pdf")
      try #require(made.status == 0, "\(made.errors)")
      // A renderer that never ends. It may write nothing anywhere, so it is known by its arguments.
      let renderer = sandbox.root + "/bin/pdfinfo"
      try Data("#!/bin/sh\nexec tail -f /dev/null\n".utf8)
        .write(to: URL(filePath: renderer))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: renderer)

      let names = ["a.png", "b.pdf"] + Array(repeating: "a.png", count: 40)
      let outcome = try await sandbox.start(
        ["scan", "--no-location", "--json"] + options + names
      ) { running in
        let first = try JSON(parsing: try #require(try await running.line()))
        #expect(first["payload"].text == Fruta.cupertino)
        try await until {
          sandbox.processes().contains { number in
            FileManager.default.contents(atPath: "/proc/\(number)/cmdline")
              == Data("tail\0-f\0/dev/null\0".utf8)
          }
        }
        try running.send(.interrupt)
        for line in try await running.remainingLines() {
          #expect(throws: Never.self, "\(line)") { try JSON(parsing: line) }
        }
      }
      #expect(outcome.status == 130, "\(outcome.errors)")
      // A killed process may take a moment to disappear.
      try await until { sandbox.processes().isEmpty }
      #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.root + "/tmp") == [])
    }
  }
}
