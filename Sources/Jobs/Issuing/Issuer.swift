public import CodeDrawing
public import Foundation
public import Invocation
public import QRSymbol
public import Registry
public import TagTypes

/// Issues codes: from an approved URL to a proven and recorded print or tag.
///
/// Everything is issued in the same order: approve, draw, prove, stage, record, put in place. A
/// failure on the way leaves neither a file nor a record, and the issued code has the name that the
/// record gave.
public struct Issuer: Sendable {
  /// The check that decides which payloads may be issued.
  public let check: InvocationCheck
  /// The ledger of the work.
  public let ledger: CodeLedger
  /// Whether everything is made and proven, but nothing written and recorded.
  public let isRehearsal: Bool

  /// Creates an issuer.
  ///
  /// - Parameters:
  ///   - registry: The registry for the check and the record.
  ///   - who: The name of the operator, for the history.
  ///   - engine: The comparison of links.
  ///   - isRehearsal: Whether everything is made and proven, but nothing written and recorded.
  ///   - now: The clock.
  public init(
    registry: any RegistryStore, who: String, engine: PrefixEngine = .segment,
    isRehearsal: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    check = InvocationCheck(directory: registry, engine: engine)
    ledger = CodeLedger(registry: registry, who: who, now: now)
    self.isRehearsal = isRehearsal
  }

  /// Returns the approval of a payload, if it may be issued.
  ///
  /// - Parameters:
  ///   - payload: The text that the code will carry, exactly.
  ///   - unregistered: Whether to issue it although the check does not accept it.
  ///   - refusingWarnings: Whether to refuse what the check accepts and warns of.
  /// - Throws: ``IssueRefusal``, or an error of the directory.
  public func approve(
    _ payload: String, unregistered: Bool = false, refusingWarnings: Bool = false
  ) throws -> Approval {
    try check.approve(
      payload, unregistered: unregistered, refusingWarnings: refusingWarnings)
  }

  /// Prints a code.
  ///
  /// - Parameters:
  ///   - payload: The text that the code will carry, exactly.
  ///   - path: The file; its ending says its kind: `.svg`, `.png`, `.pdf` or `.eps`.
  ///   - width: The most that the code may measure with its quiet zone, in millimetres; `nil` for
  ///     modules of about 0.85 mm.
  /// - Throws: ``IssueRefusal``, `CodeDrawingError`, or the errors of ``issue(_:as:to:proving:)``.
  public func issue(
    _ payload: String, to path: String, width: Double? = nil
  ) async throws -> IssuedPrint {
    let format = try DrawingFormat(fileName: path)
    let design = try PrintDesign(approve(payload), size: CodeSize.Request(width: width))
    return try await issue(design, as: format, to: .file(path))
  }

  /// Prints a poster around a code.
  ///
  /// - Parameters:
  ///   - payload: The text that the code will carry, exactly.
  ///   - path: The file; its ending says its kind: `.pdf`, `.svg`, `.png` or `.eps`.
  ///   - request: The text and look of the poster.
  /// - Throws: ``IssueRefusal``, `TextError`, `CodeDrawingError`, or the errors of
  ///   ``issue(_:as:to:proving:)``.
  public func issue(
    _ payload: String, to path: String, on request: Poster.Request
  ) async throws -> IssuedPrint {
    let format = try DrawingFormat(fileName: path)
    let design = try design(of: approve(payload), poster: request)
    return try await issue(design, as: format, to: .file(path))
  }

