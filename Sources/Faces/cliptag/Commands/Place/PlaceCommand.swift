import Jobs
import CliptagBasics
import ArgumentParser
import Invocation
import Registry

/// `cliptag place …`
struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "Manage the places of codes.",
    subcommands: [List.self, Show.self, Add.self, Remove.self])

  /// `cliptag place list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List every place.", discussion: "Example:\n  cliptag place list")
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      try console.showPlaces(of: global.registryForReading(console))
    }
  }

  /// `cliptag place show ID…`
  struct Show: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show places by their ids.", discussion: "Example:\n  cliptag place show cupertino")
    @Argument(help: "Ids of places.", completion: .places)
    var ids: [String]
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      for id in ids {
        if let place = try registry.place(id: id) {
          console.result(of: PlaceResult(place), text: place.text)
        } else {
          console.report(Failure(describing: try NotOnRecord(place: id, in: registry)))
        }
      }
    }
  }

  /// `cliptag place add ID`
  struct Add: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Add a place.",
      discussion: """
        A place may have further regions, such as a second entrance: circles LAT,LON,RADIUS, or \
        polygons of three or more corners "LAT,LON LAT,LON LAT,LON". Phones cannot confirm such a \
        place, because they use one circle; cliptag's check covers all regions.

        Examples:
          cliptag place add berkeley --name "Fruta Berkeley" \\
            --at 37.8703,-122.2680 --radius 80
          cliptag place add oakland --at 37.8044,-122.2712 --radius 60 \\
            --also 37.8050,-122.2690,40
        """)
    @Argument(help: "The short name in payloads.")
    var id: String
    @Option(help: "The full name (default: the id).")
    var name: String?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The centre in degrees (WGS 84).", valueName: "lat,lon"))
    var at: PositionArgument
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The radius in metres, above 0 and at most 500 (Apple's limit).", valueName: "metres"))
    var radius: Double
    @Option(
      parsing: .unconditionalSingleValue,
      help: ArgumentHelp(
        "A further circle or polygon of the place; may be repeated.", valueName: "region"))
    var also: [RegionArgument] = []
    @Option(
      help: ArgumentHelp(
        "The language of the signs there, such as de or pt-BR.", valueName: "tag"))
    var language: String?
    @Flag(help: "Replace the place if it exists.")
    var replace = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the addition.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws { _ = try circle() }

    private func circle() throws -> Region.Circle {
      guard let circle = Region.Circle(centre: at.coordinate, radius: radius) else {
        throw ValidationError("--radius must be above 0 and at most 500 metres, not \(radius).")
      }
      return circle
    }

    func execute(_ console: Console) async throws {
      let circle = Region.circle(try circle())
      let place = Place(
        id: id, name: name ?? id, region: Region([circle] + also.map(\.region)) ?? circle,
        language: language)
      let registry = try global.registryForChange(dryRun: dryRun, console)
      if replace, try registry.place(id: id) != nil {
        try registry.replace(place)
      } else {
        try registry.add(place)
      }
      console.result(
        of: PlaceResult(place), text: "\(dryRun ? "would add" : "added") \(place.text)")
    }
  }

  /// `cliptag place remove ID…`
  struct Remove: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove places.",
      discussion: """
        A place used by an experience or an issued code is kept unless --even-if-in-use is given.

        Example:
          cliptag place remove berkeley
        """)
    @Argument(help: "Ids of places.", completion: .places)
    var ids: [String]
    @Flag(help: "Remove it even if experiences or codes use it.")
    var evenIfInUse = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the removal.")
    var dryRun = false
    @Flag(help: "Do not prompt on the terminal.")
    var yes = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForChange(dryRun: dryRun, console)
      for id in ids {
        console.attempt(id) {
          guard let place = try registry.place(id: id) else {
            throw try NotOnRecord(place: id, in: registry)
          }
          guard
            try Prompt.isAgreed(
              "Remove \(place.text)\(evenIfInUse ? ", even if codes use it" : "")?",
              isGiven: yes || dryRun, console)
          else { return }
          try registry.removePlace(id: id, evenIfInUse: evenIfInUse)
          console.result(
            of: PlaceResult(place), text: "\(dryRun ? "would remove" : "removed") \(place.text)")
        }
      }
    }
  }
}

extension Console {
  /// Lists every place.
  func showPlaces(of registry: any RegistryStore) throws {
    let places = try registry.places()
    for place in places { result(of: PlaceResult(place), text: place.text) }
    if places.isEmpty { say("No places. Add one: cliptag place add --help") }
  }
}

extension Place {
  /// One line for people.
  var text: String {
    let note: String? =
      switch region {
      case .circle: nil
      case .polygon: "phones cannot confirm it"
      case .several(let several): "\(several.regions.count) regions, phones cannot confirm them"
      }
    return "\(id): \(name), \(region.text)" + (note.map { " (\($0))" } ?? "")
  }
}

extension Region {
  /// The region for people.
  fileprivate var text: String {
    switch self {
    case .circle(let circle):
      """
      \(circle.radius.asDistance) around \(circle.centre.latitude), \(circle.centre.longitude)
      """
    case .polygon(let polygon):
      "a polygon of \(polygon.corners.count) corners"
    case .several(let several): several.regions.map(\.text).joined(separator: "; ")
    }
  }
}

extension Failure {
  /// Something named on the command line that the registry does not hold.
  ///
  /// - Parameter similar: Names that exist and may be meant.
  static func notFound(
    _ kind: String, _ name: String, similar: [String] = [], see command: String
  ) -> Failure {
    Failure(
      "not-found", .noInput, "The registry has no \(kind) \(name).",
      hint: [similar.didYouMean, "List the existing ones: \(command)"].sentences, source: name)
  }
}

/// `LAT,LON,RADIUS` in degrees and metres, or a polygon: `LAT,LON LAT,LON LAT,LON`.
struct RegionArgument: ExpressibleByArgument, Sendable {
  let region: Region

  init?(argument: String) {
    let points = argument.split(separator: " ")
    if points.count == 1 {
      let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      guard numbers.count == 3, let radius = Double(numbers[2]),
        let centre = PositionArgument(argument: numbers[..<2].joined(separator: ",")),
        let circle = Region.Circle(centre: centre.coordinate, radius: radius)
      else { return nil }
      region = .circle(circle)
    } else {
      let corners = points.compactMap { PositionArgument(argument: String($0))?.coordinate }
      guard corners.count == points.count, Set(corners).count >= 3,
        let polygon = Region.Polygon(corners: corners)
      else { return nil }
      region = .polygon(polygon)
    }
  }
}
