import NIOCore
import NIOHTTP1

/// Closes a connection whose other end takes too long: for a request's head, for its body, or to
/// take what is sent to it. While a request is answered it may wait as long as the answer takes.
final class RequestDeadlines: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// The time until the first head is complete.
  private static let head = TimeAmount.seconds(10)
  /// The time until the next head is complete, after an answer.
  private static let nextHead = TimeAmount.seconds(60)
  /// The time between two parts of a body, and for all of it.
  private static let bodySilence = TimeAmount.seconds(15)
  private static let body = TimeAmount.minutes(3)
  /// The time for the rest of a refused body, which is read so that the client receives the
  /// refusal.
  private static let refusedBody = TimeAmount.seconds(5)
  /// The time until a client takes the data sent to it.
  private static let reading = TimeAmount.seconds(30)

  private var deadline: Scheduled<Void>?
  private var readingDeadline: Scheduled<Void>?
  private var bodyEnd = NIODeadline.distantFuture
  private var lastPart = NIODeadline.uptimeNanoseconds(0)
  private var isReceiving = false

  func channelActive(context: ChannelHandlerContext) {
    deadline = close(context, in: Self.head)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    readingDeadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      deadline?.cancel()
      isReceiving = true
      lastPart = .now()
      bodyEnd = lastPart + Self.body
      waitForPart(context)
    case .body: lastPart = .now()
    case .end:
      isReceiving = false
      deadline?.cancel()
    }
    context.fireChannelRead(data)
  }

  /// Looks whether a part came since, instead of setting a deadline for each part.
  private func waitForPart(_ context: ChannelHandlerContext) {
    let end = min(lastPart + Self.bodySilence, bodyEnd)
    deadline = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { [self] in
      if min(lastPart + Self.bodySilence, bodyEnd) > end {
        waitForPart(context)
      } else {
        context.close(promise: nil)
      }
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      deadline?.cancel()
      deadline = close(context, in: isReceiving ? Self.refusedBody : Self.nextHead)
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    readingDeadline?.cancel()
    readingDeadline = context.channel.isWritable ? nil : close(context, in: Self.reading)
    context.fireChannelWritabilityChanged()
  }

  private func close(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
    context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
  }
}
