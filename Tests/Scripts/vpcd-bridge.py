"""Passes what pcscd asks the driver of vsmartcard-vpcd on to the PC/SC reader of PCSCLITE_CSOCK_NAME.

The driver's protocol: two bytes of length, then a command; one byte is 0 off, 1 on, 2 reset, 4 the ATR.
"""

import socket
import struct
import sys
import time

from smartcard.System import readers


def connected():
    connection = readers()[0].createConnection()
    connection.connect()
    return connection


def received(line, count):
    data = b""
    while len(data) < count:
        part = line.recv(count - len(data))
        if not part:
            sys.exit(0)
        data += part
    return data


card = connected()
deadline = time.monotonic() + 10
while True:
    try:
        line = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
        break
    except OSError:
        if time.monotonic() > deadline:
            sys.exit("pcscd does not open the port of its card")
        time.sleep(0.02)
while True:
    command = received(line, struct.unpack(">H", received(line, 2))[0])
    if len(command) == 1 and command[0] in (0, 1, 2):
        card.disconnect()
        card = connected()
        continue
    if command == b"\x04":
        answer = bytes(card.getATR())
        print("ready", flush=True)
    else:
        data, first, second = card.transmit(list(command))
        answer = bytes(data + [first, second])
    line.sendall(struct.pack(">H", len(answer)) + answer)
