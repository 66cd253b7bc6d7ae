/// The styles of a code as text.
public enum TerminalStyle: String, CaseIterable, Hashable, Sendable {
  /// Half blocks in explicit black on white, correct on dark and on light terminals.
  case colour
  /// Half blocks without colours for light text on a dark ground: the light modules are blocks.
  case blocksOnDark
  /// Half blocks without colours for dark text on a light ground: the dark modules are blocks.
  case blocksOnLight
  /// Two `#` for a dark module, two spaces for a light one, for dark text on a light ground.
  case ascii
}

extension CodeDrawing {
  /// The code with its quiet zone as lines of text, each ended by a line feed.
  ///
  /// The printed size is not used; two rows of modules make a line, except in ASCII.
  public func terminalText(style: TerminalStyle) -> String {
    let side = size.modulesAcross
    switch style {
    case .ascii:
      return (0..<side).map { row in
        (0..<side).map { isDark($0, row) ? "##" : "  " }.joined() + "\n"
      }.joined()
    case .colour:
      // 16 and 231 are the fixed black and white of 256 colours; 0 and 15 follow the theme.
      return halfBlocks(ink: true, before: "\u{1B}[38;5;16;48;5;231m", after: "\u{1B}[0m")
    case .blocksOnDark: return halfBlocks(ink: false, before: "", after: "")
    case .blocksOnLight: return halfBlocks(ink: true, before: "", after: "")
    }
  }

  /// Lines of half blocks, filled where a module's darkness is `ink`.
  private func halfBlocks(ink: Bool, before: String, after: String) -> String {
    let side = size.modulesAcross
    return stride(from: 0, to: side, by: 2).map { row in
      let blocks = (0..<side).map { column in
        switch (isDark(column, row) == ink, isDark(column, row + 1) == ink) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return before + blocks.joined() + after + "\n"
    }.joined()
  }
}
