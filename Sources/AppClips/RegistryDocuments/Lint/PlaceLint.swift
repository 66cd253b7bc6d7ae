import CliptagBasics
import Foundation
import Invocation

/// The lint rules for the places of a registry.
struct PlaceLint {
  private let places: [Place]
  /// The circles and polygons, sorted by the id of their places.
  private let regions: [Part]

  /// A circle or polygon of a place, with a circle around it.
  private struct Part {
    let place: Place
    let region: Region
    let bounds: Region.Bounds
  }

  init(_ places: [Place]) {
    self.places = places.sorted { $0.id.utf8Precedes($1.id) }
    regions = self.places.flatMap { place in
      zip(place.regions, place.region.bounds).map { Part(place: place, region: $0, bounds: $1) }
    }
  }

  func findings() -> [Finding] { notConfirmable() + tooClose() + signs() }

  private func notConfirmable() -> [Finding] {
    places.compactMap { place in
      switch place.region {
      case .circle: nil
      case .polygon:
        Finding(
          .polygonNotConfirmable, .note,
          "The place “\(place.id)” is a polygon; phones cannot confirm it, because Apple's "
            + "location confirmation supports circles only.")
      case .several(let several):
        Finding(
          .severalRegionsNotConfirmable, .note,
          "The place “\(place.id)” has \(several.regions.count) regions; phones cannot confirm "
            + "it, because Apple's location confirmation supports one circle only.")
      }
    }
  }

  // MARK: Close places

  /// A cube in space. Around the Earth's surface, cubes need no special cases at the poles and the
  /// date line.
  private struct Cell: Hashable {
    var x: Int
    var y: Int
    var z: Int

    /// The cube and the 26 cubes around it.
    var surroundings: [Cell] {
      (-1...1).flatMap { x in
        (-1...1).flatMap { y in
          (-1...1).map { z in Cell(x: self.x + x, y: self.y + y, z: self.z + z) }
        }
      }
    }
  }

  /// The largest number of neighbours reported for one place.
  private static let maximumNeighbours = 3

  /// Circles around regions of similar size, indexed by cubes as wide as the two largest circles
  /// together.
  private struct SizeClass {
    let width: Double
    var cells: [Cell: [Int]] = [:]

    /// Creates the class of radii from half of this power of two of metres; 0 covers all up to a
    /// metre.
    init(exponent: Int) {
      // A chord is shorter than the distance along the ground, and the sphere differs from the
      // ellipsoid by less than one per cent.
      width = pow(2, Double(exponent)) * 2 * 1.01
    }
  }

  /// Returns pairs of places whose regions overlap, each reported once.
  ///
  /// Circles are processed from the largest on, and each is compared with earlier ones in the cubes
  /// around it, of every size class. So a large place does not make neighbours of many small ones.
  private func tooClose() -> [Finding] {
    var classes: [SizeClass] = []
    var smallest = Int.max
    var findings: [Finding] = []
    var told: Set<[String]> = []
    let order = regions.indices.sorted {
      (-regions[$0].bounds.radius, $0) < (-regions[$1].bounds.radius, $1)
    }
    for index in order {
      let bounds = regions[index].bounds
      let exponent = max(0, Int(bounded: log2(max(bounds.radius, 1)).rounded(.up)))
      if exponent < smallest {
        classes.append(SizeClass(exponent: exponent))
        smallest = exponent
      }
      findings += overlaps(of: index, in: classes, besides: &told)
      let last = classes.count - 1
      let home = cell(of: bounds.centre, width: classes[last].width)
      classes[last].cells[home, default: []].append(index)
    }
    return findings
  }

  private func overlaps(
    of index: Int, in classes: [SizeClass], besides told: inout Set<[String]>
  ) -> [Finding] {
    var findings: [Finding] = []
    let part = regions[index]
    for size in classes {
      for cell in cell(of: part.bounds.centre, width: size.width).surroundings {
        for other in size.cells[cell] ?? [] where regions[other].place.id != part.place.id {
          let near = regions[other]
          let distance = Geodesic.distance(from: part.bounds.centre, to: near.bounds.centre)
          let reach = part.bounds.radius + near.bounds.radius
          guard distance < reach, part.region.overlaps(near.region),
            told.insert([min(part.place.id, near.place.id), max(part.place.id, near.place.id)])
              .inserted
          else { continue }
          findings.append(tooClose(min(index, other), max(index, other), distance, reach))
          if findings.count == Self.maximumNeighbours { return findings }
        }
      }
    }
    return findings
  }

  private func tooClose(
    _ first: Int, _ second: Int, _ distance: Double, _ reach: Double
  ) -> Finding {
    let names = "“\(regions[first].place.id)” and “\(regions[second].place.id)”"
    let areCircles =
      regions[first].place.region.isConfirmableByPhone
      && regions[second].place.region.isConfirmableByPhone
    return Finding(
      .placesTooClose, .warning,
      areCircles
        ? "\(names) are \(Int(bounded: distance.rounded())) m apart, less than their radii together "
          + "(\(reach.plain) m): where they overlap, a code of one would be confirmed in the other."
        : "\(names) have regions that overlap: there, a code of one would be confirmed in the other."
    )
  }

  private func cell(of point: Coordinate, width: Double) -> Cell {
    let latitude = point.latitude * .pi / 180
    let longitude = point.longitude * .pi / 180
    let scale = 6_371_000 / width
    return Cell(
      x: Int(bounded: (cos(latitude) * cos(longitude) * scale).rounded(.down)),
      y: Int(bounded: (cos(latitude) * sin(longitude) * scale).rounded(.down)),
      z: Int(bounded: (sin(latitude) * scale).rounded(.down)))
  }

  // MARK: Wrong signs

  /// The distance within which places count as near others: the width of a cell in metres.
  private static let vicinity = 50_000.0

  /// Finds places far from all others that would be near others with a sign changed or with
  /// latitude and longitude exchanged.
  private func signs() -> [Finding] {
    var cells: [Cell: [Int]] = [:]
    for (index, part) in regions.enumerated() {
      cells[cell(of: part.bounds.centre, width: Self.vicinity), default: []].append(index)
    }
    return regions.enumerated().compactMap { index, part in
      let (place, centre) = (part.place, part.bounds.centre)
      guard near(centre, except: index, cells) == nil else { return nil }
      let guesses: [(Double, Double, String)] = [
        (centre.latitude, -centre.longitude, "the longitude's sign reversed"),
        (-centre.latitude, centre.longitude, "the latitude's sign reversed"),
        (-centre.latitude, -centre.longitude, "both signs reversed"),
        (centre.longitude, centre.latitude, "latitude and longitude exchanged"),
      ]
      for (latitude, longitude, change) in guesses {
        guard let guess = Coordinate(latitude: latitude, longitude: longitude),
          let other = near(guess, except: index, cells)
        else { continue }
        return Finding(
          .signSuspect, .warning,
          "“\(place.id)” is isolated at \(centre.latitude.plain), \(centre.longitude.plain); with "
            + "\(change) it would be near “\(regions[other].place.id)”. Check its coordinates.")
      }
      return nil
    }
  }

  private func near(_ point: Coordinate, except index: Int, _ cells: [Cell: [Int]]) -> Int? {
    for cell in cell(of: point, width: Self.vicinity).surroundings {
      if let other = cells[cell]?.first(where: { $0 != index }) { return other }
    }
    return nil
  }
}
