import Foundation
import Invocation
import Testing

private let clip = AppClip(
  bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
  domains: ["fruta.example.com"])
private let rewards = AppClip(
  bundleID: "com.example.rewards.Clip", appBundleID: "com.example.rewards", team: "ABCDE12345",
  domains: ["rewards.example.com"])

@Suite("Entitlements files")
struct EntitlementsFileTests {
  private struct Clip: Encodable {
    var domains = ["appclips:fruta.example.com"]
    var parents = ["ABCDE12345.com.example.fruta"]
    var onDemand = true
    enum CodingKeys: String, CodingKey {
      case domains = "com.apple.developer.associated-domains"
      case parents = "com.apple.developer.parent-application-identifiers"
      case onDemand = "com.apple.developer.on-demand-install-capable"
    }
  }

  private static func xml(_ content: String) -> [UInt8] {
    Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\">\(content)</plist>\n".utf8)
  }

  private static func app(_ more: String = "") -> [UInt8] {
    xml(
      """
      <dict><key>com.apple.developer.associated-domains</key>
      <array><string>appclips:fruta.example.com</string></array>\(more)</dict>
      """)
  }

  @Test("a clip's file is read as XML and in binary", arguments: [true, false])
  func forms(isBinary: Bool) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = isBinary ? .binary : .xml
    let file = try EntitlementsFile(Array(encoder.encode(Clip())), name: "Clip.entitlements")
    #expect(file.target == .clip)
    #expect(file.findings(for: clip, on: ["fruta.example.com"]) == [])
    let missing = file.findings(for: clip, on: ["www.example.com"]).map(\.finding.code)
    #expect(missing == [.entitlementNoDomain])
  }

  @Test("what is wrong in a clip's file is found in it")
  func wrongClip() throws {
    let encoder = PropertyListEncoder()
    let wrong = Clip(domains: ["applinks:fruta.example.com"], parents: [], onDemand: false)
    let file = try EntitlementsFile(Array(encoder.encode(wrong)), name: "Clip.entitlements")
    let codes = Set(file.findings(for: clip, on: ["fruta.example.com"]).map(\.finding.code))
    #expect(
      codes == [
        .entitlementNoDomain, .entitlementClipService, .entitlementParentApp, .entitlementOnDemand,
      ])
  }

  @Test("a file without the keys of a clip is the app's")
  func app() throws {
    let file = try EntitlementsFile(Self.app(), name: "App.entitlements")
    #expect(file.target == .app)
    // Xcode adds the clip's identifier only when it archives.
    #expect(file.findings(for: clip, on: ["fruta.example.com"]).map(\.finding.severity) == [.note])
  }

  @Test(
    "a file belongs to the clip that it names, with or without Xcode's variables",
    arguments: ["ABCDE12345.", "$(AppIdentifierPrefix)", "$(TeamIdentifierPrefix)"])
  func belonging(prefix: String) throws {
    let named = Self.app(
      "<key>com.apple.developer.associated-appclip-app-identifiers</key>"
        + "<array><string>\(prefix)com.example.rewards.Clip</string></array>")
    let file = try EntitlementsFile(named, name: "App.entitlements")
    #expect(file.clip(among: [clip, rewards]) == rewards)
    let signed = try EntitlementsFile(
      Self.app(
        "<key>application-identifier</key><string>\(prefix)com.example.rewards</string>"),
      name: "App.entitlements")
    #expect(signed.clip(among: [clip, rewards]) == rewards)
    let silent = try EntitlementsFile(Self.app(), name: "App.entitlements")
    #expect(silent.clip(among: [clip, rewards]) == nil)
    #expect(silent.clip(among: [clip]) == clip)
  }

  @Test(
    "entitlements that were signed for something else are an error",
    arguments: [
      ("ABCDE12345.com.example.fruta", false), ("ABCDE12345.*", false),
      ("$(AppIdentifierPrefix)$(BUNDLE_ID)", false), ("ZZZZZ99999.com.example.fruta", true),
      ("ABCDE12345.com.example.other", true), ("ZZZZZ99999.*", true),
    ])
  func foreign(identifier: String, isForeign: Bool) throws {
    let file = try EntitlementsFile(
      Self.app("<key>application-identifier</key><string>\(identifier)</string>"), name: "App")
    let found = file.findings(for: clip, on: ["fruta.example.com"])
    let foreign = found.filter { $0.finding.code == .entitlementOtherApp }
    #expect(foreign.map(\.finding.severity) == (isForeign ? [.error] : []))
  }

  @Test("a signed file tells by its identifier that it is the clip's, whatever else it lacks")
  func clipByIdentifier() throws {
    let file = try EntitlementsFile(
      Self.app(
        "<key>application-identifier</key><string>ABCDE12345.com.example.fruta.Clip</string>"),
      name: "Clip")
    #expect(file.target(for: clip) == .clip)
    let codes = file.findings(for: clip, on: ["fruta.example.com"]).map(\.finding.code)
    #expect(codes == [.entitlementParentApp, .entitlementOnDemand])
  }

  @Test(
    "a file of a signed app is known by what signing adds",
    arguments: [
      ("<key>get-task-allow</key><false/>", Finding.Severity.error),
      (
        "<key>com.apple.developer.team-identifier</key><string>ABCDE12345</string>", .error
      ),
      (
        "<key>application-identifier</key><string>$(AppIdentifierPrefix)com.example.fruta</string>",
        .note
      ),
    ])
  func signed(keys: String, severity: Finding.Severity) throws {
    let file = try EntitlementsFile(Self.app(keys), name: "App")
    let found = file.findings(for: clip, on: ["fruta.example.com"])
    #expect(found.map(\.finding.code) == [.entitlementAppClip])
    #expect(found.map(\.finding.severity) == [severity])
  }

  @Test(
    "what cannot be read is refused with its reason",
    arguments: [
      ([], "is empty"),
      (Array("{\"a\": 1}".utf8), "not a property list"),
      (xml("<dict><key>a</key>"), "not a property list"),
      (xml("<array></array>"), "not a dictionary"),
      (Array("hello".utf8), "not a dictionary"),
      (Array("bplist00".utf8), "cannot be read"),
      ([0x3C, 0, 0x3F, 0], "neither UTF-8"),
      (
        xml("<dict><key>com.apple.developer.associated-domains</key><string>a</string></dict>"),
        "com.apple.developer.associated-domains is of the wrong type"
      ),
      (
        xml(
          "<dict><key>com.apple.developer.on-demand-install-capable</key>"
            + "<string>true</string></dict>"),
        "on-demand-install-capable is of the wrong type"
      ),
    ] as [([UInt8], String)])
  func refused(bytes: [UInt8], reason: String) throws {
    let error = #expect(throws: EntitlementsFileError.self) {
      try EntitlementsFile(bytes, name: "App.entitlements")
    }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix("App.entitlements ") == true)
  }

  @Test("a file larger than entitlements are, or with more lists in it, is refused unread")
  func large() {
    let blank = [UInt8](repeating: 0x20, count: 70_000)
    let lists = Self.xml(
      "<dict><key>a</key>" + String(repeating: "<array>", count: 4000)
        + String(repeating: "</array>", count: 4000) + "</dict>")
    for (bytes, reason) in [(blank, "70000 bytes"), (lists, "4001 lists")] {
      let error = #expect(throws: EntitlementsFileError.self) {
        try EntitlementsFile(bytes, name: "App.entitlements")
      }
      #expect(error?.message.contains(reason) == true)
    }
  }

  @Test("a binary file whose lists hold each other a billion times is read at once")
  func laughs() throws {
    // A dictionary { "a": list }, where each of forty lists holds the next one fourteen times.
    var objects: [[UInt8]] = [[0xD1, 0, 1, 0, 2], [0x51, 0x61]]
    for index in 0..<40 {
      let next: [UInt8] = [0, UInt8(3 + index)]
      objects.append([0xAE] + Array(repeating: next, count: 14).flatMap(\.self))
    }
    objects.append([0xA0])
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 2]
    for number in [objects.count, 0, table] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    let file = try EntitlementsFile(bytes, name: "App.entitlements")
    #expect(file.target == .app)
  }
}
