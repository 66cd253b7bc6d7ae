import Invocation
import Issuing
import NFCReader
import Registry
import SimulatedReader
import TagTypes

extension Operation {
  /// Writes the only row of a batch, as `tag batch` does.
  static func batchRow(_ name: String, on layout: Type2Layout) -> Operation {
    Operation(
      name: name, tag: { try SimulatedTag(layout) },
      makeWork: {
        let registry = try RegistryLocation.memory.open()
        var options = TagBatch.Options()
        options.unregistered = true
        options.limit = 1
        options.timeout = .milliseconds(400)
        let batch = TagBatch(
          named: "matrix", in: registry, check: InvocationCheck(directory: registry),
          station: BatchStation(reader: "matrix", who: "matrix"), options: options)
        _ = try await batch.begin([BatchRow.Order(url: url, label: "row")])
        return { connectionString in
          let report = await onReader(connectionString) { reader in
            try await batch.run(on: reader) { _ in }
          }
          let done = (try? batch.counts()[.done]) == 1
          // What counts is the ledger, whatever the run said in the end.
          return done ? .success : report.isSuccess ? .failure("not-done", "") : report
        }
      },
      pages: Set(layout.userPages), takesAnyTag: true)
  }
}
