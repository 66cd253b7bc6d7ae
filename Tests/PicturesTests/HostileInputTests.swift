import Foundation
import Pictures
import Testing

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
