public import WebFetching

/// Fetches web pages as Safari on an iPhone gets them.
public struct PageFetcher: Sendable {
  private let fetcher: WebFetcher

  /// Makes a fetcher.
  public init(_ policy: WebFetcher.Policy = Self.standardPolicy) { fetcher = WebFetcher(policy) }

  /// Redirects are followed to other hosts too: Safari takes the last one's. Servers that give
  /// phones another page are to take this for one.
  public static var standardPolicy: WebFetcher.Policy {
    var policy = WebFetcher.Policy()
    policy.userAgent =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
      + "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1 (cliptag banner)"
    policy.redirects = .follow(limit: 20, acrossSites: true)
    policy.maximumBodyBytes = 16 << 20
    return policy
  }

  /// Fetches a page.
  ///
  /// - Throws: `WebFetchError` when there is no answer.
  public func fetch(_ url: String) async throws(WebFetchError) -> WebResponse {
    try await fetcher.fetch(WebRequest(url, headers: ["Accept": "text/html"]))
  }
}
