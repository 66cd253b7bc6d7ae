import AppClipCodes
import CliptagBasics
package import CodeDrawing
package import Pictures

/// The damage that a printed App Clip Code tolerates with every bit read: the pixels of the
/// finished file, read under one growing trouble after the other, as in ``DesignProof`` for a QR
/// code.
///
/// A step is read when all 128 beginnings of arcs and all 128 colours are right. It therefore shows
/// how accurate the print must be for every bit, not the limits of a phone, which restores missing
/// bits.
public struct AppClipCodeProof: Hashable, Sendable {
  /// The kinds of trouble; lengths are in widths of an arc.
  public enum Trouble: String, CaseIterable, Hashable, Sendable {
    /// A lens out of focus or a hand that moves: standard deviation in widths of an arc.
    case blur
    /// Ink that spreads: how much wider everything dark becomes, in widths of an arc.
    case dotGain
    /// Ink that is missing at the edges: how much narrower everything dark becomes, in widths of an
    /// arc.
    case inkLoss
    /// Faded ink, grey paper or glare: how much of the contrast is gone.
    case contrastLoss
    /// The distance in millimetres of a phone whose preview has 1,920 pixels.
    case distance
  }

  /// The amount of one trouble at which the code is still read.
  public struct Margin: Hashable, Sendable {
    /// The trouble.
    public let trouble: Trouble
    /// The most that is read through; nil when not even the first step is.
    public let read: Double?
    /// The amount that a code in the field needs.
    public let needed: Double

    /// Whether it is read through what the field needs.
    public var isEnough: Bool { (read ?? -1) >= needed * (1 - 1e-9) }
  }

  /// All troubles, in the order of ``Trouble``.
  public let margins: [Margin]

  /// The margins that are less than the field needs.
  public var warnings: [Margin] { margins.filter { !$0.isEnough } }

  /// The pixels across the disc that troubles are simulated at.
  package static let pixelsAcross = 400

  /// Measures the margins of a code.
  ///
  /// - Parameters:
  ///   - picture: The pixels of the finished file.
  ///   - place: The position of the code in them.
  ///   - drawing: The code that was drawn.
  ///   - sampler: The reader of the code.
  package init(
    of picture: GreyPicture, at place: AppClipCodePlace, drawing: AppClipCodeDrawing,
    sampler: any AppClipCodeSampling = AppClipCodeProofSampler()
  ) {
    let bench = AppClipCodeBench(picture, place, drawing, sampler)
    margins = Trouble.allCases.map(bench.margin)
  }

  /// Measures the margins outside the cooperative pool, whose threads it would occupy for seconds.
  static func made(
    of picture: GreyPicture, at place: AppClipCodePlace, drawing: AppClipCodeDrawing,
    named name: String
  ) async throws -> AppClipCodeProof {
    @Sendable func measured(_: BlockingQueue.Wanted) throws(PictureError) -> AppClipCodeProof {
      AppClipCodeProof(of: picture, at: place, drawing: drawing)
    }
    return try await Uninterruptible.run(name, measured)
  }

  /// Refuses a picture in which a code is not read as it was drawn, to the last bit.
  ///
  /// - Parameters:
  ///   - picture: The pixels of the finished file.
  ///   - place: The position of the code in them.
  ///   - drawing: The code that was drawn.
  ///   - name: The file's name in messages.
  ///   - sampler: The reader of the code.
  /// - Throws: ``IssuingError`` with code `unreadable-rendering`.
  static func readBack(
    _ picture: GreyPicture, at place: AppClipCodePlace, expecting drawing: AppClipCodeDrawing,
    _ name: String, sampler: any AppClipCodeSampling = AppClipCodeProofSampler()
  ) throws(IssuingError) {
    let code = drawing.code
    let reading = sampler.reading(in: picture, at: place, colours: code.colours)
    let wrong = reading?.differences(from: code.pattern)
    guard let wrong, wrong.continues == 0, wrong.third == 0 else {
      let found =
        wrong.map {
          "\($0.continues) of the 128 beginnings of arcs and \($0.third) of the 128 colours wrong"
        } ?? "no App Clip Code"
      throw IssuingError(
        .unreadableRendering,
        "\(name) was not written: read back from its own pixels, the App Clip Code has \(found).",
        hint: "Use a larger size or resolution; if it stays, report this with the URL.")
    }
  }
}

/// The drawing of one App Clip Code, and the troubles to which it is put.
private struct AppClipCodeBench {
  private let raster: ProofRaster
  private let ink: (dark: InkSpread, light: InkSpread)
  /// The brightness of the third colour, between those of the others.
  private let middle: Float
  private let noise: [Float]
  private let drawing: AppClipCodeDrawing
  private let sampler: any AppClipCodeSampling

  /// The pixels of the square around the disc: some of the page around it belongs to the picture.
  private static let side = AppClipCodeProof.pixelsAcross * 6 / 5
  private static var arc: Double {
    Double(AppClipCodeProof.pixelsAcross) * AppClipCodeRing.strokeWidth
      / (2 * AppClipCodeRing.discRadius)
  }

