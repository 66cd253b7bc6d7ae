/// The parts of a URL as rules compare them, made when they are first needed.
struct LinkTexts {
  /// How a rule looks at a URL.
  struct View: Hashable {
    /// Case does not matter.
    let isFolded: Bool
    /// Percent escapes are decoded.
    let isDecoded: Bool
  }

  enum Part: Hashable {
    case path
    case query
    case fragment
  }

  private struct Key: Hashable {
    let part: Part
    let view: View
  }

  private let parts: [Part: String]
  private let items: [(name: String, value: String)]
  private let variables: [String: [LinkPattern]]
  private let foldedVariables: [String: [LinkPattern]]
  private var runs: [Key: LinkPatternRun] = [:]

  init(
    _ url: InvocationURL, variables: [String: [LinkPattern]],
    foldedVariables: [String: [LinkPattern]]
  ) {
    let written = Self.split(url.payload)
    parts = [.path: written.path, .query: written.query, .fragment: written.fragment]
    items = written.query.isEmpty ? [] : Self.items(of: written.query)
    self.variables = variables
    self.foldedVariables = foldedVariables
  }

  /// The patterns' counterpart of a part.
  mutating func run(over part: Part, _ view: View) -> LinkPatternRun {
    let key = Key(part: part, view: view)
    if let run = runs[key] { return run }
    var text = parts[part] ?? ""
    if view.isDecoded { text = PercentEscapes.decode(text) }
    if part == .path { while text.unicodeScalars.last == "/" { text.unicodeScalars.removeLast() } }
    let run = run(over: text, view)
    runs[key] = run
    return run
  }

  /// The same for the value of each query item of a name; of one empty value where there is none.
  func runs(overItems name: String, _ view: View) -> [LinkPatternRun] {
    let name = compared(name, view.isFolded)
    let values = items.filter { item in
      compared(view.isDecoded ? PercentEscapes.decode(item.name) : item.name, view.isFolded)
        == name
    }.map { view.isDecoded ? PercentEscapes.decode($0.value) : $0.value }
    return (values.isEmpty ? [""] : values).map { run(over: $0, view) }
  }

  private func run(over text: String, _ view: View) -> LinkPatternRun {
    LinkPatternRun(
      compared(text, view.isFolded), variables: view.isFolded ? foldedVariables : variables)
  }

  private func compared(_ text: String, _ isFolded: Bool) -> [Unicode.Scalar] {
    isFolded ? text.unicodeScalars.map(\.caseFolded) : Array(text.unicodeScalars)
  }

  // MARK: Splitting

  /// The parts as they are written, only with characters beyond ASCII as escapes, which is what a
  /// phone makes of them.
  private static func split(
    _ payload: String
  ) -> (path: String, query: String, fragment: String) {
    let text = payload.utf8
    let behindHost = text.dropFirst("https://".utf8.count).drop { !"/?#".utf8.contains($0) }
    let path = behindHost.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let behindPath = behindHost[path.endIndex...]
    let query = behindPath.prefix { $0 != UInt8(ascii: "#") }
    return (
      escaped(path), escaped(query.dropFirst()), escaped(behindPath[query.endIndex...].dropFirst())
    )
  }

  private static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      if byte < 0x80 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += PercentEscapes.escape(byte)
      }
    }
    return text
  }

  private static func items(of query: String) -> [(name: String, value: String)] {
    query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      return (String(Substring(name)), String(Substring(item[name.endIndex...].dropFirst())))
    }
  }
}
