import Deployment
import Foundation
import Invocation
import Registry
import SimulatedReader
import TagTypes

/// A tag in memory as a channel: the simulated tag without reader and wire.
typealias TagInMemory = SimulatedTagChannel

extension SimulatedTagChannel {
  init(
    _ layout: Type2Layout = .ntag213, uid: [UInt8] = SimulatedTag.defaultUID,
    prepare: @Sendable (inout SimulatedTag) -> Void = { _ in }
  ) throws {
    var tag = try SimulatedTag(layout, uid: uid)
    prepare(&tag)
    self.init(tag)
  }

  var memory: [UInt8] { tag.memory }

  /// The tag as it is identified now.
  func identified() async throws -> Tag {
    try await Tag.identify(over: self, includingConfiguration: true)
  }
}

extension SimulatedTag {
  /// Puts TLV blocks behind the factory's lock control TLV of an NTAG213.
  mutating func hold(blocks: [UInt8]) {
    place([0x01, 0x03, 0xA0, 0x0C, 0x34] + blocks, atPage: 4)
  }

  /// Puts an NDEF message on the tag.
  mutating func hold(message: [UInt8]) {
    hold(blocks: [0x03, UInt8(message.count)] + message + [0xFE])
  }
}

enum Fixtures {
  static let cupertino = "https://fruta.example.com/order/cupertino"
  static let sanFrancisco = "https://fruta.example.com/order/san-francisco"
  static let foreign = "https://elsewhere.example.net/"

  /// One clip with one experience, `…/order`, and no places.
  static func registry() throws -> any RegistryStore {
    let registry = try RegistryLocation.memory.open()
    try registry.addClip(for: "fruta.example.com", link: "https://fruta.example.com/order")
    return registry
  }
}

extension RegistryStore {
  /// Adds a clip on a host, with one experience.
  func addClip(for host: String, link: String) throws {
    let clip = AppClip(
      bundleID: "com.example.\(host).Clip", appBundleID: "com.example.\(host)",
      team: "ABCDE12345", domains: [host], locationConfirmation: false)
    try add(clip)
    try add(
      AdvancedExperience(
        clip: clip.bundleID, link: try InvocationURL(link),
        card: ExperienceCard(title: "Fruta", subtitle: nil, action: .open)))
  }

  var check: InvocationCheck { InvocationCheck(directory: self) }

  func approve(_ payload: String, unregistered: Bool = false) throws -> Approval {
    try check.approve(payload, unregistered: unregistered)
  }

  /// A ledger whose clock moves one second with every look.
  func ledger() -> CodeLedger { CodeLedger(registry: self, who: "tester") }
}

/// A registry that can be read, but takes no changes.
struct ReadOnlyRegistry: RegistryStore {
  let registry: any RegistryStore

  var notes: [String] { registry.notes }
  var schemaVersion: Int { registry.schemaVersion }
  var queue: RegistryQueue { registry.queue }

  func changeNumber() throws(RegistryError) -> Int? { try registry.changeNumber() }

  func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    try registry.read(body)
  }

  func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    throw RegistryError(.diskFull, "The disk is full.", hint: "Make room.")
  }
}
