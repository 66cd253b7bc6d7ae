extension RegistrySchema {
  /// The last counter that each tag's messages showed. It only rises, whoever writes to the file:
  /// a counter that fell would let a copied message pass again. To begin anew, the row is deleted.
  static let counterStep = """
    CREATE TABLE tag_counter (
      uid TEXT NOT NULL PRIMARY KEY,
      counter INTEGER NOT NULL CHECK (counter BETWEEN 0 AND 16777215),
      seen INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER tag_counter_only_rises BEFORE UPDATE ON tag_counter
    WHEN NEW.counter <= OLD.counter OR NEW.uid IS NOT OLD.uid
    BEGIN SELECT RAISE(ABORT, 'the counter of a tag only rises'); END;
    CREATE TRIGGER tag_counter_is_not_replaced BEFORE INSERT ON tag_counter
    WHEN EXISTS (SELECT 1 FROM tag_counter WHERE uid = NEW.uid AND counter >= NEW.counter)
    BEGIN SELECT RAISE(ABORT, 'the counter of a tag only rises'); END;
    """
}
