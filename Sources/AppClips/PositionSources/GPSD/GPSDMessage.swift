import CliptagBasics
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Invocation

/// One line of gpsd's JSON protocol (gpsd_json(5), protocol 3).
///
/// Keys may come in any order, and gpsd omits unknown values.
package enum GPSDMessage: Hashable, Sendable {
  /// The greeting: the release and the protocol version.
  case version(release: String?, major: Int?, minor: Int?)
  /// The receivers of gpsd, by path.
  case devices([String])
  /// One receiver that was added or, if it is not active, removed.
  case device(path: String?, isActive: Bool)
  /// The watch state of this client.
  case watch(isEnabled: Bool)
  /// TPV: a position.
  case position(PositionReport)
  /// SKY: the numbers of satellites used and seen.
  case satellites(used: Int, seen: Int)
  /// The cached positions of all receivers, in answer to a poll.
  case poll([PositionReport])
  /// gpsd did not understand a command.
  case error(String)
  /// Any other class of message, by name.
  case other(String)

  /// The longest line accepted, in bytes. gpsd 3.22 truncates its lines at 1,536, later releases at
  /// 10,240.
  package static let longestLine = 16_384

  /// Parses a line.
  ///
  /// - Parameters:
  ///   - line: The line without its end.
  ///   - source: The source of reports for which gpsd names no device.
  /// - Returns: `nil` if the line is not a JSON object with a class: truncated, or not from gpsd.
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
        // An active device has an activation time; a removed one has 0.
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
    // Releases from 3.20 on give the counts.
    return .satellites(
      used: fields.integer("uSat") ?? listed.count { $0.flag("used") == true },
      seen: fields.integer("nSat") ?? listed.count)
  }

  /// The members of a JSON object. If a key occurs twice, the last one counts, as in gpsd's own
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
  /// Creates a report from a TPV.
  ///
  /// The error is `eph`; if gpsd omits it, the combination of the errors to the east and north.
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
