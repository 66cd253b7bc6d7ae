import CliptagBasics
import Invocation
internal import WebFetching

/// A push that stopped at an error.
public struct PushFailure: Error, Sendable {
  /// The error of the step that failed.
  public let error: AppStoreConnectError
  /// The steps that were done before.
  public let done: [PushStep]
  /// The step that failed, and those that were not tried.
  public let left: [PushStep]
  /// The paths of reserved pictures that no experience uses and that could not be deleted.
  public let leftBehind: [String]
}

extension ConnectClient {
  /// Performs the steps of a plan, one after the other, up to the first that fails.
  ///
  /// Pictures that were reserved for failed steps are deleted.
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
        let left = Array(plan.steps[index...])
        let leftBehind = await deleteReservations(answers, neededBy: left)
        throw PushFailure(
          error: error, done: Array(plan.steps[..<index]), left: left, leftBehind: leftBehind)
      }
      told(step)
    }
  }

  /// Deletes the pictures that were reserved for steps that will not be performed; also when the
  /// task was cancelled.
  ///
  /// - Returns: The paths of pictures that could not be deleted.
  private func deleteReservations(
    _ answers: [String: Resource], neededBy left: [PushStep]
  ) async -> [String] {
    let unused = answers.sorted { $0.key < $1.key }.filter { name, _ in
      left.contains { $0.uses(name) }
    }
    let paths = unused.map { "/v1/\($0.value.id.type)/\($0.value.id.id)" }
    return await Task {
      var leftBehind: [String] = []
      for path in paths {
        do {
          _ = try await send(ConnectRequest(path, method: "DELETE"))
        } catch {
          leftBehind.append(path)
        }
      }
      return leftBehind
    }.value
  }

  private func perform(
    _ step: PushStep, _ answers: [String: Resource]
  ) async throws(AppStoreConnectError) -> Resource? {
    if let picture = step.picture {
      guard let reservation = answers[picture.reservation] else { return nil }
      try await upload(picture.file.bytes, reservation.attributes)
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
      throw .malformed(request.name, "contains no created or changed resource")
    }
    let state = try resource.attributes.fields("assetDeliveryState")
    if try state?.text("state") == "FAILED" {
      let details = try Self.details(of: state?.list("errors") ?? [], request.name)
      throw AppStoreConnectError(
        .refused, "\(request.name): App Store Connect rejected the picture\(details.said).",
        hint: "Give a PNG or JPEG of 1800 × 1200 pixels without transparency.",
        request: request.name, details: details)
    }
    return resource
  }

  /// The faults of a picture, from its `assetDeliveryState`.
  private static func details(
    of errors: [DocumentNode], _ request: String
  ) throws(AppStoreConnectError) -> [AppStoreConnectError.Detail] {
    var details: [AppStoreConnectError.Detail] = []
    for node in errors.prefix(AppStoreConnectError.maximumDetails) {
      let fields = try AnswerFields(node, of: request)
      details.append(
        AppStoreConnectError.Detail(
          status: "", code: try fields.text("code") ?? "", title: "",
          detail: try fields.text("description") ?? "", source: nil))
    }
    return details
  }

  /// Sends a file in the parts, and to the addresses, that its reservation names. The token is not
  /// sent.
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
      throw .malformed(reservation.request, "requests \(sent) of \(bytes.count) bytes")
    }
  }
}

extension String {
  fileprivate func replacing(variable name: String, with value: String) -> String {
    split(separator: "${\(name)}", omittingEmptySubsequences: false).joined(separator: value)
  }
}
