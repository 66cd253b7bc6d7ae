// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "FindCodes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cliptag", path: "../..", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "FindCodes",
      dependencies: [
        .product(name: "CodeScanning", package: "cliptag")
      ])
  ]
)
