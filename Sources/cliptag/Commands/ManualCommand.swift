import ArgumentParser
import Foundation

/// `cliptag manual`: writes the man pages and the list of codes. For `make`, not for people.
struct ManualCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the man pages, or the list of codes.",
    shouldDisplay: false)

  @Option(name: .long, help: ArgumentHelp("The file for the list of codes.", valueName: "file"))
  var codes: String?

  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    if let codes { try write(CodesArticle.text, to: codes) }
  }

  private func write(_ text: String, to path: String) throws(Failure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw Failure(
        "cannot-create", .cannotCreate, "\(path) cannot be written.",
        hint: "Check the folder, its permissions and the room on the disk.", source: path)
    }
  }
}