  /// Lays out a poster around a code.
  ///
  /// - Parameters:
  ///   - approval: The payload.
  ///   - errorCorrection: The lowest error-correction level.
  ///   - information: The information in the file; `nil` for the headline as its title.
  ///   - appClipCode: The App Clip Code beside or instead of the QR code; `nil` for none.
  ///   - name: The name that the code has or will have; `nil` for that of ``CodeLedger/printedName(of:)``.
  ///   - printedName: The name in the small print, which is laid out again if another process has
  ///     begun the code under another name; `nil` for the name that `request` has.
  ///   - request: The text and look of the poster.
  /// - Throws: `QRSymbolError`, `TextError`, `CodeDrawingError` or `RegistryError`.
  public func design(
    of approval: Approval, errorCorrection: QRSymbol.ErrorCorrection = .medium,
    information: PrintContent.FileInformation? = nil, appClipCode: PrintedAppClipCode? = nil,
    named name: CodeID? = nil, showing printedName: PrintedName? = nil,
    poster request: Poster.Request
  ) throws -> PrintDesign {
    let symbol = try QRSymbol(
      approval.verification.payload, minimumErrorCorrection: errorCorrection)
    let isAlone = appClipCode?.replacesQRCode == true
    let known = isAlone ? appClipCode?.file.id : nil
    let name = try known ?? name ?? ledger.printedName(of: approval)
    return try PrintDesign(
      approval, name: name, item: printedName?.item(of: name), appClipCode: appClipCode
    ) { name, item in
      var request = request
      if let printedName {
        request.content.codeName = printedName.text(code: name, item: item)
      }
      if let appClipCode {
        request.appClipCode = PosterAppClipCode(
          appClipCode.file.code, replacesQRCode: appClipCode.replacesQRCode)
      }
      // A code that is not on record has no name to look up.
      if isAlone, known == nil { request.content.codeName = nil }
      let content = request.content
      return .poster(
        try Poster(symbol, request, shaper: TextShaper()),
        information
          ?? PrintContent.FileInformation(
            title: content.title, language: content.language ?? "en"))
    }
  }

  /// Prints a design: draws it, reads it back, records the code and puts the file in place.
  ///
  /// - Parameters:
  ///   - design: The design to print.
  ///   - format: The kind of file.
  ///   - destination: The destination of the file.
  ///   - proving: Whether to measure how much damage the code tolerates; takes seconds.
  /// - Throws: The errors of ``PrintedCode``; ``IssuingError`` with code `cannot-create`; or
  ///   `RegistryError`.
  public func issue(
    _ design: PrintDesign, as format: DrawingFormat, to destination: FileDestination,
    proving: Bool = false
  ) async throws -> IssuedPrint {
    var design = design
    while true {
      let printed = try await PrintedCode(design.content, as: format, named: destination.name)
      let proof = proving ? try await printed.proof(named: destination.name) : nil
      let appClipCodeProof =
        proving ? try await printed.appClipCodeProof(named: destination.name) : nil
      func issued(_ names: CodeLedger.PrintNames?) -> IssuedPrint {
        IssuedPrint(
          id: names?.code, item: names?.item, printed: printed, proof: proof,
          appClipCodeProof: appClipCodeProof)
      }
      guard !isRehearsal else { return issued(nil) }
      let file = try AtomicFile(destination, holding: printed.bytes)
      defer { file.discard() }
      do {
        let names = try await record(design, output: destination.name)
        try file.commit()
        return issued(names)
      } catch let taken as NamesTaken {
        design = try design.named(taken.names[0])
      }
    }
  }

  /// Writes the memory of a tag to a file, for another writer.
  ///
  /// - Parameters:
  ///   - image: The memory, proven.
  ///   - approval: The approval of the payload.
  ///   - destination: The destination of the file.
  ///   - tagType: The kind of tag, for the record.
  /// - Returns: The code's name; `nil` in a rehearsal.
  /// - Throws: ``IssuingError`` with code `cannot-create`, or `RegistryError`.
  public func write(
    _ image: TagImage, for approval: Approval, to destination: FileDestination, tagType: String
  ) async throws -> CodeID? {
    guard !isRehearsal else { return nil }
    let file = try AtomicFile(destination, holding: image.bytes)
    defer { file.discard() }
    let id = try await ledger.recordImage(approval, output: destination.name, tagType: tagType)
    try file.commit()
    return id
  }

