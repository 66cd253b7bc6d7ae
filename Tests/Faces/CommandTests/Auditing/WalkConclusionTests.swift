import Foundation
import Pictures
import Testing

/// Walls whose truth is known, walked by the command; `WalkWallsTests` has all kinds of them.
extension CommandSuite {
  @Suite("Conclusions of walks") struct WalkConclusionTests {
    /// The walker's way of giving a position.
    enum Way: String, CaseIterable {
      case stated, measured

      func arguments(_ place: String) -> [String] {
        switch self {
        case .stated: ["--place", place]
        case .measured:
          ["--at", place == "cupertino" ? Fruta.inCupertino : Fruta.inSanFrancisco]
            + ["--accuracy", "5"]
        }
      }
    }

    /// A registry with a printed code for each of two tables in Cupertino and one in San Francisco.
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      for (url, name) in [
        (Fruta.cupertino + "/table/1", "c1"), (Fruta.cupertino + "/table/2", "c2"),
        (Fruta.sanFrancisco, "s1"),
      ] {
        let made = try await sandbox.run("qr", url, "-o", "\(name).png", "--quiet")
        try #require(made.status == 0, "\(made.errors)")
      }
      return sandbox
    }

    /// Makes a picture of prints side by side, in a grey that no other wall has.
    private func wall(
      _ prints: [String], grey: UInt8 = 255, as name: String, in sandbox: Sandbox
    ) async throws {
      var pictures: [GreyPicture] = []
      for print in prints {
        let file = try await PictureLoader().open(path: sandbox.path("\(print).png"))
        pictures.append(try await file.page(1).firstLook)
      }
      let height = pictures.map(\.height).max() ?? 400
      let rows = (0..<height).map { y in
        pictures.isEmpty
          ? [UInt8](repeating: grey, count: 400)
          : pictures.flatMap { picture in
            let row = picture.pixels.dropFirst(y * picture.width).prefix(picture.width)
            return row.map { min($0, grey) }
              + [UInt8](repeating: grey, count: picture.width - row.count + 40)
          }
      }
      let all = GreyPicture(width: rows[0].count, height: rows.count, pixels: rows.flatMap(\.self))
      try sandbox.write(try PNGWriter.grey(all), to: name)
    }

    /// Walks along walls and reports: the sum, the findings as `code@place`, and the messages.
    private func walk(
      _ walls: [(place: String, prints: [String])], _ way: Way?, in sandbox: Sandbox,
      name: String = "Autumn"
    ) async throws -> (sum: JSON, found: [String], messages: [String]) {
      for (number, (place, prints)) in walls.enumerated() {
        let file = "\(name)-\(number).png"
        try await wall(prints, grey: 255 - UInt8(number), as: file, in: sandbox)
        let walked = try await sandbox.run(
          ["audit", file, "--name", name] + (way?.arguments(place) ?? []))
        #expect(walked.status < 3, "\(walked.errors)")
      }
      let told = try await sandbox.run("audit", "report", name, "--json", "-o", "report.html")
      let report = try #require(try told.lines("audit-report").first, "\(told.errors)")
      let findings = try told.lines("audit-finding")
      let sum = report["sum"]
      let parts = try ["confirmed", "unconfirmed", "wrong", "missing", "dead"].map {
        try #require(sum[$0].number)
      }
      #expect(sum["all"] == report["expected"] && parts.reduce(0, +) == sum["all"].number)
      return (
        sum,
        findings.map { "\($0["finding"]["code"].text ?? "")@\($0["place"]["id"].text ?? "-")" },
        findings.compactMap { $0["finding"]["message"].text }
      )
    }

    @Test(
      "a code that moved is fetched from where it was read, and is not missing at home",
      arguments: Way.allCases)
    func moved(way: Way) async throws {
      let sandbox = try await Self.scene()
      let walls = [("cupertino", ["c2"]), ("san-francisco", ["s1", "c1"])]
      let (sum, found, messages) = try await walk(walls, way, in: sandbox)
      #expect(Set(found) == ["moved-code@cupertino", "wrong-place@san-francisco"])
      #expect(found.count == 2 && sum["wrong"] == 1 && sum["missing"] == 0)
      #expect(
        messages.contains { $0.contains("was read at “Fruta San Francisco”, fetch it from there") })
      #expect(messages.contains { $0.hasSuffix("it was not read there: take it back.") })
      let page = try String(contentsOfFile: sandbox.path("report.html"), encoding: .utf8)
      #expect(page.contains("Hangs elsewhere") && !page.contains("swap the two"))
      // The page of home alone links to nothing that it does not hold.
      _ = try await sandbox.run("audit", "report", "--place", "cupertino", "-o", "home.html")
      let home = try String(contentsOfFile: sandbox.path("home.html"), encoding: .utf8)
      #expect(home.contains("fetch it from there"))
      for link in home.matches(of: /href="#([^"]*)"/) {
        #expect(home.contains("id=\"\(link.1)\""), "\(link.1)")
      }
    }

    @Test("the same print twice in one picture hangs twice", arguments: Way.allCases + [nil])
    func twice(way: Way?) async throws {
      let sandbox = try await Self.scene()
      let (_, found, messages) = try await walk(
        [("cupertino", ["c1", "c2", "c1"])], way, in: sandbox)
      #expect(found.filter { $0 == "hung-twice@cupertino" }.count == 1)
      #expect(found.count == (way == nil ? 2 : 1), "\(found)")
      #expect(messages.contains { $0.contains("2 of it are in one picture") })
      // Printed to a second file, there may be two.
      _ = try await sandbox.run(
        "qr", Fruta.cupertino + "/table/1", "-o", "again.png", "--quiet")
      let again = try await sandbox.run("audit", "report", "--json")
      #expect(!again.output.contains("hung-twice"))
    }

    @Test("a foreign payment code comes first, with what to do", arguments: Way.allCases + [nil])
    func foreign(way: Way?) async throws {
      let sandbox = try await Self.scene()
      let made = try await sandbox.run(
        "qr", "https://parking.example.net/pay?lot=7", "-o", "foreign.png", "--quiet",
        "--unregistered", "--registry", "other.sqlite")
      try #require(made.status == 0, "\(made.errors)")
      let (sum, found, messages) = try await walk(
        [("cupertino", ["c1", "foreign"])], way, in: sandbox)
      #expect(found.first == "phishing-code@cupertino")
      #expect(messages.first?.contains("Photograph it, cover it at once, and call") == true)
      #expect(sum["all"] == 2 && sum["missing"] == 1)
      let page = try String(contentsOfFile: sandbox.path("report.html"), encoding: .utf8)
      let answer = try #require(page.range(of: "class=\"answer"))
      #expect(page[answer.upperBound...].contains("1 foreign code for payments or phishing hangs"))
      #expect(!page.contains("1 thing is wrong"), "each sign counts once")
    }

    @Test("what the walk before read elsewhere is looked for there")
    func before() async throws {
      let sandbox = try await Self.scene()
      _ = try await walk([("san-francisco", ["s1", "c1"])], .stated, in: sandbox, name: "Spring")
      let (_, found, messages) = try await walk([("cupertino", ["c2"])], .stated, in: sandbox)
      #expect(found == ["missing-code@cupertino"])
      #expect(messages.first?.contains("last read at “Fruta San Francisco” on") == true)
    }
  }
}
