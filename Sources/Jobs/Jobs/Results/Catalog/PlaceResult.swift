package import Invocation

/// The `place` object of a listing.
package struct PlaceResult: Encodable {
  private struct Head: Encodable {
    /// The type of the object.
    let type = "place"
    /// The id.
    let id: String
    /// The name.
    let name: String
  }

  /// A circle in degrees and metres, or a polygon; no member of several regions has a value.
  private struct Shape: Encodable {
    /// The latitude of the centre of a circle (WGS 84).
    let latitude: UnroundedNumber?
    /// The longitude of the centre of a circle (WGS 84).
    let longitude: UnroundedNumber?
    /// The radius of a circle, in metres.
    let radius: Double?
    /// The corners of a polygon, each as latitude and longitude.
    let polygon: [[UnroundedNumber]]?

    init(_ region: Region) {
      var circle: Region.Circle?
      var corners: [Coordinate]?
      switch region {
      case .circle(let found): circle = found
      case .polygon(let polygon): corners = polygon.corners
      case .several: break
      }
      latitude = circle.map { UnroundedNumber($0.centre.latitude) }
      longitude = circle.map { UnroundedNumber($0.centre.longitude) }
      radius = circle?.radius
      polygon = corners?.map { [UnroundedNumber($0.latitude), UnroundedNumber($0.longitude)] }
    }
  }

  private struct Tail: Encodable {
    /// The regions, each as a circle or a polygon.
    let regions: [Shape]
    /// The language of the signs there, as a tag of BCP 47; `nil` for any.
    let language: String?
  }

  private let head: Head
  private let shape: Shape
  private let tail: Tail

  package init(_ place: Place) {
    head = Head(id: place.id, name: place.name)
    shape = Shape(place.region)
    tail = Tail(regions: place.regions.map(Shape.init), language: place.language)
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try shape.encode(to: encoder)
    try tail.encode(to: encoder)
  }
}
