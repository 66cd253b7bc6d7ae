package import Invocation

extension Place {
  /// A position that stands for the place where somebody says they are: within its region, exact.
  ///
  /// - Returns: `nil` for a region of which no point inside is found at once.
  package var statedFix: LocationFix? {
    let origin = PositionOrigin(kind: .place, name: id)
    return region.bounds.lazy.compactMap { LocationFix(coordinate: $0.centre, origin: origin) }
      .first { LocationConfirmation.confirm($0, in: region).result == .inside }
  }
}
