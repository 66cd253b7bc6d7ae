/// How a payload names the place it belongs to.
public enum PlaceRule: Hashable, Sendable {
  /// Always this place.
  case fixed(id: String)
  /// A path template such as `/order/{place}/table/{table}`; a longer path still matches.
  case path(template: PathTemplate)
  /// The query item that holds the place's id.
  case query(item: String)
  /// The query items that hold the position itself, in degrees, and the radius in metres around
  /// it, over 0 and at most ``Region/Circle/maximumRadius``.
  case coordinates(latitudeItem: String, longitudeItem: String, radius: Double)
}
