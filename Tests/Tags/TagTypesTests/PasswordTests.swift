import NDEF
@testable import TagTypes
import Testing

/// The operations of password tests on a tag, each as one job that reads the tag again.
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

@Suite("Passwords")
struct PasswordTests: PasswordJobs {
  static let layouts: [Type2Layout] = [
    .ntag210, .ntag212, .ntag213, .ntag215, .ntag216, .ultralightEV1Small, .ultralightEV1Large,
  ]

  @Test("a password is eight hexadecimal digits, and four more for PACK; nothing else is")
  func parsing() {
    #expect(TagPassword("a1b2c3d4") == TagPassword("A1B2C3D4:0000"))
    #expect(TagPassword(" A1B2C3D4:0102\n") == old)
    #expect(TagPassword("A1B2C3D40102") == old)
    for text in [
      "", "A1B2C3D", "A1B2C3D45", "A1B2C3D4:", "A1B2C3D4:01", "A1B2C3D4-0102", "A1B2C3DG",
      "A1 B2 C3 D4", "A1B2C3D4:010203", "Ａ1B2C3D4", "password",
    ] {
      #expect(TagPassword(text) == nil, "\(text)")
    }
  }

  @Test("a password whose PACK nobody knows opens its tag, and cannot be set")
  func unknownAcknowledgement() async throws {
    let unknown = try #require(TagPassword(" a1b2c3d4:*\n"))
    #expect(!unknown.knowsAcknowledgement)
    #expect(unknown != old)
    for text in ["A1B2C3D4*", "A1B2C3D4:**", "A1B2C3D:*", ":*", "A1B2C3DG:*"] {
      #expect(TagPassword(text) == nil, "\(text)")
    }
    let model = try await modelWithExample(.ntag215)
    _ = try await set(model)
    let channel = try await open(model, unknown)
    #expect(channel.isAuthenticated)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    await #expect(throws: TagError.Code.tagPassword) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planPassword(unknown, nil, over: channel)
      }
    }
    // Replacing it with a complete one works, and so does removing it.
    let report = try await tag.planPassword(new, nil, over: channel).execute(over: channel)
    #expect(report.pagesWritten > 0)
    let again = try await open(model, try #require(TagPassword("00112233:*")))
    let held = try await Type2Tag.identify(over: again, includingConfiguration: true)
    _ = try await held.planPasswordRemoval(over: again).execute(over: again)
    #expect(
      try await Type2Tag.identify(over: model, includingConfiguration: true)
        .isPasswordProtected == false)
    // A wrong password is refused whatever its PACK.
    _ = try await set(model)
    await #expect(throws: TagError.Code.tagPassword) {
      try await codeOf { () async throws(TagError) in
        _ = try await open(model, TagPassword("00000001:*")!)
      }
    }
  }

  @Test("a password shows itself nowhere")
  func secret() async throws {
    var dumped = ""
    let model = try await modelWithExample(.ntag215)
    let channel = try await open(model, old)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    let plan = try await tag.planPassword(old, PasswordRule(), over: channel)
    dump(old, to: &dumped)
    dump(plan, to: &dumped)
    dump(plan.steps, to: &dumped)
    let texts =
      [dumped, "\(old)", String(reflecting: old), "\(plan)", "\(plan.steps)"]
      + plan.steps.map { String(reflecting: $0) }
    for text in texts {
      // As hexadecimal, or as a list of numbers in any layout.
      let digits = text.uppercased().filter { $0.isLetter || $0.isNumber }
      for secret in ["A1B2C3D4", "161178195212", "0XA10XB2"] {
        #expect(!digits.contains(secret), "\(secret)")
      }
    }
    #expect(plan.steps.filter(\.isSecret).allSatisfy { $0.after == nil && $0.before == nil })
  }

  @Test(
    "PWD and PACK are proven before AUTH0, and then the tag is closed to writing",
    arguments: layouts)
  func setting(layout: Type2Layout) async throws {
    let model = try await modelWithExample(layout)
    let page = try #require(layout.configurationPage)
    let report = try await set(model)
    #expect(report.pagesWritten == 3)
    #expect(await Array(model.writes.prefix(3)) == [page + 2, page + 3, page])
    #expect(await model.page(page)[3] == 4)
    #expect(await model.page(page + 2) == [0xA1, 0xB2, 0xC3, 0xD4])
    #expect(await model.page(page + 3) == [1, 2, 0, 0])
    let authentication = await model.commands.firstIndex { $0[0] == 0x1B }
    let arming = await model.commands.firstIndex { $0[0] == 0xA2 && $0[1] == UInt8(page) }
    #expect(try #require(authentication) < #require(arming))
    #expect(await messageByAnotherReader(model.memory) == example.bytes)
    #expect(await model.page(3) == layout.capabilityContainer)
    try await model.reselect(fieldCycle: true)
    await #expect(throws: TagChannelError.self) {
      _ = try await model.exchange([0xA2, 4, 1, 2, 3, 4])
    }
    // Phones can still read, and the owner of the password can still write.
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.content == .message(example.bytes))
    let message = NDEFMessage(uri: "https://a.example/")
    let channel = try await open(model, old)
    let ours = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    _ = try await ours.planWrite(message, over: channel).execute(over: channel)
    #expect(await messageByAnotherReader(model.memory) == message.bytes)
  }

  @Test("what is not the password's own is kept: mirror, counter, reserved bits")
  func otherBytes() async throws {
    let model = try await modelWithExample(.ntag213)
    await model.store([0x44, 0xA5, 0x0C, 0xFF, 0x1B, 0x5A, 0x3C, 0xC3], at: 0x29)
    _ = try await set(
      model, old, PasswordRule(firstPage: 8, protectsReading: true, wrongPasswordLimit: 7))
    #expect(await model.page(0x29) == [0x44, 0xA5, 0x0C, 8])
    #expect(await model.page(0x2A) == [0x9F, 0x5A, 0x3C, 0xC3])
    _ = try await remove(model)
    #expect(await model.page(0x29) == [0x44, 0xA5, 0x0C, 0xFF])
    #expect(await model.page(0x2A) == [0x18, 0x5A, 0x3C, 0xC3])
  }

  @Test("a change keeps what is guarded, and disarms the tag before it touches the password")
  func changing() async throws {
    let model = try await modelWithExample(.ntag215)
    let rule = PasswordRule(firstPage: 8, protectsReading: true, wrongPasswordLimit: 5)
    _ = try await set(model, old, rule)
    await model.setFaults(.init())
    _ = try await change(model)
    #expect(await Array(model.writes.prefix(6)) == [0x83, 0x84, 0x85, 0x86, 0x84, 0x83])
    let channel = try await open(model, new)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    #expect(tag.passwordRule == rule)
    #expect(channel.isAuthenticated)
    // A second run finds the new password in force and writes nothing.
    await model.setFaults(.init())
    let again = try await change(model)
    #expect(again.wasAlreadyCorrect)
    #expect(await model.writes == [0x81, 0x81])
  }

  @Test("removing disarms first and leaves the tag as it left the factory")
  func removing() async throws {
    let model = try await modelWithExample(.ntag215)
    let before = await model.memory
    _ = try await set(model)
    await model.setFaults(.init())
    _ = try await remove(model)
    #expect(await model.writes == [0x83, 0x85, 0x86])
    #expect(await model.memory == before)
    let report = try await remove(model)
    #expect(report.refusedPage == nil)
    #expect(await model.memory == before)
  }

  @Test("setting a password that is in force already writes nothing and proves it")
  func alreadySet() async throws {
    let model = try await modelWithExample(.ntag215)
    _ = try await set(model)
    let memory = await model.memory
    let report = try await set(model)
    #expect(report.wasAlreadyCorrect)
    #expect(report.refusedPage == 0x81)
    #expect(await model.memory == memory)
  }

  @Test("a password that was stored wrongly guards nothing")
  func storedWrongly() async throws {
    for page in [0x85, 0x86] {
      let model = try await modelWithExample(.ntag215)
      var faults = ModelTag.Faults()
      faults.wrongPages = [page]
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in _ = try await set(model) }
      #expect(error?.code == .verifyFailed)
      #expect(error?.message.contains("no password is in force") == true)
      #expect(await model.page(0x83)[3] == 0xFF)
    }
  }

  @Test("a plan tells how many exchanges its execution takes", arguments: layouts)
  func exchangeCount(layout: Type2Layout) async throws {
    let model = try await modelWithExample(layout)
    func check(
      _ password: TagPassword?, presenting present: TagPassword, _ rule: PasswordRule? = nil
    ) async throws {
      let channel = try await open(model, present)
      let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
      let plan =
        if let password {
          try await tag.planPassword(password, rule, over: channel)
        } else {
          try await tag.planPasswordRemoval(over: channel)
        }
      await model.setFaults(ModelTag.Faults())
      _ = try await plan.execute(over: channel)
      #expect(await model.commands.count + model.selections == plan.expectedExchanges)
    }
    try await check(old, presenting: old, PasswordRule())
    try await check(old, presenting: old)
    try await check(old, presenting: old, PasswordRule(firstPage: 5, wrongPasswordLimit: 5))
    try await check(new, presenting: old, PasswordRule(protectsReading: true))
    try await check(nil, presenting: new)
  }

  @Test("a tag that takes a write without the password is reported")
  func counterfeit() async throws {
    let model = try await modelWithExample(.ntag215)
    var faults = ModelTag.Faults()
    faults.ignoresLocks = true
    await model.setFaults(faults)
    let error = await errorOf { () async throws(TagError) in _ = try await set(model) }
    #expect(error?.code == .verifyFailed)
    #expect(error?.message.contains("without the password") == true)
  }

  @Test("a wrong password is tried once, and the error tells what is at stake")
  func wrong() async throws {
    for (limit, words) in [(0, "any number"), (3, "after the last one")] {
      let model = try await modelWithExample(.ntag215)
      _ = try await set(model, old, PasswordRule(wrongPasswordLimit: limit))
      let tried = await model.passwordsTried
      let error = await errorOf { () async throws(TagError) in _ = try await open(model, new) }
      #expect(error?.code == .tagPassword)
      #expect(error?.message.contains(words) == true)
      #expect(error.map { "\($0)".contains("0011") || "\($0)".contains("1122") } == false)
      #expect(await model.passwordsTried == tried + 1)
    }
  }

  @Test("a tag that counts wrong passwords gets none unless that is risked")
  func limited() async throws {
    let model = try await modelWithExample(.ntag215)
    _ = try await set(model, old, PasswordRule(wrongPasswordLimit: 3))
    let tried = await model.passwordsTried
    let error = await errorOf { () async throws(TagError) in
      _ = try await open(model, old, risking: false)
    }
    #expect(error?.code == .tagPassword)
    #expect(error?.underlying == nil)
    #expect(await model.passwordsTried == tried)
  }

  @Test(
    "a second password is only tried where the tag stands it",
    arguments: [(0, 2), (1, 1), (2, 1), (3, 2), (7, 2)])
  func second(limit: Int, attempts: Int) async throws {
    let model = try await modelWithExample(.ntag215)
    _ = try await set(model, new, PasswordRule(wrongPasswordLimit: limit))
    let tried = await model.passwordsTried
    let error = await errorOf { () async throws(TagError) in
      _ = try await open(model, old, orElse: new)
    }
    #expect((error == nil) == (attempts == 2))
    #expect(await model.passwordsTried == tried + attempts)
  }

  @Test("the password is given again after every refusal and selection, and PACK is compared")
  func authenticatedChannel() async throws {
    let model = try await modelWithExample(.ntag215)
    _ = try await set(model)
    let channel = try await open(model, old)
    #expect(await model.isPasswordGiven)
    await #expect(throws: TagChannelError.self) { _ = try await channel.exchange([0x30, 0xFF]) }
    #expect(await model.isPasswordGiven)
    try await channel.reselect(fieldCycle: true)
    #expect(await model.isPasswordGiven)
    let otherPack = try #require(TagPassword("A1B2C3D4:0103"))
    let error = await errorOf { () async throws(TagError) in _ = try await open(model, otherPack) }
    #expect(error?.code == .tagPassword)
    #expect(error?.message.contains("PACK") == true)
  }

  @Test("a tag that needs no password gets none")
  func notNeeded() async throws {
    for layout in [Type2Layout.ntag215, .ultralight] {
      let model = try await modelWithExample(layout)
      let channel = try await open(model, old)
      #expect(!channel.isAuthenticated)
      #expect(await model.passwordsTried == 0)
    }
  }

  @Test("a locked configuration, a product without passwords and an impossible rule are refused")
  func refusals() async throws {
    let locked = try await modelWithExample(.ntag215)
    await locked.store([0x40], at: 0x84)
    #expect(
      await errorOf { () async throws(TagError) in _ = try await set(locked) }?.code == .tagLocked)
    for layout in [Type2Layout.ultralight, .ultralightC] {
      let model = try await modelWithExample(layout)
      let error = await errorOf { () async throws(TagError) in _ = try await set(model) }
      #expect(error?.code == .tagUnsupported)
      if layout == .ultralightC { #expect(error?.message.contains("3DES") == true) }
      #expect(await model.writes.isEmpty)
    }
    for rule in [
      PasswordRule(firstPage: 0x84), PasswordRule(firstPage: 3, protectsReading: true),
      PasswordRule(wrongPasswordLimit: 8),
    ] {
      let model = try await modelWithExample(.ntag215)
      let error = await errorOf { () async throws(TagError) in _ = try await set(model, old, rule) }
      #expect(error?.code == .tagUnsupported)
      #expect(await model.writes.isEmpty)
    }
  }

  @Test("reading protection, a limit and a known password are warned about")
  func warnings() async throws {
    let model = try await modelWithExample(.ntag215)
    let channel = AuthenticatedChannel(withoutPassword: model)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    let plan = try await tag.planPassword(
      try #require(TagPassword("FFFFFFFF")),
      PasswordRule(protectsReading: true, wrongPasswordLimit: 1), over: channel)
    #expect(plan.warnings.count == 3)
    #expect(try await tag.planPassword(old, PasswordRule(), over: channel).warnings.isEmpty)
  }
}

