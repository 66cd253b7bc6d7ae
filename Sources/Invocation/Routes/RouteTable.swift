/// The routes of an app, as a small file says them: one pattern a line, `#` begins a remark.
public struct RouteTable: Hashable, Sendable {
  /// The patterns, in the order of the file.
  public let patterns: [RoutePattern]

  /// A line that is no pattern.
  public struct Problem: Error, Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// What is wrong with it.
    public let message: String
  }

  /// Reads a file.
  ///
  /// - Throws: ``Problem`` of the first line that is no pattern.
  public init(reading text: String) throws(Problem) {
    var patterns: [RoutePattern] = []
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (index, line) in lines.enumerated() {
      let pattern = Self.pattern(in: line)
      guard !pattern.isEmpty else { continue }
      do {
        patterns.append(try RoutePattern(pattern))
      } catch {
        throw Problem(line: index + 1, message: "\(error)")
      }
    }
    self.patterns = patterns
  }

  /// What stands before the remark, without white space around it. A number sign inside a pattern
  /// would be a fragment, which routes do not have.
  private static func pattern(in line: Substring) -> String {
    let text = line.prefix { $0 != "#" }.drop { $0.isWhitespace }
    return String(text.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// The first route that takes a URL, or `nil`.
  public func route(for url: InvocationURL) -> RoutePattern? {
    patterns.first { $0.takes(url) }
  }
}
