// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "CoreNFCChannel",
  platforms: [.iOS(.v18), .macOS(.v15)],
  products: [
    .library(name: "CoreNFCChannel", targets: ["CoreNFCChannel"])
  ],
  dependencies: [
    .package(name: "cliptag", path: "../..", traits: [])
  ],
  targets: [
    .target(
      name: "CoreNFCChannel",
      dependencies: [
        .product(name: "TagTypes", package: "cliptag")
      ])
  ]
)
