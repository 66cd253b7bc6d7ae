import ArgumentParser
import CliptagBasics
import Invocation

/// A length on the command line.
enum LengthArgument {
  /// Reads a length in millimetres, or in the unit behind it.
  static func millimetres(_ argument: String) throws -> Double {
    guard let length = Length.millimetres(argument) else {
      throw ValidationError(
        "\(argument.printable) is not a length: write 30 for millimetres, or 30mm, 3cm, 1.2in.")
    }
    return length
  }
}
