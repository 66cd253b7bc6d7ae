import ArgumentParser
import Jobs

/// The names of jobs' inputs: options on the command line, members of JSON at the station.
enum InputNames {
  /// Whether inputs are named, and advice is worded, by options: a request to the station has
  /// members instead, and advice in the library's wording.
  @TaskLocal static var areOptions = true

  /// The option of an input: `callToAction` is `--call-to-action`.
  static func option(_ input: JobInput) -> String {
    "--" + ([.captions: "caption", .texts: "text"][input] ?? input.hyphenated)
  }

  /// The name of an input in the face that runs the job.
  static func own(_ input: JobInput) -> String { areOptions ? option(input) : input.rawValue }
}

extension InputError {
  /// The mistake as the parser of arguments reports its own.
  var asUsage: ValidationError { ValidationError(sentence(naming: InputNames.option)) }
}
