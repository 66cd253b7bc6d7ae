import Testing

@testable import Pictures

@Suite("Sizes of SVG drawings")
struct SVGSizeTests {
  @Test(
    "a drawing says how large it is in any unit, else by its view box",
    arguments: [
      (#"width="25.4mm" height="50.8mm""#, 1.0, 2.0), (#"width='2in' height = '72pt'"#, 2, 1),
      (#"width="96" height="192px" viewBox="0 0 5 5""#, 1, 2),
      (#"stroke-width="9" viewBox="0 0 960,96" width="100%""#, 10, 1),
      (#"width="2.54cm" height="6pc""#, 1, 1),
    ])
  func sizes(attributes: String, width: Double, height: Double) throws {
    let drawing =
      "<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg' \(attributes)><g/></svg>"
    let size = try #require(SVGSize.inches(of: Array(drawing.utf8)))
    #expect(abs(size.width - width) < 1e-9 && abs(size.height - height) < 1e-9)
  }

  @Test(
    "what says nothing of its size has none",
    arguments: [
      "<svg>", "<svg width='1em' height='1em'>", "<svg width='0' height='4'>", "<svg", "",
      "<svg width='1e308' height='1e308'>", "<svg width='1e30' height='1e-30'>",
      "<svg width='inf' height='nan'>", "<svg width='-5' height='5'>",
      "<svg viewBox='0 0 1e300 1'>",
    ])
  func none(drawing: String) { #expect(SVGSize.inches(of: Array(drawing.utf8)) == nil) }
}
