public import CodeScanning
public import Invocation
public import Registry

/// What was read at once: a page of a picture, a code before a live source, or a tag.
public struct Observation: Sendable {
  /// What was read.
  public typealias Kind = WalkStop.Kind

  /// Why nothing more comes of a source.
  public enum End: Hashable, Sendable {
    /// It was read to its end, or ended by a failure.
    case finished
    /// It was read to its end, and there is no code in it.
    ///
    /// - Parameter cutShort: Whether the scanner's budget ended the search.
    case nothingFound(cutShort: Bool)
    /// No new code came in time.
    case timedOut
    /// It was met in a folder and is no picture.
    case notAPicture
  }

  /// What was read.
  public let kind: Kind
  /// The file, the reader's connection string, the scanner.
  public let source: String
  /// The page of a document, from 1; `nil` for anything else.
  public let page: Int?
  /// The codes, in a picture from top to bottom. When ``failure`` is set, those before it.
  public package(set) var codes: [VerifiedCode] = []
  /// Symbols that were seen and give no text.
  public package(set) var unread: [UnreadSymbol] = []
  /// Whether the scanner's budget ended the search; there may be more codes.
  public package(set) var wasCutShort = false
  /// What of the picture could not be searched, and why, as the end of a sentence that begins with its
  /// name.
  public package(set) var unsearched: String?
  /// What may be done where nothing was found that can be judged, said with ``End/nothingFound(cutShort:)``.
  public package(set) var advice: SearchAdvice?
  /// What a live source gave, as it came.
  public package(set) var reading: LiveReading?
  /// Where it was read, when that was known before anything was read.
  public package(set) var fix: LocationFix?
  /// SHA-256 of the picture's file or of the tag's message, for what is kept.
  public package(set) var digest: EntryHash?
  /// A small copy of the picture, for what is kept and worth one.
  public package(set) var picture: WalkPicture?
  /// The stop of the walk that keeps it.
  public package(set) var stop: WalkStop?
  /// The stop of the same picture that this one supersedes in its walk; both are kept.
  public package(set) var supersededStop: Int?
  /// Whether the walk that keeps observations had it already.
  public package(set) var isKnown = false
  /// Why it could not be read or kept; other observations may follow.
  public package(set) var failure: (any Error)?
  /// Why nothing more comes of its source; `nil` while more may come.
  public package(set) var end: End?

  /// Makes an observation in which nothing was seen yet.
  package init(_ kind: Kind, source: String, page: Int? = nil) {
    self.kind = kind
    self.source = source
    self.page = page
  }

  /// Whether neither a code nor anything that looks like one was seen.
  public var isEmpty: Bool { codes.isEmpty && unread.isEmpty }

  /// Whether it tells what is there: something, or that there is nothing, which only a picture shows
  /// that was searched to the end.
  var isWholeLook: Bool {
    !isEmpty
      || kind == .picture && !wasCutShort && unsearched == nil && !isKnown && end != .notAPicture
  }
}

/// What may be done about a picture or document without a code that can be judged.
public enum SearchAdvice: Hashable, Sendable {
  /// Another picture may show what is there.
  case anotherPicture
  /// It is a drawing or a document, of which there is no other picture: the code is not in it, or drawn so
  /// that nobody reads it.
  case lookAtDrawing
  /// What is there was seen, and is of a kind that phones do not read.
  case anotherKind
  /// What is there are parts of a message.
  case allParts

  /// The advice about pages on which these symbols were seen and nothing was read.
  package init(unread: [UnreadSymbol.Kind], isDrawing: Bool) {
    let isPart = unread.map { kind in
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
/// A broken source is an observation with a ``Observation/failure``, and the others follow. Work goes
/// only a bounded number of sources ahead of what was taken. When the task that iterates is
/// cancelled, decoding is cancelled too, and the sequence ends once it has stopped; a loop that is
/// left early cancels it as well, without waiting.
public struct Observations: AsyncSequence, Sendable {
  /// Takes one observation after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let observe: () async -> Observation?

    /// The next observation; `nil` when there is none, or the task was cancelled.
    public mutating func next() async -> Observation? { await observe() }
  }

  private let start: @Sendable () -> () async -> Observation?

  /// - Parameter start: Begins an iteration, and answers with what gives one observation after
  ///   another.
  init(_ start: @escaping @Sendable () -> () async -> Observation?) { self.start = start }

  /// Begins reading.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(observe: start()) }
}

/// Keeps what is observed, as a walk does.
package protocol ObservationKeeper: Sendable {
  /// Whether a page is kept already as it would be now, and is then not decoded.
  ///
  /// - Parameters:
  ///   - page: What is known of the page before it is decoded: its digest, and where it was taken.
  ///   - isLocating: Whether a receiver will say where that was.
  func holds(_ page: Observation, isLocating: Bool) async throws -> Bool
  /// Whether a small copy of the picture is kept with what was seen on it.
  func isWorthAPicture(_ seen: Observation) async throws -> Bool
  /// Keeps what was observed, in the order of delivery. A picture without any code may be worth
  /// keeping, too: nothing hangs there.
  func keep(_ seen: Observation) async throws -> Observation
}

extension String {
  /// A source's name, and behind it the page, as people read it: `wall.pdf, page 2`.
  ///
  /// - Parameter page: The page, from 1; `nil` for what has no pages.
  package func onPage(_ page: Int?) -> String { page.map { "\(self), page \($0)" } ?? self }
}
