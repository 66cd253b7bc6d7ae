import Foundation
import Jobs
import Registry
import SimulatedReader

// What to write, and the reader; without one, a simulated reader with a blank NTAG215.
let words = CommandLine.arguments
guard (3...4).contains(words.count) else {
  print("usage: WriteATag REGISTRY.yaml URL [READER]")
  exit(64)
}

do {
  let simulated = words.count == 4 ? nil : try SimulatedReader(.ntag215)
  // The record of what was written; a file or a server in earnest.
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  var workplace = try Workplace(registry: folder.appending(path: "registry.sqlite").path)
  workplace.reader = TagReader(simulated?.connectionString ?? words[3])

  let file = try Data(contentsOf: URL(fileURLWithPath: words[1]))
  _ = try await ImportRegistry(file, as: .yaml, named: words[1]).run(in: workplace)

  let written = try await WriteTag(url: words[2]).run(in: workplace).result
  print("\(written.tagType): \(written.url)")
  let proof = written.verified ? "read back" : "not verified"
  print("  \(written.pagesWritten) pages written, \(proof)")
  let again = try await WriteTag(url: words[2]).run(in: workplace).result
  print("  once more: \(again.alreadyCorrect ? "nothing to write" : "written again")")
} catch {
  print(error)
  exit(1)
}
