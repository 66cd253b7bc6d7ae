import CliptagBasics
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Synchronization

/// A source of answers to requests that only read: the network, or a folder.
public protocol AnswerSource: Sendable {
  /// The answer's bytes.
  ///
  /// - Parameters:
  ///   - request: The request, with the method GET.
  ///   - page: The page, from 1.
  ///   - next: The URL of this page, from the page before.
  /// - Returns: The answer; nil if the resource does not exist.
  func answer(
    to request: ConnectRequest, page: Int, next: String?
  ) async throws(AppStoreConnectError) -> [UInt8]?
}

extension AnswerSource {
  /// The maximum number of pages read of one collection; each has up to 200 resources.
  private static var maximumPages: Int { 500 }

  /// The resource at a path; nil if it does not exist.
  func document(_ request: ConnectRequest) async throws(AppStoreConnectError) -> ResourceDocument? {
    guard let body = try await answer(to: request, page: 1, next: nil) else { return nil }
    return try ResourceDocument(body, of: request.name)
  }

  /// All pages of a collection; nil if it does not exist.
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
          throw .malformed(request.name, "leads to pages in a cycle")
        }
        guard pages.count < Self.maximumPages else {
          throw AppStoreConnectError(
            .tooMuch, "\(request.name) has more than \(Self.maximumPages) pages.",
            hint: "Nothing was changed; the limit on pages is fixed.", request: request.name)
        }
      }
    } while next != nil
    return pages
  }

  /// Checks that the next page is on App Store Connect, as the token is sent there.
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

extension ConnectRequest {
  /// The name of the file that holds the answer: `/v1/apps/1/appClips` is `apps-1-appClips.json`,
  /// and its second page `apps-1-appClips-2.json`. The values of filters are added to the path.
  package func fileName(page: Int) -> String {
    let filters = query.filter { $0.name.hasPrefix("filter[") }.map(\.value)
    let words = path.split(separator: "/").dropFirst().map(String.init) + filters
    let name = words.joined(separator: "-").map { character in
      character.isASCII && (character.isLetter || character.isNumber || character == "-")
        ? character : "_"
    }
    return String(name) + (page == 1 ? ".json" : "-\(page).json")
  }
}

/// Answers that were saved in a folder, one file each, named by the request.
public struct SavedAnswers: AnswerSource {
  /// The folder.
  package let folder: String

  /// The largest file that is read, in bytes.
  package static let maximumByteCount = 16 << 20

  /// Makes a source for a folder.
  public init(folder: String) { self.folder = folder }

  /// The numbers of the apps whose answers are in the folder, in order.
  ///
  /// - Throws: ``AppStoreConnectError`` with code `missing-answer` when there is no such folder.
  public func apps() throws(AppStoreConnectError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw AppStoreConnectError(
        .missingAnswer, "The folder \(folder) cannot be read.",
        hint: .sentence("\(.takeSavedAnswers)"), request: folder)
    }
    return names.compactMap { name in
      guard name.hasPrefix("apps-"), name.hasSuffix("-appClips.json") else { return nil }
      let number = name.dropFirst("apps-".count).dropLast("-appClips.json".count)
      return number.isEmpty ? nil : String(number)
    }.sorted()
  }

  /// Reads the file; a missing one is nil.
  public func answer(
    to request: ConnectRequest, page: Int, next: String?
  ) async throws(AppStoreConnectError) -> [UInt8]? {
    let path = folder + "/" + request.fileName(page: page)
    let limit = Self.maximumByteCount
    var reason = "it has more than \(limit) bytes"
    do {
      guard let bytes = try PlainFile.bytes(of: path, limit: limit) else { return nil }
      if bytes.count <= limit { return bytes }
    } catch {
      reason = error.reason
    }
    throw AppStoreConnectError(
      .missingAnswer, "\(path) cannot be read: \(reason).",
      hint: .sentence("\(.saveAnswersAgain)"), request: path)
  }
}

/// Passes answers on, and collects them to be saved once all have arrived.
package final class KeptAnswers<Source: AnswerSource>: AnswerSource {
  private let source: Source
  private let kept = Mutex<[(name: String, body: [UInt8])]>([])

  /// Makes a source over another.
  package init(_ source: Source) { self.source = source }

  /// The names and bytes of the files to write. Answers hold no keys and no tokens.
  package var files: [(name: String, body: [UInt8])] { kept.withLock { $0 } }

  /// Asks the other source.
  package func answer(
    to request: ConnectRequest, page: Int, next: String?
  ) async throws(AppStoreConnectError) -> [UInt8]? {
    let body = try await source.answer(to: request, page: page, next: next)
    if let body { kept.withLock { $0.append((request.fileName(page: page), body)) } }
    return body
  }
}
