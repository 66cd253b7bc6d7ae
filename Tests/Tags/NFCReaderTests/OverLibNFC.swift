import NFCReader
import SimulatedReader
import TagTypes
import Testing

/// Everything that runs over the real libnfc, several tests at a time, as the readers of one station: libnfc
/// keeps a list of drivers for the whole process, which ``NFCReader`` lets one thread change.
@Suite("Over libnfc", .timeLimit(.minutes(10)))
struct OverLibNFC {
  /// Opens a simulated reader with a tag, runs the test, and closes it whatever happens.
  static func withTag(
    _ faults: Fault..., body: (SimulatedReader, NFCReader, NFCTag) async throws -> Void
  ) async throws {
    let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213), faults: faults)
    let reader = try await NFCReader.open(simulated.connectionString)
    do {
      let tag = try await reader.waitForTag(timeout: .seconds(10))
      try await body(simulated, reader, tag)
    } catch {
      await reader.close()
      throw error
    }
    await reader.close()
  }
}

/// The code of the error that `body` throws, or nil when it throws none.
func codeThrown(by body: () async throws -> Void) async -> String? {
  do {
    try await body()
    return nil
  } catch let error as TagChannelError {
    return error.code.rawValue
  } catch let error as NFCReaderError {
    return error.code.rawValue
  } catch {
    return "\(error)"
  }
}
