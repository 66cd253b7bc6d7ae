import Foundation
import Invocation
import Registry

/// A foreign code that costs people money or passwords.
enum ForeignThreat {
  /// It asks for a payment, or for a password.
  case payment
  /// It leads to a host that resembles one of ours.
  case imitation(of: String)

  /// The beginnings of payment codes: EPC069-12, Swiss QR bill, EMV, and URI schemes.
  private static let beginnings = [
    "bcd\n", "bcd\r", "spc\n", "spc\r", "000201", "payto:", "upi:", "bank:", "sepa:", "paypal:",
    "venmo:", "bitcoin:", "lightning:", "lnurl", "ethereum:", "litecoin:", "monero:",
    "bitcoincash:",
  ]
  /// The parts of words in hosts for payments and for passwords.
  private static let stems = [
    "pay", "bezahl", "zahlung", "paiement", "checkout", "giro", "wallet", "login", "signin",
    "banking",
  ]
  /// The words of payment and of passwords in the languages of the pages and their neighbours.
  private static let words: Set<Substring> = [
    "pay", "payment", "payments", "paying", "checkout", "donate", "donation", "invoice", "billing",
    "zahlung", "zahlen", "bezahlen", "bezahlung", "spende", "spenden", "rechnung", "girocode",
    "paiement", "payer", "pagar", "pago", "pagos", "pagamento", "betalen", "betaling", "stripe",
    "sumup", "klarna", "venmo", "twint", "wero", "bizum", "cashapp", "revolut", "donar", "shiharai",
    "login", "signin", "password", "passwort", "konto", "wallet",
  ]

  /// Judges a reading of no code of ours.
  ///
  /// - Parameter domains: The hosts of our clips.
  /// - Returns: `nil` if there is no sign of a threat.
  init?(_ reading: WalkReading, amid domains: Set<String>) {
    guard reading.carrier != .barcode else { return nil }
    let text = reading.payload.lowercased()
    if Self.beginnings.contains(where: text.hasPrefix) {
      self = .payment
      return
    }
    guard let (user, host) = Self.authority(of: text) else { return nil }
    let ours = domains.sorted()
    guard !ours.contains(where: { host == $0 || host.hasSuffix("." + $0) }) else { return nil }
    if let ours = ours.first(where: { user.contains($0) || Self.does(host, imitate: $0) }) {
      self = .imitation(of: ours)
      return
    }
    let parts = text.split { !$0.isLetter && !$0.isNumber }
    guard
      parts.contains(where: Self.words.contains) || Self.stems.contains(where: host.contains)
    else { return nil }
    self = .payment
  }

  /// The user, which browsers ignore, and the host of a link; `nil` for another text.
  private static func authority(of text: String) -> (user: String, host: String)? {
    let address =
      ["https://", "http://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) }
      ?? (text.hasPrefix("www.") ? Substring(text) : nil)
    guard let authority = address?.prefix(while: { !"/?#".contains($0) }) else { return nil }
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    let host = (parts.last ?? "").prefix { $0 != ":" }
    return host.isEmpty ? nil : (parts.dropLast().joined(separator: "@"), String(host))
  }

  private static func does(_ host: String, imitate ours: String) -> Bool {
    guard !ours.hasSuffix("." + host) else { return false }
    return host.isOneEdit(from: ours)
      || host.replacing(".", with: "-").contains(ours.replacing(".", with: "-"))
  }

  /// The remark besides the heading and the advice.
  var remark: String {
    switch self {
    case .payment: "Asks for money or a password, and not for us."
    case .imitation(let ours): "Imitates \(ours.nameForPeople)."
    }
  }

  func finding(_ reading: WalkReading) -> Finding {
    Finding(
      .phishingCode, .error,
      "\(reading.payload.payloadForPeople) is no code of ours. \(remark) Photograph it, cover it at "
        + "once, and call the place and the police; do not follow it.")
  }
}
