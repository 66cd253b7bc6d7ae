internal import FoundationEssentials
internal import Synchronization

extension ConnectRequest {
  /// The name of the file that holds the answer: `/v1/apps/1/appClips` is `apps-1-appClips.json`,
  /// and its second page `apps-1-appClips-2.json`. What a filter names stands with the path.
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

  /// Names a folder.
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
        hint: "Name the folder that --save made.", request: folder)
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
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular,
      let size = attributes?[.size] as? Int, size <= Self.maximumByteCount,
      let data = FileManager.default.contents(atPath: path)
    else {
      throw AppStoreConnectError(
        .missingAnswer,
        "\(path) cannot be read, or has more than \(Self.maximumByteCount) bytes.",
        hint: "Save the answers again with --save.", request: path)
    }
    return Array(data)
  }
}

/// Passes answers on, and keeps them to be saved once all have come.
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
