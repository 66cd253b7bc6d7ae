import CodeDrawing
import CodeScanning
import Pictures
import QRSymbol

/// The drawing of one code, and the troubles it is put to.
struct ProofBench {
  private let drawing: ProofRaster
  private let ink: InkSpread
  private let dirt: SimulatedDirt
  private let noise: [Float]
  private let modulesAcross: Int
  private let moduleSize: Double
  private let neededDistance: Double
  private let bytes: [UInt8]

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
    var random = SplitMix64(seed: 29_158)
    // The mean of four is near enough to the bell of a camera's noise, with a deviation of 2.
    noise = (0..<side * side).map { _ in
      (0..<4).reduce(0) { sum, _ in sum + Float.random(in: -1...1, using: &random) } * 1.73
    }
    modulesAcross = code.size.modulesAcross
    moduleSize = code.size.moduleSize
    neededDistance = code.size.intendedDistance ?? code.size.readingDistance
    bytes = code.symbol.bytes
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

  /// What the field needs: a lens that is a third of a module out of focus; the spread of an ink
  /// jet on plain paper and the loss of a worn thermal head, a fifth of a module; stains over a
  /// fiftieth of the area; the least contrast that is not refused; the distance it is meant for.
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
        zbarReads = isRead(try plain.readBack(picture))
        if zbarReads { zbar = step }
      }
      if scannerReads {
        // What zbar reads alone, the scanner reads first of all.
        if !zbarReads { scannerReads = isRead(try thorough.scan(picture)) }
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
    return PrintGrader(capture: .flatbed(dotsPerInch: resolution)).grade(code, in: printed)
  }

  /// How much wider a good press prints a dark line, in modules.
  private static let pressGain = 0.1
  /// How wide the blur of a scanner is at half its height, in modules.
  private static let scannerBlur = 0.5

  private func isRead(_ codes: [DecodedCode]) -> Bool {
    codes.count == 1 && codes[0].bytes == bytes
  }

  /// The drawing under one step of a trouble.
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
