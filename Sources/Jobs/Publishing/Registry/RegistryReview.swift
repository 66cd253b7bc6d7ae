public import Invocation
public import Registry

/// A review of a registry and the codes that were issued from it.
public struct RegistryReview: Sendable {
  private let registry: any RegistryStore
  /// The contents of the registry when the review began.
  package let document: RegistryDocument

  /// Reads the registry.
  ///
  /// - Parameters:
  ///   - registry: The registry, whose codes are reviewed.
  ///   - document: The contents that the registry will have; `nil` for the present ones.
  /// - Throws: Errors of the registry.
  public init(of registry: any RegistryStore, with document: RegistryDocument? = nil) throws {
    self.registry = registry
    self.document = try document ?? registry.document()
  }

  /// Returns the posted codes that open nothing, except those whose place alone is unknown, and
  /// the codes that an older state of the registry accepted and this one does not.
  ///
  /// - Parameters:
  ///   - old: The older state; `nil` for none.
  ///   - engine: The comparison of links.
  /// - Returns: One finding for each posted code, by name.
  /// - Throws: Errors of the registry.
  public func orphans(
    against old: RegistryDocument? = nil, engine: PrefixEngine
  ) throws -> [Finding] {
    let then = old.map { InvocationCheck(directory: ExperienceCatalog($0), engine: engine) }
    let now = InvocationCheck(directory: ExperienceCatalog(document), engine: engine)
    return try issued().compactMap { code in
      let found = try now.examine(payload: code.payload, carrier: .url)
      guard found.verdict != .accepted else { return nil }
      let wasAccepted =
        try then?.examine(payload: code.payload, carrier: .url).verdict == .accepted
      let opensNothing =
        found.verdict == .rejected && !found.findings.contains { $0.code == .unknownPlace }
      guard wasAccepted || opensNothing else { return nil }
      let place = code.placeID.map { " at “\($0)”" } ?? ""
      let why =
        found.findings.first { $0.severity != .note }?.message ?? "its state is \(found.state)."
      return Finding(
        .orphanedCode, found.verdict == .rejected && code.registered ? .error : .warning,
        "\(code.id)\(place) carries \(code.payload)\(wasAccepted ? ", which was accepted" : ""): \(why) "
          + "Remove the code, or register its link again.")
    }
  }

  /// Returns the posted codes whose URLs name a place that the registry does not contain, or that
  /// belong to one; and those that were issued before the place that their URLs name was added.
  ///
  /// - Throws: Errors of the registry.
  public func codesOfUnknownPlaces(engine: PrefixEngine = .segment) throws -> [Finding] {
    let check = InvocationCheck(directory: ExperienceCatalog(document), engine: engine)
    let places = Set(document.places.map(\.id))
    return try issued().compactMap { code in
      let found = try check.examine(payload: code.payload, carrier: .url)
      if let place = found.findings.first(where: { $0.code == .unknownPlace }) {
        return Finding(
          .unknownPlace, .warning,
          "\(code.id) carries \(code.payload): \(place.message) Add the place, or replace the code."
        )
      }
      if code.placeID == nil, let place = found.place {
        return Finding(
          .placeAdded, .warning, "\(code.id): \(place.message(aboutIssueBefore: code))")
      }
      guard let id = code.placeID, !places.contains(id) else { return nil }
      return Finding(
        .unknownPlace, .warning,
        "\(code.id) carries \(code.payload) and belongs to the place “\(id)”, which the registry does "
          + "not have: add the place, or replace the code.")
    }
  }

  /// Returns the links and codes that no route of the app accepts: registered links, which Maps and
  /// Siri pass on unchanged, and posted codes.
  ///
  /// - Parameters:
  ///   - routes: The routes of one app.
  ///   - clip: The bundle identifier of the app's clip, if the registry also has clips of other
  ///     apps, whose links and codes are skipped.
  /// - Throws: Errors of the registry.
  public func unhandled(by routes: RouteTable, of clip: String? = nil) throws -> [Finding] {
    let links = document.experiences.filter {
      $0.status == .received && (clip == nil || $0.clip == clip)
    }
    let check = InvocationCheck(directory: ExperienceCatalog(document))
    return try links.filter { routes.route(for: $0.link) == nil }.map { experience in
      Finding(
        .unhandledLink, .warning,
        "No route accepts \(experience.link.normalized) itself, which Maps and Siri pass; add one "
          + "that requests the missing data.")
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
          "No route accepts \(code.payload) of \(code.id)\(place); a scan opens the clip's "
            + "first screen at most. Add a route, or replace the code.")
      })
  }

  private func issued() throws -> [IssuedCode] {
    try registry.codes(CodeFilter(status: .issued))
  }
}
