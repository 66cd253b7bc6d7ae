import CliptagBasics
import CodeDrawing
public import Foundation
public import Invocation
import Issuing
public import Registry

/// The registry and the settings that jobs work with, opened and read once.
public struct Workplace: Sendable {
  /// The registry.
  public let registry: any RegistryStore
  /// The person in the record's entries.
  public let person: String
  /// The comparison of link prefixes.
  public var engine: PrefixEngine
  /// The reader of jobs that work on a tag.
  public var reader = TagReader()
  /// The printer that takes the PDF files of jobs that print; `nil` for none.
  public var printer: PrinterQueue?
  /// The clock of the record's entries.
  public var now: @Sendable () -> Date
  /// The creation time that files state, in seconds since 1970; `nil` states none
  /// (`SOURCE_DATE_EPOCH`, reproducible-builds.org).
  public var creationTime: Int?

  /// Makes a workplace around an opened registry.
  ///
  /// - Parameters:
  ///   - registry: The registry.
  ///   - person: The person in the record's entries; `nil` for the one the registry was opened by.
  ///   - engine: The comparison of link prefixes.
  ///   - creationTime: The creation time that files state, in seconds since 1970.
  ///   - now: The clock.
  public init(
    registry: any RegistryStore, person: String? = nil, engine: PrefixEngine = .segment,
    creationTime: Int? = nil, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.registry = registry
    self.person = person ?? registry.who
    self.engine = engine
    self.creationTime = creationTime
    self.now = now
  }

  /// The creation time that a file states: a file for a printing condition needs one.
  func creationTime(of condition: PrintingCondition?) -> Int? {
    creationTime ?? condition.map { _ in Int(bounded: now().timeIntervalSince1970) }
  }

  /// Opens a registry and makes a workplace around it.
  ///
  /// - Parameters:
  ///   - name: The path of a file, which is created if it is missing, or the address of a server,
  ///     `postgresql://host/database`.
  ///   - person: The person in the record's entries; `nil` for the login of this process.
  /// - Throws: `RegistryError`. Blocks while another process holds the registry's lock, for 10
  ///   seconds at most.
  public init(registry name: String, person: String? = nil) throws(RegistryError) {
    self.init(registry: try RegistryLocation.named(name).open(by: person))
  }

  /// The check of this workplace.
  var check: InvocationCheck { InvocationCheck(directory: registry, engine: engine) }

  /// The ledger of this workplace.
  var ledger: CodeLedger { CodeLedger(registry: registry, who: person, now: now) }

  /// The issuer of this workplace.
  func issuer(isRehearsal: Bool) -> Issuer {
    Issuer(registry: registry, who: person, engine: engine, isRehearsal: isRehearsal, now: now)
  }
}
