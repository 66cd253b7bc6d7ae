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

/// A PDF of texts under each other on one page of A4.
///
/// - Parameter asOutlines: draws the outlines of the same glyphs instead.
func textPDF(_ texts: [ShapedText], asOutlines: Bool = false) throws -> [UInt8] {
  var page = PageDrawing(width: 210, height: 297)
  let outlines = FontOutlines()
  var top = 10.0
  for text in texts {
    let corner = DrawingPoint(x: 10, y: top)
    if asOutlines {
      page.elements += try text.outlines(from: outlines, at: corner).map { .shape($0, .black) }
    } else {
      page.elements.append(.text(PageDrawing.Words(text: text, corner: corner)))
    }
    top += text.height
  }
  var writer = try PDFWriter(
    to: MemorySink(), information: .init(title: "Texts"), compresses: false)
  try writer.add(page)
  return try writer.finished().bytes
}
