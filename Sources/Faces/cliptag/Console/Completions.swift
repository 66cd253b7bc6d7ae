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
    known { _ in await NFCReader.discover(probing: false).map(\.connectionString) }
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
    _ names: @escaping @Sendable (_ words: [String]) async throws -> [String]
  ) -> Self {
    .custom { words, index, prefix in
      let found = (try? await names(words)) ?? []
      // Bash splits a URL at its colon, and replaces only what follows.
      let isSplit = words.indices.contains(index) && index >= 2 && words[index - 1] == ":"
      let scheme = isSplit ? words[index - 2] + ":" : ""
      // Not more than a person reads.
      return Set(found).filter { $0.hasPrefix(scheme + prefix) && $0.isSafeCompletion }.sorted()
        .prefix(200).map { $0.dropFirst(scheme.count).line(for: .requesting) }
    }
  }
}

extension StringProtocol {
  /// A Boolean value that indicates whether a shell that inserts the name behind a command, quoted as
  /// it does that, passes on the name and nothing else.
  ///
  /// Bash inserts `$` and the grave accent as they are, and zsh `!`; a terminal obeys control
  /// characters, and a name that begins with a hyphen is an option.
  fileprivate var isSafeCompletion: Bool {
    guard let first = unicodeScalars.first, !["-", "~", "="].contains(first) else { return false }
    return !unicodeScalars.contains { ["$", "`", "!", "\\"].contains($0) }
      && String(self).printable.unicodeScalars.elementsEqual(unicodeScalars)
  }

  /// The line that stands for the name in the answer to a shell. The script for bash has each line
  /// expanded (`compgen -W`), and that for zsh takes a colon for the end of the name (`_describe`).
  fileprivate func line(for shell: CompletionShell?) -> String {
    // A letter may have a quotation mark as its first part.
    func replacing(_ mark: UnicodeScalar, with text: String) -> String {
      unicodeScalars.map { $0 == mark ? text : String($0) }.joined()
    }
    return switch shell {
    case .bash: "'" + replacing("'", with: #"'\''"#) + "'"
    case .zsh: replacing(":", with: #"\:"#)
    default: String(self)
    }
  }
}
