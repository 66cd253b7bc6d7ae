package import Foundation

/// Returns the standard output of a program about a file.
///
/// - Parameters:
///   - program: The program, looked up in `$PATH`.
///   - arguments: Its arguments, in which `FILE` is the path of the file.
///   - file: The bytes of the file.
package func standardOutput(
  of program: String, _ arguments: [String], about file: some DataProtocol
) throws -> String {
  String(decoding: try outputBytes(of: program, arguments, about: file), as: UTF8.self)
}

/// Returns the bytes of the standard output of a program about a file likewise.
package func outputBytes(
  of program: String, _ arguments: [String], about file: some DataProtocol
) throws -> [UInt8] {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let (path, output) = (folder.appending(path: "file"), folder.appending(path: "output"))
  try Data(file).write(to: path)
  let child = try ChildProgram(
    [program] + arguments.map { $0 == "FILE" ? path.path : $0 }, output: output.path)
  _ = child.wait()
  return Array(try Data(contentsOf: output))
}
