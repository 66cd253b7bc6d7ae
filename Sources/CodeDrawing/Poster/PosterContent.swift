/// What a poster says.
public struct PosterContent: Hashable, Sendable {
  /// The largest words: what the reader gains, such as `Order a smoothie`.
  public var headline: String
  /// Whose it is, in small words above the headline; nil for none.
  public var brand: String?
  /// A logo above everything; nil for none.
  public var logo: LogoPicture?
  /// How to begin, such as `Scan with your camera`.
  public var callToAction: String
  /// Where it hangs, such as `Fruta Cupertino`; nil for none.
  public var placeName: String?
  /// The URL in small print, for those who cannot scan, and where it leads; nil for none.
  public var address: Address?
  /// The name of the code in the registry, in small print, so that people can tell what hangs
  /// where; nil for none.
  public var codeName: String?
  /// The words beside the target for tags, such as `Or hold your iPhone here`; nil for a poster
  /// that has no tag behind it.
  public var targetCaption: String?
  /// The language of the words, as in BCP 47; nil to conclude it from the letters.
  public var language: String?

  /// A URL as people read it, and as programs follow it.
  public struct Address: Hashable, Sendable {
    /// Without scheme, such as `fruta.example.com/order`.
    public let text: String
    /// In full.
    public let link: String

    /// Shortens a URL for reading: its scheme goes, and a slash at its end.
    public init(url: String) {
      link = url
      var text = url[...]
      if let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") {
        text = url[colon...].dropFirst(3)
      }
      self.text = String(text.hasSuffix("/") ? text.dropLast() : text)
    }
  }

  /// Makes the content of a poster.
  public init(
    headline: String, brand: String? = nil, logo: LogoPicture? = nil, callToAction: String,
    placeName: String? = nil,
    address: Address? = nil, codeName: String? = nil, targetCaption: String? = nil,
    language: String? = nil
  ) {
    self.headline = headline
    self.brand = brand
    self.logo = logo
    self.callToAction = callToAction
    self.placeName = placeName
    self.address = address
    self.codeName = codeName
    self.targetCaption = targetCaption
    self.language = language
  }

  /// Whether the poster is laid out from right to left: told by the language, else by the first
  /// letter of the headline that has a direction.
  var isRightToLeft: Bool {
    if let language {
      let parts = language.split(separator: "-")
      return ["ar", "he", "fa", "ur", "yi", "ps", "sd", "ug", "dv"].contains(parts.first ?? "")
    }
    let strong = headline.unicodeScalars.first { $0.properties.isAlphabetic }
    return strong.map { (0x590...0x8FF).contains($0.value) } ?? false
  }
}
