extension GeometryStart {
  /// The size that the version information beside the finder patterns tells (from version 7 on;
  /// ISO/IEC 18004:2015, 7.10), or `nil` when both copies cannot be read.
  ///
  /// It stands beside the finder patterns, where even a geometry of the wrong size is nearly right.
  func toldSize(_ measure: EdgeMeasure) -> Int? {
    let size = geometry.size
    guard size >= 37 else { return nil }
    let left = Double(size) - 7
    let core = measure.brightness(geometry(left + 3.5, 3.5))
    let ring = measure.brightness(geometry(left + 5.5, 3.5))
    guard ring - core > 6 else { return nil }
    let threshold = (core + ring) / 2
    for places in VersionInformation.places(size: size) {
      var bits: UInt32 = 0
      for (index, place) in places.enumerated() {
        let point = geometry(Double(place.column) + 0.5, Double(place.row) + 0.5)
        if measure.brightness(point) < threshold { bits |= 1 << UInt32(index) }
      }
      if let version = VersionInformation.version(bits: bits) { return 17 + 4 * version }
    }
    return nil
  }
}
