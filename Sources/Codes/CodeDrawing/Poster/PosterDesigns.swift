import CliptagBasics

extension PosterCanvas {
  /// Draws all elements on one axis, on the ground; beside codes, words are flush.
  mutating func drawClassic() throws {
    addGround()
    let style = PosterStyle(
      alignment: .centre, headline: 9...15, hasPlaceBelowCodes: true, ground: colours.ground,
      ink: colours.ink, accent: colours.accentOnGround, codeInk: colours.ink,
      ring: colours.accentOnGround, quiet: colours.quietInk)
    try draw(try layout(style), style)
  }

  /// Draws a ground in the accent's colour to the edge, and the codes with the call to action on a
  /// white plate. An App Clip Code alone needs none: its disc is its own ground.
  mutating func drawBold() throws {
    add(page.bleedBox, colour: colours.accent)
    let ink = hasQRCode ? colours.ink : colours.onAccent
    let style = PosterStyle(
      headline: 10...17, hasPlate: hasQRCode, ground: colours.accent, ink: colours.onAccent,
      accent: colours.onAccent, codeInk: ink, ring: ink, quiet: colours.onAccent)
    try draw(try layout(style), style)
  }

  /// Draws flush text under a bar in the accent's colour, with a large headline, and the codes at
  /// the foot.
  mutating func drawEditorial() throws {
    addGround()
    let style = PosterStyle(
      headline: 11...19, bar: 4, ground: colours.ground, ink: colours.ink,
      accent: colours.accentOnGround, codeInk: colours.ink, ring: colours.accentOnGround,
      quiet: colours.quietInk)
    try draw(try layout(style), style)
  }

  /// Fills the page with the colour of its ground; white is the paper's own.
  private mutating func addGround() {
    if colours.ground != .white { add(page.bleedBox, colour: colours.ground) }
  }
}
