/// One command to the chip and what it said.
package struct PN532Exchange: Hashable, Sendable {
  /// Command code and parameters, without `D4`.
  package let command: [UInt8]
  /// Response code and data, without `D5`; `7F` for an error frame; `nil` while the chip is still
  /// busy, or when the host went on without waiting.
  package internal(set) var response: [UInt8]?
}

extension PN532Exchange: CustomStringConvertible {
  /// The exchange in words, for example `InDataExchange READ page 4 → ok, 16 bytes`.
  package var description: String {
    let answer = response.map { PN532Wording.response($0, to: command) } ?? "no answer"
    return "\(PN532Wording.command(command)) → \(answer)"
  }
}
