import Jobs
import CliptagBasics
import ArgumentParser
import Foundation
import Invocation
import Publishing
import Registry
import WebFetching

/// `cliptag association …`
struct AssociationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "association",
    abstract: "Check or create the association file of a host.",
    subcommands: [Check.self, Make.self])

  /// `cliptag association check HOST|FILE…`
  struct Check: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Check a host's apple-app-site-association file, and entitlements with it.",
      discussion: """
        For a host, fetches /.well-known/apple-app-site-association like Apple's crawler, or the \
        copy of Apple's network for phones (--cdn), or compares both (--both); for a \
        file, checks the contents. The file must list every clip that has the host among its domains in the registry. Faults are \
        reported with line and column, and with the code that App Store Connect shows for \
        them. --url shows the installed apps that open a URL, and the matching rule. With the \
        clip's team in front (--clip TEAM.BUNDLE), no registry is needed.

        Examples:
          cliptag association check Samples/fruta/apple-app-site-association \\
            --host fruta.example.com
          cliptag association check Samples/fruta/apple-app-site-association \\
            --clip ABCDE12345.com.example.fruta.Clip
          cliptag association check Samples/fruta/apple-app-site-association \\
            --url https://fruta.example.com/order/cupertino
          cliptag association check Samples/fruta/apple-app-site-association \\
            --clip com.example.fruta.Clip \\
            --entitlements Samples/fruta/Fruta.entitlements \\
            --entitlements Samples/fruta/FrutaClip.entitlements
        """)

    @Argument(
      help: ArgumentHelp(
        "Hosts or files; - for a file on standard input.", valueName: "host|file"),
      completion: .file())
    var inputs: [String]

    @Flag(help: "Query Apple's network, as phones do, instead of the host.")
    var cdn = false

    @Flag(help: "Query the host and Apple's network, and show the differences.")
    var both = false

    @Option(
      help: ArgumentHelp(
        "The host that serves the file, for checks of a file.", valueName: "host"))
    var host: String?

    @Option(
      help: ArgumentHelp(
        "A clip that the file must list, instead of all clips of the host.",
        valueName: "[team.]clip"))
    var clip: [String] = []

    @Option(
      help: ArgumentHelp("Also show the installed apps that open this URL.", valueName: "url"))
    var url: [String] = []

    @Option(
      help: ArgumentHelp(
        "Also check the entitlements of the app or the clip, detected by their keys.",
        valueName: "plist"),
      completion: .file(extensions: ["entitlements", "plist"]))
    var entitlements: [String] = []

    @OptionGroup var server: ServerOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      if both, cdn { throw ValidationError("--both includes Apple's network: leave --cdn out.") }
      try InputFile.checkStandardInputIsSingle(
        inputs.map { ("a file to check", $0) } + entitlements.map { ("--entitlements", $0) })
    }

    func execute(_ console: Console) async throws {
      let run = AssociationCheckRun(
        // Clips that are named in full need no registry, so a missing one is not reported.
        registry: try global.registryForReading(
          !clip.isEmpty && clip.allSatisfy { AppClip(applicationIdentifier: $0) != nil }
            ? nil : console),
        urls: try url.map { try InvocationURL($0) }, clipIDs: clip,
        host: try host.map { try SiteInput.host($0) },
        entitlements: try entitlements.map { path in
          let bytes = try InputFile.bytes(of: path, limit: EntitlementsFile.maximumSize)
          return (path, try EntitlementsFile(bytes, name: path))
        })
      for input in inputs {
        do {
          try Task.checkCancellation()
          try await check(input, run, console)
        } catch let error as CancellationError {
          throw error
        } catch {
          console.report(Failure(describing: error, source: input))
        }
      }
    }

    private func check(
      _ input: String, _ run: AssociationCheckRun, _ console: Console
    ) async throws {
      switch try SiteInput(input) {
      case .host(let host, let path):
        let policy = server.applied(
          to: AssociationFetcher.standardPolicy, hosts: [host, AssociationFetcher.cdnHost])
        let fetcher = AssociationFetcher(policy)
        let clips = try run.clips(on: host)
        var site: AssociationReview?
        if !cdn {
          let review = AssociationReview(
            try await fetcher.fetchFromSite(host), clips: clips, path: path)
          try console.show(run.completed(review), of: input, run)
          site = review
        }
        guard cdn || both else { return }
        var review = AssociationReview(
          try await fetcher.fetchFromCDN(host), clips: clips, path: cdn ? path : "")
        if let site { review.compare(withSite: site) }
        try console.show(cdn ? run.completed(review) : review, of: input, run)
      case .file(let path):
        guard !cdn, !both else {
          let option = cdn ? "--cdn" : "--both"
          throw Failure(
            "usage", .usage, "\(path) is a file, but \(option) queries Apple's network for a host.",
            hint: "Give the host, or leave \(option) out.", source: path)
        }
        let bytes = try InputFile.bytes(of: path, limit: SiteAssociation.maximumReadSize)
        let host = try run.host(ofFile: path, console)
        let review = AssociationReview(
          file: bytes, host: host, clips: try host.map(run.clips) ?? run.namedClips())
        try console.show(run.completed(review), of: input, run)
        if review.association == nil { console.note(.malformedInput) }
      }
    }
  }
}

