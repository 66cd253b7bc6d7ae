import CliptagBasics
import Testing

@testable import Pictures

@Suite("Work that cannot be stopped")
struct UninterruptibleTests {
  @Test("its result or its error comes back")
  func results() async throws {
    #expect(try await Uninterruptible.run("sample") { _ in 5 } == 5)
    #expect(
      await errorCode {
        try await Uninterruptible.run("sample") { _ throws(PictureError) in
          throw .malformed("sample", "it is wrong")
        }
      } == .malformed)
  }

  @Test("a cancelled task does not wait for its end, and the work can know")
  func cancellation() async {
    let (events, continuation) = AsyncStream.makeStream(of: String.self)
    let task = Task {
      await errorCode {
        try await Uninterruptible.run("sample") { wanted in
          continuation.yield("begun")
          // Ends only because of the cancellation.
          while wanted.isSet {}
          continuation.yield("ended")
        }
      }
    }
    var iterator = events.makeAsyncIterator()
    #expect(await iterator.next() == "begun")
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(await iterator.next() == "ended")
  }

  @Test("a task that was cancelled before loads nothing")
  func cancelledBefore() async throws {
    let file = try await PictureLoader.patient.open(sample("grey-8.png"), named: "sample")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await errorCode { _ = try await file.page(1) }
    }
    #expect(await task.value == .cancelled)
  }
}
