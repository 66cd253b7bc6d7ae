import Foundation
import Invocation
import Registry

extension FuzzTarget {
  /// Registry files, as YAML and as JSON: what is read is written and read as the same.
  static let registry = FuzzTarget(name: "registry") { bytes in
    let lines = bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    for format in RegistryDocument.Format.allCases {
      let reading: RegistryDocument.Reading
      do throws(RegistryError) {
        reading = try RegistryDocument.read(Data(bytes), as: format)
      } catch {
        try require(!error.problems.isEmpty, "a refused file has a problem")
        for problem in error.problems {
          try require(problem.line >= 1 && problem.column >= 1, "a problem has a place: \(problem)")
          try require(problem.line <= lines + 1, "its line is in the file: \(problem)")
        }
        continue
      }
      let document = reading.document.sorted()
      for other in RegistryDocument.Format.allCases {
        let text = document.text(as: other)
        let again = try? RegistryDocument.read(Data(text.utf8), as: other).document
        try require(again == document, "what was written is read as the same: \(text)")
      }
      _ = document.findings()
    }
  }
}
