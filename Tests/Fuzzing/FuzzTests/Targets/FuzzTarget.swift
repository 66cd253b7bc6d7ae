/// One thing that is fed with arbitrary bytes: by libFuzzer (`Tests/Scripts/fuzz.sh`) for as long as
/// one likes, and by `swift test` with the corpus that this left behind.
public struct FuzzTarget: Sendable {
  /// The name on the command line and of the corpus folder.
  public let name: String
  /// Feeds the bytes and throws ``BrokenRule`` when what comes of them is wrong. A trap is wrong too.
  public let feed: @Sendable ([UInt8]) throws -> Void

  /// Every target.
  public static let all = [
    ndef, type2Memory, type2Answers, type4Answers, type5Answers, type5Tag, plans, pn532,
    session, sessionMask,
    pictures, locator, sampler, codewords, association, appLinks, banner, entitlements, connect,
    invocation,
    registry,
    record, gpsd, nmea, exif,
  ]

  /// The target of a name.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// A rule that some input broke.
public struct BrokenRule: Error, CustomStringConvertible {
  /// The rule, and what happened instead.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// Throws the rule unless it holds.
func require(_ holds: Bool, _ rule: @autoclosure () -> String) throws(BrokenRule) {
  if !holds { throw BrokenRule(rule()) }
}

/// Bytes taken from the front of an input, zeros behind its end.
struct ByteSource {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func bytes(_ count: Int) -> [UInt8] {
    let taken = Array(rest.prefix(count))
    rest = rest.dropFirst(count)
    return taken
  }

  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}
