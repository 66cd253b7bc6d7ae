import CodeScanning
import Foundation
package import Invocation
package import Pictures
import Registry
package import Verifying

/// Reads the pictures of a walk on all cores; each page is a stop, kept in the order of the files.
package struct WalkPictures: Sendable {
  /// What came of one picture.
  package enum Event: Sendable {
    /// A page, which was kept.
    case stop(WalkSession.Kept)
    /// A page that this walk has already.
    case known
    /// It, or one page of it, could not be read or kept; others may follow.
    case failed(any Error)
    /// The scanner's budget ended the search after some codes; there may be more.
    case cutShort(codes: Int, page: Int?)
    /// It was read, and nothing on it looks like a code.
    case nothingFound
    /// It was met in a folder and is no picture.
    case skipped
    /// Nothing more comes of it.
    case finished
  }

  /// A print of this grade, in steps 4 (A) to 0 (F), or a lower one is worn.
  package static let wornGrade = 1

  /// The walk.
  package let session: WalkSession
  /// How codes are looked for, examined and located.
  package let verifier: PictureVerifier
  private let loader: PictureLoader
  private let refine: (@Sendable (VerifiedCode) async throws -> VerifiedCode)?
  private let keepsAll: Bool
  private let workers: Int

  /// Makes a reader of pictures.
  ///
  /// - Parameters:
  ///   - session: The walk.
  ///   - verifier: How codes are looked for, examined and located.
  ///   - loader: How pictures are opened.
  ///   - refine: Finds out more of a code: where it was read, or whether its message is new.
  ///   - keepsAll: Whether a small copy is kept of every picture, not only of those with findings.
  package init(
    _ session: WalkSession, verifier: PictureVerifier, loader: PictureLoader = PictureLoader(),
    refine: (@Sendable (VerifiedCode) async throws -> VerifiedCode)? = nil, keepsAll: Bool = false
  ) {
    self.session = session
    self.verifier = verifier
    self.loader = loader
    self.refine = refine
    self.keepsAll = keepsAll
    workers = ProcessInfo.processInfo.activeProcessorCount
  }

  /// Reads the pictures. A cancelled task ends the run early; what was kept stays.
  ///
  /// - Parameters:
  ///   - inputs: The pictures and documents.
  ///   - handle: Gets every event, one after another and in the order of the inputs.
  package func run(
    _ inputs: [PictureInput], _ handle: @escaping @Sendable (PictureInput, Event) -> Void
  ) async {
    let workers = min(workers, inputs.count)
    let delivery = OrderedDelivery<Found>(count: inputs.count, window: workers * 4) {
      handle(inputs[$0], keep($1))
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<workers {
        group.addTask {
          while let index = await delivery.next() {
            await read(inputs[index]) { await delivery.deliver($0, of: index) }
            await delivery.deliver(.event(.finished), of: index)
            await delivery.finish(index)
          }
        }
      }
    }
  }

  /// What a worker found, which is kept when it is its turn.
  private enum Found: Sendable {
    case sight(WalkSight, WalkPicture?)
    case event(Event)
  }

  private func keep(_ found: Found) -> Event {
    switch found {
    case .event(let event): return event
    case .sight(let sight, let picture):
      do {
        guard let kept = try session.take(sight, picture: picture) else { return .known }
        return .stop(kept)
      } catch {
        return .failed(error)
      }
    }
  }

  private func read(_ input: PictureInput, _ emit: (Found) async -> Void) async {
    if input.isNoPicture() { return await emit(.event(.skipped)) }
    do {
      let bytes =
        input.path == "-"
        ? try await loader.standardInput() : try await loader.bytes(path: input.path)
      let name = input.path == "-" ? PictureLoader.standardInputName : input.path
      let digest = try EntryHash.digest(of: bytes)
      let file = try await loader.open(bytes, named: name)
      for number in 1...max(1, file.pageCount) where !Task.isCancelled {
        do {
          try await read(page: number, of: file, digest, named: input.path, emit)
        } catch {
          await emit(.event(.failed(error)))
        }
      }
    } catch {
      await emit(.event(.failed(error)))
    }
  }

  private func read(
    page number: Int, of file: PictureFile, _ digest: EntryHash?, named source: String,
    _ emit: (Found) async -> Void
  ) async throws {
    let page = file.isDocument ? number : nil
    if let digest, try session.holds(digest, page: page) { return await emit(.event(.known)) }
    let picture = try await file.page(number)
    let result = try await verifier.scanner.examine(picture)
    guard !result.codes.isEmpty || !result.unread.isEmpty else {
      return await emit(.event(.nothingFound))
    }
    let position = verifier.pictureLocation?.reading(of: file.position, named: source)
    var sight = WalkSight(
      .picture, source: source,
      codes: try await codes(in: result, of: picture, page: page, source: source, position))
    sight.page = page
    sight.digest = digest
    sight.unreadCount = result.unread.count
    sight.fix = (position?.evidence ?? verifier.evidence).measured
    let isWanted = try keepsAll || session.isWorthAPicture(sight)
    await emit(.sight(sight, isWanted ? try await WalkPicture(of: picture) : nil))
    if result.wasCutShort, !result.codes.isEmpty {
      await emit(.event(.cutShort(codes: result.codes.count, page: page)))
    }
  }

  private func codes(
    in result: ScanResult, of picture: LoadedPicture, page: Int?, source: String,
    _ position: LocatedReading?
  ) async throws -> [WalkSight.Code] {
    let verified = try verifier.verify(result, page: page, source: source).codes
    let grader = PrintGrader(scanner: verifier.scanner)
    let grades = try await grader.grades(of: result.codes, in: picture)
    var codes: [WalkSight.Code] = []
    for (code, grade) in zip(verified, grades) {
      var code = code
      if let position { code = try code.located(position, by: verifier.check) }
      if let refine { code = try await refine(code) }
      if let finding = grade.flatMap(Finding.worn) { code = code.adding([finding]) }
      codes.append(WalkSight.Code(code, grade: grade?.decimal))
    }
    return codes
  }
}

extension LocationEvidence {
  /// A position that somebody measured or gave, not one that only stands for a place.
  package var measured: LocationFix? {
    guard case .fix(let fix) = self, fix.origin?.kind != .place else { return nil }
    return fix
  }
}

extension Finding {
  /// A module needs this many pixels before its damage is the print's and not the picture's.
  private static let leastModulePixels = 4.0

  /// Damage that would stay when the picture were better: error correction that is used up, and
  /// patterns with wrong modules. Blur and light, which lower other grades, are the photographer's.
  fileprivate static func worn(_ grade: PrintGrade) -> Finding? {
    guard grade.modulePixels >= leastModulePixels else { return nil }
    let names: [GradedParameter.Name] = [.unusedErrorCorrection, .fixedPatternDamage]
    let worst = names.compactMap { grade[$0] }.filter { $0.grade != nil }
      .min { ($0.grade ?? 4) < ($1.grade ?? 4) }
    guard let worst, let step = worst.grade, step <= WalkPictures.wornGrade else { return nil }
    let name =
      worst.name == .unusedErrorCorrection ? "unused error correction" : "fixed pattern damage"
    return Finding(
      .wornPrint, .warning,
      "The print is damaged: its \(name) is grade \(PrintGrade.letter(step)) "
        + "(\(PrintGrade.caveat)); print it anew before it fails.")
  }
}
