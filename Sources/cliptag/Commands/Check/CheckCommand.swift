import CliptagBasics
import ArgumentParser
import Invocation
import Registry
import Verifying

/// `cliptag check URL…`
struct CheckCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Say what a phone would do with a payload.",
    discussion: """
      URL rules, association, experience, card and place. The location is confirmed only when a \
      position is given. A Secure Unique NFC message is verified when its keys are known, and \
      compared with the last one seen of its tag. With - the URLs come from standard input, one a line, and each is \
      answered as it comes.

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

  @Argument(help: ArgumentHelp("Payloads to check; - for standard input.", valueName: "url"))
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
    let registry = try global.registryForReading(console)
    let directory = RegistryDirectory(registry)
    var verifier = Verifier(
      check: InvocationCheck(directory: directory, engine: matching.matching),
      location: position.evidenceForLookup)
    verifier.options.phone = try await phone.situation()
    verifier.options.messages = try messages.check(
      comparingWith: registry, global, consumesUnlessTold: false, console)
    // Input that arrives line by line may come from a moving user.
    verifier.options.positions = try await position.watch(staysPut: !urls.contains("-"), console)
    for url in urls {
      if url == "-" {
        try await console.gathering { try await examineLines(verifier, directory, console) }
      } else {
        try show(try await verifier.verify(url, source: VerifiedCode.argument), console)
      }
    }
  }

  /// Answers the lines that have come before it waits for more, and then checks for changes of the
  /// registry.
  private func examineLines(
    _ verifier: Verifier, _ directory: RegistryDirectory, _ console: Console
  ) async throws {
    var lines = InputLines()
    var number = 0
    while let bytes = try lines.next(
      beforeReading: console.flush, afterReading: { try directory.refresh() })
    {
      number += 1
      guard !bytes.isEmpty else { continue }
      guard let line = String(validating: bytes, as: UTF8.self) else {
        console.report(
          Failure(
            "not-utf8", .malformedInput, "Line \(number) is not UTF-8 text.",
            hint: "Save the list as UTF-8; the other lines are checked all the same.",
            source: "-"))
        continue
      }
      try show(try await verifier.verify(line, source: "-"), console)
    }
  }

  private func show(_ code: VerifiedCode, _ console: Console) throws {
    if phone.cardFile == "-" {
      console.say(code.text(console.error))
      console.note(code.verdict == .accepted ? .done : .notAccepted)
    } else {
      console.show(code)
    }
    if let page = phone.cardPage, let answer = code.phone { try page.write(answer, console) }
  }
}

extension Console {
  /// Prints one examined code and takes its verdict into the exit status.
  func show(_ code: VerifiedCode) {
    result(code.json, text: code.text(output))
    note(code.verdict == .accepted ? .done : .notAccepted)
  }
}
