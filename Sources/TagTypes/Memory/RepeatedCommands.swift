/// Commands to a tag over a channel, repeated where they failed, and counted.
///
/// For commands that give the same result when they are repeated. A tag that fell silent is looked for once
/// per command by switching the field off and on.
struct RepeatedCommands<Channel: TagChannel> {
  let channel: Channel
  /// Commands sent and selections asked for so far.
  private(set) var exchanges = 0
  /// Whether the reader has said of a command that may be missing that it does not pass it on.
  private(set) var isReadersLimit = false
  private let mayBeMissing: [UInt8]

  /// - Parameter mayBeMissing: First bytes of commands that count as refused where the reader cannot
  ///   carry them; of any other that is a failure.
  init(_ channel: Channel, whichMayBeMissing mayBeMissing: [UInt8]) {
    self.channel = channel
    self.mayBeMissing = mayBeMissing
  }

  /// Selects the tag again after switching the field off and on.
  mutating func restart() async throws(TagChannelError) {
    exchanges += 1
    try await channel.reselect(fieldCycle: true)
  }

  /// Sends a command until its answer is acceptable.
  ///
  /// - Returns: `nil` when every attempt was refused or answered with something else.
  mutating func send(
    _ command: [UInt8], attempts: Int, accepts: ([UInt8]) -> Bool
  ) async throws(TagChannelError) -> [UInt8]? {
    var attemptsLeft = attempts
    var hasLookedForTag = false
    while attemptsLeft > 0 {
      if Task.isCancelled { throw TagChannelError(.cancelled, "the task was cancelled") }
      exchanges += 1
      do throws(TagChannelError) {
        let answer = try await channel.exchange(command)
        if accepts(answer) { return answer }
        attemptsLeft -= 1
      } catch {
        switch error.code {
        case .refused:
          attemptsLeft -= 1
        case .notCarried where mayBeMissing.contains(command[0]):
          // The tag was not asked, and would not be the next time.
          isReadersLimit = true
          return nil
        case .tagLost where !hasLookedForTag:
          hasLookedForTag = true
          try await restart()
        default:
          throw error
        }
      }
    }
    return nil
  }
}
