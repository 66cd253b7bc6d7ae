/// The `error` object of the command's contract: a failure in the words of a face.
package struct FailureResult: Encodable, Sendable {
  /// The place of a failure, as far as it has one.
  package struct Place: Encodable, Hashable, Sendable {
    /// The page or block of a tag.
    package var page: Int?
    /// The offset in a tag's file.
    package var offset: Int?
    /// The UID of the tag, in hexadecimal.
    package var uid: String?
    /// The line of a text, from 1.
    package var line: Int?
    /// The column of a text, from 1.
    package var column: Int?

    package init(
      page: Int? = nil, offset: Int? = nil, uid: String? = nil, line: Int? = nil,
      column: Int? = nil
    ) {
      (self.page, self.offset, self.uid) = (page, offset, uid)
      (self.line, self.column) = (line, column)
    }
  }

  /// A mistake in the inputs of a job, for a face that words it.
  private struct Mistake: Encodable {
    /// The name of the mistake.
    let name: String
    /// The names of the inputs that it concerns.
    let inputs: [String]
    /// The values that it concerns, by their names.
    let values: SortedMembers
  }

  private struct Head: Encodable {
    /// The type of the object.
    let type = "error"
    /// The stable name of the failure.
    let code: String
    /// The problem, in one line.
    let message: String
    /// The next step, in one line.
    let hint: String
    /// The input that failed.
    let source: String?
  }

  private let head: Head
  private let place: Place
  /// The mistake in the inputs of a job, for a face that words it.
  private let advice: Mistake?

  /// - Parameters:
  ///   - code: The stable name of the failure.
  ///   - message: The problem, in one line.
  ///   - hint: The next step, in one line.
  ///   - source: The input that failed.
  ///   - place: The place in the input.
  ///   - mistake: The mistake in the inputs of a job, for a face that words it.
  package init(
    code: String, message: String, hint: String, source: String?, place: Place,
    mistake: InputError? = nil
  ) {
    head = Head(code: code, message: message, hint: hint, source: source)
    self.place = place
    advice = mistake.map {
      Mistake(
        name: $0.name, inputs: $0.inputs.map(\.rawValue), values: SortedMembers($0.values))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    try head.encode(to: encoder)
    try place.encode(to: encoder)
    guard let advice else { return }
    var values = encoder.container(keyedBy: NameKey.self)
    try values.encode(advice, forKey: "advice")
  }
}
