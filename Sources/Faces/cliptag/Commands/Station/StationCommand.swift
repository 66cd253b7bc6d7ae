import ArgumentParser
import CliptagBasics
import CliptagPlatform
import Foundation
import Invocation
import Registry
import Synchronization
import Verifying

/// `cliptag station`
struct StationCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "station",
    abstract: "Serve a web page to write tags, print and check codes.",
    discussion: """
      The page is for this computer only, opened with the printed link: a link works \
      once, then the next one is printed. After a restart, open windows continue automatically, and \
      batches from their last state. Programs use the same interface: /api/openapi.json describes it.

      With --listen the station is reachable from its network, without encryption, and phones can send \
      pictures by a link that is valid for ten minutes.

      Locations of codes are not checked at the station without --at.

      Examples:
        cliptag station
        cliptag station --open --reader pn532_uart:/dev/ttyUSB0
        cliptag station --port 0 --prints posters
      """)

  @Option(
    help: ArgumentHelp(
      "The port to listen on, or 0 for any (default: 8642, or the next free one).",
      valueName: "number"))
  var port: UInt16?
  @Flag(help: "Discard previous sessions: every browser needs a new link.")
  var forgetSessions = false
  @Option(
    help: ArgumentHelp(
      "The address to listen on, such as 0.0.0.0 for all of this computer's.", valueName: "address")
  )
  var listen = "127.0.0.1"
  @Flag(help: "Open the page in the browser.")
  var open = false
  @Option(
    help: ArgumentHelp(
      """
      The reader, as a libnfc connection string, or pcsc: and a part of a PC/SC reader's name \
      (default: $CLIPTAG_READER or $LIBNFC_DEVICE, else the first found).
      """,
      valueName: "connstring"))
  var reader: String?
  @Option(
    help: ArgumentHelp(
      "The folder for posters and sheets (default: prints, in this folder).", valueName: "folder"),
    completion: .directory)
  var prints = "prints"
  @OptionGroup var position: PositionOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    var address = in_addr()
    guard inet_pton(AF_INET, listen, &address) == 1 else {
      throw ValidationError(
        "--listen must be this computer's address such as 192.168.1.5, not \(listen.printable).")
    }
    try position.checkSources()
    guard !position.hasReceiver else {
      throw ValidationError("A station has a fixed position: give --at instead of a receiver.")
    }
  }

  func execute(_ console: Console) async throws {
    let registry = try global.registryForWriting()
    for note in registry.notes { console.say("note: \(note.own)") }
    if !listen.hasPrefix("127.") {
      console.say(
        "\(console.error.yellow("warning:")) all devices in the network of \(listen) can reach the station "
          + "and read its traffic; use it in a trusted network only.")
    }
    let evidence = position.at == nil ? LocationEvidence.waived : position.evidenceForReading
    let folder = FileManager.default.currentDirectoryPath
    let station = try Station(
      .init(
        global: global, matching: matching.matching, reader: reader, address: listen, port: port,
        forgetsSessions: forgetSessions, note: { console.say("note: \($0)") },
        prints: prints.hasPrefix("/") ? prints : "\(folder)/\(prints)",
        verifier: { [messages, global, matching] registry, location, consumes in
          var verifier = Verifier(
            check: InvocationCheck(
              directory: RegistryDirectory(registry), engine: matching.matching),
            location: location ?? evidence)
          verifier.options.record = registry
          verifier.options.messages = try messages.check(
            comparingWith: registry, global, consumesUnlessTold: consumes, console)
          return verifier
        }))
    let isFirst = FirstTime()
    let file = LinkFile()
    try await station.run { [open] link in
      guard isFirst.take() else {
        file.remove()
        return console.say("another browser: \(link)")
      }
      console.result(
        of: StationLink(url: link, listen: listen),
        text: "\(link)")
      console.flush()
      if open { file.show(link, console) }
      console.say("Open the link in a browser; stop with Ctrl-C the station.")
    }
  }
}

/// The `station` object of the command: where a browser gets in.
private struct StationLink: Encodable {
  /// The type of the object.
  let type = "station"
  /// The link that opens a session, once.
  let url: String
  /// The address at which the station listens.
  let listen: String
}

/// A file that leads a browser to the link, readable by this user only: every user of the computer
/// can see the arguments of programs. It exists until the link is used.
private final class LinkFile: Sendable {
  private let folder = Mutex<ScratchFolder?>(nil)

  /// Opens the link in the user's browser.
  func show(_ link: String, _ console: Console) {
    guard let folder = ScratchFolder() else {
      return console.say("No space is left for temporary files: open the link manually.")
    }
    let path = folder.path + "/open.html"
    let page = """
      <!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=\(link)">
      <a href="\(link)">cliptag station</a>

      """
    guard
      FileManager.default.createFile(
        atPath: path, contents: Data(page.utf8), attributes: [.posixPermissions: 0o600])
    else { return console.say("\(path) cannot be written: open the link manually.") }
    self.folder.withLock { $0 = folder }
    let browser = Process()
    browser.executableURL = URL(filePath: "/usr/bin/env")
    browser.arguments = ["xdg-open", path]
    browser.standardOutput = FileHandle.nullDevice
    browser.standardError = FileHandle.nullDevice
    do { try browser.run() } catch { console.say("xdg-open is missing: open the link manually.") }
  }

  func remove() { folder.withLock { $0 = nil } }
}

/// Whether something happens for the first time.
private final class FirstTime: Sendable {
  private let isOver = Mutex(false)

  func take() -> Bool {
    isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
  }
}
