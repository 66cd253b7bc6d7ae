import CliptagBasics
import Invocation
import Pictures

extension PushPlan {
  /// Opens every picture that the plan sends, to find those that App Store Connect would refuse.
  ///
  /// - Throws: ``AppStoreConnectError`` with code `unusable-picture` for the first that is damaged,
  ///   or not a PNG or JPEG of 1800 × 1200 pixels without an alpha channel.
  public func checkPictures() async throws(AppStoreConnectError) {
    var seen: Set<String> = []
    for picture in steps.compactMap(\.picture?.file) where seen.insert(picture.name).inserted {
      if let problem = await picture.problem() {
        let size = HeaderImage.requiredSize
        throw AppStoreConnectError(
          .unusablePicture, "\(picture.name.printable) cannot be sent: \(problem).",
          hint: "Give a PNG or JPEG of \(size.width) × \(size.height) pixels without transparency.",
          request: picture.name)
      }
    }
  }
}

extension PushPicture {
  /// The reason why App Store Connect would refuse the picture; `nil` if there is none.
  func problem() async -> String? {
    guard let format = PictureFormat.recognise(bytes) else { return "it is not a picture" }
    guard [.png, .jpeg].contains(format) else {
      return "it is \(format.name), neither PNG nor JPEG"
    }
    if hasAlpha { return "it has an alpha channel" }
    do throws(PictureError) {
      let page = try await PictureLoader().open(bytes, named: name).page(1)
      if page.damage != nil { return "it is damaged or truncated" }
      let size = HeaderImage.requiredSize
      guard page.width == size.width, page.height == size.height else {
        return "it has \(page.width) × \(page.height) pixels, not \(size.width) × \(size.height)"
      }
    } catch {
      return "it cannot be opened"
    }
    return nil
  }

  /// Whether a PNG has an alpha channel: colour type 4 or 6, or a `tRNS` chunk before the pixels
  /// (PNG, Third Edition, 11.2.1 and 11.3.1).
  private var hasAlpha: Bool {
    guard PictureFormat.recognise(bytes) == .png, bytes.count > 33 else { return false }
    if bytes[25] & 4 != 0 { return true }
    var start = 8
    while bytes.count - start >= 12 {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = bytes[start + 4..<start + 8]
      if name.elementsEqual("tRNS".utf8) { return true }
      if name.elementsEqual("IDAT".utf8) || length > bytes.count - start - 12 { return false }
      start += length + 12
    }
    return false
  }
}
