import Testing

extension CommandSuite {
  /// Files for a print shop: PDF/X-4 and logos.
  @Suite("Print shops") struct PressTests {
    private static let profile = "/usr/share/color/icc/ghostscript/default_cmyk.icc"

    @Test("posters, runs of them and sheets become PDF/X-4 for the printing condition of a profile")
    func pdfX() async throws {
      let sandbox = try await Sandbox.withFruta()
      let logo =
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M1 1h7v7z'/></svg>"
      try sandbox.write(logo, to: "logo.svg")
      let tables = Repository.path("Samples/fruta/tables.csv")
      for arguments in [
        [
          "poster", Fruta.cupertino, "--design", "bold", "--accent", "cmyk:0,100,81,4", "--bleed",
          "3", "--crop-marks", "--logo", "logo.svg",
        ],
        ["poster", Fruta.cupertino, "--palette", "spot:PANTONE 186 C=0,100,81,4"],
        ["poster", Fruta.cupertino, "--palette", "cmyk:100,60,0,60"],
        ["poster", "--csv", tables, "--paper", "A6", "--sheet", "A4"],
        ["sheet", tables, "--template", "L7163", "--cut-marks"],
      ] {
        let made = try await sandbox.run(
          arguments + ["-o", "a.pdf", "--output-intent", Self.profile])
        try #require(made.status == 0, "\(arguments): \(made.errors)")
        let facts = try await sandbox.shell("pdfinfo a.pdf && qpdf --check a.pdf")
        #expect(facts.output.contains(/PDF subtype: +PDF\/X-4/), "\(arguments)")
        #expect(facts.output.contains(/Tagged: +yes/))
        #expect(facts.output.contains("No syntax or stream encoding errors"))
      }
    }

    @Test("what cannot be PDF/X-4 is refused, and nothing is written or recorded")
    func refused() async throws {
      let sandbox = try await Sandbox.withFruta()
      let logo = Repository.path("Samples/fruta/logo.svg")
      let artwork = Repository.path("Samples/fruta/table-card.svg")
      let table: [(arguments: [String], status: Int32, word: String)] = [
        (["-o", "a.pdf", "--accent", "d81f26"], 64, "cmyk:0,86,82,15"),
        (["-o", "a.pdf", "--logo", logo], 64, "logo.svg has the colours of screens"),
        (["-o", "a.svg"], 64, "a.svg"),
        (["-o", "a.pdf", "--artwork", artwork], 64, "--output-intent"),
      ]
      for (arguments, status, word) in table {
        let made = try await sandbox.run(
          ["poster", Fruta.cupertino, "--output-intent", Self.profile] + arguments)
        #expect(made.status == status, "\(arguments): \(made.errors)")
        #expect(made.errors.contains(word), "\(arguments): \(made.errors)")
      }
      let other = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "a.pdf", "--output-intent", logo)
      #expect(other.status == 65 && other.errors.contains("is not an ICC profile"))
      #expect(try sandbox.listing() == [])
      #expect(try await sandbox.run("code", "list", "--all").output == "")
    }

    @Test("a coarse logo of a poster is noted with the pixels that it needs; a drawing is not")
    func coarse() async throws {
      let sandbox = try await Sandbox.withFruta()
      let small = Repository.path("Tests/Codes/PicturesTests/Samples/rgba-8.png")
      let made = try await sandbox.run("poster", Fruta.cupertino, "-o", "a.pdf", "--logo", small)
      #expect(made.status == 0, "\(made.errors)")
      #expect(made.errors.contains(/note: .* pixels to the printed inch/), "\(made.errors)")
      let drawing = try await sandbox.run(
        "poster", Fruta.cupertino, "-o", "b.pdf", "--logo",
        Repository.path("Samples/fruta/logo.svg"))
      #expect(drawing.status == 0 && !drawing.errors.contains("pixels"), "\(drawing.errors)")
    }
  }
}
