import Foundation
import Testing

/// The table of layers: the imports that each target may have besides the standard library.
///
/// A target imports only targets below it; sideways imports exist only where a line permits them.
private let table: [String: Set<String>] = [
  "CQREncode": [], "CZBar": [], "CNFC": [], "CPCSC": [], "CPostgreSQL": [], "CPNG": [], "CJPEG": [],
  "CArchive": [], "CBuild": [], "CCrypto": [], "CCurl": [], "CDeflate": [], "CExpat": [],
  "CFileSystem": [],
  "CConfinement": [], "CHTML": [], "CLinuxDevices": [], "CSQLite": [], "CPosterTemplates": [],
  "CStationPage": [],
  "COnDemand": [],
  "CHarfBuzz": [],
  "CHyphen": [],
  "CPango": [],
  // The one place that names the C library of a system.
  "CliptagPlatform": ["Darwin", "Glibc", "Musl"],
  // Needed by several libraries and owned by none.
  "CliptagBasics": [
    "Dispatch", "Foundation", "FoundationEssentials", "CliptagPlatform", "Synchronization",
  ],
  // The C library for its mathematics only.
  "Invocation": ["CliptagBasics", "Foundation", "FoundationEssentials", "CliptagPlatform"],
  "SymbolStructure": ["Synchronization"],
  "Markup": ["CExpat"],
  "AppClipCodes": ["CliptagBasics", "Foundation", "CliptagPlatform"],
  "AppClipCodeFiles": ["AppClipCodes", "CliptagBasics", "CliptagPlatform", "Markup"],
  "RegistryDocuments": [
    "CliptagBasics", "Foundation", "FoundationEssentials", "Invocation", "Yams",
  ],
  // The kernel's devices: opening them, reading them, and why that fails.
  "LinuxDevices": ["CliptagPlatform"],
  "NDEF": ["FoundationEssentials"],
  "TagAuthenticity": ["CliptagBasics", "FoundationEssentials", "CCrypto"],
  "WebFetching": [
    "CliptagBasics", "FoundationEssentials", "CliptagPlatform", "Synchronization", "CCurl",
  ],
  "AppStoreConnect": [
    "CliptagBasics", "FoundationEssentials", "Synchronization", "CCrypto", "Invocation", "Pictures",
    "WebFetching",
  ],
  "WebPages": ["CliptagBasics", "CHTML"],
  "Pictures": [
    "CliptagBasics", "Foundation", "FoundationEssentials", "CliptagPlatform", "Synchronization",
    "CConfinement",
    "CDeflate", "CPNG", "CJPEG",
  ],
  "TagTypes": ["CliptagBasics", "Foundation", "FoundationEssentials", "NDEF"],
  "SecureTags": ["CliptagBasics", "NDEF", "TagAuthenticity", "TagTypes"],
  "QRSymbol": ["CQREncode", "CliptagBasics", "SymbolStructure"],
  "CodeScanning": [
    "CliptagBasics", "Foundation", "FoundationEssentials", "Dispatch", "CliptagPlatform",
    "Synchronization",
    "AppClipCodes", "CLinuxDevices", "CZBar", "LinuxDevices", "Pictures", "SymbolStructure",
  ],
  "PositionSources": [
    "CliptagBasics", "FoundationEssentials", "CliptagPlatform", "Synchronization", "Invocation",
    "LinuxDevices",
  ],
  "NFCReader": [
    "CliptagBasics", "Foundation", "FoundationEssentials", "Dispatch", "CliptagPlatform",
    "Synchronization",
    "CNFC",
    "CPCSC",
    "LinuxDevices", "TagTypes",
  ],
  // Sideways on purpose: the simulator lays memory out as TagTypes describes it.
  "SimulatedReader": [
    "CliptagBasics", "Foundation", "FoundationEssentials", "Dispatch", "CliptagPlatform",
    "Synchronization",
    "TagAuthenticity", "SecureTags", "TagTypes",
  ],
  "CodeDrawing": [
    "CliptagBasics", "Foundation", "FoundationEssentials", "CliptagPlatform", "AppClipCodes",
    "CHarfBuzz",
    "CHyphen",
    "CPango",
    "CPosterTemplates",
    "Markup",
    "QRSymbol", "Pictures", "SymbolStructure",
  ],
  "Registry": [
    "Dispatch", "AppClipCodes", "CliptagBasics", "Foundation", "FoundationEssentials",
    "CliptagPlatform",
    "Synchronization",
    "CPostgreSQL", "CSQLite",
    "Invocation", "GRDB", "RegistryDocuments", "TagAuthenticity",
  ],
  "Verifying": [
    "AppClipCodes", "CliptagBasics", "Foundation", "FoundationEssentials", "CliptagPlatform",
    "Synchronization",
    "Invocation",
    "NDEF", "TagTypes", "Pictures", "CodeScanning", "NFCReader", "CodeDrawing", "Registry",
    "TagAuthenticity", "PositionSources",
  ],
  // Sideways on purpose: issued codes are read back with the verifier.
  "Issuing": [
    "AppClipCodeFiles", "AppClipCodes", "CliptagBasics", "CArchive", "CFileSystem", "Foundation",
    "FoundationEssentials",
    "CliptagPlatform",
    "Synchronization",
    "Invocation", "Markup", "NDEF", "SecureTags", "TagTypes", "QRSymbol", "Pictures",
    "CodeScanning",
    "NFCReader", "CodeDrawing", "Registry", "TagAuthenticity", "Verifying",
  ],
  "Publishing": [
    "Foundation", "FoundationEssentials", "Invocation", "CodeDrawing", "Registry", "WebFetching",
    "WebPages", "AppStoreConnect", "CliptagBasics",
  ],
  "Auditing": [
    "AppClipCodes", "CliptagBasics", "Foundation", "FoundationEssentials", "Synchronization",
    "Invocation",
    "Pictures", "QRSymbol",
    "CodeScanning", "CodeDrawing", "Registry", "Verifying",
  ],
  "Jobs": [
    "AppClipCodeFiles", "AppClipCodes", "AppStoreConnect", "Auditing", "CliptagBasics",
    "CodeDrawing", "CodeScanning",
    "Foundation", "FoundationEssentials", "CliptagPlatform", "Invocation", "Issuing", "NDEF",
    "NFCReader",
    "Pictures", "Publishing", "QRSymbol", "Registry", "Synchronization", "TagAuthenticity",
    "SecureTags", "TagTypes", "Verifying", "WebFetching",
  ],
  // SwiftNIO carries the requests of the station, and nothing else.
  "cliptag": [
    "AppClipCodeFiles", "AppClipCodes", "ArgumentParser", "CBuild", "CliptagBasics", "CStationPage",
    "Dispatch",
    "Foundation",
    "FoundationEssentials",
    "CliptagPlatform",
    "Synchronization", "Invocation", "NDEF", "TagTypes", "QRSymbol", "Pictures",
    "CodeScanning",
    "NFCReader", "SimulatedReader", "CodeDrawing", "Registry", "TagAuthenticity", "WebFetching",
    "AppStoreConnect", "WebPages", "PositionSources", "Issuing", "Verifying", "Publishing",
    "Auditing", "Jobs", "NIOCore", "NIOHTTP1", "NIOPosix", "Subprocess",
  ],
  // The codes that it photographs are drawn as those of the tests are.
  "Benchmarks": [
    "AppClipCodeFixtures", "AppClipCodeFiles", "AppClipCodes", "CliptagBasics",
    "Foundation", "FoundationEssentials", "CliptagPlatform", "Invocation", "NDEF", "TagTypes",
    "QRSymbol",
    "Pictures", "CodeScanning", "CodeDrawing", "Registry", "Subprocess",
    "SystemPackage",
  ],
]

