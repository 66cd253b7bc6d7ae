import SimulatedReader
import Synchronization
import Testing

@testable import NFCReader

@Suite("Repairing the speed of a chip")
struct SpeedRepairTests {
  /// A chip that receives only what is sent at its own speed.
  final class Chip: Sendable {
    private struct State {
      var chipSpeed: Int?
      var portSpeed = 0
      var nextSpeed: Int?
      var answer: [UInt8] = []
      var heard: [[UInt8]] = []
    }
    private let state: Mutex<State>
    let obeys: Bool

    init(at speed: Int?, obeys: Bool = true) {
      state = Mutex(State(chipSpeed: speed))
      self.obeys = obeys
    }

    var speed: Int? { state.withLock { $0.chipSpeed } }
    var link: SerialLink {
      SerialLink(
        setSpeed: { baud in
          self.state.withLock { $0.portSpeed = baud }
          return true
        },
        write: { self.hear($0) },
        read: { _ in
          self.state.withLock { state in
            defer { state.answer = [] }
            return state.answer
          }
        })
    }

    private func hear(_ bytes: [UInt8]) {
      state.withLock { state in
        guard state.portSpeed == state.chipSpeed else { return }
        let acknowledgement: [UInt8] = [0, 0, 0xFF, 0, 0xFF, 0]
        if bytes == acknowledgement {
          if let next = state.nextSpeed { state.chipSpeed = next }
        } else if bytes == [0, 0, 0xFF, 3, 0xFD, 0xD4, 0x14, 1, 0x17, 0] {
          state.answer = acknowledgement + [0, 0, 0xFF, 2, 0xFE, 0xD5, 0x15, 0x16, 0]
        } else if bytes == [0, 0, 0xFF, 3, 0xFD, 0xD4, 0x10, 4, 0x18, 0] {
          state.answer = acknowledgement + [0, 0, 0xFF, 2, 0xFE, 0xD5, 0x11, 0x1A, 0]
          if obeys { state.nextSpeed = 115_200 }
        }
      }
    }
  }

  @Test(
    "a chip left at another speed is found and set back",
    arguments: [921_600, 460_800, 230_400, 57_600, 38_400, 19_200, 9600])
  func repaired(speed: Int) {
    let chip = Chip(at: speed)
    #expect(SpeedRepair(link: chip.link).run() == .repaired(from: speed))
    #expect(chip.speed == 115_200)
  }

  @Test("a chip at the right speed is left alone, and one that does not obey is no success")
  func others() {
    #expect(SpeedRepair(link: Chip(at: 115_200).link).run() == .right)
    #expect(SpeedRepair(link: Chip(at: 460_800, obeys: false).link).run() == .lost(at: 460_800))
    #expect(SpeedRepair(link: Chip(at: nil).link).run() == .silent)
  }

  @Test("only a port that is named is written to")
  func named() async {
    #expect(await NFCReader.repair("acr122_usb", system: .fake()).verdict == .note)
    let missing = await NFCReader.repair("pn532_uart:/nowhere", system: .fake())
    #expect(missing.verdict == .problem && missing.finding == "/nowhere does not exist")
  }
}

extension OverLibNFC {
  @Suite("Ports nobody named")
  struct Ports {
    @Test("a chip on a real port answers the repair, and its port is free afterwards")
    func repair() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let check = await NFCReader.repair(simulated.connectionString)
      #expect(check.verdict == .fine, "\(check.finding)")
      await (try NFCReader.open(simulated.connectionString)).close()
    }

    @Test("listing writes nothing to a port that nobody named")
    func listing() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let system = SystemView.fake(
        nodes: ["/dev/ttyUSB0": .serialPort], links: ["/dev/ttyUSB0": simulated.devicePath])
      let found = await NFCReader.discover(
        probing: false, library: .shared, system: system)
      #expect(found.contains { $0.source == .serialPort && $0.answer == .notAsked })
      _ = ReaderDoctor(system: system).examine("pn532_uart:\(simulated.devicePath)")
      #expect(simulated.commandCount == 0)
      #expect(SystemView.live.environment("LIBNFC_INTRUSIVE_SCAN") == "no")
    }
  }
}
