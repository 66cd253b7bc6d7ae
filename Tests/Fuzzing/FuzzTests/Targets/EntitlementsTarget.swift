import Invocation

extension FuzzTarget {
  /// Entitlements files: property lists as XML and in binary, and what is said of them.
  static let entitlements = FuzzTarget(name: "entitlements") { bytes in
    let file: EntitlementsFile
    do throws(EntitlementsFileError) {
      file = try EntitlementsFile(bytes, name: "fuzz")
    } catch {
      try require(error.message.hasPrefix("fuzz "), "an error names the file")
      return
    }
    let clip = AppClip(
      bundleID: "com.example.Clip", appBundleID: "com.example", team: "ABCDE12345",
      domains: ["example.com"])
    try require(file.clip(among: [clip]) == clip, "the only clip is the file's")
    let findings = file.findings(for: clip, on: ["example.com"])
    for finding in findings { try require(!finding.finding.message.isEmpty, "a finding has words") }
  }
}
