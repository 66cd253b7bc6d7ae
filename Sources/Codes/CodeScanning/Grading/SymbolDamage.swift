import SymbolStructure

/// The measurements of the codewords of a symbol, and the grades derived from them.
struct CodewordQuality {
  private let structure: [(places: [Int], capacity: Int)]
  /// Whether each codeword has a module on the wrong side of the threshold.
  private let isWrong: [Bool]
  /// Whether each codeword has a module that is certainly wrong.
  private let isCertainlyWrong: [Bool]
  /// The lowest modulation of each codeword's modules.
  private let modulation: [Double]

  init(of measured: MeasuredSymbol) {
    // Every QR code has a level.
    let (version, level) = (measured.symbol.version, measured.symbol.errorCorrection ?? .low)
    let blocks = BlockStructure(version: version, level: level)
    structure = zip(blocks.places(), blocks.blocks).map {
      ($0, $1.checkCount - blocks.misdecodeProtection)
    }
    let layout = SymbolLayout.of(version: version)
    var isWrong = [Bool](repeating: false, count: blocks.codewordCount)
    var isCertainlyWrong = isWrong
    var modulation = [Double](repeating: 1, count: blocks.codewordCount)
    for (bit, module) in layout.dataModules.enumerated() where bit / 8 < isWrong.count {
      let (row, column) = Int(module.index).quotientAndRemainder(dividingBy: layout.size)
      if measured.isRight(column, row) != true { isWrong[bit / 8] = true }
      if measured.isCertainlyWrong(column, row) { isCertainlyWrong[bit / 8] = true }
      modulation[bit / 8] = min(modulation[bit / 8], measured.modulation(column, row))
    }
    self.isWrong = isWrong
    self.isCertainlyWrong = isCertainlyWrong
    self.modulation = modulation
  }

  /// The unused share of the correction in the worst block, 1 − 2 t ÷ (d − p): wrong codewords are
  /// errors, there are no erasures. Below 0 the block cannot be corrected.
  var unused: Double { unused { isWrong[$0] } }

  /// The unused share of the correction, with only those codewords as errors that certainly are.
  var certainlyUnused: Double { unused { isCertainlyWrong[$0] } }

  private func unused(_ isError: (Int) -> Bool) -> Double {
    structure.map { block in
      1 - 2 * Double(block.places.count(where: isError)) / Double(max(1, block.capacity))
    }.min() ?? 0
  }

  /// Returns the overlay of modulation over error correction.
  ///
  /// - Parameter countsWrong: whether a wrong module counts as one without modulation (reflectance
  ///   margin), or as if it were right (modulation).
  func overlay(countsWrong: Bool) -> GradePair {
    GradePair.overlaid { least in
      let scale = GradeScale.unusedErrorCorrection
      return scale.grade(
        max(0, unused { modulation[$0] < least || (countsWrong && least > 0 && isWrong[$0]) }))
    }
  }
}

/// The segments of a symbol's fixed patterns, each with its wrong modules (ISO/IEC 18004, annex on
/// print quality).
///
/// The extent of the corners and the limits of the segments follow the manuals of verifiers; they
/// could not be confirmed in the standard.
struct FixedPatternDamage {
  let parts: [GradedParameter.Part]
  /// The grade of the lowest segment, with the overlay of modulation.
  let grade: GradePair
  /// A Boolean value that indicates whether modules of a segment are outside the picture.
  let isCut: Bool

  private struct Segment {
    let name: String
    let scale: GradeScale
    /// Whether the share of wrong modules counts, or their number.
    let isPart: Bool
    let places: [(column: Int, row: Int)]
  }