/// The common parts of all hosts and files of one `association check`.
struct AssociationCheckRun {
  let registry: any RegistryStore
  /// URLs whose apps are asked for.
  let urls: [InvocationURL]
  /// The clips that were named.
  let clipIDs: [String]
  /// The host that was named for files.
  let host: String?
  let entitlements: [(source: String, file: EntitlementsFile)]

  /// Returns the named clips: from the registry, or from their identifiers.
  ///
  /// - Parameter host: The host that serves the file; it is assumed for a clip that is not in the
  ///   registry.
  func namedClips(on host: String? = nil) throws -> [AppClip] {
    try clipIDs.map { id in
      if let clip = try registry.clip(bundleID: id) { return clip }
      guard let told = AppClip(applicationIdentifier: id, domains: host.map { [$0] } ?? []) else {
        throw Failure(
          "unknown-clip", .usage, "The registry has no clip “\(id)”.",
          hint: "Write its team before it, as in ABCDE12345.com.example.app.Clip, or import a "
            + "registry that has it.", source: id)
      }
      guard let known = try registry.clip(bundleID: told.bundleID), known.team == told.team else {
        return told
      }
      return known
    }
  }

  /// The clips that a host's file has to list.
  func clips(on host: String) throws -> [AppClip] {
    clipIDs.isEmpty ? try registry.clips(associatedWith: host) : try namedClips(on: host)
  }

  /// The host that serves a file: the one named, else that of the URLs or the clips, when they have
  /// one only.
  func host(ofFile path: String, _ console: Console) throws -> String? {
    if let host { return host }
    if !urls.isEmpty { return urls.count == 1 || sameHost ? urls[0].host : nil }
    let clips = clipIDs.isEmpty ? try registry.clips() : try namedClips()
    let hosts = Set(clips.flatMap(\.domains))
    if hosts.count == 1 { return hosts.first }
    if clipIDs.isEmpty, !hosts.isEmpty {
      console.say(
        "note: The registry has \(hosts.count) hosts; give one with --host to check that "
          + "\(path == "-" ? "the file" : path) lists its clips.")
    }
    return nil
  }

  private var sameHost: Bool { urls.allSatisfy { $0.host == urls[0].host } }

