/// A text with advice in it, which each face words in its own terms.
///
/// ```swift
/// let hint: Hint = "Use another tag; \(.allowReuse) takes tags that carry another code."
/// hint.text  // "Use another tag; allowing reuse takes tags that carry another code."
/// ```
///
/// Advice at the beginning of a hint is a clause; `asSentence` makes a sentence of it. Interpolated
/// values are text and stay as they are, whatever they hold.
public struct Hint: Hashable, Sendable {
  fileprivate indirect enum Part: Hashable, Sendable {
    case text(String)
    case advice(Advice)
    case sentence(Hint)
  }

  private var parts: [Part] = []

  /// Creates a hint of text alone.
  public init(_ text: String) { parts = [.text(text)] }

  private init(_ parts: [Part]) { self.parts = parts }

  /// The hint in the library's wording.
  public var text: String { text(wording: \.text) }

  /// Returns the hint with each advice in the given wording.
  public func text(wording: (Advice) -> String) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .text(let words): text += words
      case .advice(let advice): text += wording(advice)
      case .sentence(let hint): text += hint.text(wording: wording).asSentence
      }
    }
  }

  /// The hint as a sentence in every wording: with a capital letter and a full stop.
  package var asSentence: Hint { Hint([.sentence(self)]) }

  /// A hint as a sentence in every wording: with a capital letter and a full stop.
  package static func sentence(_ hint: Hint) -> Hint { hint.asSentence }

  /// Joins two hints.
  public static func + (left: Hint, right: Hint) -> Hint { Hint(left.parts + right.parts) }
}

extension Hint: ExpressibleByStringInterpolation {
  /// Creates a hint of a literal.
  public init(stringLiteral text: String) { self.init(text) }
  /// Creates a hint of the parts of a literal.
  public init(stringInterpolation interpolation: Interpolation) { self.init(interpolation.parts) }

  /// The parts of a literal: text, advice, and other hints.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Creates a literal without parts.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds text of the literal.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.text(literal)) }
    }

    /// Adds advice.
    public mutating func appendInterpolation(_ advice: Advice) { parts.append(.advice(advice)) }

    /// Adds the parts of a hint.
    public mutating func appendInterpolation(_ hint: Hint) { parts += hint.parts }

    /// Adds a value as text.
    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.text(value.description))
    }
  }
}
