import Invocation
import Testing

@Suite("Location confirmation of a payload")
struct LocationTests {
  static let here = LocationEvidence.fix(Fixture.fix(37.3230, -122.0322))
  static let inSanFrancisco = LocationEvidence.fix(Fixture.fix(37.7749, -122.4194))
  static let vague = LocationEvidence.fix(Fixture.fix(37.3230, -122.0322, accuracy: 150))

  struct Example: Sendable, CustomTestStringConvertible {
    var carrier = Carrier.qr
    var confirms = true
    var path = "/order/cupertino"
    let evidence: LocationEvidence
    let result: LocationOutcome.Result
    let verdict: Verdict

    var testDescription: String { "\(carrier) \(path) \(evidence)" }
  }

  static let examples = [
    Example(evidence: here, result: .inside, verdict: .accepted),
    Example(carrier: .nfc, evidence: here, result: .inside, verdict: .accepted),
    Example(carrier: .appClipCode, evidence: here, result: .inside, verdict: .accepted),
    Example(carrier: .url, evidence: here, result: .inside, verdict: .accepted),
    Example(evidence: inSanFrancisco, result: .outside, verdict: .rejected),
    Example(
      path: "/order/san-francisco", evidence: inSanFrancisco, result: .inside, verdict: .accepted),
    Example(path: "/order/san-francisco", evidence: here, result: .outside, verdict: .rejected),
    Example(evidence: vague, result: .undecided, verdict: .undecided),
    Example(evidence: .missing, result: .noPosition, verdict: .undecided),
    Example(evidence: .waived, result: .waived, verdict: .accepted),
    Example(path: "/order/atlantis", evidence: here, result: .noPlace, verdict: .undecided),
    Example(path: "/order/atlantis", evidence: .missing, result: .noPlace, verdict: .undecided),
    Example(path: "/order/atlantis", evidence: .waived, result: .waived, verdict: .accepted),
    Example(path: "/order", evidence: here, result: .noPlace, verdict: .undecided),
    Example(path: "/menu", evidence: here, result: .doesNotMatch, verdict: .rejected),
    Example(path: "/menu", evidence: .missing, result: .doesNotMatch, verdict: .rejected),
    Example(path: "/menu", evidence: .waived, result: .doesNotMatch, verdict: .rejected),
    Example(path: "/order5", evidence: here, result: .doesNotMatch, verdict: .undecided),
    Example(path: ":443/order", evidence: here, result: .doesNotMatch, verdict: .rejected),
    Example(confirms: false, evidence: here, result: .disallowed, verdict: .accepted),
    Example(confirms: false, evidence: inSanFrancisco, result: .disallowed, verdict: .accepted),
    Example(confirms: false, evidence: .missing, result: .disallowed, verdict: .accepted),
    Example(confirms: false, evidence: .waived, result: .disallowed, verdict: .accepted),
    Example(
      confirms: false, path: "/menu", evidence: here, result: .disallowed, verdict: .rejected),
    Example(carrier: .barcode, evidence: here, result: .disallowed, verdict: .undecided),
    Example(
      carrier: .barcode, confirms: false, evidence: here, result: .disallowed, verdict: .accepted),
    Example(
      carrier: .barcode, path: "/menu", evidence: here, result: .disallowed, verdict: .rejected),
  ]

