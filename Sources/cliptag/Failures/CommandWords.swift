/// The sentences of libraries and the command's wording of the same advice.
///
/// Libraries name no option and no command: a program that uses them has neither. In a library's
/// sentence the command replaces the left words with the right ones.
enum CommandWords {
  /// A Boolean value that indicates whether sentences name the command's options: a page has none.
  @TaskLocal static var areWanted = true

  static let all: [(library: String, command: String)] = [
    (
      "Have the owner of the database make one, or open another.",
      "Have the owner of the database make one with cliptag registry init, or name another with --registry."
    ),
    (
      "Have the owner make it first, or open another.",
      "Have the owner make it with cliptag registry init, or name another with --registry."
    ),
    ("or open another file.", "or name another file with --registry."),
    ("Open another file.", "Name another file with --registry."),
    ("or open another.", "or name another with --registry."),
    (
      "Import a registry file, or open another.",
      "Make one with cliptag registry import FILE, or name another with --registry."
    ),
    ("Import a registry file.", "Make one: cliptag registry import FILE"),
    (
      "Take a file that was exported as a checkpoint.",
      "Name a file that cliptag code checkpoint made."
    ),
    ("Take a file that was exported as a witness.", "Name a file that cliptag code witness made."),
    (
      "Take a file that was exported as a log.",
      "Name a file that cliptag code export --format jsonl made."
    ),
    (
      "take it with a checkpoint of its end that a trusted key signed.",
      "name one with --checkpoint that a key of registry trust signed, or give --accept-unsigned: then "
        + "whoever wrote the file may have made it up."
    ),
    (
      "Trust the key of whoever signed it, if it is theirs.",
      "Trust the signer's key, if you have it from them: cliptag registry trust add KEY --name NAME"
    ),
    ("verify all of it.", "look at all of it with cliptag code verify."),
    (
      "verify both with a checkpoint, or tell what follows again.",
      "check both with cliptag code verify and a checkpoint, or take what follows with --retell-forks."
    ),
    ("or begin a new batch.", "or name a new batch with --batch."),
    ("Redo row ", "Add --redo "),
    (
      " to give it another tag, or look at how the batch stands.",
      " to give the row another tag, or look at the batch with --status."
    ),
    ("allowing reuse takes", "--reuse takes"),
    ("or ask for no product.", "or leave --type out."),
    ("or allow duplicates.", "or add --allow-duplicates."),
    ("say how exact such pictures are.", "give --accuracy METRES for such pictures."),
    ("or give the position yourself.", "or give the position with --at."),
    (
      "estore the mirror too, with the settings, or keep the text by freezing the mirror.",
      "estore the mirror too (--configuration), or keep the text (--freeze-mirror)."
    ),
    ("estore the dump's settings, too.", "estore the dump's settings too (--configuration)."),
    ("then risk attempts.", "then add --try-anyway."),
    ("ive the tag's password.", "ive the tag's password with --password-file."),
    ("ive the tag's password,", "ive the tag's password with --password-file,"),
    (
      "Give the application identifier prefix, for example ABCDE12345.",
      "Give the application identifier prefix with --team, for example --team ABCDE12345."
    ),
    ("Take a folder of saved answers.", "Name the folder that --save made."),
    ("Save the answers again.", "Save the answers again with --save."),
    ("a push that removes ends it.", "--remove ends it."),
    ("in the registry, and give its folder.", "in the registry, and its folder with --images."),
    ("is found by repairing its speed", "is found by reader doctor --repair"),
    ("Ask ReaderDoctor what is wrong.", "Run cliptag reader doctor."),
    ("Scheme and host in capitals save", "Scheme and host in capitals (--compact) save"),
    (", with the host in capitals,", ", with --compact,"),
    (
      "Make it again, or take another file.",
      "Make it again with cliptag tag dump, or take another file."
    ),
    ("Overwrite it to change that", "Add --overwrite to change that"),
    (
      "Look at what it holds; overwrite it to replace that.",
      "Look at it with tag info; add --overwrite to replace it."
    ),
    ("give WIDTHxHEIGHT,", "give --template WIDTHxHEIGHT,"),
    ("Look through the templates.", "See --list-templates."),
    ("leave a caption out", "leave a --caption out"),
    ("or give it more room: a larger page, for example.", "or take a larger --paper."),
    ("Allow private addresses if", "Add --allow-private-addresses if"),
  ]
}

extension String {
  /// The library's sentence with the command's options, if a terminal shows it.
  var forCommand: String {
    guard CommandWords.areWanted else { return self }
    return CommandWords.all.reduce(self) { text, words in
      text.contains(words.library) ? text.replacing(words.library, with: words.command) : text
    }
  }
}
