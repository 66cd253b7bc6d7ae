@testable import CodeDrawing

/// One sentence in each of many scripts, by its language.
let sentences: [(language: String, text: String)] = [
  ("en", "Scan to order fifty-five coffees: official AVA fluff"),
  ("fr", "Où l’œil naïf s’étonne – déjà vu, “q̃” et e\u{301}"),
  ("el", "Σαρώστε για να παραγγείλετε"),
  ("ru", "Отсканируйте, чтобы заказать"),
  ("ar", "امسح الرمز لطلب الآن"),
  ("ar", "بِسْمِ اللَّهِ"),
  ("fa", "برای سفارش اسکن کنید"),
  ("he", "סרקו כדי להזמין"),
  ("he", "שָׁלוֹם עולם"),
  ("hi", "ऑर्डर करने के लिए कृपया स्कैन करें"),
  ("hi", "हिन्दी शक्ति क्षत्रिय"),
  ("bn", "অর্ডার করতে স্ক্যান করুন"),
  ("ta", "ஆர்டர் செய்ய ஸ்கேன் செய்யவும்"),
  ("th", "สแกนเพื่อสั่งซื้อที่นี่น้ำ"),
  ("km", "ស្កេនដើម្បីបញ្ជាទិញ"),
  ("zh-Hans", "扫描二维码即可点餐，直接下单。"),
  ("zh-Hant", "掃描條碼即可點餐，骨頭。"),
  ("ja", "コードを読み取って注文「こちら」直"),
  ("ko", "스캔하여 주문하세요 骨"),
]

/// A PDF of texts under each other on one page of A4, as a page's writer makes it.
///
/// - Parameter asOutlines: draws the outlines of the same glyphs instead.
func textPDF(_ texts: [ShapedText], asOutlines: Bool = false) throws -> [UInt8] {
  var file = PDFFile(sink: MemorySink())
  var book = PDFFontBook()
  let outlines = FontOutlines()
  let scale = decimal(72 / 25.4, places: 9)
  var content = ByteText()
  content.append("\(scale) 0 0 -\(scale) 0 842 cm\n")
  var top = 10.0
  for text in texts {
    let corner = DrawingPoint(x: 10, y: top)
    if asOutlines {
      for path in try text.outlines(from: outlines, at: corner) {
        content.append(path: path)
        content.append("f\n")
      }
    } else {
      var lines = PDFTextContent(text, at: corner)
      try lines.draw(fonts: &book, outlines: outlines)
      content.append(lines.bytes)
    }
    top += text.height
  }
  let stream = file.add(stream: content.bytes)
  let fonts = try book.resources { object in
    guard let bytes = object.stream else { return file.add(object.entries) }
    return file.add(stream: bytes, entries: object.entries)
  }
  let pages = file.reserve()
  let page = file.add(
    "<< /Type /Page /Parent \(pages) 0 R /MediaBox [0 0 595 842] /Contents \(stream) 0 R "
      + "/Resources << /Font << \(fonts) >> >> >>")
  file.put("<< /Type /Pages /Kids [\(page) 0 R] /Count 1 >>", as: pages)
  let root = file.add("<< /Type /Catalog /Pages \(pages) 0 R >>")
  let information = file.add("<< >>")
  return file.finished(root: root, information: information).bytes
}
