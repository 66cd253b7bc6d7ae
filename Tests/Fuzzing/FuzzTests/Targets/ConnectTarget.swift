import CliptagBasics
import AppStoreConnect
import Invocation
import Synchronization

extension FuzzTarget {
  /// App Store Connect's answers, cut apart at zeros: reading them, what they mean for a registry,
  /// and the requests that would follow.
  static let connect = FuzzTarget(name: "connect") { bytes in
    try runInline {
      let snapshot: ConnectSnapshot
      do throws(AppStoreConnectError) {
        snapshot = try await ConnectSnapshot.read(app: "1", from: Pieces(bytes))
      } catch {
        try require(!error.message.isEmpty && !error.hint.isEmpty, "an error says what to do")
        try require(error.message.utf8.count < 4000, "a message is bounded")
        return
      }
      try require(snapshot.notes.count <= 100, "notes are bounded")
      let content = try snapshot.content(team: "ABCDE12345")
      let links = content.experiences.map(\.link.normalized)
      try require(Set(links).count == links.count, "each link is there once")
      let again = try snapshot.content(over: content.clips, content.experiences)
      try require(
        again.clips == content.clips && again.experiences == content.experiences,
        "a second pull changes nothing")
      let plan = try PushPlan(
        from: snapshot, to: content.clips, content.experiences, removes: true
      ) { PushPicture(name: $0, bytes: [0]) }
      for step in plan.steps {
        let root = step.body.map { JSONSource.read($0) }
        try require(root?.root != nil && root?.duplicates == [], "a body is JSON: \(step)")
        try require(!step.path.contains("..") && step.path.hasPrefix("/v1/"), "a path stays below")
      }
    }
  }
}

/// Gives one piece of an input for each request, then nothing.
private final class Pieces: AnswerSource {
  private let rest: Mutex<[[UInt8]]>

  init(_ bytes: [UInt8]) {
    rest = Mutex(bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init))
  }

  func answer(
    to request: ConnectRequest, page: Int, next: String?
  ) async throws(AppStoreConnectError) -> [UInt8]? {
    rest.withLock { rest in
      guard !rest.isEmpty else { return nil }
      let piece = rest.removeFirst()
      return piece.isEmpty ? nil : piece
    }
  }
}
