import Foundation
import TestSupport
import Testing

/// The top of the package.
let package = packageFolder
/// The sources of the libraries and the command.
let sources = package.appending(path: "Sources")

/// The Swift files in a folder, by their path below `Sources`.
func swiftFiles(below folder: URL) throws -> [(name: String, text: String)] {
  let files = try #require(
    FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
  var found: [(name: String, text: String)] = []
  for case let file as URL in files where file.pathExtension == "swift" {
    let name = file.path.replacing(sources.path + "/", with: "")
    found.append((name, try String(contentsOf: file, encoding: .utf8)))
  }
  return found
}