  /// Writes a URL to a tag, verifies it, and records it.
  ///
  /// Foreign data is not replaced; ``TagIssuer`` reports what would be lost, plans before it
  /// writes, and can overwrite.
  ///
  /// - Parameters:
  ///   - payload: The URL.
  ///   - channel: An activated tag.
  ///   - reader: The reader's name in the record.
  /// - Throws: ``IssueRefusal``; or the errors of
  ///   ``TagIssuer/execute(_:for:on:reader:lookingAhead:alongside:)``.
  public func write(
    _ payload: String, on channel: some TagChannel, reader: String = "reader"
  ) async throws -> TagIssuer.Outcome {
    let approval = try approve(payload)
    let issuer = TagIssuer(ledger: ledger, check: check)
    let plan = try await issuer.plan(approval, on: channel)
    return try await issuer.execute(plan, for: approval, on: channel, reader: reader)
  }

  /// The record of a print; a name that is printed must be the one that the record gives.
  private func record(
    _ design: PrintDesign, output: String
  ) async throws -> CodeLedger.PrintNames? {
    try await ledger.recordPrinted([design.item(output: output)]) { names in
      if design.hasOtherName(than: names[0]) { throw NamesTaken(names: names) }
    }[0]
  }
}

/// The record gives other names than those that are printed: another process began a code meanwhile,
/// or two items of a code have equal short names.
struct NamesTaken: Error {
  let names: [CodeLedger.PrintNames?]
}

/// The name of a code in the small print of a poster.
public struct PrintedName: Hashable, Sendable {
  private enum Kind: Hashable, Sendable {
    case code, tail
    case item(output: String, label: PrintedLabel?)
  }

  private let kind: Kind

  /// The whole name of the code.
  public static let code = Self(kind: .code)
  /// The last six characters of the code's name.
  public static let tail = Self(kind: .tail)
  /// The name of the item: this print.
  ///
  /// - Parameters:
  ///   - output: The file as it is recorded.
  ///   - label: The page in a file of several posters; `nil` for a file of one.
  package static func item(output: String, label: PrintedLabel?) -> Self {
    Self(kind: .item(output: output, label: label))
  }

  /// The name that the item has or will have; `nil` for a name of the code.
  fileprivate func item(of code: CodeID) throws(RegistryError) -> String? {
    guard case .item(let output, let label) = kind else { return nil }
    return try CodeItem.name(of: code, printedTo: output, on: label)
  }

  /// The text in the small print.
  fileprivate func text(code: CodeID, item: String?) -> String {
    switch kind {
    case .code: code.description
    case .tail: code.tail
    case .item: item ?? code.description
    }
  }
}

/// The design of a print of an approved payload.
public struct PrintDesign: Sendable {
  /// The payload.
  public let approval: Approval
  /// The content to draw.
  public let content: PrintContent
  /// The code's name where it is printed, which must be the one in the record.
  let name: CodeID?
  /// The item's name where it is printed, likewise.
  private let itemName: String?
  /// The App Clip Code on it; `nil` without one.
  public let appClipCode: PrintedAppClipCode?
  /// The language of its words, as a tag of BCP 47; `nil` if it is not known.
  package var language: String?
  private let layout: @Sendable (CodeID, String?) throws -> PrintContent

  /// Creates the design of a code alone.
  ///
  /// - Parameters:
  ///   - approval: The payload.
  ///   - size: The size of the code.
  ///   - errorCorrection: The lowest error-correction level.
  ///   - colours: The colours of the code.
  ///   - logo: The logo in its middle.
  ///   - creationTime: Seconds since 1970 that a PDF states as its creation; `nil` states none.
  /// - Throws: `QRSymbolError` or `CodeDrawingError`.
  public init(
    _ approval: Approval, size: CodeSize.Request = CodeSize.Request(),
    errorCorrection: QRSymbol.ErrorCorrection = .medium, colours: CodeColours = .blackOnWhite,
    logo: CodeLogo.Request? = nil, creationTime: Int? = nil
  ) throws {
    let content = PrintContent.code(
      try CodeDrawing(
        QRSymbol(approval.verification.payload, minimumErrorCorrection: errorCorrection),
        size: size, colours: colours, logo: logo, creationTime: creationTime))
    self.approval = approval
    self.content = content
    name = nil
    itemName = nil
    appClipCode = nil
    layout = { _, _ in content }
  }

