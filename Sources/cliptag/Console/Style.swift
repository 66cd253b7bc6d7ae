import ArgumentParser
import Foundation
import Glibc

/// When to use colour.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  case auto, always, never

  /// Whether text written to a file descriptor is coloured: the option beats `NO_COLOR`, which
  /// beats the terminal test (no-color.org).
  func isOn(for descriptor: Int32) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      guard environment["NO_COLOR", default: ""].isEmpty, environment["TERM"] != "dumb" else {
        return false
      }
      return isatty(descriptor) == 1
    }
  }
}

/// The few colours the command uses.
struct Style: Sendable {
  /// Whether colours are used.
  let isColoured: Bool

  init(_ isColoured: Bool) { self.isColoured = isColoured }

  func red(_ text: String) -> String { wrap(text, "31;1") }
  func green(_ text: String) -> String { wrap(text, "32;1") }
  func yellow(_ text: String) -> String { wrap(text, "33;1") }
  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }

  private func wrap(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
