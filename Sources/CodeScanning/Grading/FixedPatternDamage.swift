import SymbolStructure

/// The segments of a symbol's fixed patterns, each with the modules that are wrong in it
/// (ISO/IEC 18004, annex on print quality).
///
/// The extent of the corners and the limits of the segments are those that verifiers' manuals
/// describe; they could not be confirmed in the standard.
struct FixedPatternDamage {
  let parts: [GradedParameter.Part]
  /// The lowest segment, with the overlay of modulation.
  let grade: GradePair
  /// Whether modules of some segment lie outside of the picture.
  let isCut: Bool

  private struct Segment {
    let name: String
    let scale: GradeScale
    /// Whether the part of wrong modules counts, or their number.
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

  /// A1, A2, A3: the finder patterns top left, top right and bottom left, each with its separator
  /// and the quiet zone around it; B1, B2: the timing patterns, across and down; C: all alignment
  /// patterns.
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
        // Three corners belong to the finder patterns.
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
      // What is outside of the picture is as good as wrong.
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
