import CliptagBasics
package import CodeDrawing
public import CodeScanning
package import Pictures
import QRSymbol

/// The damage that a printed code tolerates: the pixels of the finished file, decoded under one
/// growing trouble after the other.
///
/// Two decoders try each step: zbar over the whole picture, which represents a plain scanner, and
/// cliptag's whole scanner, which represents a good phone. The margin is the last step before the
/// first that is not read. The result depends neither on chance nor on time: the same file has the
/// same margins everywhere.
public struct DesignProof: Hashable, Sendable {
  /// The pixels of a module that troubles are simulated at.
  package static let pixelsPerModule = 10

  /// The kinds of trouble.
  public enum Trouble: String, CaseIterable, Hashable, Sendable {
    /// A lens out of focus or a hand that moves: standard deviation in modules.
    case blur
    /// Ink that spreads: how much wider every dark line becomes, in modules.
    case dotGain
    /// Ink that is missing at the edges: how much narrower every dark line becomes, in modules.
    case inkLoss
    /// Spots and scratches: the share of the symbol that they cover.
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
    /// The most that zbar alone reads through; nil when it does not read even the first step.
    public let zbar: Double?
    /// The most that our scanner reads through; nil when it does not read even the first step.
    public let scanner: Double?
    /// The amount that a code in the field needs.
    public let needed: Double

    /// Whether a plain scanner reads through what the field needs.
    public var isEnough: Bool { (zbar ?? -1) >= needed * (1 - 1e-9) }
  }

  /// All troubles, in the order of ``Trouble``.
  public let margins: [Margin]

  /// The print quality that the design itself would have: the same grader as for scans, on the
  /// finished file's pixels with ink that spreads by a tenth of a module and the blur of a scanner,
  /// half a module wide at half its height. It shows the cost of a logo or a colour before paper is
  /// wasted. `nil` when the modules cannot be followed.
  public let grade: PrintGrade?

  /// The margins that are less than the field needs, each as a warning.
  public var warnings: [Margin] { margins.filter { !$0.isEnough } }

  /// Measures the margins of a code.
  ///
  /// - Parameters:
  ///   - picture: The pixels of the finished file: the whole code with its quiet zone.
  ///   - drawing: The drawing of the file, for its size and text.
  /// - Throws: `PictureError` with code `libraryMissing` when zbar is not installed.
  package init(of picture: GreyPicture, drawing: CodeDrawing) throws(PictureError) {
    let bench = ProofBench(picture, drawing)
    var margins: [Margin] = []
    for trouble in Trouble.allCases { margins.append(try bench.margin(trouble)) }
    self.margins = margins
    grade = try bench.grade()
  }

  /// Measures the margins outside the cooperative pool, whose threads it would occupy for seconds.
  ///
  /// - Throws: `PictureError` with code `cancelled` as soon as the task is.
  static func made(
    of picture: GreyPicture, drawing: CodeDrawing, named name: String
  ) async throws -> DesignProof {
    @Sendable func measured(_: BlockingQueue.Wanted) throws(PictureError) -> DesignProof {
      try DesignProof(of: picture, drawing: drawing)
    }
    return try await Uninterruptible.run(name, measured)
  }
}

extension DesignProof {
  /// The code of the warning, with its meaning, as the documentation lists it.
  package static let codes: [(code: String, meaning: String)] = [
    ("small-margin", "A code would not be read through the blur, spread, dirt or distance of use.")
  ]
}
