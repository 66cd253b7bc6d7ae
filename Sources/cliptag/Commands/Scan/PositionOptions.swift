public import ArgumentParser
public import Invocation
import PositionSources
import Verifying

/// Options for the position at which a code is read.
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

  @Option(
    name: .customLong("position-note"),
    help: ArgumentHelp("Who says where --at is, and why; kept with it.", valueName: "text"))
  var note: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Take the position from the gpsd on this host; its port is 2947 when none is given.",
      valueName: "host:port"))
  var gpsd: GPSDArgument?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Take the position from a receiver that speaks NMEA, for example /dev/ttyACM0:9600.",
      valueName: "device:speed"),
    completion: .file())
  var nmea: ReceiverArgument?

  @Option(
    name: .customLong("position-timeout"), parsing: .unconditional,
    help: ArgumentHelp(
      "How long a receiver is listened to until its position decides (default: 30).",
      valueName: "seconds"))
  var timeout: Double?

  @Flag(
    name: .customLong("allow-simulated-position"),
    help: "Believe a receiver that says it simulates.")
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
        "--accuracy takes metres from 0 to \(Int(Self.worstAccuracy)); got \(accuracy).")
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
      throw ValidationError("--position-note says why --at is believed: give --at LAT,LON as well.")
    }
    if let note, note.isEmpty || note.count > 500 {
      throw ValidationError("--position-note takes 1 to 500 characters.")
    }
    if !hasReceiver, allowsSimulated || timeout != nil {
      throw ValidationError(
        "--position-timeout and --allow-simulated-position belong to --gpsd or --nmea.")
    }
    if let timeout, !(1...3_600).contains(timeout) {
      throw ValidationError("--position-timeout takes seconds from 1 to 3600; got \(timeout).")
    }
  }

  /// Refuses options that only make sense together.
  ///
  /// - Parameter fromPictures: Whether each picture has its own position.
  func checkSources(fromPictures: Bool = false) throws {
    if fromPictures, at != nil || hasReceiver || noLocation {
      throw ValidationError(
        "--exif-position takes the place of --at, --gpsd, --nmea and --no-location: give one.")
    }
    if at == nil, accuracy != 0, !fromPictures {
      throw ValidationError("--accuracy says how exact --at is: give --at LAT,LON as well.")
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
      console.detail("listening to \(source.description)")
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
      How a registered link covers a URL: segment (whole path segments) or string. Apple does not \
      say; where the two disagree the state is ambiguous.
      """)
  var matching: PrefixEngine = .segment
}

extension PrefixEngine: ExpressibleByArgument {}
