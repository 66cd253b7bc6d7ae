import Jobs
import CliptagBasics
import ArgumentParser
import Foundation
import Invocation
import Issuing
import Registry
import Verifying
import WebFetching

extension AssociationCommand {
  /// `cliptag association make`
  struct Make: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "make",
      abstract: "Create the apple-app-site-association file of a host.",
      discussion: """
        The file lists every clip that has the host among its domains in the registry. All \
        entries of the host's current file (--from) are kept. Serve the file at \
        https://HOST/.well-known/apple-app-site-association, without a redirect.

        Examples:
          cliptag association make --host fruta.example.com
          cliptag association make --host rewards.example.com \\
            --from Samples/fruta/apple-app-site-association \\
            --output apple-app-site-association
        """)

    @Option(
      help: ArgumentHelp(
        "The host of the file; optional if the registry has only one.",
        valueName: "host"))
    var host: String?

    @Option(
      help: ArgumentHelp(
        "The current file of the host; - for standard input.", valueName: "file"),
      completion: .file())
    var from: String?

    @Option(
      name: [.long, .customShort("o")],
      help: ArgumentHelp(
        "The output file; - for standard output (default).", valueName: "file"),
      completion: .file())
    var output: String = "-"

    @Flag(name: [.long, .customShort("n")], help: "Only show the planned output.")
    var dryRun = false

    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let clips = try global.registryForReading(console).clips()
      let host = try host.map { try SiteInput.host($0) } ?? Self.onlyHost(of: clips)
      let old = try from.map {
        try InputFile.bytes(of: $0, limit: SiteAssociation.maximumReadSize)
      }
      let file = try made(for: clips, on: host, keeping: old)
      let bytes = Array(file.text.utf8)
      let isPrinted = output == "-"
      if isPrinted, !console.json, !dryRun {
        console.write(bytes)
        return
      }
      if !isPrinted, !dryRun { try AtomicFile(path: output, bytes: bytes).commit() }
      console.result(
        of: MadeAssociationResult(
          file, byteCount: bytes.count, for: host, output: isPrinted ? nil : output,
          isRehearsal: dryRun),
        text: summary(of: file, host: host))
    }

    private func made(
      for clips: [AppClip], on host: String, keeping old: [UInt8]?
    ) throws -> SiteAssociationFile {
      do {
        return try SiteAssociationFile(listing: clips, on: host, keeping: old)
      } catch {
        throw Failure(error, source: from ?? host)
      }
    }

    private func summary(of file: SiteAssociationFile, host: String) -> ConsoleText {
      let what = file.added.isEmpty ? "already lists every clip" : "adds"
      let verb = dryRun ? "would write" : "wrote"
      let place = output == "-" ? "the file" : output
      return (["\(verb) \(place) for \(host): \(what)"] + file.added.map { "  \($0)" }).asLines
    }

    private static func onlyHost(of clips: [AppClip]) throws -> String {
      let hosts = Set(clips.flatMap(\.domains)).sorted()
      if hosts.count == 1 { return hosts[0] }
      let shown = hosts.prefix(5).joined(separator: ", ")
      throw Failure(
        "usage", .usage,
        hosts.isEmpty
          ? "The registry has no clip with a host." : "The registry has \(hosts.count) hosts.",
        hint: hosts.isEmpty
          ? "Import a registry first."
          : "Give one with --host: \(shown)\(hosts.count > 5 ? ", …" : "").")
    }
  }
}

/// An argument that names a host or a file.
enum SiteInput {
  /// A host, and the path behind it.
  case host(String, path: String)
  case file(String)

  /// A file wins over a host of the same name; of a URL, its host is taken.
  init(_ text: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
    if text == "-" || exists && !isFolder.boolValue {
      self = .file(text)
    } else if text.contains("://") {
      let url = try InvocationURL(text)
      self = .host(url.host, path: url.path)
    } else if let (host, path) = Self.hostWithPath(text) {
      self = .host(host, path: path)
    } else {
      // What is neither fails where it is read, with the system's reason.
      self = .file(text)
    }
  }

  /// Reads `example.com` or `example.com/menu`; returns `nil` for a path into an existing folder.
  private static func hostWithPath(_ text: String) -> (host: String, path: String)? {
    let first = String(text.prefix { $0 != "/" })
    guard let host = try? HostName.parse(first),
      first == text || !FileManager.default.fileExists(atPath: first)
    else { return nil }
    return (host, String(text.dropFirst(first.count)))
  }

  /// The host that an option names, with nothing behind it.
  static func host(_ text: String) throws -> String {
    guard let slash = text.firstIndex(of: "/"), !text.contains("://") else {
      return try HostName.parse(text)
    }
    throw Failure(
      "usage", .usage,
      "\(text.printable) is a host with a path, but an association file applies to the whole host: it "
        + "is read only at https://\(text[..<slash])/.well-known/apple-app-site-association.",
      hint: "Give only the host.")
  }
}

/// Options for reaching hosts, to test a server that is not public yet.
struct ServerOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Connect to this address instead of the host's DNS address.",
      discussion: "The certificate must still match the host.", valueName: "address:port"))
  var connect: EndpointArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Trust the certificate authorities in this PEM file instead of the system's.",
      valueName: "file"),
    completion: .file(extensions: ["pem", "crt"]))
  var authorities: String?

  @Flag(
    name: .long,
    help: """
      Permit addresses of this computer and of private networks; implied by --connect.
      """)
  var allowPrivateAddresses = false

  /// A policy with these options.
  func applied(to policy: WebFetcher.Policy, hosts: [String]) -> WebFetcher.Policy {
    var policy = policy
    policy.certificateAuthorities = authorities
    policy.allowsPrivateAddresses = allowPrivateAddresses
    if let connect {
      for host in hosts { policy.endpoints[host] = connect.endpoint }
    }
    return policy
  }
}

/// `192.0.2.1:443`, `[2001:db8::1]:443` or `staging.example.com:443`.
struct EndpointArgument: ExpressibleByArgument {
  let endpoint: WebFetcher.Endpoint

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"),
      let port = UInt16(argument[argument.index(after: colon)...]), port > 0
    else { return nil }
    var address = String(argument[..<colon])
    if address.hasPrefix("["), address.hasSuffix("]") {
      address = String(address.dropFirst().dropLast())
    } else if address.contains(":") {
      return nil
    }
    guard !address.isEmpty else { return nil }
    endpoint = .init(address: address, port: port)
  }
}
