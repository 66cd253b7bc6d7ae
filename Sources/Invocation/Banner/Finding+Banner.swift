// The kinds of finding about the Smart App Banner of a page.

extension Finding.Code {
  /// The page has no banner tag.
  public static let bannerMissing = Finding.Code(rawValue: "banner-missing")
  /// The page has a tag that is nearly a banner's.
  public static let bannerMisspelled = Finding.Code(rawValue: "banner-misspelled")
  /// The page has several banner tags.
  public static let bannerRepeated = Finding.Code(rawValue: "banner-repeated")
  /// The tag stands outside the head.
  public static let bannerNotInHead = Finding.Code(rawValue: "banner-not-in-head")
  /// An item of the tag is no key and value, or there is none.
  public static let bannerItem = Finding.Code(rawValue: "banner-item")
  /// A key of the tag has no meaning.
  public static let bannerKey = Finding.Code(rawValue: "banner-key")
  /// A key stands in the tag twice.
  public static let bannerRepeatedKey = Finding.Code(rawValue: "banner-repeated-key")
  /// The app's number is missing, malformed or another.
  public static let bannerAppID = Finding.Code(rawValue: "banner-app-id")
  /// The tag names no clip.
  public static let bannerNoClip = Finding.Code(rawValue: "banner-no-clip")
  /// The tag names another clip than is wanted, or than the page's URL opens.
  public static let bannerOtherClip = Finding.Code(rawValue: "banner-other-clip")
  /// The value of `app-clip-display` has no meaning.
  public static let bannerDisplay = Finding.Code(rawValue: "banner-display")
  /// The tag has an argument, which a clip is not given.
  public static let bannerArgument = Finding.Code(rawValue: "banner-argument")
  /// The page could not be had as people get it.
  public static let bannerPage = Finding.Code(rawValue: "banner-page")
  /// Only the beginning of the page was read.
  public static let bannerPageCut = Finding.Code(rawValue: "banner-page-cut")

  /// Every code that the Smart App Banner of a page can bring, with its meaning, in the order of the
  /// documentation.
  package static let ofBanner: [(code: Finding.Code, meaning: String)] = [
    (.bannerMissing, "The page has no Smart App Banner tag."),
    (.bannerMisspelled, "A tag of the page is nearly that of a Smart App Banner."),
    (.bannerRepeated, "The page has several Smart App Banner tags."),
    (.bannerNotInHead, "The Smart App Banner tag stands outside the page's head."),
    (.bannerItem, "An item of the banner is not a key and a value, or there is none."),
    (.bannerKey, "A key of the banner has no meaning."),
    (.bannerRepeatedKey, "A key stands in the banner twice."),
    (.bannerAppID, "The banner's `app-id` is missing, malformed, or not that of the registry."),
    (.bannerNoClip, "The banner names no clip, so it offers the app only."),
    (.bannerOtherClip, "The banner names another clip than is wanted, or than its page opens."),
    (.bannerDisplay, "The banner's `app-clip-display` is not `card`."),
    (.bannerArgument, "The banner has an `app-argument`, which a clip is not given."),
    (.bannerPage, "The page is not served as a web page with status 200."),
    (.bannerPageCut, "The page is too large or too deep, so only its beginning was looked at."),
  ]
}
