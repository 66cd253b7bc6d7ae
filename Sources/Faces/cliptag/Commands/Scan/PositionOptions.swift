import CliptagBasics
public import ArgumentParser
public import Invocation
import PositionSources
import Verifying

/// Options for the position at which a code is read.
struct PositionOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The position of the reading in degrees (WGS 84), for example 37.3230,-122.0322.",
      valueName: "lat,lon"))
  var at: PositionArgument?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "The accuracy of --at, in metres; 0 is exact.",
      valueName: "metres"))
  var accuracy: Double = 0

  @Option(
    name: .customLong("position-note"),
    help: ArgumentHelp("The source of --at, stored with it.", valueName: "text"))
  var note: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use the position from the gpsd on this host (default port: 2947).",
      valueName: "host:port"))
  var gpsd: GPSDArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Use the position from an NMEA receiver, for example /dev/ttyACM0:9600.",
      valueName: "device:speed"),
    completion: .file())
  var nmea: ReceiverArgument?

  @Option(
    name: .customLong("position-timeout"), parsing: .unconditional,
    help: ArgumentHelp(
      "The time limit for a conclusive position (default: 30).",
      valueName: "seconds"))
  var timeout: Double?

  @Flag(
    name: .customLong("allow-simulated-position"),
    help: "Accept simulated positions of a receiver.")
  var allowsSimulated = false

  @Flag(name: .customLong("no-location"), help: "Waive the location confirmation.")
  var noLocation = false

  /// An accuracy without information: more than half the way around the Earth, in metres.
  static let worstAccuracy: Double = 20_100_000

  func validate() throws {
    if noLocation, at != nil {
      throw ValidationError("--at and --no-location exclude each other: give one of them.")
    }
    guard (0...Self.worstAccuracy).contains(accuracy) else {
      throw ValidationError(
        "--accuracy must be 0 to \(Int(bounded: Self.worstAccuracy)) metres, not \(accuracy).")
    }
    let sources = [
      ("--at", at != nil), ("--gpsd", gpsd != nil), ("--nmea", nmea != nil),
      ("--no-location", noLocation),
    ].filter(\.1)
    if sources.count > 1 {
      throw ValidationError(
        "\(sources.map(\.0).joined(separator: " and ")) exclude each other: give one of them.")
    }
    if at == nil, note != nil {
      throw ValidationError("--position-note needs --at LAT,LON.")
    }
    if let note, note.isEmpty || note.count > 500 {
      throw ValidationError("--position-note must have 1 to 500 characters.")
    }
    if !hasReceiver, allowsSimulated || timeout != nil {
      throw ValidationError(
        "--position-timeout and --allow-simulated-position need --gpsd or --nmea.")
    }
    if let timeout, !(1...3_600).contains(timeout) {
      throw ValidationError("--position-timeout must be 1 to 3600 seconds, not \(timeout).")
    }
  }

  /// Refuses options that only make sense together.
  ///
  /// - Parameter fromPictures: Whether each picture has its own position.
  func checkSources(fromPictures: Bool = false) throws {
    if fromPictures, at != nil || hasReceiver || noLocation {
      throw ValidationError(
        "--exif-position excludes --at, --gpsd, --nmea and --no-location: give one.")
    }
    if at == nil, accuracy != 0, !fromPictures {
      throw ValidationError("--accuracy needs --at LAT,LON.")
    }
  }

  /// Whether the position comes from a receiver.
  var hasReceiver: Bool { gpsd != nil || nmea != nil }

  /// The evidence about the position of a code that was read from its carrier.
  var evidenceForReading: LocationEvidence {
    if noLocation { return .waived }
    return fix.map(LocationEvidence.fix) ?? .missing
  }

  /// The evidence about the position when a payload is only looked up.
  var evidenceForLookup: LocationEvidence {
    if noLocation { return .waived }
    return fix.map(LocationEvidence.fix) ?? .notAsked
  }

  /// The position from each picture; the accuracy is for those that do not state theirs.
  var pictureLocation: PictureLocation {
    PictureLocation(accuracy: accuracy > 0 ? accuracy : nil)
  }

  private var fix: LocationFix? {
    at.flatMap {
      LocationFix(
        coordinate: $0.coordinate, accuracy: accuracy,
        origin: PositionOrigin(kind: .given, note: note))
    }
  }

  /// Opens the receiver, when one was named.
  ///
  /// - Parameter staysPut: Whether every code is read from one spot.
  func watch(staysPut: Bool, _ console: Console) async throws -> PositionWatch? {
    let source: any PositionSource
    if let gpsd {
      source = GPSDSource(gpsd.address)
    } else if let nmea {
      source = try SerialNMEASource(nmea.path, speed: nmea.speed)
    } else {
      return nil
    }
    try await source.open()
    let finder = PositionFinder(
      source: source, filter: PositionFilter(allowsSimulated: allowsSimulated),
      clock: ContinuousClock())
    let limit = Duration.seconds(timeout ?? 30)
    return PositionWatch(staysPut: staysPut) { decided async throws(PositionError) in
      console.detail("reading \(source.description)")
      return try await finder.find(until: decided, timeout: limit)
    }
  }
}

/// `HOST:PORT` or `HOST` of a gpsd.
struct GPSDArgument: ExpressibleByArgument, Sendable {
  let address: GPSDAddress

  init?(argument: String) {
    guard let address = GPSDAddress(argument) else { return nil }
    self.address = address
  }
}

/// `DEVICE` or `DEVICE:SPEED` of a receiver on a serial port.
struct ReceiverArgument: ExpressibleByArgument, Sendable {
  let path: String
  let speed: Int

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    guard let path = parts.first, !path.isEmpty, parts.count <= 2 else { return nil }
    guard let speed = parts.count == 1 ? SerialNMEASource.standardSpeed : Int(parts[1]),
      SerialNMEASource.speeds.contains(speed)
    else { return nil }
    self.path = String(path)
    self.speed = speed
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

/// Options for the reading of Apple's word "prefix".
struct MatchingOptions: ParsableArguments {
  @Option(
    name: .long,
    help: """
      The prefix rule of registered links: segment (whole path segments) or string. Apple does not \
      document it; if the two disagree, the state is ambiguous.
      """)
  var matching: PrefixEngine = .segment
}

extension PrefixEngine: ExpressibleByArgument {}
