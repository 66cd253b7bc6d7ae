import Testing

/// What `make install` does to the command.
extension CommandSuite {
  @Suite("The installed command") struct InstalledBinaryTests {
    @Test("it takes no library from the folder where it lies, and still runs")
    func runpath() async throws {
      let sandbox = try Sandbox()
      let script = Repository.path("Sources/cliptag/Packaging/drop-runpath.sh")
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
  }
}
