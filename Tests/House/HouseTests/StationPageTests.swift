import Foundation
import Testing

/// The station's page: the parts that the binary keeps, and its words.
@Suite("The station's page") struct StationPageTests {
  private static let folder = package.appending(path: "Sources/Faces/CStationPage/page")

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  private static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private static func words(_ language: String) throws -> [String: String] {
    let data = try Data(contentsOf: folder.appending(path: "words/\(language)"))
    return try JSONDecoder().decode([String: String].self, from: data)
  }

  @Test("every file of the page is in the binary")
  func embedded() throws {
    let list = try String(
      contentsOf: package.appending(path: "Sources/Faces/CStationPage/CStationPage.c"),
      encoding: .utf8)
    let files =
      try Self.names(in: Self.folder).filter { $0 != "words" }
      + Self.names(in: Self.folder.appending(path: "words")).map { "words/\($0)" }
    for file in files {
      #expect(list.contains("#embed \"page/\(file)\""), "\(file)")
      #expect(list.contains("FILE(\"\(file)\","), "\(file)")
    }
  }

  @Test("every language has the same words, with the same values to be filled in")
  func languages() throws {
    let english = try Self.words("en.json")
    func values(_ text: String) -> [String] {
      text.matches(of: /\{[a-zA-Z]+\}/).map { String($0.output) }.sorted()
    }
    let languages = try Self.names(in: Self.folder.appending(path: "words"))
    #expect(languages == ["de.json", "en.json", "es.json", "fr.json", "ja.json"])
    for language in languages {
      let words = try Self.words(language)
      #expect(words.keys.sorted() == english.keys.sorted(), "\(language)")
      for (key, word) in words {
        #expect(!word.isEmpty, "\(language): \(key)")
        #expect(Set(values(word)) == Set(values(english[key] ?? "")), "\(language): \(key)")
      }
    }
  }

  @Test("templates and scripts use words that there are")
  func used() throws {
    let english = try Self.words("en.json")
    for file in try Self.names(in: Self.folder)
    where file.hasSuffix(".html") || file.hasSuffix(".part") {
      for match in try Self.text(file).matches(of: /\{\{w:([^}]+)\}\}/) {
        #expect(english[String(match.output.1)] != nil, "\(file): \(match.output.1)")
      }
    }
    for file in try Self.names(in: Self.folder) where file.hasSuffix(".js") {
      for match in try Self.text(file).matches(of: /\bt\("([^"]+)"[,)]/) {
        #expect(english[String(match.output.1)] != nil, "\(file): \(match.output.1)")
      }
    }
  }

  @Test(
    "nothing on the page is loaded from elsewhere, written into it by a script, or styled in a tag")
  func policy() throws {
    for file in try Self.names(in: Self.folder) where file != "words" && file != "openapi.json" {
      let text = try Self.text(file).replacing("http://www.w3.org/", with: "")
      #expect(!text.contains("http://") && !text.contains("//cdn"), "\(file)")
      #expect(!text.contains("innerHTML") && !text.contains("insertAdjacentHTML"), "\(file)")
      if file.hasSuffix(".html") || file.hasSuffix(".part") {
        #expect(!text.contains(" style=\"") && !text.contains("<style"), "\(file)")
        #expect(text.firstMatch(of: /\son[a-z]+="/) == nil, "\(file)")
      }
    }
  }
}
