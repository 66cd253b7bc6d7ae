import CliptagBasics
import Invocation
@testable import Issuing
import Registry
import Testing

@Suite("CSV files of batches") struct BatchFileTests {
  private static func read(_ text: String, allowingDuplicates: Bool = false) -> BatchFile {
    BatchFile(Array(text.utf8), allowsDuplicates: allowingDuplicates)
  }

  /// Valid files and their contents, as url|label|place|uid|captions.
  static let rightFiles: [(name: String, text: String, rows: [String])] = [
    ("the smallest", "url\nu\n", ["u||||"]),
    ("no line end at the end", "url\nu", ["u||||"]),
    ("CRLF", "url,label\r\nu,a\r\nv,b\r\n", ["u|a|||", "v|b|||"]),
    ("a byte order mark", "\u{FEFF}url\nu\n", ["u||||"]),
    ("a semicolon", "label;url\na,b;u\n", ["u|a,b|||"]),
    ("a tab", "url\tlabel\nu\ta;b,c\n", ["u|a;b,c|||"]),
    ("columns in any case, spaces around them", " URL ,Label\nu,a\n", ["u|a|||"]),
    ("quotes around everything", "\"url\",\"label\"\n\"u\",\"a\"\n", ["u|a|||"]),
    (
      "quotes, separators and lines inside quotes", "url,label\nu,\"a \"\"b\"\", c\nd\"\n",
      [
        "u|a \"b\", c\nd|||"
      ]
    ),
    ("an empty field in quotes is an empty field", "url,label\nu,\"\"\n", ["u||||"]),
    ("spaces belong to the field", "url,label\nu, a \n", ["u| a |||"]),
    ("empty lines at the end", "url\nu\n\r\n\n", ["u||||"]),
    (
      "place, uid and other columns", "uid,url,Floor,place,note\n04:e1:0c:da:99:3c:80,u,2,p,\n",
      ["u||p|04E10CDA993C80|Floor=2;note="]
    ),
    ("a UID of four bytes", "url,uid\nu,01020304\n", ["u|||01020304|"]),
    ("characters of any script", "url,label\nu,Tisch “1” – ü 桌\n", ["u|Tisch “1” – ü 桌|||"]),
  ]

