import CodeDrawing
import Invocation

/// What a map shows, in metres on its plane.
struct MapGround {
  typealias Point = (x: Double, y: Double)

  /// A figure of a place.
  enum Outline {
    case circle(centre: Point, radius: Double)
    case polygon([Point])
  }

  struct Area {
    let name: String
    let outlines: [Outline]
  }

  let points: [Point]
  let areas: [Area]
  private let low: Point
  private let high: Point

  init(_ group: WalkMap.Group) {
    let ground = group.points.map { GroundPoint($0.fix.coordinate) }
    // There is no group without points.
    let middle = GroundPoint(middleOf: ground) ?? GroundPoint(x: WGS84.equatorialRadius, y: 0, z: 0)
    let plane = LocalPlane(around: middle)
    points = group.points.map { plane.place($0.fix.coordinate) }
    areas = group.places.map { place in
      Area(
        name: place.name.nameForPeople,
        outlines: place.regions.flatMap(\.parts).compactMap { region in
          switch region {
          case .circle(let circle):
            .circle(centre: plane.place(circle.centre), radius: circle.radius)
          case .polygon(let polygon): .polygon(polygon.corners.map(plane.place))
          case .several: nil
          }
        })
    }
    var all = points
    for case let outline in areas.flatMap(\.outlines) { all += outline.extremes }
    low = (all.map(\.x).min() ?? 0, all.map(\.y).min() ?? 0)
    high = (all.map(\.x).max() ?? 0, all.map(\.y).max() ?? 0)
  }

  var middle: Point { ((low.x + high.x) / 2, (low.y + high.y) / 2) }

  func size(atLeast least: Double) -> (width: Double, height: Double) {
    let (width, height) = (high.x - low.x, high.y - low.y)
    return (max(width, least), max(height, least * 0.5))
  }
}

extension MapGround.Outline {
  fileprivate var extremes: [MapGround.Point] {
    switch self {
    case .circle(let centre, let radius):
      [(centre.x - radius, centre.y - radius), (centre.x + radius, centre.y + radius)]
    case .polygon(let corners): corners
    }
  }
}

/// The frame of a map: where what lies on the ground is drawn.
struct MapSheet {
  let frame: DrawingBox
  /// Millimetres on the map for a metre.
  let scale: Double
  /// What is in the middle of the frame.
  let middle: MapGround.Point

  func place(_ point: MapGround.Point) -> DrawingPoint {
    DrawingPoint(
      x: frame.centre.x + (point.x - middle.x) * scale,
      y: frame.centre.y + (point.y - middle.y) * scale)
  }

  /// The box around a figure, as far as it is in the frame.
  func bounds(of outline: MapGround.Outline) -> DrawingBox {
    let ends = outline.extremes.map(place)
    func held(_ value: Double, _ low: Double, _ high: Double) -> Double {
      min(high, max(low, value))
    }
    let left = held(ends.map(\.x).min() ?? 0, frame.x, frame.right)
    let right = held(ends.map(\.x).max() ?? 0, frame.x, frame.right)
    let top = held(ends.map(\.y).min() ?? 0, frame.y, frame.bottom)
    let bottom = held(ends.map(\.y).max() ?? 0, frame.y, frame.bottom)
    return DrawingBox(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The part of a place that is in the frame.
  func area(_ outline: MapGround.Outline, _ ink: MapInk) -> MapMark? {
    switch outline {
    case .circle(let centre, let radius):
      area(.circle(centre: place(centre), radius: radius * scale), ink)
    case .polygon(let corners): area(.polygon(corners.map(place)), ink)
    }
  }

  /// A figure on the map.
  enum Figure {
    case circle(centre: DrawingPoint, radius: Double)
    case polygon([DrawingPoint])
  }

  /// The part of a figure that is in the frame; `nil` for none.
  func area(_ figure: Figure, _ ink: MapInk) -> MapMark? {
    let corners: [DrawingPoint]
    switch figure {
    case .circle(let centre, let radius):
      let box = DrawingBox(x: centre.x, y: centre.y, width: 0, height: 0).grown(by: radius)
      if box.x >= frame.x, box.right <= frame.right, box.y >= frame.y, box.bottom <= frame.bottom {
        return .area(.circle(centre: centre, radius: radius), ink)
      }
      // A circle that is larger than all maps shows as what it covers of the frame.
      let ring = DrawingPath.ring(centre: centre, radius: min(radius, 1e7))
      corners = ring
    case .polygon(let given): corners = given
    }
    let clipped = frame.clipping(corners)
    guard clipped.count >= 3 else { return nil }
    return .area(
      DrawingPath([.move(clipped[0])] + clipped.dropFirst().map { .line($0) } + [.close]), ink)
  }
}
