import Registry

extension GlobalOptions {
  /// The registry for looking things up; a missing file is an empty registry, and people are told
  /// unless it is about to be made.
  func registryForReading(_ console: Console?) throws(RegistryError) -> SQLiteRegistry {
    let opened = try SQLiteRegistry(path: registryPath, access: .lookUp)
    if let console {
      for note in opened.notes { console.say("note: \(note)") }
    }
    return opened
  }

  /// The registry for changing; a missing file is created.
  func registryForWriting() throws(RegistryError) -> SQLiteRegistry {
    // A folder that somebody named is expected to exist: a mistyped one is not created.
    try SQLiteRegistry(path: registryPath, access: .change, createsFolder: !isRegistryNamed)
  }
}
