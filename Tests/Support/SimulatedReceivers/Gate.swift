/// Something that happens once, and can be waited for by one.
package final class Gate: Sendable {
  private let ends = AsyncStream.makeStream(of: Void.self)
  package init() {}
  package func open() { ends.continuation.finish() }
  package func wait() async { for await _ in ends.stream {} }
}
