public import Foundation
public import Invocation
import CliptagBasics
public import Registry

/// The contents of the parcel for one place: every issued code of it that is not retired.
public struct PackingList: Sendable {
  /// One code of the parcel.
  public struct Item: Hashable, Sendable {
    /// The code.
    public let code: IssuedCode
    /// The caption printed beside it, or its label in its batch, for example `Table 3`.
    public let label: String?
    /// The origin of the code: its output file with sheet and label, and its width, or the tag's
    /// type and the row of its batch.
    public let origin: String
    /// The sheet of labels, from 1.
    public let sheet: Int?
    /// The label on ``sheet``, from 1; the first of several consecutive labels.
    public let position: Int?
    /// The row of the source file, from 1.
    public let row: Int?
    /// The number of labels with it on the sheets, or 1.
    public let copies: Int
    /// The prints or tags of the code, in the order in which they were made.
    public let items: [CodeItem]

    /// The number of prints and tags, with all copies.
    public var pieceCount: Int { items.pieceCount }
  }

  /// The place.
  public let place: Place
  /// Printed QR codes first, then App Clip Codes, then tags; each oldest first, but codes from one
  /// file in its order: by sheet and label, or by row.
  public let items: [Item]

  /// Takes the list from a registry.
  ///
  /// - Parameters:
  ///   - place: The place.
  ///   - registry: The registry with its codes.
  /// - Throws: The errors of the registry.
  public init(of place: Place, in registry: any RegistryStore) throws(RegistryError) {
    let (codes, rows, made) = try registry.read { registry throws(RegistryError) in
      let codes = try registry.codes(CodeFilter(status: .issued, placeID: place.id))
      return (
        codes, try registry.batchRows(BatchRowFilter(states: [.done])),
        try registry.items(of: codes)
      )
    }
    var orders: [CodeID: BatchRow] = [:]
    for row in rows {
      if let code = row.tag?.code { orders[code] = row }
    }
    self.place = place
    let items = codes.map { Item($0, row: orders[$0.id], items: made[$0.id] ?? []) }
    self.items =
      Self.asTheyLie(items.filter { $0.code.carrier == .qr }) { $0.items.last?.output }
      + items.filter { $0.code.carrier == .appClipCode }
      + Self.asTheyLie(items.filter { $0.code.carrier == .nfc }) { orders[$0.code.id]?.batch }
  }

  /// Groups the items of each file or batch at the position of its first item, in the order of the
  /// file.
  private static func asTheyLie(_ items: [Item], in group: (Item) -> String?) -> [Item] {
    var first: [String: Int] = [:]
    return items.enumerated().map { index, item in
      var rank = index
      if let name = group(item), item.row != nil {
        rank = first[name] ?? index
        first[name] = rank
      }
      return (item, [rank, item.sheet ?? 0, item.position ?? 0, item.row ?? 0, index])
    }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }

  /// The number of codes on a carrier.
  package func count(on carrier: IssuedCode.Carrier) -> Int {
    items.count { $0.code.carrier == carrier }
  }

  /// The number of prints and tags, with all copies.
  package var pieceCount: Int { items.reduce(0) { $0 + $1.pieceCount } }

  /// A summary such as `3 codes: 2 printed, 1 tag`, with the number of items if it is another, and
  /// that of their copies: `; 5 items, 28 prints and tags`.
  package var summary: String {
    let (printed, tags) = (count(on: .qr) + count(on: .appClipCode), count(on: .nfc))
    let itemCount = items.reduce(0) { $0 + $1.items.count }
    var more: [String] = []
    if itemCount != items.count { more.append(itemCount.of("item")) }
    if pieceCount != itemCount {
      more.append(pieceCount.of("print") + (tags == 0 ? "" : " and tags"))
    }
    return "\(items.count.of("code")): \(printed) printed, \(tags.of("tag"))"
      + (more.isEmpty ? "" : "; " + more.joined(separator: ", "))
  }
}

extension PackingList.Item {
  fileprivate init(_ code: IssuedCode, row: BatchRow?, items: [CodeItem]) {
    self.code = code
    self.items = items
    // Rows of one file may have the same URL.
    let latest = items.filter { $0.output == items.last?.output }
    var captions: [String] = []
    for caption in items.compactMap(\.caption) where !captions.contains(caption) {
      captions.append(caption)
    }
    label = captions.isEmpty ? row?.order.label : captions.joined(separator: "; ")
    (sheet, position) = (latest.first?.sheet, latest.first?.position)
    self.row = latest.first?.row ?? row?.number
    copies = Swift.max(1, latest.pieceCount)
    var parts: [String] = []
    if let only = items.first, items.count == 1 {
      if let output = only.output ?? code.output { parts.append(output.printable) }
      if let words = only.spot { parts.append(words) }
      if let width = only.width { parts.append("\(width) mm wide") }
    } else {
      parts += items.files.map(\.printable)
    }
    if let type = code.tagType { parts.append(type) }
    if let row { parts.append("batch \(row.batch.printable), row \(row.number)") }
    origin = parts.joined(separator: ", ")
  }
}

extension CodeItem {
  /// A description such as `sheet 2, label 14`.
  fileprivate var spot: String? {
    guard let sheet, let position else { return nil }
    return "sheet \(sheet), label \(position)"
      + (copies > 1 ? " and \(copies - 1) more after it" : "")
  }
}

extension PackingList {
  /// The first line of the list as CSV (RFC 4180, with CRLF).
  package static let csvHeader = [
    "code", "carrier", "uid", "url", "place", "where", "label", "sheet", "position", "copies",
    "pieces", "items",
  ].csvLine

  /// The line of a code.
  package func csvLine(of item: Item) -> String {
    [
      item.code.id.description, item.code.carrier.rawValue, item.code.tagUID ?? "",
      item.code.payload, place.id,
      [item.label, item.origin].compactMap { $0 }.joined(separator: ", "), item.label ?? "",
      item.sheet.map { "\($0)" } ?? "", item.position.map { "\($0)" } ?? "", "\(item.copies)",
      "\(item.pieceCount)", item.items.map(\.name).joined(separator: " "),
    ].csvLine
  }
}

extension RegistryStore {
  /// Records that the codes of a packing list were packed: all of them, or none.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - time: The time of packing.
  ///   - who: The person who packed them.
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
