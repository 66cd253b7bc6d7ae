import Deployment
import Invocation

extension PhoneAnswer {
  /// The `explanation` object of a verification.
  var json: JSONValue {
    .object([
      ("via", .string(situation.channel.rawValue)),
      ("ios", .string(situation.version.description)),
      ("installed", .string(situation.installed.rawValue)),
      ("language", JSONValue(situation.language)),
      ("starts", .string(start.rawValue)),
      ("program", JSONValue(program)),
      ("card", card?.json ?? .null),
      ("handedOver", JSONValue(handedOver)),
      ("steps", .array(steps.map(\.json))),
    ])
  }

  /// The lines that people read, below those of the verification.
  func text(_ style: Style) -> String {
    let installed =
      switch situation.installed {
      case .none: "nothing installed"
      case .clip: "the clip installed"
      case .app: "the app installed"
      }
    var lines = [
      "  phone     iOS \(situation.version), \(installed), by \(situation.channel.rawValue)"
    ]
    for step in steps {
      let mark =
        switch step.result {
        case .passes: style.green("✓")
        case .doubtful: style.yellow("?")
        case .stops: style.red("✗")
        case .note: style.dim("·")
        }
      let ground = style.dim("[\(step.evidence.rawValue): \(step.source)]")
      lines.append(
        "  \(mark) \(step.stage.rawValue.padding(to: 17)) \(step.text.printable) \(ground)")
    }
    lines.append("  starts    \(ending)")
    return lines.joined(separator: "\n")
  }

  private var ending: String {
    switch start {
    case .clip: "the clip \(program ?? "")"
    case .app: "the app \(program ?? "")"
    case .browser: "no clip; the phone offers the page"
    case .unavailable: "no clip; the phone says that it is not available"
    case .nothing: "nothing"
    }
  }
}

extension PhoneAnswer.Card {
  fileprivate var json: JSONValue {
    .object([
      ("title", JSONValue(title)), ("subtitle", JSONValue(subtitle)),
      ("action", .string(action.rawValue)), ("image", JSONValue(image?.file)),
      ("language", JSONValue(language)),
    ])
  }
}

extension InvocationStep {
  fileprivate var json: JSONValue {
    .object([
      ("stage", .string(stage.rawValue)), ("result", .string(result.rawValue)),
      ("text", .string(text)), ("evidence", .string(evidence.rawValue)),
      ("source", .string(source)),
    ])
  }
}
