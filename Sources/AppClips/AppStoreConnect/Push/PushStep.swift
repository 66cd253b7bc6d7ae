/// One step of making App Store Connect equal to a registry.
public struct PushStep: Hashable, Sendable {
  /// The kinds of change.
  public enum Kind: String, Hashable, Sendable {
    /// Creates a resource.
    case create
    /// Changes a resource.
    case change
    /// Removes a resource; App Store Connect cannot undo it.
    case remove
  }

  /// The kind of change.
  public let kind: Kind
  /// The purpose in words: `register https://…`.
  public let purpose: String
  /// The method; that of an upload is named by App Store Connect.
  public let method: String
  /// The path; `${image-1}` is replaced by the identifier from the answer to an earlier step.
  public let path: String
  /// The body, in JSON; nil for an upload.
  public let body: String?
  /// The name by which later steps refer to the identifier in the answer.
  let names: String?
  /// The picture to send, with the name of its reservation.
  let picture: Picture?

  /// Whether the step needs the answer to an earlier step.
  func uses(_ name: String) -> Bool {
    picture?.reservation == name || path.contains("${\(name)}")
      || body?.contains("\"${\(name)}\"") == true
  }

  /// A picture and the name of its reservation.
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
