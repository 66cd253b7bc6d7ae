public import Auditing
import Foundation
import Invocation
public import Registry
public import Verifying

/// The circumstances of everything that is read in one run of a walk.
public struct WalkCircumstances: Sendable {
  /// The name of the walk, which is begun or continued; `nil` for the day, in UTC.
  public var name: String?
  /// The id of the place that the walker states.
  public var place: String?
  /// The sign of all codes that are read, which must then agree.
  public var sign: String?
  /// Words to keep with each stop.
  public var note: String?
  /// Whether a small copy of every picture is kept, not only of those with findings.
  public var keepsPictures = false
  /// Whether pictures are read again that the walk already has.
  public var readsAgain = false
  /// Whether codes are only compared, and nothing is kept.
  public var dryRun = false
  /// Whether another person's walk of this name is not continued.
  public var isOwn = false

  /// Makes circumstances: today's walk, at no stated place.
  public init() {}

  /// Begins or continues the walk.
  ///
  /// - Parameters:
  ///   - workplace: The registry, the person and the clock.
  ///   - verifier: The verifier that reads codes. A stated place within a circle gives its position
  ///     if the verifier has none and no picture and no receiver gives one.
  /// - Throws: ``NotOnRecord`` for a place that the registry does not hold; `RegistryError`.
  public func begin(
    in workplace: Workplace, with verifier: Verifier
  ) throws -> (session: WalkSession, verifier: Verifier) {
    let stated = try place.map { id in
      guard let place = try workplace.registry.place(id: id) else {
        throw try NotOnRecord(place: id, in: workplace.registry)
      }
      return place
    }
    let today = workplace.now().ISO8601Format().prefix(10)
    let session = try WalkSession(
      named: name ?? String(today), by: workplace.person, in: workplace.registry, sign: sign,
      statedPlace: stated, note: note, isRehearsal: dryRun, keepsAllPictures: keepsPictures,
      readsAgain: readsAgain, isOwn: isOwn, now: workplace.now)
    var verifier = session.verifier(verifier)
    let hasPosition =
      verifier.location != .missing || verifier.options.pictureLocation != nil
      || verifier.options.positions != nil
    if !hasPosition, let stated {
      verifier.location = stated.statedFix.map(LocationEvidence.fix) ?? .waived
    }
    return (session, verifier)
  }
}

/// Adds pictures to a walk: reads their codes, compares each with the record and keeps what was
/// seen, stop by stop.
public struct WalkPictures: Job {
  /// The pictures.
  public var pictures: [PictureInput]
  /// The walk and its circumstances.
  public var circumstances = WalkCircumstances()
  /// The verifier that reads the codes.
  public var verifier: Verifier

  /// Makes a job.
  public init(_ pictures: [PictureInput], with verifier: Verifier) {
    self.pictures = pictures
    self.verifier = verifier
  }

  /// A step of the job.
  public enum Event: Sendable {
    /// The walk was begun, or is continued.
    case began(Walk)
    /// A picture or a page was read, compared and kept.
    case observed(WalkObservation)
  }

  /// The registry takes nothing more; the stops that were reported are kept.
  public struct Ended: Error {
    /// The picture that could not be kept.
    public let source: String
    /// The error of the registry.
    public let underlying: RegistryError
  }

  /// Reads the pictures. Running the job again continues where it ended: known pictures are left
  /// out.
  ///
  /// - Throws: ``NotOnRecord``, ``Ended``, `RegistryError` or `CancellationError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> WalkSession {
    let (session, verifier) = try circumstances.begin(in: workplace, with: verifier)
    report(.began(session.walk))
    try await session.read(pictures, by: verifier) { report(.observed($0)) }
    return session
  }
}

extension WalkSession {
  /// Reads pictures, each page a stop.
  ///
  /// - Throws: ``WalkPictures/Ended`` as soon as the registry takes nothing more;
  ///   `CancellationError`.
  package func read(
    _ pictures: [PictureInput], by verifier: Verifier, each: (WalkObservation) -> Void
  ) async throws {
    for await page in verifier.observations(of: pictures) {
      let seen = await take(page, by: verifier)
      // Everything that follows would end in the same way.
      if let error = seen.failure as? RegistryError, error.endsTheWalk {
        throw WalkPictures.Ended(source: seen.source, underlying: error)
      }
      each(seen)
    }
    try Task.checkCancellation()
  }
}

extension RegistryError {
  /// Whether the registry takes nothing more.
  fileprivate var endsTheWalk: Bool {
    [.diskFull, .unwritable, .readOnly, .unreadable, .damaged, .failed].contains(code)
  }
}
