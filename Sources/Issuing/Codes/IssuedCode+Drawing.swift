public import CodeDrawing
import QRSymbol
public import Registry

extension IssuedCode.Symbol {
  /// What the registry keeps of a code that was drawn: lengths in millimetres, rounded to thousandths.
  ///
  /// - Parameter drawing: The code as it was printed.
  public init(_ drawing: CodeDrawing) {
    func thousandths(_ length: Double) -> Double { (length * 1000).rounded() / 1000 }
    self.init(
      version: drawing.symbol.version, errorCorrection: drawing.symbol.errorCorrection.rawValue,
      moduleSize: thousandths(drawing.size.moduleSize), width: thousandths(drawing.size.width))
  }
}
