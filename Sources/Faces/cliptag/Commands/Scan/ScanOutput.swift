import CliptagBasics
import Jobs
import Pictures
import Verifying

/// Shows what is observed in the pictures of one run.
struct ScanOutput: Sendable {
  private let console: Console
  private let pictures: Int
  /// Whether folders were walked through, in which there may be nothing.
  private let hasFolders: Bool
  private let bar: ProgressBar
  private var done = 0
  private var remarks = SaidRemarks()

  init(pictures: Int, hasFolders: Bool = false, console: Console) {
    self.console = console
    self.pictures = pictures
    self.hasFolders = hasFolders
    bar = ProgressBar(console)
  }

  /// Shows one step.
  mutating func show(_ event: ScanPictures.Event) {
    switch event {
    case .observed(let seen): show(seen)
    case .scanned(let scanned): end(scanned)
    case .drawn(let drawing): console.result(of: drawing, text: ConsoleText(drawing.text))
    case .notReadAgain(let source, let error):
      console.report(Failure(describing: error, source: source))
    case .notDrawn(let output, let error): console.report(.notDrawn(output, error))
    }
  }

  private mutating func show(_ seen: CodeObservation) {
    bar.hide()
    for code in seen.codes {
      if let failure = code.failure {
        console.report(Failure(describing: failure, source: seen.source))
      } else {
        console.show(code, isRepeating: remarks.isSaid(of: code))
      }
    }
    if let failure = seen.failure {
      console.report(Self.failure(failure))
    } else {
      for symbol in seen.unread { console.say("\(seen.source): \(symbol.sentence)") }
      console.sayWhatWasLeft(seen)
    }
    switch seen.end {
    case .notAPicture: console.detail("skipped \(seen.source): not a picture")
    case .nothingFound: console.report(seen.nothingFound())
    case .finished, .timedOut, nil: break
    }
    if seen.end != nil {
      done += 1
      bar.show(done, of: pictures)
    }
  }

  private func end(_ scanned: ScanPictures.Output) {
    bar.hide()
    guard hasFolders else { return }
    let skipped = scanned.skippedCount
    if skipped == scanned.count {
      console.report(
        Failure(
          "no-pictures", .nothingFound, "The given files and folders contain no picture.",
          hint: "Give a folder with pictures; hidden files are skipped."))
    } else if skipped > 0 {
      console.say(
        "skipped \(skipped.of("file")) that "
          + "\(skipped == 1 ? "is no picture" : "are no pictures")")
    }
  }

  /// Returns the failure of a folder, whose requirements only the command knows.
  private static func failure(_ error: any Error) -> Failure {
    guard let error = error as? PictureError, error.code == .isDirectory else {
      return Failure(describing: error)
    }
    return Failure(
      error.code.rawValue, .noInput, error.message,
      hint: "Add --recursive to scan the pictures in it.", source: error.source)
  }
}

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
