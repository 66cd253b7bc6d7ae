import Testing

@testable import CodeDrawing

@Suite("PDF")
struct PDFTests {
  @Test("the cross-reference table points at every object and the trailer at the table")
  func crossReferences() throws {
    for url in [sampleURL, "https://früta.example/()\\"] {
      let pdf = try drawing(url).latin1(.pdf)
      let scalars = Array(pdf.unicodeScalars)
      func part(at offset: Int, _ count: Int) -> String {
        String(String.UnicodeScalarView(scalars[offset..<min(offset + count, scalars.count)]))
      }
      let start = try #require(pdf.firstMatch(of: /startxref\n([0-9]+)\n%%EOF\n$/))
      let table = try #require(Int(start.1))
      #expect(part(at: table, 7) == "xref\n0 ")
      let entries = pdf.matches(of: /([0-9]{10}) ([0-9]{5}) ([nf]) \n/)
      #expect(entries.count == 13)
      #expect(entries.first?.output.3 == "f")
      for (number, entry) in entries.enumerated().dropFirst() {
        let heading = "\(number) 0 obj\n"
        #expect(part(at: try #require(Int(entry.1)), heading.count) == heading)
      }
      #expect(pdf.contains("/Size 13 /Root 1 0 R /Info 12 0 R "))
    }
  }

  @Test("the length of the page's content is the one that is stated")
  func streamLength() throws {
    let pdf = try drawing().latin1(.pdf)
    let stream = try #require(
      pdf.firstMatch(of: /<< \/Length ([0-9]+) >>\nstream\n([^%]*?)\nendstream/))
    #expect(Int(stream.1) == stream.2.unicodeScalars.count)
  }

  @Test("black is grey 0 alone: no other colour is set")
  func blackInk() throws {
    let pdf = try drawing().latin1(.pdf)
    let colours = pdf.matches(of: /\n[0-9. ]+ (g|G|rg|RG|k|K|sc|scn)\n/)
    #expect(colours.map { String($0.0) } == ["\n1 g\n", "\n0 g\n"])
  }

  @Test("the text is title and alternative text, in ASCII or UTF-16")
  func texts() throws {
    let ascii = try drawing().latin1(.pdf)
    #expect(ascii.contains("/Title (\(sampleURL)) "))
    #expect(
      ascii.contains("/Alt (QR code, version 3, error correction M: \(sampleURL)) "))
    #expect(pdfString("a(b)c\\") == "(a\\(b\\)c\\\\)")
    #expect(pdfString("é🍓\n") == "<FEFF00E9D83CDF53000A>")
  }

  @Test("a date appears only when one is given, and the identifier follows the content")
  func dates() throws {
    let undated = try drawing().latin1(.pdf)
    #expect(!undated.contains("Date"))
    let dated = try drawing(creationTime: 1_700_000_000).latin1(.pdf)
    #expect(dated.contains("/CreationDate (D:20231114221320Z)"))
    func identifier(_ pdf: String) throws -> Substring {
      let match = try #require(pdf.firstMatch(of: /\/ID \[<([0-9A-F]{32})> <([0-9A-F]{32})>\]/))
      #expect(match.1 == match.2)
      return match.1
    }
    #expect(try identifier(undated) != identifier(dated))
  }

  @Test(
    "seconds since 1970 become the civil date in UTC",
    arguments: [
      (0, "D:19700101000000Z"), (951_782_400, "D:20000229000000Z"),
      (951_868_800, "D:20000301000000Z"), (4_107_542_399, "D:21000228235959Z"),
      (4_107_542_400, "D:21000301000000Z"), (1_735_689_599, "D:20241231235959Z"),
      (-1, "D:19691231235959Z"), (-62_167_219_200, "D:00000101000000Z"),
      (Int.max, "D:99991231235959Z"), (Int.min, "D:00000101000000Z"),
    ])
  func civilDates(seconds: Int, date: String) {
    #expect(pdfDate(secondsSince1970: seconds) == date)
  }

  @Test(
    "numbers are written in decimal notation without needless zeros",
    arguments: [
      (0.0, "0"), (88.8, "88.8"), (2.4, "2.4"), (0.000_001, "0.000001"), (0.000_000_1, "0"),
      (-0.5, "-0.5"), (-0.000_000_1, "0"), (14_400, "14400"), (1.999_999_9, "2"),
    ])
  func decimals(number: Double, text: String) {
    #expect(decimal(number) == text)
  }
}
