import ArgumentParser
import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Jobs
import Subprocess

/// Options for a printer that takes the finished file.
struct PrintOnOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Hand the proven PDF file to this printer of CUPS, at 100 % and for paper of its size.",
      valueName: "printer"))
  var printOn: String?
  @Option(help: ArgumentHelp("With --print-on: the number of copies.", valueName: "count"))
  var printCopies: Int?

  func validate() throws {
    guard printOn != nil || printCopies == nil else {
      throw ValidationError("--print-copies needs --print-on.")
    }
    guard (1...9_999).contains(printCopies ?? 1) else {
      throw ValidationError("--print-copies must be 1 to 9999, not \(printCopies ?? 1).")
    }
  }

  /// Refuses outputs that no printer takes.
  func validate(_ outputs: [String]) throws {
    guard printOn == nil || outputs.contains(where: { $0.lowercased().hasSuffix(".pdf") }) else {
      throw ValidationError("--print-on prints a PDF file: give one, such as -o print.pdf.")
    }
  }

  /// Finds the printer; `nil` if none is given.
  func queue() async throws -> PrinterQueue? {
    guard let printOn else { return nil }
    let printer = try await CUPSPrinter(named: printOn)
    return PrinterQueue(
      printer.name, copies: printCopies ?? 1, dotsPerInch: printer.dotsPerInch
    ) { try await printer.take($0) }
  }
}

/// A printer of CUPS, by its commands `lp` and `lpstat`.
struct CUPSPrinter: Sendable {
  /// The name of the queue.
  let name: String
  /// The resolution that its driver has chosen; `nil` if that names none, or two for the two
  /// directions.
  let dotsPerInch: Double?

  /// The time that a command has; it is ended afterwards.
  private static let patience = Duration.seconds(60)

  /// Finds a printer.
  ///
  /// - Throws: `Failure` with code `no-print-system`, or `unknown-queue` with the known names.
  init(named name: String) async throws {
    // A program for a missing `lp` would be noticed after the codes are recorded.
    for program in ["lp", "lpstat"] where !Self.isInstalled(program) {
      throw Failure(
        "no-print-system", .unavailable, "The program \(program) of CUPS is not installed.",
        hint: "Install the package cups-client, or print the file by hand.")
    }
    let list = try await Self.run("lpstat", ["-e"])
    let names = list.output.split(whereSeparator: \.isNewline).map(String.init)
    guard list.status == 0 || !names.isEmpty || list.messages.isEmpty else {
      throw Failure(
        "no-print-system", .unavailable, "CUPS has no list of printers: \(list.messages.printable)",
        hint: "See whether CUPS runs: lpstat -r.")
    }
    guard names.contains(name) else {
      throw Failure(
        "unknown-queue", .usage, "CUPS has no printer \(name.printable).",
        hint: names.isEmpty
          ? "It has none, or does not run: see lpstat -r, and set one up, for example with lpadmin."
          : "It has \(names.map(\.printable).joined(separator: ", ")).")
    }
    self.name = name
    let options = try? await Self.run("lpoptions", ["-p", name, "-l"])
    dotsPerInch = options.flatMap { Self.resolution(in: $0.output) }
  }

  /// The chosen resolution among the options of a driver, such as `Resolution/Resolution: *203dpi 300dpi`.
  static func resolution(in options: String) -> Double? {
    options.firstMatch(of: /(?m)^Resolution[\/:].*\*(\d+)dpi(?:\s|$)/).flatMap { Double($0.1) }
  }

  /// Hands a file over.
  ///
  /// - Returns: The name of the job.
  /// - Throws: `Failure` with code `queue-refused`.
  func take(_ order: PrinterOrder) async throws -> String? {
    var arguments = ["-d", name, "-n", "\(order.copies)", "-o", "print-scaling=none"]
    if let media = Self.media(order) { arguments += ["-o", "media=\(media)"] }
    let answer = try await Self.run("lp", arguments + ["--", order.path])
    guard answer.status == 0 else {
      throw Failure(
        "queue-refused", .unavailable,
        "The printer \(name.printable) did not take \(order.path): \(answer.messages.printable)",
        hint: "The file is complete and recorded: correct the cause, and print it with lp.",
        source: order.path)
    }
    return answer.output.firstMatch(of: /request id is (\S+)/).map { String($0.1) }
  }

  /// The medium of pages: a name that every driver knows, else a size; `nil` if pages differ.
  static func media(_ order: PrinterOrder) -> String? {
    guard let width = order.width, let height = order.height else { return nil }
    let (short, long) = (min(width, height), max(width, height))
    let named = ["A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid"].first {
      guard let size = try? PaperSize($0) else { return false }
      return abs(size.width - short) < 0.5 && abs(size.height - long) < 0.5
    }
    func text(_ length: Double) -> String {
      let rounded = (length * 100).rounded() / 100
      return rounded == rounded.rounded() ? "\(Int(bounded: rounded))" : "\(rounded)"
    }
    return named ?? "Custom.\(text(width))x\(text(height))mm"
  }

  private static func isInstalled(_ program: String) -> Bool {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
      .split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  /// Runs a program in the language that its output is read in.
  private static func run(
    _ program: String, _ arguments: [String]
  ) async throws -> (status: Int32, output: String, messages: String) {
    let answer = try await withThrowingTaskGroup(
      of: (status: Int32, output: String, messages: String)?.self
    ) { group in
      group.addTask {
        let result = try await Subprocess.run(
          .name(program), arguments: Arguments(arguments),
          environment: .inherit.updating(["LC_ALL": "C"]), output: .bytes(limit: 1 << 20),
          error: .bytes(limit: 1 << 20))
        let status: Int32 =
          switch result.terminationStatus {
          case .exited(let code): code
          case .signaled(let signal): 128 + signal
          }
        return (
          status, String(decoding: result.standardOutput, as: UTF8.self),
          String(decoding: result.standardError, as: UTF8.self)
            .split(whereSeparator: \.isNewline).joined(separator: " ")
        )
      }
      group.addTask {
        try await Task.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      do {
        return try await group.next() ?? nil
      } catch let error as SubprocessError {
        throw Failure(
          "no-print-system", .unavailable, "\(program) of CUPS cannot be used: \(error)",
          hint: "Print the file by hand, or see whether CUPS runs: lpstat -r.")
      }
    }
    guard let answer else {
      throw Failure(
        "no-print-system", .unavailable, "\(program) took longer than \(patience).",
        hint: "See whether CUPS runs: lpstat -r.")
    }
    return answer
  }
}

extension Console {
  /// Shows that a file was handed to a printer.
  func show(_ handover: Handover) {
    let size = [handover.width, handover.height].compactMap { $0?.inThousandths }
    let facts = [
      handover.job.map { "job \($0)" },
      handover.copies == 1 ? nil : "\(handover.copies) copies",
      size.count == 2 ? "\(size[0]) × \(size[1]) mm at 100 %" : "at 100 %",
    ]
    result(
      of: handover,
      text: "\(handover.dryRun ? "would hand" : "handed") \(handover.output) over to "
        + "\(handover.printer): \(facts.compactMap(\.self).joined(separator: ", "))")
  }

  /// Shows whether a file was handed to a printer; nothing without one.
  func show(_ handover: Result<Handover, any Error>?) {
    switch handover {
    case .success(let handover): show(handover)
    case .failure(let error): report(Failure(describing: error))
    case nil: break
    }
  }
}
