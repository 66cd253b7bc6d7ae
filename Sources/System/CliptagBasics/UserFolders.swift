import CliptagPlatform

/// The folders of the user's files (XDG Base Directory Specification).
///
/// A variable that is empty or has a relative path counts as unset: a file of the working folder is
/// never taken for the user's.
package struct UserFolders: Sendable {
  /// `$HOME`, else the home of the user's account, else `/nonexistent`, which is that of accounts
  /// without a home.
  package let home: String
  /// `$XDG_CONFIG_HOME`, else `~/.config`.
  package let configuration: String
  /// `$XDG_DATA_HOME`, else `~/.local/share`.
  package let data: String
  /// `$XDG_STATE_HOME`, else `~/.local/state`.
  package let state: String
  /// `$XDG_DATA_DIRS`, else `/usr/local/share` and `/usr/share`.
  package let system: [String]

  /// Finds the folders.
  ///
  /// - Parameter environment: The variables; `nil` for those of the process.
  package init(_ environment: [String: String]? = nil) {
    func value(_ name: String) -> String? {
      environment.map { $0[name] } ?? getenv(name).map { String(cString: $0) }
    }
    func path(_ name: String) -> String? { value(name).flatMap { $0.hasPrefix("/") ? $0 : nil } }
    let listed = value("XDG_DATA_DIRS")?.split(separator: ":").map(String.init) ?? []
    let home = path("HOME") ?? Self.ofAccount ?? "/nonexistent"
    self.home = home
    configuration = path("XDG_CONFIG_HOME") ?? home + "/.config"
    data = path("XDG_DATA_HOME") ?? home + "/.local/share"
    state = path("XDG_STATE_HOME") ?? home + "/.local/state"
    system =
      listed.isEmpty
      ? ["/usr/local/share", "/usr/share"] : listed.filter { $0.hasPrefix("/") }
  }

  private static var ofAccount: String? {
    guard let home = getpwuid(getuid())?.pointee.pw_dir.map({ String(cString: $0) }) else {
      return nil
    }
    return home.hasPrefix("/") ? home : nil
  }
}
