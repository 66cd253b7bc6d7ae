/// A size that can be drawn but may not be read.
public struct SizeWarning: Hashable, Sendable {
  /// The stable name: `few-dots`, `small-modules` or `too-far`.
  public let code: String
  /// What is wrong, in one sentence.
  public let message: String
  /// What would do, in one sentence that names the number.
  public let hint: String
  /// The width of the whole code in millimetres that would do.
  public let width: Double
}

extension SizeWarning {
  /// Every code, with its meaning, in the order of the documentation.
  package static let codes: [(code: String, meaning: String)] = [
    ("few-dots", "A module is fewer than four of the printer's dots wide."),
    ("small-modules", "A module is smaller than many phones resolve."),
    ("too-far", "The distance to read the code from is more than many phones manage."),
  ]
}

extension CodeSize {
  /// What speaks against printing this size; empty when nothing does.
  ///
  /// `few-dots`: under four dots a module, a printer cannot draw modules true. `small-modules`:
  /// under 0.33 mm a module, many phones do not resolve it. `too-far`: from
  /// the distance that was given, a module is under 4.2 pixels of a phone's preview.
  public var warnings: [SizeWarning] {
    var warnings: [SizeWarning] = []
    let dot = Self.millimetresPerInch / dotsPerInch
    if dotsPerModule < Self.fewestDots {
      let width = Double(Self.fewestDots * modulesAcross) * dot
      let resolution = dotsPerInch * Double(Self.fewestDots) / Double(dotsPerModule)
      warnings.append(
        SizeWarning(
          code: "few-dots",
          message: "A module is \(dotsPerModule) of the printer's dots wide; "
            + "it takes at least \(Self.fewestDots) to draw it true.",
          hint: "Make the code \(atLeast(width)) mm wide or more, or print it at "
            + "\(Int(resolution.rounded(.up))) dots per inch or more.",
          width: width))
    }
    if moduleSize < Self.smallestModuleForPhones {
      let dots = (Self.smallestModuleForPhones / dot).rounded(.up)
      let width = dots * dot * Double(modulesAcross)
      warnings.append(
        SizeWarning(
          code: "small-modules",
          message: "A module of \(nearest(moduleSize)) mm is too small for many phones; "
            + "\(Self.smallestModuleForPhones) mm is the least they read well.",
          hint: "Make the code \(atLeast(width)) mm wide or more, or shorten the URL.",
          width: width))
    }
    if let tooFar { warnings.append(tooFar) }
    return warnings
  }

  /// A warning when the code is to be read from farther away than phones surely do.
  private var tooFar: SizeWarning? {
    guard let distance = intendedDistance, distance > readingDistance * (1 + 1e-6) else {
      return nil
    }
    let dot = Self.millimetresPerInch / dotsPerInch
    let dots = (distance / Self.modulesInDistance / dot * (1 - 1e-6)).rounded(.up)
    let width = dots * dot * Double(modulesAcross)
    return SizeWarning(
      code: "too-far",
      message: "Many phones do not read modules of \(nearest(moduleSize)) mm from "
        + "\(asGiven(distance)) mm.",
      hint: "Make the code \(atLeast(width)) mm wide or more, or read it from "
        + "\(atMost(readingDistance)) mm.",
      width: width)
  }
}

/// A length for people, in hundredths, rounded up so that it surely does.
func atLeast(_ millimetres: Double) -> String {
  decimal((millimetres * 100 - 1e-6).rounded(.up) / 100, places: 2)
}

/// A length for people, in hundredths, rounded down so that it surely fits.
func atMost(_ millimetres: Double) -> String {
  decimal((millimetres * 100 + 1e-6).rounded(.down) / 100, places: 2)
}

/// A length for people, in thousandths.
func nearest(_ millimetres: Double) -> String { decimal(millimetres, places: 3) }

/// A number as somebody gave it, without the `.0` of whole numbers; also for what is no number.
func asGiven(_ number: Double) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
