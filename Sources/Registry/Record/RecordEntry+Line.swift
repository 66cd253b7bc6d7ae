import Foundation

extension RecordEntry {
  /// The entry as one line of JSON, without its end. Everything that is hashed stands in it as text.
  package var line: [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(640)
    func add(_ name: StaticString, _ text: String) {
      line += ",\"\(name)\":".utf8
      FlatJSON.write(text, to: &line)
    }
    line += "{\"type\":\"entry\"".utf8
    add("recorder", recorder.description)
    line += ",\"number\":\(number)".utf8
    add("previous", previous.description)
    add("hash", hash.description)
    add("code", code.description)
    add("time", time.registryTimestamp)
    line += ",\"milliseconds\":\(milliseconds)".utf8
    add("kind", kind.rawValue)
    add("who", who)
    line += ",\"adopted\":\(isAdopted),\"details\":".utf8
    FlatJSON.write(details, to: &line)
    line += ",\"issued\":".utf8
    if let issued { FlatJSON.write(issued, to: &line) } else { line += "null".utf8 }
    line.append(UInt8(ascii: "}"))
    return line
  }

  /// Reads ``line``; `nil` when something is missing or of another kind. Further names are let pass.
  package init?(line: some Sequence<UInt8>) {
    guard let object = FlatJSON.object(line) else { return nil }
    func text(_ name: String) -> String? {
      if case .text(let text) = object[name] { text } else { nil }
    }
    func number(_ name: String) -> Int? {
      if case .number(let number) = object[name] { number } else { nil }
    }
    /// Hashed as a number; the time beside it is for people and must be the same.
    func milliseconds() -> Int64? {
      guard let milliseconds = number("milliseconds").map(Int64.init),
        text("time") == Date(millisecondsSince1970: milliseconds).registryTimestamp
      else { return nil }
      return milliseconds
    }
    guard text("type") == "entry", let recorder = text("recorder").flatMap(Recorder.init),
      let number = number("number"), number > 0,
      let previous = text("previous").flatMap(EntryHash.init(hexadecimal:)),
      let hash = text("hash").flatMap(EntryHash.init(hexadecimal:)),
      let code = text("code").flatMap({ CodeID($0) }),
      let milliseconds = milliseconds(), let kind = text("kind"), let who = text("who"),
      case .truth(let isAdopted) = object["adopted"],
      case .texts(let details) = object["details"]
    else { return nil }
    let issued: [String: String]?
    switch object["issued"] {
    case .texts(let facts): issued = facts
    case .nothing: issued = nil
    default: return nil
    }
    self.init(
      recorder: recorder, number: number, previous: previous, hash: hash, code: code,
      milliseconds: milliseconds, kind: CodeEvent.Kind(rawValue: kind), who: who,
      details: details, isAdopted: isAdopted, issued: issued)
  }
}
