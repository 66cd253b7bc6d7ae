extension RegistrySchema {
  /// What App Store Connect holds besides: the keys of a registry file as one JSON text, or nothing,
  /// because it is only ever read and written with its clip or experience.
  static let listingStep = """
    ALTER TABLE clip ADD COLUMN listing TEXT;
    ALTER TABLE experience ADD COLUMN listing TEXT;
    """
}
