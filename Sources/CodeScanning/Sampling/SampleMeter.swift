/// Counts the work of reading a symbol, by how often the brightness at a place was asked for, and
/// ends it where too much was spent.
///
/// A count and not a clock, so that the same picture gives the same answer on every machine.
/// Shared by the parts of one reading, hence a class; it never leaves the thread that reads.
final class SampleMeter {
  private(set) var samples = 0
  private let limit: Int

  /// What one sample costs, in milliseconds: a place in perspective and four values around it.
  static let costOfSample = 0.000_07

  /// A meter for as much work as some milliseconds allow.
  init(milliseconds: Double = .infinity) {
    limit = Int(min(max(0, milliseconds) / Self.costOfSample, 1e12))
  }

  /// What was spent, in milliseconds.
  var cost: Double { Double(samples) * Self.costOfSample }

  /// Whether nothing further shall begin.
  var isSpent: Bool { samples >= limit }

  func count(_ samples: Int) { self.samples &+= samples }
}
