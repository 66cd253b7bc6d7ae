import CliptagBasics
import Foundation
import GRDB
import RegistryFixtures
import TestSupport
import Testing

@testable import Registry

/// A code is a payload on a carrier; each of its prints, and its tag, is an item.
@Suite("Items of codes")
struct ItemTests {
  private static func minute(_ minute: Double) -> Date {
    Fixtures.noon.addingTimeInterval(60 * minute)
  }

  private static func print(_ output: String, width: Double = 31.5) -> IssuedCode {
    let code = Fixtures.code(1)
    return IssuedCode(
      id: code.id, payload: code.payload, carrier: .qr, created: code.created, registered: true,
      output: output,
      symbol: .init(version: 3, errorCorrection: "M", moduleSize: 0.85, width: width))
  }

  private func outputs(_ registry: any RegistryStore) throws -> [String?] {
    try registry.items(of: Fixtures.code(1)).map(\.output)
  }

  private func findings(_ registry: any RegistryStore) throws -> [String] {
    var found: [String] = []
    _ = try registry.verifyRecord { found.append("\($0.code)") }
    return found
  }

  @Test(
    "each file is an item; its formats and a print of the same name are not another",
    arguments: StoreKind.allCases)
  func files(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let registry = try kind.make(in: folder)
    try registry.issue(Self.print("door.pdf"), by: "Ada", details: ["output": "door.pdf"])
    #expect(try outputs(registry) == ["door.pdf"])
    let name = try registry.items(of: Fixtures.code(1))[0].name
    #expect(try CodeItem.name(of: Fixtures.code(1).id, printedTo: "door.svg") == name)
    #expect(name.hasPrefix("\(Fixtures.code(1).id)-") && name.count == 33)

    try registry.reissue(Self.print("counter.pdf"), at: Self.minute(1), by: "Ada")
    try registry.reissue(Self.print("door.SVG", width: 50), at: Self.minute(2), by: "Ada")
    let items = try registry.items(of: Fixtures.code(1))
    #expect(items.map(\.output) == ["counter.pdf", "door.SVG"])
    #expect(items.map(\.width) == [31.5, 50])
    #expect(items[1].name == name && items[0].name != name)
    #expect(items.pieceCount == 2)

    let odd = "a/b “\\d\"oor\".pdf"
    try registry.reissue(Self.print(odd), at: Self.minute(3), by: "Ada")
    let last = try registry.items(of: Fixtures.code(1)).last
    #expect(last?.output == odd)
    #expect(try CodeItem.name(of: Fixtures.code(1).id, printedTo: odd) == last?.name)

    let tag = Fixtures.code(2, uid: "04E10CDA993C80")
    try registry.issue(tag, by: "Ada", details: ["uid": "04E10CDA993C80"])
    #expect(try registry.items(of: tag).map(\.tagUID) == ["04E10CDA993C80"])
    #expect(try findings(registry).isEmpty)
  }

  @Test(
    "a sheet that is printed again replaces all its labels, and copies count",
    arguments: StoreKind.allCases)
  func sheets(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let registry = try kind.make(in: folder)
    func label(_ position: Int, copies: Int = 1) -> [String: String] {
      PrintedLabel(caption: "T", row: position, sheet: 1, position: position, copies: copies)
        .details
    }
    try registry.issue(
      Self.print("t.pdf"), by: "Ada",
      details: Self.print("t.pdf").printDetails.merging(label(1)) { $1 })
    for position in [2, 5] {
      try registry.reissue(
        Self.print("t.pdf"), at: Fixtures.code(1).created, by: "Ada",
        details: label(position, copies: position))
    }
    let items = try registry.items(of: Fixtures.code(1))
    #expect(items.map(\.position) == [1, 2, 5])
    #expect(items.map(\.copies) == [1, 2, 5] && items.pieceCount == 8)
    #expect(Set(items.map(\.name)).count == 3)
    try registry.reissue(
      Self.print("t.pdf"), at: Self.minute(9), by: "Ada", details: label(3, copies: 4))
    #expect(try registry.items(of: Fixtures.code(1)).map(\.position) == [3])
    // A code of four copies has one row, and a code of one print is none of several.
    try registry.issue(Fixtures.code(2), by: "Ada")
    let (first, last) = (Fixtures.code(1).id, Fixtures.code(2).id)
    #expect(try registry.codesWithSeveralItems(from: first, through: last) == [first])
    #expect(try findings(registry).isEmpty)
  }

