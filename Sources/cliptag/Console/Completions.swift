import ArgumentParser
import CodeDrawing
import Foundation
import Invocation
import Issuing
import NFCReader
import Registry

/// Completions of names that are known only when the user presses the key: what the registry holds,
/// and what is connected and installed.
extension CompletionKind {
  static var clips: Self { recorded { try $0.clips().map(\.bundleID) } }
  static var experiences: Self { recorded { try $0.experiences().map(\.link.payload) } }
  static var places: Self { recorded { try $0.places().map(\.id) } }
  static var codes: Self { recorded { try $0.codes().map(\.id.description) } }
  /// The texts of codes, and the links that others can begin with.
  static var urls: Self {
    recorded { try $0.codes().map(\.payload) + $0.experiences().map(\.link.payload) }
  }
  static var walks: Self { recorded { try $0.walks().map(\.name) } }
  static var trustedKeys: Self { recorded { try $0.trustedKeys().map(\.name) } }

  static var papers: Self { .list(PaperSize.names) }
  static var registryMappings: Self { .list(DocumentShape.ofRegistryFile.map(\.name)) }
  static var settings: Self { .list(Setting.all.map(\.key)) }
  /// The label stock of cliptag and of the installed templates.
  static var labelStock: Self {
    known { _ in
      try LabelStockLibrary().listing().map(\.name)
    }
  }
  /// The printers with a calibration.
  static var printers: Self {
    known { _ in
      let path = PrinterCalibrations.standardPath(in: ProcessInfo.processInfo.environment)
      return Array(try PrinterCalibrations(path: path).printers.keys)
    }
  }
  /// The connection strings of readers; nothing is sent to a serial port.
  static var readers: Self {
    .custom { _, _, prefix in
      await NFCReader.discover(probing: false).map(\.connectionString).completing(prefix)
    }
  }

  private static func recorded(
    _ names: @escaping @Sendable (any RegistryStore) throws -> [String]
  ) -> Self {
    known { words in
      let location = RegistryLocation.named(SettingsFiles(of: words).registry)
      return try names(try location.open(for: .lookUp, busyTimeout: .seconds(1), by: nil))
    }
  }

  /// A completion of names; none if they cannot be found out.
  private static func known(
    _ names: @escaping @Sendable (_ words: [String]) throws -> [String]
  ) -> Self {
    .custom { words, index, prefix in
      let found = (try? names(words)) ?? []
      // Bash splits a URL at its colon, and replaces only what follows.
      guard words.indices.contains(index), index >= 2, words[index - 1] == ":" else {
        return found.completing(prefix)
      }
      let scheme = words[index - 2] + ":"
      return found.completing(scheme + prefix).map { String($0.dropFirst(scheme.count)) }
    }
  }
}

extension [String] {
  /// The distinct names that begin with a prefix, in order; not more than a person reads.
  fileprivate func completing(_ prefix: String) -> [String] {
    Array(Set(filter { $0.hasPrefix(prefix) && !$0.contains("\n") }).sorted().prefix(200))
  }
}
