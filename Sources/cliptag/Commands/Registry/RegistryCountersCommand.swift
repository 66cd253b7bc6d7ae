import ArgumentParser
import Registry
import TagTypes

extension RegistryCommand {
  /// `cliptag registry counters`
  struct Counters: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the last counters of tags that make Secure Unique NFC messages.",
      discussion: """
        A message with a counter that is not higher is a copy. A tag that was set up again counts \
        from 0: forget its counter, and every message that it made since then is good once more.

        Examples:
          cliptag registry counters
          cliptag registry counters --forget 04DE5F1EACC040 --dry-run
        """)

    @Option(
      help: ArgumentHelp(
        "Forget the counters of these tags, by UID in hexadecimal.", valueName: "uid"))
    var forget: [String] = []

    @Flag(name: [.long, .customShort("n")], help: "Only say what would be forgotten.")
    var dryRun = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
      for uid in forget where [UInt8](separatedHexadecimal: uid)?.isEmpty != false {
        throw ValidationError("--forget takes a UID in hexadecimal; got \(uid).")
      }
    }

    func execute(_ console: Console) async throws {
      guard !forget.isEmpty else {
        for counter in try global.registryForReading(console).tagCounters() {
          show(counter, forgotten: false, console)
        }
        return
      }
      if dryRun {
        let known = try global.registryForReading(console).tagCounters()
        for uid in uids {
          console.attempt(uid) {
            guard let counter = known.first(where: { $0.uid == uid }) else {
              throw RegistryError.noCounter(ofTag: uid)
            }
            show(counter, forgotten: true, console)
          }
        }
      } else {
        let registry = try global.registryForWriting()
        for uid in uids {
          console.attempt(uid) {
            show(try registry.forgetCounter(ofTag: uid), forgotten: true, console)
          }
        }
      }
    }

    /// The UIDs as the registry writes them.
    private var uids: [String] {
      forget.compactMap { [UInt8](separatedHexadecimal: $0)?.hexadecimal }
    }

    private func show(_ counter: TagCounter, forgotten: Bool, _ console: Console) {
      let seen = counter.seen.registryTimestamp
      let words = "tag \(counter.uid)  counter \(counter.counter)  seen \(seen)"
      console.result(
        .object([
          ("type", "counter"), ("uid", .string(counter.uid)),
          ("counter", .integer(counter.counter)), ("seen", .string(seen)),
          ("forgotten", .bool(forgotten && !dryRun)), ("dryRun", .bool(dryRun)),
        ]),
        text: forgotten ? "\(dryRun ? "would forget" : "forgot") \(words)" : words)
    }
  }
}
