import Invocation
import Testing

@Suite("What the articles of Invocation show is true") struct InvocationArticleTests {
  private let clip = AppClip(
    bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
    domains: ["fruta.example.com"])

  @Test("a payload under a registered link is accepted with its experience")
  func landingPage() throws {
    let clip = AppClip(
      bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
      domains: ["fruta.example.com"])
    let link = try InvocationURL("https://fruta.example.com/order")
    let card = ExperienceCard(title: "Fruta", subtitle: "Order a smoothie", action: .open)
    let catalog = ExperienceCatalog(
      clips: [clip], experiences: [AdvancedExperience(clip: clip.bundleID, link: link, card: card)])
    let answer = try InvocationCheck(directory: catalog).examine(
      payload: "https://fruta.example.com/order/cupertino", carrier: .qr)
    print(answer.verdict, answer.state)  // accepted ok
    for finding in answer.findings { print(finding.severity, finding.code, finding.message) }
    #expect(answer.verdict == .accepted && answer.state == .ok)
    #expect(answer.experience?.card == card)
  }

  @Test("a catalogue made by hand knows clip, experience and place")
  func catalogue() throws {
    let clip = AppClip(
      bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
      domains: ["fruta.example.com"], locationConfirmation: true)
    let order = AdvancedExperience(
      clip: clip.bundleID, link: try InvocationURL("https://fruta.example.com/order"),
      card: ExperienceCard(title: "Fruta", subtitle: "Order a smoothie", action: .open),
      place: .path(template: try PathTemplate("/order/{place}")))
    let shop = Region(latitude: 37.3230, longitude: -122.0322, radius: 100)  // degrees and metres
    let catalog = ExperienceCatalog(
      clips: [clip], experiences: [order],
      places: shop.map { [Place(id: "cupertino", name: "Fruta Cupertino", region: $0)] } ?? [])
    let here = Coordinate(latitude: 37.3231, longitude: -122.0321)
      .flatMap { LocationFix(coordinate: $0, accuracy: 10) }
    let answer = try InvocationCheck(directory: catalog).examine(
      payload: "https://fruta.example.com/order/cupertino", carrier: .qr,
      location: here.map(LocationEvidence.fix) ?? .missing)
    print(answer.verdict, answer.place?.name ?? "-")  // accepted Fruta Cupertino
    #expect(answer.verdict == .accepted && answer.place?.name == "Fruta Cupertino")
    #expect(answer.location?.result == .inside)
  }

  @Test("a phone starts the clip and shows its card")
  func phone() throws {
    let link = try InvocationURL("https://fruta.example.com/order")
    let card = ExperienceCard(title: "Fruta", subtitle: "Order a smoothie", action: .open)
    let catalog = ExperienceCatalog(
      clips: [clip],
      experiences: [AdvancedExperience(clip: clip.bundleID, link: link, card: card)])
    let simulator = PhoneSimulator(check: InvocationCheck(directory: catalog))
    let phone = PhoneSituation(channel: .qr, installed: .none)
    let answer = try simulator.play("https://fruta.example.com/order/cupertino", on: phone)
    for step in answer.steps { print(step.stage, step.result, step.text, step.evidence) }
    print(answer.start, answer.program ?? "-")  // clip com.example.fruta.Clip
    print(answer.card?.title ?? "no card")  // Fruta
    #expect(answer.start == .clip && answer.program == clip.bundleID)
    #expect(answer.card?.title == "Fruta")
  }

  @Test("San Francisco is not in Cupertino, by some 60.7 km")
  func place() throws {
    let centre = Coordinate(latitude: 37.3230, longitude: -122.0322)
    let circle = centre.flatMap { Region.Circle(centre: $0, radius: 100) }
    let here = Coordinate(latitude: 37.7749, longitude: -122.4194)
      .flatMap { LocationFix(coordinate: $0, accuracy: 10) }
    if let circle, let here {
      let outcome = LocationConfirmation.confirm(here, in: .circle(circle))
      print(outcome.result, outcome.distance ?? 0)  // outside 60714.7…: metres
    }
    let outcome = LocationConfirmation.confirm(
      try #require(here), in: .circle(try #require(circle)))
    #expect(outcome.result == .outside)
    #expect(Int(outcome.distance ?? 0) == 60714)
  }
}