  /// Creates the design of an App Clip Code alone.
  ///
  /// - Parameters:
  ///   - approval: The payload.
  ///   - appClipCode: The code, which must carry it.
  ///   - diameter: The diameter of its disc, in millimetres.
  ///   - information: The information in the file; `nil` for the URL as its title.
  /// - Throws: `CodeDrawingError`: as `AppClipCodeDrawing`, or with code `different-payloads`.
  public init(
    _ approval: Approval, appClipCode: AppClipCodeFile, diameter: Double,
    information: PrintContent.FileInformation? = nil
  ) throws {
    let payload = approval.verification.payload
    try appClipCode.code.check(carries: payload)
    let content = PrintContent.appClipCode(
      try AppClipCodeDrawing(appClipCode.code, diameter: diameter),
      information ?? PrintContent.FileInformation(title: payload))
    self.approval = approval
    self.content = content
    name = nil
    itemName = nil
    self.appClipCode = PrintedAppClipCode(appClipCode, replacesQRCode: true)
    layout = { _, _ in content }
  }

  /// Creates the design of a print that may show the code's name, or the item's.
  init(
    _ approval: Approval, name: CodeID, item: String?, appClipCode: PrintedAppClipCode? = nil,
    layout: @escaping @Sendable (CodeID, String?) throws -> PrintContent
  ) throws {
    self.approval = approval
    self.name = name
    itemName = item
    self.appClipCode = appClipCode
    self.layout = layout
    content = try layout(name, item)
  }

  /// Returns the item to record for a print of the design.
  ///
  /// - Parameters:
  ///   - output: The file.
  ///   - label: The place in a file of several prints; `nil` for a separate file.
  func item(output: String, on label: PrintedLabel? = nil) -> CodeLedger.PrintedItem {
    CodeLedger.PrintedItem(
      approval, symbol: content.drawing.map { IssuedCode.Symbol($0) }, output: output, name: name,
      label: label ?? language.map { PrintedLabel(language: $0) },
      appClipCode: appClipCode?.file.id)
  }

  /// Returns whether another name is printed than the record gives.
  func hasOtherName(than names: CodeLedger.PrintNames?) -> Bool {
    guard let names, let name else { return false }
    return names.code != name || itemName.map { $0 != names.item } ?? false
  }

  /// Returns the design with the names that the record gives.
  func named(_ names: CodeLedger.PrintNames?) throws -> PrintDesign {
    guard let names, name != nil else { return self }
    var design = try PrintDesign(
      approval, name: names.code, item: itemName.map { _ in names.item }, appClipCode: appClipCode,
      layout: layout)
    design.language = language
    return design
  }
}

/// A print that was made, proven and recorded.
public struct IssuedPrint: Sendable {
  /// The code's name in the registry; `nil` in a rehearsal, and for an App Clip Code alone that is
  /// not on record.
  public let id: CodeID?
  /// The name of the code's item that this print is; `nil` where ``id`` is.
  public let item: String?
  /// The content that was drawn, and the bytes of the file.
  public let printed: PrintedCode
  /// The damage that the code tolerates, if it was measured.
  public let proof: DesignProof?
  /// The damage that the App Clip Code on it tolerates, if it was measured.
  public let appClipCodeProof: DesignProof?
}

extension Array where Element: Sendable {
  /// Works on the elements on several processors at once.
  ///
  /// - Parameters:
  ///   - work: The work on one element.
  ///   - each: Receives each result as it arrives.
  /// - Throws: The error of the first failing piece of work; the others are cancelled.
  func inParallel<Result: Sendable>(
    _ work: @escaping @Sendable (Element) async throws -> Result, each: (Result) -> Void
  ) async throws {
    let workers = Swift.min(Swift.max(ProcessInfo.processInfo.activeProcessorCount, 1), 4)
    try await withThrowingTaskGroup(of: Result.self) { group in
      var running = 0
      for element in self {
        if running == workers, let result = try await group.next() {
          running -= 1
          each(result)
        }
        running += 1
        group.addTask {
          try Task.checkCancellation()
          return try await work(element)
        }
      }
      while let result = try await group.next() { each(result) }
    }
  }
}
