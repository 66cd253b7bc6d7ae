/// The text of an App Clip card.
public struct ExperienceCard: Hashable, Sendable {
  /// The title, at most 30 characters (App Store Connect).
  public let title: String?
  /// The subtitle, at most 56 characters (App Store Connect).
  public let subtitle: String?
  /// The label of the card's button.
  public let action: CardAction

  /// Makes a card.
  public init(title: String?, subtitle: String? = nil, action: CardAction = .open) {
    self.title = title
    self.subtitle = subtitle
    self.action = action
  }
}

/// The call to action on an App Clip card, with App Store Connect's values.
public enum CardAction: String, Hashable, Sendable, CaseIterable {
  /// For everything that is neither media nor a game.
  case open = "OPEN"
  /// For media and information.
  case view = "VIEW"
  /// For games.
  case play = "PLAY"
}

/// The texts of a card in one language.
public struct CardLocalization: Hashable, Sendable {
  /// The language, as in App Store Connect: a code such as `DE` for advanced experiences, a locale
  /// such as `de-DE` for default ones.
  public let language: String
  /// The title; a default experience has none, as it shows the app's name.
  public let title: String?
  /// The subtitle.
  public let subtitle: String?

  /// Makes the texts of one language.
  public init(language: String, title: String?, subtitle: String?) {
    self.language = language
    self.title = title
    self.subtitle = subtitle
  }
}

/// The picture on a card.
public struct HeaderImage: Hashable, Sendable {
  /// The file's name.
  public let file: String
  /// The width and height in pixels, if known.
  public let size: Size?

  /// A width and height in pixels.
  public struct Size: Hashable, Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int

    /// Makes a size.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Makes a picture.
  public init(file: String, size: Size? = nil) {
    self.file = file
    self.size = size
  }

  /// The size that App Store Connect requires: 1800 × 1200 pixels, PNG or JPEG without transparency
  /// (App Store Connect Help, "App Clip header image").
  public static let requiredSize = Size(width: 1800, height: 1200)
}

extension Sequence<CardLocalization> {
  /// The texts in a language, or a locale of it.
  ///
  /// - Parameter language: A code of App Store Connect or a tag as in BCP 47: `DE`, `de`, `de-DE`.
  package func texts(in language: String) -> CardLocalization? {
    first { $0.language.lowercased() == language.lowercased() }
      ?? first { $0.language.isLanguage(language) }
  }
}

extension String {
  /// Whether both are the same language, regardless of region: `DE` and `de-DE` are.
  package func isLanguage(_ other: String) -> Bool {
    prefix { $0 != "-" }.lowercased() == other.prefix { $0 != "-" }.lowercased()
  }
}
