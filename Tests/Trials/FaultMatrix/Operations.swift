import CliptagBasics
import Foundation
import Issuing
import Invocation
import NDEF
import NFCReader
import Registry
import SimulatedReader
import SecureTags
import TagAuthenticity
import TagTypes

/// An operation on a tag, into which faults are injected.
struct Operation: Sendable {
  /// The name in the table.
  let name: String
  /// Creates the tag in its state before the operation.
  let tag: @Sendable () throws -> any SimulatedCard
  /// Creates what the operation needs besides the reader, such as a registry; kept for the next
  /// run.
  let makeWork: @Sendable () async throws -> Work
  /// The pages that the operation may change, or offsets in the NDEF file of a Type 4 tag; all
  /// others must stay unchanged after every fault.
  let pages: Set<Int>
  /// A Boolean value that indicates whether the operation accepts any tag: another one may replace
  /// a tag that left, and a tag that proved bad is not used again.
  var takesAnyTag = false
  /// A Boolean value that indicates whether the message is written before the rest of the work,
  /// so that a tag that left may have only that.
  var isStaged = false
  /// The offsets in the capability container of a Type 4 tag that the operation may change.
  var containerOffsets: Set<Int> = []
  /// The commands that the reader must support for it.
  var need = Need.type2
  /// The tag that replaces the first or lies beside it; by default, the same with another UID.
  var stranger: (@Sendable () throws -> any SimulatedCard)?

  /// The commands that only some readers support.
  enum Need: Sendable {
    /// READ and WRITE.
    case type2
    /// As `type2`, and the size of a tag without GET_VERSION.
    case blankUltralight
    /// Native commands: PWD_AUTH, FAST_READ.
    case rawCommands
    case type4
    /// Blocks of a Type 5 tag.
    case type5
    /// As `type5`, and the lock state of blocks.
    case type5Locks
  }

  /// Runs the operation once on the reader of a connection string.
  ///
  /// It calls `pause` when a person is asked or the registry is waited for, so that a tag may come
  /// or go meanwhile.
  typealias Work =
    @Sendable (_ connectionString: String, _ pause: @Sendable () -> Void) async -> Report
}

/// The result of an operation, in the words shown to a user.
struct Report: Sendable {
  /// A Boolean value that indicates whether the operation reported success.
  let isSuccess: Bool
  /// The error's code and message; empty after a success.
  let code: String
  let message: String

  static let success = Report(isSuccess: true, code: "", message: "")

  static func failure(_ code: String, _ message: String) -> Report {
    Report(isSuccess: false, code: code, message: message)
  }
}

/// One operation with one disturbance.
struct Trial: Sendable {
  let operation: Operation
  let disturbance: Disturbance
}

/// A disturbance of an operation.
enum Disturbance: Hashable, Sendable, CustomStringConvertible {
  case fault(Fault)
  /// An event on the reader in the n-th pause, counted from 1.
  case pause(Int, Event)

  /// An action of a person while the program waits.
  enum Event: String, CaseIterable, Sendable {
    case swap = "swap-in-pause"
    /// Faster than the polling of a smart card service.
    case quickSwap = "quick-swap-in-pause"
    case neighbour = "neighbour-in-pause"

    func happen(on reader: SimulatedReader) {
      switch self {
      case .swap: reader.swapTag(isNoticed: true)
      case .quickSwap: reader.swapTag(isNoticed: false)
      case .neighbour: reader.layStrangerBeside()
      }
    }
  }

