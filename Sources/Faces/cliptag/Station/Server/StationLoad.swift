import NIOCore
import Synchronization

/// The station's concurrent work and its bounds: requests of each party, and the bytes of all
/// bodies.
final class StationLoad: Sendable {
  private struct State {
    var requests: [StationRequest.Party: Int] = [:]
    var bytes = 0
    var phoneBytes = 0
  }

  private let state = Mutex(State())

  /// The most requests that one session has under way, which are more than a browser has; all
  /// phones together.
  private static let mostRequests = 16
  private static let mostPhoneRequests = 4
  /// The most bytes of bodies that are in memory; of them, those of phones.
  private static let mostBytes = 256 << 20
  private static let mostPhoneBytes = 96 << 20

  /// Takes in a request.
  ///
  /// - Throws: ``StationAccess/Refusal`` with status 429 when its party has too many.
  func begin(_ party: StationRequest.Party) throws(StationAccess.Refusal) -> Work {
    // Strangers receive only common answers, from memory.
    guard party != .stranger else { return Work(of: party, in: self) }
    let most = party == .phones ? Self.mostPhoneRequests : Self.mostRequests
    let isTaken = state.withLock { state in
      guard state.requests[party, default: 0] < most else { return false }
      state.requests[party, default: 0] += 1
      return true
    }
    guard isTaken else { throw .tooMuch(429, "This session has too many requests.") }
    return Work(of: party, in: self)
  }

  fileprivate func end(_ party: StationRequest.Party) {
    state.withLock { state in
      guard let count = state.requests[party] else { return }
      state.requests[party] = count > 1 ? count - 1 : nil
    }
  }

  fileprivate func take(_ bytes: Int, for party: StationRequest.Party) -> Bool {
    state.withLock { state in
      guard state.bytes + bytes <= Self.mostBytes else { return false }
      if party == .phones {
        guard state.phoneBytes + bytes <= Self.mostPhoneBytes else { return false }
        state.phoneBytes += bytes
      }
      state.bytes += bytes
      return true
    }
  }

  fileprivate func give(back bytes: Int, from party: StationRequest.Party) {
    state.withLock { state in
      state.bytes -= bytes
      if party == .phones { state.phoneBytes -= bytes }
    }
  }

  /// A request that is under way. It ends with the last reference, at the latest.
  final class Work: Sendable {
    private let party: StationRequest.Party
    private let load: StationLoad
    private let held = Mutex((bytes: 0, hasEnded: false))

    fileprivate init(of party: StationRequest.Party, in load: StationLoad) {
      self.party = party
      self.load = load
    }

    /// Makes room for a body of that size in all.
    ///
    /// - Throws: ``StationAccess/Refusal`` with status 503 when the bodies of all are too large
    ///   together.
    func reserve(_ size: Int) throws(StationAccess.Refusal) {
      let hasRoom = held.withLock { held in
        guard size > held.bytes else { return true }
        guard load.take(size - held.bytes, for: party) else { return false }
        held.bytes = size
        return true
      }
      guard hasRoom else { throw .tooMuch(503, "Too many uploads to the station at once.") }
    }

    /// Gives back what the request held.
    func end() {
      let bytes: Int? = held.withLock { held in
        guard !held.hasEnded else { return nil }
        defer { held = (0, true) }
        return held.bytes
      }
      guard let bytes else { return }
      load.end(party)
      load.give(back: bytes, from: party)
    }

    deinit { end() }
  }
}

/// The open connections. If there are too many, the oldest without a request under way is closed
/// for the next, those that never had a permitted request first: heads that are never finished do
/// not block others.
final class StationConnections: Sendable {
  private struct Seat {
    let channel: any Channel
    /// Whether a request that was permitted is being answered, and whether one ever was.
    var isUsed = false
    var wasUsed = false
  }

  private struct State {
    var seats: [Int: Seat] = [:]
    var next = 0
  }

  private let state = Mutex(State())
  private static let mostConnections = 256

  /// Takes in a connection.
  ///
  /// - Returns: Its number; `nil` when every connection is used.
  func admit(_ channel: any Channel) -> Int? {
    let (number, leaving): (Int?, (any Channel)?) = state.withLock { state in
      var leaving: (any Channel)?
      if state.seats.count >= Self.mostConnections {
        // Strangers before those who were let in; among them the oldest.
        let oldest = state.seats.filter { !$0.value.isUsed }.min {
          ($0.value.wasUsed ? 1 : 0, $0.key) < ($1.value.wasUsed ? 1 : 0, $1.key)
        }
        guard let oldest else { return (nil, nil) }
        leaving = oldest.value.channel
        state.seats[oldest.key] = nil
      }
      state.next += 1
      state.seats[state.next] = Seat(channel: channel)
      return (state.next, leaving)
    }
    leaving?.close(promise: nil)
    return number
  }

  /// Says whether a connection carries a request that was permitted.
  func use(_ number: Int, _ isUsed: Bool) {
    state.withLock { state in
      state.seats[number]?.isUsed = isUsed
      if isUsed { state.seats[number]?.wasUsed = true }
    }
  }

  func leave(_ number: Int) { state.withLock { $0.seats[number] = nil } }
}
