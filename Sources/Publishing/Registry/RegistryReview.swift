public import Invocation
public import Registry

/// Looks at a registry together with the codes that were issued from it.
public struct RegistryReview: Sendable {
  private let registry: any RegistryStore
  /// The registry as it was when the review began.
  package let document: RegistryDocument

  /// Reads the registry.
  ///
  /// - Throws: What the registry throws.
  public init(of registry: any RegistryStore) throws {
    self.registry = registry
    document = try registry.document()
  }

  /// The codes that an older state of the registry accepted and the present one does not.
  ///
  /// - Parameters:
  ///   - old: The older state.
  ///   - engine: How links are compared.
  /// - Returns: One finding for each code that hangs somewhere, by name.
  /// - Throws: What the registry throws.
  public func orphans(
    against old: RegistryDocument, engine: PrefixEngine
  ) throws -> [Finding] {
    let then = InvocationCheck(directory: ExperienceCatalog(old), engine: engine)
    let now = InvocationCheck(directory: ExperienceCatalog(document), engine: engine)
    return try issued().compactMap { code in
      guard
        try then.examine(payload: code.payload, carrier: .url).verdict == .accepted
      else { return nil }
      let found = try now.examine(payload: code.payload, carrier: .url)
      guard found.verdict != .accepted else { return nil }
      let place = code.placeID.map { " at “\($0)”" } ?? ""
      let why =
        found.findings.first { $0.severity != .note }?.message ?? "its state is \(found.state)."
      return Finding(
        .orphanedCode, found.verdict == .rejected ? .error : .warning,
        "\(code.id)\(place) carries \(code.payload), which was accepted: \(why) Take the code down, "
          + "or register its link again.")
    }
  }

  /// Codes that hang somewhere and whose URLs name a place that the registry does not hold.
  ///
  /// - Throws: What the registry throws.
  public func codesOfUnknownPlaces(engine: PrefixEngine = .segment) throws -> [Finding] {
    let check = InvocationCheck(directory: ExperienceCatalog(document), engine: engine)
    return try issued().compactMap { code in
      let found = try check.examine(payload: code.payload, carrier: .url)
      guard let place = found.findings.first(where: { $0.code == .unknownPlace }) else {
        return nil
      }
      return Finding(
        .unknownPlace, .warning,
        "\(code.id) carries \(code.payload): \(place.message) Add the place, or replace the code.")
    }
  }

  /// What no route of the app takes: registered links, which Maps and Siri hand over as they are,
  /// and codes that hang somewhere.
  ///
  /// - Parameters:
  ///   - routes: The routes of one app.
  ///   - clip: The bundle identifier of the app's clip, when the registry has clips of other apps, too:
  ///     their links and codes are theirs.
  /// - Throws: What the registry throws.
  public func unhandled(by routes: RouteTable, of clip: String? = nil) throws -> [Finding] {
    let links = document.experiences.filter {
      $0.status == .received && (clip == nil || $0.clip == clip)
    }
    let check = InvocationCheck(directory: ExperienceCatalog(document))
    return try links.filter { routes.route(for: $0.link) == nil }.map { experience in
      Finding(
        .unhandledLink, .warning,
        "No route takes \(experience.link.normalized) itself, which Maps and Siri hand over; add one "
          + "that asks for what is missing.")
    }
      + (issued().compactMap { code in
        guard let url = try? InvocationURL(code.payload), routes.route(for: url) == nil else {
          return nil
        }
        if let clip {
          let found = try check.examine(payload: code.payload, carrier: .url)
          guard found.clip == nil || found.clip?.bundleID == clip else { return nil }
        }
        let place = code.placeID.map { " at “\($0)”" } ?? ""
        return Finding(
          .unhandledCode, .error,
          "No route takes \(code.payload) of \(code.id)\(place); whoever scans it sees the clip's "
            + "first screen, or less. Add a route, or replace the code.")
      })
  }

  private func issued() throws -> [IssuedCode] {
    try registry.codes(CodeFilter(status: .issued))
  }
}
