/// The step that adds to a stop the time at which its picture was taken and the findings about the
/// stop, and to a place its language. Empty columns are those of earlier rows.
enum WalkStep {
  /// The format with these columns.
  static let format = 16

  static let file = """
    ALTER TABLE walk_stop ADD COLUMN taken INTEGER;
    ALTER TABLE walk_stop ADD COLUMN findings TEXT;
    ALTER TABLE place ADD COLUMN language TEXT;
    """

  static let server = [
    "ALTER TABLE walk_stop ADD COLUMN taken bigint, ADD COLUMN findings text COLLATE \"C\"",
    "ALTER TABLE place ADD COLUMN language text COLLATE \"C\"",
  ]
}
