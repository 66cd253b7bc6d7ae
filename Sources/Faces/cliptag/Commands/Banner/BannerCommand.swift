import Jobs
import CliptagBasics
import ArgumentParser
import Foundation
import Invocation
import Publishing
import Registry
import WebFetching

/// `cliptag banner URL|FILE…`
struct BannerCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "banner",
    abstract: "Check or create the tag that offers a clip on a web page.",
    discussion: """
      A page's Smart App Banner is a meta tag in its head. It is compared with the clips of the \
      registry and, if the page's URL is known, with the hosts and experiences: the clip receives \
      the URL of the page. Pages are fetched like by an iPhone. With --clip, no \
      registry is needed. --make prints the tag instead.

      Examples:
        cliptag banner Samples/fruta/page.html
        cliptag banner Samples/fruta/page.html \\
          --url https://fruta.example.com/order/cupertino
        cliptag banner --make --clip com.example.fruta.Clip
        cliptag banner --make --clip com.example.fruta.rewards.Clip \\
          --app-id 1234567891 --card
      """)

  @Argument(
    help: ArgumentHelp(
      "Pages to fetch, or files; - for a page on standard input.", valueName: "url|file"),
    completion: .file(extensions: ["html", "htm"]))
  var inputs: [String] = []

  @Option(help: ArgumentHelp("The URL of the page, for checks of a file.", valueName: "url"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "The expected clip of the page, instead of any clip of the registry.",
      valueName: "[team.]clip"))
  var clip: String?

  @Flag(help: "Print the tag for a clip of the registry.")
  var make = false

  @Option(
    help: ArgumentHelp(
      "With --make: the app's number in the App Store, instead of the registry's.",
      valueName: "number"))
  var appID: String?

  @Flag(help: "With --make: show the whole card in Safari instead of the banner.")
  var card = false

  @OptionGroup var server: ServerOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if make, inputs.count > 1 { throw ValidationError("--make accepts one page at most.") }
    if !make, inputs.isEmpty { throw ValidationError("Give a page or --make.") }
    if !make, appID != nil || card {
      throw ValidationError("--app-id and --card need --make.")
    }
    if let appID, appID.isEmpty || !appID.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      throw ValidationError("--app-id must be a number, not \(appID).")
    }
    try InputFile.checkStandardInputIsSingle(inputs.map { ("a page", $0) })
  }

  func execute(_ console: Console) async throws {
    let registry = try global.registryForReading(clip == nil ? console : nil)
    let wanted = try clip.map { try WantedClip($0, of: registry) }
    if make {
      try printTag(for: wanted, of: registry, console)
      return
    }
    let check = SmartAppBannerCheck(
      clips: try registry.clips(), wanted: wanted.map { [$0.bundleID] } ?? [])
    let pageURL = try url.map { try InvocationURL($0).payload }
    for input in inputs {
      do {
        try Task.checkCancellation()
        console.show(try await review(input, at: pageURL, check, registry), of: input)
      } catch let error as CancellationError {
        throw error
      } catch {
        console.report(Failure(describing: error, source: input))
      }
    }
  }

  private func review(
    _ input: String, at url: String?, _ check: SmartAppBannerCheck, _ registry: any RegistryStore
  ) async throws -> BannerReview {
    guard input.contains("://") else {
      let bytes = try InputFile.bytes(of: input, limit: PageFetcher.standardPolicy.maximumBodyBytes)
      return try BannerReview(page: bytes, url: url, check: check, directory: registry)
    }
    let page = try InvocationURL(input)
    let policy = server.applied(to: PageFetcher.standardPolicy, hosts: [page.host])
    let response = try await PageFetcher(policy).fetch(page.payload)
    return try BannerReview(response, check: check, directory: registry)
  }

  private func printTag(
    for wanted: WantedClip?, of registry: any RegistryStore, _ console: Console
  ) throws {
    let clip = try wanted ?? WantedClip(onlyClip(of: registry))
    guard let number = appID ?? clip.appStoreID else {
      throw Failure(
        "usage", .usage,
        "The tag needs the App Store number of the app of \(clip.bundleID), which is unknown.",
        hint: "Give it with --app-id, or add appStoreID to the registry.", source: clip.bundleID)
    }
    let banner = SmartAppBanner(
      appID: number, clip: clip.bundleID, display: card ? "card" : nil)
    console.result(
      of: BannerTagResult(banner, clip: clip.bundleID, appID: number), text: banner.tag)
  }

  /// The one clip that can be meant: on the host of the page, or in the registry.
  private func onlyClip(of registry: any RegistryStore) throws -> AppClip {
    let page = try (inputs.first { $0.contains("://") } ?? url).map { try InvocationURL($0) }
    let clips = try page.map { try registry.clips(associatedWith: $0.host) } ?? registry.clips()
    if clips.count == 1 { return clips[0] }
    let place = page.map { " on \($0.host)" } ?? ""
    throw Failure(
      "usage", .usage, "The registry has \(clips.count) clips\(place).",
      hint: clips.isEmpty
        ? "Import a registry first." : "Give one with --clip, for example \(clips[0].bundleID).")
  }
}

/// The clip that a page should offer: one of the registry, or the named one.
private struct WantedClip {
  let bundleID: String
  let appStoreID: String?

  init(_ clip: AppClip) { (bundleID, appStoreID) = (clip.bundleID, clip.appStoreID) }

  /// Finds the clip of a bundle identifier, with or without the team in front.
  ///
  /// - Throws: A failure for a bundle identifier that a registry with other clips does not have.
  init(_ text: String, of registry: any RegistryStore) throws {
    let told = AppClip(applicationIdentifier: text)
    let id = told?.bundleID ?? text
    if let clip = try registry.clip(bundleID: text) ?? registry.clip(bundleID: id) {
      (bundleID, appStoreID) = (clip.bundleID, clip.appStoreID)
      return
    }
    let isUsable =
      try told != nil
      || AppClip.problem(withBundleID: text) == nil && registry.clips().isEmpty
    guard isUsable else { throw Failure.unknownClip(text) }
    (bundleID, appStoreID) = (id, nil)
  }
}

extension Failure {
  /// A clip that was named and is not there.
  static func unknownClip(_ id: String) -> Failure {
    Failure(
      "unknown-clip", .usage, "The registry has no clip “\(id.printable)”.",
      hint: "See cliptag experience list, or import a registry that has it.", source: id)
  }
}

extension Console {
  /// Prints the review of a page and takes its verdict into the exit status.
  func show(_ review: BannerReview, of source: String) {
    result(of: BannerResult(review, source: source), text: review.text(source, output))
    note(review.verdict == .accepted ? .done : .notAccepted)
  }
}

extension BannerReview {
  fileprivate func text(_ source: String, _ style: Style) -> ConsoleText {
    var lines: [ConsoleText] = ["\(verdict.label(style)) \(style.bold("\(source)"))"]
    if let url, url != source { lines.append("  page      \(url.printable)") }
    if let banner {
      let place = position.map { "\($0.line):\($0.column): " } ?? ""
      lines.append("  banner    \(place)\(banner.content.printable)")
    }
    if let experience {
      lines.append("  \(verdict == .rejected ? "matches " : "opens   ")  \(experience.text)")
    }
    lines += findings.map { $0.line(style) }
    return lines.joined(separator: "\n")
  }
}