  var description: String {
    switch self {
    case .fault(let fault): fault.description
    case .pause(let number, let event): "\(event.rawValue)=\(number)"
    }
  }
}

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
        provision("provision"), lockType4("lock-424"),
        batchRow("batch-row", on: .ntag213),
        lock("lock", on: .ntag213), lock("lock-ultralight", on: .ultralight),
        lock("lock-ntag203", on: .ntag203), write("write-ntag203", on: .ntag203, holding: nil),
        restore("restore", on: .ntag213),
      ]
        + [UnknownSize.small, .medium, .large].flatMap(unknown) + [
          password("password-set", on: .ntag213, from: nil, to: "01020304"),
          password("password-change", on: .ntag213, from: "01020304", to: "05060708"),
          password("password-remove", on: .ntag213, from: "01020304", to: nil),
          writeType5("write-type5", holding: nil),
          writeType5("write-type5-again", holding: "https://fruta.example.com/order/old"),
          lockType5("lock-type5"), writeType5("write-ntag5", on: .ntag5, holding: nil),
          lockType5("lock-ntag5", on: .ntag5),
          writeType5("write-st25dv04kc", on: .st25dv04kc, holding: nil),
          writeType5("write-st25dv64k", on: .st25dv64k, holding: nil),
          passwordType5("password-set-type5", from: nil, to: "01020304"),
          passwordType5("password-change-type5", from: "01020304", to: "05060708"),
          passwordType5("password-remove-type5", from: "01020304", to: nil),
        ]
        + ([
          ("slix-s", .slixS), ("icode3", .icode3), ("lri2k", .lri2k), ("tag-it", .tagIt),
        ] as [(String, SimulatedType5Tag.Product)]).flatMap { kind, product in
          [
            writeType5("write-\(kind)", on: product, holding: nil),
            writeType5(
              "write-\(kind)-again", on: product, holding: "https://fruta.example.com/order/old"),
            lockType5("lock-\(kind)", on: product),
          ]
        }
    }
  }

  static let url = "https://example.com/menu/dinner/item/1234"

  /// Issues a URL to a Type 2 tag.
  private static func write(
    _ name: String, on layout: Type2Layout, holding old: String?, url: String = url
  ) -> Operation {
    Operation(
      name: name,
      tag: {
        if let old { try SimulatedTag(layout, holding: old) } else { try SimulatedTag(layout) }
      },
      makeWork: { try issuing(url) },
      pages: Set(layout.userPages).union(layout == .ultralight ? [3] : []),
      need: layout == .ultralight ? .blankUltralight : .type2)
  }

  /// Sizes of Type 2 tags of no known product, in bytes of their data area.
  enum UnknownSize: Int, Sendable {
    case small = 40
    case medium = 240
    case large = 944

    /// The page after the data area, which contains the lock bytes of the sizes that need some.
    var lockPage: Int { 4 + rawValue / 4 }
    var hasLockPage: Bool { rawValue > 48 }

    /// A product without a version; its Lock Control block has pages of 64 bytes, each with a bit.
    var layout: Type2Layout {
      let start: [UInt8] =
        hasLockPage
        ? [1, 3, UInt8(lockPage * 4 / 64 * 16), UInt8((lockPage - 17) / 16 + 1), 0x66, 3, 0, 0xFE]
        : [3, 0, 0xFE, 0, 0, 0, 0, 0]
      return Type2Layout(
        name: "unknown \(rawValue)", pageCount: lockPage + (hasLockPage ? 1 : 0),
        userPages: 4...lockPage - 1, capabilityContainer: [0xE1, 0x10, UInt8(rawValue / 8), 0],
        factoryData: start, dynamicLockPage: hasLockPage ? lockPage : nil)
    }
  }

  /// Returns the operations on a tag of an unknown product: a URL issued, issued again, erased,
  /// restored, locked in.
  private static func unknown(_ size: UnknownSize) -> [Operation] {
    let layout = size.layout
    // The URL must fit into the smallest tag, also after a message whose type was stored wrongly.
    let url = "https://a.example"
    return [
      write("write-unknown-\(size.rawValue)", on: layout, holding: nil, url: url),
      write(
        "write-unknown-\(size.rawValue)-again", on: layout, holding: "https://b.example",
        url: url),
      erase("erase-unknown-\(size.rawValue)", on: layout, holding: url),
      lock("lock-unknown-\(size.rawValue)", on: layout, holding: url),
    ] + (size == .medium ? [restore("restore-unknown-240", on: layout, holding: url)] : [])
  }

  /// Erases a tag.
  private static func erase(
    _ name: String, on layout: Type2Layout, holding url: String
  ) -> Operation {
    Operation(
      name: name, tag: { try SimulatedTag(layout, holding: url) },
      makeWork: {
        { reader, pause in
          await onTag(reader) { tag in
            let found = try await TagTypes.Tag.identify(over: tag, includingConfiguration: true)
            let plan = try await found.planErase(over: tag)
            pause()
            _ = try await plan.execute(over: tag)
          }
        }
      },
      pages: Set(layout.userPages))
  }

  /// Restores the dump of a tag with one URL to a tag with another.
  private static func restore(
    _ name: String, on layout: Type2Layout, holding url: String = url
  ) -> Operation {
    Operation(
      name: name, tag: { try SimulatedTag(layout, holding: "https://example.com/old") },
      makeWork: {
        let channel = SimulatedTagChannel(try SimulatedTag(layout, holding: url))
        let dump = try await Type2Tag.identify(over: channel).dump(over: channel)
        let file = try TagDumpFile(reading: TagDumpFile.bare(dump))
        let registry = try RegistryLocation.memory.open()
        let check = InvocationCheck(directory: registry)
        let issuer = TagIssuer(ledger: CodeLedger(registry: registry, who: "matrix"), check: check)
        return { reader, pause in
          await onTag(reader) { tag in
            let restoration = try await issuer.planRestore(
              file, on: tag, options: RestoreOptions(), unregistered: true, overwriting: true)
            pause()
            _ = try await issuer.executeRestore(restoration, on: tag, reader: reader)
          }
        }
      },
      pages: Set(layout.userPages))
  }

  /// Issues a URL to an NTAG 424 DNA that tears commands, the worst behaviour permitted to a tag.
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
      pages: Set(0..<2 + NDEFMessage(uri: url).bytes.count), need: .type4)
  }

  /// Gives an NTAG 424 DNA from the factory its keys and a URL with messages, as `tag provision`
  /// does.
  private static func provision(_ name: String) -> Operation {
    Operation(
      name: name,
      tag: { try SimulatedType4Tag(.ntag424) },
      makeWork: {
        let wanted = try provisioning()
        let registry = try RegistryLocation.memory.open()
        let check = InvocationCheck(directory: registry)
        let issuer = TagIssuer(ledger: CodeLedger(registry: registry, who: "matrix"), check: check)
        let approval = try check.approve(wanted.places.url, unregistered: true)
        return { reader, pause in
          await onTag(reader) { tag in
            let plan = try await issuer.planProvisioning(
              approval, wanted, on: tag, overwriting: false)
            pause()
            _ = try await issuer.executeProvisioning(plan, for: approval, on: tag, reader: reader)
          }
        }
      },
      pages: Set(0..<128), isStaged: true, need: .type4)
  }

  /// Locks an NTAG 424 DNA that `provision` made ready, as `tag lock` does with its key file.
  private static func lockType4(_ name: String) -> Operation {
    Operation(
      name: name,
      tag: {
        let ready = try provisioning()
        var tag = try SimulatedType4Tag(.ntag424)
        let file = [0x00, UInt8(ready.message.bytes.count)] + ready.message.bytes
        tag.place(file, inFile: 0xE104)
        tag.hold(
          keys: try ready.keys.keys(ofTag: tag.chipUID).keys.map(\.bytes), version: 1,
          settings: SecureFileSettings(ready.places, fileByteCount: file.count))
        return tag
      },
      makeWork: {
        let ready = try provisioning()
        let protector = try protector()
        let keys = try keyFile()
        return { reader, pause in
          await onTag(reader) { tag in
            let job = try await protector.planLock(
              on: tag, source: reader, unregistered: true, expecting: ready.places.url,
              keys: keys)
            pause()
            _ = try await protector.execute(job, on: tag, reader: reader)
          }
        }
      },
      pages: [], containerOffsets: [14], need: .type4)
  }

  private static func provisioning() throws -> TagProvisioning {
    try keyFile().provisioning(of: "https://example.com/menu")
  }

  private static func keyFile() throws -> SecureMessageKeys {
    func key(_ digits: String) -> String { String(repeating: digits, count: 16) }
    return try SecureMessageKeys.read(
      Data(
        """
        messages:
          - prefix: https://example.com/menu
            piccData: e
            mac: c
            masterKey: "\(key("01"))"
            fileReadKey: "\(key("02"))"
            metaReadKey: "\(key("03"))"
            diversify: "3042F5"
            keyVersion: 1
        """.utf8))
  }

  /// Issues a URL to a Type 5 tag. Only an ICODE SLIX has a size that needs no query.
  private static func writeType5(
    _ name: String, on product: SimulatedType5Tag.Product = .slix, holding old: String?
  ) -> Operation {
    Operation(
      name: name, tag: { try SimulatedType5Tag(product, holding: old) },
      makeWork: { try issuing() }, pages: Set(0..<28),
      need: product == .slix ? .type5 : .type5Locks)
  }

  /// Locks a Type 5 tag permanently with the URL it holds.
  private static func lockType5(
    _ name: String, on product: SimulatedType5Tag.Product = .slix
  ) -> Operation {
    Operation(
      name: name, tag: { try SimulatedType5Tag(product, holding: url) },
      makeWork: { try locking() }, pages: [0], need: .type5Locks)
  }

  /// Issues a URL to the tag on the reader and records it, as `tag write` does.
  private static func issuing(_ url: String = url) throws -> Work {
    let registry = try RegistryLocation.memory.open()
    let check = InvocationCheck(directory: registry)
    let issuer = TagIssuer(ledger: CodeLedger(registry: registry, who: "matrix"), check: check)
    let approval = try check.approve(url, unregistered: true)
    return { reader, pause in
      await onTag(reader) { tag in
        let plan = try await issuer.plan(approval, on: tag, overwriting: true)
        pause()
        _ = try await issuer.execute(plan, for: approval, on: tag, reader: reader)
      }
    }
  }

  /// Opens the reader, runs `body` on the tag that lies there, and returns the result.
  static func onTag(
    _ connectionString: String, _ body: (NFCTag) async throws -> Void
  ) async -> Report {
    await onReader(connectionString) { reader in
      try await body(try await reader.waitForTag(timeout: .milliseconds(300)))
    }
  }

  /// Opens the reader, runs `body` with it, and returns the result.
  static func onReader(
    _ connectionString: String, _ body: (NFCReader) async throws -> Void
  ) async -> Report {
    do {
      // Far more than the simulated reader needs for an answer, even on a busy machine.
      let reader = try await NFCReader.open(connectionString, answerTimeout: .seconds(1))
      do {
        try await body(reader)
        await reader.close()
        return .success
      } catch {
        await reader.close()
        throw error
      }
    } catch let error as any CodedError {
      return .failure("\(error.code)", error.message)
    } catch is LockRefusal {
      return .failure("lock-refused", "what was read is not to be locked in; nothing was written")
    } catch {
      return .failure("internal", "\(error)")
    }
  }
}

