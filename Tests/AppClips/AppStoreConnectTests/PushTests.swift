import CliptagBasics
import Foundation
import Invocation
import LoopbackServer
import Pictures
import TestSupport
import Testing

@testable import AppStoreConnect

private let sample = packageFolder.appending(path: "Samples/fruta/app-store-connect")

private let picture = PushPicture(name: "fruta.png", bytes: Array("0123456789".utf8))

private func snapshot() async throws -> ConnectSnapshot {
  try await ConnectSnapshot.read(app: "1234567890", from: SavedAnswers(folder: sample.path))
}

extension AdvancedExperience {
  /// The same with other texts or another link.
  fileprivate func with(
    link: String? = nil, subtitle: String? = nil, status: ExperienceStatus? = nil,
    listing: ExperienceListing? = nil
  ) throws -> AdvancedExperience {
    AdvancedExperience(
      clip: clip, link: try link.map { try InvocationURL($0) } ?? self.link,
      card: ExperienceCard(
        title: card.title, subtitle: subtitle ?? card.subtitle, action: card.action),
      language: language, status: status ?? self.status, place: place,
      listing: listing ?? self.listing)
  }
}

private func plan(
  _ clips: [AppClip], _ experiences: [AdvancedExperience], removes: Bool = true,
  picture: PushPicture? = picture
) async throws -> PushPlan {
  try PushPlan(from: try await snapshot(), to: clips, experiences, removes: removes) { _ in picture
  }
}

private func json(_ step: PushStep) throws -> [String: Any] {
  let body = try #require(step.body)
  return try #require(
    try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
}

@Suite("Making App Store Connect equal to a registry")
struct PushTests {
  @Test("nothing is sent for what was pulled")
  func equal() async throws {
    let content = try await snapshot().content()
    let plan = try await plan(content.clips, content.experiences)
    #expect(plan.steps == [] && plan.notes == [])
  }

  @Test("a changed text sends every text of the experience, and nothing else")
  func change() async throws {
    var content = try await snapshot().content()
    content.experiences[0] = try content.experiences[0].with(subtitle: "Order here")
    let steps = try await plan(content.clips, content.experiences).steps
    #expect(steps.map(\.method) == ["PATCH"])
    #expect(steps[0].path == "/v1/appClipAdvancedExperiences/e0000001")
    let body = try json(steps[0])
    let data = try #require(body["data"] as? [String: Any])
    #expect(data["id"] as? String == "e0000001" && data["attributes"] == nil)
    let included = try #require(body["included"] as? [[String: Any]])
    #expect(included.map { $0["id"] as? String } == ["${text-EN}", "${text-DE}"])
    let texts = included.compactMap { $0["attributes"] as? [String: String] }
    #expect(texts[0] == ["language": "EN", "title": "Fruta", "subtitle": "Order here"])
    let related = try #require(data["relationships"] as? [String: [String: [[String: String]]]])
    #expect(related["localizations"]?["data"]?.map { $0["id"] } == ["${text-EN}", "${text-DE}"])
  }

  @Test("a registry that was never pulled changes only what it says")
  func neverPulled() async throws {
    let content = try await snapshot().content()
    let experiences = try content.experiences.map { try $0.with(listing: ExperienceListing()) }
    #expect(try await plan(content.clips, experiences).steps == [])
    let changed = [try experiences[0].with(subtitle: "Order here")] + experiences[1...]
    let steps = try await plan(content.clips, changed).steps
    let included = try #require(try json(steps[0])["included"] as? [[String: Any]])
    #expect(included.count == 2, "the German texts stay")
  }

