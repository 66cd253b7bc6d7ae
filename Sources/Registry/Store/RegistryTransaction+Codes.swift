public import Foundation

/// Issued codes and their history.
extension RegistryTransaction {
  /// The issued code with a name.
  public borrowing func code(id: CodeID) throws(RegistryError) -> IssuedCode? {
    try records.code(id: id)
  }

  /// The issued codes that a filter lets through, oldest first.
  public borrowing func codes(
    _ filter: CodeFilter = CodeFilter()
  ) throws(RegistryError) -> [IssuedCode] {
    try records.codes(filter)
  }

  /// What happened to a code, in order; empty for an unknown code.
  public borrowing func history(of id: CodeID) throws(RegistryError) -> [CodeEvent] {
    CodeHistory.events(try records.entries(of: id))
  }

  /// The entries of a code's history, each with its place in it.
  package borrowing func recordedHistory(
    of id: CodeID
  ) throws(RegistryError) -> [(entry: RecordEntry, sequence: Int)] {
    (try records.entries(of: id)).withPlaces
  }

  /// Keeps a code and begins its history with the event `issued`, at the code's time.
  ///
  /// - Throws: ``RegistryError/Code/alreadyExists``; ``RegistryError/Code/unknownPlace`` when the
  ///   code names a place that is not in the registry.
  public borrowing func issue(
    _ code: IssuedCode, by who: String, details: [String: String] = [:]
  ) throws(RegistryError) {
    let records = try changeable()
    guard try records.code(id: code.id) == nil else { throw .exists("code", code.id.description) }
    if let id = code.placeID, try records.place(id: id) == nil {
      throw RegistryError(
        .unknownPlace, "The code \(code.id) names the place “\(id)”, which is not in the registry.",
        hint: "Add that place first, or correct its id.")
    }
    try records.insert(code)
    _ = try append(
      CodeEvent(
        code: code.id, sequence: 1, time: code.created, kind: .issued, who: who, details: details),
      issuing: code)
  }

  /// Adds an event to this registry's own chain.
  ///
  /// - Returns: The event with its place in the code's history.
  private borrowing func append(
    _ event: CodeEvent, issuing code: IssuedCode? = nil
  ) throws(RegistryError) -> CodeEvent {
    let recorder = try records.ownRecorder()
    let entry = try RecordEntry(
      of: event, after: try records.head(of: recorder), by: recorder, issuing: code)
    try records.append(entry)
    let (entries, recorders) = try records.entryCount(of: event.code)
    // Where nobody else wrote of the code, the last entry is the last event.
    let sequence =
      recorders == 1
      ? entries
      : (try records.entries(of: event.code)).withPlaces.first { $0.entry == entry }?.sequence
    return CodeEvent(
      code: event.code, sequence: sequence ?? entries, time: event.time, kind: event.kind,
      who: event.who, details: event.details)
  }

  /// Adds an event to a code's history.
  ///
  /// - Returns: The event with its sequence number.
  /// - Throws: ``RegistryError/Code/notFound`` when no such code was issued.
  @discardableResult
  public borrowing func record(
    _ kind: CodeEvent.Kind, of id: CodeID, at time: Date, by who: String,
    details: [String: String] = [:]
  ) throws(RegistryError) -> CodeEvent {
    let records = try changeable()
    guard try records.code(id: id) != nil else { throw .missing("code", id.description) }
    return try append(
      CodeEvent(code: id, sequence: 0, time: time, kind: kind, who: who, details: details))
  }

  /// Withdraws a code and records the event `retired`. This cannot be undone.
  ///
  /// - Throws: ``RegistryError/Code/notFound``, ``RegistryError/Code/alreadyRetired``.
  @discardableResult
  public borrowing func retire(
    _ id: CodeID, at time: Date, by who: String, details: [String: String] = [:]
  ) throws(RegistryError) -> CodeEvent {
    let records = try changeable()
    guard let code = try records.code(id: id) else { throw .missing("code", id.description) }
    guard code.status == .issued else {
      throw RegistryError(
        .alreadyRetired, "The code \(id) was retired before.",
        hint: "Nothing needs doing; its history says when.")
    }
    try records.markRetired(id)
    return try record(.retired, of: id, at: time, by: who, details: details)
  }
}
