import Invocation
internal import WebFetching

/// Why a push stopped.
public struct PushFailure: Error, Sendable {
  /// What failed.
  public let error: AppStoreConnectError
  /// The steps that were done before.
  public let done: [PushStep]
  /// The step that failed, and those that were not tried.
  public let left: [PushStep]
}

extension ConnectClient {
  /// Does the steps of a plan, one after the other, up to the first that fails.
  ///
  /// - Parameters:
  ///   - plan: The steps.
  ///   - told: Called after each step.
  /// - Throws: ``PushFailure``.
  public func push(
    _ plan: PushPlan, told: (PushStep) -> Void = { _ in }
  ) async throws(PushFailure) {
    var answers: [String: Resource] = [:]
    for (index, step) in plan.steps.enumerated() {
      do throws(AppStoreConnectError) {
        let answer = try await perform(step, answers)
        if let name = step.names { answers[name] = answer }
      } catch {
        throw PushFailure(
          error: error, done: Array(plan.steps[..<index]), left: Array(plan.steps[index...]))
      }
      told(step)
    }
  }

  private func perform(
    _ step: PushStep, _ answers: [String: Resource]
  ) async throws(AppStoreConnectError) -> Resource? {
    if let picture = step.picture {
      guard let reservation = answers[picture.reservation] else { return nil }
      try await upload(picture.bytes, reservation.attributes)
      return nil
    }
    var (path, body) = (step.path, step.body ?? "")
    for (name, answer) in answers {
      path = path.replacing(variable: name, with: answer.id.id)
      body = body.replacing(variable: name, with: answer.id.id)
    }
    let request = ConnectRequest(path, method: step.method, body: Array(body.utf8))
    let document = try ResourceDocument(try await send(request), of: request.name)
    guard let resource = document.data.first, resource.id.isSound else {
      throw .malformed(request.name, "names nothing that was made or changed")
    }
    let state = try resource.attributes.fields("assetDeliveryState")
    if try state?.text("state") == "FAILED" {
      throw AppStoreConnectError(
        .refused, "\(request.name): App Store Connect does not take the picture.",
        hint: "Give a PNG or JPEG of 1800 × 1200 pixels without transparency.",
        request: request.name)
    }
    return resource
  }

  /// Sends a file in the parts, and to the addresses, that its reservation names. The token stays
  /// here.
  private func upload(
    _ bytes: [UInt8], _ reservation: AnswerFields
  ) async throws(AppStoreConnectError) {
    let operations = try reservation.list("uploadOperations")
    guard (1...1000).contains(operations.count) else {
      throw .malformed(reservation.request, "has \(operations.count) upload operations")
    }
    var sent = 0
    for node in operations {
      let operation = try AnswerFields(node, of: reservation.request)
      guard let offset = try operation.integer("offset"),
        let length = try operation.integer("length"), let url = try operation.text("url"),
        (0...bytes.count).contains(offset), (1...bytes.count).contains(length),
        length <= bytes.count - offset
      else { throw .malformed(reservation.request, node, "has an upload operation out of range") }
      var headers = HeaderFields()
      for node in try operation.list("requestHeaders") {
        let header = try AnswerFields(node, of: reservation.request)
        if let name = try header.text("name"), let value = try header.text("value") {
          headers.append(name, value)
        }
      }
      try await uploadPart(
        WebRequest(
          url, method: try operation.text("method") ?? "PUT", headers: headers,
          body: Array(bytes[offset..<offset + length])))
      sent += length
    }
    guard sent == bytes.count else {
      throw .malformed(reservation.request, "asks for \(sent) of \(bytes.count) bytes")
    }
  }
}

extension String {
  fileprivate func replacing(variable name: String, with value: String) -> String {
    split(separator: "${\(name)}", omittingEmptySubsequences: false).joined(separator: value)
  }
}
