import Foundation
import Invocation
import Testing

@Suite("Geodesic distance")
struct GeodesicTests {
  @Test(
    "agrees with geographiclib to a hundred nanometres, antipodal points included",
    arguments: [("geodesic.csv", 762), ("geodesic-kinds.csv", 1_080)])
  func generatedVectors(file: String, count: Int) throws {
    let rows = try Vectors.rows(file)
    #expect(rows.count == count)
    for row in rows {
      let start = try #require(Coordinate(latitude: row.number(0), longitude: row.number(1)))
      let end = try #require(Coordinate(latitude: row.number(2), longitude: row.number(3)))
      let error = abs(Geodesic.distance(from: start, to: end) - row.number(4))
      #expect(error < 1e-7, "off by \(error) m: \(row.text)")
      let back = abs(Geodesic.distance(from: end, to: start) - row.number(4))
      #expect(back < 1e-7, "off by \(back) m, backwards: \(row.text)")
    }
  }

  @Test("agrees with published values")
  func publishedVectors() throws {
    for row in try Vectors.rows("geodesic-published.csv") {
      let start = try #require(Coordinate(latitude: row.number(0), longitude: row.number(1)))
      let end = try #require(Coordinate(latitude: row.number(2), longitude: row.number(3)))
      let error = abs(Geodesic.distance(from: start, to: end) - row.number(4))
      #expect(error < row.number(5), "off by \(error) m: \(row.text)")
    }
  }
}

/// Lines of a data file beside the tests.
enum Vectors {
  struct Row {
    let text: String
    let fields: [Substring]

    /// A field as a number, or NaN, which no comparison passes.
    func number(_ index: Int) -> Double {
      index < fields.count ? Double(fields[index]) ?? .nan : .nan
    }
  }

  static func rows(_ name: String) throws -> [Row] {
    let url = Bundle.module.bundleURL.appending(path: "Vectors/\(name)")
    return try String(contentsOf: url, encoding: .utf8)
      .split(whereSeparator: \.isNewline)
      .filter { !$0.hasPrefix("#") }
      .map { Row(text: String($0), fields: $0.split(separator: ",")) }
  }
}
