import FoundationEssentials
import Invocation

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

  /// The longest line that is looked at, in bytes. gpsd 3.22 cuts its own at 1,536, later releases
  /// at 10,240.
  package static let longestLine = 16_384

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - line: The line without its end.
  ///   - source: What reports are said to come from when gpsd names no device.
  /// - Returns: `nil` when the line is no JSON object with a class: cut short, or not gpsd's.
  package init?(line: some Sequence<UInt8>, source: String) {
    let bytes = Array(line)
    guard bytes.count <= Self.longestLine, let text = String(validating: bytes, as: UTF8.self),
      let fields = Fields(JSONSource.read(text).root), let name = fields.text("class")
    else { return nil }
    self =
      switch name {
      case "VERSION":
        .version(
          release: fields.text("release"), major: fields.integer("proto_major"),
          minor: fields.integer("proto_minor"))
      case "DEVICES": .devices(fields.objects("devices").compactMap { $0.text("path") })
      case "DEVICE":
        // An active device has the time it was activated at; one that went has 0.
        .device(
          path: fields.text("path"),
          isActive: fields.text("activated") != nil
            || fields.number("activated").map { $0 > 0 }
              ?? false
        )
      case "WATCH": .watch(isEnabled: fields.flag("enable") ?? false)
      case "TPV": .position(PositionReport(fields, source: source))
      case "SKY": Self.satellites(fields)
      case "POLL": .poll(fields.objects("tpv").map { PositionReport($0, source: source) })
      case "ERROR": .error(fields.text("message") ?? "")
      default: .other(name)
      }
  }

  private static func satellites(_ fields: Fields) -> GPSDMessage {
    let listed = fields.objects("satellites")
    // Releases from 3.20 on count for themselves.
    return .satellites(
      used: fields.integer("uSat") ?? listed.count { $0.flag("used") == true },
      seen: fields.integer("nSat") ?? listed.count)
  }

  /// The members of a JSON object. Of a key that comes twice, the last counts, as in gpsd's own
  /// client.
  fileprivate struct Fields {
    private let values: [String: DocumentNode.Value]

    init?(_ node: DocumentNode?) {
      guard let node, case .mapping(let entries) = node.value else { return nil }
      values = Dictionary(entries.map { ($0.key, $0.value.value) }) { _, last in last }
    }

    func text(_ key: String) -> String? {
      guard case .text(let text) = values[key] else { return nil }
      return text
    }

    func number(_ key: String) -> Double? {
      guard case .number(let number) = values[key] else { return nil }
      return number
    }

    func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0) } }

    func flag(_ key: String) -> Bool? {
      guard case .flag(let flag) = values[key] else { return nil }
      return flag
    }

    func objects(_ key: String) -> [Fields] {
      guard case .list(let items) = values[key] else { return [] }
      return items.compactMap { Fields($0) }
    }
  }
}

extension PositionReport {
  /// Reads a TPV.
  ///
  /// The error is `eph`; where gpsd leaves that out, what it says for east and north together.
  fileprivate init(_ fields: GPSDMessage.Fields, source: String) {
    var coordinate: Coordinate?
    if let latitude = fields.number("lat"), let longitude = fields.number("lon") {
      coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }
    var error = fields.number("eph")
    if error == nil, let east = fields.number("epx"), let north = fields.number("epy") {
      error = (east * east + north * north).squareRoot()
    }
    self.init(
      time: fields.text("time").flatMap(UTCTime.date), coordinate: coordinate,
      mode: fields.integer("mode").flatMap(Mode.init) ?? .unknown, horizontalError: error,
      status: fields.integer("status").map(Status.init), source: fields.text("device") ?? source)
  }
}
