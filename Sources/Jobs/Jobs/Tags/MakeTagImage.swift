import Invocation
public import Issuing
import Registry
import TagTypes

/// Makes the memory of an NFC Type 5 tag as a file, for another writer, and records its code.
public struct MakeTagImage: Job {
  /// The invocation URL.
  public var url: String
  /// The destination of the file; a name that ends in `.txt` or `.hex` makes it hexadecimal.
  public var destination: FileDestination
  /// The size of the tag's memory, in bytes.
  public var byteCount: Int
  /// The size of a block, in bytes.
  public var blockByteCount = 4
  /// Whether the memory says that the tag reads several blocks at once; iPhones are reported not
  /// to read such a tag.
  public var readsSeveralBlocks = false
  /// Whether the image is made although the check does not accept the URL.
  public var unregistered = false
  /// Whether a URL that the check warns of is refused.
  public var strict = false
  /// Whether the image is made and proven, but not written.
  public var dryRun = false

  /// Makes a job.
  public init(url: String, byteCount: Int, to destination: FileDestination) {
    self.url = url
    self.byteCount = byteCount
    self.destination = destination
  }

  /// The image of a finished job.
  public struct Output: Sendable {
    /// The proven image.
    public let image: TagImage
    /// The result of the contract.
    public let result: TagImageResult
  }

  /// Makes the image.
  ///
  /// - Parameters:
  ///   - workplace: The registry by which the URL is checked.
  ///   - report: Receives the approval of the URL, perhaps with warnings.
  /// - Throws: ``InputError``; `IssueRefusal` if the check refuses the URL; `TagError` if the
  ///   message does not fit; `IssuingError` if the file cannot be written.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Approval) -> Void
  ) async throws -> Output {
    guard !(unregistered && strict) else { throw InputError.exclude(.unregistered, .strict) }
    let approval = try workplace.check.approve(
      url, unregistered: unregistered, refusingWarnings: strict)
    report(approval)
    let image = try TagImage(
      url, byteCount: byteCount, blockByteCount: blockByteCount,
      readsSeveralBlocks: readsSeveralBlocks, as: TagImage.Format(fileName: destination.name))
    let code = try await workplace.issuer(isRehearsal: dryRun).write(
      image, for: approval, to: destination, tagType: TagImageResult.tagType)
    return Output(
      image: image,
      result: TagImageResult(
        output: destination.name, url: url, code: code?.description, dryRun: dryRun,
        findings: approval.verification.findings.map(FindingResult.init),
        bytes: image.messageByteCount, capacity: image.memory.capacity, size: byteCount,
        blockSize: blockByteCount))
  }
}

/// The result of making a tag's image: an `issue` object of the command's contract, without a
/// symbol.
public struct TagImageResult: Encodable, Sendable {
  static let tagType = "Type 5"

  /// The type of the object.
  public let type = "issue"
  /// The file.
  public let output: String
  /// The URL.
  public let url: String
  /// Always `nil`: there is no symbol.
  public let version: Int? = nil
  /// Always `nil`: there is no symbol.
  public let errorCorrection: String? = nil
  /// Always `nil`: there is no symbol.
  public let moduleSize: Double? = nil
  /// Always `nil`: there is no symbol.
  public let width: Double? = nil
  /// Whether the image was decoded again: always `true`.
  public let verified = true
  /// The code's name in the registry; `nil` in a rehearsal.
  public let code: String?
  /// Whether no file was written.
  public let dryRun: Bool
  /// The findings of the check.
  public let findings: [FindingResult]
  /// The kind of tag.
  public let tagType: String = Self.tagType
  /// The length of the NDEF message, in bytes.
  public let bytes: Int
  /// The longest message that the memory holds, in bytes.
  public let capacity: Int
  /// The size of the memory, in bytes.
  public let size: Int
  /// The size of a block, in bytes.
  public let blockSize: Int
}
