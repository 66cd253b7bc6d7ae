import AppClipCodes
import CliptagBasics
import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol

/// The drawing of one code, and the troubles to which it is put.
struct ProofBench {
  typealias Trouble = DesignProof.Trouble

  private enum Symbol {
    case qrCode([UInt8])
    case appClipCode(AppClipCode)
  }

  private let symbol: Symbol
  private let drawing: ProofRaster
  private let ink: PrintedInk
  private let dirt: SimulatedDirt?
  private let noise: [Float]
  /// The pixels of a module, or of the width of an arc.
  private let unit: Double
  /// The millimetres of a pixel.
  private let pixelSize: Double
  private let contrastLosses: [Double]
  private let distances: [Double]
  private let neededDistance: Double

  /// A phone's camera whose lens is that of 26 mm on film sees a scene 1.37 times as wide as it is
  /// away: on 1,920 pixels, one of them is this part of the distance.
  private static let pixelsInDistance = 1_396.0

  /// Prepares a QR code.
  ///
  /// - Parameter picture: The whole code with a quiet zone of at least four modules.
  init(_ picture: GreyPicture, _ code: CodeDrawing) {
    let scale = DesignProof.pixelsPerModule
    let quietZone = code.size.placedQuietZone
    let side = (code.symbol.size + 2 * quietZone) * scale
    drawing = ProofRaster(picture, side: side)
    ink = PrintedInk(drawing)
    dirt = SimulatedDirt(
      side: side, module: Double(scale), margin: Double(scale * quietZone))
    noise = ProofRaster.cameraNoise(count: side * side)
    unit = Double(scale)
    pixelSize = code.size.moduleSize / Double(scale)
    contrastLosses = [0.97, 0.98]
    let pixels = [6.0, 5, 4.5, 4.2, 4, 3.5, 3, 2.75, 2.5, 2.25, 2, 1.8, 1.6, 1.4, 1.2, 1]
    distances = pixels.map { Self.pixelsInDistance * code.size.moduleSize / $0 }
    neededDistance = code.size.intendedDistance ?? code.size.readingDistance
    symbol = .qrCode(code.symbol.bytes)
  }

  /// Prepares an App Clip Code.
  ///
  /// - Parameters:
  ///   - picture: The picture in which it is.
  ///   - place: Its position.
  init(_ picture: GreyPicture, _ place: AppClipCodePlace, _ code: AppClipCodeDrawing) {
    let across = Double(DesignProof.pixelsAcrossDisc)
    let side = Int(bounded: (across / Self.discShare).rounded())
    drawing = ProofRaster(picture.square(around: place), side: side)
    let sharp = drawing.picture
    let third = AppClipCodeProofSampler.thirdBrightness(
      of: code.code.pattern, in: sharp, at: Self.disc(in: sharp))
    ink = PrintedInk(drawing, middle: Float(third))
    dirt = nil
    noise = ProofRaster.cameraNoise(count: side * side)
    unit = across * AppClipCodeRing.strokeWidth / (2 * AppClipCodeRing.discRadius)
    pixelSize = code.diameter / across
    contrastLosses = []
    distances = stride(from: 10.0, through: 60, by: 2.5).map { $0 * code.diameter }
    // Modules of a QR code are about as wide as arcs and the gaps between them.
    neededDistance = code.readingDistance
    symbol = .appClipCode(code.code)
  }

  /// The position of an App Clip Code in the middle of a picture, with some of the page around it.
  private static func disc(in picture: GreyPicture) -> AppClipCodePlace {
    let width = Double(picture.width)
    return AppClipCodePlace(x: width / 2, y: width / 2, radius: width * discShare / 2)
  }

  /// The part of the picture's width that the disc of an App Clip Code takes.
  private static let discShare = 5.0 / 6

  /// The steps of a trouble, each worse than the one before.
  private func steps(_ trouble: Trouble) -> [Double] {
    func hundredths(_ range: ClosedRange<Int>, by step: Int) -> [Double] {
      stride(from: range.lowerBound, through: range.upperBound, by: step).map { Double($0) / 100 }
    }
    switch trouble {
    case .blur: return hundredths(10...120, by: 5)
    case .dotGain, .inkLoss: return hundredths(10...90, by: 5)
    case .dirt: return hundredths(1...30, by: 1)
    case .contrastLoss: return hundredths(20...95, by: 5) + contrastLosses
    case .distance: return distances
    }
  }

