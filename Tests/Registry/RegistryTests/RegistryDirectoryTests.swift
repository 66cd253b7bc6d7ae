import CliptagBasics
import Foundation
import Invocation
import Registry
import RegistryFixtures
import TestSupport
import Testing

@Suite("Many checks in a row")
struct RegistryDirectoryTests {
  let folder: TemporaryFolder
  let writer: any RegistryStore
  let reader: any RegistryStore

  init() throws {
    folder = try TemporaryFolder()
    writer = try RegistryLocation.file(folder.file("registry.sqlite")).open()
    reader = try RegistryLocation.file(folder.file("registry.sqlite")).open(for: .lookUp)
  }

  @Test("they give what one check after another gives, on small hosts and on large ones")
  func sameAnswers() throws {
    var generator = SeededGenerator(seed: 7)
    _ = try writer.apply(
      RegistryDocument(
        clips: [Fixtures.clip], experiences: try experiences(), places: [Fixtures.cupertino]))
    let cache = RegistryDirectory(reader)
    let kept = InvocationCheck(directory: cache)
    let asked = InvocationCheck(directory: reader)
    for number in 0..<400 {
      if number % 50 == 0 { try cache.refresh() }
      let host = ["fruta.example.com", "appclip.example.com", "example.com"][number % 3]
      let path = ["order", "Order", "location"].randomElement(using: &generator)!
      let id = Int.random(in: 0..<400, using: &generator)
      let rest = ["", "/", "/cupertino", "?a=1"].randomElement(using: &generator)!
      let payload = "https://\(host)/\(path)\(id)\(rest)"
      #expect(
        try kept.examine(payload: payload, carrier: .qr)
          == asked.examine(payload: payload, carrier: .qr), "\(payload)")
    }
  }

  /// Returns three hundred experiences on one host, so that it is compiled only in the course of
  /// the checks, and two on another.
  private func experiences() throws -> [AdvancedExperience] {
    try (0..<300).map { number in
      try Fixtures.experience(
        "https://fruta.example.com/order\(number)", title: "Order \(number)",
        status: number % 7 == 0 ? .deactivated : .received,
        place: number % 2 == 0 ? .fixed(id: "cupertino") : nil)
    } + [
      try Fixtures.experience("https://appclip.example.com/location1"),
      try Fixtures.experience("https://appclip.example.com/Order"),
    ]
  }

  @Test("what others change through a registry opened for changes counts, too")
  func changesBesideAWriter() throws {
    let cache = RegistryDirectory(
      try RegistryLocation.file(folder.file("registry.sqlite")).open())
    let check = InvocationCheck(directory: cache)
    for number in 0..<3 {
      let link = "https://fruta.example.com/order\(number)"
      try cache.refresh()
      #expect(try check.examine(payload: link, carrier: .qr).state != .ok)
      _ = try writer.apply(
        RegistryDocument(clips: [Fixtures.clip], experiences: [try Fixtures.experience(link)]))
      try cache.refresh()
      #expect(try check.examine(payload: link, carrier: .qr).state == .ok)
    }
  }

  @Test("a change by somebody else counts from the next look on")
  func changesAreNoticed() throws {
    let cache = RegistryDirectory(reader)
    let check = InvocationCheck(directory: cache)
    func state() throws -> InvocationState {
      try check.examine(payload: "https://fruta.example.com/order/7", carrier: .qr).state
    }
    try cache.refresh()
    #expect(try state() == .unregistered)
    _ = try writer.apply(
      RegistryDocument(
        clips: [Fixtures.clip],
        experiences: [try Fixtures.experience("https://fruta.example.com/order")]))
    #expect(try state() == .unregistered)
    try cache.refresh()
    #expect(try state() == .ok)
    try writer.removeExperience(link: try InvocationURL("https://fruta.example.com/order"))
    try cache.refresh()
    #expect(try state() == .defaultOnly)
  }
}
