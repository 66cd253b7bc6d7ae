"""The Python half of independent-clients.sh: nfcpy as a client, and dumps to write and compare.

    independent-clients.py message DUMP URL OUT   put a URL into a dump, ready to be written
    independent-clients.py compare DUMP DUMP      equal, except what a tag does not give back
    independent-clients.py contains DUMP URL      the dump holds this URL's record
    independent-clients.py nfcpy DEVICE OLD NEW   read OLD (or `-` for nothing), write NEW, read it
"""

import sys

PAGE = 4
# Pages of PWD and PACK by the number of pages: they always read as zero.
SECRET = {45: (0x2B, 0x2C), 135: (0x85, 0x86), 231: (0xE5, 0xE6), 16: ()}


def record(url):
    """The TLV block of one URI record; the prefix byte 04 stands for https://."""
    assert url.startswith("https://")
    payload = b"\x04" + url[8:].encode("ascii")
    message = b"\xd1\x01" + bytes([len(payload)]) + b"U" + payload
    return b"\x03" + bytes([len(message)]) + message + b"\xfe"


def read(path):
    with open(path, "rb") as file:
        return bytearray(file.read())


def message(dump, url, out):
    memory = read(dump)
    tlv = record(url)
    memory[4 * PAGE:4 * PAGE + len(tlv)] = tlv
    for page in SECRET[len(memory) // PAGE][:1]:
        # A dump reads the password as zero; writing that back would set it so.
        memory[page * PAGE:(page + 1) * PAGE] = b"\xff" * PAGE
    with open(out, "wb") as file:
        file.write(memory)


def compare(left, right):
    left, right = read(left), read(right)
    if len(left) != len(right):
        sys.exit(f"sizes differ: {len(left)} and {len(right)}")
    for page in range(len(left) // PAGE):
        ours, theirs = left[page * PAGE:][:PAGE], right[page * PAGE:][:PAGE]
        if page not in SECRET[len(left) // PAGE] and ours != theirs:
            sys.exit(f"page {page:02X} differs: {ours.hex()} and {theirs.hex()}")


def contains(dump, url):
    # An NTAG213 has a Lock Control TLV in front, which nfcpy rightly keeps.
    if record(url) not in read(dump)[4 * PAGE:]:
        sys.exit(f"{dump} does not hold the record of {url}")


def nfcpy(device, old, new):
    import ndef
    import nfc
    import nfc.clf.pn532
    import nfc.clf.transport

    # nfcpy looks for serial ports only by their names in /dev, and the pseudo-terminal has none
    # there; opening its own transport and driver by path is what its search does in the end.
    frontend = nfc.ContactlessFrontend()
    frontend.device = nfc.clf.pn532.init(nfc.clf.transport.TTY(device))
    print("  reader:", frontend.device.chipset_name)
    for attempt in (old, new):
        tag = frontend.connect(rdwr={"on-connect": lambda tag: False})
        print("  tag:", tag)
        if tag.ndef is None:
            sys.exit("nfcpy sees no NDEF on the tag")
        found = [r.iri for r in tag.ndef.records if isinstance(r, ndef.UriRecord)]
        print("  records:", found)
        if attempt == old:
            if found != ([] if old == "-" else [old]):
                sys.exit(f"nfcpy reads {found}, and {old} was there")
            tag.ndef.records = [ndef.UriRecord(new)]
            if tag.ndef.has_changed or [r.iri for r in tag.ndef.records] != [new]:
                sys.exit("nfcpy does not read back what it wrote")
        elif found != [new]:
            sys.exit(f"nfcpy reads {found} after selecting again, and wrote {new}")
    frontend.close()


if __name__ == "__main__":
    commands = {"message": message, "compare": compare, "contains": contains, "nfcpy": nfcpy}
    if len(sys.argv) < 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](*sys.argv[2:])
