import ArgumentParser
import CliptagBasics
import Jobs
import Pictures
import Verifying

/// Options for pictures of the result.
struct AnnotateOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Draw the picture with the verdict at each code (.png .svg .pdf).",
      discussion: """
        For several pictures or pages, give an existing folder: each becomes a PNG named after \
        its picture, such as wall-checked.png.
        """,
      valueName: "file"),
    completion: .file(extensions: ["png", "svg", "pdf"]))
  var annotate: String?

  /// Returns the place of the drawings of a run, or `nil` if they were not requested.
  ///
  /// - Parameter inputs: Every picture of the run.
  /// - Throws: `AnnotationPlace.Problem`, or `IssuingError` if the place cannot be written.
  func place(for inputs: [PictureInput]) throws -> AnnotationPlace? {
    try annotate.map { try AnnotationPlace($0, inputs: inputs.map(\.path)) }
  }
}

extension AnnotationResult {
  /// The line that people read.
  var text: String {
    "\(output)  shows \(codes == 1 ? "1 code" : "\(codes) codes") of \(title)"
  }
}

extension Failure {
  /// The failure to create a drawing's file, whatever the cause.
  static func notDrawn(_ output: String, _ error: any Error) -> Failure {
    let failure = Failure(describing: error, source: output)
    guard error is PictureError, failure.status != .interrupted else { return failure }
    return Failure(
      failure.code, .cannotCreate, failure.message, hint: failure.hint, source: output)
  }

  /// A place that cannot hold the drawings.
  init(_ problem: AnnotationPlace.Problem) {
    let (message, hint) = problem.words
    self.init("usage", .usage, message, hint: hint)
  }
}

extension AnnotationPlace.Problem {
  /// The problem and its solution, in the words of the command.
  fileprivate var words: (message: String, hint: String) {
    switch self {
    case .standardInput:
      (
        "A picture from standard input can be read once only, and --annotate reads it again.",
        "Save it to a file and scan that."
      )
    case .standardOutput:
      (
        "Standard output carries the results and cannot carry a picture as well.",
        "Give a file or a folder: --annotate checked.png"
      )
    case .noFolder(let path):
      (
        "\(path) is not a folder, which several pictures need.",
        "Create it first: mkdir checked; then --annotate checked"
      )
    case .unknownFormat(let path):
      (
        "The extension of \(path) is not that of a supported format.",
        "End the file name in .png, .svg or .pdf, such as \(path.withEnding("png")), or give an existing "
          + "folder."
      )
    case .overwrites(let path):
      ("\(path) is an input picture; it is not overwritten.", "Give another file.")
    case .severalPages(let input, let count, let path):
      (
        "\(input) has \(count) pages, but \(path) is one picture.",
        "Give an existing folder: mkdir checked; then --annotate checked"
      )
    }
  }
}
