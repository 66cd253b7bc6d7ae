import Foundation
import Glibc
public import Registry

extension BatchStation {
  /// How long a claim stands that a process made which cannot be looked at from here (another
  /// machine, another container) and which it has not renewed since. A waiting station renews its
  /// claims every ``TagBatch/renewalInterval``.
  static let foreignClaimLifetime: TimeInterval = 300

  /// This process as a station.
  ///
  /// - Parameters:
  ///   - reader: The reader on which it works.
  ///   - who: Who works there.
  public init(reader: String, who: String) {
    let machine = ProcessIdentity.machine
    self.init(
      holder: BatchClaim.Holder(
        machine: machine, process: Int(getpid()),
        started: ProcessIdentity.startTime(of: Int(getpid())) ?? ""),
      reader: reader, who: who,
      isAlive: { claim in
        guard claim.holder.machine == machine else {
          return Date().timeIntervalSince(claim.renewed) < Self.foreignClaimLifetime
        }
        return ProcessIdentity.isAlive(claim.holder)
      })
  }
}

/// Tells whether a process that was met before still runs.
private enum ProcessIdentity {
  /// The machine, this start of its system, and the set of process numbers that is seen from here:
  /// after a power cut, and in another container, the same number is another process.
  static let machine: String = {
    let boot = contents("/proc/sys/kernel/random/boot_id") ?? ""
    let processes = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return [host, boot, processes ?? ""].joined(separator: " ")
  }()

  static func isAlive(_ holder: BatchClaim.Holder) -> Bool {
    guard let number = pid_t(exactly: holder.process), number > 0 else { return false }
    // EPERM: it runs, but belongs to somebody else.
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    return startTime(of: holder.process).map { $0 == holder.started } ?? true
  }

  /// When a process was started, in ticks since the system's start (proc(5), field 22 of `stat`);
  /// `nil` where that cannot be read, and for a process that has ended and was not waited for yet.
  static func startTime(of process: Int) -> String? {
    guard let text = contents("/proc/\(process)/stat"), let name = text.lastIndex(of: ")") else {
      return nil
    }
    // The name may hold anything; behind its parenthesis field 3 begins, the state.
    let fields = text[name...].dropFirst().split(separator: " ")
    guard fields.count > 19 else { return nil }
    return fields[0] == "Z" || fields[0] == "X" ? "ended" : String(fields[19])
  }

  private static func contents(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
