import FlyingFox
import FlyingSocks
import Foundation
import Glibc

/// The station's HTTP server: FlyingFox carries requests, this checks them and says whose they are.
struct StationServer: Sendable {
  let routes: [StationRoute]
  let access: StationAccess
  let pages: StationPages

  /// The largest body that is taken: a photograph, or a file of rows.
  private static let largestBody = 1 << 26
  /// The longest that an answer may take.
  private static let patience: TimeInterval = 3_600

  /// Serves until the task is cancelled.
  ///
  /// - Parameters:
  ///   - address: The address to listen on, as numbers.
  ///   - port: 0 for any.
  ///   - listening: Called with the port once the server listens.
  func run(
    on address: String, port: UInt16, listening: @escaping @Sendable (Int) -> Void
  ) async throws {
    let configuration = HTTPServer.Configuration(
      address: try sockaddr_in.inet(ip4: address, port: port), timeout: Self.patience,
      logger: .disabled)
    let server = HTTPServer(config: configuration, handler: Handler(server: self))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      group.addTask {
        try await server.waitUntilListening()
        if case .ip4(_, let port)? = await server.listeningAddress { listening(Int(port)) }
      }
      do {
        for try await _ in group {}
      } catch {
        group.cancelAll()
        guard !(error is CancellationError), !Task.isCancelled else { throw CancellationError() }
        throw Failure(
          "cannot-listen", .unavailable,
          "\(address):\(port) cannot be listened on: \(error.localizedDescription)",
          hint: "Another program may use the port: give another with --port, or none for any.")
      }
    }
  }

  private struct Handler: HTTPHandler {
    let server: StationServer

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
      await server.response(to: request)
    }
  }

  private func response(to request: HTTPRequest) async -> HTTPResponse {
    var headers: [String: String] = [:]
    for (header, value) in request.headers { headers[header.rawValue.lowercased()] = value }
    let body: Data
    do {
      body = try await Self.body(of: request)
    } catch {
      return finished(
        pages.refusal(
          .init(
            status: 413, code: "request-too-large", message: "The request is too large.",
            hint: "Send less at once."),
          for: nil))
    }
    var asked = StationRequest(
      method: request.method.rawValue,
      path: request.path.split(separator: "/").map {
        String($0).removingPercentEncoding ?? String($0)
      },
      query: Dictionary(StationRequest.fields(of: request.target.query())) { first, _ in first },
      headers: headers, body: body)
    asked.visitor.language = pages.language(of: asked)
    return finished(await answer(asked))
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
          status: known.isEmpty ? 404 : 405, code: "not-found", message: "There is nothing here.",
          hint: "See /api/openapi.json.")
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

  private static func body(of request: HTTPRequest) async throws -> Data {
    var body = Data()
    if let count = request.bodySequence.count, count > largestBody { throw CancellationError() }
    for try await part in request.bodySequence {
      guard body.count + part.count <= largestBody else { throw CancellationError() }
      body.append(part)
    }
    return body
  }

  /// What is loaded, run and framed: only the station's own.
  private static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

  /// The reasons of RFC 9110, section 15.
  private static let phrases = [
    200: "OK", 303: "See Other", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 409: "Conflict", 413: "Content Too Large",
    500: "Internal Server Error", 503: "Service Unavailable",
  ]

  private func finished(_ response: StationResponse) -> HTTPResponse {
    var headers = HTTPHeaders()
    let usual = [
      ("Content-Type", response.type), ("Content-Security-Policy", Self.policy),
      ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
    ]
    for (name, value) in usual where !response.headers.contains(where: { $0.name == name }) {
      headers.addValue(value, for: HTTPHeader(name))
    }
    for (name, value) in response.headers { headers.addValue(value, for: HTTPHeader(name)) }
    let status = HTTPStatusCode(response.status, phrase: Self.phrases[response.status] ?? "")
    switch response.body {
    case .bytes(let bytes): return HTTPResponse(statusCode: status, headers: headers, body: bytes)
    case .events(let events):
      return HTTPResponse(
        statusCode: status, headers: headers,
        body: HTTPBodySequence(from: EventBytes(events: events)))
    }
  }
}

/// Events as the bytes that FlyingFox sends, each as soon as it is there.
private struct EventBytes: AsyncBufferedSequence {
  typealias Element = UInt8

  let events: AsyncStream<Data>

  func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var events: AsyncStream<Data>.AsyncIterator
    private var rest = Data()

    init(events: AsyncStream<Data>.AsyncIterator) { self.events = events }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if rest.isEmpty {
        guard let event = await events.next() else { return nil }
        rest = event
      }
      let part = rest.prefix(Swift.max(1, count))
      rest = rest.dropFirst(part.count)
      return Array(part)
    }
  }
}
