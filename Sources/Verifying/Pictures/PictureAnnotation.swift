package import CodeDrawing
public import CodeScanning
import Invocation
public import Pictures

/// A picture in which the codes that were examined are marked with their verdicts, so that a person
/// sees which of thirty on a wall is wrong.
public struct PictureAnnotation: Sendable {
  /// The drawing.
  package let drawing: AnnotatedPicture

  /// Marks the codes in a picture. Decodes or renders the picture again, in colour.
  ///
  /// - Parameters:
  ///   - page: The picture or page.
  ///   - codes: What was examined in it; codes without a place in the picture are left out.
  ///   - unread: Symbols that were seen and give no text.
  ///   - title: What to call the picture.
  /// - Throws: `PictureError` when the picture cannot be had in colour.
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
  ///   - format: SVG is drawn here; PNG and PDF are made of it by `rsvg-convert` (Debian:
  ///     librsvg2-bin).
  ///   - name: What to call the file in messages.
  /// - Throws: `CodeDrawingError` or `PictureError`; nothing is left behind.
  public func data(as format: Format, named name: String) async throws -> [UInt8] {
    let svg = try drawing.svg()
    let renderer = DocumentRenderer(limits: .ownDrawing)
    switch format {
    case .svg: return svg
    case .png: return try await renderer.convert(svg, to: .png, named: name)
    case .pdf: return try await renderer.convert(svg, to: .pdf, named: name)
    }
  }

  /// The kinds of file.
  public enum Format: String, CaseIterable, Sendable {
    /// Scalable Vector Graphics that hold the picture.
    case svg
    /// Portable Network Graphics.
    case png
    /// Portable Document Format, one page.
    case pdf

    /// The ending of file names, without the dot.
    public var fileEnding: String { rawValue }

    /// The format that a file name ends in, in capital or small letters; `nil` when it is none.
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
  /// The mark of a code, or `nil` when it has no place in a picture.
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

  /// The least that tells this code from its neighbours: the name of its place; of a host that
  /// nobody registered, the host, for that is what is wrong; else the path.
  fileprivate var shortName: String {
    if let place = verification.place { return place.name }
    guard let url = verification.url else { return payloadForPeople }
    if verification.state == .unregistered || url.path.isEmpty || url.path == "/" {
      return url.host
    }
    return url.path
  }

  /// The state, the place, and the gravest finding.
  fileprivate var remarks: [String] {
    // The place's name stands at the code, but the code may be too crowded for it.
    var remarks = [verification.state.rawValue]
    if let place = verification.place { remarks.append(place.name.printable) }
    // Of equally grave ones, the first is the most telling.
    if let worst = findings.max(by: { $0.severity < $1.severity })?.severity,
      let finding = findings.first(where: { $0.severity == worst })
    {
      remarks.append(finding.message.printable)
    }
    return remarks
  }
}
