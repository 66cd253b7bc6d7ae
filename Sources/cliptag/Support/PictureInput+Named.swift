import Deployment

extension PictureInput {
  /// The files that were named, and with `--recursive` those below the folders that were; folders
  /// that cannot be read are reported.
  static func named(_ files: [String], recursive: Bool, _ console: Console) -> [PictureInput] {
    files.flatMap { name -> [PictureInput] in
      guard recursive, name != "-", PictureFolder.isFolder(name) else {
        return [PictureInput(path: name)]
      }
      let (inputs, unreadable) = PictureFolder.files(below: name)
      for error in unreadable { console.report(Failure(describing: error)) }
      return inputs
    }
  }
}
