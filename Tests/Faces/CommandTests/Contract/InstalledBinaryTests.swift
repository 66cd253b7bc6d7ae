import Testing

/// The effect of `make install` on the command.
extension CommandSuite {
  @Suite("The installed command") struct InstalledBinaryTests {
    @Test("it takes no library from the folder where it lies, and still runs")
    func runpath() async throws {
      let sandbox = try Sandbox()
      let script = Repository.path("Sources/Faces/cliptag/Packaging/drop-runpath.sh")
      // This build needs Swift's own libraries, which the one that ships has inside.
      let outcome = try await sandbox.shell(
        """
        set -e
        cp "$1" copy
        libraries=$(readelf -dW copy | sed -n 's/.*RUNPATH.*\\[\\(.*\\)\\]/\\1/p')
        "$2" copy
        readelf -dW copy | grep -E 'RUNPATH|RPATH' && exit 1
        LD_LIBRARY_PATH=${libraries%%:*} ./copy --version
        """, Repository.command, script)
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.output.hasPrefix("0."))
    }

    @Test("the examples of its help name the files that are installed beside it")
    func examples() async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.shell(
        """
        set -e
        mkdir -p usr/bin usr/share/doc/cliptag/examples
        cp "$1" usr/bin/cliptag
        usr/bin/cliptag registry import --help
        """, Repository.command)
      let folder = sandbox.path("usr/share/doc/cliptag/examples")
      #expect(outcome.output.contains("cliptag registry import \(folder)/fruta/registry.yaml"))
      #expect(!outcome.output.contains("Samples/"))
    }

    @Test("what looks at the binary of a package refuses one that is as swift build leaves it")
    func check() async throws {
      let sandbox = try Sandbox()
      let outcome = try await sandbox.shell(
        "exec \"$2\" \"$1\"", Repository.command, Repository.path("Tests/Scripts/check-binary.sh"))
      #expect(outcome.status == 1 && outcome.errors.contains("search path for libraries"))
    }
  }
}
