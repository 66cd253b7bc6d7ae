import CodeDrawing
import Foundation
package import Invocation

/// A page that shows an App Clip card as on a phone, in light and dark mode.
///
/// The page is one self-contained file: it loads no resources, runs no script, and escapes every
/// text. The proportions are taken from pictures of cards on iOS 17; Apple publishes none, and the
/// system draws the real card.
package struct CardPreview: Sendable {
  /// The card.
  package let card: PhoneAnswer.Card
  /// The URL of the card, for the page's title.
  package let url: String
  /// The card's picture.
  package let image: Image?

  /// A picture embedded in the page.
  package struct Image: Sendable {
    /// The bytes of a PNG or JPEG file.
    package let bytes: [UInt8]

    /// Creates an image from the bytes of a file; `nil` unless they are PNG or JPEG.
    package init?(bytes: [UInt8]) {
      guard Self.type(of: bytes) != nil else { return nil }
      self.bytes = bytes
    }

    fileprivate static func type(of bytes: [UInt8]) -> String? {
      if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
      return bytes.starts(with: [0xFF, 0xD8, 0xFF]) ? "image/jpeg" : nil
    }

    fileprivate var address: String {
      "data:\(Self.type(of: bytes) ?? "");base64,\(Data(bytes).base64EncodedString())"
    }
  }

  /// Creates a preview.
  package init(card: PhoneAnswer.Card, url: String, image: Image? = nil) {
    self.card = card
    self.url = url
    self.image = image
  }

  /// The page as HTML.
  package var html: String {
    let language = (card.language ?? "en").lowercased()
    return """
      <!doctype html>
      <html lang="\(xmlEscaped(language))">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>App Clip card of \(xmlEscaped(url))</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      <p class="url">\(xmlEscaped(url))</p>
      <div class="phones">
      \(phone("light"))
      \(phone("dark"))
      </div>
      <p class="note">A preview: the phone draws the real card, in its own language and size.</p>
      </body>
      </html>

      """
  }

  private func phone(_ scheme: String) -> String {
    """
    <section class="phone \(scheme)" aria-label="The card in \(scheme) mode">
    <article class="card" dir="auto">
    <div class="picture">\(picture)<span class="close" aria-hidden="true">×</span></div>
    <div class="body">
    <div class="texts"><h1>\(xmlEscaped(card.title ?? "No title"))</h1>\
    <p>\(xmlEscaped(card.subtitle ?? ""))</p></div>
    <span class="button">\(xmlEscaped(card.action.word))</span>
    </div>
    <div class="foot"><span class="icon" aria-hidden="true"></span>
    <div><small>\(card.isPoweredBy ? "Powered by" : "App Clip")</small>\
    <strong>\(xmlEscaped(card.app ?? card.title ?? ""))</strong></div>
    <span class="store">View in App Store ›</span></div>
    </article>
    </section>
    """
  }

  private var picture: String {
    if let image { return "<img alt=\"\" src=\"\(image.address)\">" }
    let name = card.image.map { "“\($0.file)”, " } ?? ""
    return "<span class=\"missing\">\(xmlEscaped(name))1800 × 1200 pixels</span>"
  }

  private static let style = """
    * { box-sizing: border-box; margin: 0; }
    body { font-family: -apple-system, "SF Pro Text", "Helvetica Neue", "Noto Sans", sans-serif;
      background: #f2f2f4; color: #1c1c1e; padding: 24px; }
    .url, .note { text-align: center; color: #6c6c70; font-size: 14px; overflow-wrap: anywhere; }
    .phones { display: flex; flex-wrap: wrap; gap: 32px; justify-content: center; margin: 20px 0; }
    .phone { width: 390px; height: 640px; border-radius: 44px; padding: 8px; display: flex;
      align-items: flex-end; background: linear-gradient(#9fb4c7, #5d7187); overflow: hidden; }
    .phone.dark { background: linear-gradient(#2b3440, #0d1116); }
    .card { width: 100%; border-radius: 36px; overflow: hidden; background: #ffffff; color: #000; }
    .dark .card { background: #1c1c1e; color: #fff; }
    .picture { position: relative; aspect-ratio: 3 / 2; background: linear-gradient(135deg, #d7dde4,
      #aeb8c4); display: flex; align-items: center; justify-content: center; }
    .picture img { width: 100%; height: 100%; object-fit: cover; display: block; }
    .missing { color: #4a5560; font-size: 13px; padding: 0 32px; text-align: center; }
    .close { position: absolute; top: 14px; inset-inline-end: 14px; width: 30px; height: 30px;
      border-radius: 50%; background: rgba(60, 60, 67, .55); color: #fff; font-size: 21px;
      line-height: 28px; text-align: center; }
    .body { display: flex; align-items: center; gap: 16px; padding: 18px 20px; }
    .texts { flex: 1; min-width: 0; }
    h1 { font-size: 20px; line-height: 1.2; overflow-wrap: anywhere; }
    .texts p { font-size: 15px; line-height: 1.3; color: #6c6c70; margin-top: 3px;
      overflow-wrap: anywhere; }
    .dark .texts p, .dark small { color: #aeaeb2; }
    .button { background: #007aff; color: #fff; font-weight: 600; font-size: 16px;
      padding: 9px 22px; border-radius: 20px; }
    .dark .button { background: #0a84ff; }
    .foot { display: flex; align-items: center; gap: 12px; padding: 14px 20px 20px;
      border-top: 1px solid #e5e5ea; font-size: 13px; }
    .dark .foot { border-color: #38383a; }
    .icon { width: 38px; height: 38px; border-radius: 9px; background: linear-gradient(#ffcf71,
      #ff9500); flex: none; }
    .foot div { flex: 1; min-width: 0; }
    .foot small { display: block; color: #6c6c70; font-size: 12px; }
    .store { color: #007aff; white-space: nowrap; }
    .dark .store { color: #0a84ff; }
    """
}

extension CardAction {
  /// The label of the button, in English; the phone translates it.
  fileprivate var word: String { rawValue.prefix(1) + rawValue.dropFirst().lowercased() }
}