  @Test("a right file gives its rows", arguments: rightFiles.indices)
  func right(index: Int) {
    let (name, text, rows) = Self.rightFiles[index]
    let file = Self.read(text)
    #expect(file.problems == [], "\(name)")
    #expect(
      file.orders.map { order in
        [
          order.url, order.label ?? "", order.placeID ?? "", order.wantedUID ?? "",
          order.captions.map { "\($0.name)=\($0.value)" }.joined(separator: ";"),
        ].joined(separator: "|")
      } == rows, "\(name)")
  }

  /// Invalid files, each with the positions of its problems and a word of each.
  static let wrongFiles: [(name: String, text: String, problems: [String])] = [
    ("nothing", "", ["1:1 empty"]),
    ("empty lines", "\n\n", ["1:1 empty"]),
    ("only a header", "url,label\n", ["2:1 no row"]),
    ("no column url", "link,label\nu,a\n", ["1:1 “link”, “label”"]),
    (
      "too many columns", "url" + String(repeating: ",a", count: 500) + "\nu\n",
      ["1:1003 The first line has 501 columns"]
    ),
    ("a column twice", "url,label,Label\nu,a,b\n", ["1:11 Two columns"]),
    ("no url", "url,label\n,a\n", ["2:1 no url"]),
    ("no url behind a label", "label,url\nTür,\n", ["2:5 no url"]),
    ("a blank row, as Excel leaves it", "url,label\nu,a\n,\nv,b\n", ["3:1 blank"]),
    ("an empty line in the middle", "url,label\nu,a\n\nv,b\n", ["3:1 empty"]),
    ("a letter that another program lost", "url,label\nu,T\u{FFFD}r\n", ["2:4 letter was lost"]),
    ("too few fields", "url,label,x\nu,a\n", ["2:4 2 fields, the header 3"]),
    ("too many fields", "url,label\nu,a,b\n", ["2:5 3 fields, the header 2"]),
    ("a quote inside a field", "url,label\nu,a\"b\n", ["2:4 quotation mark is inside"]),
    ("text behind a quote", "url,label\nu,\"a\" b\n", ["2:6 More text follows"]),
    ("a quote that never ends", "url,label\nu,\"a\nv,b\n", ["2:3 without a closing one"]),
    ("a carriage return alone", "url\ru\n", ["1:4 carriage return"]),
    ("the same URL", "url\nu\nv\nu\n", ["4:1 Line 2 has the same URL"]),
    ("no UID", "url,uid\nu,04E1\n", ["2:3 “04E1” is not a UID"]),
    ("the same UID", "url,uid\nu,01020304\nv,01:02:03:04\n", ["3:3 Line 2 has the same UID"]),
    (
      "several at once, in their order", "url,label\n,a\nu,\"b\" c\nv\n",
      ["2:1 no url", "3:6 More text", "4:2 1 field, the header 2"]
    ),
    ("lines inside quotes count", "url,label\nu,\"a\nb\"\n,c\n", ["4:1 no url"]),
    ("columns count characters, not bytes", "label,url\nüü,u,x\n", ["2:6 3 fields"]),
  ]

  @Test("a wrong file is told with line and column", arguments: wrongFiles.indices)
  func wrong(index: Int) throws {
    let (name, text, expected) = Self.wrongFiles[index]
    let problems = Self.read(text).problems
    #expect(problems.count == expected.count, "\(name): \(problems)")
    for (problem, words) in zip(problems, expected) {
      let parts = words.split(separator: " ", maxSplits: 1)
      #expect("\(problem.line):\(problem.column)" == parts[0], "\(name): \(problem)")
      #expect(problem.message.contains(parts[1]), "\(name): \(problem)")
    }
  }

  @Test(
    "a damaged file of UTF-8 is refused at its byte, and is not taken for another encoding",
    arguments: [
      ([], "Tü", [0xFC], "2:5", "Byte 15 of the file, FC"),
      ([0xEF, 0xBB, 0xBF], "T", [0xFC], "2:4", "Byte 16 of the file, FC"),
      ([], "T", [0x81], "2:4", "Byte 13 of the file, 81"),
    ] as [([UInt8], String, [UInt8], String, String)])
  func misencoded(mark: [UInt8], text: String, wrong: [UInt8], place: String, words: String) {
    let bytes = mark + Array("url,label\nu,\(text)".utf8) + wrong + Array("r\n".utf8)
    let file = BatchFile(bytes)
    #expect(file.problems.map { "\($0.line):\($0.column)" } == [place])
    #expect(file.problems.first?.message.contains(words) == true, "\(file.problems)")
    #expect(file.note == nil)
  }

  @Test("any bytes are read as text or refused with a place, and text is read the same again")
  func anyBytes() {
    var random = SeededGenerator(seed: 40)
    for _ in 0..<3_000 {
      let start: [UInt8] =
        [[], [0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF], [0x75, 0]]
        .randomElement(using: &random) ?? []
      let bytes =
        start
        + (0..<Int.random(in: 0...40, using: &random)).map { _ in
          [0, 0x0A, 0x2C, 0x75, 0x80, 0x9D, 0xC3, 0xD8, 0xFC, 0xFF].randomElement(using: &random)
            ?? 0
        }
      do throws(TableText.Mistake) {
        let text = try TableText(bytes)
        let again = try TableText(text.bytes)
        // A text of ASCII with zeros between is what UTF-16 looks like.
        #expect(again.bytes == text.bytes || text.bytes.contains(0))
      } catch {
        #expect((0...bytes.count).contains(error.offset) && !error.message.isEmpty)
      }
    }
  }

  @Test("half a character of UTF-16 is refused")
  func halfCharacter() {
    for bytes: [UInt8] in [[0xFF, 0xFE, 0x75, 0, 0], [0xFF, 0xFE, 0, 0xD8, 0x75, 0]] {
      #expect(BatchFile(bytes).problems.first?.message.contains("UTF-16 and damaged") == true)
    }
  }

  /// A file as each of Excel's formats has it, and what is said about it.
  private static let spreadsheets: [(String, @Sendable (String) -> [UInt8], TableNote?)] = [
    ("UTF-8", { Array($0.utf8) }, nil), ("with a mark", { Array("\u{FEFF}\($0)".utf8) }, nil),
    ("UTF-16, the low byte first", { [0xFF, 0xFE] + littleEndian($0) }, .utf16),
    ("UTF-16, the high byte first", { [0xFE, 0xFF] + bigEndian($0) }, .utf16),
    ("without a mark", { littleEndian($0) }, .utf16), ("nor here", { bigEndian($0) }, .utf16),
    (
      "Windows-1252",
      { $0.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) } },
      .windows1252(example: "Tür 5 €")
    ),
  ]

  private static func littleEndian(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func bigEndian(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
  }

  @Test(
    "a file is read in the encoding that it has, and any but UTF-8 is said",
    arguments: spreadsheets.indices,
    [("", "\n", ","), ("sep=;\r\n", "\r\n", ";"), ("SEP=|\n", "\n", "|")])
  func encodings(index: Int, layout: (first: String, lineEnd: String, separator: String)) {
    let (name, encoded, note) = Self.spreadsheets[index]
    let lines = ["url,label", "u,Tür 5 €", "v", ",", " ,", ""]
    let text =
      layout.first
      + lines.joined(separator: layout.lineEnd)
      .replacing(",", with: layout.separator)
    let file = BatchFile(encoded(text))
    #expect(file.note == note, "\(name)")
    #expect(file.orders.first?.label == "Tür 5 €", "\(name)")
    // Rows of empty fields at the end are none; a line before them keeps its number.
    let line = layout.first.isEmpty ? 3 : 4
    #expect(
      file.problems.map { "\($0.line) \($0.message)" } == [
        "\(line) The row has 1 field, the header 2."
      ])
  }

  @Test("the same URL twice is taken when that is asked for")
  func duplicates() {
    let file = Self.read("url\nu\nu\n", allowingDuplicates: true)
    #expect(file.problems == [])
    #expect(file.orders.map(\.url) == ["u", "u"])
  }

  @Test("a URL in another spelling that means the same is the same URL")
  func spellings() {
    let file = Self.read(
      "url\nhttps://example.com/%7Ea\nHTTPS://EXAMPLE.com/~a\nhttps://example.com/~A\n")
    #expect(file.problems.map(\.line) == [3])
    #expect(file.problems.first?.message.contains("Line 2 has the same URL") == true)
  }

  @Test("a separator that was named is not guessed")
  func separator() {
    let file = BatchFile(Array("a|url\nx,y|u\n".utf8), separator: UInt8(ascii: "|"))
    #expect(file.problems == [])
    #expect(file.orders.map(\.captions) == [[.init("a", "x,y")]])
  }

  @Test("the place of every row is known, for problems that are found later")
  func positions() {
    let file = Self.read("label,url,place\n\"a\nb\",u,p\nc,v,q\n")
    #expect(file.position(ofRow: 1) == (3, 4))
    #expect(file.position(ofPlaceInRow: 1) == (3, 6))
    #expect(file.position(ofRow: 2) == (4, 3))
  }

  @Test("no bytes whatever make the reader trap", arguments: 0..<200)
  func anything(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let alphabet = Array("\"\",,;\n\r\turl 04üü".utf8) + [0, 0xFF, 0xEF, 0xBB, 0xBF]
    for _ in 0..<20 {
      let bytes = (0..<Int(state % 40)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return alphabet[Int(state >> 33) % alphabet.count]
      }
      let file = BatchFile(Array("url,label\n".utf8) + bytes)
      for problem in file.problems { #expect(problem.line >= 1 && problem.column >= 1) }
    }
  }
}
