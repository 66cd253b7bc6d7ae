import Invocation
package import Registry

/// Where a report takes from what it does not hold itself, one piece at a time: five hundred
/// pictures do not fit into memory.
package struct WalkMaterial {
  /// The small copy of a stop's picture, if there is one.
  package let picture: (_ walk: Walk.ID, _ stop: Int) throws -> WalkPicture?
  /// Calls a closure with every stop of a walk, in order.
  package let forEachStop: (_ walk: Walk.ID, _ body: (WalkStop) throws -> Void) throws -> Void

  /// Takes closures.
  package init(
    picture: @escaping (_ walk: Walk.ID, _ stop: Int) throws -> WalkPicture?,
    forEachStop: @escaping (_ walk: Walk.ID, _ body: (WalkStop) throws -> Void) throws -> Void
  ) {
    self.picture = picture
    self.forEachStop = forEachStop
  }
}

extension WalkReport {
  /// One picture that shows something somebody should look at, with what was found in it.
  struct Exhibit {
    /// The stop at which it was taken; of several with the same picture the first.
    let stop: WalkStop
    /// What was found, gravest first, with the place it was found at.
    var items: [Item]
    /// The readings that have findings, by their places in the stop, with the gravest.
    var severities: [Int: Finding.Severity] {
      items.reduce(into: [:]) { severities, item in
        guard let reading = item.reading, item.walkReading != nil else { return }
        severities[reading] = max(severities[reading] ?? .note, item.finding.severity)
      }
    }
  }

  /// The pictures with findings, each once, in the order of the sections; one that several laptops
  /// took in, or two places share, is one picture.
  var exhibits: [Exhibit] {
    var exhibits: [Exhibit] = []
    var places: [ExhibitKey: Int] = [:]
    for item in sections.lazy.flatMap(\.items) {
      guard let stop = item.stop, stop.kind == .picture else { continue }
      let key = ExhibitKey(stop)
      if let place = places[key] {
        exhibits[place].items.append(item)
      } else {
        places[key] = exhibits.count
        exhibits.append(Exhibit(stop: stop, items: [item]))
      }
    }
    return exhibits
  }

  /// What tells one picture from another.
  enum ExhibitKey: Hashable {
    case file(EntryHash, Int?)
    case stop(Walk.ID, Int)

    init(_ stop: WalkStop) {
      self =
        stop.digest.map { .file($0, stop.page) } ?? .stop(stop.walk, stop.number)
    }
  }
}