extension Operation {
  /// Locks a tag permanently with the URL it holds, as `tag lock` does.
  static func lock(
    _ name: String, on layout: Type2Layout, holding url: String = url
  ) -> Operation {
    let lockPages = [2, 3] + [layout.dynamicLockPage].compactMap { $0 }
    return Operation(
      name: name, tag: { try SimulatedTag(layout, holding: url) },
      makeWork: { try locking(url) },
      pages: Set(lockPages + [layout.configurationPage].compactMap { $0.map { $0 + 1 } }))
  }

  private static func locking(_ url: String = url) throws -> Work {
    let protector = try protector()
    return { reader, pause in
      await onTag(reader) { tag in
        let job = try await protector.planLock(
          on: tag, source: reader, unregistered: true, expecting: url)
        pause()
        _ = try await protector.execute(job, on: tag, reader: reader)
      }
    }
  }

  /// Sets a tag's password (`old` is nil), changes it, or removes it (`new` is nil), as `tag
  /// password` does.
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
      makeWork: { try changingPassword(from: old, to: new) },
      pages: Set(page...page + 3), need: .rawCommands)
  }

  /// Sets, changes or removes the password of an ICODE SLIX2, as `password` does.
  static func passwordType5(_ name: String, from old: String?, to new: String?) -> Operation {
    Operation(
      name: name,
      tag: {
        var tag = try SimulatedType5Tag(.slix2, holding: url)
        if let old { tag.guardWriting(with: bytes(old)) }
        return tag
      },
      makeWork: { try changingPassword(from: old, to: new) }, pages: [], need: .type5Locks)
  }

  private static func changingPassword(from old: String?, to new: String?) throws -> Work {
    let protector = try protector()
    guard let first = TagPassword(old ?? new ?? "") else { throw MatrixError("no password") }
    let wanted = new.flatMap { TagPassword($0) }
    return { reader, pause in
      await onTag(reader) { tag in
        // The password is asked for.
        pause()
        let channel = try await AuthenticatedChannel.open(tag, with: first, orElse: wanted)
        let found = try await TagTypes.Tag.identify(over: channel, includingConfiguration: true)
        let plan =
          if let wanted {
            try await found.planPassword(wanted, found.usualPasswordRule, over: channel)
          } else { try await found.planPasswordRemoval(over: channel) }
        pause()
        _ = try await protector.execute(plan, .passwordSet, on: channel, reader: reader)
      }
    }
  }

  private static func protector() throws -> TagProtector {
    let registry = try RegistryLocation.memory.open()
    return TagProtector(
      ledger: CodeLedger(registry: registry, who: "matrix"),
      check: InvocationCheck(directory: registry))
  }

  /// The four bytes of a password.
  private static func bytes(_ password: String) -> [UInt8] {
    [UInt8](hexadecimal: password.utf8) ?? []
  }
}

