extension RegistryError.Code {
  /// Every code with what it means, in one sentence, in the order of the documentation.
  package static let meanings: [(code: Self, text: String)] = [
    (.alreadyExists, "Something in the registry has this name already."),
    (.notFound, "Nothing in the registry has this name."),
    (.inUse, "Something else refers to what was to be removed."),
    (.unknownClip, "The clip is not in the registry, or none was named."),
    (.unknownPlace, "The place is not in the registry."),
    (.alreadyRetired, "The code was retired before."),
    (.foreignWalk, "The walk belongs to another registry, which alone adds to it."),
    (.walkChanged, "A stop does not follow the last one of its walk."),
    (
      .invalid,
      "A clip, experience or place breaks a rule that a registry file would be refused for."
    ),
    (.invalidDocument, "The file has mistakes, each with its line; nothing of it was taken."),
    (.unknownFormat, "The file's ending names no format that is read or written."),
    (.malformedLog, "The file is no log of a record, or a damaged one."),
    (.unreadableLog, "The log of a record does not exist or cannot be read."),
    (.malformedCheckpoint, "The file is no checkpoint, or a damaged one."),
    (.wrongSignature, "The checkpoint's signature is not one of the key that was named."),
    (.brokenRecord, "The record to be merged is not whole: an entry was altered, or is missing."),
    (.forkedRecord, "The record to be merged goes on otherwise with a chain that is here."),
    (.notADatabase, "The registry file is not a database."),
    (.notARegistry, "The registry file is a database of another application."),
    (.newerVersion, "A newer version of cliptag wrote the registry."),
    (.unreadable, "The registry file or its folder cannot be read."),
    (.unwritable, "The registry file or its folder cannot be created or written."),
    (.readOnly, "The registry was opened for looking things up only."),
    (.locked, "Another process kept the registry locked for longer than `--registry-wait`."),
    (.diskFull, "No space is left for the registry."),
    (
      .damaged,
      "The registry is damaged, or holds something that this version cannot have written."
    ),
    (.failed, "Reading or writing the registry failed for another reason."),
    (.batchChanged, "The batch is to go on with other rows than it was begun with."),
    (
      .rowNotFree,
      "The row of the batch is not in the state that the step begins with, or somebody works on it."
    ),
    (.tagInBatch, "The tag belongs to another row of the batch."),
  ]
}
