import CliptagBasics
import Pictures

/// Finds QR codes in a picture that are seen and cannot be read, because something covers them or
/// they are damaged: for a person who looks for a code that must be there.
struct UnreadableSymbols {
  /// The number of groups of patterns that are examined; the likeliest come first.
  private static let mostTriples = 12
  /// The work for one group, in milliseconds.
  private static let workOfTriple = 20.0
  /// The rays of the search for patterns, as many as a small picture takes.
  private static let mostRays = 40_000

  /// Returns the symbols in a picture beside those that were found.
  ///
  /// - Throws: `PictureError`; `cancelled` as soon as the task is cancelled.
  static func symbols(
    in picture: LoadedPicture, besides found: ScanResult
  ) async throws(PictureError) -> [UnreadSymbol] {
    let look = Look(picture.firstLook, of: picture)
    return try await Uninterruptible.run(picture.source) { wanted in
      symbols(in: look, besides: found) { wanted.isSet }
    }
  }

  static func symbols(
    in look: Look, besides found: ScanResult, while isWanted: () -> Bool
  ) -> [UnreadSymbol] {
    let corners =
      found.codes.map(\.corners) + found.appClipCodes.map(\.corners) + found.unread.map(\.corners)
    let known = corners.filter { $0.count > 2 }.map { $0.map(look.here) }
    var areas = known.map { Quadrilateral($0, enlargedBy: 1.2) }
    var unread: [UnreadSymbol] = []
    let triples = FinderLocator(mostRays: mostRays).triples(in: look.picture, outside: known)
    for triple in triples.prefix(mostTriples) {
      let centres = [triple.topLeft, triple.topRight, triple.bottomLeft].map(\.centre)
      guard isWanted(), !centres.contains(where: { point in areas.contains { $0.holds(point) } })
      else { continue }
      let meter = SampleMeter(milliseconds: workOfTriple)
      guard case .unread = SymbolSampler().attempt(triple, in: look.picture, meter: meter) else {
        continue
      }
      let fourth = centres[1] + centres[2] - centres[0]
      let middle = (centres[1] + centres[2]) * 0.5
      // The centres of the patterns are 3.5 modules inside the corners.
      let size = Double(triple.sizes.first ?? 21)
      let corners = [centres[0], centres[1], fourth, centres[2]].map {
        middle + ($0 - middle) * (size / max(1, size - 7))
      }
      areas.append(Quadrilateral(corners, enlargedBy: 1.2))
      unread.append(UnreadSymbol(kind: .unreadableQR, corners: corners.map(look.whole)))
    }
    return unread
  }
}
