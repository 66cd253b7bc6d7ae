import CliptagBasics
import Testing

@Suite("Hexadecimal, lines of CSV and texts of JSON")
struct CliptagBasicsTests {
  @Test("bytes come back from their digits, of either case")
  func roundTrip() {
    var generator = SeededGenerator(seed: 1)
    for count in 0..<40 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect([UInt8](hexadecimal: bytes.hexadecimal.utf8) == bytes)
      #expect([UInt8](hexadecimal: bytes.hexadecimal(.small).utf8) == bytes)
      #expect(AnySequence(bytes).hexadecimal == bytes.hexadecimal)
    }
    let uid: [UInt8] = [0x04, 0xE1, 0x0C]
    #expect(uid.hexadecimal == "04E10C")
    #expect(uid.hexadecimal(.small) == "04e10c")
  }

  @Test("a number becomes a whole one, however large it is, and none becomes 0")
  func wholeNumbers() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      // All bit patterns: small, large, infinite and none.
      let number = Double(bitPattern: .random(in: .min ... .max, using: &generator))
      let whole = Int(bounded: number)
      #expect(whole.magnitude <= 1 << 53)
      if number.magnitude <= 0x1p53 { #expect(whole == Int(number)) }
    }
    #expect(Int(bounded: .infinity) == 1 << 53 && Int(bounded: -.infinity) == -(1 << 53))
    #expect(Int(bounded: .nan) == 0 && Int(bounded: -2.9) == -2)
  }

  @Test(
    "a length has a unit or is in millimetres, with a decimal point or comma",
    arguments: [
      ("30", 30), ("30mm", 30), (" 3.5 CM", 35), ("3,5cm", 35), ("2in", 50.8), ("1\"", 25.4),
      ("72pt", 25.4), ("-1", -1), ("1.5m", 1_500), ("1mm", 1),
    ])
  func length(text: String, millimetres: Double) throws {
    let length = try #require(Length.millimetres(text))
    #expect(abs(length - millimetres) < 1e-9)
  }

  @Test("other texts are no lengths", arguments: ["", "mm", "3q", "1,2,3", "nan", "inf", "3 4mm"])
  func noLength(text: String) { #expect(Length.millimetres(text) == nil) }

  @Test(
    "two lengths share the unit behind the second, unless the first has one",
    arguments: [
      ("100x150", 100, 150), ("4x6in", 101.6, 152.4), ("1cmx1in", 10, 25.4), ("1in×2", 25.4, 2),
      ("10 x 15 cm", 100, 150), ("-1x1", -1, 1),
    ])
  func pair(text: String, first: Double, second: Double) throws {
    let pair = try #require(Length.pair(text, separatedBy: "x×"))
    #expect(pair == (first, second))
  }

  @Test("one length and three are no pair", arguments: ["", "1", "1x", "1x2x3", "ax1", "1,2"])
  func noPair(text: String) { #expect(Length.pair(text, separatedBy: "x×") == nil) }

  @Test(
    "another ending replaces that of the file's name alone",
    arguments: [
      ("a.jpg", "a.pdf"), ("a", "a.pdf"), ("a.b.jpg", "a.b.pdf"), ("b.c/a", "b.c/a.pdf"),
      ("/tmp/.jpg", "/tmp/code.pdf"), ("", "code.pdf"), ("dir/", "dir/code.pdf"),
    ])
  func ending(path: String, other: String) { #expect(path.withEnding("pdf") == other) }

  @Test("anything but pairs of ASCII digits is refused", arguments: ["0", "0G", "+1", " 01", "０1"])
  func refused(text: String) {
    #expect([UInt8](hexadecimal: text.utf8) == nil)
  }

  @Test("a clause becomes a sentence, and a name that has no capital letter keeps that")
  func sentences() {
    #expect("the tag was removed".asSentence == "The tag was removed.")
    #expect("pcsc may mean \"A\" and \"B\"".asSentence == "pcsc may mean \"A\" and \"B\".")
    #expect("libnfc cannot be used: it is old".asSentence == "libnfc cannot be used: it is old.")
    #expect("/dev/ttyUSB0 is in use".asSentence == "/dev/ttyUSB0 is in use.")
    #expect("Is it?".asSentence == "Is it?")
  }

  @Test("between the bytes of a UID there may be colons, hyphens and spaces")
  func separated() {
    #expect([UInt8](separatedHexadecimal: "04:e1-0C DA") == [0x04, 0xE1, 0x0C, 0xDA])
    #expect([UInt8](separatedHexadecimal: "04.E1") == nil)
  }

  @Test("a number is filled up with zeros and never cut")
  func numbers() {
    #expect(0.hexadecimal(digits: 2) == "00")
    #expect(UInt8.max.hexadecimal(digits: 4) == "00FF")
    #expect(0x1F9CB.hexadecimal(digits: 4) == "1F9CB")
    #expect(UInt128.max.hexadecimal(digits: 32) == String(repeating: "F", count: 32))
  }

  @Test("a field of CSV has quotation marks only where it needs them")
  func csv() {
    #expect(
      ["a b", "c,d", "say \"x\"", "1\n2", ""].csvLine
        == "a b,\"c,d\",\"say \"\"x\"\"\",\"1\n2\",\r\n")
    #expect(
      ["x;=HYPERLINK(1)", "a\tb"].csvLine == "\"x;=HYPERLINK(1)\",\"a\tb\"\r\n",
      "a spreadsheet cuts at semicolons where the decimal sign is a comma")
  }

  @Test(
    "a field of CSV that a spreadsheet would evaluate has an apostrophe in front",
    arguments: [
      ("=1+1", "'=1+1"), ("+49 30 1", "'+49 30 1"), ("@a", "'@a"), ("-", "'-"), ("-1.5", "-1.5"),
      ("=\"a\"", "\"'=\"\"a\"\"\""), ("\ta", "\"'\ta\""), ("a=1", "a=1"),
    ])
  func formula(field: String, written: String) {
    #expect([field].csvLine == written + "\r\n")
  }

  @Test("a text of JSON escapes what would end it or move a cursor, and nothing else")
  func json() {
    func written(_ text: String, _ letters: HexadecimalLetters = .capital) -> String {
      var bytes: [UInt8] = []
      bytes.append(jsonText: text, letters)
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(written("é/🧋") == "\"é/🧋\"")
    #expect(written("\"\\\n\r\t") == #""\"\\\n\r\t""#)
    #expect(written("\u{1B}\u{7F}") == #""\u001B\u007F""#)
    #expect(written("\u{1B}", .small) == #""\u001b""#)
  }
}

@Suite("Work that blocks")
struct BlockingQueueTests {
  @Test("one piece follows the other, and a cancelled one is told and still answers")
  func order() async {
    let queue = BlockingQueue("CliptagBasicsTests")
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let first = Task {
      await queue.run { wanted in
        continuation.yield("begun")
        while wanted.isSet {}
        continuation.yield("told")
        return 1
      }
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == "begun")
    first.cancel()
    _ = await queue.run { _ in continuation.yield("second") }
    #expect(await first.value == 1)
    #expect(await iterator.next() == "told")
    #expect(await iterator.next() == "second")
  }
}
