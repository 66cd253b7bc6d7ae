import Foundation
import Testing

/// Numbers of files, devices and arguments become integers through one conversion, `Int(bounded:)`:
/// `Int(_:)` ends the program at a number that is infinite, or none.
@Suite("Floating-point numbers become integers in one way")
struct NumberTests {
  /// Folders whose numbers are those of pixels, which are finite, in loops that are measured.
  private static let pixels = [
    "Codes/CodeScanning/", "Codes/Pictures/Pixels/", "Codes/Pictures/Prints/",
  ]
  /// The conversion, and the clock of this computer in a public default, which may use no other.
  private static let allowed = [
    "Swift.min(Swift.max(number, -most), most)", "Date().timeIntervalSince1970",
  ]

  /// Text that only a floating-point number has.
  private static var signs: Regex<Substring> {
    #/\.rounded\(|squareRoot|\b(?:Double|Float|log2?|sin|cos|pow)\(|\b[0-9]+\.[0-9]|\.(?:milli|micro|nano)?seconds\(|timeInterval/#
  }

  /// The arguments without a label of conversions to integers in a file.
  private static func arguments(in text: String) -> [Substring] {
    let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
      .joined(separator: "\n")
    return code.matches(of: #/\bU?Int(?:8|16|32|64)?\((?!\s*\w+:)/#).map { match in
      var depth = 1
      return code[match.range.upperBound...].prefix { sign in
        if sign == "(" { depth += 1 }
        if sign == ")" { depth -= 1 }
        return depth > 0
      }
    }
  }

  @Test("no file or device ends the program with a number: all go through Int(bounded:)")
  func conversions() throws {
    var seen = 0
    for (name, text) in try swiftFiles(below: sources)
    where !Self.pixels.contains(where: name.hasPrefix) && text.contains("Int") {
      let numbers = Set(
        text.matches(of: #/\b(\w+): (?:Double|Float|TimeInterval)\b/#).map { String($0.1) })
      for argument in Self.arguments(in: text) where !Self.allowed.contains(String(argument)) {
        seen += 1
        // What is inside brackets is a place in an array.
        let words = argument.replacing(#/\[[^\]]*\]/#, with: "")
        let named = words.matches(of: #/[a-z]\w*/#).contains { numbers.contains(String($0.output)) }
        #expect(
          !named && argument.firstMatch(of: Self.signs) == nil,
          "\(name): Int(\(argument)); write Int(bounded: …)")
      }
    }
    #expect(seen > 500, "the conversions of whole numbers")
  }
}
