import ArgumentParser
import Foundation
import Invocation
import Registry
import TagAuthenticity

extension CodeCommand {
  /// `cliptag code verify [ID…]`
  struct Verify: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check that nobody changed the record of what happened to codes.",
      discussion: """
        Every entry is bound by its hash to all that were made before it. What was altered, is \
        missing or changed its place is named with its recorder and number, and the exit status is \
        1. That entries were cut off the end, or everything was written anew, only a checkpoint \
        tells. With --log an exported log is checked, for which no registry is needed.

        Examples:
          cliptag code verify
          cliptag code verify c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E
          cliptag code verify --checkpoint record.checkpoint \\
            --public-key record.key.pub
          cliptag code verify --log record.jsonl
        """)

    @Argument(help: "Only what concerns these codes; without names, everything.")
    var ids: [String] = []
    @Option(
      help: ArgumentHelp(
        "A log that code export wrote, instead of the registry; - for standard input.",
        valueName: "file"),
      completion: .file(extensions: ["jsonl"]))
    var log: String?
    @Option(
      help: ArgumentHelp("A checkpoint to compare with.", valueName: "file"), completion: .file())
    var checkpoint: String?
    @Option(
      help: ArgumentHelp(
        "The public key of whoever signed the checkpoint, in PEM.", valueName: "file"),
      completion: .file())
    var publicKey: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard (checkpoint == nil) == (publicKey == nil) else {
        throw ValidationError("--checkpoint and --public-key go together.")
      }
      try InputFile.checkStandardInputIsSingle([
        ("--log", log), ("--checkpoint", checkpoint), ("--public-key", publicKey),
      ])
    }

    func execute(_ console: Console) async throws {
      let checkpoint = try signedCheckpoint()
      let heads = checkpoint?.heads ?? []
      var found = 0
      let wanted = try wantedCodes(console)
      let tell: (RecordFinding) -> Void = { finding in
        if let wanted, let subject = finding.subject, !wanted.contains(subject) { return }
        found += 1
        console.result(finding.json, text: finding.text(console))
      }
      let chains: [RecordVerifier.Chain]
      if let log {
        var verifier = RecordVerifier(against: heads, report: tell)
        try RecordLog(path: log).forEachEntry { entry throws(RegistryError) in
          try verifier.take(entry)
        }
        verifier.finish()
        chains = verifier.chains.values.sorted { $0.head.recorder < $1.head.recorder }
      } else {
        let registry = try global.registryForReview(console)
        chains = try registry.verifyRecord(against: heads, report: tell)
      }
      for chain in chains { console.result(chain.json, text: chain.text) }
      if found > 0 { console.note(.notAccepted) }
      let entries = chains.reduce(0) { $0 + $1.entries }
      let compared = checkpoint.map {
        ", compared with the checkpoint of \($0.time.registryTimestamp)"
      }
      console.say(
        """
        \(entries) \(entries == 1 ? "entry" : "entries") of \(chains.count) \
        recorder\(chains.count == 1 ? "" : "s")\(compared ?? ""): \
        \(found == 0 ? "nothing was changed" : found == 1 ? "1 finding" : "\(found) findings")
        """)
    }

    private func wantedCodes(_ console: Console) throws -> Set<RecordSubject>? {
      guard !ids.isEmpty else { return nil }
      let registry = log == nil ? try global.registryForReading(nil) : nil
      return Set(
        try ids.map { text in
          guard let id = CodeID(text), try registry.map({ try $0.code(id: id) != nil }) ?? true
          else { throw Failure.notFound("code", text, see: "cliptag code list --all") }
          return .code(id)
        })
    }

    private func signedCheckpoint() throws -> Registry.Checkpoint? {
      guard let checkpoint, let publicKey else { return nil }
      let key = try InputFile.publicKey(publicKey)
      return try Registry.Checkpoint(
        try InputFile.bytes(of: checkpoint, limit: Registry.Checkpoint.maximumByteCount),
        signedBy: key, name: checkpoint)
    }
  }
}

extension RecordFinding {
  fileprivate var json: JSONValue {
    .object([
      ("type", "finding"), ("code", .string(code.rawValue)), ("severity", "error"),
      ("message", .string(message)), ("recorder", JSONValue(recorder?.description)),
      ("number", JSONValue(number)), ("subject", JSONValue(subject?.description)),
    ])
  }

  fileprivate func text(_ console: Console) -> ConsoleText {
    "\(console.output.red("error   ")) \(message) [\(code)]"
  }
}

extension RecordVerifier.Chain {
  fileprivate var json: JSONValue {
    .object([
      ("type", "chain"), ("recorder", .string(head.recorder.description)),
      ("entries", .integer(entries)), ("last", .integer(head.number)),
      ("hash", .string(head.hash.description)), ("findings", .integer(findings)),
    ])
  }

  fileprivate var text: String {
    let verdict = findings == 0 ? "whole" : findings == 1 ? "1 finding" : "\(findings) findings"
    return "recorder \(head.recorder)  \(entries) entries  \(verdict)"
  }
}
