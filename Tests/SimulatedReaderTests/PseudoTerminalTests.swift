import Glibc
import Testing

@testable import SimulatedReader

@Suite("What a client leaves behind on the terminal")
struct PseudoTerminalTests {
  static func openClient(_ terminal: borrowing PseudoTerminal, _ mode: Int32 = O_RDWR) -> Int32 {
    open(terminal.path, mode | O_NOCTTY | O_NONBLOCK)
  }

  @Test("only the close of a client that could write counts as one")
  func closes() throws {
    let terminal = try PseudoTerminal()
    var closes = [terminal.hasBeenClosed()]
    // What `stty` does, in the middle of nfcpy's session.
    close(Self.openClient(terminal, O_RDONLY))
    closes.append(terminal.hasBeenClosed())
    close(Self.openClient(terminal))
    closes.append(terminal.hasBeenClosed())
    closes.append(terminal.hasBeenClosed())
    #expect(closes == [false, false, true, false])
  }

  @Test("an unread answer, exclusive use and a cooked mode are gone for the next client")
  func tidying() throws {
    let terminal = try PseudoTerminal()
    let first = Self.openClient(terminal)
    var mode = termios()
    #expect(tcgetattr(first, &mode) == 0)
    #expect(mode.c_lflag & tcflag_t(ECHO | ICANON) == 0, "raw from the start")
    mode.c_lflag |= tcflag_t(ECHO | ICANON)
    tcsetattr(first, TCSANOW, &mode)
    #expect(ioctl(first, UInt(TIOCEXCL), 0) == 0)
    terminal.send([1, 2, 3, 0x0A])
    close(first)

    terminal.tidy()
    let second = Self.openClient(terminal)
    defer { close(second) }
    #expect(second >= 0)
    // TIOCGEXCL, which the C library's macro hides from Swift. An open alone would not tell: root
    // may open an exclusive terminal.
    var isExclusive: CInt = 1
    #expect(ioctl(second, 0x8004_5440, &isExclusive) == 0)
    #expect(isExclusive == 0)
    #expect(tcgetattr(second, &mode) == 0)
    #expect(mode.c_lflag & tcflag_t(ECHO | ICANON) == 0)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(read(second, &bytes, bytes.count) < 0)
    terminal.send([0x0D, 0x0A, 0x03])
    #expect(read(second, &bytes, bytes.count) == 3)
    #expect(bytes.prefix(3) == [0x0D, 0x0A, 0x03])
  }

  @Test("what a client that does not read has no room for is dropped, and nothing blocks")
  func overrun() throws {
    let terminal = try PseudoTerminal()
    let client = Self.openClient(terminal)
    defer { close(client) }
    for _ in 0..<200 { terminal.send([UInt8](repeating: 7, count: 256)) }
    var byte: UInt8 = 0
    #expect(read(client, &byte, 1) == 1)
    #expect(byte == 7)
  }
}
