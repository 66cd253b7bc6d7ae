import CliptagBasics

/// An exchange of a reader and a tag, as recorded: facts about it, then bytes in order.
///
/// As a file it is a small part of YAML, one fact or step on a line, so that a recorder can append
/// to it and a person can read it; `Tests/Tags/SessionTests/README.md` describes the format.
package struct RecordedSession: Hashable, Sendable {
  /// The name, unique among the records of a folder.
  package var id: String
  /// The way in which the bytes were obtained: `recorded`, or what was rebuilt.
  package var kind = "recorded"
  /// The reader, with its firmware if known.
  package var device: String
  /// The program that used the reader, with its version if known.
  package var driver = ""
  /// The tag; `none` if there was none.
  package var tag: String
  /// The place between program and tag at which the bytes were seen.
  package var layer: Layer
  /// The public source; empty for a session that this program recorded.
  package var source = ""
  /// Names and values for the simulated tag that takes the tag's place, such as its `kind`.
  package var simulated: [String: String] = [:]
  /// Names and values of the facts that reading such a tag has to find, such as its `product`.
  package var expected: [String: String] = [:]
  /// The bytes, in order.
  package var steps: [Step]
  /// The outcome in a few words.
  package var outcome = ""

  /// Makes a session.
  package init(id: String, device: String, tag: String, layer: Layer, steps: [Step] = []) {
    (self.id, self.device, self.tag, self.layer, self.steps) = (id, device, tag, layer, steps)
  }

  /// The bytes of one direction.
  package struct Step: Hashable, Sendable {
    /// A Boolean value that indicates whether the program sent them; otherwise the device did.
    package var isFromHost: Bool
    /// The bytes; empty for the answer of a device that gave none.
    package var bytes: [UInt8]
    /// The meaning of the bytes, if they do not show it.
    package var note = ""
    /// The time since the beginning in milliseconds, if known.
    package var milliseconds: Double?

    /// The bytes that a program sent.
    package static func host(_ bytes: [UInt8], at milliseconds: Double? = nil) -> Step {
      Step(isFromHost: true, bytes: bytes, milliseconds: milliseconds)
    }

    /// The bytes that a device answered.
    package static func device(
      _ bytes: [UInt8], note: String = "", at milliseconds: Double? = nil
    ) -> Step {
      Step(isFromHost: false, bytes: bytes, note: note, milliseconds: milliseconds)
    }
  }

  /// The place between program and tag at which bytes were seen.
  package enum Layer: String, CaseIterable, Hashable, Sendable {
    /// A PN53x on its line, with preamble and check bytes.
    case chipLine = "pn53x-raw"
    /// The body of a PN53x's frames, from `D4` or `D5` on.
    case chipFrame = "pn53x-frame"
    /// The description of a target that a program made of a PN53x's answer.
    case chipTarget = "pn53x-decoded"
    /// USB messages of a CCID reader, with or without their header of ten bytes.
    case ccid
    /// PC/SC commands and answers with their status word.
    case apdu
    /// ATR and UID as PC/SC shows them.
    case pcsc
    /// Messages of an NFC controller.
    case nci
    /// Commands of the tag without CRC.
    case tag = "tag-layer"
    /// Frames of ISO/IEC 14443 type A with CRC.
    case airA = "air-14443a"
    /// Frames of ISO/IEC 15693 with CRC.
    case airVicinity = "air-15693"
    /// Frames of ISO/IEC 14443 type B with CRC.
    case airB = "air-14443b"
    /// Frames of FeliCa with CRC.
    case airFeliCa = "air-felica"
    /// Frames of ISO/IEC 15693 without CRC, flags first.
    case vicinity = "tag-15693"
    /// Pages or blocks of a memory.
    case dump
    /// A UID and its signature.
    case signature
    /// A UID.
    case uid
  }

  /// The pairs of a command and its answers: a step of the program, and those of the device up to
  /// the program's next. The answers of a device before the first command are not in a pair.
  package var exchanges: [(step: Int, command: [UInt8], answers: [[UInt8]])] {
    var exchanges: [(step: Int, command: [UInt8], answers: [[UInt8]])] = []
    for (index, step) in steps.enumerated() {
      if step.isFromHost {
        exchanges.append((index, step.bytes, []))
      } else if !exchanges.isEmpty {
        exchanges[exchanges.count - 1].answers.append(step.bytes)
      }
    }
    return exchanges
  }
}

/// The text of a file.
extension RecordedSession {
  /// The whole file.
  package var text: String {
    head + steps.map(\.line).joined() + (outcome.isEmpty ? "" : Self.line("outcome", outcome))
  }

  /// The lines before the first step.
  package var head: String {
    var text = Self.line("id", id) + Self.line("kind", kind) + Self.line("device", device)
    for (key, value) in [("driver", driver), ("tag", tag)] where !value.isEmpty {
      text += Self.line(key, value)
    }
    text += "layer: \(layer.rawValue)\n"
    if !source.isEmpty { text += Self.line("source", source) }
    for (key, values) in [("simulate", simulated), ("expect", expected)] where !values.isEmpty {
      let pairs = values.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.quoted($0.value))" }
      text += "\(key): {\(pairs.joined(separator: ", "))}\n"
    }
    return text + "steps:\n"
  }

  /// One fact on one line.
  package static func line(_ key: String, _ value: String) -> String {
    "\(key): \(quoted(value))\n"
  }

  private static func quoted(_ value: String) -> String {
    let line = String(value.map { $0.isNewline ? " " : $0 })
    return "'\(line.replacing("'", with: "''"))'"
  }
}

extension RecordedSession.Step {
  /// The step on one line.
  package var line: String {
    let time = milliseconds.map { ", at: \(Double(Int(bounded: $0 * 100)) / 100)" } ?? ""
    let words = note.isEmpty ? "" : ", note: '\(note.replacing("'", with: "''"))'"
    return
      "  - {\(isFromHost ? "host" : "device"): '\(bytes.hexadecimal(.small))'\(words)\(time)}\n"
  }
}
