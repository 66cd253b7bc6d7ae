public import Foundation
public import Invocation

extension RegistryStore {
  /// Reads a registry file and brings it in, in one transaction: a file with any problem changes
  /// nothing.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - format: How they are to be read.
  ///   - name: The file's name, for messages.
  ///   - mode: What happens to what is in the registry already.
  ///   - dryRun: Whether to report only what would change.
  /// - Returns: What changed, or would change, and what is doubtful in the file.
  /// - Throws: ``RegistryError/Code/invalidDocument`` with every problem, or the store's errors.
  public func importDocument(
    _ data: Data, as format: RegistryDocument.Format, name: String = "the document",
    _ mode: ImportMode = .merge, dryRun: Bool = false
  ) throws(RegistryError) -> (report: ImportReport, warnings: [DocumentProblem]) {
    let known = mode == .merge ? Set(try places().map(\.id)) : []
    let reading = try RegistryDocument.read(data, as: format, name: name, knownPlaces: known)
    let document = reading.document
    let report =
      dryRun
      ? try read { registry throws(RegistryError) in
        try registry.changes(applying: document, mode, wasRead: true).report
      }
      : try write { registry throws(RegistryError) in
        try registry.make(try registry.changes(applying: document, mode, wasRead: true))
      }
    return (report, reading.warnings)
  }
}
