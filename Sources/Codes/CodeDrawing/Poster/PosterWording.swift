/// The call to action of posters, in the supported languages.
///
/// The texts follow Apple's Human Interface Guidelines for App Clips: scan, and hold near; never
/// "tap" or "touch", and neither "NFC" nor "tag", which are terms for makers of signs.
public struct PosterWording: Hashable, Sendable {
  /// The text for the code, such as `Scan with your camera`.
  public let scan: String
  /// The text for the target beside it, such as `Or hold your iPhone here`.
  public let hold: String
  /// The text for an App Clip Code, such as `Scan to open the App Clip`. The trademark is not
  /// translated.
  public let scanAppClipCode: String
  /// The text for an App Clip Code with a tag in its middle, such as
  /// `Hold your iPhone near the code, or scan it`.
  public let holdOrScanAppClipCode: String

  /// The texts in a language.
  ///
  /// - Parameter language: A tag as in BCP 47, such as `de`, `pt-BR` or `zh-Hant`; if only the
  ///   language without its region is supported, that is used.
  /// - Returns: nil for an unsupported language.
  public init?(language: String) {
    let tag = language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard var key = tag.first.map(String.init) else { return nil }
    if key == "zh" {
      let isTraditional = tag.contains { ["hant", "tw", "hk", "mo"].contains($0) }
      key = isTraditional ? "zh-hant" : "zh-hans"
    }
    if key == "pt", tag.contains("pt"), tag.dropFirst().contains("pt") { key = "pt-pt" }
    if key == "no" { key = "nb" }
    guard let words = Self.words[key], let appClipWords = Self.appClipWords[key] else { return nil }
    (scan, hold) = words
    (scanAppClipCode, holdOrScanAppClipCode) = appClipWords
  }

  /// The tags of all supported languages.
  public static var languages: [String] { words.keys.sorted() }

