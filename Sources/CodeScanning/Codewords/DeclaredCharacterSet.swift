/// The character sets that a QR code declares by an Extended Channel Interpretation and that zbar
/// does not know (ISO/IEC 18004:2015, 7.4.2).
///
/// zbar converts the sets it knows and keeps silent about the others: their bytes come out as they
/// are, and would be taken for something else.
enum DeclaredCharacterSet {
  /// The C library's name of the set with an ECI assignment number; `nil` when zbar knows it, or
  /// nobody does.
  static func name(assignment: Int) -> String? { names[assignment] }

  private static let names: [Int: String] = [
    21: "CP1250", 22: "CP1251", 23: "CP1252", 24: "CP1256", 25: "UTF-16BE", 28: "BIG5",
    29: "GB18030", 30: "EUC-KR", 31: "GBK", 32: "GB18030",
  ]
}
