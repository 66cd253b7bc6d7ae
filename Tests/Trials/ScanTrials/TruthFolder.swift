import Foundation

/// A folder of pictures whose content is known.
struct TruthFolder {
  /// A picture and the codes in it.
  struct Entry {
    let path: String
    let codes: [Code]
  }

  /// A code that a picture shows.
  struct Code {
    /// Every text that is right: the same bytes may read in several ways.
    let texts: [String]
    /// Its middle, where the truth says where it lies.
    let middle: (x: Double, y: Double)?
  }

  let name: String
  let entries: [Entry]

  /// Reads a folder: the truth stands in one `truth.json`, or beside each picture in `NAME.txt` (the
  /// exact text) or `NAME.json` (the texts that are right). Pictures without any show no code.
  init(_ path: String) throws {
    let folder = URL(fileURLWithPath: path)
    name = folder.lastPathComponent
    let files = try FileManager.default.contentsOfDirectory(atPath: path)
    let pictures = files.filter { file in
      ["png", "jpg", "jpeg", "pnm", "pgm"].contains((file as NSString).pathExtension.lowercased())
    }.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    let list = folder.appendingPathComponent("truth.json")
    var known: [String: [Code]] = [:]
    if let data = try? Data(contentsOf: list) {
      for picture in try JSONDecoder().decode([Listed].self, from: data) {
        known[picture.file] = picture.codes.map(\.code)
      }
    }
    entries = try pictures.map { file in
      let whole = folder.appendingPathComponent(file)
      let codes = try known[file] ?? Self.beside(whole.deletingPathExtension())
      return Entry(path: whole.path, codes: codes)
    }
  }

  private struct Listed: Decodable {
    struct Symbol: Decodable {
      let text: String
      let corners: [[Double]]?

      var code: Code {
        let points = (corners ?? []).filter { $0.count == 2 }
        let count = Double(points.count)
        return Code(
          texts: [text],
          middle: points.isEmpty
            ? nil
            : (points.reduce(0) { $0 + $1[0] } / count, points.reduce(0) { $0 + $1[1] } / count))
      }
    }
    let file: String
    let codes: [Symbol]
  }

  private static func beside(_ stem: URL) throws -> [Code] {
    if let data = try? Data(contentsOf: stem.appendingPathExtension("txt")) {
      return [Code(texts: [String(decoding: data, as: UTF8.self)], middle: nil)]
    }
    if let data = try? Data(contentsOf: stem.appendingPathExtension("json")) {
      return [Code(texts: try JSONDecoder().decode([String].self, from: data), middle: nil)]
    }
    return []
  }
}

extension TruthFolder.Code {
  /// Whether a reading is this code's: compared after CR LF became LF, without white space at the
  /// ends.
  func matches(_ text: String) -> Bool { texts.contains { Self.plain($0) == Self.plain(text) } }

  private static func plain(_ text: String) -> String {
    text.replacingOccurrences(of: "\r\n", with: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
