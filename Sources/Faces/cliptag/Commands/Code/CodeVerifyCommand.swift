import Jobs
import CliptagBasics
import ArgumentParser
import Foundation
import Invocation
import Registry
import TagAuthenticity

extension CodeCommand {
  /// `cliptag code verify [ID…]`
  struct Verify: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Verify the record of codes.",
      discussion: """
        The hash of every entry covers all previous ones. Altered, \
        missing or moved entries are listed with recorder and number, and the exit status is \
        1. Only a checkpoint reveals entries removed at the end, or a rewritten \
        record. With --log, checks an exported log without a registry.

        The owner of the key of checkpoints can backdate one. A witness (code witness) \
        or a time-stamp authority (RFC 3161, checked by OpenSSL) proves its time.

        Examples:
          cliptag code verify
          cliptag code verify c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E
          cliptag code verify --checkpoint record.checkpoint \\
            --public-key record.key.pub
          cliptag code verify --log record.jsonl
          cliptag code verify --checkpoint record.checkpoint \\
            --public-key record.key.pub --witness record.witness \\
            --witness-key witness.key.pub
        """)

    @Argument(help: "Only these codes (default: all).", completion: .codes)
    var ids: [String] = []
    @Option(
      help: ArgumentHelp(
        "A log from code export, instead of the registry; - for standard input.",
        valueName: "file"),
      completion: .file(extensions: ["jsonl"]))
    var log: String?
    @Option(
      help: ArgumentHelp("A checkpoint to compare with.", valueName: "file"), completion: .file())
    var checkpoint: String?
    @Option(
      help: ArgumentHelp(
        "The public key of the checkpoint's signer, in PEM.", valueName: "file"),
      completion: .file())
    var publicKey: String?
    @Option(
      help: ArgumentHelp("A witness of the checkpoint, made by code witness.", valueName: "file"),
      completion: .file())
    var witness: String?
    @Option(
      help: ArgumentHelp("The public key of the witness, in PEM.", valueName: "file"),
      completion: .file())
    var witnessKey: String?
    @Option(
      help: ArgumentHelp(
        "A time-stamp authority's reply over the checkpoint's file (RFC 3161, DER).",
        valueName: "file"),
      completion: .file(extensions: ["tsr"]))
    var timeStamp: String?
    @Option(
      help: ArgumentHelp(
        "Trusted certificates of time-stamp authorities, in PEM.", valueName: "file"),
      completion: .file(extensions: ["pem", "crt"]))
    var timeStampAuthority: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      for (one, other, names) in [
        (checkpoint, publicKey, "--checkpoint and --public-key"),
        (witness, witnessKey, "--witness and --witness-key"),
        (timeStamp, timeStampAuthority, "--time-stamp and --time-stamp-authority"),
      ] where (one == nil) != (other == nil) {
        throw ValidationError("\(names) must be given together.")
      }
      if checkpoint == nil, witness != nil || timeStamp != nil {
        throw ValidationError("--witness and --time-stamp need --checkpoint.")
      }
      try InputFile.checkStandardInputIsSingle([
        ("--log", log), ("--checkpoint", checkpoint), ("--public-key", publicKey),
        ("--witness", witness), ("--witness-key", witnessKey), ("--time-stamp", timeStamp),
        ("--time-stamp-authority", timeStampAuthority),
      ])
    }

    func execute(_ console: Console) async throws {
      let checkpoint = try signedCheckpoint(console)
      let heads = checkpoint?.heads ?? []
      var found = 0
      let wanted = try wantedCodes(console)
      let tell: (RecordFinding) -> Void = { finding in
        if let wanted, let subject = finding.subject, !wanted.contains(subject) { return }
        found += 1
        console.result(of: RecordFindingResult(finding), text: finding.text(console))
      }
      let chains: [RecordVerifier.Chain]
      var isCopy = false
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
        isCopy = try !chains.isEmpty && !registry.isContinued()
      }
      for chain in chains { console.result(of: ChainResult(chain), text: chain.text) }
      if found > 0 { console.note(.notAccepted) }
      let entries = chains.reduce(0) { $0 + $1.entries }
      let compared = checkpoint.map {
        ", compared with the checkpoint of \($0.time.registryTimestamp)"
      }
      console.say(
        """
        \(entries.of("entry", "entries")) of \(chains.count.of("recorder"))\(compared ?? ""): \
        \(found > 0 ? found.of("finding") : isCopy
          ? "no entry was changed; none of these recorders is yours here, as in a copy" : "nothing was changed")
        """)
    }

    private func wantedCodes(_ console: Console) throws -> Set<RecordSubject>? {
      guard !ids.isEmpty else { return nil }
      let registry = log == nil ? try global.registryForReading(nil) : nil
      return Set(
        try ids.map { text in
          guard let id = try registry.map({ try $0.code(called: text)?.id }) ?? CodeID(text)
          else { throw Failure.notFound("code", text, see: "cliptag code list --all") }
          return .code(id)
        })
    }

    private func signedCheckpoint(_ console: Console) throws -> Registry.Checkpoint? {
      guard let checkpoint, let publicKey else { return nil }
      let key = try InputFile.publicKey(publicKey)
      let bytes = try InputFile.bytes(
        of: checkpoint, limit: Registry.Checkpoint.maximumByteCount)
      let read = try Registry.Checkpoint(bytes, signedBy: key, name: checkpoint)
      if let witness, let witnessKey {
        let seen = try CheckpointWitness(
          try InputFile.bytes(of: witness, limit: Registry.Checkpoint.maximumByteCount),
          signedBy: try InputFile.publicKey(witnessKey), of: bytes, name: witness)
        tell("witness", witness, seen.time, console)
      }
      if let timeStamp, let timeStampAuthority {
        tell("time-stamp", timeStamp, try stampTime(timeStamp, timeStampAuthority, bytes), console)
      }
      return read
    }

    private func stampTime(
      _ path: String, _ authority: String, _ checkpoint: [UInt8]
    ) throws -> Date {
      let reply = try InputFile.bytes(of: path, limit: TimeStamp.maximumByteCount)
      let certificates = try InputFile.bytes(
        of: authority, limit: TimeStamp.maximumAuthorityByteCount)
      do throws(AuthenticityError) {
        let stamp = try TimeStamp(reply, of: checkpoint, trusting: certificates)
        return Date(timeIntervalSince1970: Double(stamp.secondsSince1970))
      } catch {
        guard error.code == .notAuthentic else {
          throw Failure(
            "unusable-key", .badSetting, "\(authority) contains no certificate in PEM.",
            hint: "Give the certificates published by the authority.", source: authority)
        }
        throw Failure(
          "wrong-time-stamp", .notAccepted, "\(path): \(error.message)",
          hint: "Give the reply for this checkpoint's file, and its authority's root certificate.",
          source: path)
      }
    }

    private func tell(_ kind: String, _ path: String, _ time: Date, _ console: Console) {
      console.result(
        of: WitnessResult(kind: kind, source: path, time: time),
        text: "\(kind) \(path.printable)  the checkpoint existed at \(time.registryTimestamp)")
    }
  }
}

extension RecordFinding {
  fileprivate func text(_ console: Console) -> ConsoleText {
    "\(console.output.red("error   ")) \(message) [\(code)]"
  }
}

extension RecordVerifier.Chain {
  fileprivate var text: String {
    let verdict = findings == 0 ? "whole" : findings.of("finding")
    return "recorder \(head.recorder)  \(entries.of("entry", "entries"))  \(verdict)"
  }
}
