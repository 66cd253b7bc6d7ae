import Foundation
import Testing

/// A target of `Package.swift`: its folder below `Sources`, and what it may import of the package.
private struct Target {
  let folder: String
  let uses: [String]
  var name: String { folder.split(separator: "/").last.map(String.init) ?? folder }
}

/// The products of other packages, by their names in `Package.swift`, and the kernel's headers.
private let external = [
  "linuxHeaders": ["CLinuxDevices"], "yams": ["Yams"], "grdb": ["GRDB"],
  "argumentParser": ["ArgumentParser"], "subprocess": ["Subprocess"],
  "nio": ["NIOCore", "NIOHTTP1", "NIOPosix"],
]

/// The targets of the product, in the order of `Package.swift`, which is that of the floors.
private let targets = Result {
  let manifest = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
  func uses(_ text: Substring) -> [String] {
    text.matches(of: /"(\w+)"/).map { String($0.output.1) }
      + external.keys.filter { text.contains("\($0)") }.flatMap { external[$0] ?? [] }
  }
  let kit = try #require(manifest.firstMatch(of: /let kit = \[[^\]]+\]/)).output
  let command = try #require(manifest.firstMatch(of: /name: "cliptag",\s+dependencies: ([^\]]+)\]/))
  return manifest.matches(of: /(?:library|shim)\(\s*"(\w+\/\w+)"(?<rest>[^()]*)/).map { call in
    Target(folder: String(call.output.1), uses: uses(call.rest))
  } + [Target(folder: "Faces/cliptag", uses: uses(kit) + uses(command.output.1))]
}

private func files(of target: Target) throws -> [(name: String, text: String)] {
  try swiftFiles(below: sources.appending(path: target.folder))
}

/// The modules that a file imports.
private func imports(in text: String) -> [String] {
  // Where there is no FoundationEssentials, all of Foundation stands in for it.
  text.replacing(#/#else\n  [a-z ]*import Foundation\n#endif/#, with: "#endif").split(
    separator: "\n"
  ).compactMap { line in
    let words = line.split(separator: " ").drop { word in
      word.hasPrefix("@") || ["public", "package", "internal", "private"].contains(word)
    }
    guard words.first == "import", let last = words.last else { return nil }
    return String(last.split(separator: ".")[0])
  }
}

@Suite("The house keeps its floors")
struct ImportTableTests {
  @Test("a target uses only targets that stand above it in Package.swift")
  func floors() throws {
    var above: Set<String> = []
    let all = try targets.get()
    let names = Set(all.map(\.name))
    #expect(names.count > 40)
    for target in all {
      let missing = target.uses.filter { names.contains($0) && !above.contains($0) }
      #expect(missing.isEmpty, "\(target.name) uses \(missing), which stand below it")
      above.insert(target.name)
    }
  }

  /// Targets that do without all of Foundation.
  private static let light: Set = [
    "AppClipCodeFiles", "AppStoreConnect", "LinuxDevices", "Markup", "NDEF", "PositionSources",
    "QRSymbol", "SecureTags", "SymbolStructure", "TagAuthenticity", "WebFetching",
  ]

  @Test("a target imports only what it names in Package.swift, and modules of Swift")
  func named() throws {
    let swift: Set = ["Dispatch", "FoundationEssentials", "Synchronization"]
    for target in try targets.get() where target.name != "CliptagPlatform" {
      let allowed = swift.union(target.uses)
        .union(Self.light.contains(target.name) ? [] : ["Foundation"])
      for (file, text) in try files(of: target) {
        let others = imports(in: text).filter { !allowed.contains($0) }
        #expect(others.isEmpty, "\(file) imports \(others)")
      }
    }
  }

  @Test("every folder of a wing is a target, and every target is a folder of a wing")
  func folders() throws {
    let manager = FileManager.default
    let found = try manager.contentsOfDirectory(atPath: sources.path).flatMap { wing in
      try manager.contentsOfDirectory(atPath: sources.appending(path: wing).path)
        .map { "\(wing)/\($0)" }
    }
    #expect(Set(found) == Set(try targets.get().map(\.folder)))
  }

  @Test("the libraries for iPhones need Swift's own libraries only")
  func pureLibraries() throws {
    let uses = Dictionary(uniqueKeysWithValues: try targets.get().map { ($0.name, $0.uses) })
    var needed: Set<String> = []
    var rest = ["NDEF", "TagTypes", "Invocation", "AppClipCodes"]
    while let name = rest.popLast() {
      if needed.insert(name).inserted { rest += try #require(uses[name]) }
    }
    #expect(
      needed == [
        "NDEF", "TagTypes", "Invocation", "AppClipCodes", "CliptagBasics", "CliptagPlatform",
      ])
  }

  @Test("a library of the system has one user, which wraps its names")
  func shimsHaveOneUser() throws {
    let shared = ["CCrypto": ["AppStoreConnect", "TagAuthenticity"]]
    let shims: Set = [
      "CArchive", "CCrypto", "CCurl", "CExpat", "CHTML", "CHarfBuzz", "CHyphen", "CNFC", "CPCSC",
      "CPango", "CPostgreSQL", "CQREncode", "CSQLite", "CZBar",
    ]
    var users: [String: [String]] = [:]
    for target in try targets.get() {
      let imported = Set(try files(of: target).flatMap { imports(in: $0.text) })
      for shim in imported.intersection(shims) { users[shim, default: []].append(target.name) }
    }
    #expect(Set(users.keys) == shims)
    for (shim, names) in users {
      #expect(names.sorted() == shared[shim] ?? Array(names.prefix(1)), "\(shim)")
    }
  }
}
