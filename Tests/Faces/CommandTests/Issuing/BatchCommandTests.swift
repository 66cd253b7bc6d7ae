import CliptagBasics
import Foundation
import SimulatedReader
import Subprocess
import TagTypes
import Testing

/// `tag batch` as used at a bench: the command, a reader, one tag after another.
extension CommandSuite {
  @Suite("Batches") struct BatchCommandTests {
    @Test("one tag after another takes the rows in their order")
    func inOrder() async throws {
      let bench = try await Bench(rows: 3)
      let outcome = try await bench.run { line, reader in
        if line["type"] == "write" { try reader.lay(Int(line["row"].number ?? 0) + 1) }
      }
      #expect(outcome.status == 0, "\(outcome.errors)")
      let rows = try outcome.lines("write")
      #expect(rows.map { $0["row"] } == [1, 2, 3])
      #expect(rows.map { $0["uid"].text } == [uid(1), uid(2), uid(3)])
      #expect(rows.map { $0["label"] } == ["Table 1", "Table 2", "Table 3"])
      #expect(rows[0]["url"].text == Bench.url(1))
      #expect(rows[0]["signature"] == "not-genuine")
      #expect(rows[0]["sha256"].text?.count == 64)
      #expect(rows[0]["verified"] == true)
      let last = try #require(try outcome.lines("batch").last)
      #expect(last["done"] == 3 && last["finished"] == 3 && last["pending"] == 0)
      #expect(try await bench.sandbox.run("code", "list", "--json").lines.count == 3)
    }

    @Test("the prompt names the row before its tag is written, and the whole is silent on request")
    func prompts() async throws {
      let bench = try await Bench(rows: 1)
      let outcome = try await bench.run { _, _ in }
      #expect(outcome.errors.hasPrefix("row 1 of 1 “Table 1”: put a tag on the reader\n"))
      #expect(!outcome.errors.contains("\u{07}"), "the bell is for terminals")
      let quiet = try await bench.run("--quiet") { _, _ in }
      #expect(quiet.errors == "")
    }

    /// A key file for the bench's URLs, and the options that name it.
    private static func keys(for bench: Bench) throws -> [String] {
      try bench.sandbox.write(ProvisionTests.file(ProvisionTests.keys), to: "keys.yaml")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: bench.sandbox.path("keys.yaml"))
      return ["--provision", "--keys", "keys.yaml"]
    }

    @Test(
      "each tag is made ready with the keys and its row's URL, locked on request, and on record")
    func provision() async throws {
      let bench = try await Bench(rows: 2)
      let keys = try Self.keys(for: bench)
      let reader = try SimulatedReader(tag: try SimulatedType4Tag(.ntag424, uid: Bench.uid(1)))
      let dry = try await bench.sandbox.run(
        ["tag", "batch", "codes.csv", "--lock", "--dry-run"] + keys)
      #expect(dry.status == 0, "\(dry.output)\(dry.errors)")
      #expect(dry.output.contains("would make ready 2 tags and permanently lock them"))
      let outcome = try await bench.run(keys + ["--lock"], on: reader) { line, reader in
        if line["type"] == "write", line["row"] == 1 {
          reader.replaceTag(with: try SimulatedType4Tag(.ntag424, uid: Bench.uid(2)))
        }
      }
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      let rows = try outcome.lines("write")
      #expect(rows.map { $0["uid"].text } == [uid(1), uid(2)])
      #expect(rows.allSatisfy { $0["locked"] == true && $0["verified"] == true })
      #expect(!(outcome.output + outcome.errors).contains(ProvisionTests.keys[0]))
      try await bench.expectLedger([uid(1), uid(2)])
      let tap = try await bench.sandbox.tag(
        "read", "--no-location", "--keys", "keys.yaml", "--json", on: reader)
      #expect(tap.status == 0, "\(tap.output)")
      #expect(tap.output.contains("sun-valid"))
      let code = try #require(rows[0]["code"].text)
      let history = try await bench.sandbox.run("code", "show", code, "--json")
      #expect(history.output.contains(#""key-version":"1""#))
      // A tag of a row that is done is recognised, whatever message it shows.
      try bench.sandbox.write(Bench.file(rows: 3), to: "codes.csv")
      let again = try await bench.run(keys + ["--lock", "--timeout", "1"], on: reader) { _, _ in }
      #expect(try again.lines("attempt").first?["outcome"] == "already-done")
    }

