import ArgumentParser
import Foundation

/// `cliptag manual`: writes the man pages and the list of codes. For `make`, not for people.
struct ManualCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the man pages, or the list of codes.",
    shouldDisplay: false)

  @Option(
    name: .long,
    help: ArgumentHelp("The folder for man pages, in man1 and man7.", valueName: "folder"))
  var output: String?

  @Option(name: .long, help: ArgumentHelp("The file for the list of codes.", valueName: "file"))
  var codes: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard output != nil || codes != nil else {
      throw ValidationError("Say with --output or --codes what to write.")
    }
  }

  func execute(_ console: Console) async throws {
    if let codes { try write(CodesArticle.text, to: codes) }
    guard let output else { return }
    let tree = try CommandTree(dumpedHelp: Cliptag._dumpHelp())
    let date = ManualPage.date(SourceDate.seconds ?? Cliptag.released)
    for page in ManualPage.all(of: tree, date: date, version: Cliptag.version) {
      try write(page.text, to: output + "/" + page.path)
    }
  }

  private func write(_ text: String, to path: String) throws(Failure) {
    let file = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw Failure(
        "cannot-create", .cannotCreate, "\(path) cannot be written.",
        hint: "Check the folder, its permissions and the room on the disk.", source: path)
    }
  }
}