  init(
    _ picture: GreyPicture, _ place: AppClipCodePlace, _ drawing: AppClipCodeDrawing,
    _ sampler: any AppClipCodeSampling
  ) {
    raster = ProofRaster(picture.square(around: place), side: Self.side)
    let place = AppClipCodePlace(
      x: Double(Self.side) / 2, y: Double(Self.side) / 2,
      radius: Double(AppClipCodeProof.pixelsAcross) / 2)
    let middle = Float(
      AppClipCodeProofSampler.thirdBrightness(
        of: drawing.code.pattern, in: raster.picture, at: place))
    self.middle = middle
    // Ink spreads from each tone over the lighter ones: what is darker than the middle tone, and
    // what is lighter, each spread as if there were but two.
    ink = (
      InkSpread(of: raster.mapped { value, _ in min(value, middle) }),
      InkSpread(of: raster.mapped { value, _ in max(value, middle) })
    )
    noise = ProofRaster.cameraNoise(count: Self.side * Self.side)
    self.drawing = drawing
    self.sampler = sampler
  }

  func margin(_ trouble: AppClipCodeProof.Trouble) -> AppClipCodeProof.Margin {
    var read: Double?
    for step in steps(trouble) {
      guard isRead(suffering(trouble, step)) else { break }
      read = step
    }
    return AppClipCodeProof.Margin(trouble: trouble, read: read, needed: needed(trouble))
  }

  /// The steps of a trouble, each worse than the one before.
  private func steps(_ trouble: AppClipCodeProof.Trouble) -> [Double] {
    func hundredths(_ range: ClosedRange<Int>) -> [Double] {
      stride(from: range.lowerBound, through: range.upperBound, by: 5).map { Double($0) / 100 }
    }
    switch trouble {
    case .blur: return hundredths(10...120)
    case .dotGain, .inkLoss: return hundredths(10...90)
    case .contrastLoss: return hundredths(20...95)
    case .distance: return stride(from: 10.0, through: 60, by: 2.5).map { $0 * drawing.diameter }
    }
  }

  /// Returns the amount that the field needs, as for a QR code, whose modules are about as wide as
  /// arcs and the gaps between them.
  private func needed(_ trouble: AppClipCodeProof.Trouble) -> Double {
    switch trouble {
    case .blur: 0.3
    case .dotGain, .inkLoss: 0.2
    case .contrastLoss: 1 - CodeColours.leastContrast
    case .distance: drawing.readingDistance
    }
  }

  private func isRead(_ picture: GreyPicture) -> Bool {
    let scale = Double(picture.width) / Double(Self.side)
    let place = AppClipCodePlace(
      x: Double(picture.width) / 2, y: Double(picture.height) / 2,
      radius: Double(AppClipCodeProof.pixelsAcross) / 2 * scale)
    guard
      let wrong = sampler.reading(in: picture, at: place, colours: drawing.code.colours)?
        .differences(from: drawing.code.pattern)
    else { return false }
    return wrong.continues == 0 && wrong.third == 0
  }

  /// Returns the drawing with every edge of a darker tone moved outwards by so many pixels.
  private func spread(_ pixels: Double) -> ProofRaster {
    let light = ink.light.grown(by: pixels)
    return ink.dark.grown(by: pixels).mapped { value, index in
      value + light.values[index] - middle
    }
  }

  /// Returns the drawing under one step of a trouble.
  private func suffering(_ trouble: AppClipCodeProof.Trouble, _ step: Double) -> GreyPicture {
    switch trouble {
    case .blur: return raster.blurred(by: step * Self.arc).picture
    // A line grows at both of its edges.
    case .dotGain: return spread(step * Self.arc / 2).picture
    case .inkLoss: return spread(-step * Self.arc / 2).picture
    case .contrastLoss:
      return raster.mapped { value, index in
        127.5 + (value - 127.5) * Float(1 - step) + noise[index]
      }.picture
    case .distance:
      let across = ProofBench.pixelsInDistance * drawing.diameter / step
      let scale = across / Double(AppClipCodeProof.pixelsAcross)
      let side = max(1, Int((Double(Self.side) * scale).rounded()))
      // Half a pixel of the lens's own blur is what cameras are built for.
      return raster.blurred(by: 0.5 / scale).resampled(side: side).picture
    }
  }
}

extension GreyPicture {
  /// Returns the square around a disc with a tenth of its diameter on each side; everything beyond
  /// the picture is white.
  fileprivate func square(around place: AppClipCodePlace) -> GreyPicture {
    let half = place.radius * 1.2
    let side = max(1, Int((2 * half).rounded()))
    let (left, top) = (Int((place.x - half).rounded()), Int((place.y - half).rounded()))
    var part = [UInt8](repeating: 255, count: side * side)
    for row in max(0, -top)..<min(side, height - top) {
      for column in max(0, -left)..<min(side, width - left) {
        part[row * side + column] = pixels[(row + top) * width + column + left]
      }
    }
    return GreyPicture(width: side, height: side, pixels: part)
  }
}
