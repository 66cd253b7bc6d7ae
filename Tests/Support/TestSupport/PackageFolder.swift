package import Foundation

/// The top of the package, found from this file so that tests run from any folder.
package let packageFolder = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()
