import CliptagBasics
import CodeDrawing
import CodeScanning
import Glibc
import Pictures
import QRSymbol

/// The drawing of one code, and the troubles to which it is put.
struct ProofBench {
  private let drawing: ProofRaster
  private let ink: InkSpread
  private let dirt: SimulatedDirt
  private let noise: [Float]
  private let modulesAcross: Int
  private let moduleSize: Double
  private let neededDistance: Double
  private let bytes: [UInt8]
  /// The reflectance of the background, from its colour.
  private let paper: Double

  /// A phone's camera whose lens is that of 26 mm on film sees a scene 1.37 times as wide as it is
  /// away: on 1,920 pixels, one of them is this part of the distance.
  static let pixelsInDistance = 1_396.0

  init(_ picture: GreyPicture, _ code: CodeDrawing) {
    let scale = DesignProof.pixelsPerModule
    let side = code.size.modulesAcross * scale
    drawing = ProofRaster(picture, side: side)
    ink = InkSpread(of: drawing)
    dirt = SimulatedDirt(
      side: side, module: Double(scale), margin: Double(scale * CodeSize.quietZoneModules))
    noise = ProofRaster.cameraNoise(count: side * side)
    modulesAcross = code.size.modulesAcross
    moduleSize = code.size.moduleSize
    neededDistance = code.size.intendedDistance ?? code.size.readingDistance
    bytes = code.symbol.bytes
    paper = code.colours.background.luminance
  }

  /// The steps of a trouble, each worse than the one before.
  func steps(_ trouble: DesignProof.Trouble) -> [Double] {
    func hundredths(_ range: ClosedRange<Int>, by step: Int) -> [Double] {
      stride(from: range.lowerBound, through: range.upperBound, by: step).map { Double($0) / 100 }
    }
    switch trouble {
    case .blur: return hundredths(10...120, by: 5)
    case .dotGain, .inkLoss: return hundredths(10...90, by: 5)
    case .dirt: return hundredths(1...30, by: 1)
    case .contrastLoss: return hundredths(20...95, by: 5) + [0.97, 0.98]
    case .distance:
      let pixels = [6.0, 5, 4.5, 4.2, 4, 3.5, 3, 2.75, 2.5, 2.25, 2, 1.8, 1.6, 1.4, 1.2, 1]
      return pixels.map { Self.pixelsInDistance * moduleSize / $0 }
    }
  }

  /// Returns the amount that the field needs: a lens that is a third of a module out of focus; the
  /// spread of an ink jet on plain paper and the loss of a worn thermal head, a fifth of a module;
  /// stains over a fiftieth of the area; the least contrast that is not refused; the distance it is
  /// meant for.
  func needed(_ trouble: DesignProof.Trouble) -> Double {
    switch trouble {
    case .blur: 0.3
    case .dotGain, .inkLoss: 0.2
    case .dirt: 0.02
    case .contrastLoss: 1 - CodeColours.leastContrast
    case .distance: neededDistance
    }
  }

  func margin(_ trouble: DesignProof.Trouble) throws(PictureError) -> DesignProof.Margin {
    var (zbar, scanner): (Double?, Double?)
    var (zbarReads, scannerReads) = (true, true)
    let plain = CodeScanner()
    let thorough = CodeScanner(effort: .firstCode)
    for step in steps(trouble) where zbarReads || scannerReads {
      let picture = suffering(trouble, step)
      if zbarReads {
        zbarReads = isRead(try plain.bytesReadBack(from: picture))
        if zbarReads { zbar = step }
      }
      if scannerReads {
        // The scanner begins with the same reading by zbar.
        if !zbarReads { scannerReads = isRead(try thorough.scan(picture).map(\.bytes)) }
        if scannerReads { scanner = step }
      }
    }
    return DesignProof.Margin(
      trouble: trouble, zbar: zbar, scanner: scanner, needed: needed(trouble))
  }

  /// The grade of the design as a good press prints and a flatbed scanner sees it.
  func grade() throws(PictureError) -> PrintGrade? {
    let module = Double(DesignProof.pixelsPerModule)
    // A Gaussian is 2.355 standard deviations wide at half its height.
    let printed = ink.grown(by: Self.pressGain * module / 2).inLinearLight {
      $0.blurred(by: Self.scannerBlur / 2.355 * module)
    }.picture
    let codes = try CodeScanner().readBack(printed)
    guard let code = codes.first(where: { $0.bytes == bytes }) else {
      return nil
    }
    let resolution = 25.4 * module / moduleSize
    return PrintGrader(capture: .flatbed(dotsPerInch: resolution), paperReflectance: paper)
      .grade(code, in: printed)
  }

  /// The widening of a dark line by a good press, in modules.
  private static let pressGain = 0.1
  /// The width of a scanner's blur at half its height, in modules.
  private static let scannerBlur = 0.5

  private func isRead(_ codes: [[UInt8]]) -> Bool {
    codes == [bytes]
  }

  /// Returns the drawing under one step of a trouble.
  func suffering(_ trouble: DesignProof.Trouble, _ step: Double) -> GreyPicture {
    let module = Double(DesignProof.pixelsPerModule)
    switch trouble {
    case .blur: return drawing.blurred(by: step * module).picture
    // A line grows at both of its edges.
    case .dotGain: return ink.grown(by: step * module / 2).picture
    case .inkLoss: return ink.grown(by: -step * module / 2).picture
    case .dirt: return dirt.over(drawing, share: step).picture
    case .contrastLoss:
      return drawing.mapped { value, index in
        127.5 + (value - 127.5) * Float(1 - step) + noise[index]
      }.picture
    case .distance:
      let pixels = Self.pixelsInDistance * moduleSize / step
      let side = max(1, Int((Double(modulesAcross) * pixels).rounded()))
      // Half a pixel of the lens's own blur is what cameras are built for.
      return drawing.blurred(by: 0.5 * module / pixels).resampled(side: side).picture
    }
  }
}

