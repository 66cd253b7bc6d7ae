import Foundation

/// A proxy between a registry and the tests' server, or a replica of it, that runs until the value
/// is released.
package final class ServerLine {
  package let address: String
  private let folder: String
  private let program: ChildProgram
  private let said: FileHandle

  package init(
    to database: TestDatabase, _ options: [String] = [], script: String = "postgresql-line.py"
  ) throws {
    // The path of a socket must be short.
    folder = FileManager.default.temporaryDirectory.path + "/line-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = packageFolder.appending(path: "Tests/Scripts/\(script)").path
    // The proxy writes to the FIFO once it listens; opening a FIFO for reading waits for a writer.
    let said = folder + "/said"
    guard mkfifo(said, 0o600) == 0 else { throw POSIXError(.EIO) }
    let host = try Self.host(of: database)
    program = try ChildProgram([path, folder, host] + options, output: said)
    self.said = try FileHandle(forReadingFrom: URL(fileURLWithPath: said))
    _ = try self.said.read(upToCount: 6)
    address = database.address.replacing("host=\(host)", with: "host=\(folder)")
  }

  deinit {
    program.end()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The folder of the server's socket.
  package static func host(of database: TestDatabase) throws -> String {
    let query = database.address.split(separator: "?").last ?? ""
    let host = query.split(separator: "&").first { $0.hasPrefix("host=") }
    guard let host else { throw POSIXError(.EINVAL) }
    return String(host.dropFirst(5))
  }

  package func end() { program.end() }

  /// Waits for the end of a connection over the line.
  ///
  /// - Returns: The number of times the client sent after the server had sent.
  package func turns() throws -> Int {
    var line = ""
    while !line.hasSuffix("\n"), let byte = try said.read(upToCount: 1) {
      line += String(decoding: byte, as: UTF8.self)
    }
    guard line.hasPrefix("turns "), let number = Int(line.dropFirst(6).dropLast()) else {
      throw POSIXError(.EBADMSG)
    }
    return number
  }

  /// Returns an address with this proxy as the first host and another as the second.
  package func address(before other: ServerLine) throws -> String {
    address.replacing("host=\(folder)", with: "host=\(folder),\(other.folder)")
  }
}
