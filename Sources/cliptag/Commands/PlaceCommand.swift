import ArgumentParser
import Invocation
import Registry

/// `cliptag place …`
struct PlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place",
    abstract: "The places where codes belong.",
    subcommands: [List.self, Show.self, Add.self, Remove.self])

  /// `cliptag place list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "List every place.", discussion: "Example:\n  cliptag place list")
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let places = try global.registryForReading(console).places()
      for place in places { console.result(place.json, text: place.text) }
      if places.isEmpty { console.say("No places. Bring some in: cliptag registry import FILE") }
    }
  }

  /// `cliptag place show ID…`
  struct Show: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show places by their ids.", discussion: "Example:\n  cliptag place show cupertino")
    @Argument(help: "Ids of places.")
    var ids: [String]
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      for id in ids {
        if let place = try registry.place(id: id) {
          console.result(place.json, text: place.text)
        } else {
          console.report(.notFound("place", id, see: "cliptag place list"))
        }
      }
    }
  }

  /// `cliptag place add ID`
  struct Add: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a place.",
      discussion: """
        Example:
          cliptag place add berkeley --name "Fruta Berkeley" \\
            --at 37.8703,-122.2680 --radius 80
        """)
    @Argument(help: "The short name that payloads carry.")
    var id: String
    @Option(help: "The name people use (default: the id).")
    var name: String?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The centre in degrees (WGS 84).", valueName: "lat,lon"))
    var at: PositionArgument
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "The radius in metres, over 0 and at most 500 (Apple's limit).", valueName: "metres"))
    var radius: Double
    @Flag(help: "Replace the place if it exists.")
    var replace = false
    @Flag(name: [.long, .customShort("n")], help: "Only say what would be added.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws { _ = try circle() }

    private func circle() throws -> Region.Circle {
      guard let circle = Region.Circle(center: at.coordinate, radius: radius) else {
        throw ValidationError("--radius is over 0 and at most 500 metres; got \(radius).")
      }
      return circle
    }

    func execute(_ console: Console) async throws {
      let place = Place(id: id, name: name ?? id, region: .circle(try circle()))
      let registry = try global.registryForChange(dryRun: dryRun, console)
      if replace, try registry.place(id: id) != nil {
        try registry.replace(place)
      } else {
        try registry.add(place)
      }
      console.result(
        place.json, text: "\(dryRun ? "would add" : "added") \(place.text)")
    }
  }

  /// `cliptag place remove ID…`
  struct Remove: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove places.",
      discussion: """
        A place that an experience or an issued code names is kept unless --even-if-in-use is given.

        Example:
          cliptag place remove berkeley
        """)
    @Argument(help: "Ids of places.")
    var ids: [String]
    @Flag(help: "Remove it although experiences or codes name it.")
    var evenIfInUse = false
    @Flag(name: [.long, .customShort("n")], help: "Only say what would be removed.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForChange(dryRun: dryRun, console)
      for id in ids {
        console.attempt(id) {
          guard let place = try registry.place(id: id) else {
            throw Failure.notFound("place", id, see: "cliptag place list")
          }
          try registry.removePlace(id: id, evenIfInUse: evenIfInUse)
          console.result(place.json, text: "\(dryRun ? "would remove" : "removed") \(place.text)")
        }
      }
    }
  }
}

extension Place {
  /// The `place` object of a listing.
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("type", "place"), ("id", .string(id)), ("name", .string(name)),
    ]
    switch region {
    case .circle(let circle):
      members += [
        ("latitude", .exact(circle.center.latitude)),
        ("longitude", .exact(circle.center.longitude)),
        ("radius", .number(circle.radius)), ("polygon", .null),
      ]
    case .polygon(let polygon):
      members += [
        ("latitude", .null), ("longitude", .null), ("radius", .null),
        (
          "polygon",
          .array(polygon.corners.map { .array([.exact($0.latitude), .exact($0.longitude)]) })
        ),
      ]
    }
    return .object(members)
  }

  /// One line for people.
  var text: String {
    switch region {
    case .circle(let circle):
      """
      \(id): \(name), \(circle.radius.asDistance) around \(circle.center.latitude), \
      \(circle.center.longitude)
      """
    case .polygon(let polygon):
      "\(id): \(name), a polygon of \(polygon.corners.count) corners (no phone can confirm it)"
    }
  }
}

extension Failure {
  /// Something named on the command line that the registry does not hold.
  static func notFound(_ kind: String, _ name: String, see command: String) -> Failure {
    Failure(
      "not-found", .noInput, "The registry holds no \(kind) \(name).",
      hint: "See what there is: \(command)", source: name)
  }
}
