package import CliptagBasics
package import Foundation
package import Invocation
package import Issuing
import Pictures
import QRSymbol
package import Registry
package import SimulatedReader
package import TagTypes

/// A tag in memory as a channel: the simulated tag without reader and wire.
package typealias TagInMemory = SimulatedTagChannel

extension SimulatedTagChannel {
  package init(
    _ layout: Type2Layout = .ntag213, uid: [UInt8] = SimulatedTag.defaultUID,
    prepare: @Sendable (inout SimulatedTag) -> Void = { _ in }
  ) throws {
    var tag = try SimulatedTag(layout, uid: uid)
    prepare(&tag)
    self.init(tag)
  }

  package var memory: [UInt8] { tag.memory }

  /// Returns the tag as it is identified now.
  package func identified() async throws -> Tag {
    try await Tag.identify(over: self, includingConfiguration: true)
  }
}

extension SimulatedTag {
  /// Puts TLV blocks behind the factory's lock control TLV of an NTAG213.
  package mutating func hold(blocks: [UInt8]) {
    place([0x01, 0x03, 0xA0, 0x0C, 0x34] + blocks, atPage: 4)
  }

  /// Puts an NDEF message on the tag.
  package mutating func hold(message: [UInt8]) {
    hold(blocks: [0x03, UInt8(message.count)] + message + [0xFE])
  }
}

package enum Fixtures {
  package static let cupertino = "https://fruta.example.com/order/cupertino"
  package static let sanFrancisco = "https://fruta.example.com/order/san-francisco"
  package static let foreign = "https://elsewhere.example.net/"

  /// A picture of QR codes side by side, as PNG.
  package static func picture(of texts: [String], module: Int) throws -> Data {
    let symbols = try texts.map { try QRSymbol($0) }
    let widths = symbols.map { ($0.size + 8) * module }
    let (width, height) = (max(200, widths.reduce(0, +)), max(200, widths.max() ?? 0))
    var pixels = [UInt8](repeating: 240, count: width * height)
    var left = 0
    for (symbol, side) in zip(symbols, widths) {
      for y in 0..<symbol.size * module {
        for x in 0..<symbol.size * module where symbol.isDark(x: x / module, y: y / module) {
          pixels[(y + 4 * module) * width + left + 4 * module + x] = 20
        }
      }
      left += side
    }
    let grey = GreyPicture(width: width, height: height, pixels: pixels)
    return Data(try PNGWriter.colour(ColourPicture(grey)))
  }

  /// One clip with one experience, `…/order`, and no places.
  package static func registry() throws -> any RegistryStore {
    let registry = try RegistryLocation.memory.open()
    try registry.addClip(for: "fruta.example.com", link: "https://fruta.example.com/order")
    return registry
  }
}

extension RegistryStore {
  /// Adds a clip on a host, with one experience.
  package func addClip(for host: String, link: String) throws {
    let clip = AppClip(
      bundleID: "com.example.\(host).Clip", appBundleID: "com.example.\(host)",
      team: "ABCDE12345", domains: [host], locationConfirmation: false)
    try add(clip)
    try add(
      AdvancedExperience(
        clip: clip.bundleID, link: try InvocationURL(link),
        card: ExperienceCard(title: "Fruta", subtitle: nil, action: .open)))
  }

  package var check: InvocationCheck { InvocationCheck(directory: self) }

  package func approve(_ payload: String, unregistered: Bool = false) throws -> Approval {
    try check.approve(payload, unregistered: unregistered)
  }

  /// Returns a ledger of the operator `tester` with the system's clock.
  package func ledger() -> CodeLedger { CodeLedger(registry: self, who: "tester") }
}

/// A registry that can be read, but takes no changes.
package struct ReadOnlyRegistry: RegistryStore {
  package let registry: any RegistryStore

  package init(registry: any RegistryStore) { self.registry = registry }

  package var notes: [Hint] { registry.notes }
  package var schemaVersion: Int { registry.schemaVersion }
  package var queue: RegistryQueue { registry.queue }
  package var who: String { registry.who }

  package func waitForChange(atMost patience: Duration) throws(RegistryError) {
    try registry.waitForChange(atMost: patience)
  }

  package func changeNumber() throws(RegistryError) -> Int? { try registry.changeNumber() }

  package func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    try registry.read(body)
  }

  package func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    throw RegistryError(.diskFull, "The disk is full.", hint: "Make room.")
  }
}
