import CliptagBasics
import NDEF
import TestSupport
import Testing

@Suite("Seeded round trips and mutations")
struct NDEFFuzzTests {
  private func record(_ random: inout SeededGenerator) throws -> NDEFRecord {
    let formats: [TypeNameFormat] = [.empty, .wellKnown, .media, .absoluteURI, .external, .unknown]
    let format = formats.randomElement(using: &random) ?? .empty
    if format == .empty { return .empty }
    let typeLength = format == .unknown ? 0 : Int.random(in: 1...20, using: &random)
    let type = random.bytes(typeLength)
    let payloadLength = [0, 1, 40, 254, 255, 256, 700].randomElement(using: &random) ?? 0
    let identifierLength = Int.random(in: 0...5, using: &random)
    return try NDEFRecord(
      format, type: type,
      identifier: Bool.random(using: &random) ? random.bytes(identifierLength) : nil,
      payload: random.bytes(payloadLength))
  }

  @Test("1,000 random messages are read as they were written")
  func roundTrip() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<1000 {
      var records: [NDEFRecord] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) { records.append(try record(&random)) }
      let message = try NDEFMessage(records)
      #expect(try NDEFMessage(decoding: message.bytes) == message)
    }
  }

  @Test("1,000 random records are read from chunks as they were written whole")
  func chunkedRoundTrip() throws {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1000 {
      let payload = random.bytes(Int.random(in: 2...600, using: &random))
      let whole = try NDEFRecord(.wellKnown, type: [0x55], identifier: [1, 2], payload: payload)
      var chunked: [UInt8] = []
      var position = 0
      while position < payload.count {
        let length = min(Int.random(in: 0...255, using: &random), payload.count - position)
        let isFirst = position == 0 && chunked.isEmpty
        let isLast = !isFirst && position + length == payload.count
        let flags: UInt8 = (isFirst ? 0x89 : 0x06) | (isLast ? 0x40 : 0x20) | 0x10
        chunked += [flags, isFirst ? 1 : 0, UInt8(length)] + (isFirst ? [2, 0x55, 1, 2] : [])
        chunked += payload[position..<position + length]
        position += length
        if isFirst && position == payload.count { chunked += [0x56, 0, 0] }
      }
      #expect(try NDEFMessage(decoding: chunked) == NDEFMessage(whole))
    }
  }

  @Test("10,000 mutated messages never trap, and what is read strictly is written the same")
  func mutations() throws {
    var random = SeededGenerator(seed: 3)
    let seeds = NDEFMessageTests.vectors.map { bytes($0) }
    var same = 0
    for _ in 0..<10_000 {
      var mutated = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<max(mutated.count, 1), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !mutated.isEmpty: mutated[index] = UInt8.random(in: 0...255, using: &random)
        case 1: mutated.removeLast(mutated.count - min(index, mutated.count))
        case 2: mutated.insert(UInt8.random(in: 0...255, using: &random), at: 0)
        default: mutated += random.bytes(2)
        }
      }
      if let message = try? NDEFMessage(decoding: mutated) {
        // Only joining chunks makes a message shorter, by their headers.
        #expect(message.bytes == mutated || message.bytes.count < mutated.count)
        same += message.bytes == mutated ? 1 : 0
      }
      guard let reading = try? NDEFReading(mutated, options: .lenient) else { continue }
      for record in reading.message.records {
        _ = try? URIRecord(record, options: .lenient)
        _ = try? TextRecord(record, options: .lenient)
        _ = try? SmartPosterRecord(record, options: .lenient)
      }
    }
    #expect(same > 300)
  }

  @Test("random payloads never trap a view, and offsets stay inside the payload")
  func randomPayloads() throws {
    var random = SeededGenerator(seed: 4)
    for name in ["U", "T", "Sp"] {
      for _ in 0..<2000 {
        let payload = random.bytes(Int.random(in: 0...24, using: &random))
        let record = try NDEFRecord(.wellKnown, type: Array(name.utf8), payload: payload)
        do throws(NDEFError) {
          switch name {
          case "U": _ = try URIRecord(record)
          case "T": _ = try TextRecord(record)
          default: _ = try SmartPosterRecord(record)
          }
        } catch {
          let offset = try #require(error.offset)
          #expect((0...payload.count).contains(offset))
        }
      }
    }
  }

  @Test("messages that ndeflib accepts are accepted, apart from bytes behind the end")
  func acceptedByAnother() throws {
    for hexadecimal in NDEFLibVerdicts.accepted {
      do {
        _ = try NDEFMessage(decoding: bytes(hexadecimal))
      } catch {
        #expect(error.code == .trailingBytes, "\(hexadecimal)")
        var options = NDEFOptions.strict
        options.allowsTrailingBytes = true
        _ = try NDEFReading(bytes(hexadecimal), options: options)
      }
    }
  }

  @Test("messages that ndeflib rejects are rejected")
  func rejectedByAnother() {
    for hexadecimal in NDEFLibVerdicts.rejected {
      #expect(throws: NDEFError.self, "\(hexadecimal)") {
        try NDEFMessage(decoding: bytes(hexadecimal))
      }
    }
  }
}
