import Invocation
import Registry

extension GlobalOptions {
  /// The registry for looking things up; a missing file is an empty registry, and people are told
  /// unless it is about to be made.
  func registryForReading(_ console: Console?) throws(RegistryError) -> SQLiteRegistry {
    let opened = try SQLiteRegistry(
      path: registryPath, access: .lookUp, busyTimeout: .seconds(registryWait))
    if let console {
      for note in opened.notes { console.say("note: \(note)") }
    }
    return opened
  }

  /// The registry for changing; a missing file is created.
  func registryForWriting() throws(RegistryError) -> SQLiteRegistry {
    // A folder that somebody named is expected to exist: a mistyped one is not created.
    try SQLiteRegistry(
      path: registryPath, access: .change, createsFolder: !isRegistryNamed,
      busyTimeout: .seconds(registryWait))
  }

  /// The registry for a command that changes it. A dry run gets a copy in memory, so that whatever
  /// would stop the change stops the dry run as well.
  func registryForChange(
    dryRun: Bool, _ console: Console
  ) throws(RegistryError) -> any RegistryStore {
    dryRun ? try registryForReading(console).rehearsal() : try registryForWriting()
  }
}

extension SQLiteRegistry {
  /// A copy in memory of what decides whether a change is possible: all but retired codes, and
  /// codes whose place was removed.
  fileprivate func rehearsal() throws(RegistryError) -> MemoryRegistry {
    let (document, codes) = try read { registry throws(RegistryError) in
      (try registry.document(), try registry.codes(CodeFilter(status: .issued)))
    }
    let places = Set(document.places.map(\.id))
    let copy = MemoryRegistry()
    try copy.write { registry throws(RegistryError) in
      try registry.apply(document)
      for code in codes where code.placeID.map(places.contains) ?? true {
        try registry.issue(code, by: Operator.name)
      }
    }
    return copy
  }
}
