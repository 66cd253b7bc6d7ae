import CliptagBasics
import Foundation
import Pictures
import TestSupport
import Testing

/// Some 300 damaged and hostile files of every kind that is read, made from the samples by a
/// generator with a fixed start: each ends with a picture within the limits, or an error.
@Suite("Damaged files")
struct DamagedFileTests {
  private struct Case: Sendable {
    let name: String
    let bytes: [UInt8]
  }

  private static let limits = PictureLimits(
    fileBytes: 1 << 22, pixels: 4_000_000, pages: 20, timePerPage: .seconds(20))

  /// Samples, and how many damaged files are made of each: fewer where a program must be started.
  private static let samples = [
    ("rgb-8.png", 40), ("palette-4-interlaced.png", 20), ("progressive.jpg", 40),
    ("orientation-6.jpg", 20), ("rgb.bmp", 30), ("l.bmp", 30), ("turned.heic", 14),
    ("turned.avif", 10), ("turned.webp", 14), ("two-pages.tif", 14), ("animation.gif", 14),
    ("two-pages.pdf", 14), ("drawing.svg", 14),
  ]

  private static func cases() throws -> [Case] {
    var generator = SeededGenerator(seed: 20_260)
    var cases = bombs
    for (name, count) in samples {
      let whole = try sample(name)
      for number in 0..<count {
        cases.append(
          Case(name: "\(name) \(number)", bytes: damaged(whole, number, using: &generator)))
      }
    }
    return cases
  }

  /// Cut short, bits flipped, a part overwritten, numbers that lie about sizes, a part repeated.
  private static func damaged(
    _ whole: [UInt8], _ number: Int, using generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = whole
    let place = Int.random(in: 4..<bytes.count, using: &generator)
    switch number % 5 {
    case 0: bytes.removeSubrange(place...)
    case 1:
      for _ in 0..<8 {
        let place = Int.random(in: 4..<bytes.count, using: &generator)
        bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      }
    case 2:
      for index in place..<min(place + 16, bytes.count) {
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
    case 3:
      // In the first bytes, where headers keep their sizes.
      let place = Int.random(in: 4..<min(64, bytes.count - 4), using: &generator)
      bytes.replaceSubrange(place..<place + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    default: bytes.insert(contentsOf: bytes[..<place], at: place)
    }
    return bytes
  }

  /// Small files that ask for much.
  private static let bombs: [Case] = {
    let deep = String(repeating: "<g>", count: 5000) + String(repeating: "</g>", count: 5000)
    let entities =
      "<!DOCTYPE svg [<!ENTITY a 'aaaaaaaaaa'>"
      + (0..<9).map { level in
        let name = level == 0 ? "a" : "a\(level)"
        return "<!ENTITY a\(level + 1) '\(String(repeating: "&\(name);", count: 10))'>"
      }.joined() + "]><svg xmlns='http://www.w3.org/2000/svg'><text>&a9;</text></svg>"
    let header = "<svg xmlns='http://www.w3.org/2000/svg' width='1e9' height='1e9'>"
    let gif = Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
    let bmp =
      Array("BM".utf8) + [UInt8](repeating: 0, count: 8) + [54, 0, 0, 0, 40, 0, 0, 0]
      + [255, 255, 255, 127, 255, 255, 255, 127, 1, 0, 24, 0] + [UInt8](repeating: 0, count: 24)
    return [
      Case(name: "deep drawing", bytes: Array("\(header)\(deep)</svg>".utf8)),
      Case(name: "entities within entities", bytes: Array(entities.utf8)),
      Case(name: "endless drawing", bytes: Array("\(header)<rect width='9'/></svg>".utf8)),
      Case(name: "a page as large as a country", bytes: document(mediaBoxes: ["0 0 9e9 9e9"])),
      Case(name: "GIF of 4 gigapixels", bytes: gif),
      Case(name: "BMP of 4 exapixels", bytes: bmp),
      Case(name: "PNM of many digits", bytes: Array("P5 99999999999999999999 1 255\n".utf8)),
      Case(
        name: "PNM of a comment", bytes: Array("P1 #".utf8) + [UInt8](repeating: 65, count: 1 << 21)
      ),
    ]
  }()

  @Test(
    "every damaged file ends with a picture within the limits, or an error",
    .timeLimit(.minutes(10)))
  func damagedFiles() async throws {
    let cases = try Self.cases()
    #expect(cases.count > 270)
    let outcomes = await withTaskGroup(of: Bool.self) { group in
      var outcomes: [Bool] = []
      for (index, item) in cases.enumerated() {
        if index >= 4, let outcome = await group.next() { outcomes.append(outcome) }
        group.addTask { await Self.loads(item) }
      }
      for await outcome in group { outcomes.append(outcome) }
      return outcomes
    }
    #expect(outcomes.count == cases.count)
    // Some damage does not hurt, most does: both were met.
    #expect(outcomes.contains(true) && outcomes.contains(false))
  }

  /// Whether a picture came of it; that it is within the limits is expected of it.
  private static func loads(_ item: Case) async -> Bool {
    do throws(PictureError) {
      let file = try await PictureLoader(limits: limits).open(item.bytes, named: item.name)
      let picture = try await file.page(1)
      #expect(picture.width * picture.height <= limits.pixels, "\(item.name)")
      #expect(picture.firstLook.pixels.count <= limits.pixels, "\(item.name)")
      _ = try await picture.closerLook()
      return true
    } catch {
      let known: Set<PictureError.Code> = [
        .malformed, .tooLarge, .unsupportedFormat, .notAPicture, .rendererFailed, .timedOut,
        .passwordProtected,
      ]
      #expect(known.contains(error.code), "\(item.name): \(error)")
      return false
    }
  }
}

/// Mutations of every sample: whatever a file holds, loading ends with a picture or an error.
@Suite("Hostile pictures")
struct HostileInputTests {
  private static let names: [String] = {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: samplesFolder.path())) ?? []
    return all.filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") }.sorted()
  }()

  @Test("a mutated picture never traps")
  func mutations() async throws {
    var generator = SeededGenerator(seed: 2026)
    let loader = PictureLoader(limits: PictureLimits(pixels: 200_000))
    #expect(Self.names.count > 30)
    for name in Self.names {
      let original = try sample(name)
      for _ in 0..<12 {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: bytes.indices, using: &generator)
          switch Int.random(in: 0...3, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
          case 2: bytes.removeSubrange(place...)
          default: bytes.insert(contentsOf: [0xFF, 0x00, 0x80], at: place)
          }
          if bytes.isEmpty { break }
        }
        if let picture = try? await load(bytes, with: loader) {
          #expect(picture.width * picture.height <= 200_000)
        }
      }
    }
  }

  @Test("mutated Netpbm text never traps")
  func netpbm() async {
    var generator = SeededGenerator(seed: 7)
    let loader = PictureLoader(limits: PictureLimits(pixels: 10_000))
    let alphabet = Array("0123456789 \n#P-+.,\u{0}".utf8)
    for _ in 0..<2000 {
      let kind = UInt8.random(in: 0x31...0x36, using: &generator)
      let length = Int.random(in: 0...40, using: &generator)
      let rest = (0..<length).compactMap { _ in alphabet.randomElement(using: &generator) }
      _ = try? await load([0x50, kind, 0x20] + rest, with: loader)
    }
  }
}
