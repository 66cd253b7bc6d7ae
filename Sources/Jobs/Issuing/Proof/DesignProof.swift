package import CodeDrawing
public import CodeScanning
package import Pictures

/// The damage that a printed code tolerates: the pixels of the finished file, read under one
/// growing trouble after the other.
///
/// Two decoders try each step of a QR code: zbar over the whole picture, which represents a plain
/// scanner, and cliptag's whole scanner, which represents a good phone. A step of an App Clip Code
/// is read when all 128 beginnings of arcs and all 128 colours are right: it shows how accurate the
/// print must be for every bit, not the limits of a phone, which restores missing bits.
///
/// The margin is the last step before the first that is not read. The result depends neither on
/// chance nor on time: the same file has the same margins everywhere.
public struct DesignProof: Hashable, Sendable {
  /// The pixels of a module that troubles are simulated at.
  package static let pixelsPerModule = 10
  /// The pixels across the disc of an App Clip Code that troubles are simulated at.
  package static let pixelsAcrossDisc = 400

  /// The kinds of code.
  public enum Symbol: Hashable, Sendable {
    /// A QR code.
    case qrCode
    /// An App Clip Code.
    case appClipCode
  }

  /// The kinds of trouble. Lengths are in modules of a QR code, or in widths of an arc of an App
  /// Clip Code.
  public enum Trouble: String, CaseIterable, Hashable, Sendable {
    /// A lens out of focus or a hand that moves: the standard deviation.
    case blur
    /// Ink that spreads: how much wider everything dark becomes.
    case dotGain
    /// Ink that is missing at the edges: how much narrower everything dark becomes.
    case inkLoss
    /// Spots and scratches: the share of a QR code that they cover.
    case dirt
    /// Faded ink, grey paper or glare: how much of the contrast is gone.
    case contrastLoss
    /// The distance in millimetres of a phone whose preview has 1,920 pixels.
    case distance
  }

  /// The amount of one trouble at which the code is still read.
  public struct Margin: Hashable, Sendable {
    /// The trouble.
    public let trouble: Trouble
    /// The most that a plain scanner reads through: zbar alone for a QR code, our own reader for an
    /// App Clip Code. `nil` when it does not read even the first step.
    public let plain: Double?
    /// The most that our scanner reads through; `nil` when it does not read even the first step.
    public let scanner: Double?
    /// The amount that a code in the field needs.
    public let needed: Double

    /// Whether a plain scanner reads through what the field needs.
    public var isEnough: Bool { (plain ?? -1) >= needed * (1 - 1e-9) }
  }

  /// The kind of code.
  public let symbol: Symbol

  /// All troubles, in the order of ``Trouble``; an App Clip Code is not put to dirt.
  public let margins: [Margin]

  /// The print quality that the design of a QR code would have: the same grader as for scans, on
  /// the finished file's pixels with ink that spreads by a tenth of a module and the blur of a
  /// scanner, half a module wide at half its height. It shows the cost of a logo or a colour before
  /// paper is wasted. `nil` for an App Clip Code, and when the modules cannot be followed.
  public let grade: PrintGrade?

  /// The margins that are less than the field needs, each as a warning.
  public var warnings: [Margin] { margins.filter { !$0.isEnough } }

  /// Measures the margins of a QR code.
  ///
  /// - Parameters:
  ///   - picture: The pixels of the finished file: the whole code with its quiet zone.
  ///   - drawing: The drawing of the file, for its size and text.
  /// - Throws: `PictureError` with code `libraryMissing` when zbar is not installed.
  package init(of picture: GreyPicture, drawing: CodeDrawing) throws(PictureError) {
    let bench = ProofBench(picture, drawing)
    symbol = .qrCode
    margins = try bench.margins()
    grade = try bench.grade(of: drawing)
  }

  /// Measures the margins of an App Clip Code.
  ///
  /// - Parameters:
  ///   - picture: The pixels of the finished file.
  ///   - place: The position of the code in them.
  ///   - drawing: The drawing of the file.
  /// - Throws: `PictureError`.
  package init(
    of picture: GreyPicture, at place: AppClipCodePlace, drawing: AppClipCodeDrawing
  ) throws(PictureError) {
    symbol = .appClipCode
    margins = try ProofBench(picture, place, drawing).margins()
    grade = nil
  }
}

extension DesignProof {
  /// The code of the warning, with its meaning, as the documentation lists it.
  package static let codes: [(code: String, meaning: String)] = [
    ("small-margin", "A code is not readable with the expected blur, ink spread, dirt or distance.")
  ]
}
