// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target of ours; dependencies keep their own.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

/// The settings of a target with loops over pixels, which take tens of times as long without
/// optimisation: `make` optimises them in debug builds, too. SwiftPM refuses these flags in a package
/// that another one depends on, therefore they need the variable.
let pixels: [SwiftSetting] =
  Context.environment["CLIPTAG_OPTIMISED_PIXELS"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The last component of a target's path.
func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

/// A library of ours. `path` is its wing and name; it uses only targets on lower floors, which
/// `Tests/House` holds.
func library(
  _ path: String, _ uses: Target.Dependency..., settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name(path), dependencies: uses, path: "Sources/\(path)", swiftSettings: strict + settings)
}

/// A C target. One that `links` a library of the system, which stands where every compiler looks,
/// lets Swift call it; others open theirs when it is needed (see their headers), so that pkg-config
/// cannot be asked: what is called is declared in `Declarations.h`, or the header has a usual place.
func shim(
  _ path: String, links library: String? = nil, exclude: [String] = [], settings: [CSetting] = []
) -> Target {
  .target(
    name: name(path), dependencies: name(path) == "COnDemand" ? [] : ["COnDemand"],
    path: "Sources/\(path)", exclude: exclude, cSettings: settings,
    linkerSettings: library.map { [.linkedLibrary($0)] })
}

/// The same for a library that pkg-config finds by `module`: its folders differ between systems, and
/// Homebrew has one for each formula. The module map in `library` is empty: it carries only the flags.
func shim(
  _ path: String, links library: String, module: String, apt: String, brew: String
) -> [Target] {
  [
    .systemLibrary(
      name: "\(name(path))Library", path: "Sources/\(path)/library", pkgConfig: module,
      providers: [.apt([apt]), .brew([brew])]),
    .target(
      name: name(path), dependencies: [.target(name: "\(name(path))Library")],
      path: "Sources/\(path)", exclude: ["library"], linkerSettings: [.linkedLibrary(library)]),
  ]
}

/// What several targets of tests share.
func fixtures(
  _ name: String, _ uses: Target.Dependency..., exclude: [String] = [],
  settings: [SwiftSetting] = [], links: [String] = []
) -> Target {
  .target(
    name: name, dependencies: uses, path: "Tests/Support/\(name)", exclude: exclude,
    swiftSettings: strict + settings, linkerSettings: links.map { .linkedLibrary($0) })
}

/// A program for developers, which measures or tries much.
func trial(_ name: String, _ uses: Target.Dependency..., and more: [String] = []) -> Target {
  .executableTarget(
    name: name, dependencies: uses + more.map { .init(stringLiteral: $0) },
    path: "Tests/Trials/\(name)", swiftSettings: strict)
}

func tests(
  _ path: String, _ uses: Target.Dependency..., and more: [String] = [], exclude: [String] = [],
  resources: [String] = []
) -> Target {
  let all = uses + (more + ["CliptagPlatform", "TestSupport"]).map { .init(stringLiteral: $0) }
  return .testTarget(
    name: name(path), dependencies: more.isEmpty ? all + ["CliptagBasics"] : all,
    path: "Tests/\(path)", exclude: exclude, resources: resources.map { .copy($0) },
    swiftSettings: strict)
}

/// The kernel's own headers, which only Linux has.
let linuxHeaders = Target.Dependency.target(
  name: "CLinuxDevices", condition: .when(platforms: [.linux]))

/// A product of another package, which SwiftPM resolves only for users with the trait.
func external(_ name: String, of package: String, for trait: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(traits: [trait]))
}

/// A dependency on another package. `make` builds and tests releases `with` one version; a package that uses
/// this one may have any `from` the oldest on.
func released(_ url: String, from oldest: Version, with tested: Version) -> Package.Dependency {
  Context.environment["CLIPTAG_RELEASED_VERSIONS"] == nil
    ? .package(url: url, from: oldest) : .package(url: url, exact: tested)
}

let yams = external("Yams", of: "Yams", for: "Documents")
let grdb = external("GRDB", of: "GRDB.swift", for: "Registry")
let argumentParser = external("ArgumentParser", of: "swift-argument-parser", for: "Command")
let nio = ["NIOCore", "NIOHTTP1", "NIOPosix"].map { external($0, of: "swift-nio", for: "Command") }
let subprocess = external("Subprocess", of: "swift-subprocess", for: "Command")

