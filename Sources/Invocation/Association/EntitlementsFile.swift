internal import FoundationEssentials

/// An entitlements file of an app or of an App Clip: Xcode's `.entitlements`, or what `codesign -d
/// --entitlements` shows, as an XML or binary property list.
public struct EntitlementsFile: Hashable, Sendable {
  /// Whose entitlements they are.
  public enum Target: String, Hashable, Sendable, CaseIterable {
    /// The full app's.
    case app
    /// The App Clip's.
    case clip
  }

  /// Whose entitlements they are, by the keys that only one of the two has.
  public let target: Target
  private let values: Values

  /// The largest file that is read, in bytes; entitlements have a few kilobytes.
  package static let maximumSize = 1 << 16
  /// The most lists and dictionaries in an XML file; entitlements have a handful, and the parser
  /// uses the stack for those within each other.
  private static let maximumContainers = 500

  /// Reads a file.
  ///
  /// Which of the two targets it belongs to is told by the keys that only a clip's file has
  /// (`parent-application-identifiers`, `on-demand-install-capable`); without them it is taken for
  /// the app's.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: What messages call it.
  /// - Throws: ``EntitlementsFileError``.
  public init(_ bytes: [UInt8], name: String) throws(EntitlementsFileError) {
    if let flaw = Self.flaw(of: bytes) { throw EntitlementsFileError(name, flaw) }
    do {
      values = try PropertyListDecoder().decode(Values.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw EntitlementsFileError(name, Self.reason(of: error))
    } catch {
      throw EntitlementsFileError(name, "it is no property list")
    }
    let isClip = values.parentApplications != nil || values.onDemandInstallCapable != nil
    target = isClip ? .clip : .app
  }

  /// The clip that the file belongs to, directly or as its app's.
  ///
  /// - Parameter clips: Those that come into question.
  /// - Returns: The one that the file names; the only one, when it names none of them; else nil.
  public func clip(among clips: [AppClip]) -> AppClip? {
    let own = values.applicationIdentifier.map(Self.bundleID)
    let parents = values.parentApplications?.map(Self.bundleID) ?? []
    let children = values.associatedAppClips?.map(Self.bundleID) ?? []
    let named = clips.first { clip in
      own == (target == .clip ? clip.bundleID : clip.appBundleID)
        || parents.contains(clip.appBundleID) || children.contains(clip.bundleID)
    }
    return named ?? (clips.count == 1 ? clips.first : nil)
  }

  /// What is wrong or worth knowing.
  ///
  /// - Parameters:
  ///   - clip: The clip that they are to let URLs invoke.
  ///   - hosts: The hosts of those URLs, A-labels in lower case.
  public func findings(for clip: AppClip, on hosts: [String]) -> [AssociationFinding] {
    let domains = values.associatedDomains ?? []
    switch target {
    case .app:
      return AppEntitlements(
        associatedDomains: domains, associatedAppClipIdentifiers: values.associatedAppClips
      ).findings(for: clip, on: hosts)
    case .clip:
      return ClipEntitlements(
        associatedDomains: domains,
        parentApplicationIdentifiers: values.parentApplications ?? [],
        onDemandInstallCapable: values.onDemandInstallCapable
      ).findings(for: clip, on: hosts)
    }
  }

  private struct Values: Hashable, Decodable {
    let associatedDomains: [String]?
    let parentApplications: [String]?
    let onDemandInstallCapable: Bool?
    let associatedAppClips: [String]?
    let applicationIdentifier: String?

    enum CodingKeys: String, CodingKey {
      case associatedDomains = "com.apple.developer.associated-domains"
      case parentApplications = "com.apple.developer.parent-application-identifiers"
      case onDemandInstallCapable = "com.apple.developer.on-demand-install-capable"
      case associatedAppClips = "com.apple.developer.associated-appclip-app-identifiers"
      case applicationIdentifier = "application-identifier"
    }
  }

  /// Without the prefix, which is a team's, or a variable of Xcode.
  private static func bundleID(of identifier: String) -> String {
    if identifier.hasPrefix("$("), let end = identifier.firstIndex(of: ")") {
      return String(identifier[identifier.index(after: end)...])
    }
    return String(identifier.drop { $0 != "." }.dropFirst())
  }

  /// What keeps a file from the parser, in words.
  private static func flaw(of bytes: [UInt8]) -> String? {
    guard !bytes.isEmpty else { return "it is empty" }
    guard bytes.count <= maximumSize else {
      return "it has \(bytes.count) bytes, and at most \(maximumSize) are read"
    }
    guard !bytes.starts(with: "bplist".utf8) else { return nil }
    guard !bytes.contains(0) else { return "it is neither UTF-8 text nor a binary property list" }
    let containers = bytes.indices.count { index in
      let rest = bytes[index...]
      return rest.starts(with: "<array".utf8) || rest.starts(with: "<dict".utf8)
    }
    guard containers <= maximumContainers else {
      return "it has \(containers) lists and dictionaries, which entitlements do not have"
    }
    return nil
  }

  private static func reason(of error: DecodingError) -> String {
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .keyNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue)
      return path.first.map { "the value of \($0) is of the wrong type" }
        ?? "it is no dictionary of entitlements"
    default: return "it is no property list, or a damaged one"
    }
  }
}

/// Why a file cannot be read as entitlements.
public struct EntitlementsFileError: Error, Hashable, Sendable {
  /// What the file is called.
  public let name: String
  /// What is wrong, in one sentence.
  public let message: String
  /// What to do, in one sentence.
  public var hint: String {
    "Take the .entitlements file of the target, or what codesign -d --entitlements - --xml prints."
  }

  init(_ name: String, _ reason: String) {
    self.name = name
    message = "\(name) cannot be read as entitlements: \(reason)."
  }
}
