import CodeDrawing
package import CodeScanning

extension UnreadSymbol {
  /// What it is, in a few words.
  package var name: String {
    switch kind {
    case .partOfMessage(let number, let count): "part \(number) of \(count)"
    case .microQR: "Micro QR"
    case .rectangularMicroQR: "rMQR"
    }
  }

  /// What it is and why it gives no text.
  package var sentence: String {
    switch kind {
    case .partOfMessage(let number, let count):
      "a QR code is part \(number) of a message over \(count), and not all parts are in the picture"
    case .microQR:
      "a Micro QR code, which neither iPhones nor cliptag read: print it as an ordinary QR code"
    case .rectangularMicroQR:
      "an rMQR code, which neither iPhones nor cliptag read: print it as an ordinary QR code"
    }
  }
}

extension PictureMark {
  /// The mark of a symbol that gives no text.
  init(_ symbol: UnreadSymbol) {
    self.init(
      corners: symbol.corners.map { DrawingPoint(x: $0.x, y: $0.y) }, standing: .unread,
      label: symbol.name, payload: symbol.sentence)
  }
}
