import CliptagPlatform
import Foundation

// usage: Benchmarks CLIPTAG [PART…]
//
// Whole commands, run in turn against the commands they are compared with. Times depend on the
// machine and its load; compare the ratios within one run.

guard CommandLine.arguments.count >= 2 else {
  print("usage: Benchmarks CLIPTAG [PART…]")
  exit(64)
}
do {
  if try SharedRegistry.work(CommandLine.arguments) { exit(0) }
  try await run(CommandLine.arguments[1], parts: Array(CommandLine.arguments.dropFirst(2)))
} catch {
  print("benchmark failed: \(error)")
  exit(70)
}
