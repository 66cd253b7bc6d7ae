import CodeDrawing

extension PageDrawing.Element {
  /// The same at another place.
  func moved(right: Double, down: Double) -> Self {
    let move = DrawingPoint(x: right, y: down)
    switch self {
    case .shape(let path, let colour): return .shape(path.placed(at: move), colour)
    case .line(let path, let style): return .line(path.placed(at: move), style)
    case .code(let code, let corner):
      return .code(code, DrawingPoint(x: corner.x + right, y: corner.y + down))
    case .picture(let picture, let box):
      return .picture(picture, box.moved(right: right, down: down))
    case .photograph(let picture, let box):
      return .photograph(picture, box.moved(right: right, down: down))
    case .text(var words):
      words.corner = DrawingPoint(x: words.corner.x + right, y: words.corner.y + down)
      return .text(words)
    }
  }
}
