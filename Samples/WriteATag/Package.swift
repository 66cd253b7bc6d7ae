// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "WriteATag",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cliptag", path: "../..", traits: ["Registry"])
  ],
  targets: [
    .executableTarget(
      name: "WriteATag",
      dependencies: [
        .product(name: "CliptagKit", package: "cliptag")
      ])
  ]
)
