public import ArgumentParser
public import Invocation

/// Where whoever reads a code stands.
struct PositionOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Where the code is read, in degrees (WGS 84), for example 37.3230,-122.0322.",
      valueName: "lat,lon"))
  var at: PositionArgument?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How far the true position may be from --at, in metres; 0 is exact.",
      valueName: "metres"))
  var accuracy: Double = 0

  @Flag(name: .customLong("no-location"), help: "Waive the location confirmation.")
  var noLocation = false

  /// An accuracy that says nothing: more than half the way around the Earth, in metres.
  private static let worstAccuracy: Double = 20_100_000

  func validate() throws {
    if noLocation, at != nil {
      throw ValidationError("--at and --no-location exclude each other: give one of them.")
    }
    guard (0...Self.worstAccuracy).contains(accuracy) else {
      throw ValidationError(
        "--accuracy takes metres from 0 to \(Int(Self.worstAccuracy)); got \(accuracy).")
    }
    if at == nil, accuracy != 0 {
      throw ValidationError("--accuracy says how exact --at is: give --at LAT,LON as well.")
    }
  }

  /// What is known about the position of a code that was read from its carrier.
  var evidenceForReading: LocationEvidence {
    if noLocation { return .waived }
    return fix.map(LocationEvidence.fix) ?? .missing
  }

  /// What is known about the position when a payload is only looked up.
  var evidenceForLookup: LocationEvidence {
    if noLocation { return .waived }
    return fix.map(LocationEvidence.fix) ?? .notAsked
  }

  private var fix: LocationFix? {
    at.flatMap { LocationFix(coordinate: $0.coordinate, accuracy: accuracy) }
  }
}

/// `LAT,LON` in degrees.
struct PositionArgument: ExpressibleByArgument, Sendable {
  let coordinate: Coordinate

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let latitude = Double(parts[0].trimmingPrefix { $0 == " " }),
      let longitude = Double(parts[1].trimmingPrefix { $0 == " " }),
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    self.coordinate = coordinate
  }
}

/// Which reading of Apple's word "prefix" decides.
struct MatchingOptions: ParsableArguments {
  @Option(
    name: .long,
    help: """
      How a registered link covers a URL: segment (whole path segments) or string. Apple does not \
      say; where the two disagree the state is ambiguous.
      """)
  var matching: PrefixEngine = .segment
}

extension PrefixEngine: ExpressibleByArgument {}
