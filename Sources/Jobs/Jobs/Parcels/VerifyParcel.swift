public import Auditing
import Invocation
import Registry
public import Verifying

/// Compares what lies in a parcel with the packing list of its place.
public struct VerifyParcel: Job {
  /// The id of the place.
  public var place: String
  /// The pictures of the parcel.
  public var pictures: [PictureInput] = []
  /// The texts of printed codes, as a hand scanner types them.
  public var texts: [String] = []
  /// How often each printed code may be in, as on sheets of labels.
  public var copies = 1

  /// Makes a job.
  public init(_ place: String) { self.place = place }

  /// A step of the job.
  public enum Event: Sendable {
    /// A code was read, and compared.
    case read(ParcelCheck.Answer)
    /// A picture or a page was looked at.
    case observed(CodeObservation)
  }

  /// Reads pictures and texts.
  ///
  /// - Returns: The comparison: what was read, what is missing, what does not belong.
  /// - Throws: ``NotOnRecord``, ``PackParcel/NothingToPack``, `RegistryError` or
  ///   `CancellationError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> ParcelCheck {
    var check = try check(in: workplace)
    let verifier = check.verifier
    for await seen in verifier.observations(of: pictures) {
      for answer in try check.take(seen) { report(.read(answer)) }
      report(.observed(seen))
    }
    try Task.checkCancellation()
    for text in texts {
      let seen = await verifier.observe(.print, on: .qr, source: Self.textSource) { text }
      for answer in try check.take(seen) { report(.read(answer)) }
      report(.observed(seen))
    }
    return check
  }

  /// The source of texts.
  private static let textSource = "scanner"

  /// An empty parcel.
  package func check(in workplace: Workplace) throws -> ParcelCheck {
    ParcelCheck(
      try PackParcel(place).list(in: workplace.registry), in: workplace.registry, copies: copies)
  }
}
