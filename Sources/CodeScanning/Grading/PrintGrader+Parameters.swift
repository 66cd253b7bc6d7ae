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
