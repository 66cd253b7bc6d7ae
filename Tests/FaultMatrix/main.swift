import Glibc

// usage: FaultMatrix [OPERATION…]
//
// Puts every kind of fault of the simulated reader into every step of every operation, over the
// real libnfc, and looks at what the tag holds afterwards, what was said of it, and whether the
// next run ends right. Exit status 1 when a rule was broken.

setenv("LIBNFC_LOG_LEVEL", "0", 0)
do {
  let wanted = Set(CommandLine.arguments.dropFirst())
  let operations = try Operation.all.filter { wanted.isEmpty || wanted.contains($0.name) }
  var isBroken = false
  for operation in operations {
    let report = try await MatrixReport(of: try await Matrix(operation))
    print(report.text)
    isBroken = isBroken || !report.broken.isEmpty
  }
  exit(isBroken ? 1 : 0)
} catch {
  print("the fault matrix cannot be run: \(error)")
  exit(70)
}
