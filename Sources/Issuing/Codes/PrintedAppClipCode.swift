public import AppClipCodes
import Basics
import CodeDrawing
import Foundation
import Invocation
import Pictures
public import Registry

/// The App Clip Codes on record, with the files that Apple's tools made of them.
public protocol AppClipCodeSource: Sendable {
  /// The code in use that carries exactly this text; nil where there is none.
  func file(for payload: String) throws -> AppClipCodeFile?
  /// The code of a name; nil where there is none.
  func file(of code: CodeID) throws -> AppClipCodeFile?
}

/// A record without App Clip Codes: only files of the user's are found.
public struct NoAppClipCodesOnRecord: AppClipCodeSource {
  /// Makes an empty record.
  public init() {}
  /// Nothing.
  public func file(for payload: String) -> AppClipCodeFile? { nil }
  /// Nothing.
  public func file(of code: CodeID) -> AppClipCodeFile? { nil }
}

/// An App Clip Code as it was read from the file that Apple's tools made.
public struct AppClipCodeFile: Hashable, Sendable {
  /// What the file holds.
  public let code: AppClipCode
  /// The code's name in the registry; nil for a file that was not taken in.
  public let id: CodeID?

  /// Takes a code.
  public init(_ code: AppClipCode, id: CodeID? = nil) {
    self.code = code
    self.id = id
  }
}

/// Which App Clip Code is wanted.
public enum AppClipCodeChoice: Hashable, Sendable {
  /// The one on record for the URL.
  case automatic
  /// One on record, by its name.
  case code(CodeID)
  /// A file of Apple's tools, by its path.
  case file(String)

  /// Reads `auto`, the name of a code, or else a path.
  public init(_ text: String) {
    if text == "auto" {
      self = .automatic
    } else if let id = CodeID(text) {
      self = .code(id)
    } else {
      self = .file(text)
    }
  }
}

/// An App Clip Code that is printed beside or instead of the QR code of the same payload.
public struct PrintedAppClipCode: Hashable, Sendable {
  /// What is printed.
  public var file: AppClipCodeFile
  /// Whether it stands in the place of the QR code, not beside it.
  public var replacesQRCode: Bool

  /// Puts a code on a print.
  public init(_ file: AppClipCodeFile, replacesQRCode: Bool = false) {
    self.file = file
    self.replacesQRCode = replacesQRCode
  }
}

extension Issuer {
  /// Finds the App Clip Code for a payload.
  ///
  /// - Parameters:
  ///   - choice: Which one.
  ///   - payload: What it must carry, to the letter.
  ///   - folder: Where relative paths begin; nil for the current folder.
  ///   - options: What is let pass when a file is read.
  /// - Throws: ``IssuingError`` with code `no-app-clip-code` when there is none on record;
  ///   `CodeDrawingError` with code `different-payloads`; `AppClipCodeError` for a file that is none,
  ///   or was altered; `PictureError` for one that cannot be read; or what the record throws.
  public func appClipCode(
    _ choice: AppClipCodeChoice, carrying payload: String, relativeTo folder: String? = nil,
    options: AppClipCode.Options = AppClipCode.Options()
  ) throws -> AppClipCodeFile {
    let file: AppClipCodeFile
    switch choice {
    case .automatic:
      guard let known = try appClipCodes.file(for: payload) else {
        throw IssuingError.noAppClipCode("for \(payload)")
      }
      file = known
    case .code(let id):
      guard let known = try appClipCodes.file(of: id) else {
        throw IssuingError.noAppClipCode("called \(id)")
      }
      file = known
    case .file(let path):
      var place = path
      if let folder, !folder.isEmpty, !path.hasPrefix("/") { place = "\(folder)/\(path)" }
      let bytes = try FileReader.read(path: place, name: path, limits: .standard)
      let code = try AppClipCode(svg: bytes, options: options)
      // A file that was taken in has a name on record.
      let known = try appClipCodes.file(for: code.payload)
      file = AppClipCodeFile(code, id: known?.code.pattern == code.pattern ? known?.id : nil)
    }
    try file.code.check(carries: payload)
    return file
  }
}

extension IssuingError {
  fileprivate static func noAppClipCode(_ which: String) -> IssuingError {
    IssuingError(
      .noAppClipCode, "There is no App Clip Code on record \(which).",
      hint:
        "Name the SVG file that App Store Connect or Apple's generator made, or take it into the "
        + "record first.")
  }
}
