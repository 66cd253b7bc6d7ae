import Foundation
import Invocation
import Testing

@testable import RegistryDocuments

/// The table of keys against the reader.
@Suite("The keys of registry files") struct DocumentShapeTests {
  /// A file with every key.
  static let complete = """
    clips:
      - clip: com.example.fruta.Clip
        app: com.example.fruta
        team: ABCDE12345
        appStoreID: "1234567890"
        domains: [fruta.example.com]
        locationConfirmation: true
        identifier: "4711"
        name: Fruta
        minimumIOS: 16.4
        released: true
        installBytes: 9000000
        demoLink: https://appclip.apple.com/id?p=com.example.fruta.Clip
        testInvocations: [{ url: "https://fruta.example.com/order", title: Order }]
        domainStatuses:
          - { domain: fruta.example.com, valid: false, errorCode: BAD_JSON_CONTENT, updated: 2026-03-04T05:06:07Z }
        defaultExperience:
          title: Fruta
          subtitle: Order a smoothie
          action: OPEN
          localizations: { de-DE: { subtitle: Bestellen } }
          image: { file: card.png, width: 1800, height: 1200 }
          changed: 2026-03-04T05:06:07Z
        experiences:
          - link: https://fruta.example.com/order
            title: Fruta
            subtitle: Order a smoothie
            action: OPEN
            language: EN
            status: RECEIVED
            place: { path: "/order/{place}" }
            identifier: "4712"
            poweredBy: true
            businessCategory: FOOD_AND_DRINK
            placeStatus: MATCHED
            localizations: { DE: { title: Fruta, subtitle: Bestellen } }
            image: { file: card.png, width: 1800, height: 1200 }
            changed: 2026-03-04T05:06:07Z
          - { link: "https://fruta.example.com/a", place: { id: cupertino } }
          - { link: "https://fruta.example.com/b", place: { query: shop } }
          - { link: "https://fruta.example.com/c", place: { coordinates: [lat, lon], radius: 50 } }
    places:
      - id: cupertino
        name: Cupertino
        region: { latitude: 37.323, longitude: -122.0322, radius: 80 }
        language: de
      - id: mall
        name: Mall
        regions: [{ polygon: [[1, 2], [1.001, 2], [1, 2.001]] }]
    """

  private func problems(of root: DocumentNode) -> [DocumentProblem] {
    var reader = DocumentReader()
    reader.read(root)
    return reader.problems
  }

  private func root() throws -> DocumentNode {
    var problems: [DocumentProblem] = []
    return try #require(YAMLSource.parse(Self.complete, problems: &problems))
  }

  @Test("a file with every key is read, and the table has the keys of all of it")
  func all() throws {
    let root = try root()
    #expect(problems(of: root) == [])
    var seen: Set<String> = []
    root.visit(.registry) { shape, entry, _ in seen.insert(shape.name + "." + entry.key) }
    let known = DocumentShape.ofRegistryFile.flatMap { shape in
      shape.keys.map { shape.name + "." + $0.name }
    }
    #expect(seen == Set(known))
  }

  @Test("a file is refused without a required key, and read without an optional one")
  func required() throws {
    let root = try root()
    var removals: [(path: [Int], shape: DocumentShape, key: DocumentKey)] = []
    root.visit(.registry) { shape, entry, path in
      if let key = shape.keys.first(where: { $0.name == entry.key }) {
        removals.append((path, shape, key))
      }
    }
    #expect(removals.count > 70)
    // Without its place, a rule names an unknown one; a size has two sides.
    let joined: Set = ["registry.places", "image.width", "image.height"]
    for (path, shape, key) in removals where !joined.contains("\(shape.name).\(key.name)") {
      let isNeeded = key.isRequired || shape.alternatives.joined().contains(key.name)
      let found = problems(of: root.removing(path[...]))
      #expect(found.isEmpty != isNeeded, "\(shape.name).\(key.name): \(found)")
    }
  }