    @Test("a tag that left while it was made ready is finished for its row by the next run")
    func provisionTorn() async throws {
      let bench = try await Bench(rows: 1)
      let keys = try Self.keys(for: bench)
      let blank = try SimulatedType4Tag(.ntag424, uid: Bench.uid(1))
      let torn = try SimulatedReader(tag: blank, faults: [.removeTag(afterCommands: 75)])
      let first = try await bench.run(keys + ["--timeout", "1"], on: torn) { _, _ in }
      #expect(first.status != 0)
      #expect(try first.lines("attempt").first?["outcome"] == "torn", "\(first.output)")
      let left = try #require(torn.card)
      #expect(left.memory != blank.memory)
      let other = try SimulatedReader(tag: try SimulatedType4Tag(.ntag424, uid: Bench.uid(2)))
      let before = other.memory
      let foreign = try await bench.run(keys + ["--timeout", "1"], on: other) { _, _ in }
      #expect(try foreign.lines("write").isEmpty)
      #expect(foreign.errors.contains("only rows that wait for a specific tag are left"))
      #expect(other.memory == before)
      let next = try await bench.run(keys, on: try SimulatedReader(tag: left)) { _, _ in }
      #expect(next.status == 0, "\(next.output)\(next.errors)")
      try await bench.expectLedger([uid(1)])
    }

    @Test("rows that the key file does not make ready are refused before the first tag")
    func provisionRefused() async throws {
      let bench = try await Bench(rows: 1)
      var keys = try Self.keys(for: bench)
      let none = try await bench.sandbox.run(
        "tag", "batch", "codes.csv", "--keys", "keys.yaml", "--dry-run")
      #expect(none.status == 64)
      try bench.sandbox.write(
        ProvisionTests.file(ProvisionTests.keys).replacing("/order", with: "/other"),
        to: "keys.yaml")
      keys.append("--json")
      let refused = try await bench.sandbox.run(["tag", "batch", "codes.csv", "--dry-run"] + keys)
      #expect(refused.status == 65, "\(refused.output)\(refused.errors)")
      #expect((refused.output + refused.errors).contains("has no entry for"))
    }

    @Test("a tag that is not taken leaves its row to the next tag")
    func refused() async throws {
      let bench = try await Bench(rows: 1)
      var foreign = try Bench.tag(9)
      foreign.hold(uri: "elsewhere.example.net/")
      bench.reader.replaceTag(with: foreign)
      let before = bench.reader.memory
      let outcome = try await bench.run { line, reader in
        if line["outcome"] == "refused" {
          #expect(reader.memory == before)
          try reader.lay(1)
        }
      }
      #expect(outcome.status == 0)
      let attempt = try #require(try outcome.lines("attempt").first)
      #expect(attempt["code"] == "foreign-data")
      #expect(attempt["row"] == 1)
      #expect(attempt["uid"].text == uid(9))
      #expect(try outcome.lines("write").map { $0["uid"].text } == [uid(1)])
    }

    @Test(
      "a tag of another technology is not taken, once, and the next tag is",
      arguments: [SimulatedTagKind.felica, .typeb, .jewel])
    func otherTechnology(kind: SimulatedTagKind) async throws {
      let bench = try await Bench(rows: 1)
      let reader = try SimulatedReader(tag: try kind.card())
      let outcome = try await bench.run(on: reader) { line, reader in
        guard line["outcome"] == "refused" else { return }
        // It remains for another look or two before it is taken away.
        let count = reader.commandCount
        Task {
          try await until { reader.commandCount > count + 60 }
          try reader.lay(1)
        }
      }
      #expect(outcome.status == 0, "\(outcome.errors)")
      let attempts = try outcome.lines("attempt")
      #expect(attempts.map { $0["code"] } == ["tag-unsupported"])
      #expect(attempts.first?["uid"].text == (try kind.card())?.uid.hexadecimal)
      #expect(try outcome.lines("write").map { $0["uid"].text } == [uid(1)])
    }

