import CliptagBasics
package import CodeDrawing
import Foundation

/// The calibrations of printers by their names, kept in a small JSON file.
///
/// ```json
/// {"printers": {"office": {"offsetX": 0.6, "offsetY": -0.4, "scaleX": 1.002, "scaleY": 1}}}
/// ```
package struct PrinterCalibrations: Sendable {
  /// The file.
  package let path: String
  /// The calibrations by the printers' names.
  package private(set) var printers: [String: PrinterCalibration]

  private struct Contents: Codable {
    var printers: [String: Numbers]
  }

  private struct Numbers: Codable {
    var offsetX = 0.0
    var offsetY = 0.0
    var scaleX = 1.0
    var scaleY = 1.0
  }

  /// Reads the file; a missing file holds no calibrations.
  ///
  /// - Throws: ``IssuingError`` with code `malformed-calibration`.
  package init(path: String) throws(IssuingError) {
    self.path = path
    let contents: Contents
    do {
      guard let bytes = try PlainFile.bytes(of: path, limit: 1 << 20) else {
        printers = [:]
        return
      }
      contents = try JSONDecoder().decode(Contents.self, from: Data(bytes))
    } catch {
      throw .malformedCalibration(path, Self.reason(of: error))
    }
    var printers: [String: PrinterCalibration] = [:]
    for (name, numbers) in contents.printers {
      guard
        let calibration = PrinterCalibration(
          offsetX: numbers.offsetX, offsetY: numbers.offsetY, scaleX: numbers.scaleX,
          scaleY: numbers.scaleY)
      else {
        throw .malformedCalibration(
          path,
          "the numbers of printer \(name) are outside of −20 to 20 mm and 0.95 to 1.05")
      }
      printers[name] = calibration
    }
    self.printers = printers
  }

  /// Keeps a printer's calibration, replacing an earlier one.
  ///
  /// The file is written whole or not at all, and a missing folder is created.
  ///
  /// - Throws: ``IssuingError`` with code `cannot-create`.
  package mutating func keep(
    _ calibration: PrinterCalibration, for printer: String
  ) throws(IssuingError) {
    var changed = printers
    changed[printer] = calibration
    let contents = Contents(
      printers: changed.mapValues {
        Numbers(offsetX: $0.offsetX, offsetY: $0.offsetY, scaleX: $0.scaleX, scaleY: $0.scaleY)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      let bytes = Array(try encoder.encode(contents)) + [UInt8(ascii: "\n")]
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try AtomicFile(path: path, bytes: bytes).commit()
    } catch let error as IssuingError {
      throw error
    } catch {
      throw .cannotCreate(path, reason: (error as NSError).localizedDescription)
    }
    printers = changed
  }

  /// Returns the path of the current user's file: `cliptag/printers.json` in `$XDG_CONFIG_HOME`,
  /// else in `~/.config`.
  ///
  /// - Parameter environment: The environment's variables.
  package static func standardPath(in environment: [String: String]) -> String {
    UserFolders(environment).configuration + "/cliptag/printers.json"
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case let trouble as PlainFile.Trouble: return trouble.reason
    case DecodingError.dataCorrupted(let context):
      let underlying = (context.underlyingError as NSError?)?.userInfo["NSDebugDescription"]
      return "it is not JSON: \(underlying as? String ?? context.debugDescription)"
    case DecodingError.keyNotFound(let key, let context):
      let place = (context.codingPath.map(\.stringValue)).joined(separator: ".")
      return "\(key.stringValue) is missing\(place.isEmpty ? "" : " in \(place)")"
    case DecodingError.typeMismatch(_, let context):
      let place = context.codingPath.map(\.stringValue).joined(separator: ".")
      return "\(place.isEmpty ? "the file" : place) has the wrong type"
    default: return (error as NSError).localizedDescription
    }
  }
}

extension IssuingError {
  fileprivate static func malformedCalibration(_ path: String, _ reason: String) -> IssuingError {
    IssuingError(
      .malformedCalibration, "\(path) is not a file of printer calibrations: \(reason).",
      hint: "Repair the file, or move it away and calibrate the printers again.")
  }
}
