import CliptagBasics
import Foundation
import Invocation

/// A code that is not ours, as far as its text shows what it is for.
enum ForeignCode: Hashable {
  /// It asks for a payment, or for a password.
  case payment
  /// It leads to a host that resembles one of ours.
  case imitation(of: String)
  /// It leads to another site.
  case link
  /// It holds anything else, such as the access to a Wi-Fi or a contact.
  case text

  /// The beginnings of payment codes: EPC069-12, Swiss QR bill, EMV, the national formats of
  /// Slovenia, Croatia, Hungary, Czechia, Serbia and Russia, and URI schemes.
  private static let beginnings = [
    // A line break of two characters is one letter of a text.
    "bcd\n", "bcd\r\n", "spc\n", "spc\r\n", "000201", "upnqr", "hrvhub30", "hct\n", "hct\r\n",
    "spd*",
    "k:pr|", "st00011|", "st00012|", "payto:", "upi:", "bank:", "sepa:", "paypal:", "venmo:",
    "cashapp:", "swish:", "twint", "alipay", "wxp:", "weixin:", "gpay:", "tez:", "phonepe:",
    "paytmmp:", "bitcoin:", "bitcoincash:", "lightning:", "lnurl", "lnbc", "ethereum:", "litecoin:",
    "dogecoin:", "monero:", "solana:", "tron:", "cardano:",
  ]
  /// Hosts of payments between people and of payment pages; a host below one of them counts, too.
  private static let payees = [
    "paypal.com", "paypal.me", "venmo.com", "cash.app", "revolut.me", "monzo.me", "bunq.me",
    "tikkie.me", "swish.nu", "vipps.no", "mobilepay.dk", "lydia-app.com", "zellepay.com",
    "stripe.com",
    "checkout.square.site", "sumup.link", "sumup.com", "klarna.com", "mollie.com", "ko-fi.com",
    "buymeacoffee.com", "twint.ch", "bizum.es", "satispay.com", "wise.com", "qr.alipay.com",
    "tenpay.com",
  ]
  /// The words in hosts, paths and queries that ask for a payment, in the languages of the pages and
  /// their neighbours.
  private static let payments: Set<Substring> = [
    "pay", "payment", "payments", "paying", "paynow", "payme", "paylink", "paybill", "checkout",
    "donate", "donation", "donations", "invoice", "billing", "zahlung", "zahlen", "bezahlen",
    "bezahlung", "spende", "spenden", "rechnung", "girocode", "paiement", "payer", "pagar", "pago",
    "pagos", "pagamento", "betalen", "betaling", "donar", "shiharai", "wero", "bizum", "cashapp",
    "paypal", "venmo",
  ]
  /// The ends and beginnings of such words in hosts.
  private static let compounds = ["pay", "bezahlen", "zahlung", "paiement", "checkout"]
  /// The words in hosts and paths that ask for a password.
  private static let passwords: Set<Substring> = [
    "login", "signin", "logon", "password", "passwort", "konto", "banking", "onlinebanking",
  ]

  /// Judges a text.
  ///
  /// - Parameter domains: The hosts of our clips.
  /// - Returns: `nil` for a link to one of our hosts, and for barcodes of goods.
  init?(_ payload: String, on carrier: Carrier, amid domains: Set<String>) {
    guard carrier != .barcode else { return nil }
    let text = payload.lowercased()
    guard let link = ForeignLink(text) else {
      self = Self.beginnings.contains(where: text.hasPrefix) || text.isWallet ? .payment : .text
      return
    }
    let ours = domains.sorted()
    guard !ours.contains(where: { link.host.isHost(in: $0) }) else { return nil }
    if let ours = ours.first(where: link.imitates) {
      self = .imitation(of: ours)
    } else if Self.payees.contains(where: { link.host.isHost(in: $0) }) || Self.asks(link) {
      self = .payment
    } else {
      self = .link
    }
  }

  private static func asks(_ link: ForeignLink) -> Bool {
    let (host, path, query) = (link.host.words, link.path.words, link.query.words)
    return (host + path + query).contains(where: payments.contains)
      || (host + path).contains(where: passwords.contains)
      || host.contains { word in
        compounds.contains { word.hasSuffix($0) }
          || compounds.dropFirst().contains(where: word.hasPrefix)
      }
  }

  /// Whether it costs people money or passwords.
  var isThreat: Bool {
    switch self {
    case .payment, .imitation: true
    case .link, .text: false
    }
  }

  /// The remark besides the heading and the advice.
  var remark: String {
    switch self {
    case .payment: "Asks for money or a password, and not for us."
    case .imitation(let ours): "Imitates \(ours.nameForPeople)."
    case .link, .text: "It is not ours."
    }
  }

