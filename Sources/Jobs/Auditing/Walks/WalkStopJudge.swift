import CliptagBasics
import Foundation
import Invocation
import Registry
import Verifying

/// Finds what is to be said of a stop as a whole: of the picture, not of a code in it.
struct WalkStopJudge {
  /// The age in seconds from which a picture is old when it is imported: seven days, since a walk of
  /// many places takes some of them.
  private static let age = 7 * 86_400.0

  /// The walk of the stop.
  let walk: Walk
  /// The place that the walker stated.
  let statedPlace: Place?
  /// The places of the registry.
  let places: PlaceIndex
  /// The time of the import.
  let time: Date

  /// Returns the findings of a stop.
  ///
  /// - Parameter seen: The observation, with its codes identified.
  func findings(
    of seen: CodeObservation, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> [Finding] {
    guard seen.kind == .picture else { return [] }
    return [unfinished(seen), try old(seen, in: registry), try known(seen, in: registry)]
      .compactMap(\.self)
  }

  private func unfinished(_ seen: CodeObservation) -> Finding? {
    if let unsearched = seen.unsearched {
      return Finding(
        .unfinishedSearch, .warning,
        "The picture could not be searched to its end: \(unsearched). Take one of each part from "
          + "nearer, and read them, too.")
    }
    guard seen.wasCutShort else { return nil }
    return Finding(
      .unfinishedSearch, .warning,
      "The search of the picture ended at its budget; there may be more codes. Take it from nearer, "
        + "or read it again with a larger budget.")
  }

  /// Finds a picture that was taken over a week before its import, or before the codes were made
  /// that are in use at its place.
  private func old(
    _ seen: CodeObservation, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Finding? {
    guard let taken = seen.taken, taken < time else { return nil }
    let day = taken.registryTimestamp.prefix(10)
    if let young = seen.codes.lazy.compactMap({ $0.identity?.code }).first(where: {
      $0.created > taken.addingTimeInterval(WalkStop.clockError)
    }) {
      return Finding(
        .oldPicture, .warning,
        "The picture says that it was taken on \(day), and shows \(young.id), which was made later: the "
          + "clock of the camera is wrong, or the code was printed before it was recorded.")
    }
    var younger = 0
    for place in placesShown(by: seen) {
      younger += try registry.codes(CodeFilter(status: .issued, placeID: place)).count {
        $0.created > taken.addingTimeInterval(WalkStop.clockError)
      }
    }
    if younger > 0 {
      let codes = younger == 1 ? "a code" : "\(younger) codes"
      return Finding(
        .oldPicture, .warning,
        "The picture was taken on \(day), before \(codes) of its place \(younger == 1 ? "was" : "were") "
          + "made: it does not show whether \(younger == 1 ? "it hangs" : "they hang") there. It counts "
          + "as a visit of that time.")
    }
    guard time.timeIntervalSince(taken) > Self.age else { return nil }
    let days = Int(bounded: time.timeIntervalSince(taken) / 86_400)
    return Finding(
      .oldPicture, .warning,
      "The picture was taken on \(day), \(days) days before it was read, and counts as a visit of "
        + "that time: take a new one if it does not show how things are now.")
  }

  /// The places that the codes belong to, and the one that the picture shows.
  private func placesShown(by seen: CodeObservation) -> Set<String> {
    if let statedPlace { return [statedPlace.id] }
    if let fix = seen.fix { return Set(places.containing(fix).map(\.id)) }
    return Set(
      seen.codes.compactMap { $0.verification.place?.id ?? $0.identity?.code?.placeID })
  }

  private func known(
    _ seen: CodeObservation, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Finding? {
    guard let digest = seen.digest else { return nil }
    let others = try registry.otherWalks(with: digest, page: seen.page, besides: walk.id)
    guard let first = others.first else { return nil }
    let more = others.count > 1 ? " and \(others.count - 1) more" : ""
    return Finding(
      .knownPicture, .warning,
      "The walk “\(first.name.printable)” of \(first.who.printable)\(more) already has this picture: "
        + "it shows nothing new.")
  }
}

extension WalkStop {
  /// The time in seconds by which a stated time may be too early: cameras state whole seconds.
  static let clockError = 1.0

  /// Whether its picture was not searched to its end because of the budget.
  var isUnfinished: Bool { findings.contains { $0.code == .unfinishedSearch } }
}
