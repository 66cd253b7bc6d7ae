/// The designs that are built in.
public enum PosterDesign: String, CaseIterable, Hashable, Sendable {
  /// Everything on one axis, on white.
  case classic
  /// A ground of the accent's colour with the code on a white plate.
  case bold
  /// Set flush, with a large headline, a bar of the accent's colour and the code at the foot.
  case editorial
}
