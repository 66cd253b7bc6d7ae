import CliptagPlatform

/// The user who runs this process.
package enum Login {
  /// The login name; the numeric user ID if the user has none.
  package static let name: String = {
    let user = getuid()
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "uid \(user)" }
    return String(cString: name)
  }()
}
