import Foundation
import Invocation
import Registry
import Testing

@Suite("Places that are too close")
struct PlaceLintTests {
  private func told(_ places: [Place]) -> [String] {
    RegistryDocument(places: places).findings().filter { $0.code == .placesTooClose }
      .map { String($0.message.prefix { $0 != "," }) }.sorted()
  }

  @Test("every pair whose circles overlap is told, whatever their sizes")
  func everyPair() {
    var generator = SeededGenerator(seed: 11)
    let spots = (0..<600).map { _ in
      (
        Double.random(in: 60...60.4, using: &generator),
        Double.random(in: 10...10.8, using: &generator),
        [0.001, 0.5, 1, 8, 60, 250, 499, 500].randomElement(using: &generator)! as Double
      )
    }
    let places = spots.enumerated().map { index, spot in
      Fixtures.place(String(1000 + index), spot.0, spot.1, radius: spot.2)
    }
    var expected: [String] = []
    for (index, spot) in spots.enumerated() {
      // A fiftieth of a degree of latitude is more than two kilometres.
      for (other, otherSpot) in spots.enumerated().dropFirst(index + 1)
      where abs(spot.0 - otherSpot.0) < 0.02 {
        guard let first = Coordinate(latitude: spot.0, longitude: spot.1),
          let second = Coordinate(latitude: otherSpot.0, longitude: otherSpot.1)
        else { continue }
        let distance = Geodesic.distance(from: first, to: second)
        guard distance < spot.2 + otherSpot.2 else { continue }
        expected.append(
          "“\(1000 + index)” and “\(1000 + other)” are \(Int(distance.rounded())) m apart")
      }
    }
    #expect(expected.count > 20)
    #expect(told(places) == expected.sorted())
  }

  @Test("of many at one spot, each is told with three others at most")
  func oneSpot() {
    let places = (0..<2000).map { Fixtures.place(String(10_000 + $0), 37.3230, -122.0322) }
    #expect(told(places).count == 1 + 2 + 3 * 1997)
  }

  @Test("any two regions of two places are compared, those of one place are not")
  func anyRegions() throws {
    let mall = Fixtures.severalRegions("mall", 37.3230, -122.0322)
    let apart = Fixtures.place("apart", 37.40, -122.0322)
    // Only near the second circle of the mall, and only near its polygon.
    let second = Fixtures.place("second", 37.3333, -122.0322, radius: 10)
    let yard = Fixtures.place("yard", 37.3248, -122.0320, radius: 20)
    #expect(told([mall, apart]) == [])
    #expect(
      told([mall, apart, second, yard]) == [
        "“mall” and “second” have regions that overlap: there",
        "“mall” and “yard” have regions that overlap: there",
      ])
    #expect(told([mall, Fixtures.severalRegions("twin", 37.3230, -122.0322)]).count == 1)
  }

  @Test("polygons that cross are told, neighbours that share a wall are not")
  func polygons() throws {
    func rectangle(_ id: String, _ south: Double, _ west: Double, _ size: (Double, Double)) -> Place
    {
      let corners = [(0.0, 0.0), (0, size.1), (size.0, size.1), (size.0, 0)].compactMap {
        Coordinate(
          latitude: south + $0.0, longitude: (west + $0.1).remainder(dividingBy: 360))
      }
      return Place(id: id, name: id, region: .polygon(Region.Polygon(corners: corners)!))
    }
    // A cross: no corner of one lies in the other.
    let bar = rectangle("bar", 10, 179.99, (0.001, 0.02))
    let post = rectangle("post", 9.99, 179.9995, (0.02, 0.001))
    #expect(told([bar, post]).count == 1)
    #expect(told([rectangle("a", 1, 1, (1, 1)), rectangle("b", 1, 2, (1, 1))]) == [])
    #expect(told([rectangle("a", 1, 1, (1, 1)), rectangle("b", 1.4, 1.4, (0.1, 0.1))]).count == 1)
  }

  @Test(
    "circles of hardly any size are compared, too", arguments: [Double.leastNonzeroMagnitude, 1e-9])
  func tiny(radius: Double) {
    let places = ["a", "b"].map { Fixtures.place($0, 37.3230, -122.0322, radius: radius) }
    #expect(told(places).count == 1)
  }
}
