import Foundation
import TestSupport

/// The places of the built command beside the test bundle, and of the samples beside the tests.
enum Repository {
  /// The path of a file in the repository.
  static func path(_ name: String) -> String { packageFolder.appending(path: name).path }

  /// The command as `swift build` made it: the products folder holds it and the test bundle.
  static let command: String = {
    let bundle = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
    return bundle.deletingLastPathComponent().appending(path: "cliptag").path
  }()
}

/// The sample registry's addresses and positions.
enum Fruta {
  static let cupertino = "https://fruta.example.com/order/cupertino"
  static let sanFrancisco = "https://fruta.example.com/order/san-francisco"
  static let inCupertino = "37.3230,-122.0322"
  static let inSanFrancisco = "37.7749,-122.4194"
}
