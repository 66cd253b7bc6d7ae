public import ArgumentParser
import AppClipCodeFiles
import AppClipCodes
public import Issuing

/// Options for the App Clip Code beside or instead of the QR code.
struct AppClipCodeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The App Clip Code to print beside the QR code: auto (the one on record), its name, or the SVG "
        + "file from Apple's tools.", valueName: "auto|code|file"),
    completion: .file(extensions: ["svg"]))
  var appClipCode: AppClipCodeChoice?
  @Flag(help: "Print the App Clip Code instead of the QR code.")
  var appClipCodeOnly = false
  @Flag(
    help:
      "Accept a file with colours outside Apple's templates, from Apple's generator.")
  var ownColours = false

  /// The deviations that are accepted when a file is read.
  var reading: AppClipCode.Options { AppClipCode.Options(allowsOwnColours: ownColours) }
}

extension AppClipCodeChoice: ExpressibleByArgument {
  /// Every text is a choice.
  public init?(argument: String) { self.init(argument) }
}
