/// The Leakage Resilient Primitive (LRP), which a tag uses in place of AES once it is switched to
/// it: sixteen plaintexts and an updated key, from which each block's key is derived.
///
/// Source: NXP AN12304, sections 2 and 3 (m = 4).
package struct LeakageResilientPrimitive: Sendable {
  private let plaintexts: [SecretKey]
  private let updatedKey: SecretKey

  private static let low = [UInt8](repeating: 0x55, count: AES.blockByteCount)
  private static let high = [UInt8](repeating: 0xAA, count: AES.blockByteCount)

  /// Derives the plaintexts and an updated key (algorithms 1 and 2).
  ///
  /// - Parameters:
  ///   - key: The secret.
  ///   - number: The number of the updated key: 0 for MACs and PICCData, 1 for the encryption of
  ///     file data.
  package init(key: SecretKey, updatedKey number: Int) throws(AuthenticityError) {
    var state = try Self.encrypted(Self.low, under: key)
    var plaintexts: [SecretKey] = []
    for _ in 0..<16 {
      plaintexts.append(try Self.encrypted(Self.high, under: state))
      state = try Self.encrypted(Self.low, under: state)
    }
    self.plaintexts = plaintexts
    state = try Self.encrypted(Self.high, under: key)
    for _ in 0..<number { state = try Self.encrypted(Self.low, under: state) }
    updatedKey = try Self.encrypted(Self.high, under: state)
  }

  /// The CMAC over LRP (section 3.3): 16 bytes.
  package func mac(of message: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    let size = AES.blockByteCount
    let first = try evaluated(AES.zeroBlock).bytes.doubled
    let last = max(0, (message.count - 1) / size) * size
    var state = AES.zeroBlock
    for start in stride(from: 0, to: last, by: size) {
      state = try evaluated(zip(state, message[start..<start + size]).map { $0 ^ $1 }).bytes
    }
    var rest = Array(message[last...])
    var mask = first
    if rest.count < size {
      mask = first.doubled
      rest += [0x80] + [UInt8](repeating: 0, count: size - rest.count - 1)
    }
    return try evaluated(state.indices.map { state[$0] ^ rest[$0] ^ mask[$0] }).bytes
  }

  /// Decrypts whole blocks in the counter mode of LRP (LRICB, section 3.2).
  ///
  /// - Parameter counter: The counter of the first block, high byte first.
  package func decrypt(_ bytes: [UInt8], counter: [UInt8]) throws(AuthenticityError) -> [UInt8] {
    var counter = counter
    var result: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: AES.blockByteCount) {
      let key = try evaluated(counter)
      let end = min(start + AES.blockByteCount, bytes.count)
      result += try AES.decrypt(Array(bytes[start..<end]), key: key)
      for place in counter.indices.reversed() {
        counter[place] &+= 1
        if counter[place] != 0 { break }
      }
    }
    return result
  }

  /// Evaluates the function (algorithm 3): the nibbles of the input select the plaintexts.
  private func evaluated(_ input: [UInt8]) throws(AuthenticityError) -> SecretKey {
    var state = updatedKey
    for half in input.flatMap({ [Int($0 >> 4), Int($0 & 0x0F)] }) {
      state = try Self.encrypted(plaintexts[half].bytes, under: state)
    }
    return try Self.encrypted(AES.zeroBlock, under: state)
  }

  private static func encrypted(
    _ block: [UInt8], under key: SecretKey
  ) throws(AuthenticityError) -> SecretKey {
    try SecretKey(try AES.encrypt(block, key: key))
  }
}
