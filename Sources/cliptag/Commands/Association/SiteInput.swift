import ArgumentParser
import Foundation
import Invocation
import Verifying
import WebFetching

/// An argument that names a host or a file.
enum SiteInput {
  case host(String)
  case file(String)

  /// A file wins over a host of the same name; of a URL, its host is taken.
  init(_ text: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
    if text == "-" || exists && !isFolder.boolValue {
      self = .file(text)
    } else if text.contains("://") {
      self = .host(try InvocationURL(text).host)
    } else if let host = try? HostName.parse(text) {
      self = .host(host)
    } else {
      // What is neither fails where it is read, with the system's reason.
      self = .file(text)
    }
  }
}

/// How hosts are reached, for whoever tests a server that is not public yet.
struct ServerOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Connect to this address instead of what the host's name resolves to.",
      discussion: "The certificate must still be the host's.", valueName: "address:port"))
  var connect: EndpointArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Trust the certificate authorities of this PEM file instead of the system's.",
      valueName: "file"),
    completion: .file(extensions: ["pem", "crt"]))
  var authorities: String?

  /// A policy with these options.
  func applied(to policy: WebFetcher.Policy, hosts: [String]) -> WebFetcher.Policy {
    var policy = policy
    policy.certificateAuthorities = authorities
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
