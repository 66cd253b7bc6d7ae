import CodeScanning
import Foundation
import Pictures

/// The corners of a symbol, from its own top left clockwise, in whole pixels of the picture.
func corners(_ points: [PicturePoint]) -> String {
  points.map { "(\(Int($0.x.rounded())), \(Int($0.y.rounded())))" }.joined(separator: " ")
}

let loader = PictureLoader()
let scanner = CodeScanner()
var failed = false

for path in CommandLine.arguments.dropFirst() {
  do {
    let file = try await loader.open(path: path)
    for number in 1...file.pageCount {
      let result = try await scanner.examine(file.page(number))
      for code in result.codes {
        print("\(path), page \(number): \(code.text)")
        print("  corners \(corners(code.corners))")
      }
      for symbol in result.unread {
        print("\(path), page \(number): something that gives no text (\(symbol.kind))")
        print("  corners \(corners(symbol.corners))")
      }
    }
  } catch {
    print(error)
    failed = true
  }
}
exit(failed ? 65 : 0)
