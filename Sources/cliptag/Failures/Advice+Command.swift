import CliptagBasics

extension Advice {
  /// The wording of the command, with its options and commands.
  private var commandText: String {
    switch self {
    case .haveRegistryMade(inDatabase: true):
      "have the owner of the database make one with cliptag registry init"
    case .haveRegistryMade(inDatabase: false):
      "have the owner make it with cliptag registry init"
    case .openAnother(isFile: true): "name another file with --registry"
    case .openAnother(isFile: false): "name another with --registry"
    case .importRegistry(orOpenAnother: true):
      "Make one with cliptag registry import FILE, or name another with --registry."
    case .importRegistry(orOpenAnother: false): "Make one: cliptag registry import FILE"
    case .takeExported(.checkpoint): "name a file that cliptag code checkpoint made"
    case .takeExported(.witness): "name a file that cliptag code witness made"
    case .takeExported(.log): "name a file that cliptag code export --format jsonl made"
    case .takeWithCheckpoint:
      "name one with --checkpoint that a key of registry trust signed, or give --accept-unsigned: then "
        + "whoever wrote the file may have made it up"
    case .trustSigner:
      "Trust the signer's key, if you have it from them: cliptag registry trust add KEY --name NAME"
    case .verifyRecord: "look at all of it with cliptag code verify"
    case .settleFork:
      "check both with cliptag code verify and a checkpoint, or take what follows with --retell-forks"
    case .beginBatch: "name a new batch with --batch"
    case .redoRow(let number): "add --redo \(number)"
    case .lookAtBatch: "look at the batch with --status"
    case .allowReuse: "--reuse"
    case .askForNoProduct: "leave --type out"
    case .allowDuplicates: "add --allow-duplicates"
    case .restoreMirror:
      "restore the mirror too (--configuration), or keep the text (--freeze-mirror)"
    case .restoreSettings: "restore the dump's settings too (--configuration)"
    case .takeDumpSettings: "--configuration"
    case .riskAttempts: "add --try-anyway"
    case .givePassword: "give the tag's password with --password-file"
    case .makeDumpAgain: "make it again with cliptag tag dump"
    case .overwrite: "add --overwrite"
    case .lookAtTag: "look at it with tag info"
    case .repairSpeed: "reader doctor --repair"
    case .diagnoseReader: "run cliptag reader doctor"
    case .giveAccuracy: "give --accuracy METRES for such pictures"
    case .givePosition: "give the position with --at"
    case .giveTeam:
      "give the application identifier prefix with --team, for example --team ABCDE12345"
    case .takeSavedAnswers: "name the folder that --save made"
    case .saveAnswersAgain: "save the answers again with --save"
    case .pushRemovals: "--remove"
    case .givePictureFolder: "its folder with --images"
    case .allowPrivateAddresses: "add --allow-private-addresses"
    case .schemeAndHostInCapitals: "scheme and host in capitals (--compact)"
    case .hostInCapitals: "with --compact"
    case .giveSheetMeasures: "give --template"
    case .lookThroughTemplates: "see --list-templates"
    case .leaveOutCaption: "leave a --caption out"
    case .giveMoreRoom: "take a larger --paper"
    }
  }

  /// The wording of the face that runs the job.
  var own: String { InputNames.areOptions ? commandText : text }
}

extension Hint {
  /// The text in the wording of the face that runs the job: the command with its options, the
  /// station in the library's wording.
  var own: String { text(wording: \.own) }
}
