import CliptagBasics
import CliptagPlatform
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The station's HTTP server: SwiftNIO carries requests, and this type checks them and determines
/// their party.
struct StationServer: Sendable {
  let routes: [StationRoute]
  let access: StationAccess
  let pages: StationPages
  /// Whether browsers take the connection for a secure one, as that to their own computer.
  let isTrustworthy: Bool

  /// The work under way, and the connections.
  private let load = StationLoad()
  private let connections = StationConnections()

  /// The limits of a request's head. Cookies ignore ports, so those of every server of this
  /// computer are included.
  private static let heads = {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = 16 << 10
    limits.maxHeaderListSize = 32 << 10
    limits.maxHeaderFieldCount = 100
    return limits
  }()
  /// The number of bytes of an answer that are written at once.
  private static let slice = 1 << 18

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - address: The address to listen on, as numbers.
  ///   - ports: The ports to listen on: the first that no other program has. 0 is any.
  ///   - listening: Called with the port once the server listens.
  func run(
    on address: String, ports: Range<Int>, listening: @escaping @Sendable (Int) -> Void
  ) async throws {
    let server = try await listen(on: address, ports)
    listening(server.channel.localAddress?.port ?? 0)
    try await withThrowingDiscardingTaskGroup { group in
      try await server.executeThenClose { arriving in
        for try await connection in arriving {
          let number = connections.admit(connection.channel)
          group.addTask {
            // An error of a connection concerns only its other end.
            guard let number else { return connection.channel.close(promise: nil) }
            defer { connections.leave(number) }
            try? await serve(connection, number)
          }
        }
      }
    }
  }