/// A tag is pulled away, swapped or disturbed after every possible number of commands of setting,
/// changing and removing a password.
@Suite("Torn passwords")
struct PasswordTearTests: PasswordJobs {
  enum Job: String, CaseIterable {
    case set, change, remove
  }

  private static let rule = PasswordRule(firstPage: 6, protectsReading: true, wrongPasswordLimit: 7)

  private func start(_ job: Job) async throws -> ModelTag {
    let model = try await modelWithExample(.ntag213)
    if job != .set { _ = try await set(model, old, Self.rule) }
    await model.setFaults(.init())
    return model
  }

  private func run(_ job: Job, _ model: ModelTag) async throws(TagError) -> PasswordReport {
    switch job {
    case .set: try await set(model, old, Self.rule)
    case .change: try await change(model, to: Self.rule)
    case .remove: try await remove(model)
    }
  }

  private func length(_ job: Job) async throws -> Int {
    let model = try await start(job)
    _ = try await run(job, model)
    return await model.commands.count + model.selections
  }

  /// Expects that the tag has its former password, is open, or has the new password, and that the
  /// next run succeeds.
  private func expectFinished(_ job: Job, _ model: ModelTag, after count: Int) async throws {
    await model.setFaults(.init())
    #expect(await messageByAnotherReader(model.memory) == example.bytes)
    let memory = await model.memory
    let isArmed = memory[0x29 * 4 + 3] != 0xFF
    let stored = Array(memory[0x2B * 4..<0x2B * 4 + 4])
    if isArmed { #expect([old.password, new.password].contains(stored), "\(job) after \(count)") }
    let report = try await run(job, model)
    let configuration = try #require(report.tag.type2?.configuration)
    let page = await model.page(0x2B)
    switch job {
    case .set: #expect(page == old.password)
    case .change: #expect(page == new.password)
    case .remove: #expect(page == [0xFF, 0xFF, 0xFF, 0xFF])
    }
    #expect(configuration.firstProtectedPage == (job == .remove ? nil : 6), "after \(count)")
    #expect(configuration.wrongPasswordLimit == (job == .remove ? 0 : 7))
    #expect(await model.wrongPasswords <= 1)
  }

  @Test("pulled away after any command, the next run ends right", arguments: Job.allCases)
  func tear(job: Job) async throws {
    let length = try await length(job)
    for count in 0...length {
      for half in [nil, 0, 1, 2, 3, 4] {
        let model = try await start(job)
        var faults = ModelTag.Faults()
        faults.vanishesAfter = count
        faults.lastCommandCounts = half == 4
        faults.lastWriteByteCount = half == 4 ? nil : half
        await model.setFaults(faults)
        do throws(TagError) {
          _ = try await run(job, model)
          #expect(count >= length)
        } catch {
          #expect([.tornWrite, .tagLost].contains(error.code), "\(error)")
          if error.code == .tagLost { #expect(await model.writes.isEmpty) }
        }
        try await expectFinished(job, model, after: count)
      }
    }
  }

  @Test("swapped at any command, no other tag is taken for it", arguments: Job.allCases)
  func swapped(job: Job) async throws {
    for count in 0..<(try await length(job)) {
      let model = try await start(job)
      var faults = ModelTag.Faults()
      faults.swappedAfter = count
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in _ = try await run(job, model) }
      // PWD_AUTH is not repeated, so that no search follows for a tag that has gone.
      #expect([.tagChanged, .tagLost, .tornWrite].contains(error?.code))
      try await expectFinished(job, model, after: count)
    }
  }

  @Test("a reader that fails at any command is reported", arguments: Job.allCases)
  func readerFails(job: Job) async throws {
    for count in 0..<(try await length(job)) {
      let model = try await start(job)
      var faults = ModelTag.Faults()
      faults.readerFailsAt = count
      await model.setFaults(faults)
      let error = await errorOf { () async throws(TagError) in _ = try await run(job, model) }
      #expect(error?.code == .readerFailed)
      try await expectFinished(job, model, after: count)
    }
  }
}
