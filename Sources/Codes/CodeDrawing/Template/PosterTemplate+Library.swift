import CPosterTemplates
import CliptagBasics
package import Pictures

extension PosterTemplate {
  /// The maximum size of a file.
  package static let limits = PictureLimits(fileBytes: 1 << 20)

  /// The templates that cliptag brings, by name.
  public static let names: [String] = files.keys.sorted()

  /// The JSON Schema of template files.
  public static let schema: [UInt8] = embedded[schemaName] ?? []

  /// The file of a template that cliptag brings.
  ///
  /// - Throws: ``CodeDrawingError`` with code `unknown-template`, which has the names.
  public static func file(named name: String) throws(CodeDrawingError) -> [UInt8] {
    guard let file = files[name.lowercased()] else { throw .unknownTemplate(name) }
    return file
  }

  /// Reads a template that cliptag brings.
  ///
  /// - Throws: ``CodeDrawingError`` with code `unknown-template`, which has the names.
  public init(named name: String) throws(CodeDrawingError) {
    try self.init(Self.file(named: name), named: name.lowercased())
  }

  private static let schemaName = "poster-template.schema.json"
  private static let ending = ".json"

  private static let files = embedded.filter { $0.key != schemaName }.reduce(
    into: [String: [UInt8]]()
  ) { files, file in files[String(file.key.dropLast(ending.count))] = file.value }

  private static let embedded: [String: [UInt8]] = {
    var files: [String: [UInt8]] = [:]
    var file = cpostertemplates_files
    while let entry = file?.pointee, let name = entry.name {
      files[String(cString: name)] = Array(
        UnsafeBufferPointer(start: entry.bytes, count: entry.length))
      file = file?.advanced(by: 1)
    }
    return files
  }()
}

extension CodeDrawingError {
  fileprivate static func unknownTemplate(_ name: String) -> CodeDrawingError {
    CodeDrawingError(
      .unknownTemplate, "No template has the name “\(name.prefix(60))”.",
      hint: "Use \(PosterTemplate.names.joined(separator: ", ")), or a file that ends with .json.")
  }
}