  /// The finding about a threat; `nil` for other codes.
  func threat(_ payload: String) -> Finding? {
    guard isThreat else { return nil }
    return Finding(
      .phishingCode, .error,
      "\(payload.payloadForPeople) is no code of ours. \(remark) Photograph it, cover it at once, and "
        + "call the place and the police; do not follow it.")
  }
}

/// The parts of a foreign link, in lower case.
private struct ForeignLink {
  /// The user, which browsers ignore.
  let user: String
  let host: String
  let path: String
  let query: String

  /// - Returns: `nil` for a text that is no link to a site.
  init?(_ text: String) {
    let address =
      ["https://", "http://"].first(where: text.hasPrefix).map { text.dropFirst($0.count) }
      ?? (text.hasPrefix("www.") ? Substring(text) : nil)
    guard let address else { return nil }
    let authority = address.prefix { !"/?#\\".contains($0) }
    let parts = authority.split(separator: "@", omittingEmptySubsequences: false)
    host = String((parts.last ?? "").prefix { $0 != ":" })
    guard !host.isEmpty else { return nil }
    user = parts.dropLast().joined(separator: "@")
    let rest = address.dropFirst(authority.count)
    path = String(rest.prefix { !"?#".contains($0) })
    query = String(rest.dropFirst(path.count))
  }

  /// Whether the link pretends to lead to a host: it names it before or after its own, or its own
  /// looks alike.
  func imitates(_ ours: String) -> Bool {
    if user.contains(ours) || path.split(separator: "/").contains(where: { $0 == ours }) {
      return true
    }
    // A domain above ours has the same owner.
    guard !ours.hasSuffix("." + host) else { return false }
    let (theirs, own) = (host.skeleton, ours.skeleton)
    if theirs == own { return true }
    // Of short hosts, many are one letter apart.
    if own.count >= 7, theirs.changes(to: own) == 1 || host.changes(to: ours) == 1 { return true }
    let name = own.replacing(".", with: "-")
    if theirs.replacing(".", with: "-").contains(name) { return true }
    // The same name under another ending.
    let (theirName, ourName) = (theirs.withoutLastLabel, own.withoutLastLabel)
    return ourName.count >= 5 && theirName == ourName
  }
}

extension String {
  /// Whether a host is another one, or below it.
  fileprivate func isHost(in other: String) -> Bool { self == other || hasSuffix("." + other) }

  fileprivate var words: [Substring] { split { !$0.isLetter && !$0.isNumber } }

  fileprivate var withoutLastLabel: Substring { self[..<(lastIndex(of: ".") ?? endIndex)] }

  /// Whether the text, in lower case, is the bare address of a cryptocurrency: Bitcoin (BIP 173) or
  /// Ethereum.
  fileprivate var isWallet: Bool {
    wholeMatch(of: /bc1[02-9ac-hj-np-z]{11,71}|0x[0-9a-f]{40}/) != nil
  }

  /// The host as it looks to people: letters of other scripts and digits as the Latin letters that
  /// they resemble (after UTS 39, section 4).
  fileprivate var skeleton: String {
    var unicode = self
    // Foundation ends the program for a host with other characters.
    if contains("xn--"), wholeMatch(of: /[a-z0-9.-]+/) != nil {
      var components = URLComponents()
      components.encodedHost = self
      unicode = components.host ?? self
    }
    let plain = unicode.lowercased().applyingTransform(.stripDiacritics, reverse: false) ?? unicode
    let letters = String(plain.map { Self.lookalikes[$0] ?? $0 })
    return letters.replacing("rn", with: "m").replacing("vv", with: "w")
  }

  private static let lookalikes: [Character: Character] = [
    "0": "o", "1": "l", "3": "e", "5": "s", "а": "a", "ɑ": "a", "α": "a", "в": "b", "с": "c",
    "ϲ": "c",
    "ԁ": "d", "е": "e", "ҽ": "e", "ε": "e", "ƒ": "f", "ɡ": "g", "һ": "h", "і": "i", "ι": "i",
    "ı": "i",
    "ј": "j", "к": "k", "κ": "k", "ӏ": "l", "м": "m", "п": "n", "η": "n", "ո": "n", "о": "o",
    "ο": "o",
    "р": "p", "ρ": "p", "ԛ": "q", "г": "r", "ѕ": "s", "т": "t", "τ": "t", "υ": "u", "ս": "u",
    "ν": "v",
    "ѵ": "v", "ѡ": "w", "ω": "w", "х": "x", "χ": "x", "у": "y", "γ": "y", "ᴢ": "z",
  ]
}
