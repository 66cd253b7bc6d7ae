import Invocation
import Registry

extension BatchRow.Order {
  /// What is wrong with the place that the row names; `nil` for nothing. What the check did not
  /// accept has no place to compare with.
  func placeProblem(_ found: Verification) -> String? {
    guard let placeID, found.verdict == .accepted else { return nil }
    guard let place = found.place else {
      return "The row names the place “\(placeID)”, but its URL names none."
    }
    guard place.id.utf8.elementsEqual(placeID.utf8) else {
      return "The row names the place “\(placeID)”, but its URL the place “\(place.id)”."
    }
    return nil
  }
}
