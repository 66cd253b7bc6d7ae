import CliptagBasics
import CQREncode
import Pictures
import ScanFixtures
import SymbolStructure

@testable import CodeScanning
import TestSupport

/// A symbol as libqrencode makes it, and what may be done to it.
struct EncodedSymbol {
  let version: Int
  var isDark: [Bool]

  var size: Int { 17 + 4 * version }

  /// One segment of bytes, after the headers asked for.
  ///
  /// - Parameters:
  ///   - version: the least version.
  ///   - characterSet: the ECI assignment number to declare, if any.
  init?(
    _ bytes: [UInt8], version: Int = 0, level: QRecLevel = QR_ECLEVEL_M,
    mode: QRencodeMode = QR_MODE_8, characterSet: UInt32? = nil
  ) {
    guard let input = QRinput_new2(Int32(version), level) else { return nil }
    defer { QRinput_free(input) }
    if let characterSet, QRinput_appendECIheader(input, characterSet) != 0 { return nil }
    guard QRinput_append(input, mode, Int32(bytes.count), bytes) == 0,
      let code = QRcode_encodeInput(input)
    else { return nil }
    defer { QRcode_free(code) }
    self.init(code)
  }

  private init(_ code: UnsafeMutablePointer<QRcode>) {
    version = Int(code.pointee.version)
    let count = Int(code.pointee.width * code.pointee.width)
    isDark = (0..<count).map { code.pointee.data[$0] & 1 == 1 }
  }

  /// Bytes over as many symbols of a version as they need.
  static func series(_ bytes: [UInt8], version: Int) -> [EncodedSymbol] {
    guard
      let list = QRcode_encodeDataStructured(
        Int32(bytes.count), bytes, Int32(version), QR_ECLEVEL_M)
    else { return [] }
    defer { QRcode_List_free(list) }
    var symbols: [EncodedSymbol] = []
    var entry: UnsafeMutablePointer<QRcode_List>? = list
    while let current = entry {
      symbols.append(EncodedSymbol(current.pointee.code))
      entry = current.pointee.next
    }
    return symbols
  }

  /// What its first copy of the format information says.
  var format: FormatInformation? {
    FormatInformation(
      bits: FormatInformation.places(size: size)[0].enumerated().reduce(0) { word, place in
        let isSet = isDark[place.element.row * size + place.element.column]
        return word | (isSet ? 1 << UInt32(place.offset) : 0)
      })
  }

  /// The symbol sampled without any doubt.
  var modules: SampledModules {
    SampledModules(size: size, darkness: isDark.map { $0 ? 1 : -1 })
  }

  /// The symbol as a picture with its quiet zone.
  func picture(modulePixels scale: Int) -> GreyPicture {
    let side = (size + 8) * scale
    return GreyPicture(
      width: side, height: side,
      pixels: (0..<side * side).map { index in
        let (column, row) = (index % side / scale - 4, index / side / scale - 4)
        guard (0..<size).contains(column), (0..<size).contains(row) else { return 255 }
        return isDark[row * size + column] ? 0 : 255
      })
  }

  /// The symbol as a mirror shows it, rows and columns exchanged.
  var mirrored: EncodedSymbol {
    var result = self
    for index in isDark.indices {
      result.isDark[index] = isDark[index % size * size + index / size]
    }
    return result
  }

  /// Turns over bits of a codeword, in the order of the symbol.
  mutating func damage(codeword: Int, with pattern: UInt8) {
    let modules = SymbolLayout.of(version: version).dataModules
    for bit in 0..<8 where pattern >> (7 - UInt8(bit)) & 1 == 1 {
      isDark[Int(modules[codeword * 8 + bit].index)].toggle()
    }
  }
}

extension SeededGenerator {
  /// −1 … 1.
  mutating func part() -> Double { Double(next() >> 11) / Double(1 << 52) - 1 }
}

extension ReedSolomon {
  /// Returns the block of a message: the message followed by its check codewords.
  func encoded(_ message: [UInt8]) -> [UInt8] {
    message + CheckCodewords(count: checkCount).checks(of: message[...])
  }
}
