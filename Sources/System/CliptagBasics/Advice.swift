/// A next step that libraries advise and that each face words in its own terms: the command with
/// its options, a page or another program in the wording of the libraries.
public enum Advice: Hashable, Sendable {
  // MARK: Registries

  /// Have the owner of a database make a registry: in a database without one, or first of all where
  /// none is known.
  case haveRegistryMade(inDatabase: Bool)
  /// Open another registry, or another registry file.
  case openAnother(isFile: Bool)
  /// Import a registry file, where there is no registry or also another one could be opened.
  case importRegistry(orOpenAnother: Bool)
  /// Restore the registry from a copy, which keeps the damaged file.
  case restoreCopy
  /// Take a file that was exported from a record.
  case takeExported(Export)
  /// Take a record with a signed checkpoint of its end.
  case takeWithCheckpoint
  /// Trust the key of a signer.
  case trustSigner
  /// Verify all of a record.
  case verifyRecord
  /// Verify two records that differ with a checkpoint, or record again what follows the difference.
  case settleFork

  // MARK: Batches

  /// Begin a new batch.
  case beginBatch
  /// Redo the row of this number.
  case redoRow(Int)
  /// Look at the state of the batch.
  case lookAtBatch
  /// Allow tags to be used again.
  case allowReuse
  /// Accept tags of any product.
  case askForNoProduct
  /// Allow duplicate URLs.
  case allowDuplicates

  // MARK: Tags and readers

  /// Restore the mirror with the settings of the dump, or keep its text.
  case restoreMirror
  /// Restore the settings of the dump.
  case restoreSettings
  /// Take the settings of the dump.
  case takeDumpSettings
  /// Risk attempts with a password on a tag that counts wrong ones.
  case riskAttempts
  /// Give the tag's password.
  case givePassword
  /// Lock the tag with the keys with which it was made ready.
  case lockWithKeys
  /// Make the dump of a tag again.
  case makeDumpAgain
  /// Overwrite the tag's content or settings.
  case overwrite
  /// Look at the tag's content.
  case lookAtTag
  /// Repair the speed of a reader.
  case repairSpeed
  /// Ask for a diagnosis of the reader.
  case diagnoseReader

  // MARK: Positions

  /// Give the accuracy of pictures' positions.
  case giveAccuracy
  /// Give the position.
  case givePosition

  // MARK: App Store Connect and the web

  /// Give the application identifier prefix of the team.
  case giveTeam
  /// Take a folder of saved answers.
  case takeSavedAnswers
  /// Save the answers again.
  case saveAnswersAgain
  /// Push so that experiences are removed.
  case pushRemovals
  /// Give the folder of the pictures.
  case givePictureFolder
  /// Allow private addresses.
  case allowPrivateAddresses

  // MARK: Drawing

  /// Write scheme and host in capitals.
  case schemeAndHostInCapitals
  /// Write the host in capitals.
  case hostInCapitals
  /// Give the measures of a sheet of labels.
  case giveSheetMeasures
  /// Look through the templates of labels.
  case lookThroughTemplates
  /// Leave a caption out.
  case leaveOutCaption
  /// Print no names of items.
  case leaveOutItemName
  /// Give a text more room.
  case giveMoreRoom
  /// Give the picture of a template.
  case giveImage
  /// Give the words of a place on an artwork or template.
  case giveText(String)
  /// See the schema of templates.
  case showTemplateSchema

  /// The kinds of files that are exported from a record.
  public enum Export: String, Hashable, Sendable, CaseIterable {
    /// The ends of the record's chains at one time.
    case checkpoint
    /// A checkpoint that another person signed or time-stamped.
    case witness
    /// The entries of the record, a line each.
    case log
  }
}

extension Advice {
  /// The library's wording: a clause for the sentence around it, or a sentence with its full stop.
  public var text: String {
    switch self {
    case .haveRegistryMade(inDatabase: true): "let the owner of the database make one"
    case .haveRegistryMade(inDatabase: false): "let the owner make it first"
    case .openAnother(isFile: true): "open another file"
    case .openAnother(isFile: false): "open another"
    case .importRegistry(orOpenAnother: true): "Import a registry file, or open another."
    case .importRegistry(orOpenAnother: false): "Import a registry file."
    case .restoreCopy: "restore it from a copy, and keep the damaged file"
    case .takeExported(let export): "use a file exported as a \(export.rawValue)"
    case .takeWithCheckpoint: "use a checkpoint of its end signed by a trusted key"
    case .trustSigner: "Trust the signer's key after confirming its owner."
    case .verifyRecord: "verify all of it"
    case .settleFork: "verify both with a checkpoint, or enter the later changes again"
    case .beginBatch: "begin a new batch"
    case .redoRow(let number): "redo row \(number)"
    case .lookAtBatch: "check the status of the batch"
    case .allowReuse: "allowing reuse"
    case .askForNoProduct: "request no product"
    case .allowDuplicates: "allow duplicates"
    case .restoreMirror:
      "restore the mirror too, with the settings, or freeze the mirror to keep the text"
    case .restoreSettings: "restore the dump's settings, too"
    case .takeDumpSettings: "restoring the settings"
    case .riskAttempts: "risk attempts"
    case .givePassword: "give the tag's password"
    case .lockWithKeys: "lock it with the keys with which it was made ready"
    case .makeDumpAgain: "make it again"
    case .overwrite: "overwrite the tag"
    case .lookAtTag: "read its contents"
    case .repairSpeed: "repair its speed"
    case .diagnoseReader: "run ReaderDoctor for the cause"
    case .giveAccuracy: "give the accuracy of such pictures"
    case .givePosition: "give the position"
    case .giveTeam: "give the application identifier prefix, for example ABCDE12345"
    case .takeSavedAnswers: "use a folder of saved responses"
    case .saveAnswersAgain: "save the responses again"
    case .pushRemovals: "a push that removes"
    case .givePictureFolder: "give its folder"
    case .allowPrivateAddresses: "allow private addresses"
    case .schemeAndHostInCapitals: "scheme and host in capitals"
    case .hostInCapitals: "with the host in capitals"
    case .giveSheetMeasures: "give"
    case .lookThroughTemplates: "search the templates"
    case .leaveOutCaption: "leave a caption out"
    case .leaveOutItemName: "leave the names of items out"
    case .giveMoreRoom: "give it more room: a larger page, for example"
    case .giveImage: "an image"
    case .giveText: "as texts"
    case .showTemplateSchema: ""
    }
  }
}
