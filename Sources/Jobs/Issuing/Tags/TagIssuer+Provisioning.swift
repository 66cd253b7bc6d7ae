import CliptagBasics
import Invocation
import NDEF
package import Registry
package import SecureTags
import TagAuthenticity
package import TagTypes
import Verifying

extension SecureMessageKeys {
  /// The state of a tag made ready with a URL and the keys of its prefix.
  ///
  /// - Parameter url: The URL, in which `{picc}` or `{uid}` and `{counter}`, and `{mac}` may be
  ///   the parts of a message; without them they are added.
  /// - Throws: ``IssuingError`` with code `provisioning-keys`.
  package func provisioning(of url: String) throws -> TagProvisioning {
    let (entry, keys) = try provisioningEntry(for: url)
    do throws(AuthenticityError) {
      return TagProvisioning(
        try SecureMessagePlaces(url, for: entry.configuration),
        configuration: entry.configuration, keys: keys.keys, formerKeys: keys.former)
    } catch {
      throw Self.refusal(error.message)
    }
  }

  /// The keys with which a tag with a URL was made ready, as its lock needs them.
  ///
  /// - Throws: ``IssuingError`` with code `provisioning-keys`.
  package func lockKeys(for url: String) throws -> TagLockKeys {
    let (entry, keys) = try provisioningEntry(for: url)
    return TagLockKeys(keys.keys, entry.configuration)
  }

  private func provisioningEntry(for url: String) throws -> (Entry, Provisioning) {
    // Placeholders are no characters of a URL.
    let plain = url.filter { !"{}".contains($0) }
    guard let entry = entry(for: try InvocationURL(plain)) else {
      throw Self.refusal("The key file has no entry for \(url).")
    }
    guard let keys = entry.provisioning else {
      throw Self.refusal(
        "The entry for \(entry.prefix.payload) has no masterKey, so it only verifies messages.")
    }
    return (entry, keys)
  }

  private static func refusal(_ message: String) -> IssuingError {
    IssuingError(
      .provisioningKeys, message,
      hint: "Correct the key file or the URL; Samples/fruta/keys.yaml is an example.")
  }
}

extension TagIssuer {
  /// The outcome of a tag that was made ready.
  package struct Provisioned: Sendable {
    /// The report of the work.
    package let report: ProvisionReport
    /// The code's name in the registry.
    package let code: CodeID
    /// Whether the registry knows a higher counter of the tag, so that its messages count as
    /// copies.
    package let isCounterBehind: Bool
  }

  /// Plans to make a tag ready. Nothing is written.
  ///
  /// - Throws: `TagError`; ``IssuingError`` with code `foreign-data`; or an error of the registry.
  package func planProvisioning(
    _ approval: Approval, _ wanted: TagProvisioning, on channel: some TagChannel,
    overwriting: Bool
  ) async throws -> ProvisionPlan {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    guard let read = tag.type4 else {
      throw TagError(
        .tagUnsupported, "\(tag.name) \(tag.uid.hexadecimal) makes no Secure Unique NFC messages",
        hint: "use an NTAG 424 DNA", uid: tag.uid)
    }
    if !overwriting, !read.holdsBeginning(of: wanted.message.bytes),
      let held = try await foreignData(
        on: .type4(read.withoutMirror), over: channel, for: approval)
    {
      throw refusal(of: held, on: tag)
    }
    return try await read.planProvisioning(wanted, over: channel)
  }

  /// Makes a tag ready, proves it, and records it with the version of its keys.
  ///
  /// The message of the proof counts as seen.
  ///
  /// - Parameters:
  ///   - ahead: As of ``execute(_:for:on:reader:lookingAhead:alongside:)``.
  ///   - alongside: As there.
  /// - Throws: `TagError`; ``IssuingError`` with code `not-recorded`.
  package func executeProvisioning(
    _ plan: ProvisionPlan, for approval: Approval, on channel: some TagChannel, reader: String,
    lookingAhead ahead:
      @escaping @Sendable (borrowing RegistryTransaction) throws(RegistryError) -> Void = { _ in },
    alongside:
      @escaping @Sendable (borrowing RegistryTransaction, WriteReport, CodeID)
      throws(RegistryError) -> Void = { _, _, _ in }
  ) async throws -> Provisioned {
    let report = try await plan.execute(over: channel)
    let uid = plan.tag.uid.hexadecimal
    do throws(RegistryError) {
      let code = try await ledger.recordTag(
        approval, uid: uid, tagType: plan.tag.name, reader: reader, pagesWritten: report.steps,
        keyVersion: plan.provisioning.keys.version, lookingAhead: ahead,
        alongside: { registry, code throws(RegistryError) in
          try alongside(registry, report.asWritten, code)
        })
      let answer = try await ledger.count(report.counter, ofTag: uid)
      var isBehind = false
      if case .replayed = answer { isBehind = true }
      return Provisioned(report: report, code: code, isCounterBehind: isBehind)
    } catch {
      throw notRecorded("ready", .type4(plan.tag), error)
    }
  }
}

extension Type4Tag {
  /// Returns `true` if the tag holds the beginning of a message and then zeros, as it does when it
  /// left while that was written.
  fileprivate func holdsBeginning(of message: [UInt8]) -> Bool {
    guard case .message(let held) = content, held.count == message.count else { return false }
    let arrived = zip(held, message).prefix { $0 == $1 }.count
    return held[arrived...].allSatisfy { $0 == 0 }
  }
}
