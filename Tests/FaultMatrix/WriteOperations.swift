import Invocation
import Issuing
import NDEF
import NFCReader
import Registry
import SimulatedReader
import TagTypes

extension Operation {
  /// Every operation.
  static var all: [Operation] {
    get throws {
      [
        write("write-blank", on: .ntag215, holding: nil),
        write("write-again", on: .ntag213, holding: "https://fruta.example.com/order/old"),
        write("write-ultralight", on: .ultralight, holding: nil),
        writeType4("write-type4", holding: nil),
        writeType4("write-type4-again", holding: "https://fruta.example.com/order/old"),
        batchRow("batch-row", on: .ntag213),
        lock("lock", on: .ntag213), lock("lock-ultralight", on: .ultralight),
        password("password-set", on: .ntag213, from: nil, to: "01020304"),
        password("password-change", on: .ntag213, from: "01020304", to: "05060708"),
        password("password-remove", on: .ntag213, from: "01020304", to: nil),
      ]
    }
  }

  static let url = "https://example.com/menu/dinner/item/1234"

  /// Issues a URL to a Type 2 tag.
  private static func write(
    _ name: String, on layout: Type2Layout, holding old: String?
  ) -> Operation {
    Operation(
      name: name,
      tag: {
        if let old { try SimulatedTag(layout, holding: old) } else { try SimulatedTag(layout) }
      },
      makeWork: { try issuing() },
      pages: Set(layout.userPages).union(layout == .ultralight ? [3] : []))
  }

  /// Issues a URL to an NTAG 424 DNA that tears commands, which is the worst a tag may do.
  private static func writeType4(_ name: String, holding old: String?) -> Operation {
    Operation(
      name: name,
      tag: {
        var tag = try SimulatedType4Tag(.ntag424)
        if let old {
          let message = NDEFMessage(uri: old).bytes
          tag.place([0x00, UInt8(message.count)] + message, inFile: 0xE104)
        }
        return tag
      },
      makeWork: { try issuing() },
      pages: Set(0..<2 + NDEFMessage(uri: url).bytes.count))
  }

  /// Issues a URL to the tag that lies there and records it, as `tag write` does.
  private static func issuing() throws -> Work {
    let registry = try RegistryLocation.memory.open()
    let check = InvocationCheck(directory: registry)
    let issuer = TagIssuer(ledger: CodeLedger(registry: registry, who: "matrix"), check: check)
    let approval = try check.approve(url, unregistered: true)
    return { reader in
      await onTag(reader) { tag in
        let plan = try await issuer.plan(approval, on: tag, overwriting: true)
        _ = try await issuer.execute(plan, for: approval, on: tag, reader: reader)
      }
    }
  }

  /// Opens the reader, works on the tag that lies there, and says how it ended.
  static func onTag(
    _ connectionString: String, _ body: (NFCTag) async throws -> Void
  ) async -> Report {
    await onReader(connectionString) { reader in
      try await body(try await reader.waitForTag(timeout: .milliseconds(300)))
    }
  }

  /// Opens the reader, works with it, and says how it ended.
  static func onReader(
    _ connectionString: String, _ body: (NFCReader) async throws -> Void
  ) async -> Report {
    do {
      let reader = try await NFCReader.open(connectionString)
      do {
        try await body(reader)
        await reader.close()
        return .success
      } catch {
        await reader.close()
        throw error
      }
    } catch let error as TagError {
      return .failure(error.code.rawValue, error.message)
    } catch let error as NFCReaderError {
      return .failure(error.code.rawValue, error.message)
    } catch is LockRefusal {
      return .failure("lock-refused", "what was read is not to be locked in; nothing was written")
    } catch let error as IssuingError {
      return .failure(error.code.rawValue, error.message)
    } catch {
      return .failure("internal", "\(error)")
    }
  }
}
