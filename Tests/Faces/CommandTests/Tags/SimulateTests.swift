import Foundation
import SimulatedReader
import Subprocess
import Testing

/// `cliptag reader simulate`, used as its help describes.
extension CommandSuite {
  @Suite("Simulated reader") struct SimulateTests {
    @Test(
      "the first line is the connection string, clients come and go, a signal ends it with 0",
      arguments: [Signal.interrupt, .terminate])
    func session(signal: Signal) async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start(
        "reader", "simulate", "--tag", "ntag216", "--uid", "04:AA:BB:CC:DD:EE:FF"
      ) { running in
        let reader = try #require(try await running.line())
        #expect(reader.wholeMatch(of: /pn532_uart:\/dev\/pts\/\d+/) != nil)
        let write = try await sandbox.run("tag", "write", Fruta.cupertino, "--reader", reader)
        #expect(write.status == 0, "\(write.errors)")
        let read = try await sandbox.run(
          "tag", "read", "--no-location", "--json", environment: ["LIBNFC_DEVICE": reader])
        #expect(read.status == 0)
        let tag = try #require(try read.lines.first)["tag"]
        #expect(tag["uid"] == "04AABBCCDDEEFF")
        #expect(tag["type"] == "NTAG216")
        try running.send(signal)
        #expect(try await running.remainingLines() == [])
      }
      #expect(outcome.status == 0)
    }

    @Test("the memory file is whole after the simulator was killed, and is taken up again")
    func killed() async throws {
      let sandbox = try await Sandbox.withFruta()
      let first = try await sandbox.start(
        "reader", "simulate", "--tag", "ntag215", "--memory", "tag.bin"
      ) { running in
        let reader = try #require(try await running.line())
        #expect(sandbox.bytes(of: "tag.bin")?.count == 540, "135 pages from the start")
        let write = try await sandbox.run("tag", "write", Fruta.cupertino, "--reader", reader)
        #expect(write.status == 0)
        try running.send(.kill)
      }
      #expect(first.status == 128 + 9)
      #expect(sandbox.bytes(of: "tag.bin")?.count == 540)
      #expect(try sandbox.listing() == ["tag.bin"])
      let second = try await sandbox.start(
        "reader", "simulate", "--tag", "ntag215", "--memory", "tag.bin", "--json"
      ) { running in
        let line = try JSON(parsing: try #require(try await running.line()))
        let reader = try #require(line["reader"].text)
        let read = try await sandbox.run(
          "tag", "read", "--at", Fruta.inCupertino, "--json", "--reader", reader)
        #expect(read.status == 0)
        #expect(try read.lines.first?["payload"].text == Fruta.cupertino)
        try running.send(.terminate)
      }
      #expect(second.status == 0)
    }

    @Test("none is a reader without a tag")
    func none() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start("reader", "simulate", "--tag", "none") { running in
        let reader = try #require(try await running.line())
        let read = try await sandbox.run("tag", "read", "--timeout", "0", "--reader", reader)
        #expect(read.status == 2)
        try running.send(.terminate)
      }
      #expect(outcome.status == 0)
    }

    @Test("a trace names every frame, and the counts come last")
    func traceAndCounts() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start(
        "reader", "simulate", "--trace", "trace.txt", "--counts", "--json"
      ) { running in
        let reader = try #require(try JSON(parsing: try await running.line() ?? "")["reader"].text)
        #expect(try await sandbox.run("tag", "info", "--reader", reader).status == 0)
        try running.send(.interrupt)
        let counts = try JSON(parsing: try #require(try await running.line()))
        #expect(counts["type"] == "counts")
        #expect(counts["writes"] == 0)
        #expect((counts["exchanges"].number ?? 0) > 10)
        #expect((counts["modelledMilliseconds"].number ?? 0) > 10)
        #expect(try await running.line() == nil)
      }
      #expect(outcome.status == 0)
      let trace = String(decoding: try #require(sandbox.bytes(of: "trace.txt")), as: UTF8.self)
      #expect(trace.contains("  > InListPassiveTarget type A  [D4 4A 01 00]\n"))
      #expect(trace.contains("  < InListPassiveTarget: 1 found: 04E10CDA993C80, ATQA 0044, SAK 00"))
    }

    @Test("a deck gives each client run another tag, each kept in a file of its own")
    func deck() async throws {
      let sandbox = try await Sandbox.withFruta()
      let outcome = try await sandbox.start(
        "reader", "simulate", "--deck", "2", "--uid", "04A1B2C3D4E5F0", "--memory", "tags",
        "--control", "sim.socket"
      ) { running in
        let reader = try #require(try await running.line())
        #expect(try sandbox.listing() == ["sim.socket", "tags"])
        for uid in ["04A1B2C3D4E5F0", "04A1B2C3D4E5F1"] {
          let write = try await sandbox.run(
            "tag", "write", Fruta.cupertino, "--reader", reader, "--json")
          #expect(try write.lines.first?["uid"].text == uid, "\(write.errors)")
          #expect(sandbox.bytes(of: "tags/\(uid).bin")?.count == 540)
        }
        let none = try await sandbox.run("tag", "info", "--timeout", "0", "--reader", reader)
        #expect(none.status == 2)
        try running.send(.terminate)
      }
      #expect(outcome.status == 0)
      #expect(try sandbox.listing() == ["tags"], "the socket is gone")
    }

    @Test("a script does what it says, and quit ends the command with 0")
    func script() async throws {
      let sandbox = try await Sandbox.withFruta()
      try sandbox.write("place ntag213 04A1B2C3D4E5F6\nafter 1 command: quit\n", to: "script.txt")
      let outcome = try await sandbox.start(
        "reader", "simulate", "--tag", "none", "--script", "script.txt", "--trace", "-"
      ) { running in
        let reader = try #require(try await running.line())
        #expect(try await sandbox.run("tag", "info", "--reader", reader).status == 69)
      }
      #expect(outcome.status == 0)
      #expect(outcome.errors.contains("- script: place ntag213 04A1B2C3D4E5F6 → ok 04A1B2C3D4E5F6"))
      #expect(outcome.errors.contains("- script: quit → ok"))
    }

    @Test(
      "what cannot be used is refused before anything is served",
      arguments: [
        (["--deck", "0"], 64), (["--deck", "none.txt"], 66), (["--script", "none.txt"], 66),
        (["--script", "bad.txt"], 65), (["--deck", "bad.txt"], 65),
        (["--deck", "deck.txt", "--uid", "04A1B2C3D4E5F6"], 64), (["--fault", "explode=1"], 64),
        (["--trace", "no/such/folder"], 73), (["--control", "no/such/folder"], 73),
        (["--control", "deck.txt"], 73), (["--deck", "2", "--memory", "deck.txt"], 73),
      ] as [([String], Int32)])
    func refused(options: [String], status: Int32) async throws {
      let sandbox = try Sandbox()
      try sandbox.write("explode\n", to: "bad.txt")
      try sandbox.write("ntag213\n", to: "deck.txt")
      let outcome = try await sandbox.run(["reader", "simulate"] + options)
      #expect(outcome.status == status, "\(outcome.errors)")
      #expect(outcome.output == "")
    }
  }
}
