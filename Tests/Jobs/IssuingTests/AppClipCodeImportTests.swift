import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import Foundation
import Invocation
import JourneyFixtures
import Registry
import Testing

@testable import Issuing

@Suite("Taking App Clip Codes in")
struct AppClipCodeImportTests {
  private let registry: any RegistryStore
  private let issuer: Issuer

  init() throws {
    registry = try Fixtures.registry()
    issuer = Issuer(registry: registry, who: "tester")
  }

  private func url(_ name: String) -> String { "https://fruta.example.com/order/\(name)" }

  /// Puts files into a folder and examines it.
  private func examine(
    _ files: [String: [UInt8]], options: AppClipCodeImport.Options = AppClipCodeImport.Options()
  ) throws -> AppClipCodeImport {
    let folder = try #require(ScratchFolder())
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name)"))
    }
    defer { withExtendedLifetime(folder) {} }
    return try issuer.examine(AppClipCodeCollection([folder.path]), options: options)
  }

  private func codes(of found: AppClipCodeImport) -> [IssuingError.Code?] {
    found.refusals.map { ($0.reason as? IssuingError)?.code }
  }

  @Test("a folder of codes is taken into the record with what the files say")
  func folder() async throws {
    let drawn = ["a", "b", "c"].map { DrawnAppClipCode(url($0)) }
    let found = try examine([
      "1.svg": drawn[0].bytes, "2.svg": drawn[1].bytes, "3.svg": drawn[2].bytes,
      "readme.txt": [65],
    ])
    #expect(found.refusals.isEmpty)
    let taken = try await issuer.take(found.candidates)
    #expect(taken.map(\.outcome) == [.new, .new, .new])
    let known = try registry.codes(CodeFilter(carrier: .appClipCode))
    #expect(known.map(\.payload) == drawn.map(\.payload))
    #expect(known.map(\.appClipCode?.pattern) == drawn.map(\.pattern))
    #expect(known.map(\.output) == ["1.svg", "2.svg", "3.svg"])
    #expect(known[0].appClipCode?.kind == .camera)
    #expect(known[0].appClipCode?.fileDigest.count == 64)
    #expect(try registry.appClipCode(of: known[1]) == drawn[1].code)
  }

  @Test("a pipe in a folder of codes is an error, and is not waited for")
  func pipe() throws {
    let folder = try #require(ScratchFolder())
    try #require(mkfifo(folder.path + "/pipe.svg", 0o600) == 0)
    let error = #expect(throws: IssuingError.self) {
      try AppClipCodeCollection([folder.path]).forEach { _, _, _, _ in }
    }
    #expect(error?.code == .unusableCollection && error?.message.contains("pipe.svg") == true)
  }

  @Test("taking the same files in again changes nothing, and other colours are the same code")
  func again() async throws {
    let drawn = DrawnAppClipCode(url("a"))
    let first = try await issuer.take(examine(["a.svg": drawn.bytes]).candidates)
    let second = try await issuer.take(examine(["a.svg": drawn.bytes]).candidates)
    #expect(second.map(\.outcome) == [.known])
    let blue = DrawnAppClipCode(url("a"), template: 13)
    let third = try await issuer.take(examine(["a.svg": blue.bytes]).candidates)
    #expect(third.map(\.outcome) == [.changed])
    #expect(Set([first, second, third].map { $0[0].id }).count == 1)
    let code = try #require(try registry.codes().first)
    #expect(code.appClipCode?.colours.template == 13)
    #expect(try registry.appClipCode(of: code) == blue.code)
  }

  @Test("a ZIP file with its mapping is read without unpacking it")
  func archive() throws {
    let folder = try #require(ScratchFolder())
    let path = "\(folder.path)/codes.zip"
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as z:
          for name in sys.argv[2:]: z.write(name, name.split("/")[-1])
      """
    var names: [String] = []
    for name in ["a", "b"] {
      names.append("\(folder.path)/\(name).svg")
      try Data(DrawnAppClipCode(url(name)).bytes).write(to: URL(filePath: names.last ?? ""))
    }
    names.append("\(folder.path)/mapping.csv")
    let mapping = "SVG File Name,URL\na.svg,\(url("a"))\nb.svg,\(url("wrong"))\n"
    try Data(mapping.utf8).write(to: URL(filePath: names.last ?? ""))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", script, path] + names
    try process.run()
    process.waitUntilExit()
    let found = try issuer.examine(AppClipCodeCollection([path]))
    #expect(found.candidates.map(\.name) == ["a.svg"])
    #expect(found.candidates.first?.path == "\(path)/a.svg")
    #expect(codes(of: found) == [.mappingDiffers])
    // Cut in the middle, it is reported as broken and not taken in.
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(bytes.count / 3).write(to: URL(filePath: path))
    let error = #expect(throws: IssuingError.self) {
      try issuer.examine(AppClipCodeCollection([path]))
    }
    #expect(error?.code == .unusableCollection)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "a mapping must say what the files say, name each of them, and no other",
    arguments: [
      "SVG File Name,URL\na.svg,https://fruta.example.com/order/a\n": 0,
      "SVG File Name,URL\na,https://fruta.example.com/order/a\n": 0,
      "SVG File Name,URL\na.svg,https://fruta.example.com/order/b\n": 1,
      "SVG File Name,URL\nb.svg,https://fruta.example.com/order/a\n": 2,
      "SVG File Name,URL,Type\na.svg,https://fruta.example.com/order/a,nfc\n": 1,
      "SVG File Name,URL,Background Color\na.svg,https://fruta.example.com/order/a,FF3B30\n": 1,
      "SVG File Name,URL,Logo\na.svg,https://fruta.example.com/order/a,none\n": 0,
      "SVG File Name,URL,Logo\na.svg,https://fruta.example.com/order/a,badge\n": 1,
    ])
  func mapping(text: String, refusals: Int) throws {
    let found = try examine([
      "a.svg": DrawnAppClipCode(url("a")).bytes, "mapping.csv": Array(text.utf8),
    ])
    #expect(codes(of: found) == Array(repeating: .mappingDiffers, count: refusals))
  }

  @Test("two files with the same bits and different URLs are refused by name, on record too")
  func sameBits() async throws {
    let drawn = DrawnAppClipCode(url("a"))
    var forged = drawn
    forged.payload = url("b")
    let found = try examine(["a.svg": drawn.bytes, "b.svg": forged.bytes])
    #expect(codes(of: found) == [.appClipCodeConflict, .appClipCodeConflict])
    _ = try await issuer.take(examine(["a.svg": drawn.bytes]).candidates)
    let later = try examine(["b.svg": forged.bytes])
    #expect(codes(of: later) == [.appClipCodeConflict])
  }

  @Test("codes with and without badge are one kind, and a record keeps the badge")
  func lockups() async throws {
    let drawn = ["a", "b", "c"].enumerated().map {
      DrawnAppClipCode(url($1), lockup: $0 > 0, template: $0)
    }
    let found = try examine([
      "1.svg": drawn[0].bytes, "2.svg": drawn[1].bytes, "3.svg": drawn[2].bytes,
    ])
    #expect(found.refusals.isEmpty)
    _ = try await issuer.take(found.candidates)
    let known = try registry.codes(CodeFilter(carrier: .appClipCode))
    for (code, drawn) in zip(known, drawn) {
      #expect(try registry.appClipCode(of: code) == drawn.code)
    }
  }

  @Test("neighbours as near as those of Apple's tools are not reported")
  func neighbours() throws {
    let drawn = DrawnAppClipCode(url("a"))
    for (bits, isTold) in [(10, true), (11, false), (14, false)] {
      var other = DrawnAppClipCode(url("b"))
      other.pattern = drawn.pattern
      var left = bits
      for index in 0..<128 where left > 0 {
        let bit = UInt128(1) << UInt128(127 - index)
        guard drawn.pattern.continues & bit != 0,
          let pattern = AppClipCodePattern(
            continues: other.pattern.continues & ~bit, third: drawn.pattern.third)
        else { continue }
        other.pattern = pattern
        left -= 1
      }
      let found = try examine(["a.svg": drawn.bytes, "b.svg": other.bytes])
      let findings = found.candidates.flatMap(\.findings)
      #expect(findings.contains { $0.code == .alikeAppClipCodes } == isTold, "\(bits)")
    }
  }

  @Test("a glyph that the other codes do not have is refused, unless it is allowed")
  func badges() throws {
    var files: [String: [UInt8]] = [:]
    for name in ["a", "b", "c"] { files["\(name).svg"] = DrawnAppClipCode(url(name)).bytes }
    // A notch in the glyph, too small for another area.
    let logo = DrawnAppClipCode(url("d")).svg.replacing("h113.8954v", with: "h50l3,1l3,-1h57.8954v")
    try #require(logo != DrawnAppClipCode(url("d")).svg)
    files["d.svg"] = Array(logo.utf8)
    let found = try examine(files)
    #expect(codes(of: found) == [.foreignBadge])
    #expect(found.refusals.first?.path.hasSuffix("/d.svg") == true)
    var options = AppClipCodeImport.Options()
    options.allowsOtherBadges = true
    #expect(try examine(files, options: options).refusals.isEmpty)
  }

  @Test("a URL that the registry does not accept is refused, and so is a file that was altered")
  func refused() throws {
    let altered = DrawnAppClipCode(url("a")).svg.replacing("23.500000px", with: "20.000000px")
    let found = try examine([
      "a.svg": Array(altered.utf8),
      "b.svg": DrawnAppClipCode("https://elsewhere.example.net/").bytes,
    ])
    #expect(found.refusals.count == 2)
    #expect((found.refusals[0].reason as? AppClipCodeError)?.code == .altered)
    #expect(found.refusals[1].reason is IssueRefusal)
  }

  @Test("codes that are too alike are told, with the URL of the other one")
  func alike() throws {
    let drawn = DrawnAppClipCode(url("a"))
    var other = DrawnAppClipCode(url("b"))
    // One arc cut in two: one bit differs.
    let arc = try #require(drawn.pattern.arcs.first { $0.length > 1 })
    let ring = AppClipCodeRing.all[arc.ring]
    let place = ring.first + (arc.start + 1) % ring.positions
    other.pattern = try #require(
      AppClipCodePattern(
        continues: drawn.pattern.continues & ~(1 << UInt128(127 - place)),
        third: drawn.pattern.third))
    let found = try examine(["a.svg": drawn.bytes, "b.svg": other.bytes])
    #expect(found.refusals.isEmpty)
    for candidate in found.candidates {
      #expect(candidate.findings.contains { $0.code == .alikeAppClipCodes })
    }
  }

  @Test("an empty folder, a missing file and too many files are told as such")
  func unusable() throws {
    let folder = try #require(ScratchFolder())
    for path in [folder.path, "\(folder.path)/none.svg", "\(folder.path)/none.zip"] {
      let error = #expect(throws: IssuingError.self) {
        try issuer.examine(AppClipCodeCollection([path]))
      }
      #expect(error?.code == .unusableCollection)
    }
  }
}