  @Test("the reasons come in their order, and the verdict is the worst answer", arguments: examples)
  func decides(example: Example) throws {
    let answer = try InvocationCheck(directory: Fixture.shop(confirms: example.confirms)).examine(
      payload: "https://fruta.example.com" + example.path, carrier: example.carrier,
      location: example.evidence)
    #expect(answer.location?.result == example.result)
    #expect(answer.verdict == example.verdict)
    #expect(
      answer.findings.contains { $0.code == .barcodeCarrier } == (example.carrier == .barcode))
    if answer.verdict != .accepted {
      #expect(!answer.findings.isEmpty, "whoever is not told yes is told why")
    }
  }

  @Test("nobody is told about a location who did not ask", arguments: Carrier.allCases)
  func notAsked(carrier: Carrier) throws {
    let answer = try InvocationCheck(directory: Fixture.shop())
      .examine(payload: "https://fruta.example.com/order/cupertino", carrier: carrier)
    #expect(answer.location == nil)
  }

  @Test("Cupertino's code in San Francisco is 60.7 km from its place, and says so")
  func story() throws {
    let answer = try InvocationCheck(directory: Fixture.shop()).examine(
      payload: "https://fruta.example.com/order/san-francisco", carrier: .qr, location: Self.here)
    #expect(
      answer.message(.outsideRegion)
        == "The code was read 60.7 km from Fruta San Francisco, allowed 100 m.")
    #expect(answer.severity(.outsideRegion) == .error)
    let distance = try #require(answer.location?.distance)
    #expect(abs(distance - 60_714.777) < 0.001)
    #expect(answer.location?.radius == 100)
    #expect(answer.location?.accuracy == 0)
  }

  @Test("a clip that does not ask lets the code pass, but whoever stands elsewhere is warned")
  func outsideWithoutConfirmation() throws {
    let answer = try InvocationCheck(directory: Fixture.shop(confirms: false)).examine(
      payload: "https://fruta.example.com/order/cupertino", carrier: .nfc,
      location: Self.inSanFrancisco)
    #expect(answer.severity(.outsideRegion) == .warning)
    #expect(answer.location?.distance != nil)
    #expect(answer.location?.result == .disallowed)
  }

  @Test("an undecided position says what accuracy would decide")
  func neededAccuracy() throws {
    let answer = try InvocationCheck(directory: Fixture.shop()).examine(
      payload: "https://fruta.example.com/order/cupertino", carrier: .qr, location: Self.vague)
    #expect(
      answer.message(.undecidedAccuracy)
        == "The code was read 0 m from Fruta Cupertino, allowed 100 m, but the position is accurate "
        + "to 150 m only; 100 m or better would decide.")
  }

  @Test("figures beyond all sense are printed, not trapped on", arguments: [1e12, 1e300])
  func absurdAccuracy(accuracy: Double) throws {
    let answer = try InvocationCheck(directory: Fixture.shop()).examine(
      payload: "https://fruta.example.com/order/cupertino", carrier: .qr,
      location: .fix(Fixture.fix(37.3230, -122.0322, accuracy: accuracy)))
    #expect(answer.location?.result == .undecided)
    #expect(answer.message(.undecidedAccuracy)?.contains("100 m or better") == true)
  }

  @Test(
    "a slip of sign or order that would explain the distance is named",
    arguments: [
      (37.3230, 122.0322, "the sign of the longitude reversed"),
      (-37.3230, -122.0322, "the sign of the latitude reversed"),
      (-37.3230, 122.0322, "both signs reversed"),
    ])
  func signs(latitude: Double, longitude: Double, slip: String) throws {
    let answer = try InvocationCheck(directory: Fixture.shop()).examine(
      payload: "https://fruta.example.com/order/cupertino", carrier: .qr,
      location: .fix(Fixture.fix(latitude, longitude)))
    #expect(answer.message(.signSuspect)?.contains(slip) == true)
    #expect(answer.verdict == .rejected)
  }

  @Test("Apple's sample without its minus sign is 9,000 km off, and recognised")
  func appleSample() throws {
    let experience = try Fixture.experience(
      "https://fruta.example.com/order",
      place: .coordinates(latitudeItem: "latitude", longitudeItem: "longitude", radius: 100))
    let answer = try InvocationCheck(directory: Fixture.catalog([experience])).examine(
      payload: "https://fruta.example.com/order?latitude=37.334722&longitude=122.008889",
      carrier: .nfc, location: .fix(Fixture.fix(37.334722, -122.008889)))
    #expect(
      answer.message(.outsideRegion)
        == "The code was read 9449 km from the position in the URL, allowed 100 m.")
    #expect(answer.severity(.signSuspect) == .warning)
  }

  @Test("exchanged latitude and longitude are recognised")
  func exchanged() throws {
    let experience = try Fixture.experience(
      "https://fruta.example.com/order",
      place: .coordinates(latitudeItem: "latitude", longitudeItem: "longitude", radius: 100))
    let answer = try InvocationCheck(directory: Fixture.catalog([experience])).examine(
      payload: "https://fruta.example.com/order?latitude=2.35&longitude=48.86", carrier: .qr,
      location: .fix(Fixture.fix(48.86, 2.35)))
    #expect(answer.message(.signSuspect)?.contains("exchanged") == true)
  }

  @Test("a polygon decides here, with a note that no phone could")
  func polygons() throws {
    let experience = try Fixture.experience(
      "https://fruta.example.com/order", place: .fixed(id: "park"))
    let check = InvocationCheck(directory: Fixture.catalog([experience]))
    func examine(_ latitude: Double, _ longitude: Double, _ accuracy: Double) throws -> Verification
    {
      try check.examine(
        payload: "https://fruta.example.com/order", carrier: .qr,
        location: .fix(Fixture.fix(latitude, longitude, accuracy: accuracy)))
    }
    let inside = try examine(37.334, -122.0085, 10)
    #expect(inside.location?.result == .inside)
    #expect(inside.verdict == .accepted)
    #expect(inside.severity(.polygonNotConfirmable) == .note)
    #expect(inside.location?.radius == nil)
    #expect(try #require(inside.location?.distance) < 0)
    let outside = try examine(37.340, -122.0085, 10)
    #expect(outside.verdict == .rejected)
    #expect(outside.message(.outsideRegion)?.contains("from Apple Park") == true)
    #expect(try examine(37.3379, -122.0085, 50).verdict == .undecided)
  }

  @Test("a clip that asks, with an experience that names no place, is told what is missing")
  func noRule() throws {
    let catalog = Fixture.catalog(try Fixture.experiences(["/order"]))
    let answer = try InvocationCheck(directory: catalog).examine(
      payload: "https://fruta.example.com/order", carrier: .qr, location: Self.here)
    #expect(answer.location?.result == .noPlace)
    #expect(answer.codes == [.noPlace])
  }

  @Test("an experience that only the default serves does not match, and stays undecided")
  func defaultOnly() throws {
    let catalog = Fixture.catalog(clips: [Fixture.clip(hasDefault: true)], [])
    let answer = try InvocationCheck(directory: catalog).examine(
      payload: "https://fruta.example.com/order", carrier: .qr, location: Self.here)
    #expect(answer.location?.result == .doesNotMatch)
    #expect(answer.verdict == .undecided)
  }
}
