"""A viewer of a live Windtunnel run in plain Python, written from docs/protocol.md alone: no package beyond Python's own.

    python3 viewer.py http://127.0.0.1:4173 [FRAMES]

Prints one line a frame; with FRAMES it stops after so many.
"""

import base64
import json
import os
import socket
import struct
import sys
from urllib.parse import urlsplit


def connect(url):
    """Opens the WebSocket of the server at `url`: the handshake of RFC 6455."""
    parts = urlsplit(url)
    query = "?" + parts.query if parts.query else ""
    connection = socket.create_connection((parts.hostname, parts.port or 80), timeout=30)
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall(
        f"GET /api/stream{query} HTTP/1.1\r\nHost: {parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    stream = connection.makefile("rb")
    status = stream.readline().decode().strip()
    while stream.readline() not in (b"\r\n", b""):
        pass
    if " 101 " not in status + " ":
        sys.exit(f"The server refused the connection: {status}")
    return connection, stream


def send(connection, opcode, payload):
    """One message of a client: masked, at most 65,535 bytes."""
    mask = os.urandom(4)
    size = len(payload)
    head = bytes([0x80 | opcode, 0x80 | size]) if size < 126 else bytes([0x80 | opcode, 0xFE]) + struct.pack(">H", size)
    connection.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload)))


def messages(connection, stream):
    """The text messages of the server, until it closes; pings are answered."""
    text = b""
    while len(head := stream.read(2)) == 2:
        opcode, size = head[0] & 0x0F, head[1] & 0x7F
        if size == 126:
            size = struct.unpack(">H", stream.read(2))[0]
        elif size == 127:
            size = struct.unpack(">Q", stream.read(8))[0]
        payload = stream.read(size)
        if opcode == 8:
            return
        if opcode == 9:
            send(connection, 10, payload)
        if opcode in (0, 1):
            text += payload
            if head[0] & 0x80:
                yield json.loads(text)
                text = b""


def milliseconds(percentiles):
    return f"{percentiles['p99'] * 1000:.0f} ms" if percentiles else "-"


def main():
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:4173"
    most = int(sys.argv[2]) if len(sys.argv) > 2 else None
    connection, stream = connect(url)
    frames = 0
    for message in messages(connection, stream):
        if message["type"] == "hello":
            print(f"watching {message['run']}: {message['scenario']['model']}", flush=True)
            send(connection, 1, json.dumps({"type": "start", "id": "1"}).encode())
        elif message["type"] == "frame":
            frames += 1
            print(
                f"{message['time']:8.1f} s  TTFT p99 {milliseconds(message.get('ttft'))}"
                f"  {message['outputTokensPerSecond']:.0f} tokens/s",
                flush=True,
            )
        elif message["type"] in ("ack", "event", "error"):
            print(f"{message['type']}: {message.get('text') or message.get('message') or message.get('id')}", flush=True)
        if message["type"] == "ended" or frames == most:
            send(connection, 8, struct.pack(">H", 1000))
            return


main()
