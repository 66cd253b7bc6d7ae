// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ServedURLs",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cliptag", path: "../..", traits: ["Documents"])
  ],
  targets: [
    .testTarget(
      name: "ServedURLsTests",
      dependencies: [
        .product(name: "RegistryDocuments", package: "cliptag")
      ],
      resources: [.copy("registry.yaml"), .copy("urls.txt")])
  ]
)