  init(of measured: MeasuredSymbol) {
    var parts: [GradedParameter.Part] = []
    var grade = GradePair.best
    var isCut = false
    for segment in Self.segments(size: measured.size) {
      let modules = segment.places.compactMap { place in
        measured.isRight(place.column, place.row).map {
          (isRight: $0, modulation: measured.modulation(place.column, place.row))
        }
      }
      isCut = isCut || modules.count < segment.places.count
      guard !modules.isEmpty else { continue }
      func graded(_ wrong: Int) -> GradePair {
        segment.scale.grade(
          segment.isPart ? Double(wrong) / Double(modules.count) : Double(wrong))
      }
      let wrong = modules.count { !$0.isRight }
      let overlaid = GradePair.overlaid { least in
        graded(modules.count { !$0.isRight || $0.modulation < least })
      }
      parts.append(
        .init(
          name: segment.name, wrongModules: wrong, modules: modules.count, grade: overlaid.step))
      grade = .lower(grade, overlaid)
    }
    self.parts = parts
    self.grade = grade
    self.isCut = isCut
  }

  /// Returns the grade of the lowest segment with only the modules counted that are certainly wrong,
  /// without the quiet zone: what is beside a symbol is no damage of its print.
  static func certain(of measured: MeasuredSymbol) -> GradePair {
    let inside = 0..<measured.size
    return segments(size: measured.size).reduce(.best) { grade, segment in
      let places = segment.places.filter { inside ~= $0.column && inside ~= $0.row }
      let wrong = Double(places.count { measured.isCertainlyWrong($0.column, $0.row) })
      return .lower(
        grade, segment.scale.grade(segment.isPart ? wrong / Double(max(1, places.count)) : wrong))
    }
  }

  /// Returns the segments. A1, A2, A3: the finder patterns top left, top right and bottom left,
  /// each with its separator and the quiet zone around it; B1, B2: the horizontal and vertical
  /// timing patterns; C: all alignment patterns.
  private static func segments(size: Int) -> [Segment] {
    let near = -ModuleReadings.margin..<8
    let far = size - 8..<size + ModuleReadings.margin
    let between = 8..<size - 8
    func block(_ columns: Range<Int>, _ rows: Range<Int>) -> [(column: Int, row: Int)] {
      rows.flatMap { row in columns.map { ($0, row) } }
    }
    let alignment = alignmentPlaces(size: size)
    let corners = [("A1", block(near, near)), ("A2", block(far, near)), ("A3", block(near, far))]
    return corners.map { Segment(name: $0, scale: .wrongModules, isPart: false, places: $1) }
      + [
        Segment(name: "B1", scale: .timing, isPart: true, places: block(between, 6..<7)),
        Segment(name: "B2", scale: .timing, isPart: true, places: block(6..<7, between)),
      ]
      + (alignment.isEmpty
        ? [] : [Segment(name: "C", scale: .alignment, isPart: true, places: alignment)])
  }

  private static func alignmentPlaces(size: Int) -> [(column: Int, row: Int)] {
    let middles = SymbolLayout.alignmentCentres(version: (size - 17) / 4)
    return middles.flatMap { row in
      middles.filter { column in
        // The finder patterns occupy three corners.
        !(column == 6 && (row == 6 || row == size - 7) || row == 6 && column == size - 7)
      }.flatMap { column in
        (-2...2).flatMap { y in (-2...2).map { (column: column + $0, row: row + y) } }
      }
    }
  }
}

/// The copies of a word beside the finder patterns, each with its wrong modules.
struct InformationDamage {
  let parts: [GradedParameter.Part]
  /// The mean of the copies' grades, its step rounded down. Some editions may round up; that could
  /// not be confirmed.
  let grade: GradePair

  init(_ copies: [[(column: Int, row: Int)]], of measured: MeasuredSymbol) {
    var parts: [GradedParameter.Part] = []
    var sum = 0.0
    for (index, places) in copies.enumerated() {
      // Modules outside the picture count as wrong.
      let wrong = places.count { measured.isRight($0.column, $0.row) != true }
      let grade = GradeScale.wrongModules.grade(Double(wrong)).step
      parts.append(
        .init(
          name: "\(index + 1)", wrongModules: wrong, modules: places.count, grade: grade))
      sum += Double(grade)
    }
    let mean = sum / Double(max(1, copies.count))
    self.parts = parts
    grade = GradePair(step: Int(mean), decimal: mean)
  }
}
