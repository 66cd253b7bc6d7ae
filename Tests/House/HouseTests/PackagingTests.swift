import Foundation
import TestSupport
import Testing

@testable import NFCReader

/// The files that the package ships beside the command agree with the command.
@Suite("The package agrees with the command")
struct PackagingTests {
  private static let folder = sources.appending(path: "Faces/cliptag/Packaging")

  @Test("the udev rules give permission for every reader that libnfc drives, and for no other")
  func rules() throws {
    let text = try Self.text("60-cliptag.rules")
    let identifiers = text.matches(
      of: #/ATTR\{idVendor\}=="(?<vendor>\w+)", ATTR\{idProduct\}=="(?<product>\w+)", (?<rest>.+)/#)
    #expect(
      Set(identifiers.map { "\($0.vendor):\($0.product)" })
        == Set(USBReader.known.filter { $0.value.driver != nil }.keys))
    for identifier in identifiers { #expect(identifier.rest == USBReader.permissionRule) }
  }

  @Test("every Swift package has its licence in the copyright file and the list of components")
  func packages() throws {
    let copyright = try Self.text("copyright")
    let components = try Self.text("make-sbom.py")
    let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
    // Those that packages depend on are known once they are resolved.
    let resolved = try? String(
      contentsOf: package.appending(path: "Package.resolved"), encoding: .utf8)
    let names = (manifest + (resolved ?? "")).matches(
      of: #/(?:url|"location" ?): "[^"]+/(?<name>[^"/]+?)(?:\.git)?"/#
    ).map { String($0.name) }
    #expect(names.count >= 4)
    for name in names {
      #expect(copyright.contains(name), "\(name)")
      #expect(components.contains("\"\(name.lowercased())\":"), "\(name)")
    }
  }

  @Test("every library and program has its licence in the manual and the list of components")
  func libraries() throws {
    let makefile = try String(contentsOf: package.appending(path: "Makefile"), encoding: .utf8)
      .replacing("\\\n", with: "")
    let manual = try Self.text("../cliptag.docc/Licences.md")
    let components = try Self.text("make-sbom.py")
    let names = makefile.matches(of: #/(?m)^(?:LIBRARIES|PROGRAMS) = (?<names>.+)$/#)
      .flatMap { $0.names.split(separator: " ") }
    #expect(names.count >= 20)
    for name in names {
      #expect(manual.contains("`\(name)`"), "\(name)")
      #expect(components.contains("\"\(name)\":"), "\(name)")
    }
  }

  @Test("NOTICE carries the notice of every package that has one")
  func notices() throws {
    let ours = try String(contentsOf: package.appending(path: "NOTICE"), encoding: .utf8)
    let checkouts = package.appending(path: ".build/checkouts")
    let folders =
      (try? FileManager.default.contentsOfDirectory(at: checkouts, includingPropertiesForKeys: nil))
      ?? []
    for folder in folders {
      for name in ["NOTICE", "NOTICE.txt", "NOTICE.md"] {
        let file = folder.appending(path: name)
        guard let theirs = try? String(contentsOf: file, encoding: .utf8) else { continue }
        #expect(ours.contains(theirs), "\(folder.lastPathComponent)")
      }
    }
  }

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name).standardized, encoding: .utf8)
  }

  /// A system of which only the package manager `$1` is there, and records what it is asked for. The shell
  /// writes the stubs: a program that this process has open for writing cannot be started.
  private static let bareSystem = """
    cd "$2"
    for name in awk cat dirname env grep head mktemp rm sed tr; do ln -s "$(command -v $name)" $name; done
    stub() { printf '#!/bin/sh\\n%s\\n' "$2" >"$1" && chmod +x "$1"; }
    stub id 'echo 0'
    stub swift 'echo Swift version 6.2'
    stub pkg-config "[ -e $PWD/asked ]"
    stub "$1" "echo \\"\\$@\\" >$PWD/asked"
    PATH=$PWD exec /bin/sh "$3" swift zbar "" "$4" ""
    """

  /// Words that the package manager of a system gets, but for its options.
  private static func packagesAsked(of manager: String, for packages: String) throws -> [String] {
    let root = FileManager.default.temporaryDirectory.appending(path: "deps-\(UUID())")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    let script = package.appending(path: "Tests/Scripts/check-dependencies.sh").path
    let child = try ChildProgram(
      ["/bin/sh", "-c", bareSystem, "sh", manager, root.path, script, packages],
      output: root.appending(path: "output").path, errors: root.appending(path: "errors").path)
    let status = child.wait()
    let errors = try String(contentsOf: root.appending(path: "errors"), encoding: .utf8)
    #expect(status == 0, "\(errors)")
    let asked = try String(contentsOf: root.appending(path: "asked"), encoding: .utf8)
    return asked.split(whereSeparator: \.isWhitespace).map(String.init).filter {
      $0 == "-" || !$0.hasPrefix("-")
    }
  }

  @Test(
    "make deps asks each system's package manager for its own names, and not for what it has not",
    arguments: [
      ("apt-get", ["install", "libpng-dev", "fonts-noto-core", "vsmartcard-vpcd"]),
      (
        "dnf",
        ["install", "libpng-devel", "google-noto-sans-fonts", "google-noto-sans-arabic-fonts"]
      ), ("apk", ["add", "libpng-dev", "font-noto", "font-noto-arabic"]),
    ])
  func dependencies(manager: String, asked: [String]) throws {
    let packages = "libpng-dev fonts-noto-core vsmartcard-vpcd"
    #expect(try Self.packagesAsked(of: manager, for: packages) == asked)
  }

  @Test("every package that the Makefile installs has its names on other systems")
  func packageNames() throws {
    let makefile = try String(contentsOf: package.appending(path: "Makefile"), encoding: .utf8)
      .replacing("\\\n", with: " ")
    let table = try String(
      contentsOf: package.appending(path: "Tests/Scripts/package-names.txt"), encoding: .utf8)
    let rows = table.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { $0.split(separator: " ") }
    for row in rows { #expect(row.count == 3, "\(row)") }
    let lists = makefile.matches(of: #/(?m)^[A-Z_]*PACKAGES = (?<names>.+)$/#)
    #expect(lists.count == 3)
    let known = Set(rows.compactMap(\.first))
    for list in lists {
      for name in list.names.split(separator: " ") { #expect(known.contains(name), "\(name)") }
    }
  }
}
