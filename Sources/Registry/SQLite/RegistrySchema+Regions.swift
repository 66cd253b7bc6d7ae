extension RegistrySchema {
  /// A place of several regions: all of them, as one JSON text in the form of a registry file. The
  /// first stands in the older columns, too; a place of one region has nothing here.
  static let regionStep = "ALTER TABLE place ADD COLUMN regions TEXT"
}
