import ScanFixtures
import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import Pictures
import Testing

@testable import CodeScanning

/// Photographs of codes whose siblings, codes of similar addresses, are on record. The larger run is
/// the part `clipcodes` of the benchmarks.
@Suite("A sibling is not taken for a code on record")
struct AppClipCodeSiblingTests {
  /// Returns the reading of a photograph; `nil` if no code is found.
  private func reading(_ photograph: AppClipCodePhotograph) -> AppClipCodeReading? {
    AppClipCodeLocator().codes(in: photograph.picture(width: 190, height: 190)).first?.reading
  }

  @Test(
    "a card over a part of a code hides what distinguishes it: it is known, left open, and never its sibling",
    arguments: [0.05, 0.1, 0.2, 0.35, 0.5])
  func cards(share: Double) throws {
    var generator = SeededGenerator(seed: UInt64(share * 1000))
    var (known, found) = (0, 0)
    for place in 0..<9 {
      let code = DrawnAppClipCode("https://fruta.example.com/s/\(place)")
      var photograph = AppClipCodePhotograph(code)
      photograph.diameter = 150
      photograph.noise = 3
      photograph.card = share
      photograph.cardAngle = Double(place) * 40
      photograph.cardBrightness = [150, 235, 40][place % 3]
      photograph.seed = generator.next()
      guard let reading = reading(photograph) else { continue }
      found += 1
      let hidden = (0..<128).filter { abs(reading.continues[$0]) < 2 }
      for distance in [11, 12, 14, 16] {
        // Anywhere, and where all differences are hidden but one.
        let seen = (0..<128).filter { abs(reading.continues[$0]) >= 2 }.shuffled(using: &generator)
        let chosen = hidden.shuffled(using: &generator).prefix(distance - 1)
        for places in [
          Array((0..<128).shuffled(using: &generator).prefix(distance)),
          Array(chosen + seen.prefix(distance - chosen.count)),
        ] {
          guard let sibling = code.sibling(differingIn: places) else { continue }
          let answer = AppClipCodeIndex([sibling.pattern]).match(reading).answer
          #expect(answer == .unclear || answer == .unknown)
        }
      }
      let index = AppClipCodeIndex([code.pattern])
      let answer = index.match(reading).answer
      #expect(answer == .code(code.pattern) || answer == .unclear)
      if answer == .code(code.pattern) { known += 1 }
    }
    // Up to a fifth, the rest suffices; under a half, a code of any address may lie there.
    if share <= 0.2 { #expect(known == 9) }
    if share == 0.5 { #expect(known == 0) }
  }

  @Test(
    "a code of ours that a movement of the camera blurs is known or unclear, and not said to be foreign",
    arguments: [4.0, 7, 10, 14])
  func moved(pixels: Double) {
    var unclear = 0
    for place in 0..<9 {
      let code = DrawnAppClipCode("https://fruta.example.com/m/\(place)")
      var photograph = AppClipCodePhotograph(code)
      photograph.diameter = 150
      photograph.motion = pixels
      photograph.motionAngle = Double(place) * 20
      guard let reading = reading(photograph) else { continue }
      let index = AppClipCodeIndex([code.pattern])
      let answer = index.match(reading).answer
      #expect(answer == .code(code.pattern) || answer == .unclear)
      if answer == .unclear { unclear += 1 }
    }
    if pixels == 4 { #expect(unclear < 9) }
  }
}
