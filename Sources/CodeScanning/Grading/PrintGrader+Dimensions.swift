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

extension PrintGrader {
  /// Where a module has fewer pixels than this, the picture itself blurs it: vendors of verifiers
  /// ask for 5 at least.
  static let fewestPixels = 5.0

  /// Every parameter of a symbol, in the order in which they are shown.
  func parameters(of measured: MeasuredSymbol, modulePixels: Double) -> [GradedParameter] {
    let codewords = CodewordQuality(of: measured)
    let unused = codewords.unused
    return [
      decode(unused), symbolContrast(of: measured),
      cellContrast(of: measured), modulation(codewords, modulePixels, countsWrong: false),
      modulation(codewords, modulePixels, countsWrong: true),
      GradedParameter(
        .unusedErrorCorrection, .measured, max(0, unused),
        GradeScale.unusedErrorCorrection.grade(max(0, unused))),
      fixedPatterns(of: measured),
    ] + information(of: measured)
  }

  private func decode(_ unused: Double) -> GradedParameter {
    let isRead = unused >= 0
    return GradedParameter(
      .decode, .measured, isRead ? 1 : 0, isRead ? .best : .failed,
      note: isRead ? nil : "it was read only with thresholds that follow the light")
  }

  private func symbolContrast(of measured: MeasuredSymbol) -> GradedParameter {
    guard capture != .photograph else {
      return GradedParameter(
        .symbolContrast, .notMeasured, note: "a photograph does not tell how much light came back")
    }
    guard let paperReflectance else {
      return GradedParameter(
        .symbolContrast, .notMeasured, note: "needs the reflectance of the paper as a reference")
    }
    let paper = measured.paper
    guard let most = measured.readings.all.max(), let least = measured.readings.all.min(),
      paper > 0
    else {
      return GradedParameter(.symbolContrast, .notMeasured, note: "no paper is seen")
    }
    let contrast = min(1, (most - least) / paper * paperReflectance)
    return GradedParameter(
      .symbolContrast, .estimated, contrast, GradeScale.symbolContrast.grade(contrast),
      note: "taking the paper's reflectance as given")
  }

  private func cellContrast(of measured: MeasuredSymbol) -> GradedParameter {
    guard measured.light > 0 else { return GradedParameter(.cellContrast, .measured, 0, .failed) }
    let contrast = (measured.light - measured.dark) / measured.light
    let isFlat = capture != .photograph
    return GradedParameter(
      .cellContrast, isFlat ? .measured : .estimated, contrast,
      GradeScale.cellContrast.grade(contrast),
      note: isFlat ? nil : "glare and the camera's tone curve change it")
  }

  private func modulation(
    _ codewords: CodewordQuality, _ modulePixels: Double, countsWrong: Bool
  ) -> GradedParameter {
    let isFine = modulePixels >= Self.fewestPixels
    let isFlat = capture != .photograph
    let note =
      !isFine
      ? "a module has fewer than 5 pixels, which blur it"
      : isFlat ? nil : "an even slope of the light was taken out"
    return GradedParameter(
      countsWrong ? .reflectanceMargin : .modulation,
      isFine && isFlat ? .measured : .estimated, nil,
      codewords.overlay(countsWrong: countsWrong), note: note)
  }

  private func fixedPatterns(of measured: MeasuredSymbol) -> GradedParameter {
    let damage = FixedPatternDamage(of: measured)
    return GradedParameter(
      .fixedPatternDamage, damage.isCut ? .estimated : .measured, nil, damage.grade,
      note: damage.isCut ? "a part of the quiet zone is outside of the picture" : nil,
      parts: damage.parts)
  }

  private func information(of measured: MeasuredSymbol) -> [GradedParameter] {
    let format = InformationDamage(FormatInformation.places(size: measured.size), of: measured)
    var parameters = [
      GradedParameter(.formatInformation, .measured, nil, format.grade, parts: format.parts)
    ]
    if measured.symbol.version >= 7 {
      let version = InformationDamage(VersionInformation.places(size: measured.size), of: measured)
      parameters.append(
        GradedParameter(.versionInformation, .measured, nil, version.grade, parts: version.parts))
    }
    return parameters
  }
}

extension MeasuredSymbol {
  /// What the paper beside the symbol sends back: the mean of the quiet zone's light modules, two
  /// and three modules away, or of the symbol's when there are none in the picture.
  var paper: Double {
    var values: [Double] = []
    for row in -3..<size + 3 {
      for column in -3..<size + 3 {
        let inward = min(column, row, size - 1 - column, size - 1 - row)
        guard inward <= -2, let value = readings[column, row], value >= threshold else { continue }
        values.append(value)
      }
    }
    return values.isEmpty ? light : values.reduce(0, +) / Double(values.count)
  }
}