/// The top of the package, found from this file so that the test runs from any folder.

private func files(of target: String) throws -> [URL] {
  let folder = package.appending(path: "Sources/\(target)")
  let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
  return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
}

/// What each file of a target imports.
private let importsOfTargets = Result {
  try Dictionary(
    uniqueKeysWithValues: table.keys.map { target in
      (target, try files(of: target).map { (file: $0, imports: try imports(in: $0)) })
    })
}

private func imports(in file: URL) throws -> [String] {
  // Where there is no FoundationEssentials, all of Foundation stands in for it.
  let text = try String(contentsOf: file, encoding: .utf8)
    .replacing(#/#else\n  [a-z ]*import Foundation\n#endif/#, with: "#endif")
  return text.split(separator: "\n").compactMap { line in
    let words = line.split(separator: " ").drop { word in
      word.hasPrefix("@") || ["public", "package", "internal", "private"].contains(word)
    }
    guard words.first == "import", let last = words.last else { return nil }
    return String(last.split(separator: ".")[0])
  }
}

@Suite("The house keeps its floors")
struct ImportTableTests {
  @Test("every folder of Sources is a target of the table, and the other way round")
  func foldersAreTheTable() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: package.appending(path: "Sources").path)
    #expect(Set(folders) == Set(table.keys))
  }

  @Test("a target imports only what its line of the table allows", arguments: table.keys.sorted())
  func importsAreAllowed(target: String) throws {
    let allowed = try #require(table[target])
    for (file, imports) in try #require(try importsOfTargets.get()[target]) {
      for name in imports where !allowed.contains(name) {
        Issue.record("\(target)/\(file.lastPathComponent) imports \(name)")
      }
    }
  }

  @Test("the libraries for iPhones need Swift's own libraries only")
  func pureLibraries() {
    var needed: Set<String> = []
    var rest = ["NDEF", "TagTypes", "Invocation", "AppClipCodes"]
    while let name = rest.popLast() {
      if needed.insert(name).inserted { rest += table[name] ?? [] }
    }
    let shims = needed.filter { $0.prefix(2).allSatisfy(\.isUppercase) && table[$0] != nil }
    #expect(shims.subtracting(["NDEF"]).isEmpty, "\(shims.sorted())")
  }

  @Test(
    "C names stay in the target that wraps them",
    arguments: [
      "qrencode", "zbar", "nfc", "crypto", "curl", "expat", "pango", "harfbuzz", "hyphen",
    ])
  func shimsHaveOneUser(library: String) throws {
    let shims = [
      "qrencode": "CQREncode", "zbar": "CZBar", "nfc": "CNFC", "PCSC": "CPCSC", "crypto": "CCrypto",
      "curl": "CCurl",
      "expat": "CExpat", "pango": "CPango", "harfbuzz": "CHarfBuzz",
      "hyphen": "CHyphen",
    ]
    let shim = try #require(shims[library])
    let users = try importsOfTargets.get().filter {
      $0.value.contains { $0.imports.contains(shim) }
    }
    .keys
    // Tags are verified, and tokens are signed: two jobs that share nothing but the library.
    let allowed =
      shim == "CCrypto" ? ["AppStoreConnect", "TagAuthenticity"] : Array(users.prefix(1))
    #expect(users.sorted() == allowed, "\(shim) is imported by \(users.sorted())")
  }
}
