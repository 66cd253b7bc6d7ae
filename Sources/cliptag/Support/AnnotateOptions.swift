import ArgumentParser

/// Where pictures of the result are drawn.
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

  /// The drawings of a run, or `nil` when nobody asked.
  ///
  /// - Parameter inputs: Every picture of the run.
  /// - Throws: ``Failure`` when the place cannot be written, would overwrite a picture that is
  ///   read, or cannot hold what the run draws.
  func output(for inputs: [String]) throws -> AnnotationOutput? {
    guard let annotate else { return nil }
    return try AnnotationOutput(to: annotate, inputs: inputs)
  }
}
