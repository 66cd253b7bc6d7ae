#!/usr/bin/python3
"""usage: postgresql-pooler.py FOLDER SERVER_FOLDER MODE

A pooler before a server of PostgreSQL, as PgBouncer is one: listens on the Unix socket in FOLDER and uses a few
connections to the one in SERVER_FOLDER. MODE is session or transaction: whether a client keeps a connection
until it leaves, or until its transaction ends. Prints "ready" when it listens.
"""
import asyncio
import os
import struct
import sys

os.closerange(3, 4096)
folder, server, mode = sys.argv[1:]
name = "/.s.PGSQL.5432"
free = []


async def message(reader):
    head = await reader.readexactly(5)
    return head + await reader.readexactly(struct.unpack("!I", head[1:])[0] - 4)


async def until_ready(reader, writer=None):
    """Reads what a server says until it is ready, and passes it on; the state of its transaction."""
    while True:
        answer = await message(reader)
        if writer:
            writer.write(answer)
        if answer[:1] == b"Z":
            return answer[5:]


async def connection(start):
    if free:
        return free.pop()
    reader, writer = await asyncio.open_unix_connection(server + name)
    writer.write(start)
    await until_ready(reader)
    return reader, writer


async def serve(reader, writer):
    mine = None
    try:
        while True:
            size = await reader.readexactly(4)
            start = size + await reader.readexactly(struct.unpack("!I", size)[0] - 4)
            if start[4:8] == b"\x00\x03\x00\x00":
                break
            writer.write(b"N")
        greeting = b"R\0\0\0\x08\0\0\0\0" + b"S" + struct.pack("!I", 24) + b"server_version\x0015.0\0"
        writer.write(greeting + b"K" + struct.pack("!III", 12, 99, 99) + b"Z\0\0\0\x05I")
        state, group = b"I", b""
        while True:
            asked = await message(reader)
            if asked[:1] == b"X":
                break
            group += asked
            if asked[:1] not in b"SQ":
                continue
            mine = mine or await connection(start)
            mine[1].write(group)
            group = b""
            state = await until_ready(mine[0], writer)
            if mode == "transaction" and state == b"I":
                free.append(mine)
                mine = None
    except (ConnectionError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()
        if mine:
            mine[1].close()


async def main():
    listening = await asyncio.start_unix_server(serve, folder + name)
    print("ready", flush=True)
    await listening.serve_forever()


asyncio.run(main())
