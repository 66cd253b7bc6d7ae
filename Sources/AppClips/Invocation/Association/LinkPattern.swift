/// A parsed pattern of an association file: plain characters, `*`, `?` and `$(name)`.
///
/// `?*` needs no separate token. A literal `*` or `?` cannot be written.
struct LinkPattern: Hashable {
  enum Token: Hashable {
    /// A literal character.
    case character(Unicode.Scalar)
    /// The token `?`: any one character.
    case anyCharacter
    /// The token `*`: any number of characters, including none.
    case anyText
    /// The token `$(name)`: one of the variable's texts.
    case variable(String)
  }

  private(set) var tokens: [Token]

  /// Parses a pattern.
  ///
  /// - Parameter variables: Whether `$(name)` is a variable; in the values of variables it is not.
  init(_ text: String, variables: Bool = true) {
    tokens = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": if tokens.last != .anyText { tokens.append(.anyText) }
      case "?": tokens.append(.anyCharacter)
      case "$" where variables && rest.first == "(":
        if let end = rest.firstIndex(of: ")") {
          tokens.append(.variable(String(rest[rest.index(after: rest.startIndex)..<end])))
          rest = rest[rest.index(after: end)...]
        } else {
          tokens.append(.character(scalar))
        }
      default: tokens.append(.character(scalar))
      }
    }
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  /// The names of the variables in it.
  var variableNames: [String] {
    tokens.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// Whether every text matches.
  var fitsEverything: Bool { tokens == [.anyText] }

  /// The pattern for case-folded texts.
  var folded: LinkPattern {
    LinkPattern(
      tokens: tokens.map {
        if case .character(let scalar) = $0 { .character(scalar.caseFolded) } else { $0 }
      })
  }

  // MARK: Paths

  /// The patterns equivalent to this one for a path without trailing slashes.
  ///
  /// As observed in Apple's `swcutil`: trailing slashes are ignored, several leading slashes count
  /// as one, and the leading slash may be omitted. A pattern that begins with a wildcard is tried
  /// with and without a leading slash, as the intended form is not known from observation.
  var pathForms: [LinkPattern] {
    let slash = Token.character("/")
    let rest = tokens.drop { $0 == slash }
    let withSlash = LinkPattern(tokens: [slash] + rest).withoutFinalSlashes
    if rest.count < tokens.count { return [withSlash] }
    switch tokens.first {
    case .anyText, .anyCharacter, .variable: return [withoutFinalSlashes, withSlash]
    case .character, nil: return [withSlash]
    }
  }

  private var withoutFinalSlashes: LinkPattern {
    var tokens = tokens
    while tokens.last == .character("/") { tokens.removeLast() }
    return LinkPattern(tokens: tokens)
  }

  /// The number of tokens before a trailing `/*`, which the parent path matches too (`/buy/*` and
  /// `/buy`, observed in Apple's `swcutil`).
  var parentLength: Int? {
    tokens.suffix(2) == [.character("/"), .anyText] ? tokens.count - 2 : nil
  }
}

extension Unicode.Scalar {
  /// The character in lower case if that is a single character, otherwise unchanged.
  ///
  /// Apple's behaviour beyond ASCII is unknown; this keeps each character a single one.
  var caseFolded: Unicode.Scalar {
    if value < 0x80 {
      return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value) | 0x20) : self
    }
    let lower = properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower[lower.startIndex] : self
  }
}

/// Matches patterns against one text, following all alternatives at once.
///
/// Instead of backtracking, it keeps the set of positions in the text that the beginning of the
/// pattern can reach. The work is at most the product of both lengths for any pattern, and a budget
/// bounds the product.
struct LinkPatternRun {
  private let text: [Unicode.Scalar]
  private let variables: [String: [LinkPattern]]

  /// - Parameters:
  ///   - text: The text, folded if the patterns are.
  ///   - variables: The texts of each `$(name)`.
  init(_ text: [Unicode.Scalar], variables: [String: [LinkPattern]]) {
    self.text = text
    self.variables = variables
  }

