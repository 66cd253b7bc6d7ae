// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ReadMessage",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cliptag", path: "../..", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "ReadMessage",
      dependencies: [
        .product(name: "NDEF", package: "cliptag")
      ])
  ]
)
