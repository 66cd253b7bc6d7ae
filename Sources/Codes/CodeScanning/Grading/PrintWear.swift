/// The reason to print a code again.
package enum PrintWear: Hashable, Sendable {
  /// The ink is pale beside its paper, with the symbol contrast, 0 … 1.
  case faded(contrast: Double)
  /// Modules are wrong, with the grade of the damage, 1 (D) or 0 (F).
  case damaged(grade: Int)
}

extension PrintGrade {
  /// The highest grade of a worn print: D. ISO/IEC 15415:2011, 7.8.2 grades a symbol contrast below
  /// 40 % so; codes with less are not issued either.
  private static let wornGrade = 1
  /// The least share of the contrast between paper and ink that the means of light and dark modules
  /// must have: in a blurred picture ink looks pale, and single modules paler still.
  private static let leastClarity = 0.75

  /// The reason to print the code again; `nil` if the print is well, or the picture does not show
  /// that it is not.
  package var wear: PrintWear? {
    guard let clarity, clarity >= Self.leastClarity else { return nil }
    if let certainDamage, certainDamage <= Self.wornGrade { return .damaged(grade: certainDamage) }
    guard let symbol = self[.symbolContrast], let grade = symbol.grade, grade <= Self.wornGrade,
      let contrast = symbol.value
    else { return nil }
    return .faded(contrast: contrast)
  }

  /// The share of the contrast between paper and ink that the means of light and dark modules have:
  /// near 1 in a sharp picture, and the less, the more it is blurred.
  var clarity: Double? {
    guard let all = self[.symbolContrast]?.value, all > 0, let modules = self[.cellContrast]?.value
    else { return nil }
    return modules / all
  }
}
