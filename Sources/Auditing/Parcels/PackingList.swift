public import Foundation
public import Invocation
import Basics
public import Registry

/// What belongs into the parcel for one place: every issued code of it that is not retired.
public struct PackingList: Sendable {
  /// One code of the parcel.
  public struct Item: Hashable, Sendable {
    /// The code.
    public let code: IssuedCode
    /// What its batch calls it, for example `Table 3`; `nil` outside batches.
    public let label: String?
    /// Where it is found: the file it was printed from and how wide it is, or the tag's type and
    /// the row of its batch.
    public let origin: String
  }

  /// The place.
  public let place: Place
  /// Printed codes first, then tags; each oldest first.
  public let items: [Item]

  /// Takes the list from a registry.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - registry: Where its codes are.
  /// - Throws: What the registry throws.
  public init(of place: Place, in registry: any RegistryStore) throws(RegistryError) {
    let (codes, rows) = try registry.read { registry in
      (
        try registry.codes(CodeFilter(status: .issued, placeID: place.id)),
        try registry.batchRows(BatchRowFilter(states: [.done]))
      )
    }
    var orders: [CodeID: BatchRow] = [:]
    for row in rows {
      if let code = row.tag?.code { orders[code] = row }
    }
    self.place = place
    let items = codes.map { Item($0, row: orders[$0.id]) }
    self.items =
      items.filter { $0.code.carrier == .qr } + items.filter { $0.code.carrier == .nfc }
  }

  /// How many codes are on a carrier.
  package func count(on carrier: IssuedCode.Carrier) -> Int {
    items.count { $0.code.carrier == carrier }
  }

  /// `3 codes: 2 printed, 1 tag`.
  package var summary: String {
    let (printed, tags) = (count(on: .qr), count(on: .nfc))
    return "\(items.count) code\(items.count == 1 ? "" : "s"): \(printed) printed, "
      + "\(tags) tag\(tags == 1 ? "" : "s")"
  }
}

extension PackingList.Item {
  fileprivate init(_ code: IssuedCode, row: BatchRow?) {
    self.code = code
    label = row?.order.label
    var parts: [String] = []
    if let output = code.output { parts.append(output.printable) }
    if let symbol = code.symbol { parts.append("\(symbol.width) mm wide") }
    if let type = code.tagType { parts.append(type) }
    if let row { parts.append("batch \(row.batch.printable), row \(row.number)") }
    origin = parts.joined(separator: ", ")
  }
}

extension PackingList {
  /// The first line of the list as CSV (RFC 4180, with CRLF).
  package static let csvHeader = ["code", "carrier", "uid", "url", "place", "where"].csvLine

  /// The line of a code.
  package func csvLine(of item: Item) -> String {
    [
      item.code.id.description, item.code.carrier.rawValue, item.code.tagUID ?? "",
      item.code.payload, place.id,
      [item.label, item.origin].compactMap { $0 }.joined(separator: ", "),
    ].csvLine
  }
}

extension RegistryStore {
  /// Records that the codes of a packing list were packed: all of them, or none.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - time: When.
  ///   - who: Who packed them.
  public func recordPacked(
    _ list: PackingList, at time: Date, by who: String
  ) throws(RegistryError) {
    try write { registry in
      for item in list.items {
        try registry.record(
          .packed, of: item.code.id, at: time, by: who, details: ["place": list.place.id])
      }
    }
  }
}
