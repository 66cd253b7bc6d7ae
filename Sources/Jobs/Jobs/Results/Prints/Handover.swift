/// A file that a printer's queue took, and may not have printed yet: the `handover` object.
public struct Handover: Encodable, Hashable, Sendable {
  /// The type of the object.
  public let type = "handover"
  /// The PDF file.
  public let output: String
  /// The printer.
  public let printer: String
  /// The name of the printer's job; `nil` in a rehearsal, or if the printer gives none.
  public let job: String?
  /// The number of copies.
  public let copies: Int
  /// The width of a page in millimetres; `nil` if pages differ.
  public let width: Double?
  /// The height of a page in millimetres; `nil` if pages differ.
  public let height: Double?
  /// Whether nothing was handed over.
  public let dryRun: Bool

  init(_ order: PrinterOrder, to printer: String, job: String?, isRehearsal: Bool) {
    output = order.path
    self.printer = printer
    self.job = job
    copies = order.copies
    (width, height) = (order.width, order.height)
    dryRun = isRehearsal
  }
}
