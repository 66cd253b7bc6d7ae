#!/usr/bin/env python3
"""A PN532 with an NTAG213 on a pseudo-terminal: a second opinion for tests of NFCReader.

It is written from the PN532 user manual (UM0701-02) and the NTAG21x data sheet alone, shares no
code with the SimulatedReader module, and plays some habits of other emulators and poor readers.
The first line of its output is a libnfc connection string; when it ends it prints, on standard
error, how many commands of each kind it got.
"""

import argparse
import collections
import os
import pty
import select
import signal
import sys
import time
import tty

ACK = bytes.fromhex("0000FF00FF00")
ERROR_FRAME = bytes.fromhex("0000FF01FF7F8100")
OK, TIMED_OUT, NAKED, NO_TARGET = 0x00, 0x01, 0x13, 0x27


class NTAG213:
    """Pages, and the states of ISO/IEC 14443-3 that matter: a refused command silences the tag."""

    def __init__(self, uid, arguments):
        self.uid, self.arguments = bytes(uid), arguments
        self.pages = [bytearray(4) for _ in range(45)]
        self.pages[0][:] = self.uid[:3] + bytes([0x88 ^ uid[0] ^ uid[1] ^ uid[2]])
        self.pages[1][:] = self.uid[3:]
        self.pages[2][:] = bytes([uid[3] ^ uid[4] ^ uid[5] ^ uid[6], 0x48, 0, 0])
        self.pages[3][:] = bytes.fromhex("E1101200")
        self.pages[4][:] = bytes.fromhex("0103A00C")
        self.pages[5][:] = bytes.fromhex("340300FE")
        self.pages[40][:] = bytes.fromhex("000000BD")
        self.pages[41][:] = bytes.fromhex("040000FF")
        self.active = self.halted = False

    def command(self, data):
        """Returns an answer, None for silence, or a NAK code as a number."""
        if not self.active:
            return None
        answer = self.answer(data)
        if not isinstance(answer, bytes):
            self.active, self.halted = False, True
        return answer

    def answer(self, data):
        code, length = data[0], len(data)
        if code == 0x30 and length == 2:
            if data[1] >= len(self.pages):
                return 0
            answer = b"".join(self.pages[(data[1] + i) % len(self.pages)] for i in range(4))
            return answer + (b"\x5a\xa5" if self.arguments.extra_bytes else b"")
        if code == 0xA2 and length == 6:
            return self.write(data[1], data[2:6])
        if code == 0xA0 and length == 18:
            return self.write(data[1], data[2:6])
        if code == 0x60 and length == 1 and self.arguments.get_version == "normal":
            return bytes.fromhex("0004040201000F03")
        if code == 0x3A and length == 3 and not self.arguments.no_fast_read:
            if data[1] > data[2] or data[2] >= len(self.pages):
                return 0
            return b"".join(self.pages[data[1]:data[2] + 1])
        if code == 0x3C and length == 2:
            return bytes(range(32))
        return None

    def write(self, page, value):
        if page < 2 or page >= len(self.pages) or page == self.arguments.refuse_page:
            return 0
        if page == 3:
            value = bytes(a | b for a, b in zip(self.pages[3], value))
        self.pages[page][:] = value
        return b""


class HangUp(Exception):
    pass


