import ArgumentParser
import Deployment
import Foundation
import Invocation
import Registry
import WebFetching

/// `cliptag association …`
struct AssociationCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "association",
    abstract: "Check and make the file by which a host lets its URLs invoke clips.",
    subcommands: [Check.self, Make.self])

  /// `cliptag association check HOST|FILE…`
  struct Check: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check a host's apple-app-site-association file, and entitlements with it.",
      discussion: """
        Of a host, /.well-known/apple-app-site-association is fetched as Apple's crawler does, or \
        what Apple's network gives to phones (--cdn); of a file, its contents are checked. The \
        file has to list every clip that has the host among its domains in the registry. What is \
        wrong is told with line and column, and with the code that App Store Connect shows for \
        it. --url says which apps open a URL when they are installed, and by which rule.

        Examples:
          cliptag association check Samples/fruta/apple-app-site-association \\
            --host fruta.example.com
          cliptag association check Samples/fruta/apple-app-site-association \\
            --url https://fruta.example.com/order/cupertino
          cliptag association check Samples/fruta/apple-app-site-association \\
            --clip com.example.fruta.Clip \\
            --entitlements Samples/fruta/Fruta.entitlements \\
            --entitlements Samples/fruta/FrutaClip.entitlements
        """)

    @Argument(
      help: ArgumentHelp(
        "Hosts to ask, or files; - for a file on standard input.", valueName: "host|file"),
      completion: .file())
    var inputs: [String]

    @Flag(help: "Ask Apple's network, as phones do, instead of the host.")
    var cdn = false

    @Option(
      help: ArgumentHelp(
        "The host that serves the file, when a file is checked.", valueName: "host"))
    var host: String?

    @Option(
      help: ArgumentHelp(
        "A clip that the file has to list, instead of all that have the host.", valueName: "clip"))
    var clip: [String] = []

    @Option(
      help: ArgumentHelp("Also say which apps open this URL when installed.", valueName: "url"))
    var url: [String] = []

    @Option(
      help: ArgumentHelp(
        "Also check the entitlements of the app or the clip, told apart by their keys.",
        valueName: "plist"),
      completion: .file(extensions: ["entitlements", "plist"]))
    var entitlements: [String] = []

    @OptionGroup var server: ServerOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      try InputFile.checkStandardInputIsSingle(
        inputs.map { ("a file to check", $0) } + entitlements.map { ("--entitlements", $0) })
    }

    func execute(_ console: Console) async throws {
      let run = AssociationCheckRun(
        registry: try global.registryForReading(console),
        urls: try url.map { try InvocationURL($0) }, clipIDs: clip,
        host: try host.map { try HostName.parse($0) },
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
      case .host(let host):
        let policy = server.applied(
          to: AssociationFetcher.standardPolicy, hosts: [host, AssociationFetcher.cdnHost])
        let fetcher = AssociationFetcher(policy)
        let answer = try await cdn ? fetcher.fetchFromCDN(host) : fetcher.fetchFromSite(host)
        let review = AssociationReview(answer, clips: try run.clips(on: host))
        try console.show(run.completed(review), of: input, run)
      case .file(let path):
        guard !cdn else {
          throw Failure(
            "usage", .usage, "\(path) is a file, and --cdn asks Apple's network about a host.",
            hint: "Name the host, or leave --cdn away.", source: path)
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
