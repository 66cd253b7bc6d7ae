import Deployment
import Foundation
import Glibc

/// The names of the pictures of the result: one file for one picture, or files in a folder.
struct AnnotationPlace: Sendable {
  /// Where they go.
  private enum Target {
    case file(String, PictureAnnotation.Format)
    /// A folder, and for each input the path of its picture but for the page and the ending.
    case folder([String: String])
  }

  private let target: Target
  private let inputs: Identities

  /// Settles the names before anything is read.
  ///
  /// - Parameters:
  ///   - path: What the user named.
  ///   - inputs: Every picture that will be read.
  /// - Throws: ``Failure`` with `usage`, or `DeploymentError` when the place cannot be written.
  init(_ path: String, inputs: [String]) throws {
    let known = Identities(of: inputs)
    self.inputs = known
    guard !inputs.contains("-") else {
      throw Self.misuse(
        "A picture from standard input can be read once only, and --annotate reads it again.",
        "Save it to a file and scan that.")
    }
    if Self.isFolder(path) {
      target = .folder(Self.names(for: inputs, known, in: path))
      try AtomicFile.checkPlace(Self.joined(path, ".cliptag-annotations"))
      return
    }
    guard path != "-" else {
      throw Self.misuse(
        "Standard output carries the results and cannot carry a picture as well.",
        "Name a file or a folder: --annotate checked.png")
    }
    guard inputs.count == 1, !inputs.contains(where: Self.isFolder) else {
      throw Self.misuse(
        "\(path) is not a folder, and several pictures need one.",
        "Make it first, and name it: mkdir checked; then --annotate checked")
    }
    guard let format = PictureAnnotation.Format(fileName: path) else {
      throw Self.misuse(
        "The ending of \(path) names no format that can be drawn.",
        "End the file name in .png, .svg or .pdf, or name a folder that exists.")
    }
    try Self.refuse(path, over: known)
    try AtomicFile.checkPlace(path)
    target = .file(path, format)
  }

  /// Says whether there is a place for every page of a picture.
  ///
  /// - Parameters:
  ///   - input: The picture as it was named.
  ///   - pageCount: How many pages the picture has.
  /// - Throws: ``Failure`` with `usage` for a document of several pages that has one file only.
  func check(_ input: String, pageCount: Int) throws {
    guard case .file(let path, _) = target, pageCount > 1 else { return }
    throw Self.misuse(
      "\(input) has \(pageCount) pages, and \(path) holds one picture.",
      "Name a folder that exists: mkdir checked; then --annotate checked")
  }

  /// The file for a page of a picture.
  ///
  /// - Parameters:
  ///   - input: The picture as it was named.
  ///   - page: The page, from 1.
  ///   - pageCount: How many pages the picture has, after ``check(_:pageCount:)``.
  /// - Throws: ``Failure`` with `usage` when the file is one of the pictures that are read.
  func file(
    for input: String, page: Int, of pageCount: Int
  ) throws -> (path: String, format: PictureAnnotation.Format) {
    switch target {
    case .file(let path, let format):
      return (path, format)
    case .folder(let names):
      let name = (names[input] ?? input) + (pageCount > 1 ? "-page-\(page)" : "") + ".png"
      try Self.refuse(name, over: inputs)
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

  private static func refuse(_ path: String, over inputs: Identities) throws {
    guard inputs.contains(path) else { return }
    throw misuse(
      "\(path) is a picture that is read; it is not overwritten.", "Name another file.")
  }

  private static func misuse(_ message: String, _ hint: String) -> Failure {
    Failure("usage", .usage, message, hint: hint)
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}

/// Which files the pictures are, whatever paths and links lead to them.
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
