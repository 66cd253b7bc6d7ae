/// An NDEF message. (Boundary type; the codec is written next.)
public struct NDEFMessage: Hashable, Sendable {
}
