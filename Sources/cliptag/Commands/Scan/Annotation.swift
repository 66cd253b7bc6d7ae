import CliptagBasics
import ArgumentParser
import CodeDrawing
import Foundation
import Glibc
import Issuing
import Pictures
import Verifying

/// Options for pictures of the result.
struct AnnotateOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Draw the picture with the verdict at each code (.png .svg .pdf).",
      discussion: """
        For several pictures or pages, name a folder that exists: each becomes a PNG named after \
        its picture, such as wall-checked.png.
        """,
      valueName: "file"),
    completion: .file(extensions: ["png", "svg", "pdf"]))
  var annotate: String?

  /// Returns the drawings of a run, or `nil` if they were not requested.
  ///
  /// - Parameter inputs: Every picture of the run.
  /// - Throws: ``Failure`` when the place cannot be written, would overwrite a picture that is
  ///   read, or cannot hold what the run draws.
  func output(for inputs: [PictureInput]) throws -> AnnotationOutput? {
    guard let annotate else { return nil }
    return try AnnotationOutput(to: annotate, inputs: inputs)
  }
}

/// Draws the pictures of a scan with their verdicts, when all of them are scanned.
///
/// Each picture is then read a second time, in colour: a run without drawings has no extra cost,
/// and no more than one picture is held in colour.
final class AnnotationOutput {
  private let place: AnnotationPlace
  private let inputs: [PictureInput]
  /// The observations in each picture, by its name.
  private var seen: [String: [CodeObservation]] = [:]

  init(to path: String, inputs: [PictureInput]) throws {
    place = try AnnotationPlace(path, inputs: inputs.map(\.path))
    self.inputs = inputs
  }

  /// Takes note of what was observed. A picture that was named twice is drawn once.
  func note(_ page: CodeObservation) {
    guard seen[page.source]?.last?.end == nil else { return }
    seen[page.source, default: []].append(page)
  }

  /// Draws every picture that was scanned to its end, and reports it. A failure is reported, and
  /// the next picture is drawn.
  func draw(_ console: Console) async {
    var drawn: Set<String> = []
    for input in inputs where drawn.insert(input.path).inserted && !Task.isCancelled {
      guard let pages = seen[input.name], let end = pages.last?.end, end != .notAPicture
      else { continue }
      // The user has been informed already.
      let hasFailed = pages.contains { $0.failure != nil }
      do {
        let file = try await PictureLoader().open(path: input.path, named: input.name)
        do { try place.check(input.path, pageCount: file.pageCount) } catch {
          console.report(Failure(describing: error, source: input.name))
          continue
        }
        for number in 1...max(1, file.pageCount) where !Task.isCancelled {
          await draw(page: number, of: file, named: input.path, pages, console)
        }
      } catch {
        if !hasFailed { console.report(Failure(describing: error, source: input.name)) }
      }
    }
  }

  private func draw(
    page number: Int, of file: PictureFile, named input: String,
    _ pages: [CodeObservation], _ console: Console
  ) async {
    var output = input
    do {
      let (path, format) = try place.file(for: input, page: number, of: file.pageCount)
      output = path
      // The scan has reported pages that it could not load.
      guard let page = try await page(number, of: file, pages) else { return }
      let seen = pages.filter { $0.page == nil || $0.page == number }
      let codes = seen.flatMap(\.codes).filter { $0.failure == nil }
      let sheet = file.pageCount > 1 ? ", page \(number)" : ""
      let annotation = try await PictureAnnotation(
        of: page, codes: codes,
        unread: seen.flatMap { $0.failure == nil ? $0.unread : [] },
        title: file.source + sheet)
      let bytes = try await annotation.data(as: format, named: path)
      try AtomicFile(path: path, bytes: bytes).commit()
      console.result(
        .object([
          ("type", "annotation"), ("output", .string(path)), ("source", .string(input)),
          ("page", JSONValue(file.isDocument ? number : nil)), ("codes", .integer(codes.count)),
        ]),
        text: "\(path)  shows \(codes.count == 1 ? "1 code" : "\(codes.count) codes") of "
          + "\(file.source)\(sheet)")
    } catch {
      console.report(Self.failure(error, output))
    }
  }

  private func page(
    _ number: Int, of file: PictureFile, _ pages: [CodeObservation]
  ) async throws(PictureError) -> LoadedPicture? {
    do {
      return try await file.page(number)
    } catch {
      guard pages.contains(where: { $0.failure != nil }), error.code != .cancelled else {
        throw error
      }
      return nil
    }
  }

  /// Returns the failure to create a drawing's file, whatever the cause.
  private static func failure(_ error: any Error, _ output: String) -> Failure {
    let failure = Failure(describing: error, source: output)
    guard error is PictureError, failure.status != .interrupted else { return failure }
    return Failure(
      failure.code, .cannotCreate, failure.message, hint: failure.hint, source: output)
  }
}

/// The names of the pictures of the result: one file for one picture, or files in a folder.
struct AnnotationPlace: Sendable {
  /// The destination of the pictures.
  private enum Target {
    case file(String, PictureAnnotation.Format)
    /// A folder, and for each input the path of its picture but for the page and the ending.
    case folder([String: String])
  }

  private let target: Target
  private let inputs: Identities

  /// Determines the names before anything is read.
  ///
  /// - Parameters:
  ///   - path: The path that the user named.
  ///   - inputs: Every picture that will be read.
  /// - Throws: ``Failure`` with `usage`, or `IssuingError` when the place cannot be written.
  init(_ path: String, inputs: [String]) throws {
    let known = Identities(of: inputs)
    self.inputs = known
    guard !inputs.contains("-") else {
      throw Self.misuse(
        "A picture from standard input can be read once only, and --annotate reads it again.",
        "Save it to a file and scan that.")
    }
    if PictureFolder.isFolder(path) {
      target = .folder(Self.names(for: inputs, known, in: path))
      try AtomicFile.checkPlace(Self.joined(path, ".cliptag-annotations"))
      return
    }
    guard path != "-" else {
      throw Self.misuse(
        "Standard output carries the results and cannot carry a picture as well.",
        "Name a file or a folder: --annotate checked.png")
    }
    guard inputs.count == 1, !inputs.contains(where: PictureFolder.isFolder) else {
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

  /// Checks that there is a place for every page of a picture.
  ///
  /// - Parameters:
  ///   - input: The picture as it was named.
  ///   - pageCount: The number of pages of the picture.
  /// - Throws: ``Failure`` with `usage` for a document of several pages that has one file only.
  func check(_ input: String, pageCount: Int) throws {
    guard case .file(let path, _) = target, pageCount > 1 else { return }
    throw Self.misuse(
      "\(input) has \(pageCount) pages, and \(path) holds one picture.",
      "Name a folder that exists: mkdir checked; then --annotate checked")
  }

  /// Returns the file for a page of a picture.
  ///
  /// - Parameters:
  ///   - input: The picture as it was named.
  ///   - page: The page, from 1.
  ///   - pageCount: The number of pages of the picture, after ``check(_:pageCount:)``.
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
