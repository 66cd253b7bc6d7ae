import Foundation
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// The station's HTTP server: SwiftNIO carries requests, this checks them and says whose they are.
struct StationServer: Sendable {
  let routes: [StationRoute]
  let access: StationAccess
  let pages: StationPages
  /// Whether browsers take the connection for a secure one, as that to their own computer.
  let isTrustworthy: Bool

  /// The largest body that is taken: a photograph, or a file of rows.
  private static let largestBody = 1 << 26
  /// A body that is larger than this ends the connection.
  private static let longestPatience = 1 << 30
  /// How long nothing may happen on a connection; events come more often.
  private static let patience = TimeAmount.minutes(5)
  private static let mostConnections = 500

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - address: The address to listen on, as numbers.
  ///   - port: 0 for any.
  ///   - listening: Called with the port once the server listens.
  func run(
    on address: String, port: UInt16, listening: @escaping @Sendable (Int) -> Void
  ) async throws {
    let server: NIOAsyncChannel<Connection, Never>
    do {
      server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .bind(host: address, port: Int(port)) { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandlers(IdleStateHandler(allTimeout: Self.patience), IdleCloser())
            try pipeline.configureHTTPServerPipeline()
            return try Connection(wrappingChannelSynchronously: channel)
          }
        }
    } catch let error as IOError {
      throw Failure(
        "cannot-listen", .unavailable,
        "\(address):\(port) cannot be listened on: \(String(cString: strerror(error.errnoCode))).",
        hint: "Another program may use the port: give another with --port, or none for any.")
    }
    listening(server.channel.localAddress?.port ?? 0)
    let count = ConnectionCount()
    try await withThrowingDiscardingTaskGroup { group in
      try await server.executeThenClose { connections in
        for try await connection in connections {
          let isOneTooMany = count.add() > Self.mostConnections
          group.addTask {
            defer { count.remove() }
            // What goes wrong with a connection is its other end's affair.
            if isOneTooMany {
              try? await connection.channel.close()
            } else {
              try? await serve(connection)
            }
          }
        }
      }
    }
  }

  private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
  private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

  /// Answers one request after another.
  private func serve(_ connection: Connection) async throws {
    try await connection.executeThenClose { parts, writer in
      var parts = parts.makeAsyncIterator()
      while case .head(let head)? = try await parts.next() {
        if head.headers.contains(name: "expect") {
          try await writer.write(.head(HTTPResponseHead(version: head.version, status: .continue)))
        }
        var body = Data()
        var size = 0
        let announced = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
        guard announced <= Self.longestPatience else {
          return try await send(tooLarge, to: head, writer)
        }
        receiving: while let part = try await parts.next() {
          switch part {
          case .body(let bytes):
            size += bytes.readableBytes
            // The rest is read, so that the answer is heard, and forgotten.
            guard size <= Self.longestPatience else { return }
            if size <= Self.largestBody { body.append(contentsOf: bytes.readableBytesView) }
          case .head, .end: break receiving
          }
        }
        let response =
          size <= Self.largestBody
          ? await answer(request(head, body))
          : tooLarge
        try await send(response, to: head, writer)
        guard head.isKeepAlive else { return }
      }
    }
  }

  private var tooLarge: StationResponse {
    pages.refusal(
      .init(
        413,
        Failure(
          "request-too-large", .usage, "The request is too large.", hint: "Send less at once.")),
      for: nil)
  }

  private func request(_ head: HTTPRequestHead, _ body: Data) -> StationRequest {
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
      headers: headers, body: body)
    request.visitor.language = pages.language(of: request)
    return request
  }

  /// What is answered to a request.
  private func answer(_ request: StationRequest) async -> StationResponse {
    let isHead = request.method == "HEAD"
    let known = routes.compactMap { route in route.match(request.path).map { (route, $0) } }
    let found = known.first { $0.0.method == (isHead ? "GET" : request.method) }
    do throws(StationAccess.Refusal) {
      // A stranger does not learn what there is.
      let token = try access.check(request, for: found?.0.access ?? .session)
      guard let (route, parameters) = found else {
        throw .init(
          known.isEmpty ? 404 : 405,
          Failure("not-found", .noInput, "There is nothing here.", hint: "See /api/openapi.json."))
      }
      var request = request
      request.parameters = parameters
      request.visitor.token = token
      return await answer(request, by: route)
    } catch {
      return pages.refusal(error, for: request)
    }
  }

  private func answer(_ request: StationRequest, by route: StationRoute) async -> StationResponse {
    do {
      return try await route.answer(request)
    } catch let refusal as StationAccess.Refusal {
      return pages.refusal(refusal, for: request)
    } catch {
      return CommandAnswer(failure: Failure(describing: error)).response
    }
  }

  /// What is loaded, run and framed: only the station's own.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

  private func send(
    _ response: StationResponse, to request: HTTPRequestHead, _ writer: Writer
  ) async throws {
    var headers = HTTPHeaders()
    let usual =
      [
        ("Content-Type", response.type), ("Content-Security-Policy", Self.policy),
        ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cache-Control", "no-store"),
      ] + (isTrustworthy ? [("Cross-Origin-Opener-Policy", "same-origin")] : [])
    for (name, value) in usual where !response.headers.contains(where: { $0.name == name }) {
      headers.add(name: name, value: value)
    }
    for (name, value) in response.headers { headers.add(name: name, value: value) }
    let status = HTTPResponseStatus(statusCode: response.status)
    func head() -> HTTPServerResponsePart {
      .head(HTTPResponseHead(version: request.version, status: status, headers: headers))
    }
    switch response.body {
    case .bytes(let bytes):
      headers.add(name: "Content-Length", value: "\(bytes.count)")
      try await writer.write(head())
      if request.method != .HEAD {
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: bytes))))
      }
    case .events(let events):
      try await writer.write(head())
      for await event in events where request.method != .HEAD {
        try await writer.write(.body(.byteBuffer(ByteBuffer(bytes: event))))
      }
    }
    try await writer.write(.end(nil))
  }
}

/// How many connections there are.
private final class ConnectionCount: Sendable {
  private let count = Mutex(0)

  func add() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }

  func remove() { count.withLock { $0 -= 1 } }
}

/// Closes a connection on which nothing has happened for long.
private final class IdleCloser: ChannelInboundHandler {
  typealias InboundIn = Any

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }
}
