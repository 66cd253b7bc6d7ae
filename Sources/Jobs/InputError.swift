/// An input of a job, by the name that it has in Swift and in JSON.
///
/// A face names inputs in its own way: the command by options, a form by its labels.
public enum JobInput: String, CaseIterable, Hashable, Sendable {
  case accent, appClipCode, appClipCodeOnly, bleed, brand, callToAction, captions, copies
  case headline, language, logo, offset, paper, placeName, printer, scale, start, strict
  case targetCaption, template, unregistered
}

/// A sentence that names inputs of a job.
///
/// ```swift
/// let sentence: InputSentence = "Give \(.headline)."
/// sentence.text { "--\($0.rawValue)" }  // "Give --headline."
/// ```
public struct InputSentence: Hashable, Sendable, ExpressibleByStringInterpolation {
  fileprivate enum Part: Hashable, Sendable {
    case text(String)
    case input(JobInput)
  }

  fileprivate var parts: [Part]

  /// Collects the parts of a sentence.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }
    public mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
    public mutating func appendInterpolation(_ input: JobInput) { parts.append(.input(input)) }
  }

  public init(stringLiteral text: String) { parts = [.text(text)] }
  public init(stringInterpolation parts: StringInterpolation) { self.parts = parts.parts }

  /// The inputs that the sentence names, in their order.
  public var inputs: [JobInput] {
    parts.compactMap { if case .input(let input) = $0 { input } else { nil } }
  }

  /// The sentence with every input named in a face's own way.
  public func text(naming name: (JobInput) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .input(let input): name(input)
      }
    }.joined()
  }
}

/// A mistake in the inputs of a job, found before anything is done.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The mistake, and what to give instead.
  public let sentence: InputSentence

  /// Describes a mistake.
  public init(_ sentence: InputSentence) { self.sentence = sentence }

  /// The sentence with the inputs' names in Swift.
  public var description: String { sentence.text(naming: \.rawValue) }
}
