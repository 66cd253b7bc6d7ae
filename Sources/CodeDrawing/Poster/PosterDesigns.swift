import CliptagBasics

extension PosterCanvas {
  /// Draws all elements on one axis, on white; beside codes, words are flush.
  mutating func drawClassic() throws {
    let style = PosterStyle(
      alignment: .centre, headline: 9...15, hasPlaceBelowCodes: true, ground: .white,
      ink: colours.ink, accent: colours.accentOnWhite, codeInk: colours.ink,
      ring: colours.accentOnWhite, quiet: colours.quietInk)
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
    let style = PosterStyle(
      headline: 11...19, bar: 4, ground: .white, ink: colours.ink,
      accent: colours.accentOnWhite, codeInk: colours.ink, ring: colours.accentOnWhite,
      quiet: colours.quietInk)
    try draw(try layout(style), style)
  }
}
