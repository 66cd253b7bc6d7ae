import Invocation
import Issuing
import NDEF
import Registry
import SimulatedReader
import TagTypes

extension Operation {
  /// Locks a tag for good with the URL it holds, as `tag lock` does.
  static func lock(_ name: String, on layout: Type2Layout) -> Operation {
    let lockPages = [2, 3] + [layout.dynamicLockPage].compactMap { $0 }
    return Operation(
      name: name, tag: { try SimulatedTag(layout, holding: url) },
      makeWork: {
        let protector = try protector()
        return { reader in
          await onTag(reader) { tag in
            let job = try await protector.planLock(
              on: tag, source: reader, unregistered: true, expecting: url)
            _ = try await protector.execute(job, on: tag, reader: reader)
          }
        }
      },
      pages: Set(lockPages + [layout.configurationPage].compactMap { $0.map { $0 + 1 } }))
  }

  /// Puts a password on a tag (`old` is nil), changes it, or removes it (`new` is nil), as
  /// `tag password` does.
  static func password(
    _ name: String, on layout: Type2Layout, from old: String?, to new: String?
  ) -> Operation {
    let page = layout.configurationPage ?? 0
    return Operation(
      name: name,
      tag: {
        var tag = try SimulatedTag(layout, holding: url)
        if let old {
          tag.place([0x04, 0x00, 0x00, 0x04], atPage: page)
          tag.place(bytes(old), atPage: page + 2)
        }
        return tag
      },
      makeWork: {
        let protector = try protector()
        guard let first = TagPassword(old ?? new ?? "") else { throw MatrixError("no password") }
        let wanted = new.flatMap { TagPassword($0) }
        return { reader in
          await onTag(reader) { tag in
            let channel = try await AuthenticatedChannel.open(tag, with: first, orElse: wanted)
            let type2 = try await TagProtector.type2(over: channel)
            let plan =
              if let wanted {
                try await type2.planPassword(wanted, PasswordRule(), over: channel)
              } else { try await type2.planPasswordRemoval(over: channel) }
            _ = try await protector.execute(plan, .passwordSet, on: channel, reader: reader)
          }
        }
      },
      pages: Set(page...page + 3))
  }

  private static func protector() throws -> TagProtector {
    let registry = try RegistryLocation.memory.open()
    return TagProtector(
      ledger: CodeLedger(registry: registry, who: "matrix"),
      check: InvocationCheck(directory: registry))
  }

  /// The four bytes of a password.
  private static func bytes(_ password: String) -> [UInt8] {
    stride(from: 0, to: 8, by: 2).compactMap { offset in
      let start = password.index(password.startIndex, offsetBy: offset)
      return UInt8(password[start..<password.index(start, offsetBy: 2)], radix: 16)
    }
  }
}

extension SimulatedTag {
  /// A tag that holds a URL, and is otherwise as it left the factory.
  init(_ layout: Type2Layout, holding url: String) throws {
    try self.init(layout)
    let message = NDEFMessage(uri: url).bytes
    let controls = layout.factoryData.first == 0x01 ? Array(layout.factoryData.prefix(5)) : []
    if layout.version == nil { place(layout.capabilityContainer, atPage: 3) }
    place(controls + [0x03, UInt8(message.count)] + message + [0xFE], atPage: 4)
  }
}