  @Test("a key that the table lacks is refused in every mapping")
  func unknown() throws {
    let root = try root()
    var paths: [[Int]] = []
    root.visit(.registry) { _, _, path in paths.append(path) }
    for path in paths {
      let found = problems(of: root.renaming(path[...]))
      #expect(found.contains { $0.message.contains("has no key “unheard-of”") }, "\(path)")
    }
  }
}

/// An example of a registry file.
@Suite("A registry file to begin with") struct ExampleRegistryTests {
  @Test(
    "it is read without a warning, has the words of the user, and its first URL is served",
    arguments: [
      ("Gelato Aurora", "gelato.example.com", ["Main Street", "Am Markt 5", "Main Street"]),
      ("Café “Zürich” #1: a&b", nil, ["Zürich Hbf", "北京"]),
      ("北京咖啡", nil, []), ("No", "no.example.no", ["Yes", "~", "1e3"]),
    ])
  func example(business: String, host: String?, places: [String]) throws {
    let example = try ExampleRegistry(business: business, host: host, places: places)
    let reading = try RegistryDocument.read(Data(example.text().utf8), as: .yaml)
    #expect(reading.warnings == [])
    let document = reading.document
    #expect(document.clips.map(\.listing.name) == [business])
    #expect(document.experiences.map(\.card.title) == [business])
    #expect(places.isEmpty || document.places.map(\.name) == places)
    #expect(host == nil || document.clips[0].domains == [host])
    #expect(document.findings() == [])
    let url = try InvocationURL(example.firstURL)
    #expect(url.normalized.hasPrefix(document.experiences[0].link.normalized + "/"))
    #expect(url.payload.hasSuffix("/" + document.places[0].id))
  }

  @Test(
    "a name that a card cannot have is refused",
    arguments: ["", "a\nb", String(repeating: "a", count: 31)])
  func refused(business: String) {
    #expect(throws: RegistryError.self) { try ExampleRegistry(business: business) }
  }
}

extension DocumentNode {
  /// Calls a function with each entry of mappings that have fixed keys, with its mapping's shape and
  /// the indices that lead to it.
  fileprivate func visit(
    _ shape: DocumentShape, at path: [Int] = [],
    _ body: (DocumentShape, Entry, [Int]) -> Void
  ) {
    guard case .mapping(let entries) = value else { return }
    for (index, entry) in entries.enumerated() {
      let path = path + [index]
      body(shape, entry, path)
      guard let key = shape.keys.first(where: { $0.name == entry.key }) else { continue }
      switch (key.value, entry.value.value) {
      case (.mapping(let inner), _): entry.value.visit(inner, at: path, body)
      case (.list(.mapping(let inner), _), .list(let items)):
        for (index, item) in items.enumerated() { item.visit(inner, at: path + [index], body) }
      case (.languages(let inner, _), .mapping(let texts)):
        for (index, text) in texts.enumerated() {
          text.value.visit(inner, at: path + [index], body)
        }
      default: break
      }
    }
  }

  fileprivate func removing(_ path: ArraySlice<Int>) -> DocumentNode {
    changing(path) { entries, index in entries.remove(at: index) }
  }

  fileprivate func renaming(_ path: ArraySlice<Int>) -> DocumentNode {
    changing(path) { entries, index in
      let old = entries[index]
      entries[index] = Entry(key: "unheard-of", position: old.position, value: old.value)
    }
  }

  private func changing(
    _ path: ArraySlice<Int>, _ change: (inout [Entry], Int) -> Void
  ) -> DocumentNode {
    guard let index = path.first else { return self }
    switch value {
    case .mapping(var entries):
      if path.count == 1 {
        change(&entries, index)
      } else {
        let old = entries[index]
        entries[index] = Entry(
          key: old.key, position: old.position,
          value: old.value.changing(path.dropFirst(), change))
      }
      return DocumentNode(value: .mapping(entries), position: position)
    case .list(var items):
      items[index] = items[index].changing(path.dropFirst(), change)
      return DocumentNode(value: .list(items), position: position)
    default: return self
    }
  }
}
