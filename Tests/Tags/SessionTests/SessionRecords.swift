import Foundation
import TagTypes
import Testing

@testable import SimulatedReader

/// The recorded sessions, and the differences that are known and have a reason.
struct SessionRecords: Sendable {
  let sessions: [RecordedSession]
  let differences: [KnownDifference]
  /// The files that are no records; the others are compared all the same.
  let flaws: [Flaw]

  /// The records of this project, and those of the folders named in `CLIPTAG_RECORDS`, separated by
  /// colons.
  static let all: Result<SessionRecords, Flaw> = {
    do throws(Flaw) {
      guard let own = Bundle.module.resourceURL?.appending(path: "Records") else {
        throw Flaw(problem: "the records are not in the bundle")
      }
      let named = ProcessInfo.processInfo.environment["CLIPTAG_RECORDS"] ?? ""
      let others = named.split(separator: ":").map { URL(filePath: String($0)) }
      let parts = try ([own] + others).map { folder throws(Flaw) in try SessionRecords(folder) }
      let sessions = parts.flatMap(\.sessions)
      let twice = Dictionary(grouping: sessions, by: \.id).filter { $0.value.count > 1 }
      if let id = twice.keys.sorted().first { throw Flaw(problem: "two records are called \(id)") }
      return .success(
        SessionRecords(
          sessions: sessions, differences: parts.flatMap(\.differences),
          flaws: parts.flatMap(\.flaws)))
    } catch {
      return .failure(error)
    }
  }()

  private init(sessions: [RecordedSession], differences: [KnownDifference], flaws: [Flaw]) {
    (self.sessions, self.differences, self.flaws) = (sessions, differences, flaws)
  }

  /// Loads every `.yaml` file of a folder, and its `Differences.txt`.
  init(_ folder: URL) throws(Flaw) {
    var sessions: [RecordedSession] = []
    var differences: [KnownDifference] = []
    var flaws: [Flaw] = []
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      for name in names where name.hasSuffix(".yaml") {
        let file = folder.appending(path: name)
        do {
          sessions.append(
            try RecordedSession(parsing: try String(contentsOf: file, encoding: .utf8)))
        } catch let mistake as RecordedSession.Mistake {
          flaws.append(Flaw(problem: "\(file.path): \(mistake)"))
        }
      }
      let list = folder.appending(path: "Differences.txt")
      if FileManager.default.fileExists(atPath: list.path) {
        differences = try KnownDifference.list(
          try String(contentsOf: list, encoding: .utf8), list.path)
      }
    } catch let flaw as Flaw {
      throw flaw
    } catch {
      throw Flaw(problem: "\(folder.path): \(error)")
    }
    self.init(sessions: sessions, differences: differences, flaws: flaws)
  }

  /// A mistake in a file of a folder.
  struct Flaw: Error, CustomStringConvertible {
    let problem: String
    var description: String { problem }
  }
}

/// A line of `Differences.txt`: the record, the test, its differences, and the reason.
///
///     018 simulator 5: the reason
///     033 simulator unplayable: the reason
///     051 reading product, size: the reason
struct KnownDifference: Hashable, Sendable {
  let id: String
  let test: String
  let differences: String
  let reason: String

  static func list(_ text: String, _ path: String) throws(SessionRecords.Flaw) -> [KnownDifference]
  {
    var list: [KnownDifference] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard
        let match = line.wholeMatch(of: /(\S+) (simulator|reading) ([^:]+): (.+)/),
        !list.contains(where: { $0.id == match.1 && $0.test == match.2 })
      else {
        throw SessionRecords.Flaw(
          problem: "\(path):\(index + 1): neither \"ID simulator|reading DIFFERENCES: reason\", or "
            + "the second of its kind")
      }
      list.append(
        KnownDifference(
          id: String(match.1), test: String(match.2), differences: String(match.3),
          reason: String(match.4)))
    }
    return list
  }
}

/// The comparison of a record with the program.
enum Comparison: Hashable, Sendable {
  /// Everything is as recorded; the number of answers or facts.
  case equal(Int)
  /// The places that differ, and the words for a failing test.
  case different(places: String, words: String)
  /// The record cannot be compared here, for a reason that the list repeats.
  case unplayable(String)

  /// The text for the list of known differences; `nil` if there is none.
  var listed: String? {
    switch self {
    case .equal: nil
    case .different(let places, _): places
    case .unplayable: "unplayable"
    }
  }

  var words: String {
    switch self {
    case .equal(let count): "\(count) equal"
    case .different(_, let words): words
    case .unplayable(let reason): reason
    }
  }
}

/// Counts comparisons by layer, for the summary.
struct ComparisonCounts {
  private var counts: [String: (equal: Int, different: Int, unplayable: Int)] = [:]

  mutating func add(_ comparison: Comparison, _ layer: RecordedSession.Layer) {
    var count = counts[layer.rawValue] ?? (0, 0, 0)
    switch comparison {
    case .equal: count.equal += 1
    case .different: count.different += 1
    case .unplayable: count.unplayable += 1
    }
    counts[layer.rawValue] = count
  }

  /// One line for each layer, and one for all.
  func lines(_ test: String) -> [String] {
    var sum = (equal: 0, different: 0, unplayable: 0)
    for count in counts.values {
      sum.equal += count.equal
      sum.different += count.different
      sum.unplayable += count.unplayable
    }
    let all = counts.sorted { $0.key < $1.key }.map { (layer: $0.key, count: $0.value) }
    return (all + [(layer: "all", count: sum)])
      .map { layer, count in
        "\(test) \(layer): \(count.equal) equal, \(count.different) different with a reason, "
          + "\(count.unplayable) not comparable"
      }
  }
}

/// Compares every record with the list of known differences.
///
/// - Parameter compare: Returns the comparison of one record.
func checkAgainstList(
  _ test: String, _ compare: (RecordedSession) async throws -> Comparison
) async throws {
  let records = try SessionRecords.all.get()
  for flaw in records.flaws { Issue.record("\(flaw)") }
  var counts = ComparisonCounts()
  let known = records.differences.filter { $0.test == test }
  for session in records.sessions {
    let comparison: Comparison
    do {
      comparison = try await compare(session)
    } catch {
      Issue.record("\(session.id): \(error)")
      continue
    }
    counts.add(comparison, session.layer)
    let line = known.first { $0.id == session.id }
    guard comparison.listed != line?.differences else { continue }
    Issue.record(
      """
      \(session.id) \(test) \(comparison.listed ?? "equal"): \(comparison.words)
      The list has \(line.map { "\($0.differences): \($0.reason)" } ?? "no difference of it").
      """)
  }
  for line in known where !records.sessions.contains(where: { $0.id == line.id }) {
    Issue.record("\(line.id) is listed and there is no such record")
  }
  for line in counts.lines(test) { print("  \(line)") }
}
