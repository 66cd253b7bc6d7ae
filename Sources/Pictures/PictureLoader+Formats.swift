/// How each kind of file becomes a first look, a closer one, and one in colour.
extension PictureLoader {
  func single(
    _ format: PictureFormat, _ source: String,
    _ load: @escaping @Sendable () throws(PictureError) -> LoadedPicture
  ) -> PictureFile {
    PictureFile(source: source, format: format, pageCount: 1) { _ throws(PictureError) in
      try await Uninterruptible.run(source) { _ throws(PictureError) in try load() }
    }
  }

  func png(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    whole(
      try PNGReader.read(bytes, source: source, limits: limits), source,
      colour: again(source) { () throws(PictureError) in
        try PNGReader.readColour(bytes, source: source, limits: limits)
      })
  }

  func pnm(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    whole(
      try NetpbmReader.read(bytes, source: source, limits: limits), source,
      colour: again(source) { () throws(PictureError) in
        try NetpbmReader.readColour(bytes, source: source, limits: limits)
      })
  }

  /// A picture that cannot be decoded at a fraction of the size for a fraction of the time, so that
  /// both looks come from one decoding.
  ///
  /// The first is smaller all the same: in the average of some pixels noise and grain disappear.
  private func whole(
    _ read: (picture: GreyPicture, damage: PictureError?), _ source: String, page: Int = 1,
    colour: @escaping @Sendable () async throws(PictureError) -> ColourPicture?
  ) -> LoadedPicture {
    let picture = read.picture
    let factor = max(1, max(picture.width, picture.height) / max(1, firstLookPixels))
    return LoadedPicture(
      source: source, page: page, width: picture.width, height: picture.height,
      firstLook: picture.reduced(by: factor), damage: read.damage,
      closer: factor == 1 ? nil : again(source) { () throws(PictureError) in picture },
      colour: { () throws(PictureError) in try await colour()?.reduced(by: factor) })
  }

  /// Work that is done only when somebody asks for it, off the caller's thread.
  private func again<Look: Sendable>(
    _ source: String, _ load: @escaping @Sendable () throws(PictureError) -> Look
  ) -> @Sendable () async throws(PictureError) -> Look {
    { () async throws(PictureError) in
      try await Uninterruptible.run(source) { _ throws(PictureError) in try load() }
    }
  }

  func jpeg(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    let header = try JPEGReader.header(of: bytes, source: source, limits: limits)
    let reduction = JPEGReader.reduction(of: header, keeping: firstLookPixels)
    let (picture, damage) = try JPEGReader.read(
      bytes, header: header, reduction: reduction, source: source)
    return LoadedPicture(
      source: source, width: header.width, height: header.height, firstLook: picture,
      damage: damage,
      closer: reduction == 1
        ? nil
        : again(source) { () throws(PictureError) in
          try JPEGReader.read(bytes, header: header, reduction: 1, source: source).picture
        },
      colour: again(source) { () throws(PictureError) in
        try JPEGReader.readColour(bytes, header: header, reduction: reduction, source: source)
      })
  }

  func pdf(_ bytes: [UInt8], _ source: String) async throws(PictureError) -> PictureFile {
    let document = try await PDFDocument(bytes, source: source, limits: limits)
    let dotsPerInch = dotsPerInch
    return PictureFile(source: source, format: .pdf, pageCount: document.pageCount) {
      page throws(PictureError) in
      let first = try await document.render(page: page, dotsPerInch: dotsPerInch)
      return LoadedPicture(
        source: source, page: page, width: first.width, height: first.height, firstLook: first,
        closer: { () throws(PictureError) in
          try await document.render(page: page, dotsPerInch: dotsPerInch * 2)
        },
        colour: { () throws(PictureError) in
          try await document.renderColour(page: page, dotsPerInch: dotsPerInch)
        })
    }
  }

  func bmp(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    whole(
      try BMPReader.read(bytes, source: source, limits: limits), source,
      colour: again(source) { () throws(PictureError) in
        try BMPReader.readColour(bytes, source: source, limits: limits)
      })
  }

  func vips(
    _ bytes: [UInt8], _ format: PictureFormat, _ source: String
  ) async throws(PictureError) -> PictureFile {
    let picture = try await VipsPicture(bytes, format: format, source: source, limits: limits)
    return PictureFile(source: source, format: format, pageCount: picture.pageCount) {
      page throws(PictureError) in
      whole((try await picture.read(page: page), nil), source, page: page) {
        () async throws(PictureError) in try await picture.readColour(page: page)
      }
    }
  }

  func svg(_ bytes: [UInt8], _ source: String) throws(PictureError) -> PictureFile {
    let drawing = try SVGPicture(bytes, source: source, limits: limits)
    return PictureFile(source: source, format: .svg, pageCount: 1) { _ throws(PictureError) in
      let first = try await drawing.render(scale: 1)
      return LoadedPicture(
        source: source, width: first.width, height: first.height, firstLook: first,
        closer: { () throws(PictureError) in try await drawing.render(scale: 2) },
        colour: { () throws(PictureError) in try await drawing.renderColour() })
    }
  }
}
