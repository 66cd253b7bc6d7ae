/// A symbol that was found in a picture, and what is to be told of it.
public struct PictureMark: Hashable, Sendable {
  /// What became of the symbol. Each has a colour, a line and a sign of its own, so that none of
  /// the three alone has to be told apart.
  public enum Standing: String, CaseIterable, Hashable, Sendable {
    /// Everything that was asked of it was confirmed.
    case accepted
    /// Something about it is wrong.
    case rejected
    /// It cannot be said.
    case undecided
    /// It was seen, and gives no text.
    case unread
  }

  /// Its corners in pixels of the whole picture, in order around it; three at least.
  public let corners: [DrawingPoint]
  /// What became of it.
  public let standing: Standing
  /// The few words at the symbol itself, such as the name of its place.
  public let label: String
  /// What the symbol says, in full; shortened in the middle where it is too long.
  public let payload: String
  /// What else is worth telling, the first being the most telling.
  public let details: [String]

  /// Makes a mark. Texts are drawn as they are, on one line: make control characters visible first.
  public init(
    corners: [DrawingPoint], standing: Standing, label: String, payload: String,
    details: [String] = []
  ) {
    self.corners = corners
    self.standing = standing
    self.label = label
    self.payload = payload
    self.details = details
  }
}
