import CliptagBasics

/// A kind of print that shops order, such as a table tent, as data: its size, its faces with the
/// places of codes and words, and the lines to cut and fold along.
///
/// The files are JSON; ``schema`` describes them for editors. Lengths are in millimetres from the
/// top left corner of the trimmed page, those of elements from that of their face.
public struct PosterTemplate: Hashable, Sendable {
  /// The name, which is that of its file without the ending.
  public let name: String
  /// The use, in a few words.
  public let title: String
  /// The width of the trimmed page.
  public let width: Double
  /// The height of the trimmed page.
  public let height: Double
  /// The usual distance by which the ground extends beyond every edge.
  public let bleed: Double
  /// Whether the page is printed mirrored, to be read through the glass or film that it is behind.
  public let isMirrored: Bool
  /// The parts of the page, each with codes and words of its own.
  let faces: [Face]
  /// The lines to cut along, where they are not the edges of the page.
  let cuts: [Outline]
  /// The lines to fold along.
  let folds: [Outline]
  /// The names of the spot inks of both lines, by which a cutter finds them.
  let cutInk, foldInk: String

  /// A drawing that is on the page once or several times.
  struct Face: Hashable, Sendable {
    let placements: [PagePlacement]
    let content: Content

    enum Content: Hashable, Sendable {
      /// The layout of a built-in design.
      case design
      /// Elements at their places, the lowest first.
      case elements([Element])
    }

    var width: Double { placements[0].width }
    var height: Double { placements[0].height }
  }

  /// A part of a face.
  struct Element: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      /// An area of a colour, with rounded corners.
      case area(Ink, cornerRadius: Double)
      /// The logo, as large as the box allows.
      case logo
      /// The photo, which fills the box.
      case image
      /// A code, a ring or words.
      case field(ArtworkField, Ink)
    }

    let kind: Kind
    let box: DrawingBox
    /// Whether the element is left away if there is nothing for it.
    let isOptional: Bool
  }

  /// A colour: one of the poster's, or a fixed one.
  enum Ink: Hashable, Sendable {
    /// The colour of words.
    case ink
    /// The colour of areas.
    case accent
    /// Black or white, whichever has more contrast on the colour of areas.
    case onAccent
    /// The colour of the page.
    case ground
    case fixed(Colour)

    static let names: [String: Ink] = [
      "ink": .ink, "accent": .accent, "on-accent": .onAccent, "ground": .ground,
    ]

    func colour(of colours: PosterColours) -> Colour {
      switch self {
      case .ink: colours.ink
      case .accent: colours.accent
      case .onAccent: colours.onAccent
      case .ground: colours.ground
      case .fixed(let colour): colour
      }
    }
  }

  /// A line to cut or fold along.
  enum Outline: Hashable, Sendable {
    case circle(centre: DrawingPoint, diameter: Double)
    case rectangle(DrawingBox, cornerRadius: Double)
    case line(from: DrawingPoint, to: DrawingPoint)

    var path: DrawingPath {
      switch self {
      case .circle(let centre, let diameter): .circle(centre: centre, radius: diameter / 2)
      case .rectangle(let box, let radius): .rectangle(box, cornerRadius: radius)
      case .line(let start, let end): .segment(from: start, to: end)
      }
    }
  }

  /// Whether a built-in design lays out a face, which has a place for the words of every poster.
  package var hasDesign: Bool { faces.contains { $0.content == .design } }

  /// The names of its places for codes and words, each once; also `logo` and `image`.
  package var placeNames: [String] {
    var names: [String] = []
    for face in faces {
      guard case .elements(let elements) = face.content else { continue }
      for name in elements.compactMap(\.name) where !names.contains(name) { names.append(name) }
    }
    return names
  }
}

extension PosterTemplate.Element {
  /// The name of what fills the place; `nil` for an area, and for a fixed text.
  var name: String? {
    switch kind {
    case .area: nil
    case .logo: "logo"
    case .image: "image"
    case .field(let field, _): field.fixedText == nil ? field.name : nil
    }
  }
}
