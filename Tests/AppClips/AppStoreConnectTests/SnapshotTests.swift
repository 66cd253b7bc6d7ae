import Foundation
import Invocation
import LoopbackServer
import TestSupport
import Testing

@testable import AppStoreConnect

/// The folder of the sample: answers built from the documented fields.
private let sample = packageFolder.appending(path: "Samples/fruta/app-store-connect")

private func text(_ name: String) throws -> String {
  try String(contentsOf: sample.appending(path: name + ".json"), encoding: .utf8)
}

/// What App Store Connect answers, by path.
private func answers() throws -> [String: [LoopbackServer.Answer]] {
  let clip = "/v1/appClips/6f0a1c52", bundle = "/v1/buildBundles/bb-clip"
  let files = [
    "/v1/apps/1234567890/appClips": "apps-1234567890-appClips",
    "/v1/builds": "builds-1234567890",
    "/v1/apps/1234567890/appStoreVersions": "apps-1234567890-appStoreVersions",
    "\(clip)/appClipDefaultExperiences": "appClips-6f0a1c52-appClipDefaultExperiences",
    "/v1/appClipDefaultExperiences/d3fa0001/appClipDefaultExperienceLocalizations":
      "appClipDefaultExperiences-d3fa0001-appClipDefaultExperienceLocalizations",
    "\(clip)/appClipAdvancedExperiences": "appClips-6f0a1c52-appClipAdvancedExperiences",
    "\(bundle)/buildBundleFileSizes": "buildBundles-bb-clip-buildBundleFileSizes",
    "\(bundle)/betaAppClipInvocations": "buildBundles-bb-clip-betaAppClipInvocations",
    "\(bundle)/appClipDomainCacheStatus": "buildBundles-bb-clip-appClipDomainCacheStatus",
  ]
  return try files.mapValues { [.init(body: try text($0))] }
}

private func snapshot() async throws -> ConnectSnapshot {
  try await ConnectSnapshot.read(app: "1234567890", from: SavedAnswers(folder: sample.path))
}

@Suite("What App Store Connect holds")
struct SnapshotTests {
  @Test("the network and the answers saved from it say the same")
  func network() async throws {
    try await LoopbackServer.connect(try answers()) { server in
      let read = try await ConnectSnapshot.read(app: "1234567890", from: try server.client())
      #expect(read == (try await snapshot()))
    }
  }

