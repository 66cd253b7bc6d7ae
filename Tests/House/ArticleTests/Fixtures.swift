import Foundation

/// What the articles' tests share.
enum Fixtures {
  /// The top of the package, found from this file so that the tests run from any folder.
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of a file of the package.
  static func path(_ name: String) -> String { package.appending(path: name).path }
}
