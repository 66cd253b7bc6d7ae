public import AppClipCodeFiles
public import AppClipCodes
import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Pictures
public import Registry

/// An App Clip Code as it was read from the file that Apple's tools made.
public struct AppClipCodeFile: Hashable, Sendable {
  /// The code in the file.
  public let code: AppClipCode
  /// The code's name in the registry; nil for a file that was not taken in.
  public let id: CodeID?

  /// Creates the file of a code.
  public init(_ code: AppClipCode, id: CodeID? = nil) {
    self.code = code
    self.id = id
  }
}

/// A choice of an App Clip Code.
public enum AppClipCodeChoice: Hashable, Sendable {
  /// The one on record for the URL.
  case automatic
  /// One on record, by its name or the tail of it.
  case code(String)
  /// A file of Apple's tools, by its path.
  case file(String)

  /// Reads `auto`, the name of a code or its tail, or else a path.
  public init(_ text: String) {
    if text == "auto" {
      self = .automatic
    } else if CodeID(text) != nil || CodeID.tail(text) != nil {
      self = .code(text)
    } else {
      self = .file(text)
    }
  }
}

/// An App Clip Code that is printed beside or instead of the QR code of the same payload.
public struct PrintedAppClipCode: Hashable, Sendable {
  /// The file of the code.
  public var file: AppClipCodeFile
  /// A Boolean value that indicates whether it replaces the QR code instead of accompanying it.
  public var replacesQRCode: Bool

  /// Creates the App Clip Code of a print.
  public init(_ file: AppClipCodeFile, replacesQRCode: Bool = false) {
    self.file = file
    self.replacesQRCode = replacesQRCode
  }
}

extension Issuer {
  /// Finds the App Clip Code for a payload.
  ///
  /// - Parameters:
  ///   - choice: The choice of the code.
  ///   - payload: The payload that it must carry, to the letter; `nil` for any.
  ///   - folder: The folder of the table that makes the choice, from which a relative path starts:
  ///     then the file must be a plain one. `nil` for a choice of the user.
  ///   - options: The deviations that are accepted when a file is read.
  /// - Throws: ``IssuingError`` with code `no-app-clip-code` when there is none on record;
  ///   `CodeDrawingError` with code `different-payloads`; `AppClipCodeError` for a file that is not
  ///   an App Clip Code or was altered; `PictureError` for one that cannot be read; or an error of
  ///   the record.
  public func appClipCode(
    _ choice: AppClipCodeChoice, carrying payload: String?, relativeTo folder: String? = nil,
    options: AppClipCode.Options = AppClipCode.Options()
  ) throws -> AppClipCodeFile {
    let file: AppClipCodeFile
    switch choice {
    case .automatic:
      guard let payload, let known = try recordedAppClipCode(for: payload) else {
        throw IssuingError.noAppClipCode("for \(payload ?? "no URL")")
      }
      file = known
    case .code(let name):
      guard let known = try recordedAppClipCode(called: name) else {
        throw IssuingError.noAppClipCode("called \(name)")
      }
      file = known
    case .file(let path):
      let bytes =
        folder == nil
        ? try FileReader.read(path: path, name: path, limits: .standard)
        : try FileReader.readPlain(path: path.path(from: folder), name: path, limits: .standard)
      let code = try AppClipCode(svg: bytes, options: options)
      // A file that was taken in has a name on record.
      let known = try recordedAppClipCode(for: code.payload)
      file = AppClipCodeFile(code, id: known?.code.pattern == code.pattern ? known?.id : nil)
    }
    if let payload { try file.code.check(carries: payload) }
    return file
  }
}

extension Issuer {
  /// Returns the App Clip Code in use that carries exactly this text; `nil` if there is none.
  private func recordedAppClipCode(for payload: String) throws -> AppClipCodeFile? {
    let codes = try ledger.registry.codes(
      CodeFilter(status: .issued, carrier: .appClipCode, payload: payload))
    return try codes.last.map(file)
  }

  /// Returns the App Clip Code with a name or its tail; `nil` if none is in use.
  private func recordedAppClipCode(called name: String) throws -> AppClipCodeFile? {
    guard let code = try ledger.registry.code(called: name), code.carrier == .appClipCode,
      code.status == .issued
    else { return nil }
    return try file(code)
  }

  /// Returns the file of a code on record.
  private func file(_ code: IssuedCode) throws -> AppClipCodeFile {
    guard let known = try ledger.registry.appClipCode(of: code) else {
      throw IssuingError(
        .noAppClipCode,
        "The record of \(code.id) came from another registry, and its badge is not imported.",
        hint: "Import its file, or another file with the same badge.")
    }
    return AppClipCodeFile(known, id: code.id)
  }
}

extension IssuingError {
  fileprivate static func noAppClipCode(_ which: String) -> IssuingError {
    IssuingError(
      .noAppClipCode, "No App Clip Code is on record \(which).",
      hint:
        "Give the SVG file from App Store Connect or Apple's generator, or import it into the "
        + "record first.")
  }
}

extension String {
  /// The path, which is relative to a folder unless it begins at the root; `nil` and an empty folder
  /// are the current one.
  package func path(from folder: String?) -> String {
    guard let folder, !folder.isEmpty, !hasPrefix("/") else { return self }
    return "\(folder)/\(self)"
  }
}
