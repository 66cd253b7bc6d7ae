import Pictures

extension PrintGrader {
  /// Below 10 pixels of a module its edges are too coarse for their growth.
  private static let pixelsForGrowth = 10.0
  /// What the size of a module may be off, in pixels.
  private static let slack = 0.1
  /// The part of the grid that must be seen to be judged: a logo may hide the rest.
  private static let leastSeenPart = 0.75
  /// The part of the timing pattern that may be dark (ISO/IEC 15415:2011, print growth, which that
  /// edition reports without a grade).
  private static let darkParts = 0.35...0.65

  /// What is measured in lengths: axial and grid nonuniformity, print growth and the quiet zone.
  func dimensions(
    of measured: MeasuredSymbol, in picture: GreyPicture, modulePixels: Double
  ) -> [GradedParameter] {
    let light = LinearLight(of: picture)
    return [
      axialNonuniformity(of: measured),
      gridNonuniformity(of: measured, light, modulePixels),
      growth(.printGrowthAcross, of: measured, light, modulePixels),
      growth(.printGrowthDown, of: measured, light, modulePixels),
      quietZone(of: measured, light),
    ]
  }

  private func axialNonuniformity(of measured: MeasuredSymbol) -> GradedParameter {
    guard capture != .photograph else {
      return GradedParameter(
        .axialNonuniformity, .notMeasured, note: "perspective hides it in a photograph")
    }
    let side = Double(measured.size)
    var (width, height) = (0.0, 0.0)
    for index in 0...measured.size {
      let line = Double(index)
      width += measured.place(0, line).distance(to: measured.place(side, line))
      height += measured.place(line, 0).distance(to: measured.place(line, side))
    }
    let value = abs(width - height) / ((width + height) / 2)
    return GradedParameter(
      .axialNonuniformity, .measured, value, GradeScale.axialNonuniformity.grade(value))
  }

  private func gridNonuniformity(
    of measured: MeasuredSymbol, _ light: LinearLight, _ modulePixels: Double
  ) -> GradedParameter {
    func unknown(_ reason: String) -> GradedParameter {
      GradedParameter(.gridNonuniformity, .notMeasured, note: reason)
    }
    guard modulePixels >= Self.fewestPixels - Self.slack else {
      return unknown("a module has fewer than 5 pixels")
    }
    let isFlat = capture != .photograph
    guard let grid = GridFollowing(of: measured, in: light),
      grid.seenPart >= Self.leastSeenPart, let value = grid.nonuniformity(isFlat: isFlat)
    else {
      return unknown("too few edges of modules are seen to follow the grid")
    }
    let notes = [
      isFlat ? nil : "perspective was taken out; a bent sheet and the lens count",
      grid.seenPart == 1 ? nil : "where edges of modules are seen",
    ].compactMap { $0 }
    return GradedParameter(
      .gridNonuniformity, notes.isEmpty ? .measured : .estimated, value,
      GradeScale.gridNonuniformity.grade(value),
      note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  private func growth(
    _ name: GradedParameter.Name, of measured: MeasuredSymbol, _ light: LinearLight,
    _ modulePixels: Double
  ) -> GradedParameter {
    let levels = measured.inkLevels
    let shifts = FunctionPatterns.of(size: measured.size).timingEdges
      .filter { $0.isVertical == (name == .printGrowthAcross) }
      .compactMap { measured.darkExcess(at: $0, light, levels) }
    guard !shifts.isEmpty else {
      return GradedParameter(name, .notMeasured, note: "the timing pattern is damaged")
    }
    let mean = shifts.reduce(0, +) / Double(shifts.count)
    let isFine = capture != .photograph && modulePixels >= Self.pixelsForGrowth - Self.slack
    var notes = Self.darkParts.contains(0.5 + mean) ? [] : ["beyond what ISO/IEC 15415 allows"]
    if !isFine {
      notes.append(
        capture == .photograph
          ? "the camera's blur and exposure change it" : "a module has fewer than 10 pixels")
    }
    return GradedParameter(
      name, isFine ? .measured : .estimated, 2 * mean,
      note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  private func quietZone(of measured: MeasuredSymbol, _ light: LinearLight) -> GradedParameter {
    let zone = measured.clearSpace(light)
    let needed = Double(ModuleReadings.margin)
    let note =
      zone.modules >= needed
      ? nil : zone.isCut ? "the picture ends there; 4 are needed" : "4 are needed"
    return GradedParameter(
      .quietZone, zone.isCut ? .estimated : .measured, zone.modules, note: note)
  }
}

extension MeasuredSymbol {
  /// What paper and ink send back where neither spreads into the aperture: the quiet zone, and the
  /// middles of the finder patterns.
  var inkLevels: (light: Double, dark: Double) {
    guard !isInverted else { return (light, dark) }
    let cores = [(3, 3), (size - 4, 3), (3, size - 4)].compactMap { readings[$0, $1] }.sorted()
    let ink = cores.isEmpty ? dark : cores[cores.count / 2]
    return (paper, ink < threshold ? ink : dark)
  }

  /// How much more than half of the way from the middle of the module before an edge to the middle
  /// of that after it is dark, in modules; `nil` when one of the modules is wrong.
  ///
  /// Blur takes as much from the light as from the dark, so that the mean of a pattern that
  /// alternates does not depend on it.
  fileprivate func darkExcess(
    at edge: FunctionPatterns.Edge, _ picture: LinearLight, _ levels: (light: Double, dark: Double)
  ) -> Double? {
    let (column, row) = (Int(edge.u), Int(edge.v))
    let before = edge.isVertical ? (column - 1, row) : (column, row - 1)
    guard levels.light > levels.dark, isRight(column, row) == true,
      isRight(before.0, before.1) == true
    else {
      return nil
    }
    let steps = 40
    var sum = 0.0
    for step in 0..<steps {
      let along = (Double(step) + 0.5) / Double(steps) - 0.5
      for across in [-0.2, 0, 0.2] {
        let point =
          edge.isVertical
          ? place(edge.u + along, edge.v + across) : place(edge.u + across, edge.v + along)
        let part = (levels.light - picture.at(point)) / (levels.light - levels.dark)
        sum += isInverted ? 1 - part : part
      }
    }
    return sum / Double(3 * steps) - 0.5
  }

  /// The least width of clear space beside the symbol, up to what is needed, and whether it is the
  /// picture's edge that ends it.
  fileprivate func clearSpace(_ picture: LinearLight) -> (modules: Double, isCut: Bool) {
    let side = Double(size)
    // Beyond the blur of the symbol's own edge.
    let (first, step) = (0.3, 0.05)
    var least = Double(ModuleReadings.margin)
    var isCut = false
    for index in 0..<2 * size {
      let along = (Double(index) + 0.5) / 2
      for outwards: (Double) -> PicturePoint in [
        { place(-$0, along) }, { place(side + $0, along) }, { place(along, -$0) },
        { place(along, side + $0) },
      ] {
        var distance = first
        // A picture that ends where the quiet zone does holds it.
        while distance < least - step {
          let point = outwards(distance)
          let isOutside = !picture.holds(point)
          if isOutside || (picture.at(point) < threshold) != isInverted {
            (least, isCut) = (distance, isOutside)
          }
          distance += step
        }
      }
    }
    return (least <= first ? 0 : least, isCut)
  }
}
