/// Where the answers to requests that only read come from: the network, or a folder.
public protocol AnswerSource: Sendable {
  /// The answer's bytes.
  ///
  /// - Parameters:
  ///   - request: What is asked for, with the method GET.
  ///   - page: The page, from 1.
  ///   - next: The URL that the page before led to.
  /// - Returns: The answer; nil when there is no such thing.
  func answer(
    to request: ConnectRequest, page: Int, next: String?
  ) async throws(AppStoreConnectError) -> [UInt8]?
}

extension AnswerSource {
  /// The most pages that are read of one collection; each has up to 200 things.
  static var maximumPages: Int { 500 }

  /// What stands under a path; nil when there is no such thing.
  func document(_ request: ConnectRequest) async throws(AppStoreConnectError) -> ResourceDocument? {
    guard let body = try await answer(to: request, page: 1, next: nil) else { return nil }
    return try ResourceDocument(body, of: request.name)
  }

  /// Every page of a collection; nil when there is no such thing.
  func pages(_ request: ConnectRequest) async throws(AppStoreConnectError) -> [ResourceDocument]? {
    var pages: [ResourceDocument] = []
    var next: String?
    var seen: Set<String> = []
    repeat {
      let body = try await answer(to: request, page: pages.count + 1, next: next)
      guard let body else {
        if pages.isEmpty { return nil }
        throw .malformed(request.name, "leads to page \(pages.count + 1), which does not exist")
      }
      let page = try ResourceDocument(body, of: request.name)
      pages.append(page)
      next = page.next
      if let next {
        try Self.check(next: next, of: request)
        guard seen.insert(next).inserted else {
          throw .malformed(request.name, "leads in a circle from page to page")
        }
        guard pages.count < Self.maximumPages else {
          throw AppStoreConnectError(
            .tooMuch, "\(request.name) has more than \(Self.maximumPages) pages.",
            hint: "Nothing was changed; that many are not read.", request: request.name)
        }
      }
    } while next != nil
    return pages
  }

  /// The token would go wherever a page leads: only to App Store Connect itself.
  private static func check(
    next: String, of request: ConnectRequest
  ) throws(AppStoreConnectError) {
    guard next.utf8.starts(with: "\(ConnectRequest.base)/v".utf8),
      next.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), next.utf8.count < 8192
    else {
      throw .malformed(
        request.name, "leads to \"\(next.shortened)\", which is not App Store Connect")
    }
  }
}
