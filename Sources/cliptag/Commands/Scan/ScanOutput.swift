import Pictures
import Synchronization
import Verifying

/// Shows what comes of the pictures of one run, and sums up what was left out.
final class ScanOutput: Sendable {
  private let console: Console
  private let messageCheck: SecureMessageCheck?
  private let annotation: AnnotationOutput?
  private let bar: ProgressBar?
  private let skipped = Mutex(0)

  init(
    pictures: Int, messageCheck: SecureMessageCheck?, annotation: AnnotationOutput? = nil,
    console: Console
  ) {
    self.console = console
    self.messageCheck = messageCheck
    self.annotation = annotation
    bar = ProgressBar(total: pictures, console: console)
  }

  /// Pictures of folders that were left out.
  var skippedCount: Int { skipped.withLock { $0 } }

  /// Shows one event.
  func show(_ event: PictureBatch.Event, of input: PictureInput) {
    annotation?.note(event, of: input)
    switch event {
    case .finished: bar?.advance()
    case .skipped:
      skipped.withLock { $0 += 1 }
      above { console.detail("skipped \(input.path): no picture") }
    case .code(let code):
      above {
        do {
          let examined = try messageCheck?.examine(code) ?? code
          console.show(examined)
          annotation?.note(examined)
        } catch {
          console.report(Failure(describing: error, source: input.path))
        }
      }
    case .failed(let error): above { console.report(Self.failure(error)) }
    case .unread(let symbol, _):
      above { console.say("\(input.path): \(symbol.sentence)") }
    case .cutShort(let codes, let page):
      above { console.sayCutShort(input.path, page: page, codes: codes) }
    case .nothingFound(let cutShort):
      let name = input.path == "-" ? PictureLoader.standardInputName : input.path
      above {
        console.report(
          Failure(
            "no-code", .nothingFound, "No QR code was found in \(name).",
            hint:
              "Take the picture closer, sharper and straighter; the code needs its white border."
              + (cutShort ? " Or give the search more time with --budget." : ""),
            source: input.path))
      }
    }
  }

  /// Ends the run.
  ///
  /// - Parameter wasFolder: Whether folders were walked through, in which there may be nothing.
  func end(pictures: Int, wasFolder: Bool) {
    bar?.hide()
    guard wasFolder else { return }
    if skippedCount == pictures {
      console.report(
        Failure(
          "no-pictures", .nothingFound, "No picture was found in what was named.",
          hint: "Name a folder that holds pictures; hidden files are left out."))
    } else if skippedCount > 0 {
      console.say(
        "skipped \(skippedCount) file\(skippedCount == 1 ? "" : "s") that "
          + "\(skippedCount == 1 ? "is no picture" : "are no pictures")")
    }
  }

  private func above(_ print: () -> Void) {
    bar?.hide()
    print()
  }

  /// What a folder needs is known to the command only.
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
