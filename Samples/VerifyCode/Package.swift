// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "VerifyCode",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cliptag", path: "../..", traits: ["Registry"])
  ],
  targets: [
    .executableTarget(
      name: "VerifyCode",
      dependencies: [
        .product(name: "CliptagKit", package: "cliptag")
      ])
  ]
)
