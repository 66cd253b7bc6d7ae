import Invocation
import Registry

extension GlobalOptions {
  /// The registry for looking things up; a missing file is an empty registry, and people are told
  /// unless it is about to be made.
  func registryForReading(_ console: Console?) throws(RegistryError) -> any RegistryStore {
    let opened = try RegistryLocation.file(registryPath).open(
      for: .lookUp, busyTimeout: .seconds(registryWait))
    if let console {
      for note in opened.notes { console.say("note: \(note)") }
    }
    return opened
  }

  /// The registry for changing; a missing file is created.
  func registryForWriting() throws(RegistryError) -> any RegistryStore {
    // A folder that somebody named is expected to exist: a mistyped one is not created.
    try RegistryLocation.file(registryPath).open(
      createsFolder: !isRegistryNamed, busyTimeout: .seconds(registryWait))
  }

  /// The registry for a command that changes it. A dry run gets a copy in memory, so that whatever
  /// would stop the change stops the dry run as well.
  func registryForChange(
    dryRun: Bool, _ console: Console
  ) throws(RegistryError) -> any RegistryStore {
    dryRun
      ? try registryForReading(console).rehearsalCopy(by: Operator.name) : try registryForWriting()
  }
}