  private static let words: [String: (scan: String, hold: String)] = [
    "ar": ("امسح الرمز بالكاميرا", "أو قرّب iPhone من هنا"),
    "cs": ("Naskenujte fotoaparátem", "Nebo sem přiložte iPhone"),
    "da": ("Scan med kameraet", "Eller hold din iPhone her"),
    "de": ("Mit der Kamera scannen", "Oder das iPhone hierhin halten"),
    "el": ("Σαρώστε με την κάμερα", "Ή πλησιάστε εδώ το iPhone σας"),
    "en": ("Scan with your camera", "Or hold your iPhone here"),
    "es": ("Escanea con la cámara", "O acerca aquí tu iPhone"),
    "fi": ("Skannaa kameralla", "Tai pidä iPhonea tässä"),
    "fr": ("Scannez avec l’appareil photo", "Ou approchez votre iPhone ici"),
    "he": ("סרקו עם המצלמה", "או קרבו לכאן את ה‑iPhone"),
    "hi": ("कैमरे से स्कैन करें", "या अपना iPhone यहाँ पास लाएँ"),
    "id": ("Pindai dengan kamera", "Atau dekatkan iPhone ke sini"),
    "it": ("Scansiona con la fotocamera", "O avvicina qui il tuo iPhone"),
    "ja": ("カメラでスキャン", "または iPhone をここに近づける"),
    "ko": ("카메라로 스캔하세요", "또는 여기에 iPhone을 가까이 대세요"),
    "nb": ("Skann med kameraet", "Eller hold iPhone her"),
    "nl": ("Scan met je camera", "Of houd je iPhone hier"),
    "pl": ("Zeskanuj aparatem", "Lub zbliż tutaj iPhone’a"),
    "pt": ("Escaneie com a câmera", "Ou aproxime o iPhone daqui"),
    "pt-pt": ("Digitalize com a câmara", "Ou aproxime o iPhone daqui"),
    "ru": ("Отсканируйте камерой", "Или поднесите iPhone сюда"),
    "sv": ("Skanna med kameran", "Eller håll din iPhone här"),
    "th": ("สแกนด้วยกล้อง", "หรือถือ iPhone ไว้ใกล้ตรงนี้"),
    "tr": ("Kameranla tara", "Ya da iPhone’unu buraya yaklaştır"),
    "uk": ("Відскануйте камерою", "Або піднесіть iPhone сюди"),
    "vi": ("Quét bằng camera", "Hoặc đưa iPhone lại gần đây"),
    "zh-hans": ("用相机扫一扫", "或将 iPhone 靠近此处"),
    "zh-hant": ("用相機掃描", "或將 iPhone 靠近此處"),
  ]
  private static let appClipWords: [String: (scan: String, holdOrScan: String)] = [
    "ar": ("امسح الرمز لفتح App Clip", "قرّب iPhone من الرمز أو امسحه"),
    "cs": ("Naskenujte a otevřete App Clip", "Přiložte iPhone ke kódu nebo kód naskenujte"),
    "da": ("Scan for at åbne App Clip", "Hold din iPhone hen til koden, eller scan den"),
    "de": ("Scannen und den App Clip öffnen", "Das iPhone an den Code halten oder ihn scannen"),
    "el": ("Σαρώστε για να ανοίξει το App Clip", "Πλησιάστε το iPhone στον κωδικό ή σαρώστε τον"),
    "en": ("Scan to open the App Clip", "Hold your iPhone near the code, or scan it"),
    "es": ("Escanea para abrir el App Clip", "Acerca el iPhone al código o escanéalo"),
    "fi": ("Avaa App Clip skannaamalla", "Pidä iPhonea koodin lähellä tai skannaa koodi"),
    "fr": ("Scannez pour ouvrir l’App Clip", "Approchez votre iPhone du code ou scannez-le"),
    "he": ("סרקו כדי לפתוח את ה‑App Clip", "קרבו את ה‑iPhone לקוד או סרקו אותו"),
    "hi": ("App Clip खोलने के लिए स्कैन करें", "iPhone को कोड के पास लाएँ या उसे स्कैन करें"),
    "id": ("Pindai untuk membuka App Clip", "Dekatkan iPhone ke kode atau pindai"),
    "it": ("Scansiona per aprire l’App Clip", "Avvicina l’iPhone al codice o scansionalo"),
    "ja": ("スキャンして App Clip を開く", "iPhone をコードに近づけるか、スキャン"),
    "ko": ("스캔하여 App Clip 열기", "iPhone을 코드에 가까이 대거나 스캔하세요"),
    "nb": ("Skann for å åpne App Clip", "Hold iPhone nær koden, eller skann den"),
    "nl": ("Scan om de App Clip te openen", "Houd je iPhone bij de code of scan hem"),
    "pl": ("Zeskanuj, aby otworzyć App Clip", "Zbliż iPhone’a do kodu lub go zeskanuj"),
    "pt": ("Escaneie para abrir o App Clip", "Aproxime o iPhone do código ou escaneie"),
    "pt-pt": ("Digitalize para abrir o App Clip", "Aproxime o iPhone do código ou digitalize-o"),
    "ru": ("Отсканируйте, чтобы открыть App Clip", "Поднесите iPhone к коду или отсканируйте его"),
    "sv": ("Skanna för att öppna App Clip", "Håll din iPhone nära koden eller skanna den"),
    "th": ("สแกนเพื่อเปิด App Clip", "ถือ iPhone ไว้ใกล้โค้ดหรือสแกน"),
    "tr": ("App Clip’i açmak için tara", "iPhone’unu koda yaklaştır veya kodu tara"),
    "uk": ("Відскануйте, щоб відкрити App Clip", "Піднесіть iPhone до коду або відскануйте його"),
    "vi": ("Quét để mở App Clip", "Đưa iPhone lại gần mã hoặc quét mã"),
    "zh-hans": ("扫码打开 App Clip", "将 iPhone 靠近此码或扫一扫"),
    "zh-hant": ("掃描以打開 App Clip", "將 iPhone 靠近此碼或掃描"),
  ]
}
