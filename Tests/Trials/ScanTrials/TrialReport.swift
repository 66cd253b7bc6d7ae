import CodeScanning
import Foundation

/// What came of the pictures of one folder.
struct TrialReport {
  let name: String
  private(set) var pictures = 0
  private(set) var codes = 0
  /// Codes whose text was read exactly.
  private(set) var exact = 0
  /// Readings of a text that no code of the picture has.
  private(set) var wrong = 0
  /// Pictures in which at least one code was read.
  private(set) var picturesRead = 0
  private(set) var stages: [String: Int] = [:]
  private var loadTimes: [Double] = []
  private var readTimes: [Double] = []
  private var missTimes: [Double] = []
  private(set) var missed: [String] = []

  init(name: String) { self.name = name }

  /// Counts one picture. Each reading may stand for one code of the truth only.
  mutating func add(
    _ entry: TruthFolder.Entry, read: [DecodedCode], loading: Duration, scanning: Duration
  ) {
    var open = entry.codes
    var hits = 0
    for code in read {
      let places = open.indices.filter { open[$0].matches(code.text) }
      let nearest = places.min { distance(open[$0], code) < distance(open[$1], code) }
      guard let nearest else {
        if !entry.codes.contains(where: { $0.matches(code.text) }) {
          wrong += 1
          missed.append("WRONG \(entry.path): \(code.text.debugDescription) by \(code.stage)")
        }
        continue
      }
      open.remove(at: nearest)
      hits += 1
      stages[code.stage, default: 0] += 1
    }
    pictures += 1
    codes += entry.codes.count
    exact += hits
    if hits > 0 { picturesRead += 1 }
    if !open.isEmpty { missed.append("missed \(open.count) of \(entry.codes.count) \(entry.path)") }
    loadTimes.append(loading.milliseconds)
    if open.isEmpty, !entry.codes.isEmpty {
      readTimes.append(scanning.milliseconds)
    } else {
      missTimes.append(scanning.milliseconds)
    }
  }

  private func distance(_ truth: TruthFolder.Code, _ code: DecodedCode) -> Double {
    guard let middle = truth.middle else { return 0 }
    let (dx, dy) = (code.centre.x - middle.x, code.centre.y - middle.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The share of the codes that were read, 0 … 1.
  var rate: Double { codes == 0 ? 1 : Double(exact) / Double(codes) }

  /// A line of the table. Times in milliseconds: median of loading; median and 95th percentile of
  /// scanning, apart for pictures that were read in full and for the others.
  var line: String {
    let numbers = [
      String(format: "%-22@ %4d pictures %5d/%-5d", name as NSString, pictures, exact, codes),
      String(format: "%5.1f %%  wrong %d", rate * 100, wrong),
      String(format: "load %.0f", loadTimes.percentile(0.5)),
      String(format: "read %.1f / %.1f", readTimes.percentile(0.5), readTimes.percentile(0.95)),
      String(format: "other %.1f / %.1f", missTimes.percentile(0.5), missTimes.percentile(0.95)),
    ]
    return numbers.joined(separator: "  ")
  }
}

extension Duration {
  var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}

extension [Double] {
  /// The value below which a part of all lie; 0 when there is none.
  fileprivate func percentile(_ part: Double) -> Double {
    isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(part * Double(count)))]
  }
}
