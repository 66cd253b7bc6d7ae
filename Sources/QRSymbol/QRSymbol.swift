/// A QR Code symbol as modules. (Boundary type; the encoder is written next.)
public struct QRSymbol: Hashable, Sendable {
}