  @Test("a changed link is registered first, with its place in Maps, and ended last")
  func link() async throws {
    var content = try await snapshot().content()
    content.experiences[0] = try content.experiences[0].with(link: "https://fruta.example.com/buy")
    content.experiences[1] = try content.experiences[1].with(subtitle: "Fetch it")
    let steps = try await plan(content.clips, content.experiences).steps
    #expect(steps.map(\.method) == ["POST", "PUT", "PATCH", "POST", "PATCH", "PATCH"])
    #expect(steps.map(\.kind) == [.create, .create, .create, .create, .change, .remove])
    let reserved = try #require(try json(steps[0])["data"] as? [String: Any])
    #expect((reserved["attributes"] as? [String: Any])?["fileSize"] as? Int == 10)
    let finished = try #require(try json(steps[2])["data"] as? [String: Any])
    // `printf 0123456789 | md5sum`
    #expect(
      (finished["attributes"] as? [String: Any])?["sourceFileChecksum"] as? String
        == "781e5e245d69b566979b86e28d23f2c7")
    let data = try #require(try json(steps[3])["data"] as? [String: Any])
    let attributes = try #require(data["attributes"] as? [String: Any])
    #expect(attributes["link"] as? String == "https://fruta.example.com/buy")
    #expect((attributes["place"] as? [String: Any])?["placeId"] as? String == "I2F4A9")
    #expect(steps[5].path == "/v1/appClipAdvancedExperiences/e0000001")
    let ended = try #require(try json(steps[5])["data"] as? [String: Any])
    #expect(ended["attributes"] as? [String: Bool] == ["removed": true])
  }

  @Test("nothing ends unless that is asked for; what would is told")
  func ending() async throws {
    var content = try await snapshot().content()
    content.experiences[1] = try content.experiences[1].with(status: .deactivated)
    content.experiences.removeLast()
    let kept = try await plan(content.clips, content.experiences, removes: false)
    #expect(kept.steps == [] && kept.notes.count == 2)
    let ended = try await plan(content.clips, content.experiences)
    #expect(ended.steps.map(\.kind) == [.remove, .remove])
    #expect(ended.notes == [])
  }

  @Test(
    "what ends is deactivated when the app was released, and deleted when it never was",
    arguments: [(true, "deactivate "), (false, "delete "), (nil, "end ")] as [(Bool?, String)])
  func endingWords(isReleased: Bool?, verb: String) async throws {
    var snapshot = try await snapshot()
    let content = try snapshot.content()
    snapshot.clips[0].defaultExperience?.isReleased = isReleased
    let plan = try PushPlan(
      from: snapshot, to: content.clips, [], removes: true, pictures: { _ in nil })
    #expect(plan.steps.count == 3)
    #expect(plan.steps.allSatisfy { $0.purpose.hasPrefix(verb) })
    for step in plan.steps { #expect(step.body?.contains("\"removed\": true") == true) }
  }

  // MARK: Pictures

  private static func png(
    _ width: Int = 1800, _ height: Int = 1200, alpha: Bool = false
  ) throws -> [UInt8] {
    let grey = GreyPicture(
      width: width, height: height, pixels: [UInt8](repeating: 90, count: width * height))
    guard alpha else { return try PNGWriter.grey(grey) }
    return try PNGWriter.translucent(TranslucentPicture(opaque: ColourPicture(grey)))
  }

  @Test("a picture of the right size without an alpha channel is sent")
  func goodPicture() async throws {
    #expect(await PushPicture(name: "a.png", bytes: try Self.png()).problem() == nil)
  }

  @Test("a picture that App Store Connect would refuse is refused before anything is sent")
  func badPictures() async throws {
    let good = try Self.png()
    let transparent =
      Array(good[..<33]) + [0, 0, 0, 2] + Array("tRNS".utf8) + [0, 90]
      + [0xB9, 0x5E, 0x5D, 0x10] + Array(good[33...])
    let cases: [([UInt8], String)] = [
      (try Self.png(12, 18), "12 × 18"), (try Self.png(12, 18, alpha: true), "alpha channel"),
      (transparent, "alpha channel"),
      (Array(good.prefix(good.count / 2)), "cannot be opened"),
      (Array("0123456789".utf8), "not a picture"),
      (Array("P5\n1 1\n255\nx".utf8), "PNM"), (Array("%PDF-1.7".utf8), "PDF"),
    ]
    for (bytes, reason) in cases {
      let problem = await PushPicture(name: "a.png", bytes: bytes).problem()
      #expect(problem?.contains(reason) == true, "\(reason): \(problem ?? "taken")")
    }
    let error = await #expect(throws: AppStoreConnectError.self) {
      try await moved().checkPictures()
    }
    #expect(error?.code == .unusablePicture && error?.message.contains("fruta.png") == true)
  }

  @Test("another picture is sent and named by the experience, and without the file that is told")
  func otherPicture() async throws {
    var content = try await snapshot().content()
    var listing = content.experiences[0].listing
    listing.image = HeaderImage(file: "winter.png", size: nil)
    content.experiences[0] = try content.experiences[0].with(listing: listing)
    let steps = try await plan(content.clips, content.experiences).steps
    #expect(steps.map(\.method) == ["POST", "PUT", "PATCH", "PATCH"])
    #expect(steps.last?.path == "/v1/appClipAdvancedExperiences/e0000001")
    let data = try #require(try json(steps[3])["data"] as? [String: Any])
    let related = try #require(data["relationships"] as? [String: [String: [String: String]]])
    #expect(
      related["headerImage"]?["data"]
        == ["type": "appClipAdvancedExperienceImages", "id": "${image-1}"])
    let kept = try await plan(content.clips, content.experiences, picture: nil)
    #expect(kept.steps == [] && kept.notes.count == 1)
    #expect(kept.notes.first?.text.contains("winter.png was not found") == true)
  }

  @Test("what a push cannot send is told: the default picture, a default experience, TestFlight")
  func leftOut() async throws {
    var content = try await snapshot().content()
    var clip = content.clips[0]
    clip.listing.image = HeaderImage(file: "winter.png", size: nil)
    clip.listing.testInvocations.append(
      TestInvocation(url: try InvocationURL("https://fruta.example.com/order/new"), title: "New"))
    content.clips[0] = clip
    let plan = try await plan(content.clips, content.experiences)
    #expect(plan.steps == [])
    #expect(plan.notes.contains { $0.text.contains("winter.png is not sent") })
    #expect(
      plan.notes.contains { $0.text.contains("1 TestFlight invocation of \(clip.bundleID) is not") }
    )
    var without = try await snapshot()
    without.clips[0].defaultExperience = nil
    let other = try PushPlan(from: without, to: [clip], content.experiences, removes: true) { _ in
      picture
    }
    #expect(other.notes.contains { $0.text.contains("no default experience in App Store Connect") })
  }

  @Test("a new experience without its picture is refused before anything is sent")
  func noPicture() async throws {
    var content = try await snapshot().content()
    content.experiences[0] = try content.experiences[0].with(link: "https://fruta.example.com/buy")
    let error = await #expect(throws: AppStoreConnectError.self) {
      try await plan(content.clips, content.experiences, picture: nil)
    }
    #expect(error?.code == .missingPicture)
    #expect(error?.message.contains("fruta.png") == true)
  }

  @Test("the default experience's action and subtitles are changed in their resources")
  func defaultExperience() async throws {
    let content = try await snapshot().content()
    let old = content.clips[0]
    var listing = old.listing
    listing.localizations.append(CardLocalization(language: "fr-FR", title: nil, subtitle: "Jus"))
    let clip = AppClip(
      bundleID: old.bundleID, appBundleID: old.appBundleID, team: old.team, domains: old.domains,
      locationConfirmation: false,
      defaultExperience: ExperienceCard(title: nil, subtitle: "Juice", action: .view),
      listing: listing)
    let steps = try await plan([clip], content.experiences).steps
    #expect(
      steps.map { "\($0.method) \($0.path)" } == [
        "PATCH /v1/appClipDefaultExperiences/d3fa0001",
        "PATCH /v1/appClipDefaultExperienceLocalizations/l-en",
        "POST /v1/appClipDefaultExperienceLocalizations",
      ])
  }

  // MARK: Sending

  private static func made(_ type: String, _ id: String, _ attributes: String = "{}")
    -> LoopbackServer.Answer
  {
    .init(
      201, body: #"{"data":{"type":"\#(type)","id":"\#(id)","attributes":\#(attributes)}}"#)
  }

  private static let image = "appClipAdvancedExperienceImages"

  private static func answers(
    _ more: [String: [LoopbackServer.Answer]] = [:]
  ) -> [String: [LoopbackServer.Answer]] {
    let parts = [(0, 4), (4, 6)].map { offset, length in
      #"""
      {"method":"PUT","url":"https://\#(storeHost)/part\#(offset)?signature=secret",
      "offset":\#(offset),"length":\#(length),
      "requestHeaders":[{"name":"Content-Type","value":"image/png"}]}
      """#
    }
    let answers: [String: [LoopbackServer.Answer]] = [
      "POST /v1/\(image)": [
        made(image, "img9", #"{"uploadOperations":[\#(parts.joined(separator: ","))]}"#)
      ],
      // One part is sent twice, as the first answer is a failure.
      "PUT \(storeHost)/part0": [.init(500), .init(how: .anonymous)],
      "PUT \(storeHost)/part4": [.init(how: .anonymous)],
      "PATCH /v1/\(image)/img9": [made(image, "img9")],
      "POST /v1/appClipAdvancedExperiences": [made("appClipAdvancedExperiences", "e9")],
      "PATCH /v1/appClipAdvancedExperiences/e0000001": [
        made("appClipAdvancedExperiences", "e0000001")
      ],
    ]
    return answers.merging(more) { $1 }
  }

  private func moved() async throws -> PushPlan {
    var content = try await snapshot().content()
    content.experiences[0] = try content.experiences[0].with(link: "https://fruta.example.com/buy")
    return try await plan(content.clips, content.experiences)
  }

  @Test("a push sends the picture in its parts, without the token, then registers and ends")
  func push() async throws {
    let plan = try await moved()
    try await LoopbackServer.connect(Self.answers()) { server in
      try await server.client().push(plan)
      var seen: [String] = []
      for _ in 0..<7 { seen.append(try await server.request() ?? "") }
      #expect(
        seen == [
          "POST \(connectHost)/v1/\(Self.image)",
          "PUT \(storeHost)/part0?signature=secret", "PUT \(storeHost)/part0?signature=secret",
          "PUT \(storeHost)/part4?signature=secret",
          "PATCH \(connectHost)/v1/\(Self.image)/img9",
          "POST \(connectHost)/v1/appClipAdvancedExperiences",
          "PATCH \(connectHost)/v1/appClipAdvancedExperiences/e0000001",
        ])
    }
  }

  @Test("a push stops at the first failure: the old link is not ended when the new one is refused")
  func stops() async throws {
    let plan = try await moved()
    let refusal = LoopbackServer.Answer(
      409, body: #"{"errors":[{"status":"409","code":"ENTITY_ERROR","detail":"Taken."}]}"#)
    try await LoopbackServer.connect(
      Self.answers(["POST /v1/appClipAdvancedExperiences": [refusal]])
    ) { server in
      let client = try server.client()
      let failure = await #expect(throws: PushFailure.self) { try await client.push(plan) }
      #expect(failure?.error.code == .refused)
      #expect(failure?.error.message.contains("ENTITY_ERROR") == true)
      #expect(failure?.done.count == 3)
      #expect(failure?.left.map(\.kind) == [.create, .remove])
      #expect(failure?.leftBehind == ["/v1/\(Self.image)/img9"], "this server deletes nothing")
    }
  }

  @Test("a picture that is refused later is told with App Store Connect's own errors")
  func assetErrors() async throws {
    let plan = try await moved()
    let error =
      #"{"code":"IMAGE_INCORRECT_DIMENSIONS","description":"The picture is too small."}"#
    let state = #"{"assetDeliveryState":{"state":"FAILED","errors":[\#(error)]}}"#
    try await LoopbackServer.connect(
      Self.answers(["PATCH /v1/\(Self.image)/img9": [Self.made(Self.image, "img9", state)]])
    ) { server in
      let client = try server.client()
      let failure = await #expect(throws: PushFailure.self) { try await client.push(plan) }
      #expect(failure?.error.details.map(\.code) == ["IMAGE_INCORRECT_DIMENSIONS"])
      #expect(failure?.error.message.contains("The picture is too small.") == true)
      #expect(failure?.error.message.contains("IMAGE_INCORRECT_DIMENSIONS") == true)
    }
  }

  @Test("a picture that cannot be sent is told without its address, and nothing follows")
  func uploadFails() async throws {
    let plan = try await moved()
    try await LoopbackServer.connect(
      Self.answers([
        "PUT \(storeHost)/part4": [.init(403)], "DELETE /v1/\(Self.image)/img9": [.init(204)],
      ])
    ) { server in
      let client = try server.client()
      let failure = await #expect(throws: PushFailure.self) { try await client.push(plan) }
      #expect(failure?.done.count == 1)
      #expect(failure?.leftBehind == [])
      var last: String?
      for _ in 0..<5 { last = try await server.request() }
      #expect(last == "DELETE \(connectHost)/v1/\(Self.image)/img9", "nothing is left behind")
      let message = failure.map { "\($0.error)" } ?? ""
      #expect(message.contains(storeHost) && !message.contains("signature"))
    }
  }

  @Test(
    "upload operations outside the file are refused",
    arguments: [
      #"[]"#, #"[{"method":"PUT","url":"https://x.example.com","offset":8,"length":4}]"#,
      #"[{"method":"PUT","url":"https://x.example.com","offset":-1,"length":4}]"#,
      #"[{"method":"PUT","url":"https://x.example.com","offset":0,"length":9e18}]"#,
    ])
  func operations(list: String) async throws {
    let plan = try await moved()
    let answer = Self.made(Self.image, "img9", #"{"uploadOperations":\#(list)}"#)
    try await LoopbackServer.connect(Self.answers(["POST /v1/\(Self.image)": [answer]])) { server in
      let client = try server.client()
      let failure = await #expect(throws: PushFailure.self) { try await client.push(plan) }
      #expect(failure?.error.code == .malformedAnswer)
    }
  }
}
