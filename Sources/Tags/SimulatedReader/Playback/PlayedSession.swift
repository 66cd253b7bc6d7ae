package import TagTypes
import CliptagBasics

/// A recorded session in a form that a simulated reader plays.
package struct PlayedSession: Sendable {
  /// The session.
  package let session: RecordedSession
  /// The recorded answers.
  package internal(set) var answers: PlayedAnswers
  /// The facts about the tag that the session shows.
  package let facts: RecordedFacts

  /// Makes a player.
  ///
  /// - Throws: `.malformedSession` if no reader shows a program what the session contains.
  package init(
    _ session: RecordedSession, mode: PlayedAnswers.Mode
  ) throws(SimulatedReaderError) {
    self.session = session
    facts = RecordedFacts(session)
    guard let level = session.layer.level else {
      throw SimulatedReaderError(
        .malformedSession,
        "\(session.id) cannot be played: bytes of layer \(session.layer.rawValue) pass no reader.",
        hint: "Play a session that a reader took part in.")
    }
    answers = PlayedAnswers(
      facts.exchanges(level), level: level, mode: mode, uid: facts.uid ?? [],
      family: facts.family)
  }

  /// A Boolean value that indicates whether the session is one of PC/SC.
  package var needsSocket: Bool { answers.level == .reader }
  /// A Boolean value that indicates whether the session is one of a chip on a line.
  package var needsLine: Bool { answers.level == .chip }
  /// The reader to be: the recorded one, or one that reaches the tag.
  package var model: SimulatedPCSCModel {
    facts.model ?? (facts.isVicinity ? .acr1552 : .acr1252)
  }

  /// A PN532 that plays the session, with a tag in front of it.
  ///
  /// - Parameter tag: The tag; by default the one that the session names, with the bytes that it
  ///   shows.
  /// - Throws: `.malformedUID`, `.malformedMemory`.
  package func chip(
    _ tag: (any SimulatedCard)? = nil
  ) throws(SimulatedReaderError) -> SimulatedPN532 {
    let lying: (any SimulatedCard)?
    if let tag { lying = tag } else { lying = try facts.card() }
    var chip = SimulatedPN532(tag: lying)
    if answers.level == .tag {
      chip.field.played = answers
      chip.field.playedSelection = (facts.atqa, facts.sak)
    } else {
      chip.played = answers
    }
    return chip
  }
}

extension PlayedSession {
  /// The answers of the session's PC/SC reader to commands, without service or socket.
  ///
  /// - Throws: `.malformedUID`, `.malformedMemory`.
  package func answers(to commands: [[UInt8]]) throws(SimulatedReaderError) -> [[UInt8]?] {
    var reader = SimulatedPCSCReader(chip: try chip(), model: model)
    reader.playedATR = facts.atr
    _ = reader.powerUp()
    return commands.map { reader.transmit($0) }
  }
}

extension RecordedSession.Layer {
  /// The place at which a player compares commands; `nil` if a reader does not show such bytes.
  var level: PlayedAnswers.Level? {
    switch self {
    case .chipLine, .chipFrame: .chip
    case .ccid, .apdu, .pcsc: .reader
    case .tag, .airA, .airVicinity, .vicinity, .dump, .signature, .uid, .chipTarget: .tag
    case .nci, .airB, .airFeliCa: nil
    }
  }
}

extension RecordedSession {
  /// Parses the text of a file.
  ///
  /// - Throws: `.malformedSession`.
  package init(parsing text: String, path: String) throws(SimulatedReaderError) {
    do throws(Mistake) {
      try self.init(parsing: text)
    } catch {
      throw SimulatedReaderError(
        .malformedSession, "The session cannot be read: \(error).",
        hint: "Take a file that a recorder wrote, or mend the line.", path: path)
    }
  }
}
