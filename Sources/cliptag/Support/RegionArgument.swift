import ArgumentParser
import Invocation

/// `LAT,LON,RADIUS` in degrees and metres, or a polygon: `LAT,LON LAT,LON LAT,LON`.
struct RegionArgument: ExpressibleByArgument, Sendable {
  let region: Region

  init?(argument: String) {
    let points = argument.split(separator: " ")
    if points.count == 1 {
      let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      guard numbers.count == 3, let radius = Double(numbers[2]),
        let centre = PositionArgument(argument: numbers[..<2].joined(separator: ",")),
        let circle = Region.Circle(centre: centre.coordinate, radius: radius)
      else { return nil }
      region = .circle(circle)
    } else {
      let corners = points.compactMap { PositionArgument(argument: String($0))?.coordinate }
      guard corners.count == points.count, Set(corners).count >= 3,
        let polygon = Region.Polygon(corners: corners)
      else { return nil }
      region = .polygon(polygon)
    }
  }
}
