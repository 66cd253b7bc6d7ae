import CliptagBasics
import CodeDrawing
import Foundation
import Testing

/// The files of templates.
@Suite("Templates of posters") struct PosterTemplateTests {
  private static func read(_ json: String) throws -> PosterTemplate {
    try PosterTemplate(Array(json.utf8), named: "shop/own.kind.json")
  }

  private static func template(_ elements: String, _ more: String = "") -> String {
    #"{"width": 100, "height": 60, \#(more) "faces": [{"elements": [\#(elements)]}]}"#
  }

  private static let code = #"{"kind": "code", "x": 5, "y": 5, "width": 30}"#

  @Test("a template is named after its file, and has no bleed unless it states one")
  func defaults() throws {
    let template = try Self.read(Self.template(Self.code))
    #expect(template.name == "own.kind" && template.title == "own.kind")
    #expect((template.width, template.height, template.bleed) == (100, 60, 0))
    #expect(!template.isMirrored && !template.hasDesign && template.placeNames == ["code"])
  }

  @Test("each template of cliptag is read, and each has a use")
  func builtIn() throws {
    #expect(PosterTemplate.names.count >= 12)
    for name in PosterTemplate.names {
      let template = try PosterTemplate(named: name.uppercased())
      #expect(template.name == name && template.title != name)
    }
    let error = #expect(throws: CodeDrawingError.self) { try PosterTemplate(named: "tabel-tent") }
    #expect(error?.code == .unknownTemplate && error?.hint.contains("table-tent") == true)
  }

  @Test(
    "a mistake is named with its key",
    arguments: [
      ("[]", "it is not an object"),
      ("{\"width\": 1", "it is not JSON"),
      (#"{"height": 60, "faces": []}"#, "width: this length in millimetres is missing"),
      (#"{"width": 10, "height": 60, "faces": []}"#, "width: write a number from 20 to 5080"),
      (#"{"width": 1e9, "height": 60, "faces": []}"#, "width: write a number"),
      (#"{"width": "10", "height": 60, "faces": []}"#, "width: write a number"),
      (#"{"width": 100, "height": 60, "faces": []}"#, "faces: give at least one face"),
      (#"{"width": 100, "height": 60, "faces": [1]}"#, "faces[0]: write an object"),
      (#"{"width": 100, "height": 60, "faces": {}}"#, "faces: write a list"),
      (#"{"width": 100, "height": 60, "faces": [{}]}"#, "faces[0]: give elements, or"),
      (#"{"width": 100, "height": 60, "faces": [{"elements": []}]}"#, "faces: no face has a code"),
      (
        #"{"width": 100, "height": 60, "faces": [{"design": true, "x": 1}]}"#,
        "faces[0]: the face is not on the page"
      ),
      (
        #"{"width": 100, "height": 60, "faces": [{"design": true, "turn": 45}]}"#,
        "faces[0].turn: write 0, 90, 180 or 270"
      ),
      (
        #"{"width": 100, "height": 60, "faces": [{"design": true, "at": [{"turn": 90}]}]}"#,
        "faces[0].at[0]: the face is not on the page"
      ),
      (
        #"{"width": 100, "height": 60, "faces": [{"design": true, "height": 10}]}"#,
        "faces[0]: a design needs"
      ),
      (template(code, #""colour": "red","#), "colour: this key is unknown here; known are"),
      (template(code, #""mirrored": "yes","#), "mirrored: write true or false"),
      (template(code, #""cut": [{"x": 1, "y": 2}],"#), "cut[0].toX: this length"),
      (template(#"{"kind": "cod", "x": 1, "y": 1}"#), "faces[0].elements[0].kind: use one of"),
      (template(#"{"kind": "code", "x": 1, "y": 1}"#), "faces[0].elements[0].width: this length"),
      (
        template(#"{"kind": "code", "x": 80, "y": 1, "width": 30}"#),
        "faces[0].elements[0]: the code is not on its face"
      ),
      (template(code + "," + code), "faces[0].elements: two have the name code"),
      (
        template(code + #",{"kind": "text", "x": 1, "y": 1, "width": 9}"#),
        "faces[0].elements[1]: give a name or a text"
      ),
      (
        template(code + #",{"kind": "text", "name": "ring", "x": 1, "y": 1, "width": 9}"#),
        "faces[0].elements[1].name: use small letters"
      ),
      (
        template(
          code + #",{"kind": "text", "name": "a", "align": "left", "x": 1, "y": 1, "width": 9}"#),
        "faces[0].elements[1].align: use one of start, centre, end"
      ),
      (
        template(code + #",{"kind": "area", "colour": "reddish", "x": 1, "y": 1, "width": 9}"#),
        "faces[0].elements[1].colour: use one of accent"
      ),
    ])
  func malformed(_ example: (json: String, message: String)) {
    let error = #expect(throws: CodeDrawingError.self) { try Self.read(example.json) }
    #expect(error?.code == .malformedTemplate)
    #expect(error?.message.contains(example.message) == true, "\(error?.message ?? "")")
  }

  @Test("deep nesting and long lists are refused")
  func hostile() {
    let deep = String(repeating: "[", count: 20_000)
    let many = Array(repeating: Self.code, count: 201).joined(separator: ",")
    for json in [#"{"faces": \#(deep)"#, Self.template(many)] {
      let error = #expect(throws: CodeDrawingError.self) { try Self.read(json) }
      #expect(error?.code == .malformedTemplate)
    }
  }

  /// The keys that an unknown one is told beside, from the error.
  private static func knownKeys(_ json: String) -> Set<String> {
    let error = #expect(throws: CodeDrawingError.self) { try read(json) }
    let list = error?.message.split(separator: "known are ").last ?? ""
    return Set(list.dropLast().split(separator: ", ").map(String.init))
  }

  @Test("the schema has the keys that the reader knows, for the page, faces and each element")
  func schema() throws {
    let file = try JSONSerialization.jsonObject(with: Data(PosterTemplate.schema))
    let schema = try #require(file as? [String: Any])
    let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
    func keys(_ object: [String: Any]?) -> Set<String> {
      Set((object?["properties"] as? [String: Any] ?? [:]).keys)
    }
    #expect(
      keys(schema) == Self.knownKeys(#"{"x": 0}"#).union(keys(schema).intersection(["$schema"])))
    #expect(
      keys(definitions["face"])
        == Self.knownKeys(#"{"width": 100, "height": 60, "faces": [{"no": 1}]}"#))
    let element = try #require(definitions["element"])
    let kinds = try #require(element["oneOf"] as? [[String: Any]])
    #expect(kinds.count == 8)
    for kind in kinds {
      let properties = try #require(kind["properties"] as? [String: [String: Any]])
      let name = try #require(properties["kind"]?["const"] as? String)
      let known = Self.knownKeys(
        Self.template(#"{"kind": "\#(name)", "x": 1, "y": 1, "width": 20, "no": 1}"#))
      #expect(keys(kind) == known, "\(name)")
    }
    let outlines = try #require(definitions["outline"]?["oneOf"] as? [[String: Any]])
    let examples = [#""diameter": 1"#, #""width": 1"#, #""toX": 1"#]
    for (outline, example) in zip(outlines, examples) {
      let known = Self.knownKeys(
        Self.template(Self.code, #""cut": [{"x": 1, "y": 1, \#(example), "no": 1}],"#))
      #expect(keys(outline) == known)
    }
  }
}
