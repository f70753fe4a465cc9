"""A driver that attacks the operator: HostileTenantE2E. Arguments: the operator's address, its ports, seconds."""

import socket
import sys
import threading
import time

from pyspark import SparkConf, SparkContext

HALF_SENT_PER_PORT = 300

address, ports, seconds = sys.argv[1], [int(port) for port in sys.argv[2].split(",")], int(sys.argv[3])
end = time.time() + seconds

# The operator thinks that the web UI is on: this program takes its port.
context = SparkContext(conf=SparkConf().set("spark.ui.enabled", "false"))


def half_send(port):
    """Holds connections with half a request each, and opens those anew that were closed."""
    held = []
    while time.time() < end:
        try:
            connection = socket.create_connection((address, port), timeout=2)
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\nX-Half: ")
            held.append(connection)
        except OSError:
            time.sleep(0.05)
        if len(held) > HALF_SENT_PER_PORT:
            held.pop(0).close()


def headers(more):
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + more + b"\r\n"


def stall(connection):
    connection.sendall(headers(b"Content-Length: 100\r\n"))
    time.sleep(30)


def trickle(connection):
    connection.sendall(headers(b"Content-Length: 1000\r\n"))
    for _ in range(30):
        connection.sendall(b" ")
        time.sleep(1)


def gigabyte(connection):
    connection.sendall(headers(b"Content-Length: %d\r\n" % (1 << 30)) + b'[{"id": "')
    for _ in range(1 << 14):
        connection.sendall(b"x" * (1 << 16))


def long_attributes(connection):
    body = b'[{"id": "1", "attributes": {"NUMASPARK_CPUS_ALLOWED": "%s"}}]' % (b"0-2147483647," * 50_000)
    connection.sendall(headers(b"Content-Length: %d\r\n" % len(body)) + body)


def nested(connection):
    body = b"[" * 500_000
    connection.sendall(headers(b"Content-Length: %d\r\n" % len(body)) + body)


def garbage(connection):
    connection.sendall(b"\x00\xff" * 5000)


def redirect(connection):
    connection.sendall(b"HTTP/1.1 302 Found\r\nLocation: http://%s:%d/\r\nContent-Length: 0\r\n\r\n" % (address.encode(), ports[0]))


ANSWERS = [stall, gigabyte, long_attributes, nested, garbage, redirect, trickle]


def answer(connection, number):
    kind = ANSWERS[number % len(ANSWERS)]
    print("ASKED", number, kind.__name__, flush=True)
    try:
        connection.recv(65536)
        kind(connection)
    except OSError:
        pass
    finally:
        connection.close()


def rest_api():
    listener = socket.create_server(("", 4040))
    number = 0
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=answer, args=(connection, number), daemon=True).start()
        number += 1


threading.Thread(target=rest_api, daemon=True).start()
for each in ports:
    threading.Thread(target=half_send, args=(each,), daemon=True).start()
print("ATTACKING", ports, flush=True)
time.sleep(max(0, end - time.time()))
print("is forbidden: User " * (5_000_000 // 19), flush=True)
raise SystemExit(3)