    @Test("the summary counts the tags whose signature is not their maker's")
    func signatures() async throws {
      let bench = try await Bench(rows: 3)
      let first = try await bench.run("--limit", "2") { line, reader in
        if line["type"] == "write" { try reader.lay(2) }
      }
      let summary = try #require(try first.lines("batch").last)
      #expect(summary["notGenuine"] == 2)
      #expect(summary["refusedNotGenuine"] == 0)
      try bench.reader.lay(3)
      let strict = try await bench.run("--require-genuine") { line, reader in
        if line["outcome"] == "refused" { reader.replaceTag(with: try SimulatedTag(.ntag213)) }
      }
      let last = try #require(try strict.lines("batch").last)
      #expect(last["notGenuine"] == 2)
      #expect(last["refusedNotGenuine"] == 1)
      let text = try await bench.sandbox.run("tag", "batch", "codes.csv", "--status")
      #expect(text.output.contains("signature not verified: 2 tags (rows 1, 2)"), "\(text.output)")
    }

    @Test("with --set-password a row is done when its tag is guarded; the file keeps the secret")
    func passwords() async throws {
      let bench = try await Bench(rows: 2)
      try bench.sandbox.write("A1B2C3D4:0102\n", to: "tag.password")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: bench.sandbox.path("tag.password"))
      let outcome = try await bench.run(
        "--set-password", "--password-file", "tag.password"
      ) { line, reader in
        if line["type"] == "write", line["row"] == 1 { try reader.lay(2) }
      }
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try outcome.lines("write").map { $0["passwordSet"] } == [true, true])
      #expect(!outcome.output.contains("A1B2C3D4"))
      let write = try await bench.sandbox.tag(
        "write", Bench.url(2) + "0", "--json", on: bench.reader)
      #expect(try write.errorCodes == ["tag-password"])
      let both = try await bench.run("--set-password", "--lock") { _, _ in }
      #expect(both.status == 64)
    }

    @Test("a tag that left half written is finished for its row when it comes back")
    func torn() async throws {
      let bench = try await Bench(rows: 2, faults: [.tearWrite(4)])
      let outcome = try await bench.run { line, reader in
        if line["outcome"] == "torn" { reader.replaceTag(with: reader.tag) }
        if line["type"] == "write" { try reader.lay(2) }
      }
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try outcome.lines("attempt").map { $0["code"] } == ["torn-write"])
      #expect(try outcome.lines("write").map { $0["uid"].text } == [uid(1), uid(2)])
    }

    @Test("another tag than the half-written one takes the next row, after that was asked for")
    func anotherTag() async throws {
      let bench = try await Bench(rows: 2, faults: [.tearWrite(4)])
      let torn = try Bench.tag(1)
      let outcome = try await bench.start { running, reader in
        while let line = try await running.line() {
          let line = try JSON(parsing: line)
          if line["outcome"] == "torn" {
            try reader.lay(2)
            // Nothing is written to it before its row was asked for: it must be laid again.
            let count = reader.commandCount
            try await until { reader.commandCount > count + 12 }
            #expect(try reader.memory == Bench.tag(2).memory)
            reader.replaceTag(with: nil)
            let empty = reader.commandCount
            try await until { reader.commandCount > empty + 6 }
            try reader.lay(2)
          }
          if line["row"] == 2, line["type"] == "write" { reader.replaceTag(with: torn) }
        }
      }
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.errors.contains("\(uid(2)) is not \(uid(1))"))
      let status = try await bench.sandbox.run(
        "tag", "batch", "codes.csv", "--status", "--report", "-")
      #expect(status.output.contains("1,\(Bench.url(1)),Table 1,,done,\(uid(1)),"))
      #expect(status.output.contains("2,\(Bench.url(2)),Table 2,,done,\(uid(2)),"))
    }

    @Test("what could only fail in the end is refused before the first tag")
    func refusedAtOnce() async throws {
      let bench = try await Bench(rows: 1)
      let before = bench.reader.memory
      let report = try await bench.run("--report", "nowhere/done.csv") { _, _ in }
      #expect(report.status == 73, "\(report.errors)")
      let type = try await bench.run("--type", "ntag21") { _, _ in }
      #expect(type.status == 64)
      #expect(type.errors.contains("NTAG215"), "\(type.errors)")
      #expect(bench.reader.memory == before)
      let done = try await bench.run("--type", "ntag213", "--report", "done.csv") { _, _ in }
      #expect(done.status == 0, "\(done.errors)")
      let skip = try await bench.run("--skip", "1") { _, _ in }
      #expect(skip.status == 64)
      #expect(skip.errors.contains("--redo 1"), "\(skip.errors)")
      try bench.sandbox.write("url\n\(Bench.url(1))?t={tag}\n", to: "codes.csv")
      let braces = try await bench.sandbox.run("tag", "batch", "codes.csv", "--batch", "b2")
      #expect(braces.status == 65)
      #expect(braces.errors.contains("no tag fills in {tag}"), "\(braces.errors)")
    }

    @Test("Ctrl-C ends a run with status 130, and the next run goes on")
    func interrupted() async throws {
      let bench = try await Bench(rows: 3)
      let stopped = try await bench.start { running, _ in
        _ = try await running.line()
        try running.send(.interrupt)
        _ = try await running.remainingLines()
      }
      #expect(stopped.status == 130)
      try bench.reader.lay(2)
      let outcome = try await bench.run { line, reader in
        if line["row"] == 2 { try reader.lay(3) }
      }
      #expect(outcome.status == 0)
      #expect(try outcome.lines("write").map { $0["row"] } == [2, 3])
    }

    @Test(
      "killed at any moment, the next run finishes every row on one tag",
      arguments: [8, 14, 20, 24, 27, 30, 33, 36, 40, 44, 50])
    func killed(commands: Int) async throws {
      let bench = try await Bench(rows: 2)
      let killed = try await bench.start { running, reader in
        try await until { reader.commandCount >= commands }
        try running.send(.kill)
        _ = try await running.remainingLines()
      }
      #expect(killed.status == 128 + 9)
      let outcome = try await bench.run { line, reader in
        // Whatever was killed, the first tag is the first row's, and it is said to be so.
        if line["row"] == 1 { try reader.lay(2) }
      }
      #expect(outcome.status == 0, "\(outcome.errors)")
      try await bench.expectLedger([uid(1), uid(2)])
    }

    @Test("two stations share a batch: no row twice, no tag twice")
    func twoStations() async throws {
      let bench = try await Bench(rows: 6)
      let other = try SimulatedReader(tag: try Bench.tag(101))
      async let left = bench.run { line, reader in
        if line["type"] == "write" { try reader.layNext() }
      }
      async let right = bench.run(on: other) { line, reader in
        if line["type"] == "write" { try reader.layNext() }
      }
      let outcomes = try await [left, right]
      #expect(outcomes.map(\.status) == [0, 0], "\(outcomes.map(\.errors))")
      let rows = try outcomes.flatMap { try $0.lines("write").compactMap { $0["row"].number } }
      #expect(rows.sorted() == [1, 2, 3, 4, 5, 6])
      let uids = try outcomes.flatMap { try $0.lines("write").compactMap { $0["uid"].text } }
      #expect(Set(uids).count == 6)
    }

    @Test("problems of the file are all told, with line and column, before the reader is opened")
    func problems() async throws {
      let bench = try await Bench(rows: 1)
      try bench.sandbox.write(
        "url,label\n\(Bench.url(1)),\"a\" b\n,c\nhttp://fruta.example.com/order/1,d\n",
        to: "bad.csv")
      let outcome = try await bench.sandbox.tag(
        "batch", "bad.csv", "--json", on: bench.reader)
      #expect(outcome.status == 65)
      let errors = try outcome.lines("error")
      #expect(errors.map { $0["code"] } == ["malformed-csv", "malformed-csv"])
      #expect(errors.map { $0["line"] } == [2, 3])
      #expect(errors.map { $0["column"].number } == [Double(Bench.url(1).count + 5), 1])
      #expect(try outcome.lines("verification").map { $0["state"] } == ["malformed"])
      #expect(bench.reader.commandCount == 0)
      #expect(try await bench.sandbox.run("tag", "batch", "bad.csv", "--status").status == 66)
    }

    @Test("URLs that the check does not accept end with status 1, unless that was asked for")
    func unregistered() async throws {
      let bench = try await Bench(rows: 1)
      try bench.sandbox.write("url\nhttps://elsewhere.example.net/\n", to: "other.csv")
      let refused = try await bench.sandbox.run("tag", "batch", "other.csv", "--dry-run")
      #expect(refused.status == 1)
      let taken = try await bench.sandbox.run(
        "tag", "batch", "other.csv", "--dry-run", "--unregistered")
      #expect(taken.status == 0)
    }

    @Test("a row whose place is not that of its URL is refused with its position")
    func wrongPlace() async throws {
      let bench = try await Bench(rows: 1)
      try bench.sandbox.write(
        "url,place\n\(Fruta.cupertino),san-francisco\n", to: "places.csv")
      let outcome = try await bench.sandbox.run("tag", "batch", "places.csv", "--json", "-n")
      #expect(outcome.status == 65)
      #expect(
        try outcome.lines("error").first?["column"].number == Double(Fruta.cupertino.count + 2))
    }

    @Test("a file that changed under its batch is refused with what differs; one that grew is not")
    func changed() async throws {
      let bench = try await Bench(rows: 2)
      _ = try await bench.run("--limit", "0") { _, _ in }
      try bench.sandbox.write(Bench.file(rows: 3), to: "codes.csv")
      let grown = try await bench.run("--limit", "0") { _, _ in }
      #expect(try grown.lines("batch").last?["rows"] == 3)
      try bench.sandbox.write(
        Bench.file(rows: 3).replacing("Table 2", with: "Table 5"), to: "codes.csv")
      let changed = try await bench.run("--limit", "0") { _, _ in }
      #expect(changed.status == 65)
      #expect(try changed.errorCodes == ["batch-changed"])
      #expect(changed.errors.contains("row 2 had the label “Table 2” and now has “Table 5”"))
    }

    @Test("no tag in time is status 2, and so is one that nobody takes away")
    func timeout() async throws {
      let bench = try await Bench(rows: 2)
      let stays = try await bench.run("--timeout", "0.2") { _, _ in }
      #expect(stays.status == 2)
      #expect(try stays.lines("write").count == 1)
      bench.reader.replaceTag(with: nil)
      #expect(try await bench.run("--timeout", "0.2") { _, _ in }.status == 2)
    }

    @Test("a deck of tags takes every row of a file in one run")
    func deck() async throws {
      let sandbox = try await Sandbox.withFruta()
      let reader = try SimulatedReader(
        deck: SimulatedDeck(.ntag213, count: 5))
      let outcome = try await sandbox.tag(
        "batch", Repository.path("Samples/fruta/tables.csv"), "--timeout", "20", "--json",
        on: reader)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(try outcome.lines("write").map { $0["row"] } == [1, 2, 3, 4, 5])
      #expect(try outcome.lines("attempt").isEmpty)
      #expect(try outcome.lines("batch").last?["done"] == 5)
    }

    @Test("with --lock a row is done when its tag is locked, and the ledger says so")
    func locked() async throws {
      let bench = try await Bench(rows: 1)
      let outcome = try await bench.run("--lock") { _, _ in }
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try outcome.lines("write").map { $0["locked"] } == [true])
      let report = try await bench.sandbox.run(
        "tag", "batch", "codes.csv", "--status", "--report", "-")
      #expect(report.output.contains(",not-genuine,yes,"))
      let write = try await bench.sandbox.tag("write", Bench.url(2), "--json", on: bench.reader)
      #expect(try write.errorCodes == ["tag-locked"])
    }

    @Test("a Type 4 tag is refused with the reason, unwritten, when tags are to be locked")
    func lockedType4() async throws {
      let bench = try await Bench(rows: 1)
      let reader = try SimulatedReader(tag: try SimulatedTagKind.ntag424.card())
      let before = (reader.card as? SimulatedType4Tag)?.ndefFile
      let outcome = try await bench.run("--lock", "--timeout", "0.2", on: reader) { _, _ in }
      #expect(outcome.status == 2)
      #expect(try outcome.lines("attempt").map { $0["code"] } == ["tag-unsupported"])
      #expect(try outcome.lines("batch").last?["torn"] == 0)
      #expect((reader.card as? SimulatedType4Tag)?.ndefFile == before)
    }

    @Test("the report is a file that another batch can be made from")
    func report() async throws {
      let bench = try await Bench(rows: 1)
      _ = try await bench.run("--report", "done.csv") { _, _ in }
      let again = try await bench.sandbox.run("tag", "batch", "done.csv", "--dry-run", "--json")
      #expect(again.status == 0, "\(again.output)")
      #expect(try again.lines("batch").first?["rows"] == 1)
    }
  }
}

