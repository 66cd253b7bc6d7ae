import CliptagBasics
package import CodeScanning
public import Invocation

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let unsupportedSymbol = Self(
    "unsupported-symbol",
    "The symbol is Micro QR, rMQR or QR Code Model 1, which iPhones do not read.")
  public static let wornSymbol = Self(
    "worn-symbol",
    "Reading the symbol took most of its error correction: it is damaged, or the picture is poor.")
  public static let invertedSymbol = Self(
    "inverted-symbol", "The symbol is light on dark, which not every scanner reads.")
  public static let needsDarkGround = Self(
    "needs-dark-ground",
    "The symbol is light on transparent: it is visible on a dark background only, light on dark."
  )
  public static let mirroredSymbol = Self(
    "mirrored-symbol", "The symbol is mirrored: photographed from behind, or printed mirrored.")

  /// The codes above, in the order of the documentation.
  package static let ofSymbols: [Self] = [
    .unsupportedSymbol, .wornSymbol, .invertedSymbol, .needsDarkGround, .mirroredSymbol,
  ]
}

extension Finding {
  /// The finding about the kind of a symbol: an error for one that resembles a QR code and opens
  /// nothing.
  package static func about(_ symbology: DecodedCode.Symbology) -> Finding? {
    symbology.nameAmongQR.map { name in
      Finding(
        .unsupportedSymbol, .error,
        "The symbol is \(name), which iPhones do not read: print it as an ordinary QR code.")
    }
  }

  /// The findings of a reading about the print: warnings and notes, never a reason to reject.
  package static func about(_ code: DecodedCode) -> [Finding] {
    var findings: [Finding] = []
    // Below this, ISO/IEC 15415:2011, 7.8.8 grades unused error correction D or F.
    if let use = code.correction, use.unused < 0.37 {
      findings.append(
        Finding(
          .wornSymbol, .warning,
          "Error correction repaired \(use.correctedCodewords) of \(use.codewords) codewords"
            + " and is \(percent(1 - use.unused)) used up: take another picture, and print the code"
            + " again if the result is the same."))
    }
    if code.neededGround == .dark {
      findings.append(
        Finding(
          .needsDarkGround, .warning,
          "The symbol is light on transparent: it needs a dark background. On paper or a white page it is"
            + " invisible, and on a dark one light on dark, which not every scanner reads."))
    } else if code.isInverted {
      findings.append(
        Finding(
          .invertedSymbol, .warning,
          "The symbol is light on dark, which not every scanner reads: print it dark on light."))
    }
    if code.isMirrored == true {
      findings.append(
        Finding(
          .mirroredSymbol, .note,
          "The symbol is mirrored: check if the picture was taken through glass from behind, or the code"
            + " printed so."))
    }
    return findings
  }

  private static func percent(_ part: Double) -> String {
    "\(Int(bounded: (part * 100).rounded())) %"
  }
}

extension DecodedCode.Symbology {
  /// The name, with its article, of a symbology with the patterns of QR Code; `nil` for others.
  fileprivate var nameAmongQR: String? {
    switch self {
    case .microQR: "a Micro QR code"
    case .rectangularMicroQR: "an rMQR code"
    case .model1QR: "a QR code of the old Model 1"
    default: nil
    }
  }
}

extension UnreadSymbol {
  /// The kind of symbol, in a few words.
  package var name: String {
    switch kind {
    case .partOfMessage(let number, let count): "part \(number) of \(count)"
    case .microQR: "Micro QR"
    case .rectangularMicroQR: "rMQR"
    case .model1QR: "QR Model 1"
    case .unreadableQR: "unreadable QR code"
    }
  }

  /// The kind of symbol, and the reason why it gives no text.
  package var sentence: String {
    switch kind {
    case .partOfMessage(let number, let count):
      "a QR code is part \(number) of a message over \(count), and not all parts are in the picture"
    case .microQR: Self.sentence(.microQR)
    case .rectangularMicroQR: Self.sentence(.rectangularMicroQR)
    case .model1QR: Self.sentence(.model1QR)
    case .unreadableQR:
      "something looks like a QR code and cannot be read: it may be covered or damaged"
    }
  }

  private static func sentence(_ symbology: DecodedCode.Symbology) -> String {
    "\(symbology.nameAmongQR ?? "a symbol") that could not be read, and that iPhones do not read: print"
      + " it as an ordinary QR code"
  }
}
