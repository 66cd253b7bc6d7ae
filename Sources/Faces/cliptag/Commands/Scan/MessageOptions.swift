import ArgumentParser
import CliptagBasics
import CliptagPlatform
import Foundation
import Registry
import Synchronization
import Verifying

/// Options for the verification of Secure Unique NFC messages.
struct MessageOptions: ParsableArguments {
  @OptionGroup var file: KeyFileOptions

  @Flag(
    inversion: .prefixedNo,
    help: """
      Consume a verified message, so that a copy of it is rejected (default: for \
      tag read, scan and audit; check only compares).
      """)
  var consume: Bool?

  /// Returns the check, or `nil` if there are no keys.
  ///
  /// - Parameters:
  ///   - registry: The registry with the counters.
  ///   - consumesUnlessTold: Whether the command uses messages up by default.
  func check(
    comparingWith registry: any RegistryStore, _ global: GlobalOptions, consumesUnlessTold: Bool,
    _ console: Console
  ) throws -> SecureMessageCheck? {
    guard let keys = try file.read(console) else { return nil }
    guard consume ?? consumesUnlessTold else {
      return SecureMessageCheck(keys: keys, counting: .comparing(registry))
    }
    let opening = OpenedOnce { () throws(RegistryError) in try global.registryForWriting() }
    return SecureMessageCheck(
      keys: keys,
      counting: .remembering { () throws(RegistryError) in try opening.registry() })
  }

  /// The key file that was named.
  var keys: String? { file.keys }
}

/// The option for the key file.
struct KeyFileOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The keys of tags that make Secure Unique NFC messages; - for standard input.",
      discussion: """
        Default: $CLIPTAG_KEYS, else $XDG_CONFIG_HOME/cliptag/keys.yaml or \
        ~/.config/cliptag/keys.yaml if it exists.
        """,
      valueName: "file"),
    completion: .file(extensions: ["yaml"]))
  var keys: String?

  /// Reads the key file that the user named, or the one at the usual place; `nil` if there is none.
  func read(_ console: Console) throws -> SecureMessageKeys? {
    guard let path = try keyFile else { return nil }
    let bytes = try InputFile.bytes(of: path, limit: SecureMessageKeys.maximumSize)
    let keys: SecureMessageKeys
    do throws(RegistryError) {
      keys = try SecureMessageKeys.read(Data(bytes), name: path)
    } catch {
      let failures = Failure.all(of: error, source: path)
      for failure in failures.dropLast() { console.report(failure) }
      throw failures[failures.count - 1]
    }
    try InputFile.refuseOpenSecret(path)
    return keys
  }

  /// Reads the key file of a command that does nothing without one.
  func required(_ console: Console) throws -> SecureMessageKeys {
    guard let keys = try read(console) else {
      throw ValidationError("Give the file with the keys: --keys FILE, or $CLIPTAG_KEYS.")
    }
    return keys
  }

  /// The key file that the user named, or the one at the usual place; `nil` if there is none.
  private var keyFile: String? {
    get throws {
      if let named = keys ?? GlobalOptions.setting("CLIPTAG_KEYS") { return named }
      let usual = GlobalOptions.configurationFolder + "/keys.yaml"
      return try PlainFile.facts(at: usual) == nil ? nil : usual
    }
  }
}

/// A registry that is opened for changes when it is first needed, and then kept.
private final class OpenedOnce: Sendable {
  private let opened = Mutex<(any RegistryStore)?>(nil)
  private let open: @Sendable () throws(RegistryError) -> any RegistryStore

  init(_ open: @escaping @Sendable () throws(RegistryError) -> any RegistryStore) {
    self.open = open
  }

  func registry() throws(RegistryError) -> any RegistryStore {
    try opened.withLock { (opened) throws(RegistryError) -> any RegistryStore in
      if let opened { return opened }
      let registry = try open()
      opened = registry
      return registry
    }
  }
}
