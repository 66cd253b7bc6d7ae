import Testing

@testable import CodeScanning

@Suite("Places that look like finder patterns")
struct CandidatePlacesTests {
  private func candidate(_ x: Double, _ y: Double, module: Double = 4) -> FinderCandidate {
    FinderCandidate(
      x: x, y: y, radii: [Double](repeating: module * 1.12, count: 8), isInverted: false)
  }

  private func centres(_ places: CandidatePlaces) -> [Double] {
    places.likeliestFirst.compactMap(\.first?.x)
  }

  @Test("a place that a single line met is none")
  func single() {
    var places = CandidatePlaces(width: 100, height: 100, step: 1)
    places.add(candidate(20.5, 20.5))
    #expect(centres(places) == [])
    places.add(candidate(21.5, 21.5))
    #expect(centres(places) == [20.5])
  }

  @Test("a pattern so small that only one line meets it is a place")
  func small() {
    var places = CandidatePlaces(width: 100, height: 100, step: 4)
    places.add(candidate(20.5, 20.5, module: 2))
    #expect(centres(places) == [20.5])
  }

  @Test("the place that most of its lines met comes first, then the larger one")
  func order() {
    var places = CandidatePlaces(width: 200, height: 100, step: 1)
    for line in 0..<3 { places.add(candidate(20.5, 20.5 + Double(line))) }
    for line in 0..<9 { places.add(candidate(80.5, 20.5 + Double(line) / 4)) }
    for _ in 0..<18 { places.add(candidate(140.5, 20.5, module: 8)) }
    #expect(centres(places) == [140.5, 80.5, 20.5])
  }

  @Test("patterns of other sizes at one place are apart, and a certain place needs no more lines")
  func sizes() {
    var places = CandidatePlaces(width: 100, height: 100, step: 1)
    for _ in 0..<12 { places.add(candidate(20.5, 20.5, module: 2)) }
    #expect(places.isCertain(20, 20, module: 2.4))
    #expect(!places.isCertain(20, 20, module: 5) && !places.isCertain(60, 60, module: 2))
    places.add(candidate(20.5, 20.5, module: 8))
    places.add(candidate(20.5, 20.5, module: 8))
    #expect(places.likeliestFirst.count == 2)
  }
}
