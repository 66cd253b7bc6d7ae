import Invocation
@testable import Issuing
import Registry
import Testing

@Suite("CSV files of labels") struct LabelFileTests {
  private static func read(_ text: String) -> LabelFile { LabelFile(Array(text.utf8)) }

  @Test("rows have their url, place, name and copies, whatever the columns' order and case")
  func rows() {
    let file = Self.read(
      "Table;URL;Place;Copies;code\n1;https://a.example/1;hall;3;T-1\n2;https://a.example/2;;;\n")
    #expect(file.problems.isEmpty)
    #expect(file.columns == ["Table", "URL", "Place", "Copies", "code"])
    #expect(file.labelCount() == 4 && file.labelCount(copies: 5) == 8)
    let rows = file.rows
    #expect(rows.map(\.number) == [1, 2])
    #expect(rows[0].placeID == "hall" && rows[0].copies == 3 && rows[0].name == "T-1")
    #expect(rows[1].placeID == nil && rows[1].copies == nil && rows[1].name == nil)
    #expect(rows[1].values == ["2", "https://a.example/2", "", "", ""])
    #expect(file.column(named: " table") == 0 && file.column(named: "floor") == nil)
  }

  @Test("every mistake is told at once, with line and column")
  func problems() {
    let file = Self.read("url,copies,id\nu,0,a\n,1,b\nv,2\n,,\nw,many,c\nx,10001,d\ny,1,e\n")
    #expect(
      file.problems.map { "\($0.line):\($0.column)" } == ["2:3", "3:1", "4:4", "5:1", "6:3", "7:3"])
    #expect(file.problems[0].message.contains("“0” is not a number of copies: write 1 to 10000"))
    #expect(file.rows.count == 1)
  }

  @Test(
    "a whole number may have decimals that are zero, and thousands are not guessed",
    arguments: [("3", 3), ("3,0", 3), ("3.00", 3), ("3.5", nil), ("1.000", nil), ("3,", nil)])
  func copies(text: String, count: Int?) {
    let file = Self.read("url;copies\nu;\(text)\n;\n")
    #expect(file.rows.first?.copies == count && file.problems.isEmpty == (count != nil))
  }

  static let headers = [
    ("", "1:1: The file is empty. Begin it with a line of column names"),
    ("link\nu\n", "1:1: No column is named url"), ("url\n", "2:1: The file has no row"),
    ("url,URL\nu,v\n", "1:5: Two columns are named “URL”."),
    ("link,b\nu\n", "1:1: No column is named url"),
  ]

  @Test("a header that is no header is one mistake", arguments: headers)
  func header(text: String, words: String) {
    let file = Self.read(text)
    #expect(file.problems.count == 1)
    #expect(file.problems.first.map { "\($0)".contains(words) } == true)
  }

  @Test("a field of a later row is found again for its error")
  func position() {
    let file = Self.read("url,note\nu,a\nv,\"b\nc\"\nw,d\n")
    #expect(file.position(ofColumn: 1, in: file.rows[2]) == (5, 3))
  }
}