  /// A review with the entitlements that were given.
  func completed(_ review: AssociationReview) throws -> AssociationReview {
    guard !entitlements.isEmpty else { return review }
    var clips = review.clips.map(\.clip)
    if clips.isEmpty { clips = try registry.clips() }
    var review = review
    for (source, file) in entitlements {
      guard let clip = file.clip(among: clips) else {
        throw Failure(
          "unknown-clip", .usage, "\(source) does not contain the identifier of its clip.",
          hint: "Give the clip with --clip.", source: source)
      }
      review.add(file, source: source, for: clip)
    }
    return review
  }
}

extension Console {
  /// Prints a review and takes its verdict into the exit status.
  func show(
    _ review: AssociationReview, of source: String, _ run: AssociationCheckRun
  ) throws {
    let links = run.urls.map { (url: $0, links: review.links(for: $0)) }
    result(
      of: AssociationResult(review, source: source, links: links),
      text: review.text(source, links, output))
    note(
      review.isUnreachable ? .unavailable : review.verdict == .accepted ? .done : .notAccepted)
  }
}

private typealias LinksOfURL = (url: InvocationURL, links: [AssociationReview.Link])

extension AssociationReview {
  fileprivate func text(
    _ source: String, _ links: [LinksOfURL], _ style: Style
  ) -> ConsoleText {
    var lines: [ConsoleText] = ["\(verdict.label(style)) \(style.bold("\(source)"))"]
    if let answer { lines.append("  from      \(answer.url)\(answer.times)") }
    if let comparison { lines.append("  compared  \(comparison.description)") }
    for listing in clips {
      let listed = listing.isListed.map { $0 ? "listed" : "not listed" } ?? "not known"
      lines.append("  clip      \(listing.clip.applicationIdentifier): \(listed)")
    }
    lines += findings.map { $0.line(style) }
    for entitlements in entitlements {
      let target = entitlements.target == .app ? "the app of " : ""
      lines.append(
        "  entitled  \(entitlements.source.printable): \(target)\(entitlements.clip.bundleID)")
      lines += entitlements.findings.map { $0.line(style) }
    }
    for (url, links) in links { lines += text(url, links).map { ConsoleText($0) } }
    return lines.joined(separator: "\n")
  }

  /// Returns the apps that open a URL, or the reasons that a few of the others do not.
  private func text(_ url: InvocationURL, _ links: [Link]) -> [String] {
    let label = "  link      \(url.payload.printable)"
    let opening = links.filter { $0.decision.outcome == .matched }
    let shown = opening.isEmpty ? Array(links.prefix(5)) : opening
    guard !shown.isEmpty else {
      let why =
        association == nil
        ? "without a file" : "the file names no app in “applinks”, so no app opens it"
      return ["\(label): \(why)"]
    }
    var lines = [label]
    for link in shown {
      lines.append("            \(link.app.printable): \(link.decision.explanation)")
    }
    if opening.isEmpty, links.count > shown.count {
      lines.append("            and \(links.count - shown.count) more that do not open it")
    }
    return lines
  }
}

extension AssociationAnswer {
  /// The age of the answer and the file, as far as the server states it.
  fileprivate var times: String {
    let times = [
      age.map { "kept for \(AssociationComparison.words(seconds: $0))" },
      lastModified.map { "changed \($0.ISO8601Format())" },
    ].compactMap(\.self)
    return times.isEmpty ? "" : " (\(times.joined(separator: ", ")))"
  }
}

extension AssociationFinding {
  /// The line that people read.
  func line(_ style: Style) -> ConsoleText {
    let label = finding.severity.rawValue.padding(to: 8)
    let codes = [finding.code.rawValue, domainError?.rawValue].compactMap(\.self)
    return "  \(finding.severity.colored("\(label)", style))  \(description) "
      + "[\(codes.joined(separator: ", "))]"
  }
}

extension Verdict {
  /// Returns the word in front of a judged item, in a separate column.
  func label(_ style: Style) -> ConsoleText {
    switch self {
    case .accepted: style.green("ACCEPTED ")
    case .rejected: style.red("REJECTED ")
    case .undecided: style.yellow("UNDECIDED")
    }
  }
}
