import CliptagPlatform
import Jobs
import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Issuing
import NFCReader
import Registry
import Synchronization
import Verifying

/// The station: one reader, one registry, and a page for a person who works with them all day.
///
/// It is a second face of the same libraries. The commands do its work, and it passes on their
/// words; it keeps long-running work itself (a batch, the tags on the reader, a parcel).
final class Station: Sendable {
  /// The options of the command line.
  struct Options: Sendable {
    let global: GlobalOptions
    let matching: PrefixEngine
    let reader: String?
    /// The address to listen on.
    let address: String
    /// The port to listen on, 0 for any; ``usualPort`` or the next free one without it.
    let port: UInt16?
    /// A Boolean value that indicates whether the sessions of the station's last run end, so that
    /// their clients need another link.
    let forgetsSessions: Bool
    /// Prints a sentence for the person at the terminal.
    let note: @Sendable (String) -> Void
    /// The folder for printed files.
    let prints: String
    /// Verifies what is laid on the reader.
    let verifier: StationVerifier
  }

  private let options: Options
  private let hub = EventHub()
  private let access: StationAccess
  private let files = KeptFiles()
  private let runner: RequestRunner
  private let bench: ReaderBench
  private let pages: StationPages
  private let parcels: ParcelDesk
  private let batches: BatchDesk
  private let findings: FindingDesk
  private let port = Mutex(0)
  /// The last results of the doctor, and the time until which it is asked repeatedly.
  private let doctor = Mutex((found: [ReaderCheckResult](), until: ContinuousClock.now))

  /// The default port of a station: windows find it again after a restart.
  static let usualPort = 8642
  /// The number of stations of one computer that find a port.
  private static let mostPorts = 100

  /// The interval of the heartbeat to windows. They wait four times as long.
  private static let heartbeat = Duration.seconds(1)
  /// The interval at which the doctor is asked while the reader's page is open.
  private static let rounds = Duration.seconds(4)
  private static let lookingFor = Duration.seconds(600)

  init(_ options: Options) throws {
    self.options = options
    access = StationAccess(note: options.note)
    let runner = RequestRunner(options.global, telling: hub)
    self.runner = runner
    bench = ReaderBench(
      reader: options.reader, matching: options.matching, runner: runner, hub: hub,
      verifier: { try options.verifier($0, nil, true) })
    parcels = ParcelDesk(runner: runner, bench: bench, hub: hub)
    batches = BatchDesk(runner: runner, bench: bench, matching: options.matching)
    findings = FindingDesk(runner: runner)
    let login = try runner.registryForWriting().who
    pages = try StationPages(
      .init(
        registry: options.global.registryLocation.description, reader: options.reader ?? "",
        who: { runner.who ?? login }))
  }