/// The linked libraries that pkg-config finds.
let foundLibraries: [Target] = [
  shim("Codes/CPNG", links: "png", module: "libpng", apt: "libpng-dev", brew: "libpng"),
  shim("Codes/CJPEG", links: "jpeg", module: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
  shim(
    "System/CCrypto", links: "crypto", module: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  shim(
    "Codes/CDeflate", links: "deflate", module: "libdeflate", apt: "libdeflate-dev",
    brew: "libdeflate"),
].flatMap { $0 }

/// The modules of CliptagKit, which the tests of what stands on all of them import as they need.
let kit = [
  "AppClipCodeFiles", "AppClipCodes", "AppStoreConnect", "Auditing", "CliptagBasics", "CodeDrawing",
  "CodeScanning", "Invocation", "Issuing", "Jobs", "NDEF", "NFCReader", "Pictures",
  "PositionSources", "Publishing", "QRSymbol", "Registry", "RegistryDocuments", "SimulatedReader",
  "TagAuthenticity", "TagTypes", "Verifying", "WebFetching",
]

let package = Package(
  name: "cliptag",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "cliptag", targets: ["cliptag"]),
    // Of this package alone, and of no library of the system (traits: []).
    .library(name: "NDEF", targets: ["NDEF"]),
    .library(name: "AppClips", targets: ["Invocation", "AppClipCodes", "CliptagBasics"]),
    .library(name: "TagTypes", targets: ["TagTypes", "NDEF"]),
    // With libraries of the system, which the README lists (traits: []).
    .library(name: "TagAuthenticity", targets: ["TagAuthenticity"]),
    .library(name: "CodeScanning", targets: ["CodeScanning", "Pictures"]),
    .library(name: "CodeDrawing", targets: ["CodeDrawing", "QRSymbol", "AppClipCodeFiles"]),
    // Registry files and checks by them (traits: ["Documents"]).
    .library(name: "RegistryDocuments", targets: ["RegistryDocuments", "Invocation"]),
    // Everything, up to the jobs (traits: ["Registry"]).
    .library(
      name: "CliptagKit",
      targets: kit),
  ],
  traits: [
    .default(enabledTraits: ["Command"]),
    .trait(name: "Documents", description: "Registry files: resolves Yams."),
    .trait(
      name: "Registry", description: "The registry and all above it: resolves GRDB, too.",
      enabledTraits: ["Documents"]),
    .trait(
      name: "Command",
      description: "The command and its station: resolves ArgumentParser, Subprocess and SwiftNIO.",
      enabledTraits: ["Registry"]),
  ],
  dependencies: [
    released("https://github.com/apple/swift-argument-parser", from: "1.8.0", with: "1.8.2"),
    released("https://github.com/groue/GRDB.swift", from: "7.10.0", with: "7.10.0"),
    released("https://github.com/jpsim/Yams", from: "6.2.0", with: "6.2.2"),
    released("https://github.com/swiftlang/swift-subprocess", from: "1.0.0", with: "1.0.2"),
    released("https://github.com/apple/swift-nio", from: "2.101.0", with: "2.101.2"),
  ],
  targets: foundLibraries + [
    // Floor 0: one C target for each system library, and what is C for another reason.
    shim("System/CExpat", links: "expat"), shim("Registry/CSQLite", links: "sqlite3"),
    shim("System/COnDemand"), shim("System/CFileSystem"), shim("System/CConfinement"),
    shim("System/CLinuxDevices"), shim("System/CArchive"), shim("System/CCurl"),
    shim("System/CHTML"), shim("Tags/CNFC"), shim("Tags/CPCSC"), shim("Codes/CQREncode"),
    shim("Codes/CZBar"), shim("Codes/CHarfBuzz"), shim("Codes/CHyphen"), shim("Codes/CPango"),
    shim("Registry/CPostgreSQL"),
    // Files in the binary: the templates of posters, and the page of the station.
    shim("Codes/CPosterTemplates", exclude: ["templates"]),
    shim("Faces/CStationPage", exclude: ["page"]),
    // The commit, in a target of its own: another commit compiles one file.
    shim(
      "Faces/CBuild",
      settings: Context.environment["CLIPTAG_COMMIT"].map { [.define("CLIPTAG_COMMIT", to: $0)] }
        ?? []),

    library("System/CliptagPlatform"),
    library("System/CliptagBasics", "CliptagPlatform"),
    // Floor 1: pure values.
    library("AppClips/Invocation", "CliptagBasics", "CliptagPlatform"),
    library("Codes/SymbolStructure", settings: pixels),
    library("System/Markup", "CExpat"),
    library("Codes/AppClipCodes", "CliptagBasics", "CliptagPlatform"),
    library("System/LinuxDevices", "CliptagPlatform"),
    library("Tags/NDEF"),
    library("Tags/TagAuthenticity", "CliptagBasics", "CCrypto"),
    library("System/WebFetching", "CliptagBasics", "CliptagPlatform", "CCurl", "CHTML"),
    library(
      "Codes/Pictures", "CliptagBasics", "CliptagPlatform", "CConfinement", "CDeflate", "CPNG",
      "CJPEG",
      settings: pixels),
    // Floor 2: formats and codecs.
    library("Codes/AppClipCodeFiles", "AppClipCodes", "CliptagBasics", "CliptagPlatform", "Markup"),
    library(
      "AppClips/AppStoreConnect", "CliptagBasics", "CCrypto", "Invocation", "Pictures",
      "WebFetching"),
    library("AppClips/RegistryDocuments", "CliptagBasics", "Invocation", yams),
    library("Tags/TagTypes", "CliptagBasics", "NDEF"),
    library("Tags/SecureTags", "CliptagBasics", "NDEF", "TagAuthenticity", "TagTypes"),
    library("Codes/QRSymbol", "CliptagBasics", "CQREncode", "SymbolStructure"),
    library(
      "Codes/CodeScanning", "AppClipCodes", "CliptagBasics", "CliptagPlatform", linuxHeaders,
      "CZBar", "LinuxDevices", "Pictures", "SymbolStructure", settings: pixels),
    library(
      "AppClips/PositionSources", "CliptagBasics", "CliptagPlatform", "Invocation", "LinuxDevices"),
    // Floor 3: devices, drawings, storage.
    library(
      "Tags/NFCReader", "CliptagBasics", "CliptagPlatform", "CNFC", "CPCSC", "LinuxDevices",
      "TagTypes"),
    library(
      "Tags/SimulatedReader", "CliptagBasics", "CliptagPlatform", "TagAuthenticity", "SecureTags",
      "TagTypes"),
    library(
      "Codes/CodeDrawing", "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CHarfBuzz",
      "CHyphen", "CPango", "CPosterTemplates", "Markup", "QRSymbol", "Pictures", "SymbolStructure"),
    library(
      "Registry/Registry", "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CPostgreSQL",
      "CSQLite", "Invocation", "RegistryDocuments", "TagAuthenticity", grdb),
    // Floor 4: the two journeys, and what is published for them. What is issued is read back with
    // the eyes of whoever verifies.
    library(
      "Jobs/Verifying", "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CodeDrawing",
      "CodeScanning", "Invocation", "NDEF", "NFCReader", "Pictures", "PositionSources", "Registry",
      "TagAuthenticity", "TagTypes"),
    library(
      "Jobs/Issuing", "AppClipCodeFiles", "AppClipCodes", "CliptagBasics", "CliptagPlatform",
      "CArchive", "CFileSystem", "CodeDrawing", "CodeScanning", "Invocation", "NDEF", "NFCReader",
      "Markup", "Pictures", "QRSymbol", "Registry", "TagAuthenticity", "SecureTags", "TagTypes",
      "Verifying"),
    library(
      "Jobs/Publishing", "AppStoreConnect", "CliptagBasics", "CodeDrawing", "Invocation",
      "Registry", "WebFetching"),
    // Floor 5: what stands on both journeys.
    library(
      "Jobs/Auditing", "AppClipCodes", "CliptagBasics", "CodeDrawing", "CodeScanning", "Invocation",
      "Pictures", "QRSymbol", "Registry", "Verifying"),
    // Floor 6: one value for each use of the product, which every face runs.
    library(
      "Jobs/Jobs", "AppClipCodeFiles", "AppClipCodes", "AppStoreConnect", "Auditing",
      "CliptagBasics", "CliptagPlatform", "CodeDrawing", "CodeScanning", "Invocation", "Issuing",
      "NDEF", "NFCReader", "Pictures", "Publishing", "QRSymbol", "Registry", "TagAuthenticity",
      "SecureTags", "TagTypes", "Verifying", "WebFetching"),

    // Floor 7: the command.
    .executableTarget(
      name: "cliptag",
      dependencies: kit.map { .init(stringLiteral: $0) } + nio + [
        "CBuild", "CStationPage", "CliptagPlatform", argumentParser, subprocess,
      ],
      path: "Sources/Faces/cliptag",
      // What `make install` and `make deb` need.
      exclude: ["Packaging"], swiftSettings: strict),

    // Measurements of whole commands, and of codes in bulk through the library (`make bench`).
    trial("Benchmarks", "AppClipCodeFixtures", "CliptagPlatform", and: kit),
    // Faults at every step of every piece of work on a tag (`make faults`).
    trial("FaultMatrix", "CliptagPlatform", "SecureTags", and: kit),
    // Scans pictures whose codes are known (`make scan-trials`).
    trial("ScanTrials", "CodeScanning", "Pictures"),
    fixtures("LoopbackServer", subprocess, exclude: ["server.py"]),
    // App Clip Codes of the structure that Apple's have, with a badge of our own: none of Apple's may
    // be in the project.
    fixtures(
      "AppClipCodeFixtures", "AppClipCodeFiles", "AppClipCodes", "CliptagBasics", "Pictures",
      settings: pixels),
    // QR codes as printers and cameras make them, and symbols that the product does not draw.
    fixtures(
      "ScanFixtures", "CQREncode", "CliptagBasics", "CodeScanning", "Pictures", "SymbolStructure",
      settings: pixels, links: ["qrencode"]),
    fixtures("RegistryFixtures", "Invocation"),
    fixtures(
      "JourneyFixtures", "Invocation", "Issuing", "Pictures", "QRSymbol", "Registry",
      "SimulatedReader", "TagTypes"),
    fixtures("SimulatedReceivers", "CliptagPlatform"),
    fixtures("TestSupport", "CliptagBasics", "CliptagPlatform"),

    // Tests mirror the sources.
    tests("House/HouseTests", "Invocation", "CodeDrawing", "NFCReader", "Registry"),
    tests(
      "House/ArticleTests", "AppClipCodeFixtures", "LoopbackServer", "SimulatedReceivers", and: kit),
    tests("System/CliptagBasicsTests"),
    tests("Codes/AppClipCodesTests", "AppClipCodeFixtures", "AppClipCodes"),
    tests("Codes/AppClipCodeFilesTests", "AppClipCodeFiles", "AppClipCodeFixtures", "AppClipCodes"),
    tests("AppClips/InvocationTests", "Invocation", resources: ["Vectors"]),
    tests(
      "Tags/SimulatedReaderTests", "SimulatedReader", "TagAuthenticity", "SecureTags", "TagTypes"),
    tests("Tags/NDEFTests", "NDEF"),
    tests("Tags/TagAuthenticityTests", "TagAuthenticity"),
    tests("System/WebFetchingTests", "CCurl", "LoopbackServer", "WebFetching"),
    tests(
      "AppClips/AppStoreConnectTests", "AppStoreConnect", "CCrypto", "Invocation", "LoopbackServer",
      "Pictures", "WebFetching"),
    tests(
      "Tags/SecureTagsTests", "NDEF", "SecureTags", "SimulatedReader", "TagAuthenticity",
      "TagTypes"),
    tests("Tags/TagTypesTests", "TagTypes", "NDEF", "SimulatedReader"),
    tests(
      "Fuzzing/FuzzTests", "ScanFixtures", "SymbolStructure", and: kit, resources: ["Corpus"]),
    tests(
      "Codes/QRSymbolTests", "QRSymbol", "CQREncode", "ScanFixtures", resources: ["Vectors"]),
    tests(
      "Codes/CodeDrawingTests", "AppClipCodeFixtures", "AppClipCodes", "CodeDrawing", "QRSymbol",
      "Pictures", "SymbolStructure"),
    tests("AppClips/RegistryDocumentsTests", "Invocation", "RegistryDocuments", "RegistryFixtures"),
    tests(
      "Registry/RegistryTests", "AppClipCodeFixtures", "AppClipCodes", "Registry",
      "RegistryFixtures", "Invocation", "TagAuthenticity", grdb),
    tests("Tags/NFCReaderTests", "NFCReader", "CNFC", "CPCSC", "TagTypes", "SimulatedReader"),
    tests("Tags/SessionTests", and: kit, exclude: ["README.md"], resources: ["Records"]),
    tests("Codes/PicturesTests", "Pictures", resources: ["Samples"]),
    tests(
      "Codes/CodeScanningTests", "AppClipCodeFixtures", "AppClipCodes", "CodeScanning",
      linuxHeaders, "LinuxDevices", "Pictures", "CQREncode", "QRSymbol", "ScanFixtures",
      "SymbolStructure", resources: ["Samples"]),
    tests("AppClips/PositionSourcesTests", "PositionSources", "Invocation", "SimulatedReceivers"),
    tests("Jobs/VerifyingTests", "AppClipCodeFixtures", "JourneyFixtures", and: kit),
    tests("Jobs/IssuingTests", "AppClipCodeFixtures", "JourneyFixtures", and: kit),
    tests("Jobs/PublishingTests", "JourneyFixtures", "LoopbackServer", and: kit),
    tests("Jobs/AuditingTests", "AppClipCodeFixtures", "JourneyFixtures", and: kit),
    tests("Jobs/JobsTests", "JourneyFixtures", and: kit),
    tests(
      "Faces/CommandTests", "AppClipCodeFixtures", "cliptag", "LoopbackServer",
      "SimulatedReceivers", grdb, subprocess, and: kit, resources: ["Inputs", "Transcripts"]),
  ],
  swiftLanguageModes: [.v6]
)
