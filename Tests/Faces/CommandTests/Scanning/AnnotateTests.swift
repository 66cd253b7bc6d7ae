import Foundation
import Pictures
import Testing

/// `scan --annotate`: the places of the result's pictures, and the files that they must never
/// replace.
extension CommandSuite {
  @Suite("A picture of the result") struct AnnotateTests {
    private static func scene() async throws -> Sandbox {
      let sandbox = try await Sandbox.withFruta()
      let made = try await sandbox.run(
        "qr", Fruta.cupertino, "-o", "a.png", "-o", "a.pdf", "--width", "40")
      try #require(made.status == 0, "\(made.errors)")
      try sandbox.write(try #require(sandbox.bytes(of: "a.png")), to: "b.png")
      return sandbox
    }

    @Test("the file's ending chooses PNG, SVG or PDF, and results are as without")
    func formats() async throws {
      let sandbox = try await Self.scene()
      let plain = try await sandbox.run("scan", "a.png", "--no-location", "--json")
      for (name, signature) in [("c.png", "\u{89}PNG"), ("c.svg", "<?xml"), ("c.PDF", "%PDF")] {
        let outcome = try await sandbox.run(
          "scan", "a.png", "--no-location", "--json", "--annotate", name)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try outcome.lines("verification") == plain.lines("verification"))
        let line = try #require(try outcome.lines("annotation").first)
        #expect(line["output"].text == name && line["source"].text == "a.png")
        #expect(line["codes"] == .number(1))
        let start = Array(signature.unicodeScalars.map { UInt8($0.value) })
        #expect(sandbox.bytes(of: name)?.starts(with: start) == true)
      }
      let svg = String(decoding: try #require(sandbox.bytes(of: "c.svg")), as: UTF8.self)
      #expect(svg.contains(#"id="flag-1" class="accepted""#) && svg.contains("Fruta Cupertino"))
    }

    @Test("the drawing shows the verdict, and a picture without codes is drawn, too")
    func verdicts() async throws {
      let sandbox = try await Self.scene()
      let outside = try await sandbox.run(
        "scan", "a.png", "--at", Fruta.inSanFrancisco, "--annotate", "c.svg")
      #expect(outside.status == 1)
      let svg = String(decoding: try #require(sandbox.bytes(of: "c.svg")), as: UTF8.self)
      #expect(svg.contains(#"id="flag-1" class="rejected""#))
      try sandbox.write(Picture.white, to: "white.pgm")
      #expect(try await sandbox.run("scan", "white.pgm", "--annotate", "w.svg").status == 2)
      let empty = String(decoding: try #require(sandbox.bytes(of: "w.svg")), as: UTF8.self)
      #expect(empty.contains("No code was read."))
    }

    @Test("several pictures go into a folder, named after theirs, none over another")
    func folder() async throws {
      let sandbox = try await Self.scene()
      try FileManager.default.createDirectory(
        atPath: sandbox.path("checked"), withIntermediateDirectories: false)
      let outcome = try await sandbox.run(
        "scan", "a.png", "a.pdf", "b.png", "--no-location", "--annotate", "checked")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("checked"))
      #expect(names.sorted() == ["a-2-checked.png", "a-checked.png", "b-checked.png"])
    }

    @Test("each page of a document becomes a picture of its own, numbered, with its codes only")
    func pages() async throws {
      let sandbox = try await Self.scene()
      try await Self.joinPages(3, in: sandbox)
      try FileManager.default.createDirectory(
        atPath: sandbox.path("checked"), withIntermediateDirectories: false)
      let outcome = try await sandbox.run(
        "scan", "pages.pdf", "--no-location", "--json", "--annotate", "checked")
      #expect(outcome.status == 0, "\(outcome.errors)")
      let drawn = try outcome.lines("annotation")
      #expect(drawn.map { $0["page"] } == [1, 2, 3])
      #expect(drawn.allSatisfy { $0["codes"] == 1 && $0["source"].text == "pages.pdf" })
      let names = (1...3).map { "pages-checked-page-\($0).png" }
      #expect(drawn.map { $0["output"].text } == names.map { "checked/" + $0 })
      let found = try FileManager.default.contentsOfDirectory(atPath: sandbox.path("checked"))
      #expect(found.sorted() == names)
    }

    @Test("a document of several pages needs a folder: that is said once, and the codes are told")
    func pagesInOneFile() async throws {
      let sandbox = try await Self.scene()
      try await Self.joinPages(3, in: sandbox)
      let before = try sandbox.listing()
      let outcome = try await sandbox.run(
        "scan", "pages.pdf", "--no-location", "--json", "--annotate", "checked.png")
      #expect(outcome.status == 64)
      #expect(try outcome.lines("verification").count == 3)
      let errors = try outcome.lines("error")
      #expect(errors.count == 1 && errors.first?["code"] == "usage", "\(outcome.output)")
      #expect(try sandbox.listing() == before)
    }

    /// Makes `pages.pdf` of so many copies of `a.pdf`.
    private static func joinPages(_ count: Int, in sandbox: Sandbox) async throws {
      let joined = try await sandbox.shell(
        "pdfunite \(Array(repeating: "a.pdf", count: count).joined(separator: " ")) pages.pdf")
      try #require(joined.status == 0, "\(joined.errors)")
    }

    @Test(
      "what cannot go well is refused before anything is read, and nothing is written",
      arguments: [
        (["a.png", "b.png"], "c.png", 64), (["a.png"], "c.gif", 64), (["a.png"], "-", 64),
        (["a.png"], "a.png", 64), (["a.png"], "./link.png", 64), (["-"], "c.png", 64),
        (["a.png", "--isolate"], "c.png", 64), (["a.png"], "missing/c.png", 73),
      ] as [([String], String, Int32)])
    func refusals(inputs: [String], target: String, status: Int32) async throws {
      let sandbox = try await Self.scene()
      try FileManager.default.createSymbolicLink(
        atPath: sandbox.path("link.png"), withDestinationPath: "a.png")
      let before = (try sandbox.listing(), sandbox.bytes(of: "a.png"))
      let outcome = try await sandbox.run(
        ["scan"] + inputs + ["--no-location", "--annotate", target])
      #expect(outcome.status == status, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.output == "")
      #expect(try sandbox.listing() == before.0)
      #expect(sandbox.bytes(of: "a.png") == before.1)
    }
  }
}
