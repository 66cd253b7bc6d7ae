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
    whole(try PNGReader.read(bytes, source: source, limits: limits), source) {
      () throws(PictureError) in
      try PNGReader.readColour(bytes, source: source, limits: limits)
    }
  }

  func pnm(_ bytes: [UInt8], _ source: String) throws(PictureError) -> LoadedPicture {
    whole(try NetpbmReader.read(bytes, source: source, limits: limits), source) {
      () throws(PictureError) in
      try NetpbmReader.readColour(bytes, source: source, limits: limits)
    }
  }

  /// A picture that is decoded in full at once, so that no look can be closer than the first.
  private func whole(
    _ read: (picture: GreyPicture, damage: PictureError?), _ source: String,
    colour: @escaping @Sendable () throws(PictureError) -> ColourPicture?
  ) -> LoadedPicture {
    LoadedPicture(
      source: source, width: read.picture.width, height: read.picture.height,
      firstLook: read.picture, damage: read.damage, colour: again(source, colour))
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
    whole(try BMPReader.read(bytes, source: source, limits: limits), source) {
      () throws(PictureError) in
      try BMPReader.readColour(bytes, source: source, limits: limits)
    }
  }

  func vips(
    _ bytes: [UInt8], _ format: PictureFormat, _ source: String
  ) async throws(PictureError) -> PictureFile {
    let picture = try await VipsPicture(bytes, format: format, source: source, limits: limits)
    let firstLookPixels = max(1, firstLookPixels)
    return PictureFile(source: source, format: format, pageCount: picture.pageCount) {
      page throws(PictureError) in
      // These formats cannot be decoded at a fraction of the size for a fraction of the time, so
      // both looks come from one decoding.
      let whole = try await picture.read(page: page)
      let factor = max(1, max(whole.width, whole.height) / firstLookPixels)
      return LoadedPicture(
        source: source, page: page, width: whole.width, height: whole.height,
        firstLook: whole.reduced(by: factor),
        closer: factor == 1 ? nil : again(source) { () throws(PictureError) in whole },
        colour: { () throws(PictureError) in
          try await picture.readColour(page: page)?.reduced(by: factor)
        })
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
