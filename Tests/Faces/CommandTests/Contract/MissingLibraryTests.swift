import Foundation
import Testing

/// Libraries that are opened when needed: each may be missing, and only what needs it fails.
extension CommandSuite {
  @Suite("Trouble with libraries") struct MissingLibraryTests {
    /// An environment in which some libraries cannot be opened, as if they were not installed: the
    /// dynamic loader finds an empty file of their name first.
    private func without(_ libraries: [String], in sandbox: Sandbox) throws -> [String: String] {
      let folder = sandbox.root + "/no-libraries"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      for library in libraries {
        try Data().write(to: URL(filePath: folder + "/" + library))
      }
      return ["LD_LIBRARY_PATH": folder]
    }

    private static let all = [
      "libqrencode.so.4", "libzbar.so.0", "libpangoft2-1.0.so.0", "libharfbuzz-subset.so.0",
      "libnfc.so.6",
      "libcurl.so.4", "libxml2.so.2", "libxml2.so.16",
    ]

    @Test("what needs none of them works without any of them")
    func noneNeeded() async throws {
      let sandbox = try await Sandbox.withFruta()
      let environment = try without(Self.all, in: sandbox)
      for command in [
        ["--version"], ["--help"], ["check", Fruta.cupertino], ["place", "list"],
        ["--generate-completion-script", "bash"],
      ] {
        let outcome = try await sandbox.run(command, environment: environment)
        #expect(outcome.status == 0, "\(command): \(outcome.errors)")
      }
    }

    @Test(
      "a missing library is named with the package to install, and nothing is written",
      arguments: [
        (
          "libqrencode.so.4", ["qr", Fruta.cupertino, "-o", "a.svg"], "encoder-library-missing",
          "libqrencode4"
        ),
        ("libzbar.so.0", ["scan", "code.png"], "scanner-library-missing", "libzbar0"),
        ("libzbar.so.0", ["qr", Fruta.cupertino], "scanner-library-missing", "libzbar0"),
        (
          "libzbar.so.0", ["qr", Fruta.cupertino, "-o", "a.png"], "scanner-library-missing",
          "libzbar0"
        ),
        (
          "libpangoft2-1.0.so.0", ["poster", Fruta.cupertino, "-o", "a.pdf"],
          "text-library-missing", "libpangoft2-1.0-0"
        ),
        (
          "libharfbuzz-subset.so.0", ["poster", Fruta.cupertino, "-o", "a.pdf"],
          "text-library-missing", "libharfbuzz-subset0"
        ),
        ("libnfc.so.6", ["tag", "read"], "reader-library-missing", "libnfc6"),
      ])
    func missing(
      library: String, command: [String], code: String, package: String
    ) async throws {
      let sandbox = try await Sandbox.withFruta()
      #expect(try await sandbox.run("qr", Fruta.cupertino, "-o", "code.png").status == 0)
      let environment = try without([library], in: sandbox)
      let people = try await sandbox.run(command, environment: environment)
      #expect(people.status == 69)
      #expect(people.isOneProblem, "\(people.errors)")
      #expect(people.errors.contains(library))
      #expect(people.errors.contains(package), "\(people.errors)")
      let json = try await sandbox.run(command + ["--json"], environment: environment)
      #expect(try json.errorCodes == [code])
      #expect(try sandbox.listing() == ["code.png"])
    }

    @Test("reader doctor says that libnfc is missing, and what to install")
    func doctor() async throws {
      let sandbox = try Sandbox()
      let environment = try without(["libnfc.so.6"], in: sandbox)
      let outcome = try await sandbox.run("reader", "doctor", environment: environment)
      #expect(outcome.status != 0)
      #expect((outcome.output + outcome.errors).contains("libnfc6"))
    }
  }
}
