/// The sentences that several readers share.
extension PictureError {
  static func malformed(_ source: String, _ reason: String) -> PictureError {
    PictureError(
      .malformed, source: source, message: "\(source) cannot be read: \(reason).",
      hint: "Fetch or export the picture again; it may have been cut short on the way.")
  }

  /// The task that asked for the picture, or for the codes in it, was cancelled.
  package static func cancelled(_ source: String) -> PictureError {
    PictureError(
      .cancelled, source: source, message: "Reading \(source) was cancelled.",
      hint: "Run it again.")
  }

  static func unsupported(_ source: String, _ what: String) -> PictureError {
    PictureError(
      .unsupportedFormat, source: source, message: "\(source) is \(what), which is not read.",
      hint: "Convert it to PNG or JPEG and try again.")
  }

  /// The error for a file whose kind is known but not read, with the reason where it is a choice.
  static func unsupported(_ source: String, format: PictureFormat) -> PictureError {
    switch format.name {
    case "EPS":
      PictureError(
        .unsupportedFormat, source: source,
        message: "\(source) is \(format), a program in PostScript; such are not run here.",
        hint: "Convert it to PNG or PDF, or photograph the print, and scan that.")
    default:
      unsupported(source, "a \(format) file")
    }
  }

  static func notAPicture(_ source: String, empty: Bool) -> PictureError {
    PictureError(
      .notAPicture, source: source,
      message: empty
        ? "\(source) is empty."
        : "\(source) is not a picture: its first bytes belong to no known format.",
      hint: "Give a JPEG, PNG, HEIC, WebP, TIFF, GIF, BMP, PNM, SVG or PDF file.")
  }
}
