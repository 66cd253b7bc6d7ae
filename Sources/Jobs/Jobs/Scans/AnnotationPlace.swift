import CliptagPlatform
import Foundation
import Issuing
package import Verifying

/// The names of the pictures with verdicts: one file for one picture, or files in a folder.
public struct AnnotationPlace: Sendable {
  /// The destination of the pictures.
  private enum Target {
    case file(String, PictureAnnotation.Format)
    /// A folder, and for each input the path of its picture but for the page and the ending.
    case folder([String: String])
  }

  /// A place that cannot hold the drawings.
  public enum Problem: Error, Hashable, Sendable {
    /// A picture from standard input cannot be read a second time.
    case standardInput
    /// Standard output carries the results.
    case standardOutput
    /// Several pictures need a folder, and this is none.
    case noFolder(String)
    /// The file's ending names no format.
    case unknownFormat(String)
    /// The file is a picture that is read.
    case overwrites(String)
    /// The document has several pages, and the file holds one picture.
    case severalPages(of: String, count: Int, file: String)
  }

  private let target: Target
  private let inputs: Identities

  /// Determines the names before anything is read.
  ///
  /// - Parameters:
  ///   - path: A file that ends in `.png`, `.svg` or `.pdf`, or a folder that exists.
  ///   - inputs: Every picture that will be read.
  /// - Throws: ``Problem``, or `IssuingError` if the place cannot be written.
  public init(_ path: String, inputs: [String]) throws {
    let known = Identities(of: inputs)
    self.inputs = known
    guard !inputs.contains("-") else { throw Problem.standardInput }
    if PictureFolder.isFolder(path) {
      target = .folder(Self.names(for: inputs, known, in: path))
      try AtomicFile.checkPlace(Self.joined(path, ".cliptag-annotations"))
      return
    }
    guard path != "-" else { throw Problem.standardOutput }
    guard inputs.count == 1, !inputs.contains(where: PictureFolder.isFolder) else {
      throw Problem.noFolder(path)
    }
    guard let format = PictureAnnotation.Format(fileName: path) else {
      throw Problem.unknownFormat(path)
    }
    guard !known.contains(path) else { throw Problem.overwrites(path) }
    try AtomicFile.checkPlace(path)
    target = .file(path, format)
  }

  /// Checks that there is a place for every page of a picture.
  func check(_ input: String, pageCount: Int) throws(Problem) {
    guard case .file(let path, _) = target, pageCount > 1 else { return }
    throw .severalPages(of: input, count: pageCount, file: path)
  }

  /// Returns the file for a page of a picture.
  ///
  /// - Parameters:
  ///   - input: The picture as it was named.
  ///   - page: The page, from 1.
  ///   - pageCount: The number of pages of the picture, after ``check(_:pageCount:)``.
  package func file(
    for input: String, page: Int, of pageCount: Int
  ) throws(Problem) -> (path: String, format: PictureAnnotation.Format) {
    switch target {
    case .file(let path, let format):
      return (path, format)
    case .folder(let names):
      let name = (names[input] ?? input) + (pageCount > 1 ? "-page-\(page)" : "") + ".png"
      guard !inputs.contains(name) else { throw .overwrites(name) }
      return (name, .png)
    }
  }

  /// `posters/wall.jpg` becomes `wall-checked`; a second `wall` becomes `wall-2-checked`.
  private static func names(
    for inputs: [String], _ known: Identities, in folder: String
  ) -> [String: String] {
    var names: [String: String] = [:]
    var taken: Set<String> = []
    for input in inputs where names[input] == nil {
      let file = (input as NSString).lastPathComponent as NSString
      let base = file.deletingPathExtension
      var name = "\(base)-checked"
      var number = 2
      while taken.contains(name) || known.contains(joined(folder, name + ".png")) {
        name = "\(base)-\(number)-checked"
        number += 1
      }
      taken.insert(name)
      names[input] = joined(folder, name)
    }
    return names
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}

/// The identities of the pictures' files, independent of the paths and links that lead to them.
private struct Identities {
  private struct Identity: Hashable {
    let device: dev_t
    let number: ino_t

    init?(_ path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { return nil }
      (device, number) = (facts.st_dev, facts.st_ino)
    }
  }

  private let known: Set<Identity>

  init(of paths: [String]) { known = Set(paths.compactMap(Identity.init)) }

  func contains(_ path: String) -> Bool { Identity(path).map(known.contains) ?? false }
}