extension SimulatedType5Tag {
  /// Creates a tag that holds a URL, or a blank one.
  init(_ product: Product, holding url: String?) throws {
    try self.init(product)
    guard let url else { return }
    let image = try Type5Image(NDEFMessage(uri: url), byteCount: userByteCount)
    place(image.bytes, atBlock: 0)
  }
}

extension SimulatedTag {
  /// Creates a tag that holds a URL and is otherwise in its factory state.
  init(_ layout: Type2Layout, uid: [UInt8] = SimulatedTag.defaultUID, holding url: String) throws {
    try self.init(layout, uid: uid)
    let message = NDEFMessage(uri: url).bytes
    let controls = layout.factoryData.first == 0x01 ? Array(layout.factoryData.prefix(5)) : []
    if layout.version == nil { place(layout.capabilityContainer, atPage: 3) }
    place(controls + [0x03, UInt8(message.count)] + message + [0xFE], atPage: 4)
  }
}

extension Operation {
  /// Writes the only row of a batch, as `tag batch` does.
  static func batchRow(_ name: String, on layout: Type2Layout) -> Operation {
    Operation(
      name: name, tag: { try SimulatedTag(layout) },
      makeWork: {
        let registry = try RegistryLocation.memory.open()
        var options = TagBatch.Options()
        options.unregistered = true
        options.limit = 1
        options.timeout = .milliseconds(400)
        let batch = TagBatch(
          named: "matrix", in: registry,
          station: BatchStation(reader: "matrix", who: "matrix"), options: options)
        _ = try await batch.begin([BatchRow.Order(url: url, label: "row")])
        return { connectionString, pause in
          let report = await onReader(connectionString) { reader in
            try await batch.run(on: reader) { event in
              switch event {
              case .met, .writes: pause()
              default: break
              }
            }
          }
          let done = (try? batch.counts()[.done]) == 1
          // The ledger decides, whatever the run reported.
          return done ? .success : report.isSuccess ? .failure("not-done", "") : report
        }
      },
      pages: Set(layout.userPages), takesAnyTag: true,
      // Another owner's message, which a batch replaces only on request.
      stranger: {
        try SimulatedTag(
          layout, uid: [0x04, 0xDB, 0x0B, 0xDA, 0x99, 0x3C, 0x80],
          holding: "https://other.example/1")
      })
  }
}
