import Foundation
import TestSupport

/// What the articles' tests share.
enum Fixtures {
  /// The path of a file of the package.
  static func path(_ name: String) -> String { packageFolder.appending(path: name).path }
}
