import CliptagBasics

extension Advice {
  /// The wording of the command, with its options and commands.
  private var commandText: String {
    switch self {
    case .haveRegistryMade(inDatabase: true):
      "let the owner of the database make one with cliptag registry init"
    case .haveRegistryMade(inDatabase: false):
      "let the owner make it with cliptag registry init"
    case .openAnother(isFile: true): "give another file with --registry"
    case .openAnother(isFile: false): "give another with --registry"
    case .importRegistry(orOpenAnother: true):
      "Begin one with cliptag registry init --example registry.yaml, or give another with --registry."
    case .importRegistry(orOpenAnother: false):
      "Begin one: cliptag registry init --example registry.yaml"
    case .restoreCopy:
      "restore a copy with cliptag registry restore, which keeps the damaged file; without one, save what "
        + "can be read with registry export and code export"
    case .takeExported(.checkpoint): "give a file from cliptag code checkpoint"
    case .takeExported(.witness): "give a file from cliptag code witness"
    case .takeExported(.log): "give a file from cliptag code export --format jsonl"
    case .takeWithCheckpoint:
      "give one with --checkpoint signed by a key of registry trust, or give --accept-unsigned: then "
        + "its entries may be forged"
    case .trustSigner:
      "Trust the signer's key after confirming it: cliptag registry trust add KEY --name NAME"
    case .verifyRecord: "verify all of it with cliptag code verify"
    case .settleFork:
      "check both with cliptag code verify and a checkpoint, or import the rest with --retell-forks"
    case .beginBatch: "give a new batch with --batch"
    case .redoRow(let number): "add --redo \(number)"
    case .lookAtBatch: "check the batch with --status"
    case .allowReuse: "--reuse"
    case .askForNoProduct: "leave --type out"
    case .allowDuplicates: "add --allow-duplicates"
    case .restoreMirror:
      "restore the mirror too (--configuration), or store the text (--freeze-mirror)"
    case .restoreSettings: "restore the dump's settings too (--configuration)"
    case .takeDumpSettings: "--configuration"
    case .riskAttempts: "add --try-anyway"
    case .givePassword: "give the tag's password with --password-file"
    case .lockWithKeys:
      "lock it with --keys FILE, the keys with which tag provision made it ready"
    case .makeDumpAgain: "make it again with cliptag tag dump"
    case .overwrite: "add --overwrite"
    case .lookAtTag: "check it with tag info"
    case .repairSpeed: "run cliptag reader doctor --repair"
    case .diagnoseReader: "run cliptag reader doctor"
    case .giveAccuracy: "give --accuracy METRES for such pictures"
    case .givePosition: "give the position with --at"
    case .giveTeam:
      "give the application identifier prefix with --team, for example --team ABCDE12345"
    case .takeSavedAnswers: "give the folder from --save"
    case .saveAnswersAgain: "save the responses again with --save"
    case .pushRemovals: "--remove"
    case .givePictureFolder: "its folder with --images"
    case .allowPrivateAddresses: "add --allow-private-addresses"
    case .schemeAndHostInCapitals: "scheme and host in capitals (--compact)"
    case .hostInCapitals: "with --compact"
    case .giveSheetMeasures: "give --template"
    case .lookThroughTemplates: "see --list-templates"
    case .giveImage: "it with --image"
    case .giveText(let name): "with --text \(name)=…"
    case .showTemplateSchema: ": cliptag poster --show-template schema"
    case .leaveOutCaption: "leave a --caption out"
    case .leaveOutItemName: "leave --item-name out"
    case .giveMoreRoom: "use a larger --paper"
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
