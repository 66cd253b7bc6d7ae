// swift-tools-version: 6.2
import PackageDescription

/// What every target of ours is compiled with (dependencies keep their own settings).
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// The settings of a target with loops over pixels. Without optimisation such loops take tens of times
/// as long; `make` optimises them in debug builds, too. SwiftPM refuses these flags in a package that
/// another one depends on, therefore they need the variable.
let pixels: [SwiftSetting] =
  Context.environment["CLIPTAG_OPTIMISED_PIXELS"] == nil
  ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// A library of ours. `uses` may name only targets on a lower floor; the table is held by
/// `Tests/HouseTests`.
func library(
  _ name: String, uses dependencies: [Target.Dependency] = [], settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

/// A C target that lets Swift call one system library, which stands where every compiler looks.
func shim(_ name: String, links library: String) -> Target {
  .target(name: name, linkerSettings: [.linkedLibrary(library)])
}

/// The same for a library that pkg-config finds by `module`: its folders differ between systems, and
/// Homebrew has one for each formula. The module map in `library` is empty: it carries only the flags.
func shim(
  _ name: String, links library: String, module: String, apt: String, brew: String
) -> [Target] {
  [
    .systemLibrary(
      name: "\(name)Library", path: "Sources/\(name)/library", pkgConfig: module,
      providers: [.apt([apt]), .brew([brew])]),
    .target(
      name: name, dependencies: [.target(name: "\(name)Library")], exclude: ["library"],
      linkerSettings: [.linkedLibrary(library)]),
  ]
}

/// A C target whose system library is opened when it is needed, not linked: see its header.
/// Therefore pkg-config cannot be asked for folders of headers, as its flags would link the library: what
/// is called is declared in `Declarations.h`, or the header has a usual place on every Linux.
func shimOnDemand(_ name: String) -> Target {
  .target(name: name, dependencies: ["COnDemand"])
}

func tests(
  _ name: String, of dependencies: [Target.Dependency], exclude: [String] = [],
  resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["CliptagBasics", "CliptagPlatform", "TestSupport"],
    exclude: exclude,
    resources: resources, swiftSettings: strict)
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
let nio = ["NIOCore", "NIOHTTP1", "NIOPosix"].map {
  external($0, of: "swift-nio", for: "Command")
}
let subprocess = external("Subprocess", of: "swift-subprocess", for: "Command")

/// The linked libraries that pkg-config finds.
let foundLibraries: [Target] = [
  shim("CPNG", links: "png", module: "libpng", apt: "libpng-dev", brew: "libpng"),
  shim("CJPEG", links: "jpeg", module: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
  shim("CCrypto", links: "crypto", module: "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
  shim(
    "CDeflate", links: "deflate", module: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
].flatMap { $0 }

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
      targets: [
        "AppClipCodeFiles", "AppClipCodes", "AppStoreConnect", "Auditing", "CliptagBasics",
        "CodeDrawing", "CodeScanning", "Invocation", "Issuing", "Jobs", "NDEF", "NFCReader",
        "Pictures", "PositionSources", "Publishing", "QRSymbol", "Registry", "RegistryDocuments",
        "SimulatedReader", "TagAuthenticity", "TagTypes", "Verifying", "WebFetching", "WebPages",
      ]),
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
    // Floor 0: one C target per system library.
    shim("CExpat", links: "expat"),
    shim("CSQLite", links: "sqlite3"),
    .target(name: "CFileSystem"),
    // The commit, in a target of its own: another commit compiles one file.
    .target(
      name: "CBuild",
      cSettings: Context.environment["CLIPTAG_COMMIT"].map { [.define("CLIPTAG_COMMIT", to: $0)] }
        ?? []),
    .target(name: "CConfinement"),
    // What opens the libraries of those below.
    .target(name: "COnDemand"),
    shimOnDemand("CQREncode"),
    shimOnDemand("CZBar"),
    shimOnDemand("CNFC"),
    shimOnDemand("CPCSC"),
    shimOnDemand("CPostgreSQL"),
    shimOnDemand("CHarfBuzz"),
    shimOnDemand("CHyphen"),
    shimOnDemand("CPango"),
    shimOnDemand("CArchive"),
    shimOnDemand("CCurl"),
    shimOnDemand("CHTML"),
    // The kernel's own headers; no library stands behind them.
    .target(name: "CLinuxDevices"),
    // The page of the station, kept in the binary.
    .target(name: "CStationPage", exclude: ["page"]),
    // The templates of posters, likewise.
    .target(name: "CPosterTemplates", exclude: ["templates"]),

    // The C library, which has another name on each system.
    library("CliptagPlatform"),

    // What several libraries need and none owns: hexadecimal, CSV and JSON texts, work that blocks.
    library("CliptagBasics", uses: ["CliptagPlatform"]),

    // Floor 1: pure values.
    library("Invocation", uses: ["CliptagBasics", "CliptagPlatform"]),
    library("SymbolStructure", settings: pixels),
    // XML documents: label templates, and the files of Apple's generator.
    library("Markup", uses: ["CExpat"]),
    library("AppClipCodes", uses: ["CliptagBasics", "CliptagPlatform"]),
    library("LinuxDevices", uses: ["CliptagPlatform"]),
    library("NDEF"),
    library("TagAuthenticity", uses: ["CliptagBasics", "CCrypto"]),
    library("WebFetching", uses: ["CliptagBasics", "CliptagPlatform", "CCurl"]),
    library("WebPages", uses: ["CliptagBasics", "CHTML"]),
    library(
      "Pictures",
      uses: ["CliptagBasics", "CliptagPlatform", "CConfinement", "CDeflate", "CPNG", "CJPEG"],
      settings: pixels),

    // Floor 2: formats and codecs.
    library(
      "AppClipCodeFiles", uses: ["AppClipCodes", "CliptagBasics", "CliptagPlatform", "Markup"]),
    library(
      "AppStoreConnect",
      uses: ["CliptagBasics", "CCrypto", "Invocation", "Pictures", "WebFetching"]),
    // Registry files, without the registry that holds them.
    library("RegistryDocuments", uses: ["CliptagBasics", "Invocation", yams]),
    library("TagTypes", uses: ["CliptagBasics", "NDEF"]),
    // The work on tags that needs keys.
    library("SecureTags", uses: ["CliptagBasics", "NDEF", "TagAuthenticity", "TagTypes"]),
    library("QRSymbol", uses: ["CliptagBasics", "CQREncode", "SymbolStructure"]),
    library(
      "CodeScanning",
      uses: [
        "AppClipCodes", "CliptagBasics", "CliptagPlatform", linuxHeaders, "CZBar", "LinuxDevices",
        "Pictures",
        "SymbolStructure",
      ], settings: pixels),
    library(
      "PositionSources", uses: ["CliptagBasics", "CliptagPlatform", "Invocation", "LinuxDevices"]),

    // Floor 3: devices, drawings, storage.
    library(
      "NFCReader",
      uses: ["CliptagBasics", "CliptagPlatform", "CNFC", "CPCSC", "LinuxDevices", "TagTypes"]),
    library(
      "SimulatedReader",
      uses: ["CliptagBasics", "CliptagPlatform", "TagAuthenticity", "SecureTags", "TagTypes"]),
    library(
      "CodeDrawing",
      uses: [
        "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CHarfBuzz", "CHyphen", "CPango",
        "CPosterTemplates",
        "Markup", "QRSymbol", "Pictures", "SymbolStructure",
      ]),
    library(
      "Registry",
      uses: [
        "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CPostgreSQL", "CSQLite", "Invocation",
        "RegistryDocuments", "TagAuthenticity", grdb,
      ]),

    // Floor 4: the two journeys, and what is published for them. What is issued is read back with
    // the eyes of whoever verifies.
    library(
      "Verifying",
      uses: [
        "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CodeDrawing", "CodeScanning",
        "Invocation", "NDEF",
        "NFCReader",
        "Pictures",
        "PositionSources", "Registry", "TagAuthenticity", "TagTypes",
      ]),
    library(
      "Issuing",
      uses: [
        "AppClipCodeFiles", "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CArchive",
        "CFileSystem",
        "CodeDrawing", "CodeScanning",
        "Invocation",
        "NDEF", "NFCReader",
        "Markup", "Pictures", "QRSymbol",
        "Registry", "TagAuthenticity", "SecureTags", "TagTypes", "Verifying",
      ]),
    library(
      "Publishing",
      uses: [
        "AppStoreConnect", "CliptagBasics", "CodeDrawing", "Invocation", "Registry", "WebFetching",
        "WebPages",
      ]),

    // Floor 5: what stands on both journeys.
    library(
      "Auditing",
      uses: [
        "AppClipCodes", "CliptagBasics", "CodeDrawing", "CodeScanning", "Invocation", "Pictures",
        "QRSymbol",
        "Registry", "Verifying",
      ]),

    // Floor 6: one value for each use of the product, which every face runs.
    library(
      "Jobs",
      uses: [
        "AppClipCodeFiles", "AppClipCodes", "AppStoreConnect", "Auditing", "CliptagBasics",
        "CliptagPlatform",
        "CodeDrawing",
        "CodeScanning", "Invocation", "Issuing", "NDEF", "NFCReader", "Pictures", "Publishing",
        "QRSymbol", "Registry", "TagAuthenticity", "SecureTags", "TagTypes", "Verifying",
        "WebFetching",
      ]),

    // Floor 7: the command.
    .executableTarget(
      name: "cliptag",
      dependencies: [
        "AppClipCodeFiles", "AppClipCodes", "CliptagBasics", "CliptagPlatform", "CBuild",
        "CStationPage", "Invocation",
        "NDEF", "TagTypes",
        "QRSymbol",
        "Pictures", "CodeScanning", "NFCReader",
        "SimulatedReader", "CodeDrawing", "Registry", "TagAuthenticity", "WebFetching",
        "AppStoreConnect", "WebPages", "PositionSources", "Issuing", "Verifying", "Publishing",
        "Auditing", "Jobs", argumentParser, subprocess,
      ] + nio,
      // What `make install` and `make deb` need.
      exclude: ["Packaging"],
      swiftSettings: strict),

    // Measurements of whole commands, and of codes in bulk through the library (`make bench`).
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "AppClipCodeFixtures", "AppClipCodeFiles", "AppClipCodes", "CliptagBasics",
        "CliptagPlatform", "CodeDrawing",
        "CodeScanning",
        "Invocation",
        "Pictures", "QRSymbol", "Registry",
      ],
      swiftSettings: strict),

    // Faults at every step of every piece of work on a tag (`make faults`).
    .executableTarget(
      name: "FaultMatrix",
      dependencies: [
        "CliptagBasics", "CliptagPlatform", "Invocation", "Issuing", "NDEF", "NFCReader",
        "Registry",
        "SimulatedReader",
        "TagAuthenticity",
        "SecureTags", "TagTypes",
        "Verifying",
      ],
      path: "Tests/FaultMatrix", swiftSettings: strict),

    // Scans pictures whose codes are known (`make scan-trials`).
    .executableTarget(
      name: "ScanTrials", dependencies: ["CodeScanning", "Pictures"], path: "Tests/ScanTrials",
      swiftSettings: strict),

    // A server of HTTPS that tests start, with every fault that a server may have.
    .target(
      name: "LoopbackServer", dependencies: [subprocess], path: "Tests/LoopbackServer",
      exclude: ["server.py"], swiftSettings: strict),

    // App Clip Codes of the structure that Apple's have, with a badge of our own, for tests: none of
    // Apple's may be in the project.
    .target(
      name: "AppClipCodeFixtures",
      dependencies: ["AppClipCodeFiles", "AppClipCodes", "CliptagBasics", "Pictures"],
      path: "Tests/AppClipCodeFixtures", swiftSettings: strict + pixels),

    // QR codes as printers and cameras make them, for tests of scanning and grading.
    .target(
      name: "ScanFixtures",
      dependencies: ["CQREncode", "CliptagBasics", "CodeScanning", "Pictures", "SymbolStructure"],
      path: "Tests/ScanFixtures", swiftSettings: strict + pixels,
      // Symbols that the product does not draw: with character sets, in several parts.
      linkerSettings: [.linkedLibrary("qrencode")]),

    // Clips, experiences and places, for the tests of registry files and registries.
    .target(
      name: "RegistryFixtures", dependencies: ["Invocation"], path: "Tests/RegistryFixtures",
      swiftSettings: strict),

    // A small registry and tags in memory, for the tests of the journeys.
    .target(
      name: "JourneyFixtures",
      dependencies: [
        "Invocation", "Issuing", "Pictures", "QRSymbol", "Registry", "SimulatedReader", "TagTypes",
      ],
      path: "Tests/JourneyFixtures", swiftSettings: strict),

    // Satellite receivers and a gpsd that tests start.
    .target(
      name: "SimulatedReceivers", dependencies: ["CliptagPlatform"],
      path: "Tests/SimulatedReceivers", swiftSettings: strict),

    // The one seeded generator and the one clock of all tests.
    .target(
      name: "TestSupport", dependencies: ["CliptagBasics", "CliptagPlatform"],
      path: "Tests/TestSupport",
      swiftSettings: strict),

    // Tests mirror the sources.
    tests("HouseTests", of: ["Invocation", "CodeDrawing", "NFCReader", "Registry"]),
    // Compiles and runs what the articles show; `Tests/HouseTests` sees that nothing is left out.
    tests(
      "ArticleTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodeFiles", "AppClipCodes", "AppStoreConnect", "Auditing",
        "CodeDrawing",
        "CodeScanning", "Invocation", "Issuing", "Jobs",
        "LoopbackServer", "NDEF", "NFCReader", "Pictures", "PositionSources", "Publishing",
        "QRSymbol",
        "Registry", "RegistryDocuments", "SimulatedReader", "SimulatedReceivers", "TagAuthenticity",
        "TagTypes",
        "Verifying", "WebFetching", "WebPages",
      ]),
    tests("CliptagBasicsTests", of: []),
    tests("AppClipCodesTests", of: ["AppClipCodeFixtures", "AppClipCodes"]),
    tests(
      "AppClipCodeFilesTests", of: ["AppClipCodeFiles", "AppClipCodeFixtures", "AppClipCodes"]),
    tests("InvocationTests", of: ["Invocation"], resources: [.copy("Vectors")]),
    tests(
      "SimulatedReaderTests", of: ["SimulatedReader", "TagAuthenticity", "SecureTags", "TagTypes"]),
    tests("NDEFTests", of: ["NDEF"]),
    tests("TagAuthenticityTests", of: ["TagAuthenticity"]),
    tests("WebFetchingTests", of: ["CCurl", "LoopbackServer", "WebFetching"]),
    tests(
      "AppStoreConnectTests",
      of: [
        "AppStoreConnect", "CCrypto", "Invocation", "LoopbackServer", "Pictures", "WebFetching",
      ]),
    tests("WebPagesTests", of: ["WebPages"]),
    tests(
      "SecureTagsTests",
      of: ["NDEF", "SecureTags", "SimulatedReader", "TagAuthenticity", "TagTypes"]),
    tests("TagTypesTests", of: ["TagTypes", "NDEF", "SimulatedReader"]),
    // Its Targets are what is fed with arbitrary bytes, here by the replay of what libFuzzer kept.
    tests(
      "FuzzTests",
      of: [
        "AppStoreConnect", "CodeScanning", "Invocation", "NDEF", "Pictures",
        "PositionSources",
        "Registry", "ScanFixtures", "SymbolStructure", "TagTypes", "SimulatedReader", "WebPages",
      ],
      resources: [.copy("Corpus")]),
    tests(
      "QRSymbolTests", of: ["QRSymbol", "CQREncode", "ScanFixtures"], resources: [.copy("Vectors")]),
    tests(
      "CodeDrawingTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodes", "CodeDrawing", "QRSymbol", "Pictures",
        "SymbolStructure",
      ]),
    tests(
      "RegistryDocumentsTests", of: ["Invocation", "RegistryDocuments", "RegistryFixtures"]),
    tests(
      "RegistryTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodes", "Registry", "RegistryFixtures", "Invocation",
        "TagAuthenticity", grdb,
      ]),
    tests("NFCReaderTests", of: ["NFCReader", "CNFC", "CPCSC", "TagTypes", "SimulatedReader"]),
    // What real readers and tags answered, replayed; see its README.
    tests(
      "SessionTests",
      of: [
        "NFCReader", "SimulatedReader", "TagAuthenticity", "TagTypes", "Verifying",
      ],
      exclude: ["README.md"], resources: [.copy("Records")]),
    tests("PicturesTests", of: ["Pictures"], resources: [.copy("Samples")]),
    tests(
      "CodeScanningTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodes", "CodeScanning", linuxHeaders, "LinuxDevices",
        "Pictures", "CQREncode", "QRSymbol", "ScanFixtures",
        "SymbolStructure",
      ],
      resources: [.copy("Samples")]),
    tests(
      "PositionSourcesTests", of: ["PositionSources", "Invocation", "SimulatedReceivers"]),
    tests(
      "VerifyingTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodes", "CodeScanning", "Invocation", "Issuing",
        "JourneyFixtures", "NDEF", "NFCReader", "Pictures",
        "PositionSources", "QRSymbol", "Registry", "SimulatedReader", "TagAuthenticity",
        "TagTypes",
        "Verifying",
      ]),
    tests(
      "IssuingTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodes", "CodeDrawing", "CodeScanning",
        "Invocation",
        "Issuing", "JourneyFixtures", "NDEF",
        "Pictures", "QRSymbol", "Registry", "SimulatedReader", "TagAuthenticity",
        "TagTypes",
        "Verifying",
      ]),
    tests(
      "PublishingTests",
      of: [
        "AppStoreConnect", "Invocation", "JourneyFixtures", "LoopbackServer", "Publishing",
        "Registry", "WebFetching",
      ]),
    tests(
      "AuditingTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodes", "Auditing", "CodeDrawing", "CodeScanning",
        "Invocation", "Issuing",
        "JourneyFixtures",
        "NDEF", "Pictures", "QRSymbol", "Registry", "SimulatedReader", "TagAuthenticity",
        "TagTypes", "Verifying",
      ]),
    tests(
      "JobsTests",
      of: [
        "Auditing", "CodeDrawing", "CodeScanning", "Invocation", "Issuing", "Jobs",
        "JourneyFixtures", "NDEF", "Pictures", "Publishing", "QRSymbol", "Registry",
        "SimulatedReader", "TagTypes", "Verifying",
      ]),
    tests(
      "CommandTests",
      of: [
        "AppClipCodeFixtures", "AppClipCodes", "cliptag", "CodeScanning",
        "LoopbackServer",
        "Pictures", "Registry", "SimulatedReader",
        "SimulatedReceivers", "TagTypes", grdb, subprocess,
      ],
      resources: [.copy("Inputs"), .copy("Transcripts")]),
  ],
  swiftLanguageModes: [.v6]
)
