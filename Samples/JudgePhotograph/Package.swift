// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "JudgePhotograph",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "cliptag", path: "../..", traits: ["Registry"]),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .executableTarget(
      name: "JudgePhotograph",
      dependencies: [
        .product(name: "CliptagKit", package: "cliptag"),
        .product(name: "FlyingFox", package: "FlyingFox"),
      ])
  ]
)
