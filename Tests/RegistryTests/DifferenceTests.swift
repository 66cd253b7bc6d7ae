import Foundation
import Invocation
import Testing

@testable import Registry

private let sample = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "Samples/fruta/registry.yaml")

private func fruta(_ changes: (of: String, with: String)...) throws -> RegistryDocument {
  var text = try String(contentsOf: sample, encoding: .utf8)
  for change in changes {
    try #require(text.contains(change.of))
    text = text.replacingOccurrences(of: change.of, with: change.with)
  }
  return try RegistryDocument.read(Data(text.utf8), as: .yaml).document
}

@Suite("What differs between documents")
struct DifferenceTests {
  private func differences(_ documents: RegistryDocument...) -> [DocumentDifference] {
    ComparedDocument.differences(among: documents.map { ComparedDocument($0) })
  }

  @Test("the same content in another order or spelling is no difference")
  func same() throws {
    let other = try fruta(("https://fruta.example.com/order1", "https://FRUTA.example.com/order1"))
    var turned = try fruta()
    turned.experiences.reverse()
    #expect(differences(try fruta(), other, turned) == [])
  }

  @Test("a change is told by its field, with what each side says")
  func field() throws {
    let other = try fruta(
      ("Pick up your smoothie", "Collect it"), ("radius: 100 }      #", "radius: 50 }  #"))
    let found = differences(try fruta(), other)
    #expect(found.map(\.kind) == [.experience, .place])
    #expect(found.map(\.field) == ["subtitle", "region.radius"])
    #expect(found[0].key == "https://fruta.example.com/order1")
    #expect(found[0].values == ["Pick up your smoothie", "Collect it"])
    #expect(found[1].values == ["100", "50"])
  }

  @Test("what one of three lacks is told as missing there, and its fields are compared elsewhere")
  func missing() throws {
    var less = try fruta()
    less.experiences.removeAll { $0.link.path == "/order1" }
    let other = try fruta(("Pick up your smoothie", "Collect it"))
    let found = differences(try fruta(), less, other)
    #expect(found.map(\.missing) == [[1], []])
    #expect(found.map(\.field) == [nil, "subtitle"])
    #expect(found[1].values == ["Pick up your smoothie", nil, "Collect it"])
  }

  @Test("a side that speaks for some clips or fields only is not asked about others")
  func scope() throws {
    var less = try fruta(("Pick up your smoothie", "Collect it"))
    less.clips.removeAll { $0.bundleID.contains("rewards") }
    less.experiences.removeAll { $0.clip.contains("rewards") }
    less.places = []
    let side = ComparedDocument(
      less, clips: { $0.bundleID == "com.example.fruta.Clip" }, unknown: ["subtitle"])
    #expect(ComparedDocument.differences(among: [ComparedDocument(try fruta()), side]) == [])
  }
}
