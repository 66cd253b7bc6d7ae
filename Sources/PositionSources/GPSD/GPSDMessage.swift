/// One line of gpsd's JSON protocol (gpsd_json(5), protocol 3).
///
/// Keys may come in any order, and what gpsd does not know it leaves out.
package enum GPSDMessage: Hashable, Sendable {
  /// The greeting: the release and the version of the protocol.
  case version(release: String?, major: Int?, minor: Int?)
  /// The receivers that gpsd has, by path.
  case devices([String])
  /// One receiver that came or, when it is not active, went.
  case device(path: String?, isActive: Bool)
  /// What this client watches.
  case watch(isEnabled: Bool)
  /// TPV: a position.
  case position(PositionReport)
  /// SKY: how many satellites are used and seen.
  case satellites(used: Int, seen: Int)
  /// What was cached of each receiver when somebody asked.
  case poll([PositionReport])
  /// gpsd did not understand a command.
  case error(String)
  /// Any other class of message, by name.
  case other(String)
}
