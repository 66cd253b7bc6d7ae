import CliptagBasics
import CConfinement

import CliptagPlatform

/// One run of a program that reads untrusted input, from its start to its end.
///
/// It blocks the calling thread; the program ends with that thread, so that none is left behind
/// when this process is killed.
struct ConfinedProcess: Sendable {
  /// The path of the program.
  let program: String
  let arguments: [String]
  let environment: [String: String]
  /// The program's private folder.
  let folder: String
  /// Files and folders that the program may read besides the system's.
  let readable: [String]
  let writesFiles: Bool
  let startsOthers: Bool
  let keepsMessages: Bool
  /// The size limit in bytes of the output, and of the messages.
  let outputLimit: Int
  let limits: PictureLimits

  /// The outcome of a run.
  enum End: Sendable {
    case ended(status: Int32, output: [UInt8], messages: [UInt8])
    case notStarted(Int32)
    case timedOut
    case tooMuchOutput
    case unwanted
  }

  /// Runs the program. It is killed, together with its children, when its time limit passes, when
  /// it writes too much, or when its result is no longer wanted.
  func run(_ wanted: BlockingQueue.Wanted) -> End {
    let deadline = ContinuousClock.now + limits.timePerPage
    var child = cconfinement_child()
    let failure = start(&child)
    guard failure == 0 else { return .notStarted(failure) }
    let process = child.process
    let descriptors = [child.output, child.errors]
    let ending = cconfinement_end(process)
    defer {
      for descriptor in descriptors + [ending] where descriptor >= 0 { close(descriptor) }
    }
    var texts: [[UInt8]] = [[], []]
    var isOpen = descriptors.map { $0 >= 0 }
    var hasEnded = false
    func stop(_ end: End) -> End {
      kill(-process, SIGKILL)
      kill(process, SIGKILL)
      _ = reap(process)
      return end
    }
    while isOpen.contains(true) || !hasEnded {
      guard wanted.isSet else { return stop(.unwanted) }
      let left = deadline - .now
      guard left > .zero else { return stop(.timedOut) }
      wait(descriptors, isOpen, hasEnded ? -1 : ending, left)
      for index in isOpen.indices where isOpen[index] {
        switch read(descriptors[index], into: &texts[index]) {
        case .more: if texts[index].count > outputLimit { return stop(.tooMuchOutput) }
        case .nothing: break
        case .end: isOpen[index] = false
        }
      }
      if !hasEnded, isZombie(process) {
        hasEnded = true
        // Its children hold its output open and are not waited for. Until it is reaped, no other
        // process group can have its number.
        kill(-process, SIGKILL)
      }
    }
    return .ended(status: reap(process), output: texts[0], messages: texts[1])
  }

  private func start(_ child: inout cconfinement_child) -> Int32 {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return withCStrings([program] + arguments) { arguments in
      withCStrings(variables) { environment in
        withCStrings(readable + [program]) { readable in
          withCStrings([program, folder]) { paths in
            let readable = UnsafeRawPointer(readable).assumingMemoryBound(
              to: UnsafePointer<CChar>?.self)
            var order = cconfinement_order(
              program: paths[0], arguments: arguments, environment: environment, folder: paths[1],
              readable: readable, writes: writesFiles, starts_others: startsOthers,
              keeps_errors: keepsMessages, memory: UInt64(clamping: limits.rendererMemory),
              file_bytes: writesFiles ? UInt64(clamping: limits.rendererMemory) : 0,
              seconds: UInt64(max(1, limits.timePerPage.components.seconds + 1)))
            return cconfinement_start(&order, &child)
          }
        }
      }
    }
  }

  /// Waits for output, the end of the process, or the time of the next check.
  private func wait(
    _ descriptors: [Int32], _ isOpen: [Bool], _ ending: Int32, _ left: Duration
  ) {
    var waiting = zip(descriptors, isOpen).compactMap { descriptor, isOpen in
      isOpen ? pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) : nil
    }
    if ending >= 0 { waiting.append(pollfd(fd: ending, events: Int16(POLLIN), revents: 0)) }
    let milliseconds = Int32(clamping: Int64(clamping: Int(bounded: left / .milliseconds(1))) + 1)
    // Without a descriptor for the end of the process, it is polled frequently.
    let most = ending >= 0 ? BlockingQueue.interval : 2
    _ = poll(&waiting, nfds_t(waiting.count), min(milliseconds, most))
  }

  private enum Part { case more, nothing, end }

  /// Reads the available bytes without waiting.
  private func read(_ descriptor: Int32, into text: inout [UInt8]) -> Part {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 0) > 0 else { return .nothing }
    let size = 1 << 18
    var failed = false
    let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      let got = Retry.interrupted {
        CliptagPlatform.read(descriptor, buffer.baseAddress, size)
      }
      failed = got < 0
      count = max(0, got)
    }
    if failed || part.isEmpty { return .end }
    text += part
    return .more
  }

  /// Returns whether the process has ended; it remains to be reaped.
  private func isZombie(_ process: pid_t) -> Bool {
    var facts = siginfo_t()
    return waitid(P_PID, id_t(process), &facts, WEXITED | WNOHANG | WNOWAIT) == 0
      && facts.si_signo == SIGCHLD
  }

  /// Waits for the end of a process; a status above 128 is 128 plus the signal that ended it.
  private func reap(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    guard Retry.interrupted({ waitpid(process, &status, 0) }) == process else { return 255 }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}

/// Passes texts to C as a null-terminated array.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = texts.map { strdup($0) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return pointers.withUnsafeMutableBufferPointer { buffer in
    // Not empty: it contains the terminating null.
    body(buffer.baseAddress.unsafelyUnwrapped)
  }
}
