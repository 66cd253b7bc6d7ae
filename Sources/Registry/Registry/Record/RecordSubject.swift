/// The subject of an entry of the record.
public enum RecordSubject: Hashable, Sendable, CustomStringConvertible {
  /// An issued code.
  case code(CodeID)
  /// A setting that affects the acceptance of codes.
  case setting(Setting)

  /// Reads a subject in the form of an entry; `nil` if the text is not one.
  package init?(_ text: String) {
    if let id = CodeID(text) {
      self = .code(id)
    } else if let setting = Setting(text) {
      self = .setting(setting)
    } else {
      return nil
    }
  }

  /// The code's name, or the setting's.
  public var description: String {
    switch self {
    case .code(let id): id.description
    case .setting(let setting): setting.description
    }
  }

  /// The subject as words of a sentence.
  var title: String {
    switch self {
    case .code(let id): "code \(id)"
    case .setting(let setting): setting.title
    }
  }
}

/// A setting that affects the acceptance of codes: a clip, an experience, a place, a tag's counter,
/// a trusted key, or a recorder whose entries were merged, by its name. Two are equal if their names have the same bytes.
public struct Setting: Hashable, Sendable, CustomStringConvertible {
  /// The kind of subject.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name in the record: letters of ASCII and hyphens.
    public let rawValue: String

    /// Creates a kind from an unchecked name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A clip, by its bundle identifier.
    public static let clip = Kind(rawValue: "clip")
    /// An advanced experience, by its link in normal form.
    public static let experience = Kind(rawValue: "experience")
    /// A place, by its id.
    public static let place = Kind(rawValue: "place")
    /// The last counter of a tag, by the tag's UID.
    public static let counter = Kind(rawValue: "counter")
    /// A key whose checkpoints are trusted, by its name.
    public static let key = Kind(rawValue: "key")
    /// The end of what a recorder wrote here, by the recorder: its later entries came by merges.
    public static let recorder = Kind(rawValue: "recorder")
  }

  /// The kind of subject.
  public let kind: Kind
  private let key: ByteKey

  /// Makes a setting of a kind and a name.
  init(_ kind: Kind, _ name: String) {
    self.kind = kind
    key = ByteKey(name)
  }

  /// Reads ``description``; `nil` if the text is not one. Kinds of newer versions are accepted.
  init?(_ text: String) {
    let bytes = text.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
      colon < bytes.index(before: bytes.endIndex),
      bytes[..<colon].allSatisfy({
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
      })
    else { return nil }
    self.init(
      Kind(rawValue: String(text[..<colon])), String(text[bytes.index(after: colon)...]))
  }

  /// The setting's name, for example `cupertino`.
  public var name: String { key.text }

  /// The subject in the form of an entry, for example `place:cupertino`.
  public var description: String { "\(kind.rawValue):\(name)" }

  /// The setting as words of a sentence.
  var title: String {
    switch kind {
    case .counter: "counter of the tag \(name)"
    case .key: "trusted key “\(name)”"
    case .recorder: "mark of the merged entries of recorder \(name)"
    default: "\(kind.rawValue) \(name)"
    }
  }
}
