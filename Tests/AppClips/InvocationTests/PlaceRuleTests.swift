import Invocation
import Testing

@Suite("Places in payloads")
struct PlaceRuleTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let rule: PlaceRule
    let url: String
    var place: String?
    var parameters: [String: String] = [:]
    var codes: Set<Finding.Code> = []

    var testDescription: String { "\(url) by \(rule)" }
  }

  static func path(_ text: String) -> PlaceRule {
    guard let template = try? PathTemplate(text) else {
      preconditionFailure("a fixture's template is valid")
    }
    return .path(template: template)
  }

  static let coordinates = PlaceRule.coordinates(
    latitudeItem: "latitude", longitudeItem: "longitude", radius: 100)

  static let ids = [
    Example(rule: path("/order/{place}"), url: "/order/cupertino", place: "cupertino"),
    Example(
      rule: path("/order/{place}/table/{table}"), url: "/order/cupertino/table/6?x=1",
      place: "cupertino", parameters: ["table": "6"]),
    Example(rule: path("/order/{place}"), url: "/order", codes: [.barePrefix]),
    Example(rule: path("/order/{place}"), url: "/order/", codes: [.barePrefix]),
    Example(rule: path("/order/{place}"), url: "/order?utm=1", codes: [.barePrefix]),
    Example(
      rule: path("/order/{place}/table/{table}"), url: "/order/cupertino", codes: [.unknownPlace]),
    Example(rule: path("/order/{place}"), url: "/order/atlantis", codes: [.unknownPlace]),
    Example(rule: path("/order/{place}"), url: "/order/Cupertino", codes: [.unknownPlace]),
    Example(rule: path("/order/menu"), url: "/order/menu"),
    Example(rule: .query(item: "store"), url: "/order?a=1&store=cupertino", place: "cupertino"),
    Example(
      rule: .query(item: "store"), url: "/order?store=san%2Dfrancisco",
      place: "san-francisco"),
    Example(rule: .query(item: "store"), url: "/order", codes: [.barePrefix]),
    Example(rule: .query(item: "store"), url: "/order?Store=cupertino", codes: [.barePrefix]),
    Example(rule: .query(item: "store"), url: "/order?store=", codes: [.barePrefix]),
    Example(rule: .query(item: "store"), url: "/order/5?store", codes: [.unknownPlace]),
    Example(rule: .query(item: "store"), url: "/order?store=atlantis", codes: [.unknownPlace]),
    Example(
      rule: .query(item: "store"), url: "/order?store=cupertino&store=atlantis",
      place: "cupertino", codes: [.repeatedItem]),
    Example(rule: .fixed(id: "cupertino"), url: "/order/anything", place: "cupertino"),
    Example(rule: .fixed(id: "cupertino"), url: "/order", place: "cupertino"),
    Example(rule: .fixed(id: "atlantis"), url: "/order", codes: [.unknownPlace]),
  ]

  static let positions = [
    Example(rule: coordinates, url: "/order", codes: [.barePrefix]),
    Example(rule: coordinates, url: "/order?latitude=37.3", codes: [.coordinateMissing]),
    Example(rule: coordinates, url: "/order?longitude=-122", codes: [.coordinateMissing]),
    Example(rule: coordinates, url: "/order/5", codes: [.coordinateMissing]),
    Example(
      rule: coordinates, url: "/order?latitude=37,3&longitude=-122",
      codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=nan&longitude=-122", codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=inf&longitude=-122", codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=0x25&longitude=-122", codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=37e0&longitude=-122", codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=&longitude=-122", codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=37.3.1&longitude=-122",
      codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=37.&longitude=-122", codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=%2037&longitude=1",
      codes: [.coordinateMalformed]),
    Example(
      rule: coordinates, url: "/order?latitude=-122.03&longitude=37.3",
      codes: [.coordinateOutOfRange]),
    Example(
      rule: coordinates, url: "/order?latitude=90.0001&longitude=0", codes: [.coordinateOutOfRange]),
    Example(
      rule: coordinates, url: "/order?latitude=1&longitude=180.5", codes: [.coordinateOutOfRange]),
    Example(
      rule: coordinates,
      url: "/order?latitude=\(String(repeating: "9", count: 400))&longitude=1",
      codes: [.coordinateOutOfRange]),
    Example(
      rule: coordinates, url: "/order?latitude=0.000&longitude=-0", codes: [.coordinateZero]),
    Example(
      rule: .coordinates(latitudeItem: "latitude", longitudeItem: "longitude", radius: 501),
      url: "/order?latitude=37.3&longitude=-122", codes: [.radiusOutOfRange]),
    Example(
      rule: .coordinates(latitudeItem: "latitude", longitudeItem: "longitude", radius: .nan),
      url: "/order?latitude=37.3&longitude=-122", codes: [.radiusOutOfRange]),
    Example(
      rule: .coordinates(latitudeItem: "latitude", longitudeItem: "longitude", radius: 0),
      url: "/order?latitude=37.3&longitude=-122", codes: [.radiusOutOfRange]),
  ]

  @Test("a payload names its place by its experience's rule", arguments: ids)
  func findsPlace(example: Example) throws { try check(example) }

  @Test("a position in a payload that cannot be meant is told", arguments: positions)
  func refusesPosition(example: Example) throws { try check(example) }

  private func check(_ example: Example) throws {
    let answer = try examine(example.url, rule: example.rule)
    #expect(answer.place?.id == example.place)
    #expect(answer.parameters == example.parameters)
    #expect(answer.codes == example.codes)
    #expect(answer.state == .ok)
    #expect(answer.verdict == .accepted, "the place alone never rejects")
    #expect(answer.region == answer.place?.region)
  }

  private func examine(_ url: String, rule: PlaceRule) throws -> Verification {
    let experience = try Fixture.experience("https://fruta.example.com/order", place: rule)
    return try InvocationCheck(directory: Fixture.catalog([experience]))
      .examine(payload: "https://fruta.example.com" + url, carrier: .url)
  }

  @Test(
    "a position in the payload is the centre of its own region",
    arguments: [
      "/order?latitude=37.334722&longitude=-122.008889",
      "/order?a=1&longitude=-122.008889&latitude=+37.334722",
      "/order/5?latitude=37.334722000&longitude=-122%2E008889",
    ])
  func position(url: String) throws {
    let answer = try examine(url, rule: Self.coordinates)
    #expect(answer.place == nil)
    #expect(answer.findings.isEmpty)
    #expect(answer.region == Fixture.circle(37.334722, -122.008889, 100))
  }

  @Test("a place's name that differs by case is offered")
  func similarPlace() throws {
    let answer = try examine("/order/CUPERTINO", rule: Self.path("/order/{place}"))
    let message = try #require(answer.message(.unknownPlace))
    #expect(message.contains("“CUPERTINO”"))
    #expect(message.contains("“cupertino” is known"))
  }

  @Test("exchanged coordinates are suspected, and a decimal comma is named")
  func hints() throws {
    let swapped = try examine("/order?latitude=-122&longitude=37", rule: Self.coordinates)
    #expect(swapped.message(.coordinateOutOfRange)?.contains("may be exchanged") == true)
    let comma = try examine("/order?latitude=37,3&longitude=1", rule: Self.coordinates)
    #expect(comma.message(.coordinateMalformed)?.contains("as a point") == true)
  }
}
