import Foundation
import SimulatedReader
import TagTypes
import Testing

/// Parcels at the station: present, missing and swapped items.
extension CommandSuite {
  @Suite("Station: parcels") struct StationParcelTests {
    private static let second = Fruta.cupertino + "/table/2"

    /// Printed codes of both places as pictures: c1 and c2 belong to Cupertino, s1 to San
    /// Francisco.
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      for (url, name) in [(Fruta.cupertino, "c1"), (second, "c2"), (Fruta.sanFrancisco, "s1")] {
        let made = try await sandbox.run("qr", url, "-o", "\(name).png", "--quiet")
        try #require(made.status == 0, "\(made.errors)")
      }
      return sandbox
    }

    /// Returns the read or missing items, by their verdicts.
    private static func items(_ answer: JSON) -> [String: [String]] {
      Dictionary(grouping: answer.results("parcel-item")) { $0["result"].text ?? "" }
        .mapValues { $0.compactMap { $0["payload"].text }.sorted() }
    }

    @Test("what is in, what is missing and what belongs elsewhere are told after each picture")
    func pictures() async throws {
      let sandbox = try await Self.scene()
      try await sandbox.station { station in
        let client = station.client
        let events = try await client.events()
        let empty = try await client.get("/api/parcels/cupertino")
        #expect(
          empty.results("packing").compactMap { $0["url"].text } == [Fruta.cupertino, Self.second])
        #expect(empty.results("parcel").first?["complete"] == false)
        func put(_ name: String) async throws -> JSON {
          try await client.upload(
            "/api/parcels/cupertino/picture?name=\(name).png",
            try #require(sandbox.bytes(of: "\(name).png")), type: "image/png")
        }
        let first = try await put("c1")
        #expect(Self.items(first) == ["expected": [Fruta.cupertino], "missing": [Self.second]])
        #expect(!"\(first)".contains("cliptag-station-"), "where it was kept is nobody's concern")
        let told = try await events.next("parcel")
        #expect(told["place"] == "cupertino" && Self.items(told) == Self.items(first))
        let swapped = try await put("s1")
        #expect(Self.items(swapped)["swapped"] == [Fruta.sanFrancisco])
        let message = swapped.results("parcel-item").first { $0["result"] == "swapped" }?[
          "findings"][0]
        #expect(message?["message"].text?.contains("belongs to Fruta San Francisco") == true)
        #expect(swapped.results("parcel").first?["complete"] == false)
        // It is taken out again, and what is missing is put in.
        let begun = try await client.post("/api/parcels/cupertino/reset")
        #expect(Self.items(begun)["expected"] == nil && Self.items(begun)["swapped"] == nil)
        _ = try await put("c1")
        let whole = try await put("c2")
        #expect(Self.items(whole) == ["expected": [Fruta.cupertino, Self.second]])
        #expect(whole.results("parcel").first?["complete"] == true)
      }
    }

    @Test("lines of a hand scanner count as the codes that they are, and strangers are named")
    func scanner() async throws {
      try await Self.scene().station { station in
        let answer = try await station.client.post(
          "/api/parcels/cupertino/text",
          [
            "lines": .array([
              .string(Fruta.cupertino), " https://stranger.example.org/ ", .string(Fruta.cupertino),
            ])
          ])
        let items = Self.items(answer)
        #expect(items["expected"] == [Fruta.cupertino], "\(answer)")
        #expect(items["foreign"] == ["https://stranger.example.org/"])
        #expect(items["missing"] == [Self.second])
      }
    }

    @Test("tags of a parcel are read one after another, while the switch is on")
    func tags() async throws {
      let sandbox = try await Sandbox.withFruta()
      let bench = try SimulatedReader(tag: nil)
      var written: [SimulatedTag] = []
      for (number, url) in [(1, Fruta.cupertino), (2, Self.second), (3, Fruta.sanFrancisco)] {
        bench.replaceTag(with: try Tables.tag(UInt8(number)))
        let outcome = try await sandbox.tag("write", url, on: bench)
        try #require(outcome.status == 0, "\(outcome.errors)")
        written.append(try #require(bench.tag))
      }
      bench.replaceTag(with: nil)
      try await sandbox.station(on: bench) { [written] station in
        let client = station.client
        let events = try await client.events()
        try await client.post("/api/parcels/cupertino/tags", ["on": true])
        for (tag, result) in [(0, "expected"), (2, "swapped"), (1, "expected")] {
          let waiting = try await events.phase("waiting")
          #expect(waiting["mode"] == "parcel" && waiting["place"] == "cupertino")
          bench.replaceTag(with: written[tag])
          let told = try await events.next("parcel")
          let item = told.results("parcel-item").first {
            $0["uid"].text == Tables.uid(UInt8(tag + 1))
          }
          #expect(item?["result"].text == result, "\(told)")
          bench.replaceTag(with: nil)
        }
        try await client.post("/api/parcels/cupertino/tags", ["on": false])
        #expect(try await events.phase("idle")["mode"] == "idle")
      }
    }

    @Test("a parcel is recorded as packed only when that is said, with who packed it")
    func packed() async throws {
      let sandbox = try await Self.scene()
      try await sandbox.station { station in
        let client = station.client
        try await client.post("/api/who", ["by": "Ada"])
        let list = try await client.send("GET", "/api/parcels/cupertino/list.pdf")
        #expect(list.status == 200 && list.text.hasPrefix("%PDF-"))
        #expect(list.header("content-type") == "application/pdf")
        let code = try #require(
          try await client.get("/api/parcels/cupertino").results("packing").first?["code"].text)
        #expect(!(try await sandbox.run("code", "show", code).output.contains("packed")))
        let packed = try await client.post("/api/parcels/cupertino/packed")
        #expect(packed["status"] == 0, "\(packed)")
        let shown = try await sandbox.run("code", "show", code, "--json")
        let entry = try #require(
          try shown.lines("code").first?["history"].elements.first { $0["kind"] == "packed" },
          "\(shown.output)")
        #expect(entry["who"] == "Ada")
      }
    }

    @Test("an unknown place, one without codes and a picture that is none are told apart")
    func nothing() async throws {
      try await Self.scene().station { station in
        let client = station.client
        let unknown = try await client.send("GET", "/api/parcels/atlantis")
        #expect(unknown.status == 404)
        #expect(try unknown.json.failure == "not-found")
        let broken = try await client.upload(
          "/api/parcels/cupertino/picture?name=..%2F..%2Fetc%2Fx.png", Array("no picture".utf8))
        #expect(broken.failure != nil, "\(broken)")
        #expect(broken.results("parcel").first?["complete"] == false)
        #expect(!"\(broken)".contains("cliptag-station-"), "\(broken)")
      }
    }
  }
}
