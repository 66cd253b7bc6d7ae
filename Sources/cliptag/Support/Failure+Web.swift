import Invocation
import WebFetching

extension Failure {
  /// What a request that cannot be made or answered means to whoever runs the command.
  init(_ error: WebFetchError, source: String?) {
    self.init(
      error.code, error.message, hint: error.hint, source: source ?? error.url)
  }

  /// Why no association file could be made, with the place in the file that was to be kept.
  init(_ error: SiteAssociationFileError, source: String?) {
    let place = error.position.map { "\(source ?? "-"):\($0.line):\($0.column): " } ?? ""
    self.init(
      "association-not-made", error.position == nil ? .usage : .malformedInput,
      "\(place)\(error.message).",
      hint: error.hint.prefix(1).uppercased()
        + error.hint.dropFirst() + ".",
      source: source,
      facts: error.position.map {
        [("line", .integer($0.line)), ("column", .integer($0.column))]
      } ?? [])
  }
}
