public import CodeDrawing
import Invocation
public import Issuing

/// A file that a print job makes.
public struct PrintOutput: Sendable {
  /// The place of the file.
  public let destination: FileDestination
  /// The kind of file.
  public let format: DrawingFormat

  /// Makes an output.
  public init(_ destination: FileDestination, as format: DrawingFormat) {
    self.destination = destination
    self.format = format
  }

  /// An output whose format is that of its name's ending: `.pdf`, `.svg`, `.png` or `.eps`.
  ///
  /// - Throws: `CodeDrawingError` with code `unknown-format`.
  public init(path: String) throws(CodeDrawingError) {
    self.init(.file(path), as: try DrawingFormat(fileName: path))
  }
}

/// A step of a job that prints a poster or a code.
public enum PrintEvent: Sendable {
  /// The payload may be issued; its warnings state what speaks against it.
  case approved(Approval)
  /// A choice that the job made for want of another.
  case note(PrintNote)
  /// The layout is complete, and nothing is drawn yet.
  case designed(PrintDesign)
  /// A file was drawn, read back and recorded.
  case printed(PrintedFile)
  /// A printer's queue took the file; in a rehearsal, it would.
  case handedOver(Handover)
  /// A file could not be made; the job goes on with the next.
  case failed(output: String, any Error)
}

/// A choice that a print job made for want of another.
public enum PrintNote: Hashable, Sendable {
  /// Scheme and host are in capitals, or stay as they are: the gain and the risk in a sentence.
  case capitals(String)
  /// The card has no words in the poster's language; the card's own are printed.
  case cardWithoutLanguage(String)
  /// A picture has too few pixels for its printed size: its name, and the pixels to the inch that it
  /// has and needs at the least.
  case fewPixels(String, dotsPerInch: Int, least: Int)
  /// The kinds of active content of an artwork that the poster has not, and the name of the artwork.
  case leftOut([String], of: String)

  init(_ picture: CoarsePicture) {
    self = .fewPixels(picture.source, dotsPerInch: picture.dotsPerInch, least: picture.least)
  }
}

/// A file that was drawn, read back from its own pixels and recorded.
public struct PrintedFile: Sendable {
  /// The name of the file.
  public let output: String
  /// The print: the bytes of the file, its margins and the code's name.
  public let issued: IssuedPrint
  /// The result as the contract states it.
  public let result: IssueResult
}

extension Workplace {
  /// Draws a design in every wanted format; a file that fails does not keep the others from being
  /// made.
  ///
  /// - Throws: `CancellationError`.
  func print(
    _ design: PrintDesign, to outputs: [PrintOutput], by issuer: Issuer, isProving: Bool,
    reporting report: @Sendable (PrintEvent) -> Void,
    details: (IssuedPrint) -> IssueResult.Details?
  ) async throws -> [PrintedFile] {
    var files: [PrintedFile] = []
    for output in outputs {
      try Task.checkCancellation()
      let name = output.destination.name
      do {
        let issued = try await issuer.issue(
          design, as: output.format, to: output.destination, proving: isProving)
        let drawn = issued.printed.content
        let file = PrintedFile(
          output: name, issued: issued,
          result: IssueResult(
            drawn.drawing, payload: design.approval.verification.payload,
            appClipCode: drawn.poster?.appClipCode,
            findings: design.approval.verification.findings, output: name, code: issued.id,
            item: issued.item, isRehearsal: issuer.isRehearsal, proof: issued.proof,
            appClipCodeProof: issued.appClipCodeProof,
            details: details(issued) ?? .code(compact: nil)))
        files.append(file)
        report(.printed(file))
        guard output.format == .pdf,
          let handover = try await handOver(
            output.destination, pages: drawn.pageSize, isRehearsal: issuer.isRehearsal)
        else { continue }
        report(.handedOver(handover))
      } catch {
        report(.failed(output: name, error))
      }
    }
    return files
  }
}
