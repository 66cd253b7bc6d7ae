extension GreyPicture {
  /// Decodes one frame of Motion JPEG.
  ///
  /// Cameras leave the Huffman tables out, which libjpeg-turbo then takes from ITU-T T.81,
  /// annex K.3. A frame of which a part is damaged gives what can be read of it.
  ///
  /// - Throws: ``PictureError``, when nothing can be decoded or the frame is too large.
  package init(motionJPEGFrame bytes: [UInt8]) throws(PictureError) {
    let source = "a camera's frame"
    let header = try JPEGReader.header(of: bytes, source: source, limits: .standard)
    self = try JPEGReader.read(bytes, header: header, reduction: 1, source: source).picture
  }
}
