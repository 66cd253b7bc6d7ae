import ArgumentParser
import Deployment
import NFCReader
import TagTypes

/// Which reader, and how long to wait for a tag.
struct ReaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The reader, as a libnfc connection string (default: $LIBNFC_DEVICE, else the first found).",
      valueName: "connstring"))
  var reader: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait for a tag.", valueName: "seconds"))
  var timeout: Double = 10

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else {
      throw ValidationError("--timeout takes seconds from 0 to 86400; got \(timeout).")
    }
  }

  /// Opens the reader, waits for a tag, works on it and closes the reader again.
  func withTag<Value>(
    _ console: Console, _ body: (NFCTag, _ reader: String) async throws -> Value
  ) async throws -> Value {
    let opened = try await NFCReader.open(reader)
    let name = await opened.name
    console.detail("reader \(opened.connectionString): \(name)")
    do {
      let tag = try await opened.waitForTag(timeout: .seconds(timeout))
      console.detail("tag \(tag.target.uid.hexadecimal)")
      let value = try await body(tag, opened.connectionString)
      await opened.close()
      return value
    } catch {
      await opened.close()
      // Whatever went wrong with the tag went wrong on this reader.
      throw Failure(describing: error, source: opened.connectionString)
    }
  }
}