  /// Whether the whole text matches a pattern.
  ///
  /// - Parameters:
  ///   - parentFits: Whether a pattern that ends with `/*` also matches without it.
  ///   - budget: The number of steps left; less than zero if they were not enough.
  func fits(_ pattern: LinkPattern, parentFits: Bool = false, budget: inout Int) -> Bool {
    var places = PlaceSet(size: text.count + 1)
    places.insert(0)
    let parentLength = parentFits ? pattern.parentLength : nil
    for (index, token) in pattern.tokens.enumerated() {
      if index == parentLength, places.contains(text.count) { return true }
      places = step(token, from: places, budget: &budget)
      if places.isEmpty || budget < 0 { return false }
    }
    return places.contains(text.count)
  }

  /// The positions that one token reaches from any of a set of positions.
  private func step(
    _ token: LinkPattern.Token, from places: PlaceSet, budget: inout Int
  ) -> PlaceSet {
    var next = PlaceSet(size: text.count + 1)
    budget -= 1 + next.wordCount
    switch token {
    case .anyText:
      if let first = places.first { next.insert(from: first) }
    case .anyCharacter:
      for place in places where place < text.count { next.insert(place + 1) }
    case .character(let character):
      for place in places where place < text.count && text[place] == character {
        next.insert(place + 1)
      }
    case .variable(let name):
      for value in variables[name] ?? [] {
        var reached = places
        for token in value.tokens {
          reached = step(token, from: reached, budget: &budget)
          if reached.isEmpty { break }
        }
        if budget < 0 { return next }
        next.formUnion(reached)
      }
      return next
    }
    budget -= places.count
    return next
  }
}

/// A set of positions in a text.
struct PlaceSet: Sequence {
  private var words: [UInt64]
  private let size: Int

  init(size: Int) {
    self.size = size
    words = Array(repeating: 0, count: (size + 63) / 64)
  }

  var wordCount: Int { words.count }
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  func contains(_ place: Int) -> Bool { words[place >> 6] >> UInt64(place & 63) & 1 == 1 }

  mutating func insert(_ place: Int) { words[place >> 6] |= 1 << UInt64(place & 63) }

  /// Inserts a position and every position after it.
  mutating func insert(from place: Int) {
    words[place >> 6] |= ~0 << UInt64(place & 63)
    for index in words.indices where index > place >> 6 { words[index] = ~0 }
    if size & 63 != 0 { words[words.count - 1] &= ~(~0 << UInt64(size & 63)) }
  }

  mutating func formUnion(_ other: PlaceSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  var first: Int? {
    words.firstIndex { $0 != 0 }.map { $0 << 6 + words[$0].trailingZeroBitCount }
  }

  func makeIterator() -> Iterator { Iterator(words: words, word: words.first ?? 0) }

  struct Iterator: IteratorProtocol {
    fileprivate let words: [UInt64]
    fileprivate var word: UInt64
    fileprivate var index = 0

    mutating func next() -> Int? {
      while word == 0 {
        index += 1
        guard index < words.count else { return nil }
        word = words[index]
      }
      let bit = word.trailingZeroBitCount
      word &= word - 1
      return index << 6 + bit
    }
  }
}

/// The predefined variables of patterns (Apple, "applinks.SubstitutionVariables").
enum PredefinedVariables {
  /// The texts of a variable, or `nil` if no variable has that name.
  static func values(of name: String) -> [String]? { all[name] }

  private static let lower = characters("a"..."z")
  private static let upper = characters("A"..."Z")
  private static let digits = characters("0"..."9")

  private static let all: [String: [String]] = [
    "alpha": upper + lower, "upper": upper, "lower": lower, "alnum": upper + lower + digits,
    "digit": digits, "xdigit": digits + characters("A"..."F") + characters("a"..."f"),
    "region": regions, "lang": languages,
  ]

  private static func characters(_ range: ClosedRange<Unicode.Scalar>) -> [String] {
    (range.lowerBound.value...range.upperBound.value).compactMap(Unicode.Scalar.init)
      .map { String(Character($0)) }
  }