  /// Returns the amount that the field needs: a lens that is a third of a module out of focus; the
  /// spread of an ink jet on plain paper and the loss of a worn thermal head, a fifth of a module;
  /// stains over a fiftieth of the area; the least contrast that is not refused; the distance it is
  /// meant for.
  private func needed(_ trouble: Trouble) -> Double {
    switch trouble {
    case .blur: 0.3
    case .dotGain, .inkLoss: 0.2
    case .dirt: 0.02
    case .contrastLoss: 1 - CodeColours.leastContrast
    case .distance: neededDistance
    }
  }

  func margins() throws(PictureError) -> [DesignProof.Margin] {
    var margins: [DesignProof.Margin] = []
    for trouble in Trouble.allCases where trouble != .dirt || dirt != nil {
      margins.append(try margin(trouble))
    }
    return margins
  }

  func margin(_ trouble: Trouble) throws(PictureError) -> DesignProof.Margin {
    var (plain, scanner): (Double?, Double?)
    var isPlain = true
    for step in steps(trouble) {
      let picture = suffering(trouble, step)
      if isPlain {
        isPlain = try isRead(picture, thoroughly: false)
        if isPlain { plain = step }
      }
      // The scanner begins with the same reading by zbar.
      if !isPlain, try !isRead(picture, thoroughly: true) { break }
      scanner = step
    }
    return DesignProof.Margin(
      trouble: trouble, plain: plain, scanner: scanner, needed: needed(trouble))
  }

  private func isRead(_ picture: GreyPicture, thoroughly: Bool) throws(PictureError) -> Bool {
    switch symbol {
    case .qrCode(let bytes):
      let codes =
        thoroughly
        ? try CodeScanner(effort: .firstCode).scan(picture).map(\.bytes)
        : try CodeScanner().bytesReadBack(from: picture)
      return codes == [bytes]
    case .appClipCode(let code):
      return AppClipCodeProofSampler().mistakes(
        in: picture, at: Self.disc(in: picture), expecting: code)
        == AppClipCodeProofSampler.Mistakes.none
    }
  }

  /// The grade of the design as a good press prints and a flatbed scanner sees it.
  func grade(of code: CodeDrawing) throws(PictureError) -> PrintGrade? {
    // A Gaussian is 2.355 standard deviations wide at half its height.
    let printed = ink.grown(by: Self.pressGain * unit / 2).inLinearLight {
      $0.blurred(by: Self.scannerBlur / 2.355 * unit)
    }.picture
    let codes = try CodeScanner().readBack(printed)
    guard let found = codes.first(where: { $0.bytes == code.symbol.bytes }) else { return nil }
    return PrintGrader(
      capture: .flatbed(dotsPerInch: 25.4 / pixelSize),
      paperReflectance: code.colours.background.luminance
    ).grade(found, in: printed)
  }

  /// The widening of a dark line by a good press, in modules.
  private static let pressGain = 0.1
  /// The width of a scanner's blur at half its height, in modules.
  private static let scannerBlur = 0.5

  /// Returns the drawing under one step of a trouble.
  func suffering(_ trouble: Trouble, _ step: Double) -> GreyPicture {
    switch trouble {
    case .blur: return drawing.blurred(by: step * unit).picture
    // A line grows at both of its edges.
    case .dotGain: return ink.grown(by: step * unit / 2).picture
    case .inkLoss: return ink.grown(by: -step * unit / 2).picture
    case .dirt: return (dirt?.over(drawing, share: step) ?? drawing).picture
    case .contrastLoss:
      return drawing.mapped { value, index in
        127.5 + (value - 127.5) * Float(1 - step) + noise[index]
      }.picture
    case .distance:
      let scale = Self.pixelsInDistance * pixelSize / step
      let side = max(1, Int(bounded: (Double(drawing.side) * scale).rounded()))
      // Half a pixel of the lens's own blur is what cameras are built for.
      return drawing.blurred(by: 0.5 / scale).resampled(side: side).picture
    }
  }
}

extension GreyPicture {
  /// Returns the square around a disc with a tenth of its diameter on each side; everything beyond
  /// the picture is white.
  fileprivate func square(around place: AppClipCodePlace) -> GreyPicture {
    let half = place.radius * 1.2
    let side = max(1, Int(bounded: (2 * half).rounded()))
    let (left, top) = (
      Int(bounded: (place.x - half).rounded()), Int(bounded: (place.y - half).rounded())
    )
    var part = [UInt8](repeating: 255, count: side * side)
    for row in max(0, -top)..<min(side, height - top) {
      for column in max(0, -left)..<min(side, width - left) {
        part[row * side + column] = pixels[(row + top) * width + column + left]
      }
    }
    return GreyPicture(width: side, height: side, pixels: part)
  }
}
