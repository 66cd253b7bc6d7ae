package import CodeDrawing
public import CodeScanning
import Invocation
public import Pictures

/// A picture in which the examined codes are marked with their verdicts, to show which of thirty on
/// a wall is wrong.
public struct PictureAnnotation: Sendable {
  /// The drawing.
  package let drawing: AnnotatedPicture

  /// Marks the codes in a picture. Decodes or renders the picture again, in colour.
  ///
  /// - Parameters:
  ///   - page: The picture or page.
  ///   - codes: The codes examined in it; codes without a position in the picture are left out.
  ///   - unread: Symbols that were seen but give no text.
  ///   - title: The title of the picture.
  /// - Throws: `PictureError` when the picture cannot be loaded in colour.
  public init(
    of page: LoadedPicture, codes: [VerifiedCode], unread: [UnreadSymbol] = [], title: String
  ) async throws(PictureError) {
    let look = try await page.colourLook() ?? ColourPicture(page.firstLook)
    drawing = AnnotatedPicture(
      look, size: (page.width, page.height), title: title.printable,
      marks: codes.compactMap(PictureMark.init) + unread.map(PictureMark.init))
  }

  /// The bytes of a file in a format.
  ///
  /// - Parameters:
  ///   - format: SVG is drawn directly; PNG and PDF are converted from it by `rsvg-convert`
  ///     (Debian: librsvg2-bin).
  ///   - name: The name of the file in messages.
  /// - Throws: `CodeDrawingError` or `PictureError`; no file is left behind.
  public func data(as format: Format, named name: String) async throws -> [UInt8] {
    let svg = try drawing.svg()
    let renderer = DocumentRenderer(limits: .ownDrawing)
    switch format {
    case .svg: return svg
    case .png: return try await renderer.convert(svg, to: .png, named: name)
    case .pdf: return try await renderer.convert(svg, to: .pdf, named: name)
    }
  }

  /// The file formats.
  public enum Format: String, CaseIterable, Sendable {
    /// Scalable Vector Graphics with the picture embedded.
    case svg
    /// Portable Network Graphics.
    case png
    /// Portable Document Format, one page.
    case pdf

    /// The extension of file names, without the dot.
    public var fileEnding: String { rawValue }

    /// The format of a file name's extension, in upper or lower case; `nil` for any other.
    package init?(fileName: String) {
      let name = fileName.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count > 1, let format = Format(rawValue: parts[parts.count - 1].lowercased())
      else { return nil }
      self = format
    }
  }
}

extension PictureMark {
  /// The mark of a code, or `nil` if it has no position in a picture.
  init?(_ code: VerifiedCode) {
    let corners = code.corners
    guard corners.count >= 3,
      corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
    else { return nil }
    let standing: Standing =
      switch code.verdict {
      case .accepted: .accepted
      case .rejected: .rejected
      case .undecided: .undecided
      }
    self.init(
      corners: corners.map { DrawingPoint(x: $0.x, y: $0.y) }, standing: standing,
      label: code.shortName.printable, payload: code.payloadForPeople, details: code.remarks)
  }
}

extension PictureMark {
  /// The mark of a symbol that gives no text.
  init(_ symbol: UnreadSymbol) {
    self.init(
      corners: symbol.corners.map { DrawingPoint(x: $0.x, y: $0.y) }, standing: .unread,
      label: symbol.name, payload: symbol.sentence)
  }
}

extension VerifiedCode {
  fileprivate var payloadForPeople: String {
    guard verification.payload.isEmpty else { return verification.payload.printable }
    return appClipCode == nil ? "(no text)" : "(App Clip Code)"
  }

  /// The shortest name that distinguishes this code from its neighbours: the name of its place; for
  /// an unregistered host, the host, which is the fault; otherwise the path.
  fileprivate var shortName: String {
    if let place = verification.place { return place.name }
    guard let url = verification.url else { return payloadForPeople }
    if verification.state == .unregistered || url.path.isEmpty || url.path == "/" {
      return url.host
    }
    return url.path
  }

  /// The state, the place, and the most severe finding.
  fileprivate var remarks: [String] {
    // The place's name labels the code, but a crowded code may have no room for it.
    var remarks = [verification.state.rawValue]
    if let place = verification.place { remarks.append(place.name.printable) }
    // The first of equally severe findings is the most specific.
    if let worst = findings.max(by: { $0.severity < $1.severity })?.severity,
      let finding = findings.first(where: { $0.severity == worst })
    {
      remarks.append(finding.message.printable)
    }
    return remarks
  }
}