  /// The values of `Locale.isoRegionCodes`, as in ICU; without `UK`, which Apple's text gives as an
  /// example.
  private static let regions = words(
    """
    AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ
    BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CP CQ CR CU CV CW CX CY CZ DE DG DJ
    DK DM DO DZ EA EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ
    GR GS GT GU GW GY HK HM HN HR HT HU IC ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI
    KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP
    MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
    PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX
    SY SZ TA TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN
    VU WF WS XK YE YT ZA ZM ZW
    """)

  /// The values of `Locale.isoLanguageCodes`, as in ICU.
  private static let languages = words(
    """
    aa ab ace ach ada ady ae aeb af afh agq ain ak akk akz ale aln alt am an ang anp apw ar arc
    arn aro arp arq ars arw ary arz as asa ase ast av avk awa ay az ba bal ban bar bas bax bbc bbj
    be bej bem ber bew bez bfd bfq bg bgc bgn bho bi bik bin bjn bkm bla blo bm bn bo bpy bqi br
    bra brh brx bs bss bua bug bum byn byv ca cad car cay cch ccp ce ceb cgg ch chb chg chk chm
    chn cho chp chr chy cic ckb co cop cps cr crh cs csb csw cu cv cy da dak dar dav de del den
    dgr din dje doi dsb dtp dua dum dv dyo dyu dz dzg ebu ee efi egl egy eka el elx en enm eo es
    esu et eu ewo ext fa fan fat ff fi fil fit fj fo fon fr frc frm fro frp frr frs fur fy ga gaa
    gag gan gay gba gbz gd gez gil gl glk gmh gn goh gom gon gor got grb grc gsw gu guc gur guz gv
    gwi ha hai hak haw he hi hif hil hit hmn ho hr hsb hsn ht hu hup hy hz ia iba ibb id ie ig ii
    ik ilo inh io is it iu izh ja jam jbo jgo jmc jpr jrb jut jv ka kaa kab kac kaj kam kaw kbd
    kbl kcg kde kea ken kfo kg kgp kha kho khq khw ki kiu kj kk kkj kl kln km kmb kn ko koi kok
    kos kpe kr krc kri krj krl kru ks ksb ksf ksh ku kum kut kv kw kxv ky la lad lag lah lam lb
    lez lfn lg li lij liv lkt lmo ln lo lol loz lrc lt ltg lu lua lui lun luo lus lut luy lv lzh
    lzz mad maf mag mai mak man mas mde mdf mdh mdr men mer mfe mg mga mgh mgo mh mi mic mid min
    mis mk ml mn mnc mni moh mos mr mrj ms mt mua mul mus mwl mwr mwv my mye myv mzn na nan nap
    naq nb nd nds ne new ng nia niu njo nl nmg nn nnh nnp no nog non nov nqo nr nso nus nv nwc ny
    nym nyn nyo nzi oc oj om or os osa ota otk oui pa pag pal pam pap pau pcd pcm pdc pdt peo pfl
    phn pi pl pms pnt pon pqm prg pro ps pt qu quc qug raj rap rar rej rgn rhg rif rm rn ro rof
    rom rtm ru rue rug rup rw rwk sa sad sah sam saq sas sat saz sba sbp sc scn sco sd sdc sdh se
    see seh sei sel ses sg sga sgs shi shn shu si sid sjd sje sju sk sl sli sly sm sma smj smn sms
    sn snk so sog sq sr srn srr ss ssy st stq su suk sus sux sv sw swb syc syr szl ta tcy te tem
    teo ter tet tg th ti tig tiv tk tkl tkr tlh tli tly tmh tn to tog tok tpi tr tru trv ts tsd
    tsi tt ttt tum tvl tw twq ty tyv tzm udm ug uga uk umb und ur uz vai ve vec vep vi vls vmf vmw
    vo vot vro vun wa wae wal war was wbp wo wuu xal xh xmf xnr xog yao yap yav ybb yi yo yrl yue
    za zap zbl zea zen zgh zh zu zun zxx zza
    """)

  private static func words(_ text: String) -> [String] {
    text.split { $0.isWhitespace }.map(String.init)
  }
}