  /// Serves until the task is cancelled.
  ///
  /// - Parameter opened: Called with the link that lets a browser in, at the beginning and whenever
  ///   one was used.
  func run(_ opened: @escaping @Sendable (_ link: String) -> Void) async throws {
    await bench.setParcel { [parcels] place, seen in _ = await parcels.take(place, [seen]) }
    let server = StationServer(
      routes: routes(opened), access: access, pages: pages, isTrustworthy: isLoopback)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.run(on: self.options.address, ports: self.ports) { port in
          self.port.withLock { $0 = port }
          if self.options.port == nil, port != Self.usualPort {
            self.options.note("Port \(Self.usualPort) is in use: this station has port \(port).")
          }
          self.access.listens(
            on: port, as: self.names, sessions: self.sessionFile(port),
            forgets: self.options.forgetsSessions)
          opened(self.link)
        }
      }
      group.addTask { await self.beat() }
      group.addTask { await self.watchRegistry() }
      group.addTask { await self.watchReader() }
      do {
        try await group.next()
      } catch {
        group.cancelAll()
        hub.end()
        await bench.close()
        throw error
      }
      group.cancelAll()
      hub.end()
      await bench.close()
    }
  }

  private var ports: Range<Int> {
    let first = options.port.map { Int($0) } ?? Self.usualPort
    return first..<first + (options.port == nil ? Self.mostPorts : 1)
  }

  /// The file of the sessions of a port.
  private func sessionFile(_ port: Int) -> SessionFile? {
    let location = options.global.registryLocation
    let name = location.description
    // A file has one name, whatever folder the station was started in.
    let registry =
      location.isOnServer ? name : URL(filePath: name).resolvingSymlinksInPath().path
    return try? SessionFile(
      in: SessionFile.usualFolder, registry: registry, address: "\(options.address):\(port)")
  }

  /// The link that lets the next browser in.
  private var link: String {
    "\(base)/?token=\(access.linkToken)"
  }

  /// The address of the pages.
  private var base: String {
    "http://\(isLoopback ? options.address : reachable):\(port.withLock { $0 })"
  }

  private var isLoopback: Bool { options.address.hasPrefix("127.") }

  /// The address at which others reach this computer.
  private var reachable: String {
    options.address == "0.0.0.0"
      ? NetworkAddresses.own.first ?? "127.0.0.1" : options.address
  }

  /// The names of the station in requests.
  private var names: [String] {
    let loopback = ["127.0.0.1", "localhost", options.address]
    guard !isLoopback else { return loopback }
    let host = ProcessInfo.processInfo.hostName
    return loopback + NetworkAddresses.own + [host, host + ".local"]
  }

  // MARK: Routes

  private func routes(_ opened: @escaping @Sendable (String) -> Void) -> [StationRoute] {
    let print = PrintDesk(
      runner: runner, files: files, matching: options.matching, folder: options.prints)
    let check = CheckDesk(
      runner: runner, bench: bench, files: files, hub: hub, access: access, pages: pages,
      address: { self.isLoopback ? nil : "\(self.reachable):\(self.port.withLock { $0 })" },
      verifier: options.verifier)
    let walks = WalkDesk(
      runner: runner, files: files, matching: options.matching, verifier: options.verifier,
      base: { self.base },
      isReachable: !isLoopback)
    return pageRoutes(opened, print, walks) + ownRoutes(opened) + batches.routes + print.routes
      + check.routes
      + parcels.routes + walks.routes + findings.routes + pages.routes
  }

  /// The pages, with the tables that they show without JavaScript.
  private func pageRoutes(
    _ opened: @escaping @Sendable (String) -> Void, _ print: PrintDesk, _ walks: WalkDesk
  ) -> [StationRoute] {
    let (runner, pages) = (runner, pages)
    func page(
      _ path: String, _ name: String,
      _ tables: @escaping @Sendable (StationRequest) async -> [String: [JSONValue]]
    ) -> StationRoute {
      StationRoute("GET", path, for: .page) { request in
        pages.page(name, for: request, tables: request.isTrusted ? await tables(request) : [:])
      }
    }
    return [
      StationRoute("GET", "/", for: .anybody) { request in
        // The link's page asks for the session: a cookie that came with this answer would be kept
        // by a browser that only looks at links.
        if let token = request.query["token"] {
          return pages.page("open.html", for: request, more: ["token": token])
        }
        var request = request
        request.party = try self.access.check(request, for: .page)
        let batches = request.isTrusted ? await self.batches.list().results : []
        return pages.page("now.html", for: request, tables: ["batches": batches])
      },
      page("/batch", "batch.html") { _ in ["batches": await self.batches.list().results] },
      page("/print", "print.html") { _ in
        ["codes": await print.codes(place: nil, containing: "", limit: 100).results]
      },
      page("/check", "check.html") { _ in
        ["experiences": await runner.look { try $1.showExperiences(of: $0) }.results]
      },
      page("/parcel", "parcel.html") { request in
        let place = try? request.place()
        let packing: [JSONValue] =
          if let place { await self.parcels.answer(place).results("packing") } else { [] }
        return [
          "places": await runner.look { try $1.showPlaces(of: $0) }.results, "packing": packing,
        ]
      },
      page("/walk", "walk.html") { request in
        [
          "walks": await runner.look { try await $1.showWalks(of: $0) }.results,
          "findings": await walks.report(request.query["name"]).results("audit-finding"),
        ]
      },
      page("/findings", "findings.html") { _ in
        let answer = try? await self.findings.list()
        return ["follow-ups": answer?.results("follow-up") ?? []]
      },
      page("/reader", "reader.html") { _ in
        ["reader": await self.examineReader().map { JSONValue(result: $0) }]
      },
    ]
  }

  private struct Link: Decodable { let token: String }

  /// The `session` object of a program.
  private struct ProgramSession: Encodable {
    /// The type of the object.
    let type = "session"
    /// The session, for the header Authorization.
    let session: String
    /// Empty: a program's session needs none.
    let csrf = ""
  }

  /// The secrets that the pages of a browser send.
  private struct BrowserSecrets: Encodable {
    let page: String
    let view: String
  }

  private func ownRoutes(_ opened: @escaping @Sendable (String) -> Void) -> [StationRoute] {
    [
      StationRoute("POST", "/api/session", for: .anybody) { request in
        let link: Link = try request.json()
        let session = try self.access.openProgram(link.token)
        opened(self.link)
        return .json(ProgramSession(session: session))
      },
      StationRoute("POST", "/open", for: .anybody) { request in
        let link: Link = try request.json()
        let (cookie, secrets) = try self.access.openBrowser(link.token)
        opened(self.link)
        var response = StationResponse.json(
          BrowserSecrets(page: secrets.page, view: secrets.view))
        response.headers.append(("Set-Cookie", cookie))
        return response
      },
      StationRoute("POST", "/open/plain", for: .anybody) { request in
        let cookie = try self.access.openReader(request.formField("token") ?? "")
        opened(self.link)
        var response = StationResponse.redirect(to: "/")
        response.headers.append(("Set-Cookie", cookie))
        return response
      },
      StationRoute("GET", "/api/station") { _ in .json(self.facts) },
      StationRoute("GET", "/api/now") { _ in .json(self.bench.board.now) },
      StationRoute("GET", "/api/events", for: .document) { request in
        StationResponse(
          events: try self.hub.listen(request.party, [("now", self.bench.board.now)]))
      },
      StationRoute("POST", "/api/who") { request in
        struct Person: Decodable { let by: String }
        let person: Person = try request.json()
        let name = person.by.trimmingCharacters(in: .whitespacesAndNewlines)
        guard name.count <= 200 else {
          throw Failure(
            "usage", .usage, "The name is too long.", hint: "Use 200 characters at most.")
        }
        self.runner.who = name.isEmpty ? nil : name
        return .json(self.facts)
      },
      StationRoute("DELETE", "/api/jobs/:job") { request in
        // One that has ended meanwhile needs no end.
        self.runner.cancel(request.parameter("job"))
        return CommandAnswer().response
      },
      StationRoute("GET", "/files/:key/:name", for: .document) { request in
        try self.files.response(for: request.parameter("key"), named: request.parameter("name"))
      },
      StationRoute("GET", "/api/reader") { _ in
        self.doctor.withLock { $0.until = .now + Self.lookingFor }
        var answer = CommandAnswer()
        answer.results = await self.examineReader().map { JSONValue(result: $0) }
        return answer.response
      },
    ]
  }

  /// The `station` object of the interface: the facts about the station.
  private struct Facts: Encodable {
    /// The type of the object.
    let type = "station"
    /// The version of cliptag.
    let version: String = Cliptag.version
    /// The location of the registry.
    let registry: String
    /// The connection string of the reader.
    let reader: String?
    /// The person who works at the station.
    let who: String?
    /// Whether phones can reach the station.
    let phones: Bool
    /// The languages of the pages.
    let languages: [String]
    /// The designs of posters.
    let designs: [String] = PosterDesign.allCases.map(\.rawValue)
    /// The sizes of posters.
    let papers: [String] = (0...7).map { "A\($0)" } + ["letter", "legal", "tabloid"]
    /// The languages of posters.
    let posterLanguages: [String] = PosterWording.languages
  }

  private var facts: Facts {
    Facts(
      registry: options.global.registryLocation.description,
      reader: bench.board.now.reader ?? options.reader, who: runner.who, phones: !isLoopback,
      languages: pages.languages)
  }

  // MARK: Watching

  private func beat() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.heartbeat)
      hub.beat()
    }
  }

  /// Announces changes of the registry, here or elsewhere.
  private func watchRegistry() async {
    var isReplaced = false
    while !Task.isCancelled {
      do {
        let registry = try options.global.registryForReading(nil)
        var known = try registry.changeNumber()
        if isReplaced { hub.tell("registry", RegistryNews(change: known)) }
        isReplaced = false
        while !Task.isCancelled, !isReplaced {
          (known, isReplaced) = try await BlockingQueue.waiting.run {
            [known, runner] wanted throws(RegistryError) in
            while wanted.isSet, registry.isCurrent, try registry.changeNumber() == known {
              runner.leaveReplacedRegistry()
              try registry.waitForChange(atMost: .milliseconds(500))
            }
            return (try registry.changeNumber(), !registry.isCurrent)
          }
          if !isReplaced { hub.tell("registry", RegistryNews(change: known)) }
        }
      } catch {
        // An unreachable server is reported by the operation that needs it; here it is only tried
        // again.
        try? await Task.sleep(for: .seconds(2))
      }
    }
  }

  /// The number of changes of the registry, if it is known.
  private struct RegistryNews: Encodable {
    let change: Int?
  }

  /// Asks the doctor repeatedly while the reader's page is open.
  private func watchReader() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: Self.rounds)
      let (before, until) = doctor.withLock { ($0.found, $0.until) }
      guard until > .now, hub.hasListeners else { continue }
      let found = await examineReader()
      if found != before { hub.tell("reader", ["results": found]) }
    }
  }

  /// Returns the findings of the doctor; a reader in use is not examined.
  private func examineReader() async -> [ReaderCheckResult] {
    let now = bench.board.now
    let isUsed = now.mode != .idle && !now.phase.isOver && now.phase != .readerLost

    let found: [ReaderCheckResult]
    if isUsed, let reader = now.reader {
      found = [ReaderCheckResult(inUse: "The station uses \(reader.printable).")]
    } else {
      found = await NFCReader.examine(options.reader, repairing: false).map(\.result)
    }
    doctor.withLock { $0.found = found }
    return found
  }
}

/// Makes the verifier of a station.
///
/// - Parameters:
///   - registry: The registry, opened.
///   - location: The evidence of the position; `nil` for the station's.
///   - consumes: Whether messages of tags are used up.
typealias StationVerifier =
  @Sendable (_ registry: any RegistryStore, _ location: LocationEvidence?, _ consumes: Bool) throws
  -> Verifier

/// The addresses of this computer in its networks.
enum NetworkAddresses {
  /// The IPv4 addresses, without the loopback's.
  static var own: [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var entry = list
    while let interface = entry?.pointee {
      entry = interface.ifa_next
      guard let address = interface.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        interface.ifa_flags & UInt32(IFF_UP) != 0
      else { continue }
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      guard
        getnameinfo(
          address, socklen_t(MemoryLayout<sockaddr_in>.size), &name, socklen_t(name.count), nil, 0,
          NI_NUMERICHOST) == 0
      else { continue }
      let text = String(
        decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if !text.hasPrefix("127.") { found.append(text) }
    }
    return found
  }
}
