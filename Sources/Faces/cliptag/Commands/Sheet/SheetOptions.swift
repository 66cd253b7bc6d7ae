import CliptagBasics
import Invocation
public import ArgumentParser
public import CodeDrawing
import Foundation
import Issuing
import QRSymbol

/// Options for the labels and the sheet.
struct SheetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The sheet: the maker's number with or without the maker, or a line of millimetres.",
      valueName: "name"), completion: .labelStock)
  var template: String?
  @Option(
    help: ArgumentHelp(
      "The first unused label of the first sheet, counted from the top left.", valueName: "label"))
  var start: Int = 1
  @Option(help: ArgumentHelp("The labels of a row without its own copies.", valueName: "count"))
  var copies: Int = 1
  @Option(
    help: ArgumentHelp("A column to print as a caption; may be repeated.", valueName: "column"))
  var caption: [String] = []
  @Flag(help: "Print the name of each print (code show) in small letters on its labels.")
  var itemName = false
  @Flag(help: "Print cut marks in the margins.")
  var cutMarks = false
  @Flag(help: "Draw the labels' outlines.")
  var outlines = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The printer's resolution in dots per inch (default: that of --print-on, else 600).",
      valueName: "dpi"))
  var dpi: Double?
  @Option(help: "The lowest error-correction level, L, M, Q or H; raised if that costs no size.")
  var errorCorrection: QRSymbol.ErrorCorrection = .medium
  @Option(
    help: ArgumentHelp(
      "Make a file for each row in a folder instead of a sheet: svg, png, pdf or eps.",
      valueName: "format"))
  var format: DrawingFormat?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --format: the maximum width of a code, with its quiet zone.", valueName: "mm"),
    transform: LengthArgument.millimetres)
  var width: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --format: the side of one module.", valueName: "mm"),
    transform: LengthArgument.millimetres)
  var moduleSize: Double?
  @Option(
    help: ArgumentHelp(
      "The field separator: one character, or tab (default: from the header).",
      valueName: "character"))
  var separator: SeparatorArgument?

  func validate() throws {
    guard (1...LabelFile.mostCopies).contains(copies) else {
      throw ValidationError("--copies must be 1 to \(LabelFile.mostCopies), not \(copies).")
    }
    guard format != nil || width == nil && moduleSize == nil else {
      throw ValidationError(
        "--width and --module-size need --format: on a sheet, codes fill their labels.")
    }
    guard start >= 1 else { throw ValidationError("--start must be at least 1, not \(start).") }
  }
}

extension DrawingFormat: ExpressibleByArgument {}

/// Options for the deviation of a printer, and for its stored calibration.
struct PrinterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use the calibration of this printer; with --offset or --scale, store it.",
      valueName: "name"), completion: .printers)
  var printer: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Move the labels to the right and down, in millimetres.", valueName: "x,y"),
    transform: LengthPair.init)
  var offset: LengthPair?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stretch the sheet across and down, such as 1.002,1.", valueName: "x,y"))
  var scale: NumberPair?

  func validate() throws {
    guard printer != "" else { throw ValidationError("--printer needs a name.") }
    guard made(from: .none) != nil else {
      throw ValidationError(
        "--offset must be −20 to 20 mm and --scale 0.95 to 1.05; a printer with larger errors is "
          + "set to another paper or does not print at 100 %.")
    }
  }

  /// The calibration to print with.
  ///
  /// - Parameter keeping: Whether numbers that are given are kept for the named printer.
  func calibration(keeping: Bool, _ console: Console) throws -> PrinterCalibration {
    guard let printer else { return made(from: .none) ?? .none }
    var kept = try PrinterCalibrations(
      path: PrinterCalibrations.standardPath(in: ProcessInfo.processInfo.environment))
    guard offset != nil || scale != nil else {
      guard let calibration = kept.printers[printer] else {
        let names = kept.printers.keys.sorted().map(\.printable)
        throw Failure(
          "unknown-printer", .usage, "No calibration is stored for printer \(printer.printable).",
          hint: (names.isEmpty ? "" : "Existing: \(names.joined(separator: ", ")). ")
            + "Give --offset or --scale once to store them.")
      }
      return calibration
    }
    let calibration = made(from: kept.printers[printer] ?? .none) ?? .none
    if keeping {
      try kept.keep(calibration, for: printer)
      console.say("stored for the printer \(printer.printable) in \(kept.path)")
    }
    return calibration
  }

  private func made(from known: PrinterCalibration) -> PrinterCalibration? {
    PrinterCalibration(
      offsetX: offset?.x ?? known.offsetX, offsetY: offset?.y ?? known.offsetY,
      scaleX: scale?.x ?? known.scaleX, scaleY: scale?.y ?? known.scaleY)
  }
}

/// Two lengths in millimetres with a comma.
struct LengthPair: Sendable {
  let x: Double
  let y: Double

  init(_ argument: String) throws {
    guard let (x, y) = Length.pair(argument, separatedBy: ",") else {
      throw ValidationError(
        "\(argument.printable) is not two lengths: write 0.6,-0.4 for millimetres, or 1mm,0.1in.")
    }
    self.x = x
    self.y = y
  }
}

/// Two numbers with a comma.
struct NumberPair: ExpressibleByArgument, Sendable {
  let x: Double
  let y: Double

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
      return nil
    }
    self.x = x
    self.y = y
  }
}
