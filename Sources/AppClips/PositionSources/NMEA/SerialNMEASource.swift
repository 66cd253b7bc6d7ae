import CliptagBasics
#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Invocation
internal import LinuxDevices

/// A source of positions from a satellite receiver on a serial port that uses NMEA 0183.
///
/// A report is complete when the first sentence of the next epoch arrives, or after a quarter of a
/// second of silence.
public actor SerialNMEASource: PositionSource {
  /// The supported speeds of a port, in bits per second.
  public static var speeds: [Int] { SerialPort.speeds }
  /// The standard's speed; receivers on USB ignore it.
  public static let standardSpeed = 4800

  /// The description for messages.
  public nonisolated var description: String { "the receiver \(name)" }
  /// The path of the device.
  public nonisolated let name: String
  /// The kind of origin: NMEA 0183.
  public nonisolated var kind: PositionOrigin.Kind { .nmea }

  /// The number of silent waits that end an epoch.
  private static let quietWaits = 5

  private let descriptor: DeviceDescriptor
  private let now: @Sendable () -> Date
  private let queue = BlockingQueue("PositionSources.SerialNMEA")
  private var lines = LineAssembler(longest: NMEAReader.longestLine)
  private var reader: NMEAReader
  private var waiting: [PositionEvent] = []
  private var isFirstLine = true

  /// Opens the receiver's port and locks it.
  ///
  /// - Parameters:
  ///   - path: The port's device.
  ///   - speed: One of ``speeds``.
  ///   - now: The system's clock, which supplies the date for receivers that omit it.
  /// - Throws: ``PositionError`` if the port does not exist, may not be used, or is in use by
  ///   another program such as gpsd.
  public init(
    _ path: String, speed: Int = standardSpeed, now: @escaping @Sendable () -> Date = { Date() }
  ) throws(PositionError) {
    descriptor = try SerialPort.open(
      path, .satelliteReceiver, speed: speed, throwing: PositionError.self)
    name = path
    reader = NMEAReader(source: path)
    self.now = now
  }

  /// Waits for the next event.
  ///
  /// - Throws: ``PositionError/Code/deviceLost`` if the receiver was unplugged.
  public func next() async throws(PositionError) -> PositionEvent? {
    while true {
      if Task.isCancelled { throw .cancelled(description) }
      if !waiting.isEmpty { return waiting.removeFirst() }
      let descriptor = descriptor
      let input = await queue.run { wanted in
        for _ in 0..<Self.quietWaits where wanted.isSet {
          let input = descriptor.input(within: BlockingQueue.interval)
          if case .quiet = input { continue }
          return input
        }
        return .quiet
      }
      try take(input)
    }
  }

  private func take(_ input: DeviceInput) throws(PositionError) {
    switch input {
    case .quiet:
      if !Task.isCancelled, let report = reader.finish(now: now()) {
        waiting.append(.report(report))
      }
    case .bytes(let bytes): for line in lines.take(bytes) { take(line) }
    case .end: throw DeviceTrouble.unplugged(name, .satelliteReceiver)
    case .failed(let number): throw DeviceTrouble.reading(name, .satelliteReceiver, number)
    }
  }

  private func take(_ line: LineAssembler.Line) {
    // The first line may be the rest of a sentence.
    defer { isFirstLine = false }
    guard case .bytes(let bytes) = line else { return waiting.append(.broken) }
    do throws(NMEASentence.Problem) {
      let report = reader.take(try NMEASentence(bytes), now: now())
      if let report { waiting.append(.report(report)) }
    } catch {
      // Encapsulated sentences, sent by ships' transponders, are skipped silently.
      if !isFirstLine, bytes.first != UInt8(ascii: "!") { waiting.append(.broken) }
    }
  }
}
