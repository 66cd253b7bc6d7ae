/// One step of making App Store Connect equal to a registry.
public struct PushStep: Hashable, Sendable {
  /// What kind of change it belongs to.
  public enum Kind: String, Hashable, Sendable {
    /// Something new.
    case create
    /// Something that is there changes.
    case change
    /// Something ends; App Store Connect offers no way back.
    case remove
  }

  /// What kind of change it belongs to.
  public let kind: Kind
  /// What it is for, in words: `register https://…`.
  public let purpose: String
  /// The method; that of an upload is what App Store Connect says.
  public let method: String
  /// The path; `${image-1}` stands for what an earlier step is answered.
  public let path: String
  /// What is sent, in JSON; nil for an upload.
  public let body: String?
  /// What the identifier in the answer is called in later steps.
  let names: String?
  /// The picture that is sent, by the name of its reservation.
  let picture: Picture?

  /// Whether the step needs what an earlier one is answered.
  func uses(_ name: String) -> Bool {
    picture?.reservation == name || path.contains("${\(name)}")
      || body?.contains("\"${\(name)}\"") == true
  }

  /// A picture, and which reservation it is for.
  struct Picture: Hashable {
    let reservation: String
    let file: PushPicture
  }

  init(
    _ kind: Kind, _ purpose: String, _ method: String, _ path: String, body: String? = nil,
    names: String? = nil, picture: Picture? = nil
  ) {
    self.kind = kind
    self.purpose = purpose
    self.method = method
    self.path = path
    self.body = body
    self.names = names
    self.picture = picture
  }
}

/// A picture to be sent with a new experience.
public struct PushPicture: Hashable, Sendable {
  /// The file's name.
  public let name: String
  /// The file's bytes: PNG or JPEG.
  public let bytes: [UInt8]

  /// Makes a picture.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}
