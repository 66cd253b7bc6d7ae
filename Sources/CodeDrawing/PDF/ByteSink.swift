/// Where the bytes of a file go as they come, so that a long file need not fit into memory.
public protocol ByteSink {
  /// Why bytes cannot be taken.
  associatedtype Failure: Error

  /// Takes the next bytes.
  mutating func write(_ bytes: [UInt8]) throws(Failure)
}

/// A file in memory.
public struct MemorySink: ByteSink, Sendable {
  /// All bytes so far.
  public private(set) var bytes: [UInt8] = []

  /// An empty file.
  public init() {}

  /// Takes the next bytes; never fails.
  public mutating func write(_ bytes: [UInt8]) throws(Never) { self.bytes += bytes }
}
