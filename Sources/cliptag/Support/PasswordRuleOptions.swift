import ArgumentParser
import TagTypes

/// What a password guards.
struct PasswordRuleOptions: ParsableArguments {
  /// What needs the password.
  enum Guarded: String, ExpressibleByArgument, CaseIterable {
    case write
    case readWrite = "read-write"
  }

  @Option(
    help: ArgumentHelp(
      "The first page that needs the password; unless named, set takes 4 and change leaves it.",
      valueName: "page"))
  var fromPage: Int?
  @Option(
    help: """
      What needs the password: write, or read-write, which no phone can read; unless named, set takes \
      write and change leaves it.
      """)
  var protect: Guarded?
  @Option(
    help: ArgumentHelp(
      """
      After how many wrong passwords in a row the guarded pages are closed FOR GOOD, 1 to 7; 0 for \
      never. Unless named, set takes 0 and change leaves it.
      """, valueName: "count"))
  var attemptLimit: Int?

  func validate() throws {
    if let attemptLimit, !(0...7).contains(attemptLimit) {
      throw ValidationError("--attempt-limit takes 0 to 7; got \(attemptLimit).")
    }
    if let fromPage, !(0...255).contains(fromPage) {
      throw ValidationError("--from-page takes a page of the tag; got \(fromPage).")
    }
  }

  /// The rule, as far as it was named; the rest is as in `present`.
  func rule(over present: PasswordRule?) -> PasswordRule? {
    guard fromPage != nil || protect != nil || attemptLimit != nil || present != nil else {
      return nil
    }
    var rule = present ?? PasswordRule()
    if let fromPage { rule.firstPage = fromPage }
    if let protect { rule.protectsReading = protect == .readWrite }
    if let attemptLimit { rule.wrongPasswordLimit = attemptLimit }
    return rule
  }
}
