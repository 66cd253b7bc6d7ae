import CliptagBasics
package import Issuing

extension DesignProof {
  /// The margins that are too small for the field, each as a code and a sentence.
  package var findings: [(code: String, text: String)] {
    warnings.map { margin in
      let trouble = margin.trouble
      let reads =
        margin.plain.map { "up to \(amount($0, trouble))" } ?? "not even at the first step"
      let needs =
        "under \(trouble.words) \(reads); use in the field requires \(amount(margin.needed, trouble))."
      return switch symbol {
      case .qrCode: ("small-margin", "A plain scanner reads it \(needs) \(trouble.hint)")
      case .appClipCode:
        ("small-margin", "The App Clip Code is read without bit errors \(needs) Make it larger.")
      }
    }
  }

  /// An amount of a trouble with its unit.
  package func amount(_ value: Double, _ trouble: Trouble) -> String {
    let percentage = "\(Int(bounded: (value * 100).rounded())) %"
    return switch (trouble, symbol) {
    case (.blur, .qrCode): "\(value.inThousandths) modules"
    case (.blur, .appClipCode): "\(value.inThousandths) widths of an arc"
    case (.dotGain, .qrCode), (.inkLoss, .qrCode): "\(percentage) of a module"
    case (.dotGain, .appClipCode), (.inkLoss, .appClipCode): "\(percentage) of an arc's width"
    case (.dirt, _): "\(percentage) of the area"
    case (.contrastLoss, _): percentage
    case (.distance, _): "\(Int(bounded: value)) mm"
    }
  }
}

extension DesignProof.Trouble {
  /// The trouble in a sentence.
  package var words: String {
    switch self {
    case .blur: "blur"
    case .dotGain: "ink spread"
    case .inkLoss: "ink loss"
    case .dirt: "dirt"
    case .contrastLoss: "loss of contrast"
    case .distance: "distance"
    }
  }

  fileprivate var hint: String {
    switch self {
    case .blur, .distance: "Make the code larger, or the URL shorter."
    case .dotGain, .inkLoss: "Make the modules larger, or print on better paper."
    case .dirt: "Use a stronger error correction, or a smaller logo."
    case .contrastLoss: "Use darker ink, or lighter paper."
    }
  }
}

extension Double {
  /// Rounded to thousandths, as millimetres are recorded and printed.
  package var inThousandths: Double { (self * 1000).rounded() / 1000 }
}
