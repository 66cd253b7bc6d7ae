import Foundation
import Testing

@testable import NFCReader

/// The files that the package ships beside the command agree with the command.
@Suite("The package agrees with the command")
struct PackagingTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/cliptag/Packaging")

  @Test("the udev rules give permission for every reader that libnfc drives, and for no other")
  func rules() throws {
    let text = try String(
      contentsOf: Self.folder.appending(path: "60-cliptag.rules"), encoding: .utf8)
    let identifiers = text.matches(
      of: #/ATTR\{idVendor\}=="(?<vendor>\w+)", ATTR\{idProduct\}=="(?<product>\w+)", (?<rest>.+)/#)
    #expect(
      Set(identifiers.map { "\($0.vendor):\($0.product)" })
        == Set(USBReader.known.filter { $0.value.driver != nil }.keys))
    for identifier in identifiers { #expect(identifier.rest == USBReader.permissionRule) }
  }

  @Test("every library that is compiled in has its copyright told")
  func copyright() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "copyright"), encoding: .utf8)
    let package = try String(
      contentsOf: Self.folder.appending(path: "../../../Package.swift").standardized,
      encoding: .utf8)
    let names = package.matches(of: #/url: "[^"]+/(?<name>[^"/]+)"/#).map { String($0.name) }
    #expect(names.count >= 4)
    for name in names { #expect(text.contains(name), "\(name)") }
  }
}