  @Test("clips come with experiences, texts, pictures, domains, sizes and TestFlight's invocations")
  func everything() async throws {
    let content = try await snapshot().content()
    #expect(content.notes.count == 1)  // the location confirmation is unknown
    let clip = try #require(content.clips.first)
    #expect(clip.bundleID == "com.example.fruta.Clip" && clip.appBundleID == "com.example.fruta")
    #expect(clip.team == "ABCDE12345" && clip.appStoreID == "1234567890")
    // The entry with ?mode=developer invokes nothing at customers.
    #expect(clip.domains == ["fruta.example.com"])
    #expect(clip.defaultExperience?.subtitle == "Order a smoothie")
    let listing = clip.listing
    #expect(listing.name == "Fruta" && listing.isReleased == true)
    #expect(listing.minimumIOS == IOSVersion(16, 4) && listing.installBytes == 11_534_336)
    #expect(listing.localizations.map(\.language) == ["de-DE"])
    #expect(listing.image == HeaderImage(file: "fruta.png", size: HeaderImage.requiredSize))
    #expect(listing.testInvocations.map(\.title) == ["Order in Cupertino"])
    #expect(listing.domainStatuses.map(\.isValid) == [true])
    let updated = try #require(listing.domainStatuses.first?.updated)
    #expect(updated.timeIntervalSince1970 == 1_782_925_200)
    #expect(content.experiences.map(\.status) == [.received, .received, .deactivated, .received])
    let order = try #require(content.experiences.first)
    #expect(
      order.card == ExperienceCard(title: "Fruta", subtitle: "Order a smoothie", action: .open))
    #expect(order.listing.identifier == "e0000001" && order.listing.placeStatus == .matched)
    #expect(order.listing.businessCategory == "FOOD_AND_DRINK")
    #expect(order.listing.localizations.map(\.language) == ["DE"])
  }

  @Test("domains, size and minimum iOS are those on sale, and a newer upload is told beside them")
  func onSale() async throws {
    var answers = try answers()
    let old = try text("builds-1234567890")
    answers["/v1/builds/b0000001"] = [.init(body: old)]
    answers["/v1/builds"] = [
      .init(
        body: old.replacing("b0000001", with: "b0000002").replacing("bb-clip", with: "bb-new")
          .replacing("\"41\"", with: "\"42\"").replacing("\"16.4\"", with: "\"17.0\"")
          .replacing("appclips:fruta", with: "appclips:new.fruta"))
    ]
    answers["/v1/buildBundles/bb-new/betaAppClipInvocations"] =
      answers["/v1/buildBundles/bb-clip/betaAppClipInvocations"]
    answers["/v1/buildBundles/bb-clip/betaAppClipInvocations"] = nil
    try await LoopbackServer.connect(answers) { server in
      let read = try await ConnectSnapshot.read(app: "1234567890", from: try server.client())
      let clip = try #require(try read.content().clips.first)
      #expect(clip.domains == ["fruta.example.com"])
      #expect(clip.listing.minimumIOS == IOSVersion(16, 4))
      #expect(clip.listing.installBytes == 11_534_336)
      #expect(clip.listing.testInvocations.count == 1, "testers have the newest build")
      let note = try #require(read.notes.first { $0.contains("Build 42") })
      #expect(note.contains("build 41") && note.contains("17.0"))
      #expect(note.contains("new.fruta.example.com"))
    }
  }

  @Test("while no version is on sale, the newest build counts")
  func notOnSale() async throws {
    var answers = try answers()
    let key = "/v1/apps/1234567890/appStoreVersions"
    answers[key] = [
      .init(
        body: try text("apps-1234567890-appStoreVersions")
          .replacing("READY_FOR_SALE", with: "PREPARE_FOR_SUBMISSION")
          .replacing("READY_FOR_DISTRIBUTION", with: "PREPARE_FOR_SUBMISSION"))
    ]
    try await LoopbackServer.connect(answers) { server in
      let read = try await ConnectSnapshot.read(app: "1234567890", from: try server.client())
      #expect(read.clips[0].bundle?.minimumOSVersion == "16.4" && read.notes == [])
    }
  }

  @Test("what only the registry knows stays, and a time of change only where nothing changed")
  func preserved() async throws {
    let first = try await snapshot().content()
    let when = Date(timeIntervalSince1970: 1_700_000_000)
    var listing = first.experiences[0].listing
    listing.changed = when
    let place = PlaceRule.query(item: "shop")
    func with(_ title: String) -> AdvancedExperience {
      let old = first.experiences[0]
      return AdvancedExperience(
        clip: old.clip, link: old.link,
        card: ExperienceCard(title: title, subtitle: old.card.subtitle, action: .open),
        language: old.language, status: old.status, place: place, listing: listing)
    }
    let clip = first.clips[0]
    var clipListing = clip.listing
    clipListing.demoLink = try InvocationURL(
      "https://appclip.apple.com/id?p=com.example.fruta.Clip")
    let old = AppClip(
      bundleID: clip.bundleID, appBundleID: clip.appBundleID, team: clip.team,
      appStoreID: clip.appStoreID, domains: clip.domains, locationConfirmation: true,
      defaultExperience: ExperienceCard(title: "Ours", subtitle: nil, action: .play),
      listing: clipListing)
    let same = try await snapshot().content(over: [old], [with("Fruta")])
    #expect(same.experiences[0] == with("Fruta"))
    #expect(same.clips[0].locationConfirmation)
    #expect(same.clips[0].listing.demoLink == clipListing.demoLink)
    #expect(same.clips[0].defaultExperience?.title == "Ours")
    #expect(same.clips[0].defaultExperience?.action == .open)
    #expect(same.notes == [])
    let changed = try await snapshot().content(over: [old], [with("Old")])
    #expect(changed.experiences[0].place == place)
    #expect(changed.experiences[0].listing.changed == nil)
  }

  @Test("values that are new are kept as text and told, and never stop a pull")
  func unknownValues() async throws {
    var answers = try answers()
    let key = "/v1/appClips/6f0a1c52/appClipAdvancedExperiences"
    let changed = try text("appClips-6f0a1c52-appClipAdvancedExperiences")
      .replacingOccurrences(of: "\"action\": \"OPEN\"", with: "\"action\": \"LAUNCH\"")
      .replacingOccurrences(of: "\"DEACTIVATED\"", with: "\"PAUSED\"")
      .replacingOccurrences(of: "\"FOOD_AND_DRINK\"", with: "\"ROBOTICS\"")
      .replacingOccurrences(of: "\"language\": \"DE\"", with: "\"language\": \"EO\"")
    answers[key] = [.init(body: changed)]
    try await LoopbackServer.connect(answers) { server in
      let read = try await ConnectSnapshot.read(app: "1234567890", from: try server.client())
      #expect(read.clips[0].experiences[0].action == "LAUNCH")
      #expect(read.clips[0].experiences[2].status == "PAUSED")
      for word in ["LAUNCH", "PAUSED", "ROBOTICS", "EO"] {
        #expect(read.notes.count { $0.contains("\"\(word)\"") } == 1)
      }
      let content = try read.content()
      #expect(content.experiences[0].card.action == .open)
      #expect(content.experiences[2].status == .deactivated)
      #expect(content.experiences[0].listing.businessCategory == nil)
      #expect(content.experiences[0].listing.localizations == [])
    }
  }

  @Test("an experience that was removed and registered anew is served")
  func twice() async throws {
    var read = try await snapshot()
    var again = read.clips[0].experiences[2]
    (again.id, again.status) = ("e0000009", "RECEIVED")
    read.clips[0].experiences.append(again)
    let summer = try read.content().experiences.filter { $0.link.path == "/summer" }
    #expect(summer.map(\.listing.identifier) == ["e0000009"])
  }

  @Test("a link that is no invocation URL is left out and told")
  func badLink() async throws {
    var read = try await snapshot()
    read.clips[0].experiences[0].link = "http://fruta.example.com/order"
    let content = try read.content()
    #expect(content.experiences.count == 3)
    #expect(content.notes.contains { $0.contains("http://fruta.example.com/order") })
  }

  @Test("without a build, team and domains are the registry's, and a team must come from somewhere")
  func withoutBuild() async throws {
    var read = try await snapshot()
    read.clips[0].bundle = nil
    let error = #expect(throws: AppStoreConnectError.self) { try read.content() }
    #expect(error?.code == .unknownTeam)
    let content = try read.content(team: "ZZZZZ99999")
    #expect(content.clips[0].team == "ZZZZZ99999")
    #expect(content.clips[0].domains == ["fruta.example.com"])
  }

  @Test("an app that does not exist, or has no clip, is told as such")
  func missing() async throws {
    try await LoopbackServer.connect([
      "/v1/apps/2/appClips": [.init(body: #"{"data":[],"links":{}}"#)],
      "/v1/builds": [.init(body: #"{"data":[],"links":{}}"#)],
    ]) { server in
      let client = try server.client()
      for app in ["1", "2", "../1", ""] {
        let error = await #expect(throws: AppStoreConnectError.self) {
          try await ConnectSnapshot.read(app: app, from: client)
        }
        #expect(error?.code == .notFound, "\(app)")
      }
    }
  }

  @Test("an identifier cannot lead a request elsewhere")
  func identifiers() async throws {
    let answer = #"{"data":[{"type":"appClips","id":"../../x","attributes":{"bundleId":"a.b.c"}}]}"#
    try await LoopbackServer.connect([
      "/v1/apps/2/appClips": [.init(body: answer)],
      "/v1/builds": [.init(body: #"{"data":[],"links":{}}"#)],
    ]) { server in
      let client = try server.client()
      let error = await #expect(throws: AppStoreConnectError.self) {
        try await ConnectSnapshot.read(app: "2", from: client)
      }
      #expect(error?.code == .malformedAnswer)
    }
  }
}
