"""A server of HTTPS on the loopback for tests, with every fault that a server may have.

The first line of standard input is a JSON object: {"hosts": [...], "answers": {KEY: [...]}}, where a
KEY is HOST/PATH or METHOD HOST/PATH, with or without the query, and HOST may be *. Of several
answers each is given once, and the last one from then on. The first line of standard output is {"authorities": FILE, "ports": {...}}; the
kernel chooses the ports. Then one line for each request: "METHOD HOST/PATH". The server ends with
standard input. An answer: {"status", "headers": [[name, value]], "body": base64, "how"}.
"""
import base64
import gzip
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
output = threading.Lock()
connections = 0
turns = {}


def say(line):
    with output:
        print(line, flush=True)


class Certificates:
    """One certificate for each kind of server, made when the first connection asks for it. The trusted
    authority is ca.pem."""

    def __init__(self, folder, hosts):
        self.folder, self.hosts = folder, hosts
        self.lock = threading.Lock()
        self.contexts = {}
        self.make("ca", "Trusted by the test", "-days", "2")

    def openssl(self, *command):
        run = subprocess.run(
            ["openssl", *command], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if run.returncode != 0:
            sys.stderr.write(run.stdout)
            os._exit(1)
        return run.stdout

    def make(self, name, subject, *more):
        files = ["-keyout", f"{name}.key", "-out", f"{name}.pem"]
        self.openssl("req", "-x509", *CURVE, *files, "-subj", f"/CN={subject}", *more)

    def make_server(self, name):
        def issued(by):
            return ["-CA", f"{by}.pem", "-CAkey", f"{by}.key"]

        names = ["-addext", "subjectAltName=" + ",".join("DNS:" + host for host in self.hosts)]
        days = ["-days", "1"]
        if name == "good":
            self.make(name, self.hosts[0], *days, *names, *issued("ca"))
        elif name == "wrongHost":
            other = "other.example.net"
            self.make(name, other, *days, "-addext", f"subjectAltName=DNS:{other}", *issued("ca"))
        elif name == "selfSigned":
            self.make(name, self.hosts[0], *days, *names)
        elif name == "unknownIssuer":
            self.make("stranger", "Not trusted by the test", "-days", "2")
            self.make(name, self.hosts[0], *days, *names, *issued("stranger"))
        else:
            # `req` makes none that has ended already, `x509` does: from OpenSSL 3.4 on by dates, before by days.
            self.make(name, self.hosts[0], *days, *names, *issued("ca"))
            has_dates = "-not_after" in self.openssl("x509", "-help")
            ended = ["-not_before", "20200101000000Z", "-not_after", "20200102000000Z"]
            copied = ["-copy_extensions", "copyall"]
            request = [f"{name}.pem", "-signkey", f"{name}.key", "-out", f"{name}.csr"]
            self.openssl("x509", "-x509toreq", "-in", *request, *copied)
            self.openssl(
                "x509", "-req", "-in", f"{name}.csr", *(ended if has_dates else ["-days", "-1"]),
                *issued("ca"), *copied, "-out", f"{name}.pem")

    def context(self, name):
        with self.lock:
            if name not in self.contexts:
                self.make_server(name)
                self.contexts[name] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                self.contexts[name].load_cert_chain(
                    f"{self.folder}/{name}.pem", f"{self.folder}/{name}.key")
            return self.contexts[name]


def read_request(stream):
    """The request's method, path, fields and body; None at the end of the connection."""
    line = stream.readline().decode("latin-1").split()
    if len(line) < 2:
        return None
    fields = []
    while (field := stream.readline().decode("latin-1").rstrip("\r\n")):
        name, _, value = field.partition(":")
        fields.append([name, value.strip()])
    values = {name.lower(): value for name, value in fields}
    body = stream.read(int(values.get("content-length", 0)))
    return line[0], line[1], fields, values, body


def head(answer, length, more=()):
    lines = [f"HTTP/1.1 {answer.get('status', 200)} Answer"]
    lines += [f"{name}: {value}" for name, value in [*answer.get("headers", []), *more]]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def wait_for_the_end(peer):
    """Until the client leaves."""
    while peer.recv(4096):
        pass


def send(peer, answer, request, number):
    """Sends an answer; returns whether the connection stays open."""
    method, path, fields, values, sent = request
    how = answer.get("how", "whole")
    if how == "anonymous":
        how = "whole"
        if "authorization" in values:
            answer = {"status": 403}
    body = base64.b64decode(answer.get("body", ""))
    if how == "whole":
        peer.sendall(head(answer, len(body)) + (b"" if method == "HEAD" else body))
        return True
    if how == "echo":
        body = json.dumps({
            "method": method, "path": path, "fields": fields, "connection": number,
            "body": base64.b64encode(sent).decode(),
        }).encode()
        peer.sendall(head(answer, len(body)) + body)
        return True
    if how == "never":
        wait_for_the_end(peer)
    elif how == "stall":
        peer.sendall(head(answer, len(body) + 1) + body)
        wait_for_the_end(peer)
    elif how == "drip":
        peer.sendall(head(answer, 10_000_000))
        while True:
            peer.sendall(b".")
            time.sleep(0.01)
    elif how == "cut":
        peer.sendall(head(answer, len(body) + 1) + body)
    elif how == "endless":
        peer.sendall(head(answer, None))
        while True:
            peer.sendall(b"." * 65536)
    elif how == "bomb":
        packed = gzip.compress(bytes(16 << 20), 6)
        peer.sendall(head(answer, len(packed), [["Content-Encoding", "gzip"]]) + packed)
    elif how == "longHeader":
        peer.sendall(b"HTTP/1.1 200 Answer\r\n" + b"X-Filler: " + b"x" * 90_000 + b"\r\n\r\n")
    elif how == "raw":
        peer.sendall(body)
    return False


def answer_for(answers, method, host, path):
    """The answer whose turn it is."""
    short = path.partition("?")[0]
    for place in [host + path, "*" + path, host + short, "*" + short]:
        for key in [f"{method} {place}", place]:
            if key in answers:
                with output:
                    turn = turns[key] = turns.get(key, -1) + 1
                return answers[key][min(turn, len(answers[key]) - 1)]
    return {"status": 404}


def serve(connection, certificates, name, configuration):
    global connections
    with output:
        connections += 1
        number = connections
    try:
        peer = certificates.context(name).wrap_socket(connection, server_side=True)
        stream = peer.makefile("rb")
        while (request := read_request(stream)) is not None:
            host = request[3].get("host", "").partition(":")[0]
            say(f"{request[0]} {host}{request[1]}")
            answer = answer_for(configuration["answers"], request[0], host, request[1])
            if not send(peer, answer, request, number):
                break
        stream.close()
        # At once and without TLS's farewell: what is missing from an answer stays missing.
        peer.close()
    except (OSError, ValueError):
        pass


def tunnel(connection, port):
    """A proxy whose every connection leads to one port."""

    def pour(source, sink):
        try:
            while (some := source.recv(65536)):
                sink.sendall(some)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    try:
        stream = connection.makefile("rb", buffering=0)
        request = read_request(stream)
        if request is None:
            return
        say(f"{request[0]} {request[1]}")
        other = socket.create_connection(("127.0.0.1", port))
        connection.sendall(b"HTTP/1.1 200 Connection established\r\nVia: tunnel\r\n\r\n")
        threading.Thread(target=pour, args=(connection, other), daemon=True).start()
        pour(other, connection)
    except OSError:
        pass


def refuse_tls(connection):
    """What a server of HTTP says to a greeting of TLS."""
    try:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        wait_for_the_end(connection)
    except OSError:
        pass


def listen(handle):
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=handle, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


def main():
    configuration = json.loads(sys.stdin.readline())
    folder = tempfile.mkdtemp(prefix="loopback-server-")
    try:
        certificates = Certificates(folder, configuration["hosts"])
        ports = {}
        for name in ["good", "expired", "wrongHost", "selfSigned", "unknownIssuer"]:
            ports[name] = listen(
                lambda connection, name=name: serve(connection, certificates, name, configuration))
        ports["plain"] = listen(refuse_tls)
        ports["silent"] = listen(wait_for_the_end)
        ports["proxy"] = listen(lambda connection: tunnel(connection, ports["good"]))
        refusing = socket.socket()
        refusing.bind(("127.0.0.1", 0))
        ports["closed"] = refusing.getsockname()[1]
        say(json.dumps({"authorities": f"{folder}/ca.pem", "ports": ports}))
        while sys.stdin.readline():
            pass
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    # Without waiting for threads that wait for clients.
    os._exit(0)


main()
