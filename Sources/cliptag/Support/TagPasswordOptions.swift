import ArgumentParser
import Foundation
import Glibc
import NFCReader
import TagTypes

/// The password of a tag that has one. It is never an argument, because other users see those.
struct TagPasswordOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file with the tag's password: 8 hexadecimal digits, or 8, a colon, and 4 for PACK.",
      discussion: """
        Without it: $CLIPTAG_TAG_PASSWORD. For password set it is the one that the tag shall have. A \
        tag without a password is not given any.
        """,
      valueName: "file"),
    completion: .file())
  var passwordFile: String?
  @Flag(help: "Ask for the tag's password on the terminal.")
  var askPassword = false
  @Flag(
    help: """
      Try the password even on a tag that counts wrong ones, which closes for good when there are \
      too many.
      """)
  var tryAnyway = false

  func validate() throws {
    if askPassword, passwordFile != nil {
      throw ValidationError("--ask-password and --password-file exclude each other.")
    }
  }

  /// The password that was given in one of the three ways; `nil` when none was.
  ///
  /// - Throws: ``Failure`` when it cannot be read or is none. The text is never quoted.
  func given(_ console: Console) throws -> TagPassword? {
    if askPassword { return try TagPasswordSource.prompt("Password of the tag").password(console) }
    if let passwordFile { return try TagPasswordSource.file(passwordFile).password(console) }
    let name = "CLIPTAG_TAG_PASSWORD"
    guard ProcessInfo.processInfo.environment[name, default: ""].isEmpty == false else {
      return nil
    }
    return try TagPasswordSource.environment(name).password(console)
  }

  /// The tag, with its password given to it where it has one.
  func open(_ tag: NFCTag, _ console: Console) async throws -> AuthenticatedChannel<NFCTag> {
    guard let password = try given(console) else {
      return AuthenticatedChannel(withoutPassword: tag)
    }
    return try await open(tag, with: password, console)
  }

  /// The tag, with a password given to it if it has one.
  ///
  /// - Parameter other: A password to try where the first is refused, as far as that is safe.
  func open(
    _ tag: NFCTag, with password: TagPassword, orElse other: TagPassword? = nil, _ console: Console
  ) async throws -> AuthenticatedChannel<NFCTag> {
    let channel = try await AuthenticatedChannel.open(
      tag, with: password, orElse: other, riskingAttempts: tryAnyway)
    console.detail(
      channel.isAuthenticated
        ? "the tag took the password" : "the tag asks for no password; none was given to it")
    return channel
  }
}

extension TagPasswordOptions {
  /// The password that was given; else what is typed on the terminal, a new one twice.
  func needed(_ console: Console, isNew: Bool) throws -> TagPassword {
    if let password = isNew && askPassword ? nil : try given(console) { return password }
    return isNew
      ? try TagPasswordSource.promptTwice("New password of the tag", console)
      : try TagPasswordSource.prompt("Password of the tag").password(console)
  }
}

/// Where a password comes from.
enum TagPasswordSource {
  case file(String)
  case environment(String)
  case prompt(String)

  /// Reads the password.
  ///
  /// - Throws: ``Failure``; it never quotes what was read.
  func password(_ console: Console) throws -> TagPassword {
    switch self {
    case .file(let path):
      let bytes = try InputFile.bytes(of: path, limit: 4096)
      warnOfReaders(path, console)
      guard let password = TagPassword(String(decoding: bytes, as: UTF8.self)) else {
        throw malformed("\(path == "-" ? "standard input" : path) does", .malformedInput, path)
      }
      return password
    case .environment(let name):
      guard let password = TagPassword(ProcessInfo.processInfo.environment[name, default: ""])
      else { throw malformed("$\(name) does", .badSetting, nil) }
      return password
    case .prompt(let question):
      guard Prompt.isPossible else {
        throw Failure(
          "no-terminal", .usage, "There is no terminal to ask for a password.",
          hint:
            "Put it into a file that only you can read, and name that file with --password-file.")
      }
      guard let password = TagPassword(try Prompt.secret(question)) else {
        throw malformed("What was typed does", .malformedInput, nil)
      }
      return password
    }
  }

  /// The new password of a tag: from a file, from `$CLIPTAG_NEW_TAG_PASSWORD`, or from the terminal.
  static func new(file: String?, _ console: Console) throws -> TagPassword {
    if let file { return try Self.file(file).password(console) }
    let name = "CLIPTAG_NEW_TAG_PASSWORD"
    guard ProcessInfo.processInfo.environment[name, default: ""].isEmpty else {
      return try Self.environment(name).password(console)
    }
    return try promptTwice("New password of the tag", console)
  }

  /// Asks twice, because nobody sees what is typed.
  static func promptTwice(_ question: String, _ console: Console) throws -> TagPassword {
    let password = try Self.prompt(question).password(console)
    guard try Self.prompt("Once more").password(console) == password else {
      throw Failure(
        "malformed-password", .malformedInput, "The two passwords differ.",
        hint: "Run the command again and type the same password twice.")
    }
    return password
  }

  /// A password file that others may read is no secret.
  private func warnOfReaders(_ path: String, _ console: Console) {
    var status = stat()
    guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_mode & 0o077 != 0
    else { return }
    console.say(
      "\(console.error.yellow("warning:")) others may read or change \(path); chmod 600 \(path)")
  }

  private func malformed(_ what: String, _ status: ExitStatus, _ source: String?) -> Failure {
    Failure(
      "malformed-password", status, "\(what) not hold a tag's password.",
      hint: "A password is 8 hexadecimal digits; with its PACK, a colon and 4 more.",
      source: source)
  }
}