  @Test(
    "an item that was thrown away is none until its file is printed again; the only one stays",
    arguments: StoreKind.allCases)
  func discarded(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let registry = try kind.make(in: folder)
    try registry.issue(Self.print("door.pdf"), by: "Ada", details: ["output": "door.pdf"])
    try registry.reissue(Self.print("counter.pdf"), at: Self.minute(1), by: "Ada")
    let item = try registry.items(of: Fixtures.code(1))[0]
    let told = try registry.discard(
      item.name.lowercased(), at: Self.minute(2), by: "Ben", details: ["note": "torn"])
    #expect(told == item)
    #expect(try outputs(registry) == ["counter.pdf"])
    let last = try registry.history(of: item.code).last
    #expect(last?.kind == .discarded && last?.details["item"] == item.name)
    #expect(last?.details["note"] == "torn")
    #expect(try registry.code(id: item.code)?.status == .issued)

    let others = try outputs(registry)
    for (name, code) in [
      (item.name, RegistryError.Code.notFound), ("c-1", .notFound),
      (try registry.items(of: Fixtures.code(1))[0].name, .lastItem),
    ] {
      let error = #expect(throws: RegistryError.self) {
        try registry.discard(name, at: Self.minute(3), by: "Ben")
      }
      #expect(error?.code == code)
    }
    #expect(try outputs(registry) == others)
    try registry.reissue(Self.print("door.pdf"), at: Self.minute(4), by: "Ada")
    #expect(try outputs(registry) == ["counter.pdf", "door.pdf"])
    #expect(try findings(registry).isEmpty)
  }

  @Test("items follow from the history, in whatever order it was merged", arguments: 0..<8)
  func merged(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let stations = try (0..<3).map { _ in try RegistryLocation.memory.open() }
    try stations[0].issue(Self.print("a.pdf"), by: "Ada", details: ["output": "a.pdf"])
    for _ in 0..<40 {
      let station = stations.randomElement(using: &generator)!
      let time = Self.minute(.random(in: -50...50, using: &generator).rounded())
      if Bool.random(using: &generator), let other = stations.randomElement(using: &generator),
        other as AnyObject !== station as AnyObject
      {
        _ = try station.merge(other, name: "other")
      } else if let code = try station.codes().first {
        let items = try station.items(of: code)
        if Bool.random(using: &generator), items.count > 1 {
          try station.discard(items[0].name, at: time, by: "Ada")
        } else {
          let output = ["a.pdf", "a.svg", "b.pdf", "c.png"].randomElement(using: &generator)!
          try station.reissue(Self.print(output), at: time, by: "Ada")
        }
      }
    }
    for station in stations {
      for other in stations where other as AnyObject !== station as AnyObject {
        _ = try station.merge(other, name: "other")
      }
      #expect(try findings(station).isEmpty)
    }
    let told = try stations.map { try $0.items(of: Fixtures.code(1)) }
    #expect(Set(told).count == 1)
  }

  @Test(
    "an App Clip Code that was taken in is an item until it is printed; its file hangs nowhere",
    arguments: StoreKind.allCases)
  func appClipCodes(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let registry = try kind.make(in: folder)
    let plain = Fixtures.code(1)
    let code = IssuedCode(
      id: plain.id, payload: plain.payload, carrier: .appClipCode, created: plain.created,
      registered: true, output: "apple.svg")
    try registry.issue(code, by: "Ada", details: ["output": "apple.svg"])
    #expect(try registry.items(of: code).map(\.output) == [nil])
    for output in ["door.pdf", "counter.pdf"] {
      try registry.record(
        .issued, of: code.id, at: Self.minute(1), by: "Ada", details: ["output": output])
    }
    #expect(try registry.items(of: code).map(\.output) == ["counter.pdf", "door.pdf"])
  }

  @Test("items that were altered are found")
  func altered() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("registry.sqlite")
    let registry = try RegistryLocation.file(path).open()
    try registry.issue(Self.print("door.pdf"), by: "Ada", details: ["output": "door.pdf"])
    for sql in [
      "UPDATE code_item SET output = 'x.pdf'", "DELETE FROM code_item",
      "INSERT INTO code_item VALUES ('\(Fixtures.code(1).id)', 'x', '', '', 1, 'x', '{}')",
    ] {
      try DatabaseQueue(path: path).write { try $0.executeWithoutGuards(sql) }
      #expect(
        try findings(RegistryLocation.file(path).open(for: .lookUp)) == ["print-altered"], "\(sql)")
    }
  }

  @Test("a file of an older format has the items that its history holds")
  func older() throws {
    let queue = try DatabaseQueue()
    try queue.write { database in
      try RegistrySchema.migrate(database, from: 0, to: 14, home: "here")
      let registry = RegistryTransaction(
        SQLiteSession(database, path: "", home: "here"), mayChange: true)
      try registry.issue(Self.print("door.pdf"), by: "Ada", details: ["output": "door.pdf"])
      try registry.issue(Fixtures.code(2, uid: "04E10CDA993C80"), by: "Ada")
      for (output, minute) in [("counter.pdf", 5.0), ("door.svg", 7), ("door.png", 6)] {
        try registry.reissue(Self.print(output), at: Self.minute(minute), by: "Ada")
      }
      try RegistrySchema.migrate(database, from: 14, home: "here")
      #expect(
        try registry.items(of: Fixtures.code(1)).map(\.output) == ["counter.pdf", "door.png"])
      #expect(try registry.items(of: Fixtures.code(2, uid: "04E10CDA993C80")).count == 1)
      #expect(try registry.codesOfWrongPrint().isEmpty)
    }
  }
}
