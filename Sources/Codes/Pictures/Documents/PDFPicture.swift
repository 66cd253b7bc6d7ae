import CliptagBasics

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A picture as objects of a PDF file, which fills one unit across and up: a page of another file as
/// a form (ISO 32000-1, 8.10), or the data of a JPEG file.
package struct PDFPicture: Hashable, Sendable {
  /// An object of the picture.
  package struct Object: Hashable, Sendable {
    /// The value, or the dictionary of the stream, without its length.
    package var value: PDFValue
    /// The bytes of a stream, encoded as its dictionary says; `nil` for other objects.
    package var stream: [UInt8]?
  }

  /// Whether all its colours are greys, inks, or defined without regard to a device.
  package private(set) var isInInks = true

  /// The objects; the first one is the picture, and the references are `1 0 R` for the first one
  /// and so on.
  package private(set) var objects: [Object]

  /// The entries that are about the file an object was in.
  private static let foreignEntries = [
    "/Length", "/Metadata", "/PieceInfo", "/StructParent", "/StructParents",
  ]

  /// Takes a file with one page.
  ///
  /// - Parameters:
  ///   - bytes: As ``page(of:named:limits:)`` returns it, or one made by librsvg.
  ///   - source: Its name in messages.
  ///   - keepsBlending: Whether transparency is computed in the colours that the file says, instead
  ///     of those of the page: red, green and blue would take black apart.
  /// - Throws: ``PictureError``: `rendererMissing` names qpdf's package.
  init(
    page bytes: [UInt8], named source: String, keepsBlending: Bool, limits: PictureLimits
  ) async throws(PictureError) {
    let whole = try await PDFGround.run(
      ["--coalesce-contents", "--remove-unreferenced-resources=yes", "FILE", "--pages", ".", "1"]
        + ["--", "-"],
      on: bytes, limits, source)
    let file = PDFObjects(bytes: whole, source: source, limits: limits)
    let found = try await file.objectsWithStreams()
    guard let number = try await file.pages().first, let page = found[number]?.value,
      let box = try await file.box("/MediaBox", of: page)
    else { throw .malformed(source, "it has no page") }
    let (width, height) = (box.right - box.left, box.top - box.bottom)
    guard width > 0, height > 0 else { throw .malformed(source, "its page has no size") }
    let content = page.entry("/Contents")?.reference.flatMap { found[$0] }
    var form = content?.value ?? .dictionary([:])
    form = form.replacing("/Type", by: .plain("/XObject"))
      .replacing("/Subtype", by: .plain("/Form"))
      .replacing(
        "/BBox", by: .array([box.left, box.bottom, box.right, box.top].map(PDFValue.number))
      )
      .replacing(
        "/Matrix",
        by: .array(
          [1 / width, 0, 0, 1 / height, -box.left / width, -box.bottom / height]
            .map(PDFValue.number))
      )
      .replacing("/Resources", by: page.entry("/Resources") ?? .dictionary([:]))
      .replacing("/Group", by: page.entry("/Group"))
    objects = [Object(value: form.without(Self.foreignEntries), stream: content?.stream ?? [])]
    var numbers: [String: Int] = [:]
    var next = 0
    while next < objects.count {
      objects[next].value = objects[next].value.mapped { object in
        if !keepsBlending, object.entry("/S")?.plain == "/Transparency" {
          return object.replacing("/CS", by: nil)
        }
        guard let reference = object.reference else { return object }
        if let known = numbers[reference] { return .plain("\(known) 0 R") }
        guard let other = found[reference] else { return .null }
        objects.append(
          Object(value: other.value.without(Self.foreignEntries), stream: other.stream))
        numbers[reference] = objects.count
        return .plain("\(objects.count) 0 R")
      }
      next += 1
    }
    let contents = found.filter { $0.value.isContent }.map(\.key)
    let decoded =
      contents.isEmpty
      ? [:] : try await file.objectsWithStreams(contents.sorted(), isDecoded: true)
    isInInks =
      !objects.contains(where: \.hasScreenColours)
      && !decoded.values.contains(where: \.setsScreenColours)
  }

  /// Takes a JPEG file with cyan, magenta, yellow and black; `nil` for other colours, and for a
  /// picture that is not upright.
  init?(cmykJPEG bytes: [UInt8], named source: String, limits: PictureLimits) throws(PictureError) {
    let header = try JPEGReader.header(of: bytes, source: source, limits: limits)
    guard let inks = header.inks, header.orientation == .upright else { return nil }
    let entries: [String: PDFValue] = [
      "/Type": .plain("/XObject"), "/Subtype": .plain("/Image"),
      "/Width": .number(Double(header.width)), "/Height": .number(Double(header.height)),
      "/BitsPerComponent": .number(8), "/ColorSpace": .plain("/DeviceCMYK"),
      "/Filter": .plain("/DCTDecode"),
      "/Decode": .array(
        Array(repeatElement(inks == .inverted ? [1, 0] : [0, 1], count: 4).joined())
          .map(PDFValue.number)),
    ]
    objects = [Object(value: .dictionary(entries), stream: bytes)]
  }

  /// Returns the first page of a file alone and upright, with the part that viewers show as its
  /// sheet.
  ///
  /// - Throws: ``PictureError``: `rendererMissing`, `passwordProtected`, `malformed`;
  ///   `unsupportedFormat` for layers that are not shown.
  package static func page(
    of bytes: [UInt8], named source: String, limits: PictureLimits
  ) async throws(PictureError) -> [UInt8] {
    try limits.check(bytes: bytes.count, of: source)
    let upright = try await PDFGround.run(
      ["--decrypt", "--remove-restrictions", "--flatten-rotation", "FILE", "--pages", ".", "1"]
        + ["--", "-"],
      on: bytes, limits, source)
    let file = PDFObjects(bytes: upright, source: source, limits: limits)
    guard let number = try await file.pages().first,
      let page = try await file.objects([number])[number],
      let media = try await file.box("/MediaBox", of: page),
      let root = try await file.resolved(file.objects(["trailer"])["trailer"]?.entry("/Root"))
    else { throw .malformed(source, "it has no page") }
    let layers = try await file.resolved(root.entry("/OCProperties"))?.entry("/D")
    let hidden = try await file.resolved(file.resolved(layers)?.entry("/OFF"))?.elements ?? []
    guard hidden.isEmpty else {
      throw PictureError(
        .unsupportedFormat, source: source, message: "\(source) has hidden layers.",
        hint: "Export it without layers, or as SVG.")
    }
    let box = try await file.box("/CropBox", of: page)?.within(media) ?? media
    var shown = page.without(["/CropBox", "/TrimBox", "/BleedBox", "/ArtBox", "/Annots"])
    shown = shown.replacing(
      "/MediaBox", by: .array([box.left, box.bottom, box.right, box.top].map(PDFValue.number)))
    return try await file.replacing([number: shown])
  }

  /// Returns a file of librsvg in black ink only, by Ghostscript: cairo writes black as a mixture of
  /// red, green and blue.
  static func grey(
    _ bytes: [UInt8], named source: String, limits: PictureLimits
  ) async throws(PictureError) -> [UInt8] {
    let folder = try PrivateFolder(holding: bytes, fileName: "drawing.pdf", source: source)
    let outcome = try await RenderingChild.ghostscript.run(
      [
        "-q", "-dSAFER", "-dBATCH", "-dNOPAUSE", "-sDEVICE=pdfwrite", "-sstdout=%stderr",
        "-sColorConversionStrategy=Gray", "-dProcessColorModel=/DeviceGray",
        "-dAutoRotatePages=/None", "-sOutputFile=%stdout", folder.file,
      ], in: folder, outputLimit: limits.fileBytes, limits: limits, source: source)
    guard outcome.status == 0 else {
      throw RenderingChild.ghostscript.failed(source, "it ended with status \(outcome.status)")
    }
    return outcome.output
  }
}

extension PDFPicture.Object {
  /// Whether it names red, green and blue of a device.
  fileprivate var hasScreenColours: Bool {
    var isFound = false
    _ = value.mapped { object in
      if object.plain == "/DeviceRGB" { isFound = true }
      return object
    }
    return isFound
  }

  /// Whether its stream is operators: those of a page, a form, a pattern or a letter.
  fileprivate var isContent: Bool {
    let subtype = value.entry("/Subtype")?.plain
    return stream != nil && (subtype == nil || subtype == "/Form") && value.entry("/Length1") == nil
  }

  /// Whether operators of its decoded stream set red, green and blue of a device. A text that has
  /// the word of such an operator is taken for one.
  fileprivate var setsScreenColours: Bool {
    let operators: Set<[UInt8]> = [Array("rg".utf8), Array("RG".utf8), Array("/RGB".utf8)]
    return stream?.split { $0 <= 0x20 }.contains { operators.contains(Array($0)) } ?? false
  }
}
