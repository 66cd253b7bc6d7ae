public import CodeScanning
public import Foundation
public import Invocation
public import Registry

/// The result of one reading: of a page of a picture, a code before a live source, or a tag.
public struct CodeObservation: Sendable {
  /// The kind of source.
  public typealias Kind = WalkStop.Kind

  /// The reason why a source delivers no more observations.
  public enum End: Hashable, Sendable {
    /// The source was read to its end, or ended by a failure.
    case finished
    /// The source was read to its end and contains no code.
    ///
    /// - Parameter cutShort: Whether the scanner's budget ended the search.
    case nothingFound(cutShort: Bool)
    /// No new code arrived in time.
    case timedOut
    /// The file was found in a folder and is not a picture.
    case notAPicture
  }

  /// The kind of source.
  public let kind: Kind
  /// The file, the reader's connection string, or the scanner.
  public let source: String
  /// The page of a document, from 1; `nil` for other sources.
  public let page: Int?
  /// The codes; those of a picture from top to bottom. If ``failure`` is set, the codes before it.
  public package(set) var codes: [VerifiedCode] = []
  /// Symbols that were seen but give no text.
  public package(set) var unread: [UnreadSymbol] = []
  /// Whether the scanner's budget ended the search; there may be more codes.
  public package(set) var wasCutShort = false
  /// The part of the picture that could not be searched, with the reason, as the end of a sentence
  /// that begins with the picture's name.
  public package(set) var unsearched: String?
  /// The advice for a source without a usable code; set with ``End/nothingFound(cutShort:)``.
  public package(set) var advice: SearchAdvice?
  /// The symbologies that a picture was searched for; empty for other sources.
  public package(set) var sought: Set<DecodedCode.Symbology> = []
  /// The unprocessed reading of a live source.
  public package(set) var reading: LiveReading?
  /// The position of the reading, if known before anything was read.
  public package(set) var fix: LocationFix?
  /// The time at which the picture was taken, as it states.
  public package(set) var taken: Date?
  /// SHA-256 of the picture's file or of the tag's message, for the record.
  public package(set) var digest: EntryHash?
  /// A small copy of the picture, if the observation is kept and needs one.
  public package(set) var picture: WalkPicture?
  /// Whether the page was left out, because the keeper of the observations already has it.
  public package(set) var isSkipped = false
  /// The reason why it could not be read; other observations may follow.
  public package(set) var failure: (any Error)?
  /// The reason why its source delivers no more; `nil` while more may follow.
  public package(set) var end: End?

  /// Makes an empty observation.
  package init(_ kind: Kind, source: String, page: Int? = nil) {
    self.kind = kind
    self.source = source
    self.page = page
  }

  /// Whether neither a code nor anything that looks like one was seen.
  public var isEmpty: Bool { codes.isEmpty && unread.isEmpty }

  /// Whether it is a look at something: it contains something, or a picture was searched in which nothing was
  /// found, even if the search ended before its end.
  package var isLook: Bool {
    !isEmpty || kind == .picture && failure == nil && !isSkipped && end != .notAPicture
  }
}

/// Advice for a picture or document without a usable code.
public enum SearchAdvice: Hashable, Sendable {
  /// Another picture may show what is there.
  case anotherPicture
  /// The source is a drawing or a document, of which there is no other picture: the code is
  /// missing, or drawn so that it cannot be read.
  case lookAtDrawing
  /// The symbols that were seen are of a kind that phones do not read.
  case anotherKind
  /// The symbols that were seen are parts of a message.
  case allParts

  /// The advice for pages on which these symbols were seen and nothing was read.
  package init(unread: [UnreadSymbol.Kind], isDrawing: Bool) {
    // Of a symbol that is covered or damaged, another picture may show more.
    let isPart = unread.filter { $0 != .unreadableQR }.map { kind in
      if case .partOfMessage = kind { true } else { false }
    }
    if isPart.contains(false) {
      self = .anotherKind
    } else if isPart.contains(true) {
      self = .allParts
    } else {
      self = isDrawing ? .lookAtDrawing : .anotherPicture
    }
  }
}

/// Observations as they are made, in the order of their sources.
///
/// A broken source is an observation with a ``CodeObservation/failure``, and the others follow. Work
/// runs ahead of the consumer by a bounded number of sources. Cancelling the iterating task cancels
/// decoding, and the sequence ends once decoding has stopped; leaving the loop early cancels it as
/// well, without waiting.
public struct Observations: AsyncSequence, Sendable {
  /// Delivers one observation after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let observe: () async -> CodeObservation?

    /// The next observation; `nil` at the end, or when the task was cancelled.
    public mutating func next() async -> CodeObservation? { await observe() }
  }

  private let start: @Sendable () -> () async -> CodeObservation?

  /// - Parameter start: Begins an iteration, and returns a function that delivers one observation
  ///   after another.
  init(_ start: @escaping @Sendable () -> () async -> CodeObservation?) { self.start = start }

  /// Begins reading.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observe: start()) }
}

/// The needs of a program that keeps observations, as a walk does. Every observation gets its
/// digest.
package struct ObservationKeeping: Sendable {
  /// Whether a page is already kept in its present state, and need not be decoded.
  ///
  /// The page has the facts that are known before it is decoded: its digest, and its position.
  /// `isLocating` states whether a receiver will determine the position.
  package let holds: @Sendable (_ page: CodeObservation, _ isLocating: Bool) async throws -> Bool
  /// Whether a small copy of the picture is kept with the observation.
  package let isWorthAPicture: @Sendable (CodeObservation) async throws -> Bool

  /// States the needs.
  package init(
    holds: @escaping @Sendable (_ page: CodeObservation, _ isLocating: Bool) async throws -> Bool,
    isWorthAPicture: @escaping @Sendable (CodeObservation) async throws -> Bool
  ) {
    self.holds = holds
    self.isWorthAPicture = isWorthAPicture
  }
}

extension String {
  /// A source's name with the page, for display: `wall.pdf, page 2`.
  ///
  /// - Parameter page: The page, from 1; `nil` for sources without pages.
  package func onPage(_ page: Int?) -> String { page.map { "\(self), page \($0)" } ?? self }
}