class PN532:
    def __init__(self, descriptor, arguments):
        self.descriptor, self.arguments = descriptor, arguments
        self.tag = NTAG213(bytes.fromhex("04A1B2C3D4E5F6"), arguments)
        self.present, self.field, self.registers = not arguments.empty, True, {}
        self.counts, self.commands, self.tag_commands = collections.Counter(), 0, 0

    def in_field(self):
        return self.present and self.field

    def list_targets(self, data):
        if data[1] != 0x00 or not self.in_field():
            return b"\x00"
        wanted = bytes(data[2:]).replace(b"\x88", b"", 1)
        if wanted and wanted != self.tag.uid:
            return b"\x00"
        if self.tag.halted and not wanted:
            return b"\x00"
        if self.tag.active and not wanted:  # REQA disturbs an active tag
            self.tag.active = False
            return b"\x00"
        self.tag.active, self.tag.halted = True, False
        return bytes([1, 1, 0x00, 0x44, 0x00, len(self.tag.uid)]) + self.tag.uid

    def tag_command(self, data):
        self.tag_commands += 1
        if self.tag_commands == self.arguments.remove_after:
            self.present = False
        if self.tag_commands == self.arguments.swap_after:
            self.tag = NTAG213(bytes.fromhex("04112233445566"), self.arguments)
        if not self.in_field():
            return None
        return self.tag.command(data)

    def exchange(self, data, framed):
        if framed and data[0] != 1:
            return bytes([NO_TARGET])
        body = bytes(data[1:] if framed else data)
        if not body:
            return ERROR_FRAME
        if framed and body[0] not in (0x30, 0xA0, 0xA2, 0x60, 0x61, 0xB0, 0xC0, 0xC1, 0xC2):
            return ERROR_FRAME
        if body[0] == 0x60 and self.arguments.get_version == "error-frame":
            self.tag_commands += 1
            return ERROR_FRAME
        answer = self.tag_command(body)
        if answer is None:
            return bytes([TIMED_OUT])
        if isinstance(answer, int):
            return bytes([NAKED if framed else 0x02])
        if not framed and not answer:  # a four-bit acknowledgement looks like a bad CRC
            return b"\x02"
        return bytes([OK]) + answer

    def respond(self, code, data):
        """The answer's data, ERROR_FRAME, or None for none at all."""
        if code == 0x00:
            return bytes(data)
        if code == 0x02:
            return bytes.fromhex(self.arguments.firmware)
        if code == 0x04:
            return bytes([0, int(self.in_field()), 0, 0x80])
        if code == 0x06:
            pairs = [bytes(data[i:i + 2]) for i in range(0, len(data), 2)]
            return bytes(self.registers.get(pair, 0) for pair in pairs)
        if code == 0x08:
            for i in range(0, len(data) - 2, 3):
                self.registers[bytes(data[i:i + 2])] = data[i + 2]
            return b""
        if code in (0x12, 0x14):
            return b""
        if code in (0x16, 0x44, 0x52, 0x54):
            return b"\x00"
        if code == 0x32:
            if data[0] == 0x01:
                self.field = bool(data[1] & 1)
                if not self.field:
                    self.tag.active = self.tag.halted = False
            return b""
        if code == 0x4A:
            return self.list_targets(data)
        if code in (0x40, 0x42):
            return self.exchange(data, framed=code == 0x40)
        return ERROR_FRAME

    def send(self, data):
        os.write(self.descriptor, data)

    def handle(self, frame):
        code, data = frame[1], frame[2:]
        self.commands += 1
        self.counts["%02X" % code] += 1
        if self.arguments.log:
            print("%6.3f <- %s" % (time.monotonic() % 1000, frame.hex()), file=sys.stderr)
        if self.commands == self.arguments.hang_up_after:
            raise HangUp
        if self.commands == self.arguments.mute_after:
            self.arguments.mute = True
        if self.arguments.mute:
            return
        self.send(ACK)
        answer = self.respond(code, data)
        late = self.commands == self.arguments.late_answer
        delay = self.arguments.late_by if late else self.arguments.slow
        if delay:
            time.sleep(delay / 1000)
        if answer is None or self.commands == self.arguments.drop_answer:
            return
        if answer is ERROR_FRAME:
            self.send(ERROR_FRAME)
            return
        body = bytes([0xD5, code + 1]) + answer
        if len(body) < 256:
            head = bytes([0, 0, 0xFF, len(body), -len(body) & 0xFF])
        else:
            size = bytes([len(body) >> 8, len(body) & 0xFF])
            head = bytes([0, 0, 0xFF, 0xFF, 0xFF]) + size + bytes([-sum(size) & 0xFF])
        check = -sum(body) & 0xFF
        if self.commands == self.arguments.corrupt_answer:
            check ^= 0x40
        self.send(head + body + bytes([check, 0]))
        if self.arguments.log:
            print("%6.3f -> %s" % (time.monotonic() % 1000, body.hex()), file=sys.stderr)

    def frames(self, buffer):
        """Takes whole command frames off the front of the buffer; acknowledgements are dropped."""
        while True:
            start = buffer.find(b"\x00\xff")
            if start < 0:
                del buffer[:-1]
                return
            body = buffer[start + 2:]
            if len(body) < 2:
                return
            if body[:2] in (b"\x00\xff", b"\xff\x00"):
                del buffer[:start + 4]
                continue
            head, length = 2, body[0]
            if body[:2] == b"\xff\xff":
                if len(body) < 5:
                    return
                head, length = 5, body[2] << 8 | body[3]
            if len(body) < head + length + 1:
                return
            yield bytes(body[head:head + length])
            del buffer[:start + 2 + head + length + 1]

    def serve(self):
        buffer = bytearray()
        while True:
            select.select([self.descriptor], [], [])
            buffer += os.read(self.descriptor, 4096)
            for frame in self.frames(buffer):
                self.handle(frame)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--get-version", choices=["normal", "error-frame", "silent"],
                        default="normal", help="what GET_VERSION brings")
    parser.add_argument("--no-fast-read", action="store_true", help="the tag knows no FAST_READ")
    parser.add_argument("--extra-bytes", action="store_true", help="READ answers carry a CRC")
    parser.add_argument("--empty", action="store_true", help="no tag")
    parser.add_argument("--firmware", default="32010607", help="GetFirmwareVersion's answer, hex")
    parser.add_argument("--slow", type=int, default=0, help="milliseconds before each answer")
    parser.add_argument("--late-answer", type=int, help="the answer to PN532 command N is late")
    parser.add_argument("--late-by", type=int, default=900, help="by this many milliseconds")
    parser.add_argument("--refuse-page", type=int, help="writes to this page are refused")
    parser.add_argument("--remove-after", type=int, help="the tag leaves at its Nth command")
    parser.add_argument("--swap-after", type=int, help="another tag from the Nth tag command on")
    parser.add_argument("--drop-answer", type=int, help="no answer to PN532 command N")
    parser.add_argument("--corrupt-answer", type=int, help="a wrong checksum for command N")
    parser.add_argument("--mute", action="store_true", help="answer nothing, not even with an ACK")
    parser.add_argument("--mute-after", type=int, help="mute from PN532 command N on")
    parser.add_argument("--hang-up-after", type=int, help="unplug at PN532 command N")
    parser.add_argument("--log", action="store_true", help="print every frame")
    arguments = parser.parse_args()
    master, slave = pty.openpty()
    tty.setraw(slave)
    print("pn532_uart:" + os.ttyname(slave), flush=True)
    chip = PN532(master, arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        chip.serve()
    except HangUp:
        os.close(master)
    except KeyboardInterrupt:
        pass
    finally:
        summary = " ".join("%s:%d" % item for item in sorted(chip.counts.items()))
        print("commands %d tag-commands %d %s" % (chip.commands, chip.tag_commands, summary),
              file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