  private func listen(
    on address: String, _ ports: Range<Int>
  ) async throws -> NIOAsyncChannel<Connection, Never> {
    let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Connections that come while a flood is taken in wait here, and not a second for the next
      // attempt.
      .serverChannelOption(.backlog, value: 1024)
    var next = ports
    while true {
      let port = next.removeFirst()
      do {
        return try await bootstrap.bind(host: address, port: port) { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
              withEncoderConfiguration: .init(), withDecoderLimitConfiguration: Self.heads)
            try pipeline.addHandler(RequestDeadlines())
            return try Connection(wrappingChannelSynchronously: channel)
          }
        }
      } catch let error as IOError {
        if error.errnoCode == EADDRINUSE, !next.isEmpty { continue }
        throw Failure(
          "cannot-listen", .unavailable,
          "\(address):\(port) is not available for listening: \(String(cString: strerror(error.errnoCode))).",
          hint: "Another program may use the port: give another with --port, or 0 for any.")
      }
    }
  }

  private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  private typealias Parts = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
  private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  /// Answers one request after another.
  private func serve(_ connection: Connection, _ number: Int) async throws {
    try await connection.executeThenClose { parts, writer in
      var parts = parts.makeAsyncIterator()
      while case .head(let head)? = try await parts.next() {
        defer { connections.use(number, false) }
        guard try await answer(head, &parts, writer, number) else { return }
      }
    }
  }

  /// Answers a request. Its head decides whether any of its body is kept.
  ///
  /// - Returns: Whether another request may come.
  private func answer(
    _ head: HTTPRequestHead, _ parts: inout Parts, _ writer: Writer, _ number: Int
  ) async throws -> Bool {
    var request = request(head)
    var isComplete = false
    do {
      let (route, work) = try admit(&request, head)
      defer { work.end() }
      if request.party != .stranger { connections.use(number, true) }
      if head.headers.contains(name: "expect") {
        try await writer.write(.head(HTTPResponseHead(version: head.version, status: .continue)))
      }
      request.body = try await body(of: head, for: route, &parts, work)
      isComplete = true
      let response = await answer(request, by: route)
      // A listener makes no further requests on this connection; listeners are counted separately.
      if case .events = response.body { work.end() }
      try await send(response, to: head, writer)
    } catch let refusal as StationAccess.Refusal {
      let hasBody = !isComplete && head.announcesBody
      try await send(pages.refusal(refusal, for: request), to: head, isLast: hasBody, writer)
      // The rest is read, so that the answer is heard, and forgotten.
      if !isComplete { try await forgetBody(&parts) }
      if hasBody { return false }
    }
    return head.isKeepAlive
  }

  private func forgetBody(_ parts: inout Parts) async throws {
    while let part = try await parts.next() {
      if case .end = part { return }
    }
  }

  /// Finds the route of a request, and checks whether it is permitted.
  private func admit(
    _ request: inout StationRequest, _ head: HTTPRequestHead
  ) throws(StationAccess.Refusal) -> (StationRoute, StationLoad.Work) {
    let method = request.method == "HEAD" ? "GET" : request.method
    let known = routes.compactMap { route in route.match(request.path).map { (route, $0) } }
    let found = known.first { $0.0.method == method }
    // A stranger does not learn what there is.
    request.party = try access.check(request, for: found?.0.access ?? .session)
    guard let (route, parameters) = found else {
      throw .init(
        known.isEmpty ? 404 : 405,
        Failure("not-found", .noInput, "The page does not exist.", hint: "See /api/openapi.json."))
    }
    request.parameters = parameters
    guard head.announcedSize ?? 0 <= route.largestBody.rawValue else { throw .tooLarge }
    let work = try load.begin(request.party)
    try work.reserve(head.announcedSize ?? 0)
    return (route, work)
  }

  /// Receives a body.
  private func body(
    of head: HTTPRequestHead, for route: StationRoute, _ parts: inout Parts,
    _ work: StationLoad.Work
  ) async throws -> Data {
    var body = Data(capacity: head.announcedSize ?? 0)
    while let part = try await parts.next() {
      switch part {
      case .head, .end: return body
      case .body(let bytes):
        let size = body.count + bytes.readableBytes
        guard size <= route.largestBody.rawValue else { throw StationAccess.Refusal.tooLarge }
        try work.reserve(size)
        body.append(contentsOf: bytes.readableBytesView)
      }
    }
    throw ChannelError.inputClosed
  }

  private func request(_ head: HTTPRequestHead) -> StationRequest {
    let target = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var headers: [String: String] = [:]
    for (name, value) in head.headers {
      let name = name.lowercased()
      headers[name] = headers[name].map { "\($0)\(name == "cookie" ? ";" : ",") \(value)" } ?? value
    }
    var request = StationRequest(
      method: head.method.rawValue,
      path: (target.first ?? "").split(separator: "/").map {
        $0.removingPercentEncoding ?? String($0)
      },
      query: Dictionary(
        StationRequest.fields(of: target.count > 1 ? String(target[1]) : "")
      ) { first, _ in first },
      headers: headers)
    request.language = pages.language(of: request)
    return request
  }

  /// Returns the answer of a route, produced on the threads of the requesting party.
  private func answer(_ request: StationRequest, by route: StationRoute) async -> StationResponse {
    switch request.party {
    case .stranger: await result(of: request, by: route)
    case .session: await WorkExecutor.sessions.run { await result(of: request, by: route) }
    case .phones: await WorkExecutor.phones.run { await result(of: request, by: route) }
    }
  }

  private func result(
    of request: StationRequest, by route: StationRoute
  ) async -> StationResponse {
    do {
      return try await route.answer(request)
    } catch let refusal as StationAccess.Refusal {
      return pages.refusal(refusal, for: request)
    } catch {
      let failure = InputNames.$areOptions.withValue(false) { Failure(describing: error) }
      return CommandAnswer(failure: failure).response
    }
  }

  /// The content security policy: only the station's own files are loaded, run and framed.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

  private func send(
    _ response: StationResponse, to request: HTTPRequestHead, isLast: Bool = false,
    _ writer: Writer
  ) async throws {
    var headers = HTTPHeaders()
    let usual =
      [
        ("Content-Type", response.type), ("Content-Security-Policy", Self.policy),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
      ] + (isTrustworthy ? [("Cross-Origin-Opener-Policy", "same-origin")] : [])
    for (name, value) in usual where !response.headers.contains(where: { $0.name == name }) {
      headers.add(name: name, value: value)
    }
    for (name, value) in response.headers { headers.add(name: name, value: value) }
    if isLast { headers.add(name: "Connection", value: "close") }
    let status = HTTPResponseStatus(statusCode: response.status)
    func head() -> HTTPServerResponsePart {
      .head(HTTPResponseHead(version: request.version, status: status, headers: headers))
    }
    switch response.body {
    case .bytes(let bytes):
      headers.add(name: "Content-Length", value: "\(bytes.count)")
      try await writer.write(head())
      // Part after part, so that a slow reader is seen to read.
      var rest = request.method == .HEAD ? Data() : bytes
      while !rest.isEmpty {
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: rest.prefix(Self.slice)))))
        rest = rest.dropFirst(Self.slice)
      }
    case .events(let events):
      try await writer.write(head())
      guard request.method != .HEAD else { break }
      for await event in events {
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: event))))
      }
    }
    try await writer.write(.end(nil))
  }
}

extension HTTPRequestHead {
  /// The size of the body that follows; `nil` when there is none, or its size is not known.
  fileprivate var announcedSize: Int? {
    headers.first(name: "content-length").map { Int($0) ?? .max }
  }

  /// Whether a body follows.
  fileprivate var announcesBody: Bool {
    headers.contains(name: "transfer-encoding") || announcedSize ?? 0 > 0
  }
}
