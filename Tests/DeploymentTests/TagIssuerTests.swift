import Deployment
import NDEF
import Registry
import SimulatedReader
import TagTypes
import Testing

@Suite("Issuing tags") struct TagIssuerTests {
  private let registry: MemoryRegistry
  private let issuer: TagIssuer

  init() throws {
    registry = try Fixtures.registry()
    issuer = TagIssuer(ledger: registry.ledger(), check: registry.check)
  }

  private func write(
    _ payload: String, on tag: TagInMemory, overwriting: Bool = false
  ) async throws -> TagIssuer.Outcome {
    let approval = try registry.approve(payload)
    let plan = try await issuer.plan(approval, on: tag, overwriting: overwriting)
    return try await issuer.execute(plan, for: approval, on: tag, reader: "r")
  }

  @Test("a planned write changes nothing; an executed one is on the tag and on record")
  func planAndExecute() async throws {
    let tag = try TagInMemory()
    let before = await tag.memory
    let approval = try registry.approve(Fixtures.cupertino)
    let plan = try await issuer.plan(approval, on: tag, overwriting: false)
    #expect(await tag.memory == before)
    #expect(try registry.codes().isEmpty)
    let outcome = try await issuer.execute(plan, for: approval, on: tag, reader: "r")
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
    #expect(try registry.codes().map(\.id) == [outcome.code])
    #expect(try registry.codes().first?.tagUID == "04E10CDA993C80")
  }

  @Test("data that is not ours is refused and stays, for writing and for erasing")
  func foreignData() async throws {
    let messages: [[UInt8]] = [
      NDEFMessage(uri: "https://elsewhere.example.net/menu").bytes,
      NDEFMessage(uri: "tel:+14085550100").bytes,
      [0xD1, 0x01, 0x05, 0x54, 0x02] + Array("enHi".utf8),
      [0xFF, 0xFF, 0xFF],
    ]
    for message in messages {
      let tag = try TagInMemory { $0.hold(message: message) }
      let before = await tag.memory
      await #expect(throws: DeploymentError(.foreignData, "", remedy: "")) {
        try await write(Fixtures.cupertino, on: tag)
      }
      await #expect(throws: DeploymentError(.foreignData, "", remedy: "")) {
        try await issuer.planErase(on: tag, overwriting: false)
      }
      #expect(await tag.memory == before)
      _ = try await write(Fixtures.cupertino, on: tag, overwriting: true)
      #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
    }
  }

  @Test("a URL on a host of the registry is ours, and so is what we wrote ourselves")
  func ourData() async throws {
    let tag = try TagInMemory {
      $0.hold(message: NDEFMessage(uri: Fixtures.sanFrancisco).bytes)
    }
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)

    let forced = try registry.approve(Fixtures.foreign, unregistered: true)
    let plan = try await issuer.plan(forced, on: tag, overwriting: false)
    _ = try await issuer.execute(plan, for: forced, on: tag, reader: "r")
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
  }

  @Test("the foreign payload that is asked for again is no reason to refuse")
  func sameForeignPayload() async throws {
    let tag = try TagInMemory { $0.hold(message: NDEFMessage(uri: Fixtures.foreign).bytes) }
    let forced = try registry.approve(Fixtures.foreign, unregistered: true)
    let plan = try await issuer.plan(forced, on: tag, overwriting: false)
    let outcome = try await issuer.execute(plan, for: forced, on: tag, reader: "r")
    #expect(outcome.report.wasAlreadyCorrect)
    #expect(try registry.code(id: outcome.code)?.registered == false)
  }

  @Test("an erased tag is empty and its code retired")
  func erase() async throws {
    let tag = try TagInMemory()
    let outcome = try await write(Fixtures.cupertino, on: tag)
    let plan = try await issuer.planErase(on: tag, overwriting: false)
    _ = try await issuer.executeErase(plan, on: tag, reader: "r")
    #expect(try TagPayload(try await tag.identified()).uri == nil)
    #expect(try registry.code(id: outcome.code)?.status == .retired)
  }
}