/// Dirt on a drawing: round spots of ink and scratches down to the paper, at places that are always
/// the same.
struct SimulatedDirt {
  /// For each pixel the share of the area at which a spot covers it first, and whether that is
  /// dark.
  private let covered: [(share: Float, isDark: Bool)?]

  /// The most of the area that is ever covered.
  static let mostShare = 0.3

  /// - Parameters:
  ///   - side: the pixels of the drawing.
  ///   - module: the pixels of a module; spots are half a module to two modules wide.
  ///   - margin: the pixels of the quiet zone, which stays clean.
  init(side: Int, module: Double, margin: Double) {
    var covered = [(share: Float, isDark: Bool)?](repeating: nil, count: side * side)
    var random = SeededGenerator(seed: 15_415)
    let inner = Double(side) - 2 * margin
    let area = inner * inner
    var count = 0.0
    while count / area < Self.mostShare {
      let radius = module * Double.random(in: 0.25...1, using: &random)
      let x = margin + inner * Double.random(in: 0...1, using: &random)
      let y = margin + inner * Double.random(in: 0...1, using: &random)
      let isDark = Bool.random(using: &random)
      let rows = max(0, Int(y - radius))...min(side - 1, Int(y + radius))
      let columns = max(0, Int(x - radius))...min(side - 1, Int(x + radius))
      let before = count / area
      for row in rows {
        for column in columns where covered[row * side + column] == nil {
          guard hypot(Double(column) + 0.5 - x, Double(row) + 0.5 - y) <= radius else { continue }
          covered[row * side + column] = (Float(before), isDark)
          count += 1
        }
      }
    }
    self.covered = covered
  }

  /// The drawing with spots over a share of its area.
  func over(_ drawing: ProofRaster, share: Double) -> ProofRaster {
    drawing.mapped { value, index in
      guard let spot = covered[index], spot.share < Float(share) else { return value }
      return spot.isDark ? 0 : 255
    }
  }
}

/// The spread or loss of ink at every edge of a drawing, in parts of a pixel.
///
/// A pixel is dark if it is darker than the middle between the drawing's darkest and lightest. The
/// distance of each pixel to the nearest edge is exact (Felzenszwalb and Huttenlocher, 2012), and a
/// pixel that an edge passes is changed in part, so that a growth of a tenth of a pixel has an
/// effect.
struct InkSpread {
  private let drawing: ProofRaster
  private let dark, light: Float
  /// From each pixel's middle to the nearest dark one's.
  private let toDark: [Float]
  /// From each pixel's middle to the nearest light one's.
  private let toLight: [Float]

  init(of drawing: ProofRaster) {
    self.drawing = drawing
    let darkest = drawing.values.min() ?? 0
    let lightest = drawing.values.max() ?? 255
    (dark, light) = (darkest, lightest)
    let threshold = (darkest + lightest) / 2
    let isDark = drawing.values.map { $0 < threshold }
    toDark = Self.distances(isDark, side: drawing.side)
    toLight = Self.distances(isDark.map { !$0 }, side: drawing.side)
  }

  /// The drawing with every edge of the ink moved outwards; inwards by a negative distance.
  ///
  /// - Parameter pixels: how far; a line becomes wider by twice of that.
  func grown(by pixels: Double) -> ProofRaster {
    let reach = Float(abs(pixels))
    let distances = pixels >= 0 ? toDark : toLight
    let target = pixels >= 0 ? dark : light
    return drawing.mapped { value, index in
      // An edge is half a pixel before the middle of the first pixel beyond it.
      let covered = min(1, max(0, reach + 1 - distances[index]))
      let moved = value * (1 - covered) + target * covered
      return pixels >= 0 ? min(value, moved) : max(value, moved)
    }
  }

  /// The distance of every place to the nearest marked one; zero at marked ones.
  private static func distances(_ isMarked: [Bool], side: Int) -> [Float] {
    let far = Float(4 * side * side)
    var squares = isMarked.map { $0 ? 0 : far }
    var line = [Float](repeating: 0, count: side)
    for (step, stride) in [(1, side), (side, 1)] {
      for start in 0..<side {
        for index in 0..<side { line[index] = squares[start * stride + index * step] }
        let lowest = lowerEnvelope(line)
        for index in 0..<side { squares[start * stride + index * step] = lowest[index] }
      }
    }
    return squares.map { $0.squareRoot() }
  }

  /// For each place the least of value and squared distance over all places of a line.
  private static func lowerEnvelope(_ values: [Float]) -> [Float] {
    var parabolas = [0]
    var borders: [Float] = [-.infinity]
    func meeting(_ first: Int, _ second: Int) -> Float {
      (values[second] + Float(second * second) - values[first] - Float(first * first))
        / Float(2 * (second - first))
    }
    for index in 1..<values.count {
      while parabolas.count > 1, meeting(parabolas[parabolas.count - 1], index) <= borders.last ?? 0
      {
        parabolas.removeLast()
        borders.removeLast()
      }
      borders.append(meeting(parabolas[parabolas.count - 1], index))
      parabolas.append(index)
    }
    var result = values
    var current = 0
    for index in values.indices {
      while current + 1 < parabolas.count, borders[current + 1] < Float(index) { current += 1 }
      let offset = Float(index - parabolas[current])
      result[index] = offset * offset + values[parabolas[current]]
    }
    return result
  }
}
