@testable import TagTypes

/// What tests of passwords do to a tag, each as one job that reads the tag anew.
protocol PasswordJobs {}

extension TagPassword {
  static let old = TagPassword("A1B2C3D4:0102")!
  static let new = TagPassword("0011223344FF")!
}

extension PasswordJobs {
  var old: TagPassword { .old }
  var new: TagPassword { .new }

  func open(
    _ model: ModelTag, _ password: TagPassword, orElse other: TagPassword? = nil,
    risking: Bool = true
  ) async throws(TagError) -> AuthenticatedChannel<ModelTag> {
    try await AuthenticatedChannel.open(
      model, with: password, orElse: other, riskingAttempts: risking)
  }

  func set(
    _ model: ModelTag, _ password: TagPassword = .old, _ rule: PasswordRule? = PasswordRule()
  ) async throws(TagError) -> PasswordReport {
    let channel = try await open(model, password)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    return try await tag.planPassword(password, rule, over: channel).execute(over: channel)
  }

  func change(
    _ model: ModelTag, to rule: PasswordRule? = nil
  ) async throws(TagError) -> PasswordReport {
    let channel = try await open(model, old, orElse: new)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    return try await tag.planPassword(new, rule, over: channel).execute(over: channel)
  }

  func remove(_ model: ModelTag) async throws(TagError) -> PasswordReport {
    let channel = try await open(model, old)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    return try await tag.planPasswordRemoval(over: channel).execute(over: channel)
  }
}
