import CliptagBasics
package import Invocation

extension Place {
  /// Returns the sentence about a code whose URL names this place, and which was issued before the
  /// registry had it: the place of a code is part of its record, which never changes.
  package func message(aboutIssueBefore code: IssuedCode) -> String {
    "\(code.payload.printable) names the place “\(id.printable)”, which the registry did not have when "
      + "the code was issued, so that packing lists and walks of the place omit it: retire the code, and "
      + "\(code.carrier == .nfc ? "write the tag" : "print it to the same file") again. "
      + "What hangs may stay, because it carries the same URL."
  }
}
