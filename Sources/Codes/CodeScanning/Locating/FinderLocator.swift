import Pictures

/// Finds finder patterns in a picture and groups them in threes.
///
/// The picture is searched in several sizes and against local means over windows of several sizes:
/// large symbols and noise need a small picture, small symbols a large one, and the window must be
/// larger than the core of a pattern.
struct FinderLocator: Sendable {
  /// The symbols that are searched for.
  var polarities = Polarities.dark
  /// A Boolean value that indicates whether the third pattern of a symbol with only two visible
  /// ones is predicted.
  var completesPairs = false
  /// The largest number of triples in the result.
  var maximumTriples = 256

  /// The largest number of rays measured from the centres of candidates, which is most of the work.
  var mostRays = Int.max
  /// The long sides of the searched sizes, in pixels.
  var searchedSides = 0...2100
  /// A Boolean value that indicates whether only patterns of few pixels are searched for, because
  /// others are visible in a smaller picture.
  var findsSmallOnly = false
  /// Symbols that are dark on light, as usual, or light on dark.
  enum Polarities {
    case dark, light, both
  }

  /// Returns triples of finder patterns that may belong to one symbol, likeliest first.
  ///
  /// - Parameters:
  ///   - picture: the picture to search.
  ///   - known: the corners of codes that were read; the search skips their interiors.
  func triples(
    in picture: GreyPicture, outside known: [[PicturePoint]] = []
  ) -> [FinderTriple] {
    search(picture, outside: known).triples
  }

  /// The results of a search.
  struct Findings {
    /// The triples, likeliest first.
    var triples: [FinderTriple] = []
    /// All patterns, in a triple or not.
    var finders: [LocatedFinder] = []
    /// The number of rays measured.
    var rays = 0
    /// A Boolean value that indicates whether two patterns seem to belong to a symbol whose third
    /// is lost.
    var showsPair = false
  }

  /// Returns the triples and the other results of the search.
  func search(_ picture: GreyPicture, outside known: [[PicturePoint]] = []) -> Findings {
    var search = FinderSearch(picture, by: self, outside: known)
    while search.takeStep() {}
    return search.findings
  }
}
