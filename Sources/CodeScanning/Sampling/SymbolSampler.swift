import Pictures

/// Reads the symbol of three finder patterns.
struct SymbolSampler: Sendable {
  /// The symbol that three finder patterns belong to, or `nil` when its error correction confirms
  /// none. The same picture and patterns always give the same answer.
  ///
  /// - Parameters:
  ///   - triple: where the patterns are seen, to about half a module, and likely sizes.
  ///   - picture: the picture.
  ///   - meter: counts what it costs, and ends it when that is too much.
  func read(
    _ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter = SampleMeter()
  ) -> LocatedSymbol? {
    attempt(triple, in: picture, meter: meter).symbol
  }

  /// The symbol as ``read(_:in:meter:)`` finds it, or whether one seems to be there all the same.
  func attempt(
    _ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter
  ) -> (symbol: LocatedSymbol?, showsSymbol: Bool) {
    guard let search = SymbolSearch(triple, in: picture, meter: meter) else { return (nil, false) }
    let starts = search.starts()
    guard let found = search.first(from: starts, { SymbolDecoder.decode($0) }) else {
      return (nil, starts.first?.showsSymbol ?? false)
    }
    return (LocatedSymbol(found.answer, found.geometry), true)
  }
}

/// A symbol that was read, and where.
struct LocatedSymbol: Sendable {
  let symbol: DecodedSymbol
  /// The symbol's own top left, top right, bottom right and bottom left corners, in pixels.
  let corners: [PicturePoint]
  /// About how many pixels a module measures.
  let modulePixels: Double

  /// A symbol with the geometry that read it, which goes round as the picture does.
  init(_ symbol: DecodedSymbol, _ geometry: SymbolGeometry) {
    self.symbol = symbol
    let seen = geometry.corners
    corners = symbol.isMirrored ? [seen[0], seen[3], seen[2], seen[1]] : seen
    modulePixels = geometry.modulePixels
  }
}

/// The modules of a symbol as they were sampled in a picture.
struct SampledModules: Hashable, Sendable {
  /// Modules on a side, 21, 25 … 177.
  let size: Int
  /// Row by row, how surely dark (towards +1) or light (towards −1) each module is; 0 is unknown.
  var darkness: [Float]

  /// The darkness of one module.
  subscript(column: Int, row: Int) -> Float { darkness[row * size + column] }
}

/// Counts the work of reading a symbol, by how often the brightness at a place was asked for, and
/// ends it where too much was spent.
///
/// A count and not a clock, so that the same picture gives the same answer on every machine.
/// Shared by the parts of one reading, hence a class; it never leaves the thread that reads.
final class SampleMeter {
  private(set) var samples = 0
  private let limit: Int

  /// What one sample costs, in milliseconds: a place in perspective and four values around it.
  static let costOfSample = 0.000_07

  /// A meter for as much work as some milliseconds allow.
  init(milliseconds: Double = .infinity) {
    limit = Int(min(max(0, milliseconds) / Self.costOfSample, 1e12))
  }

  /// What was spent, in milliseconds.
  var cost: Double { Double(samples) * Self.costOfSample }

  /// Whether nothing further shall begin.
  var isSpent: Bool { samples >= limit }

  func count(_ samples: Int) { self.samples &+= samples }
}
