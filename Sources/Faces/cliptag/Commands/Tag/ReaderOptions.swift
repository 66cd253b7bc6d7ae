import CliptagBasics
import ArgumentParser
import Foundation
import Jobs
import NFCReader
import TagTypes
import Verifying

/// Options for the reader, and for the time to wait for a tag.
struct ReaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The reader, as a libnfc connection string, or pcsc: and a part of a PC/SC reader's name \
      (default: $CLIPTAG_READER or $LIBNFC_DEVICE, else the first found).
      """,
      valueName: "connstring"), completion: .readers)
  var reader: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time limit for a tag, and for each answer of a PC/SC reader.",
      valueName: "seconds"))
  var timeout: Double = 10

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else {
      throw ValidationError("--timeout must be 0 to 86400 seconds, not \(timeout).")
    }
  }

  /// The reader of a job.
  var tagReader: TagReader { TagReader(reader, timeout: .seconds(timeout)) }
}

extension Console {
  /// Shows a step of a job on a tag.
  func show(_ event: TagEvent) {
    switch event {
    case .opened(let reader, let name): detail("reader \(reader): \(name)")
    case .found(let uid): detail("tag \(uid.hexadecimal)")
    case .authenticated(let isAuthenticated):
      detail(
        isAuthenticated
          ? "the tag accepted the password" : "the tag has no password; none was sent")
    case .approved(let approval): warn(of: approval)
    case .warning(let text): warn(text)
    case .note(.cameraBadge):
      warn("the badge of the App Clip Code is a camera; around a tag it must be a phone")
    case .note(.startsCounting): say("note: from now on the tag counts its readings")
    case .note(.unusualType(let name)):
      say("note: Apple requires a Type 5 tag inside an App Clip Code; this is \(name)")
    case .note(.restoration(let note)): say("note: \(note.own)")
    }
  }

  /// Prints warnings for people.
  func warn(_ warnings: [String]) {
    for warning in warnings { warn(warning) }
  }
}

/// The option to accept only genuine tags.
struct OriginalityOptions: ParsableArguments {
  @Flag(
    help: """
      Check the tag's originality signature, and accept only genuine tags. It needs \
      one more exchange. The signature is constant: a chip that copies it and the UID passes.
      """)
  var checkOriginality = false
}

extension Console {
  /// Reads tags one after another, and shows each; a tag that cannot be read is reported.
  ///
  /// - Throws: `NFCReaderError`, with `no-tag` if none came at all.
  func readTags(
    on reader: TagReader, count: Int?, through verifier: Verifier,
    show: (CodeObservation) async -> Void
  ) async throws {
    var job = ReadTags()
    job.count = count
    let opened: (String) -> Void = { _ in self.say("reading tags; stop with Ctrl-C") }
    _ = try await job.run(on: reader, through: verifier, opened: opened) { seen in
      if let failure = seen.failure {
        report(Failure(describing: failure, source: seen.source))
      } else {
        await show(seen)
      }
    }
  }
}
