"""Requests meant to harm servers: each gets an answer with the right status within a second of its
last byte."""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from service import SOSIE, Service

HEAD = b"Host: 127.0.0.1\r\n"
SLOW_CONNECTIONS = 400
TIMEOUT_S = 2
SOON_S = 5 if os.environ.get("SOSIE_SANITIZE") else 1


def request(line: bytes, *headers: bytes, body: bytes = b"", host: bytes = HEAD) -> bytes:
    return line + b" HTTP/1.1\r\n" + host + b"".join(h + b"\r\n" for h in headers) + b"\r\n" + body


def statuses_of(reply: bytes) -> list[int]:
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d{3}) ", reply)]


class HostileTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="hostile-"))
        rows = [json.dumps({"id": f"d{n}", "text": f"text number {n} of a few"}) for n in range(50)]
        (cls.folder / "data.jsonl").write_text("\n".join(rows) + "\n")
        subprocess.run([SOSIE, "index", "build", "x.index", "data.jsonl", "-q"], cwd=cls.folder,
                       check=True)
        cls.service = Service("x.index", cls.folder, "--max-body", "1M", "--timeout", str(TIMEOUT_S))

    @classmethod
    def tearDownClass(cls):
        code = cls.service.stop()
        shutil.rmtree(cls.folder)
        assert code == 0, code

    def tearDown(self):
        self.assertEqual(self.service.ask("GET", "/healthz", timeout=5).status, 200)
        self.assertIsNone(self.service.process.poll())

    def reply(self, *parts: bytes, ends: bool = False, within: float | None = None) -> bytes:
        """Returns everything that the server sends until it closes the connection or waits after an answer."""
        with self.service.connect(timeout=within or 10) as connection:
            for part in parts:
                try:
                    connection.sendall(part)
                except OSError:
                    break  # answered, and closed, before everything was sent
            if ends:
                connection.shutdown(socket.SHUT_WR)
            began = time.monotonic()
            reply = b""
            try:
                while True:
                    some = connection.recv(65536)
                    if not some:
                        break
                    reply += some
                    if b"Connection: keep-alive" in reply:
                        connection.settimeout(0.1)
            except (TimeoutError, ConnectionResetError):
                pass
            if not within:
                self.assertLess(time.monotonic() - began, SOON_S + 0.2)
            return reply

    def expect(self, status: int, *parts: bytes, **options) -> bytes:
        reply = self.reply(*parts, **options)
        self.assertEqual(statuses_of(reply), [status], (parts[0][:120], reply[:300]))
        return reply

    def test_bodies_that_are_too_large(self):
        self.expect(413, request(b"POST /v1/query", b"Content-Length: 4194304"), b"x" * 65536)
        self.expect(413, request(b"POST /v1/query", b"Content-Length: 4194304"), b"x" * 4194304)
        self.expect(413, request(b"POST /v1/query", b"Content-Length: 18446744073709551615"))
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        self.expect(413, request(b"POST /v1/query", b"Transfer-Encoding: chunked"), chunk * 40)
        self.expect(413, request(b"POST /v1/query", b"Transfer-Encoding: chunked"), b"7fffffff\r\nxx")

    def test_headers_that_are_too_large(self):
        self.expect(431, request(b"GET /healthz", b"X: " + b"y" * 40_000))
        self.expect(431, request(b"GET /healthz", *[b"X%d: y" % n for n in range(5000)]))
        self.expect(431, b"GET /" + b"a" * 100_000)

    def test_requests_that_two_servers_read_differently(self):
        body = b'{"items": []}'
        length = b"Content-Length: %d" % len(body)
        for status, headers in (
                (400, (length, b"Transfer-Encoding: chunked")),
                (400, (b"Transfer-Encoding: chunked", length)),
                (400, (length, b"Content-Length: 5")),
                (400, (length, length)),
                (400, (b"Content-Length: 1, 13",)),
                (400, (b"Content-Length: +13",)),
                (400, (b"Content-Length: -1",)),
                (400, (b"Content-Length: 0x0d",)),
                (400, (b"Content-Length : 13",)),
                (400, (b"Transfer-Encoding: xchunked",)),
                (400, (b"Transfer-Encoding: chunked, identity",)),
                (400, (b"Transfer-Encoding: gzip",)),
                (400, (b"Transfer-Encoding : chunked",)),
                (400, (b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked")),
                (400, (b"Ho st: x",)),
                (400, (b"X: a\x00b",)),
                (400, (b"X: a\rb",)),
                (400, (HEAD.strip(),)),
        ):
            with self.subTest(headers=headers):
                self.expect(status, request(b"POST /v1/query", *headers, body=body), ends=True)
        self.expect(421, request(b"POST /v1/query", b" Content-Length: 13", body=body))  # a part of Host
        self.expect(400, request(b"GET /healthz", b"Host : x"), ends=True)
        self.expect(400, request(b"POST /v1/query", b"Transfer-Encoding: chunked"), b"zz\r\n", ends=True)
        self.expect(400, b"GET /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ends=True)

    def test_a_pipeline_is_answered_in_order_and_no_body_is_a_request(self):
        inner = b"GET /v1/secret HTTP/1.1\r\n" + HEAD + b"\r\n"
        both = request(b"POST /v1/query", b"Content-Length: %d" % len(inner), body=inner) + \
            request(b"GET /healthz", b"Connection: close")
        self.assertEqual(statuses_of(self.reply(both)), [400, 200])

    def test_lines_that_are_no_request(self):
        for line in (b"", b"\x00\x01\x02\x03", b"GET", b"GET  /healthz HTTP/1.1\r\n\r\n",
                     b"GET /healthz HTTP/9.9\r\n\r\n", b"GET /healthz\r\n\r\n", b"\x16\x03\x01\x02\x00\x01",
                     b"GET /\xff\xfe HTTP/1.1\r\n" + HEAD + b"\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
                     b"G\xffT / HTTP/1.1\r\n\r\n"):
            with self.subTest(line=line):
                reply = self.reply(line, ends=True)
                if line:
                    self.assertIn(statuses_of(reply), ([400], [404], [505]), reply[:200])
        self.expect(400, b"GET /healthz HTTP/1.1\r\n\r\n", ends=True)  # without Host

    def test_half_closed_connections(self):
        self.expect(200, request(b"GET /healthz"), ends=True)
        self.expect(400, b"GET /healthz HTTP/1.1\r\nHost: 127", ends=True)
        self.expect(400, request(b"POST /v1/query", b"Content-Length: 100", body=b"{"), ends=True)

    def test_hosts_and_origins_of_others(self):
        for host in (b"example.org", b"127.0.0.1.example.org", b"localhost.example.org", b"10.0.0.1",
                     b"", b"[::1]", b"127.0.0.1@example.org"):
            with self.subTest(host=host):
                self.expect(421, request(b"GET /v1/info", host=b"Host: " + host + b"\r\n"))
        for host in (b"localhost", b"127.0.0.1", b"LOCALHOST:80", b"127.0.0.1:1234"):
            self.expect(200, request(b"GET /v1/info", host=b"Host: " + host + b"\r\n"))
        for origin in (b"https://example.org", b"null", b"http://127.0.0.1:1", b"http://localhost"):
            with self.subTest(origin=origin):
                reply = self.expect(403, request(b"POST /v1/remove", b"Origin: " + origin,
                                                 b"Content-Length: 0"))
                self.assertNotIn(b"Access-Control", reply)
        own = b"127.0.0.1:%d" % self.service.port
        self.expect(200, request(b"GET /v1/info", b"Origin: http://" + own, host=b"Host: " + own + b"\r\n"))

    def test_paths_and_methods_that_are_not_there(self):
        for path in (b"/page", b"/../../etc/passwd", b"/v1/../v1/info", b"//v1/info", b"/v1/info/", b"/V1/info",
                     b"/v1/%69nfo", b"/%2e%2e/", b"/v1/info%00", b"/healthz;x", b"*", b"http://x/healthz",
                     b"/" + b"a/" * 4000):
            with self.subTest(path=path[:40]):
                reply = self.reply(request(b"GET " + path))
                self.assertEqual(statuses_of(reply), [404], reply[:200])
        for line in (b"GET /v1/query", b"DELETE /v1/info", b"TRACE /healthz", b"PUT /v1/add", b"BREW /v1/info",
                     b"OPTIONS /v1/query", b"CONNECT /v1/info"):
            with self.subTest(line=line):
                self.assertIn(b"\r\nAllow: ", self.expect(405, request(line)))

    def test_answers_carry_what_browsers_need(self):
        reply = self.expect(200, request(b"GET /v1/info"))
        for header in (b"X-Content-Type-Options: nosniff", b"Content-Security-Policy: default-src 'none'",
                       b"X-Frame-Options: DENY", b"Cache-Control: no-store", b"Referrer-Policy: no-referrer"):
            self.assertIn(header, reply)
        self.assertNotIn(b"unsafe-inline", reply)
        self.assertNotIn(b"Access-Control", reply)
        echoed = self.expect(200, request(b"GET /healthz", b"X-Request-Id: a\tb<script>"))
        self.assertNotIn(b"script", echoed.partition(b"\r\n\r\n")[0].replace(b"script-src", b""))

    def test_json_that_is_deep_or_odd(self):
        for body in (b"[" * 1_000_000, b'{"items": ' + b'{"a":' * 150_000, b'{"items": ["\xc3\x28"]}',
                     b'{"items": [1e999]}', b'{"items": [NaN]}', b"", b"null",
                     b'{"items": ["a"]} trailing',
                     b'{"items": ["a"], "items": 7}', b"\xef\xbb\xbf", b"\x00" * 1000):
            with self.subTest(body=body[:40]):
                self.expect(400, request(b"POST /v1/query", b"Content-Length: %d" % len(body), body=body))
        for body in (json.dumps({"items": ["word " * 100_000]}).encode(), b'{"items": ["\\ud800"]}',
                     b'{"items": [{"text": ' + b"1" * 100_000 + b"}]}"):  # the text of a number
            self.expect(200, request(b"POST /v1/query", b"Content-Length: %d" % len(body), body=body))

    def test_expectations(self):
        body = b'{"items": ["a b c d e"]}'
        reply = self.reply(request(b"POST /v1/query", b"Expect: 100-continue",
                                   b"Content-Length: %d" % len(body)), body)
        self.assertEqual(statuses_of(reply), [100, 200])
        self.expect(417, request(b"POST /v1/query", b"Expect: miracles", b"Content-Length: 1"), ends=True)

    def test_slow_connections_take_no_worker_and_end_with_the_timeout(self):
        begun = [b"GET /heal", request(b"POST /v1/query", b"Content-Length: 100", body=b"{"),
                 b"POST /v1/query HTTP/1.1\r\n" + HEAD + b"X-Slow: ", b""]
        slow = [self.service.connect() for _ in range(SLOW_CONNECTIONS)]
        for number, connection in enumerate(slow):
            connection.sendall(begun[number % len(begun)])
        began = time.monotonic()
        while time.monotonic() - began < 1:
            asked = time.monotonic()
            self.assertEqual(self.service.ask("GET", "/healthz").status, 200)
            self.assertLess(time.monotonic() - asked, 0.5)
        for number, connection in enumerate(slow):
            connection.settimeout(TIMEOUT_S + 3)
            reply = b""
            while some := connection.recv(65536):
                reply += some
            expected = [408] if begun[number % len(begun)] else []
            self.assertEqual(statuses_of(reply), expected, reply[:100])
            connection.close()
        self.assertLess(time.monotonic() - began, TIMEOUT_S + 2)

    def test_a_reader_that_does_not_read_takes_no_worker(self):
        with self.service.connect() as connection:
            try:
                connection.settimeout(2)
                for _ in range(3000):
                    connection.sendall(request(b"GET /openapi.json") * 10)
            except OSError:
                pass
            self.assertEqual(self.service.ask("GET", "/healthz").status, 200)


class Limits(unittest.TestCase):
    def test_connections_over_the_limit_are_told_so(self):
        folder = Path(tempfile.mkdtemp(prefix="limits-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "data.jsonl").write_text('{"id": "a", "text": "one two three"}\n')
        subprocess.run([SOSIE, "index", "build", "x.index", "data.jsonl", "-q"], cwd=folder, check=True)
        service = Service("x.index", folder, "--max-connections", "5")
        held = [service.connect() for _ in range(5)]
        time.sleep(0.2)
        answer = service.ask("GET", "/healthz")
        self.assertEqual((answer.status, answer.headers["Retry-After"]), (503, "1"))
        for connection in held:
            connection.close()
        time.sleep(0.2)
        self.assertEqual(service.ask("GET", "/healthz").status, 200)
        self.assertEqual(service.stop(), 0)

    def test_a_thousand_connections_are_held(self):
        folder = Path(tempfile.mkdtemp(prefix="limits-"))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "data.jsonl").write_text('{"id": "a", "text": "one two three"}\n')
        subprocess.run([SOSIE, "index", "build", "x.index", "data.jsonl", "-q"], cwd=folder, check=True)
        service = Service("x.index", folder)
        held = [service.connect() for _ in range(1000)]
        self.assertEqual(service.ask("GET", "/healthz").status, 200)
        held[0].sendall(request(b"GET /healthz"))
        self.assertIn(b"200 OK", held[0].recv(1000))
        self.assertEqual(service.stop(), 0)
        for connection in held:
            connection.close()


if __name__ == "__main__":
    unittest.main()