/// A registry with a batch's file, and a reader with the first tag on it.
private struct Bench {
  let sandbox: Sandbox
  let reader: SimulatedReader

  init(rows: Int, faults: [Fault] = []) async throws {
    sandbox = try await Sandbox.withFruta()
    try sandbox.write(Self.file(rows: rows), to: "codes.csv")
    reader = try SimulatedReader(tag: try Self.tag(1), faults: faults)
  }

  static func url(_ row: Int) -> String { "https://fruta.example.com/order/cupertino/table/\(row)" }

  static func file(rows: Int) -> String {
    "url,label\n" + (1...rows).map { "\(url($0)),Table \($0)\n" }.joined()
  }

  static func uid(_ number: UInt8) -> [UInt8] { [0x04, 1, 2, 3, 4, 5, number] }

  static func tag(_ number: UInt8) throws -> SimulatedTag {
    try SimulatedTag(.ntag213, uid: uid(number))
  }

  /// Runs the batch to its end; `swap` is called for each line, to lay another tag.
  func run(
    _ options: String..., on other: SimulatedReader? = nil,
    swap: @escaping @Sendable (JSON, SimulatedReader) throws -> Void
  ) async throws -> Outcome { try await run(options, on: other, swap: swap) }

  func run(
    _ options: [String], on other: SimulatedReader? = nil,
    swap: @escaping @Sendable (JSON, SimulatedReader) throws -> Void
  ) async throws -> Outcome {
    let lines = Lines()
    let outcome = try await start(options, on: other) { running, reader in
      while let line = try await running.line() {
        await lines.append(line)
        try swap(try JSON(parsing: line), reader)
      }
    }
    return outcome.printing(await lines.text)
  }

