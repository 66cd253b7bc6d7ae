import Foundation
import Invocation
import RegistryDocuments
import Verifying

/// What was given: a registry file, a picture, and where it was taken.
struct Arguments {
  let registry: String
  let picture: String
  let fix: LocationFix

  init?(_ words: [String]) {
    guard words.count == 6, let latitude = Double(words[3]), let longitude = Double(words[4]),
      let accuracy = Double(words[5]),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      let fix = LocationFix(coordinate: coordinate, accuracy: accuracy)
    else { return nil }
    registry = words[1]
    picture = words[2]
    self.fix = fix
  }
}

/// Prints what a code means, with every reason.
func show(_ code: VerifiedCode) {
  print("\(code.verification.payload): \(code.verdict)")
  if let experience = code.verification.experience {
    print("  card: \(experience.card.title ?? "-"), \(experience.card.subtitle ?? "-")")
  }
  if let place = code.verification.place { print("  belongs to: \(place.name)") }
  if let distance = code.verification.location?.distance {
    print("  taken \(Int(distance.rounded())) m from there")
  }
  for finding in code.findings {
    print("  \(finding.severity) \(finding.code.rawValue): \(finding.message)")
  }
}

guard let arguments = Arguments(CommandLine.arguments) else {
  print("usage: VerifyCode REGISTRY.yaml PICTURE LATITUDE LONGITUDE METRES")
  exit(64)
}

do {
  let data = try Data(contentsOf: URL(fileURLWithPath: arguments.registry))
  let reading = try RegistryDocument.read(data, as: .yaml, name: arguments.registry)
  let check = InvocationCheck(directory: ExperienceCatalog(reading.document))
  let verifier = Verifier(check: check, location: .fix(arguments.fix))

  var verdicts: [Verdict] = []
  for await seen in verifier.observations(of: [arguments.picture]) {
    if let failure = seen.failure { throw failure }
    for code in seen.codes { show(code) }
    verdicts += seen.codes.map(\.verdict)
  }
  if verdicts.isEmpty { print("no code in \(arguments.picture)") }
  exit(verdicts.contains { $0 != .accepted } ? 1 : 0)
} catch {
  print(error)
  exit(65)
}
