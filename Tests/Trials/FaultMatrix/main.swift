import CliptagPlatform

// usage: FaultMatrix [--readers=libnfc,acr1552,…] [OPERATION…]
//
// Injects every fault of the simulated reader into every step of every operation, over the real
// libnfc and the real pcsc-lite, and checks the tag's contents, the report, and the success of the
// next run. Exit status 1 if a rule was broken.

Way.prepare()
do {
  let arguments = CommandLine.arguments.dropFirst()
  let readers = arguments.filter { $0.hasPrefix("--readers=") }
  let ways = try readers.flatMap {
    try Way.named($0.dropFirst(10).split(separator: ",").map(String.init))
  }
  let wanted = Set(arguments).subtracting(readers)
  let operations = try Operation.all.filter { wanted.isEmpty || wanted.contains($0.name) }
  var (count, broken) = (0, 0)
  for way in ways.isEmpty ? Way.all : ways {
    for operation in operations where way.takes(operation) {
      let report = try await MatrixReport(of: try await Matrix(operation, by: way))
      print(report.text)
      count += report.count
      broken += report.broken.count
    }
  }
  print("\(count) trials, \(broken) rules broken")
  exit(broken == 0 ? 0 : 1)
} catch {
  print("the fault matrix cannot be run: \(error)")
  exit(70)
}