  func start(
    _ options: [String] = [], on other: SimulatedReader? = nil,
    body: @escaping @Sendable (RunningCommand, SimulatedReader) async throws -> Void
  ) async throws -> Outcome {
    let reader = other ?? reader
    return try await sandbox.start(
      ["tag", "batch", "codes.csv", "--json", "--reader", reader.connectionString] + options
    ) { running in try await body(running, reader) }
  }

  /// Expects that every row is done, by these tags in this order, and that each has one code.
  func expectLedger(_ uids: [String]) async throws {
    let report = try await sandbox.run("tag", "batch", "codes.csv", "--status", "--report", "-")
    let rows = report.output.split(separator: "\r\n").dropFirst()
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(rows.map { $0[4] } == uids.map { _ in "done" })
    #expect(rows.map { String($0[5]) } == uids)
    let codes = try await sandbox.run("code", "list", "--all", "--json").lines
    #expect(codes.count == uids.count)
  }

  private actor Lines {
    private(set) var text = ""
    func append(_ line: String) { text += line + "\n" }
  }
}

private func uid(_ number: UInt8) -> String { Bench.uid(number).hexadecimal }

extension SimulatedReader {
  /// Lays a blank tag with this number on the reader.
  fileprivate func lay(_ number: Int) throws {
    replaceTag(with: try Bench.tag(UInt8(truncatingIfNeeded: number)))
  }

  /// Lays a blank tag with the number after the present one.
  fileprivate func layNext() throws { try lay(Int(tag?.uid.last ?? 0) + 1) }
}
