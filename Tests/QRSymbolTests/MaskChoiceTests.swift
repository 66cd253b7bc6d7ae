import CQREncode
import CliptagBasics
import Testing

@testable import QRSymbol

@Suite("Symbols are those of libqrencode")
struct MaskChoiceTests {
  /// Kinds of texts with different segments, and with runs and patterns that the masks leave.
  enum Content: CaseIterable, Sendable {
    case url, digits, capitals, bytes, mixture, oneByte
  }

  @Test(
    "every version and level has the modules that libqrencode draws from the same segments",
    arguments: Content.allCases)
  func modules(content: Content) throws {
    var generator = SeededGenerator(seed: 18_004)
    for version in 1...40 {
      for level in QRSymbol.ErrorCorrection.allCases {
        let room = SymbolCapacity.bytes(version: version, errorCorrection: level)
        let count = max(1, Int.random(in: room / 2...room, using: &generator))
        let bytes = bytes(content, count, &generator)
        let plan = try SymbolPlan(
          bytes: bytes, minimumErrorCorrection: level, raiseErrorCorrection: false,
          minimumVersion: version)
        #expect(plan.version == version)
        let symbol = QRSymbol(bytes: bytes, plan: plan)
        #expect(symbol.modules == modulesOfLibqrencode(bytes, plan), "\(version)-\(level.rawValue)")
      }
    }
  }

  @Test("each of the eight masks is chosen where libqrencode chooses it")
  func everyMask() throws {
    var masks: Set<Int> = []
    // Some are rare.
    for number in 0..<4_000 where masks.count < 8 {
      let bytes = Array("mask \(number)".utf8)
      let plan = try SymbolPlan(bytes: bytes, minimumVersion: 1 + number % 3)
      let symbol = QRSymbol(bytes: bytes, plan: plan)
      guard masks.insert(symbol.mask).inserted else { continue }
      #expect(symbol.modules == modulesOfLibqrencode(bytes, plan))
    }
    #expect(masks == Set(0...7))
  }

  private func bytes(
    _ content: Content, _ count: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    func random(_ range: ClosedRange<UInt8>) -> UInt8 { .random(in: range, using: &generator) }
    switch content {
    case .url:
      return Array("https://clip.example.com/".utf8.prefix(count))
        + (0..<max(0, count - 25)).map { _ in random(0x61...0x7A) }
    case .digits: return (0..<count).map { _ in random(0x30...0x39) }
    case .capitals: return (0..<count).map { _ in random(0x41...0x5A) }
    case .bytes: return (0..<count).map { _ in random(0...255) }
    case .mixture:
      return (0..<count / 2).map { index in
        index / 8 % 2 == 0 ? random(0x30...0x39) : random(0x41...0x7A)
      } + [0x30]
    case .oneByte: return [UInt8](repeating: random(0...255), count: count)
    }
  }

  private func modulesOfLibqrencode(_ bytes: [UInt8], _ plan: SymbolPlan) -> [UInt8]? {
    let levels = [QR_ECLEVEL_L, QR_ECLEVEL_M, QR_ECLEVEL_Q, QR_ECLEVEL_H]
    let level = levels[plan.errorCorrection.strength]
    guard let input = QRinput_new2(Int32(plan.version), level) else { return nil }
    defer { QRinput_free(input) }
    for segment in plan.segments {
      let mode =
        switch segment.mode {
        case .numeric: QR_MODE_NUM
        case .alphanumeric: QR_MODE_AN
        case .byte: QR_MODE_8
        }
      let part = Array(bytes[segment.range])
      guard QRinput_append(input, mode, Int32(part.count), part) == 0 else { return nil }
    }
    guard let code = QRcode_encodeInput(input) else { return nil }
    defer { QRcode_free(code) }
    let count = Int(code.pointee.width) * Int(code.pointee.width)
    return UnsafeBufferPointer(start: code.pointee.data, count: count).map { $0 & 1 }
  }
}

@Suite("Penalty points of masks")
struct MaskPenaltyTests {
  @Test("the points are those of a walk along each line, for patterns at every scale")
  func walk() {
    var generator = SeededGenerator(seed: 40)
    for size in [21, 61, 65, 129, 177] {
      for scale in [1, 2, 3, 5, 9] {
        let modules = patterned(size: size, scale: scale, &generator)
        var lines = ModuleLines(size: size)
        for (index, module) in modules.enumerated() where module == 1 {
          lines.invert(ModuleLines.Place(x: index % size, y: index / size, size: size))
        }
        #expect(lines.modules == modules)
        #expect(
          MaskPenalty.points(of: lines) == points(of: modules, size: size),
          "\(size) modules at scale \(scale)")
      }
    }
  }

  /// Rows of runs whose lengths are those of finder patterns and of the light modules beside them.
  private func patterned(
    size: Int, scale: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    var modules: [UInt8] = []
    for _ in 0..<size {
      var row: [UInt8] = []
      var isDark = Bool.random(using: &generator)
      while row.count < size {
        if Int.random(in: 0..<3, using: &generator) == 0 {
          for (length, module) in [(1, 1), (1, 0), (3, 1), (1, 0), (1, 1)] {
            row += [UInt8](repeating: UInt8(module), count: length * scale)
          }
          isDark = true
        } else {
          let length = Int.random(in: 1...5, using: &generator) * scale
          row += [UInt8](repeating: isDark ? 1 : 0, count: length)
        }
        isDark.toggle()
      }
      modules += row.prefix(size)
    }
    // Columns have the patterns, too.
    guard Bool.random(using: &generator) else { return modules }
    return (0..<size * size).map { modules[$0 % size * size + $0 / size] }
  }

  /// Counts run by run (ISO/IEC 18004:2015, 7.8.3).
  private func points(of modules: [UInt8], size: Int) -> Int {
    var points = 0
    for line in 0..<size {
      points += Self.pointsOfLine((0..<size).map { modules[line * size + $0] })
      points += Self.pointsOfLine((0..<size).map { modules[$0 * size + line] })
    }
    for y in 1..<size {
      for x in 1..<size {
        let sum =
          modules[y * size + x] + modules[y * size + x - 1] + modules[(y - 1) * size + x]
          + modules[(y - 1) * size + x - 1]
        if sum == 0 || sum == 4 { points += 3 }
      }
    }
    let share = Double(modules.reduce(0) { $0 + Int($1) }) / Double(size * size)
    let percent = Int(100 * share + 0.5)
    return points + abs(percent - 50) / 5 * 10
  }

  private static func pointsOfLine(_ line: [UInt8]) -> Int {
    var runs: [(isDark: Bool, length: Int)] = []
    for module in line {
      if let last = runs.last, last.isDark == (module == 1) {
        runs[runs.count - 1].length += 1
      } else {
        runs.append((module == 1, 1))
      }
    }
    var points = runs.reduce(0) { $0 + ($1.length >= 5 ? $1.length - 2 : 0) }
    for middle in runs.indices.dropFirst(2).dropLast(2)
    where runs[middle].isDark && runs[middle].length % 3 == 0 {
      let scale = runs[middle].length / 3
      let beside = [-2, -1, 1, 2].map { runs[middle + $0].length }
      guard beside.allSatisfy({ $0 == scale }) else { continue }
      let isFreeBefore = middle <= 3 || runs[middle - 3].length >= 4 * scale
      let isFreeAfter = middle + 4 >= runs.count || runs[middle + 3].length >= 4 * scale
      if isFreeBefore || isFreeAfter { points += 40 }
    }
    return points
  }
}
