import Invocation

/// A comparison of a host's association file in Apple's network with the one that the host serves.
///
/// The contents are compared, not the bytes: the order of apps, layout and comments do not count.
public struct AssociationComparison: Hashable, Sendable, CustomStringConvertible {
  /// The relation of the two files.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Both have the same contents.
    case same
    /// The host's file is correct, and Apple's network has another, older one.
    case stale
    /// Both have a file, the contents differ, and the host's file is not correct either.
    case different
    /// Only the host has a file.
    case missingAtApple = "missing-at-apple"
    /// Only Apple's network has a file.
    case missingAtHost = "missing-at-host"
    /// Neither has a file, or the host could not be reached.
    case unknown
  }

  /// The relation of the two files.
  public let outcome: Outcome
  /// The differences of Apple's file, as sentences.
  public let differences: [String]
  private let facts: String

  /// Compares two reviews of the same host.
  ///
  /// - Parameters:
  ///   - site: The review of the host's answer.
  ///   - network: The review of the answer of Apple's network.
  init(site: AssociationReview, network: AssociationReview) {
    let (own, apples) = (site.association, network.association)
    differences = own.flatMap { own in apples?.differences(from: own).flatMap(\.sentences) } ?? []
    facts = network.answer?.age.map { " Its copy is \(Self.words(seconds: $0)) old." } ?? ""
    if site.isUnreachable {
      outcome = .unknown
    } else if own != nil, apples != nil {
      outcome =
        differences.isEmpty ? .same : site.verdict == .accepted ? .stale : .different
    } else {
      outcome = own != nil ? .missingAtApple : apples != nil ? .missingAtHost : .unknown
    }
  }

  /// The comparison in one or more sentences.
  public var description: String {
    let list = differences.isEmpty ? "" : " " + differences.joined(separator: " ")
    switch outcome {
    case .same: return "The host and Apple's network have the same file.\(facts)"
    case .stale:
      return "The host's file is correct, but Apple's network still serves another one.\(list)"
        + "\(facts) Its crawler returns within a day; no change is necessary, unless "
        + "the host serves the crawler (AASA-Bot) another file."
    case .different:
      return "The host and Apple's network have different files, and the host's is not correct "
        + "either.\(list)\(facts) Correct the host's first."
    case .missingAtApple:
      return
        "The host has a file, but Apple's network, which phones use, has none yet. Check that the "
        + "host admits its crawler (AASA-Bot), which returns within a day."
    case .missingAtHost:
      return
        "Apple's network still has the file, but the host no longer serves a readable one: "
        + "phones lose it after the crawler's next visit.\(facts)"
    case .unknown:
      return "Two files are required for a comparison."
    }
  }

  /// The finding for the answer of Apple's network; `nil` if both are the same, or there is nothing
  /// to compare.
  var finding: AssociationFinding? {
    switch outcome {
    case .same, .unknown: nil
    case .stale: AssociationFinding(.associationStale, .warning, description)
    case .different, .missingAtApple, .missingAtHost:
      AssociationFinding(.associationDiffers, .warning, description)
    }
  }

  /// Returns a time span in words, to the minute or hour.
  package static func words(seconds: Int) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) minutes"
    case ..<172_800: "\(seconds / 3600) hours"
    default: "\(seconds / 86_400) days"
    }
  }
}

extension SiteAssociation.Difference {
  /// The differences of Apple's file, as sentences.
  fileprivate var sentences: [String] {
    let name = "“\(service.rawValue)”"
    func listed(_ identifiers: [String]) -> String {
      identifiers.prefix(5).map { "“\($0.printable)”" }.joined(separator: ", ")
        + (identifiers.count > 5 ? " and more" : "")
    }
    var sentences: [String] = []
    if !missing.isEmpty { sentences.append("Apple's \(name) lacks \(listed(missing)).") }
    if !added.isEmpty { sentences.append("Apple's \(name) also lists \(listed(added)).") }
    if hasOtherRules, sentences.isEmpty {
      sentences.append("Apple's \(name) has other rules.")
    }
    return sentences
  }
}
