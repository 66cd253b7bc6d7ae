/// The work that a picture may cost, in milliseconds of the machine on which the stages were
/// measured (one core of a server of 2023).
///
/// Not the clock's: what a picture shows must not depend on how busy a machine is, and the same
/// bytes shall give the same answer in every run. So each stage says what it will cost, by the
/// pixels it walks over and the candidates it tries, and begins only what still fits. On a machine
/// half as fast a budget of 400 ms takes up to 800.
struct WorkBudget: Sendable {
  private(set) var left: Double

  /// A budget; without a number, none that ever ends.
  init(_ duration: Duration?) {
    guard let duration else {
      left = .infinity
      return
    }
    left =
      Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
  }

  /// Whether some work still fits; it is paid for when it does.
  mutating func pay(_ cost: Double) -> Bool {
    guard cost <= left else { return false }
    left -= cost
    return true
  }

  /// Adds some work to what is left.
  mutating func allow(_ work: Double) { left += work }

  /// Pays for work that is done.
  mutating func spend(_ cost: Double) { left -= min(left, cost) }
}
