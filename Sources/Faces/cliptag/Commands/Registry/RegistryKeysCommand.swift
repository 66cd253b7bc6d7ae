import ArgumentParser
import CliptagBasics
import Foundation
import Invocation
import Issuing
import Jobs
import Registry

extension RegistryCommand {
  /// `cliptag registry keys`
  struct Keys: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "keys",
      abstract: "List the keys of registry files.",
      discussion: """
        An editor that knows JSON Schema completes and checks the keys while a file is written: \
        save the schema, and begin the file with \
        # yaml-language-server: $schema=registry.schema.json

        Examples:
          cliptag registry keys
          cliptag registry keys place region
          cliptag registry keys --schema > registry.schema.json
        """)

    @Argument(
      help: ArgumentHelp(
        "Mappings, such as clip or place (default: all of a registry file).",
        valueName: "mapping"), completion: .registryMappings)
    var mappings: [String] = []
    @Flag(help: "The keys of the file of --keys, with the keys of tags, instead.")
    var tagKeys = false
    @Flag(help: "Print a JSON Schema.")
    var schema = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if schema, !mappings.isEmpty {
        throw ValidationError("--schema is of a whole file; leave the mappings out.")
      }
    }

    func execute(_ console: Console) throws {
      let all = tagKeys ? DocumentShape.ofKeyFile : DocumentShape.ofRegistryFile
      if schema, let file = all.first {
        return console.write(Array(file.schema.utf8))
      }
      let names = all.map(\.name)
      for name in mappings where !names.contains(name) {
        throw Failure(
          "usage", .usage, "No mapping is named “\(name.printable)”.",
          hint: [names.question(about: name), "Give one of: \(names.joined(separator: ", "))."]
            .sentences)
      }
      for shape in all where mappings.isEmpty || mappings.contains(shape.name) {
        for (index, key) in shape.keys.enumerated() {
          let head = index == 0 ? ["\(shape.name): \(shape.meaning)", ""] : []
          let tail = index == shape.keys.count - 1 ? [""] : []
          console.result(
            of: RegistryKeyResult(key, of: shape), text: (head + key.lines + tail).asLines)
        }
      }
    }
  }
}

extension DocumentKey {
  fileprivate var lines: [String] {
    ["  \(name)  \(value.words)\(isRequired ? ", required" : "")", "      \(meaning)"]
  }
}

/// The options of an example of a registry file.
struct ExampleOptions: ParsableArguments {
  @Option(
    name: .customLong("example"),
    help: ArgumentHelp("Write a commented registry file to begin with.", valueName: "file"),
    completion: .file(extensions: ["yaml", "yml"]))
  var file: String?
  @Option(help: "The name of the business.")
  var business: String?
  @Option(help: ArgumentHelp("The host of its invocation URLs.", valueName: "host"))
  var domain: String?
  @Option(
    help: ArgumentHelp("The bundle identifier of its App Clip.", valueName: "bundle"))
  var clip: String?
  @Option(help: ArgumentHelp("The name of a place; may be repeated.", valueName: "name"))
  var atPlace: [String] = []

  func validate() throws {
    guard file == nil, business != nil || domain != nil || clip != nil || !atPlace.isEmpty else {
      return
    }
    throw ValidationError(
      "--business, --domain, --clip and --at-place are words of --example FILE.")
  }

  func example() throws -> ExampleRegistry {
    try ExampleRegistry(
      business: business ?? "Example Café", host: domain, clip: clip, places: atPlace)
  }
}

extension Console {
  /// Writes an example to a new file.
  ///
  /// - Throws: ``Failure`` if the file exists: it may have been completed already.
  func write(_ example: ExampleRegistry, to file: String) throws {
    let name = file == "-" ? "FILE" : file
    let text = example.text(instructions: [
      "Then import the file, and check a URL:", "  cliptag registry import \(name)",
      "  cliptag check \(example.firstURL)", "All keys are listed by: cliptag registry keys",
    ])
    if file == "-" { return write(Array(text.utf8)) }
    guard !FileManager.default.fileExists(atPath: file) else {
      throw Failure(
        "cannot-create", .cannotCreate, "\(file) exists already; it was not changed.",
        hint: "Give another name, or move the file away.", source: file)
    }
    try AtomicFile(path: file, bytes: Array(text.utf8)).commit()
    result(
      of: ExampleRegistryResult(example, output: file),
      text: [
        "wrote \(file)",
        "  1. correct the lines with “←” in it",
        "  2. cliptag registry import \(file)",
        "  3. cliptag check \(example.firstURL)",
      ].asLines)
  }
}
