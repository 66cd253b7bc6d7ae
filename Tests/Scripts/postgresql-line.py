#!/usr/bin/python3
"""usage: postgresql-line.py FOLDER SERVER_FOLDER [--delay MS] [--lose-answer-to TEXT]
    [--silent-at TEXT | --silent-behind TEXT]

A line to a server of PostgreSQL: listens on the Unix socket in FOLDER and passes on to the one in
SERVER_FOLDER. With --delay each way takes so many milliseconds. With --lose-answer-to the line breaks, once,
when the server has answered the first message that holds the text: what was asked is done, and whoever asked
does not hear of it. With --silent-at the line stays and carries nothing any more, in both directions, from the
first message on that holds the text; with --silent-behind that message still arrives. In a text \\0 is the byte
behind a statement. Prints "ready" when it listens, and the number of turns of each connection at its end: how
often the client spoke after the server had. One that is nothing but a ROLLBACK is none: nobody waits for it.
"""
import argparse
import asyncio
import os

# Whoever started this one may have left open what others wait for.
os.closerange(3, 4096)

arguments = argparse.ArgumentParser()
arguments.add_argument("folder")
arguments.add_argument("server")
arguments.add_argument("--delay", type=float, default=0)
arguments.add_argument("--lose-answer-to")
arguments.add_argument("--silent-at")
arguments.add_argument("--silent-behind")
options = arguments.parse_args()
name = "/.s.PGSQL.5432"


def bytes_of(text):
    return text and text.encode().replace(b"\\0", b"\0")


to_lose = bytes_of(options.lose_answer_to)
end = bytes_of(options.silent_at or options.silent_behind)


async def carry(reader, writer, state, is_client):
    """Passes bytes on, each so many milliseconds after it came."""
    global to_lose, end
    loop = asyncio.get_running_loop()
    late = asyncio.Queue()

    async def deliver():
        while True:
            time, data = await late.get()
            await asyncio.sleep(max(0, time - loop.time()))
            if not data:
                writer.close()
                return
            writer.write(data)

    task = loop.create_task(deliver())
    data = b"x"
    while data:
        try:
            data = await reader.read(1 << 16)
        except ConnectionError:
            data = b""
        is_rollback = is_client and b"ROLLBACK\0" in data and len(data) < 80
        if data and state["speaker"] != is_client and not is_rollback:
            state["speaker"] = is_client
            state["turns"] += is_client
        if is_client and end and end in data:
            end, state["silent"] = None, True
            if options.silent_behind:
                late.put_nowait((loop.time() + options.delay / 1000, data))
        if state["silent"] and data:
            continue
        if is_client and to_lose and to_lose in data:
            state["loses"], to_lose = True, None
        elif not is_client and state["loses"]:
            data = b""
        late.put_nowait((loop.time() + options.delay / 1000, data))
    await task


async def connect(reader, writer):
    server_reader, server_writer = await asyncio.open_unix_connection(options.server + name)
    state = {"speaker": None, "turns": 0, "loses": False, "silent": False}
    ways = [
        asyncio.ensure_future(carry(reader, server_writer, state, True)),
        asyncio.ensure_future(carry(server_reader, writer, state, False)),
    ]
    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED if state["loses"] else asyncio.ALL_COMPLETED)
    for one in (writer, server_writer):
        one.close()
    print("turns", state["turns"], flush=True)


async def main():
    server = await asyncio.start_unix_server(connect, options.folder + name)
    print("ready", flush=True)
    await server.serve_forever()


asyncio.run(main())
