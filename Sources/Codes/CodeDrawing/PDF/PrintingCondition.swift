import CliptagBasics
import Pictures

/// The printing condition that a PDF file is made for: a press with its paper and inks, as an ICC
/// profile states it (ICC.1:2010).
///
/// A file with one is PDF/X-4 (ISO 15930-7): all its colours are inks, which the press prints as they
/// are.
public struct PrintingCondition: Hashable, Sendable {
  /// The profile.
  package let profile: [UInt8]
  /// The description in the profile, such as `Coated FOGRA39 (ISO 12647-2:2004)`.
  public let name: String

  /// Reads a profile.
  ///
  /// - Parameters:
  ///   - profile: The whole file.
  ///   - source: Its name in messages.
  /// - Throws: ``CodeDrawingError`` with code `unusable-profile` for a file that is no profile of a
  ///   printer for cyan, magenta, yellow and black, or lacks what such a one needs.
  public init(_ profile: [UInt8], named source: String) throws(CodeDrawingError) {
    guard profile.count > 132, profile.text(at: 36) == "acsp",
      profile.number(at: 0) == profile.count
    else { throw .unusableProfile(source, "is not an ICC profile") }
    guard profile.text(at: 12) == "prtr" else {
      throw .unusableProfile(source, "is not the profile of a printer")
    }
    guard profile.text(at: 16) == "CMYK" else {
      throw .unusableProfile(source, "is not for cyan, magenta, yellow and black")
    }
    for (name, types, channels) in Self.required {
      guard let tag = Self.tag(name, of: profile), let type = profile.text(at: tag.lowerBound),
        types.contains(type), profile[tag].dropFirst(8).starts(with: channels)
      else {
        throw .unusableProfile(source, "is not complete: it lacks the tag \(name) of printers")
      }
    }
    self.profile = profile
    name = Self.description(in: profile) ?? source
  }

  /// The tags that every printer's profile has, with their types and the channels that tables take
  /// and give (ICC.1:2010, 8.2, 8.5 and 10). Tables of further intents may be absent: these are taken
  /// in their place (8.10).
  private static let required: [(name: String, types: [String], channels: [UInt8])] = [
    ("desc", ["desc", "mluc"], []), ("cprt", ["text", "mluc"], []), ("wtpt", ["XYZ "], []),
    ("A2B0", ["mft1", "mft2", "mAB "], [4, 3]), ("B2A0", ["mft1", "mft2", "mBA "], [3, 4]),
  ]

  /// Returns the place of a tag's data (ICC.1:2010, 7.3); `nil` without one that lies in the file.
  private static func tag(_ name: String, of profile: [UInt8]) -> Range<Int>? {
    let count = min(profile.number(at: 128) ?? 0, 100)
    for entry in stride(from: 132, to: 132 + 12 * count, by: 12)
    where profile.text(at: entry) == name {
      guard let offset = profile.number(at: entry + 4), let size = profile.number(at: entry + 8),
        size >= 8, offset <= profile.count - size
      else { return nil }
      return offset..<offset + size
    }
    return nil
  }

  /// Returns the text of the tag `desc` (ICC.1:2010, 9.2.41; ICC.1:2001, 6.5.17).
  private static func description(in profile: [UInt8]) -> String? {
    guard let tag = tag("desc", of: profile) else { return nil }
    let data = Array(profile[tag])
    let text: String
    if data.text(at: 0) == "desc" {
      // ASCII with its length and a zero.
      guard let length = data.number(at: 8), length > 1, 11 + length <= data.count else {
        return nil
      }
      text = String(decoding: data[12..<11 + length], as: UTF8.self)
    } else {
      // Texts in several languages, of which the first one is taken.
      guard let length = data.number(at: 20), let start = data.number(at: 24),
        start + length <= data.count
      else { return nil }
      let bytes = data[start..<start + length]
      let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      text = String(decoding: units, as: UTF16.self)
    }
    return text.isEmpty ? nil : text
  }

  /// Checks that everything on a page is in inks.
  ///
  /// - Throws: ``CodeDrawingError`` with code `screen-colour`, which names the colours or the picture.
  func check(_ page: PageDrawing) throws(CodeDrawingError) {
    var colours: [Colour] = []
    for colour in page.colours where colour.inks == nil && !colour.isGrey {
      if !colours.contains(colour) { colours.append(colour) }
    }
    guard colours.isEmpty else { throw .screenColours(colours) }
    guard let picture = page.pictures.first(where: { !$0.isInInks }) else { return }
    throw .screenPicture(picture.source)
  }
}

extension [UInt8] {
  /// Four bytes as a number; `nil` beyond the end.
  fileprivate func number(at offset: Int) -> Int? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Four bytes as a signature; `nil` beyond the end.
  fileprivate func text(at offset: Int) -> String? {
    guard offset >= 0, offset <= count - 4 else { return nil }
    return String(decoding: self[offset..<offset + 4], as: UTF8.self)
  }
}

extension LogoPicture {
  /// Whether a press prints it in PDF without separating red, green and blue.
  fileprivate var isInInks: Bool { original?.pdf.map(\.isInInks) ?? isGrey }
}

extension CodeDrawingError {
  fileprivate static func unusableProfile(_ source: String, _ reason: String) -> CodeDrawingError {
    CodeDrawingError(
      .unusableProfile, "\(source) \(reason).",
      hint: "Give the ICC profile that the print shop names, such as FOGRA39L_coated.icc of the "
        + "package colord-data.")
  }

  fileprivate static func screenColours(_ colours: [Colour]) -> CodeDrawingError {
    let names = colours.prefix(4).map(\.hexadecimal).joined(separator: ", ")
    return CodeDrawingError(
      .screenColour,
      "A file for a printing condition has inks only, not the \(colours.count == 1 ? "colour" : "colours") "
        + "\(names) of screens.",
      hint: "Name the inks, such as \(colours[0].inkNotation) for \(colours[0].hexadecimal).")
  }

  fileprivate static func screenPicture(_ source: String) -> CodeDrawingError {
    CodeDrawingError(
      .screenColour,
      "A file for a printing condition has inks only, and \(source) has the colours of screens.",
      hint: "Export it as PDF with CMYK colours, as JPEG in CMYK, or in black.")
  }
}

extension Colour {
  /// The colour as inks, without regard to a press.
  fileprivate var inkNotation: String {
    let light = channels.map { Double($0) / 255 }
    let most = light.max() ?? 0
    let shares = light.map { most > 0 ? (most - $0) / most : 0 } + [1 - most]
    return "cmyk:"
      + shares.map { String(Int(bounded: ($0 * 100).rounded())) }.joined(separator: ",")
  }
}
