import CliptagBasics
import CodeDrawing
import Invocation

/// An input of a job, by the name that it has in Swift and in JSON.
///
/// A face names inputs in its own way: the command by options, a form by its labels.
public enum JobInput: String, CaseIterable, Hashable, Sendable {
  /// An input of a poster, a code or a sheet.
  case appClipCode, appClipCodeOnly, artwork, bleed, brand, callToAction, captions, codeTail
  /// An input of a poster, a code or a sheet.
  case copies, cropMarks, format, headline, image, itemName, language, logo, outputIntent
  /// An input of a poster, a code or a sheet.
  case paper, secondLanguage, sheet, start, targetCaption, template, texts, type
  /// An input of a job on a tag.
  case lock, noOriginality, provision, requireGenuine, setPassword
  /// An input of a finding that is followed up.
  case due
  /// An input of a job that checks a URL.
  case strict, unregistered

  /// The name with hyphens, as options and columns of CSV files have it: `call-to-action`.
  package var hyphenated: String {
    rawValue.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
  }
}

/// A mistake in the inputs of a job, found before anything is done.
///
/// The case and its values say what to change; each face words it. ``sentence(naming:)`` has the words in
/// English, with the inputs' names left to the face.
public enum InputError: Error, Hashable, Sendable {
  /// A number is outside its range, in the unit of the input.
  case outOfRange(JobInput, ClosedRange<Double>)
  /// A value is none of those that are known.
  case unknownValue(JobInput, String, known: [String])
  /// A text is no day of the Gregorian calendar.
  case notADay(JobInput, String)
  /// Two inputs exclude each other.
  case exclude(JobInput, JobInput)
  /// An input needs another one.
  case needs(JobInput, JobInput)
  /// The registry has no words for a poster.
  case noWords(JobInput)
  /// There are no usual words in a language.
  case noWordsInLanguage(JobInput, language: String)
  /// The tag is inside the App Clip Code, so that no ring has a caption.
  case captionWithoutRing(saidIn: JobInput)
  /// The first label is beyond the last label of the stock.
  case beyondStock(JobInput, label: Int, count: Int, stock: String)
  /// The CSV file has no column of this name.
  case noColumn(JobInput, name: String, columns: [String], file: String)

  /// The mistake and what to give instead, with every input named in a face's own way.
  ///
  /// - Parameter name: The name of an input.
  public func sentence(naming name: (JobInput) -> String) -> String {
    switch self {
    case .outOfRange(.bleed, let range):
      "\(name(.bleed)) must be in millimetres from \(Self.text(range.lowerBound)) to "
        + "\(Self.text(range.upperBound)); printers usually require 3."
    case .outOfRange(let input, let range) where range.upperBound == .infinity:
      "\(name(input)) must be at least \(Self.text(range.lowerBound))."
    case .outOfRange(let input, let range):
      "\(name(input)) must be from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))."
    case .unknownValue(let input, let value, let known):
      "\(name(input)) must be one of \(known.joined(separator: ", ")), not \(value.printable)."
    case .notADay(let input, let value):
      "\(name(input)) must be a day such as 2026-12-01, not \(value.printable)."
    case .exclude(.lock, .setPassword):
      "\(name(.lock)) and \(name(.setPassword)) exclude each other: a locked tag needs no password."
    case .exclude(let one, let other): "\(name(one)) and \(name(other)) exclude each other."
    case .needs(let one, let other): "\(name(one)) needs \(name(other))."
    case .noWords(let input):
      "The registry has no words for this poster: give \(name(input))."
    case .noWordsInLanguage(let input, let language):
      "cliptag has no words in the language \(language): give \(name(input)); it has "
        + PosterWording.languages.joined(separator: ", ") + "."
    case .captionWithoutRing(let input):
      "The tag of this App Clip Code is in its middle, without a ring: state that in \(name(input))."
    case .beyondStock(let input, let label, let count, let stock):
      "\(name(input)) \(label) is beyond the \(count) labels of \(stock)."
    case .noColumn(let input, let column, _, let file):
      "\(file) has no column “\(column.printable)” for \(name(input))."
    }
  }

  /// The inputs to change, the first one first.
  public var inputs: [JobInput] {
    switch self {
    case .exclude(let one, let other): [one, other]
    case .needs(let one, let other): [other, one]
    case .outOfRange(let input, _), .noWords(let input), .noWordsInLanguage(let input, _),
      .captionWithoutRing(let input), .beyondStock(let input, _, _, _),
      .noColumn(let input, _, _, _), .unknownValue(let input, _, _),
      .notADay(let input, _):
      [input]
    }
  }

  /// The stable name of the case, in lower case with hyphens, for faces that translate it.
  public var name: String {
    switch self {
    case .outOfRange: "out-of-range"
    case .unknownValue: "unknown-value"
    case .notADay: "not-a-day"
    case .exclude: "exclude"
    case .needs: "needs"
    case .noWords: "no-words"
    case .noWordsInLanguage: "no-words-in-language"
    case .captionWithoutRing: "caption-without-ring"
    case .beyondStock: "beyond-stock"
    case .noColumn: "no-column"
    }
  }

  /// The values that a translated sentence shows, by their names.
  public var values: [String: String] {
    switch self {
    case .outOfRange(_, let range):
      ["from": Self.text(range.lowerBound), "to": Self.text(range.upperBound)]
    case .noWordsInLanguage(_, let language): ["language": language]
    case .unknownValue(_, let value, let known):
      ["value": value, "known": known.joined(separator: ", ")]
    case .notADay(_, let value): ["value": value]
    case .beyondStock(_, let label, let count, let stock):
      ["label": "\(label)", "count": "\(count)", "stock": stock]
    case .noColumn(_, let name, let columns, _):
      ["name": name, "columns": columns.joined(separator: ", ")]
    case .exclude, .needs, .noWords, .captionWithoutRing: [:]
    }
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(bounded: number))" : "\(number)"
  }
}

extension InputError: CustomStringConvertible {
  /// The sentence with the inputs' names in Swift.
  public var description: String { sentence(naming: \.rawValue) }
}
