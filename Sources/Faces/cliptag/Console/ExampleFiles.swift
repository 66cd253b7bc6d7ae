import Foundation

/// The files that examples of the help use.
enum ExampleFiles {
  /// The folder in the sources, as the help names it.
  private static let ofSources = "Samples/"

  /// The folder of the examples: that of the package whose command runs, otherwise the one of the
  /// sources.
  static let folder: String = {
    guard let command = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
      return ofSources
    }
    let installed = command.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "share/doc/cliptag/examples/").path
    return FileManager.default.fileExists(atPath: installed) ? installed + "/" : ofSources
  }()

  /// Returns a text in which the files of examples are in a folder.
  ///
  /// - Parameter folder: The folder, with a slash at its end.
  static func naming(_ folder: String, in text: String) -> String {
    guard folder != ofSources else { return text }
    return text.replacing("\(ofSources)fruta/", with: "\(folder)fruta/")
      .replacing("\(ofSources)city/", with: "\(folder)city/")
  }
}
