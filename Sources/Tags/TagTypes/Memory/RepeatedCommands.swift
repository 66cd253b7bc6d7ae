/// Commands to a tag over a channel, with retries and a count.
///
/// For commands that give the same result when repeated. A silent tag is searched once per command
/// by a field cycle.
struct RepeatedCommands<Channel: TagChannel> {
  let channel: Channel
  /// The number of commands and selections so far.
  private(set) var exchanges = 0
  /// A Boolean value that indicates whether the reader has reported that it does not pass on an
  /// optional command.
  private(set) var isReadersLimit = false
  /// A Boolean value that indicates whether the reader has reported that it does not carry the
  /// OPTION flag of ISO/IEC 15693.
  private(set) var lacksOption = false
  /// The code of the last command's last refusal by a tag of ISO/IEC 15693; `nil` if none was given.
  private(set) var refusal: UInt8?
  private let mayBeMissing: [UInt8]

  /// - Parameter mayBeMissing: The first bytes of commands that count as refused if the reader
  ///   cannot carry them; for any other command that is a failure.
  init(_ channel: Channel, whichMayBeMissing mayBeMissing: [UInt8]) {
    self.channel = channel
    self.mayBeMissing = mayBeMissing
  }

  /// Selects the tag again after a field cycle.
  mutating func restart() async throws(TagChannelError) {
    exchanges += 1
    try await channel.reselect(fieldCycle: true)
  }

  /// Sends a command until its response is acceptable.
  ///
  /// - Parameter hasOption: `true` to set the OPTION flag, for a tag of ISO/IEC 15693.
  /// - Returns: `nil` if every attempt was refused or got another response.
  mutating func send(
    _ command: [UInt8], attempts: Int, hasOption: Bool = false, accepts: ([UInt8]) -> Bool
  ) async throws(TagChannelError) -> [UInt8]? {
    var attemptsLeft = attempts
    refusal = nil
    var hasLookedForTag = false
    while attemptsLeft > 0 {
      if Task.isCancelled { throw TagChannelError(.cancelled, "the task was cancelled") }
      exchanges += 1
      do throws(TagChannelError) {
        let answer =
          try await hasOption
          ? channel.exchangeWithOption(command) : channel.exchange(command)
        if accepts(answer) { return answer }
        attemptsLeft -= 1
      } catch {
        switch error.code {
        case .refused:
          refusal = error.refusal
          attemptsLeft -= 1
        case .notCarried where hasOption:
          lacksOption = true
          return nil
        case .notCarried where mayBeMissing.contains(command[0]):
          // The command did not reach the tag, and would not the next time.
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
