import Foundation
import SimulatedReader
import Subprocess
import Testing

/// `cliptag reader simulate`, used as its help says.
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
  }
}
