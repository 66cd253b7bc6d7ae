import Foundation
import Glibc

/// Who runs the command, for the history of codes.
enum Operator {
  /// The login name; the number of the user where it has none.
  static var name: String {
    let user = getuid()
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "uid \(user)" }
    return String(cString: name)
  }
}
