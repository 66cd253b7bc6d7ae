import CliptagPlatform
import Jobs
import CliptagBasics
import ArgumentParser
import Foundation
import Issuing
import Registry
import TagAuthenticity

extension CodeCommand {
  /// `cliptag code checkpoint`
  struct Checkpoint: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "checkpoint",
      abstract: "Sign the current record, to detect later removals and changes.",
      discussion: """
        The checkpoint is a small text file: the time, and the last entry of every chain, signed \
        with Ed25519. Store it out of reach of the registry's owner. \
        cliptag code verify compares the record or an exported log with it. The key is created once; \
        its public half, which ends in .pub, is not secret.

        Examples:
          cliptag code checkpoint --make-key record.key
          cliptag code checkpoint --key record.key -o record.checkpoint
        """)

    @Option(
      help: ArgumentHelp(
        "The private key: Ed25519, PKCS #8 in PEM, unencrypted.", valueName: "file"),
      completion: .file())
    var key: String?
    @Option(
      help: ArgumentHelp(
        "Create a new key in this file, and its public half in FILE.pub.", valueName: "file"),
      completion: .file())
    var makeKey: String?
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The file of the checkpoint (default: standard output).", valueName: "file"),
      completion: .file())
    var output: String?
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned output.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard (key == nil) != (makeKey == nil) else {
        throw ValidationError("Give either --key, to sign, or --make-key.")
      }
      if makeKey != nil, output != nil {
        throw ValidationError("--output needs --key.")
      }
      if makeKey == "-" { throw ValidationError("--make-key needs the name of a file.") }
    }

    func execute(_ console: Console) async throws {
      if let makeKey {
        try make(makeKey, console)
      } else if let key {
        try sign(with: key, console)
      }
    }

    private func make(_ path: String, _ console: Console) throws {
      let publicPath = path + ".pub"
      for file in [path, publicPath] where access(file, F_OK) == 0 {
        throw Failure(
          "cannot-create", .cannotCreate, "\(file) already exists; keys are not replaced.",
          hint: "Give another file, or move this one away.", source: file)
      }
      if !dryRun {
        let key = try Ed25519PrivateKey()
        try writeSecret(try key.pem(), to: path)
        try AtomicFile(path: publicPath, bytes: try key.publicKey().pem()).commit()
      }
      console.result(
        of: KeyPairResult(output: path, publicKey: publicPath, isRehearsal: dryRun),
        text: "\(dryRun ? "would make" : "made") \(path), which is secret, and \(publicPath)")
    }

    /// Writes a new file that only its owner may read.
    private func writeSecret(_ bytes: [UInt8], to path: String) throws {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      let isWritten =
        descriptor >= 0 && write(descriptor, bytes, bytes.count) == bytes.count
        && (fsync(descriptor) == 0 || errno == EINVAL)
      let number = errno
      if descriptor >= 0 { close(descriptor) }
      guard isWritten else {
        if descriptor >= 0 { unlink(path) }
        throw Failure(
          "cannot-create", .cannotCreate,
          "\(path) cannot be written: \(String(cString: strerror(number))).",
          hint: "Check the folder and its permissions.", source: path)
      }
    }

    private func sign(with path: String, _ console: Console) throws {
      let key = try InputFile.privateKey(path)
      let checkpoint = Registry.Checkpoint(
        time: Date(), heads: try global.registryForReview(console).chainHeads())
      let text = try checkpoint.signed(with: key)
      let file = output.flatMap { $0 == "-" ? nil : $0 }
      if let file, !dryRun { try AtomicFile(path: file, bytes: Array(text.utf8)).commit() }
      if file == nil, !console.json {
        console.write(Array(text.utf8))
        return
      }
      let result = CheckpointResult(checkpoint, text: text, output: file, isRehearsal: dryRun)
      console.result(
        of: result,
        text: """
          \(dryRun ? "would write" : "wrote") \(file ?? "-"): \(checkpoint.heads.count.of("chain")) \
          with \(result.entries.of("entry", "entries"))
          """)
    }
  }
}
