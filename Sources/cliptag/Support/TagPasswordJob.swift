import ArgumentParser
import Deployment
import Invocation
import NFCReader
import Registry
import TagTypes

/// What `tag password set`, `change` and `remove` have in common.
struct TagPasswordJob: ParsableArguments {
  /// What is done to the password.
  enum Action: String {
    case set, change, remove

    var event: CodeEvent.Kind {
      switch self {
      case .set: .passwordSet
      case .change: .passwordChanged
      case .remove: .passwordRemoved
      }
    }

    /// What was done, in words.
    var done: String {
      switch self {
      case .set: "set"
      case .change: "changed"
      case .remove: "removed"
      }
    }
  }

  @Flag(name: [.long, .customShort("n")], help: "Only say which pages would change.")
  var dryRun = false
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var global: GlobalOptions

  /// Gives the tag its present password, makes the plan, and executes it.
  func run(
    _ action: Action, with present: TagPassword, orElse other: TagPassword? = nil,
    _ console: Console,
    plan makePlan: (AuthenticatedChannel<NFCTag>) async throws -> PasswordPlan
  ) async throws {
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let protector = TagProtector(
      ledger: CodeLedger(registry: registry, who: Operator.name),
      check: InvocationCheck(directory: registry))
    let answer = try await reader.withTag(console) { tag, name -> (JSONValue, String) in
      let channel: AuthenticatedChannel<NFCTag>
      do {
        channel = try await password.open(tag, with: present, orElse: other, console)
      } catch let error as TagError where action == .set && error.code == .tagPassword {
        throw error.advisingChange
      }
      let plan = try await makePlan(channel)
      console.warn(plan.warnings)
      guard !dryRun else {
        return (json(action, plan, nil, reader: name), plan.text)
      }
      let (report, codes) = try await protector.execute(
        plan, action.event, on: channel, reader: name)
      if codes.isEmpty {
        console.say("note: no code of this tag is in the registry, so nothing was recorded")
      }
      return (json(action, plan, (report, codes), reader: name), report.text(action, plan))
    }
    console.result(answer.0, text: answer.1)
  }

  private func json(
    _ action: Action, _ plan: PasswordPlan, _ outcome: (report: PasswordReport, codes: [CodeID])?,
    reader: String
  ) -> JSONValue {
    .object([
      ("type", "password"), ("action", .string(action.rawValue)), ("reader", .string(reader)),
      ("uid", .string(plan.tag.uid.hexadecimal)), ("tagType", .string(plan.tag.name)),
      ("fromPage", JSONValue(plan.rule?.firstPage)),
      ("protect", JSONValue(plan.rule.map { $0.protectsReading ? "read-write" : "write" })),
      ("attemptLimit", JSONValue(plan.rule?.wrongPasswordLimit)),
      ("pagesWritten", .integer(outcome?.report.pagesWritten ?? 0)),
      ("alreadyCorrect", .bool(plan.isAlreadyCorrect)), ("verified", .bool(outcome != nil)),
      ("refusedPage", JSONValue(outcome?.report.refusedPage)),
      ("warnings", .array(plan.warnings.map(JSONValue.string))),
      ("codes", .array((outcome?.codes ?? []).map { .string($0.description) })),
      ("dryRun", .bool(dryRun)),
      ("plan", dryRun ? .array(plan.steps.map(\.json)) : .null),
      ("exchanges", dryRun ? .integer(plan.expectedExchanges) : .null),
    ])
  }
}

extension TagError {
  /// What to do when a password is to be set on a tag that has another one already.
  fileprivate var advisingChange: TagError {
    TagError(
      code, message,
      hint: "this tag has a password already: if it is this very one, add --try-anyway where the "
        + "tag counts wrong ones; if it is another, use tag password change",
      uid: uid, underlying: underlying)
  }
}

extension PasswordPlan.Step {
  /// The object of a plan; a secret is `null`.
  fileprivate var json: JSONValue {
    .object([
      ("page", .integer(page)), ("purpose", .string("\(purpose)")),
      ("before", JSONValue(before?.hexadecimal)), ("after", JSONValue(after?.hexadecimal)),
    ])
  }
}

extension PasswordPlan {
  /// What a dry run shows to people.
  fileprivate var text: String {
    let name = "\(tag.name) \(tag.uid.hexadecimal)"
    guard !isAlreadyCorrect else { return "\(name): nothing to change" }
    let pages = steps.map { step in
      let bytes =
        step.after.map { "\(step.before?.hexadecimal ?? "") -> \($0.hexadecimal)" }
        ?? "secret".padding(to: 20)
      return "  page \("\(step.page)".padding(to: 3)) \(bytes)  \(step.purpose)"
    }
    return
      ([
        "\(name): \(pageCount(steps.count)) would be written in at most \(expectedExchanges) "
          + "exchanges; nothing was written"
      ] + pages)
      .joined(separator: "\n")
  }
}

extension PasswordReport {
  /// What was done, for people.
  fileprivate func text(_ action: TagPasswordJob.Action, _ plan: PasswordPlan) -> String {
    let work =
      wasAlreadyCorrect ? "in force before, nothing written" : "\(pageCount(pagesWritten)) written"
    var lines = ["password \(action.done) on \(tag.name) \(tag.uid.hexadecimal) (\(work))"]
    if let rule = plan.rule {
      lines.append(
        "  guards    pages \(rule.firstPage) to \(tag.layout.pageCount - 1) against "
          + (rule.protectsReading ? "reading and writing" : "writing"))
      if rule.wrongPasswordLimit > 0 {
        lines.append(
          "  limit     \(rule.wrongPasswordLimit) wrong passwords in a row, then closed for good")
      }
    }
    if let refusedPage {
      lines.append("  proof     page \(refusedPage) refused a write without it")
    }
    return lines.joined(separator: "\n")
  }
}
