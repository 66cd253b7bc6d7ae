import Jobs
import ArgumentParser
import Foundation
import Issuing
import Registry
import TagAuthenticity

extension CodeCommand {
  /// `cliptag code witness CHECKPOINT`
  struct Witness: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "witness",
      abstract: "Certify the existence of a checkpoint with another key.",
      discussion: """
        The owner of the key of checkpoints can backdate one. The \
        witness is independent of the record: it signs the SHA-256 of the checkpoint's file and the \
        current time, with another private key. code verify --witness checks it.

        Examples:
          cliptag code checkpoint --make-key witness.key
          cliptag code witness record.checkpoint --public-key record.key.pub \\
            --key witness.key -o record.witness
        """)

    @Argument(
      help: ArgumentHelp("A checkpoint, or - for standard input.", valueName: "checkpoint"),
      completion: .file())
    var checkpoint: String
    @Option(
      help: ArgumentHelp(
        "The public key of the checkpoint's signer, in PEM.", valueName: "file"),
      completion: .file())
    var publicKey: String
    @Option(
      help: ArgumentHelp(
        "The witness's private key: Ed25519, PKCS #8 in PEM, unencrypted.", valueName: "file"),
      completion: .file())
    var key: String
    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("The file of the witness (default: standard output).", valueName: "file"),
      completion: .file())
    var output: String?
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned output.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      try InputFile.checkStandardInputIsSingle([
        ("the checkpoint", checkpoint), ("--public-key", publicKey), ("--key", key),
      ])
    }

    func execute(_ console: Console) async throws {
      let bytes = try InputFile.bytes(
        of: checkpoint, limit: Registry.Checkpoint.maximumByteCount)
      _ = try Registry.Checkpoint(
        bytes, signedBy: try InputFile.publicKey(publicKey), name: checkpoint)
      let witness = try CheckpointWitness(of: bytes, at: Date())
      let text = try witness.signed(with: try InputFile.privateKey(key))
      let file = output.flatMap { $0 == "-" ? nil : $0 }
      if let file, !dryRun { try AtomicFile(path: file, bytes: Array(text.utf8)).commit() }
      if file == nil, !console.json {
        console.write(Array(text.utf8))
        return
      }
      console.result(
        of: MadeWitnessResult(
          witness, text: text, source: checkpoint, output: file, isRehearsal: dryRun),
        text: "\(dryRun ? "would write" : "wrote") \(file ?? "-")")
    }
  }
}
