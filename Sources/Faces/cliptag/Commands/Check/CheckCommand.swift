import CliptagBasics
import ArgumentParser
import Invocation
import Jobs
import Synchronization
import Verifying

/// `cliptag check URL…`
struct CheckCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Show the response of a phone to a payload.",
    discussion: """
      Checks URL rules, association, experience, card and place. The location is confirmed only if a \
      position is given. A Secure Unique NFC message is verified if its keys are known, and \
      compared with the last one of its tag. With - the URLs come from standard input, one a line, and each is \
      checked immediately.

      Examples:
        cliptag check https://fruta.example.com/order/cupertino
        cliptag check https://fruta.example.com/order/cupertino \\
          --at 37.3230,-122.0322
        cliptag check https://fruta.example.com/order/cupertino --explain
        cliptag check https://fruta.example.com/gift --via nfc --ios 18.1
        cliptag check https://fruta.example.com/order/cupertino --installed app \\
          --association Samples/fruta/apple-app-site-association
        cliptag check https://fruta.example.com/order/cupertino \\
          --page Samples/fruta/page.html
        cliptag check https://fruta.example.com/order/cupertino --card card.html
        cliptag check --json - < urls.txt
        cliptag check https://fruta.example.com/order/cupertino \\
          --at 37.3230,-122.0322 --accuracy 3 --position-note "surveyed, indoors"
        cliptag check https://fruta.example.com/order/cupertino \\
          --gpsd 127.0.0.1:2947
        cliptag check --keys keys.yaml --consume - \\
          < Samples/fruta/tapped.txt
      """)

  @Argument(
    help: ArgumentHelp("Payloads to check; - for standard input.", valueName: "url"),
    completion: .urls)
  var urls: [String]

  @OptionGroup(title: "The phone") var phone: PhoneOptions
  @OptionGroup var position: PositionOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    try position.checkSources()
    if phone.cardFile != nil, urls.count != 1 || urls == ["-"] {
      throw ValidationError("--card draws one card: give one URL.")
    }
    if phone.cardFile == "-", global.json {
      throw ValidationError("--card - and --json both write to standard output: give a file.")
    }
  }

  func execute(_ console: Console) async throws {
    let workplace = try global.workplace(matching, isRehearsal: true, console)
    var job = CheckPayloads(PayloadArguments(arguments: urls, console: console))
    job.location = position.evidenceForLookup
    job.options.phone = try await phone.situation()
    job.options.messages = try messages.check(
      comparingWith: workplace.registry, global, consumesUnlessTold: false, console)
    // Input that arrives line by line may come from a moving user.
    job.options.positions = try await position.watch(staysPut: !urls.contains("-"), console)
    let answer = Mutex(PhoneAnswer?.none)
    let showsCard = phone.cardFile == "-"
    let examine = { [job] () async throws in
      _ = try await job.run(in: workplace) { code in
        if showsCard {
          console.say(code.text(console.error))
          console.note(code.verdict == .accepted ? .done : .notAccepted)
        } else {
          console.show(code)
        }
        answer.withLock { $0 = code.phone }
      }
    }
    if urls.contains("-") {
      try await console.gathering(examine)
    } else {
      try await examine()
    }
    if let page = phone.cardPage, let answer = answer.withLock(\.self) {
      try page.write(answer, console)
    }
  }
}

/// The payloads of the arguments, and of the lines of standard input in the place of `-`.
private struct PayloadArguments: AsyncSequence, Sendable {
  let arguments: [String]
  let console: Console

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<String>
    let console: Console
    private var lines: InputLines?
    private var number = 0

    init(_ arguments: [String], _ console: Console) {
      rest = arguments[...]
      self.console = console
    }

    mutating func next() async throws -> CheckPayloads.Payload? {
      while true {
        if let line = try nextLine() { return line }
        guard let argument = rest.popFirst() else { return nil }
        guard argument == "-" else { return .init(argument) }
        (lines, number) = (InputLines(), 0)
      }
    }

    /// Answers the lines that have come before it waits for more.
    private mutating func nextLine() throws -> CheckPayloads.Payload? {
      var wasAwaited = false
      while let bytes = try lines?.next(
        beforeReading: console.flush, afterReading: { wasAwaited = true })
      {
        number += 1
        guard !bytes.isEmpty else { continue }
        guard let line = String(validating: bytes, as: UTF8.self) else {
          console.report(.notUTF8(line: number))
          continue
        }
        return .init(line, from: "-", wasAwaited: wasAwaited)
      }
      lines = nil
      return nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(arguments, console) }
}

extension Failure {
  /// A line of standard input that is not text.
  fileprivate static func notUTF8(line number: Int) -> Failure {
    Failure(
      "not-utf8", .malformedInput, "Line \(number) is not UTF-8 text.",
      hint: "Save the list as UTF-8; the other lines are still checked.", source: "-")
  }
}

extension Console {
  /// Prints one examined code and takes its verdict into the exit status.
  func show(_ code: VerifiedCode) { show(code, isRepeating: false) }

  /// Prints one examined code of several.
  ///
  /// - Parameter isRepeating: Whether a remark of an earlier code is left out.
  func show(_ code: VerifiedCode, isRepeating: Bool) {
    result(of: code.result, text: code.text(output, isRepeating: isRepeating))
    note(code.verdict == .accepted ? .done : .notAccepted)
  }
}
