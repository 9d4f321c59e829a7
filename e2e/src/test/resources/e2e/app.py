"""The app under test: it answers triggers and holds a connection to the recorder open for as long as a run lasts.

When its process dies, the kernel closes the connection, so the recorder learns the end of a run also then.
"""
import http.client
import json
import os
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

WORK = float(os.environ.get("WORK_SECONDS", "0.5"))
POD = os.environ["HOSTNAME"]
RECORDER = (os.environ.get("RECORDER_HOST", "recorder"), 9000)
running = {}


def token():
    with open(os.environ["SOLOIST_TOKEN_FILE"]) as file:
        return file.read().strip()


def call(method, path, body=None, headers=None):
    host = os.environ["SOLOIST_API"].removeprefix("http://")
    connection = http.client.HTTPConnection(host, timeout=10)
    connection.request(method, path, body, {"Authorization": "Bearer " + token(),
                                            "Content-Type": "application/json", **(headers or {})})
    response = connection.getresponse()
    return response.status, response.read().decode()


class App(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Authorization") != "Bearer " + token():
            return self.answer(401)
        run = self.headers.get("Soloist-Task") or self.headers["Soloist-Run"]
        stop = threading.Event()
        running[run] = stop
        record = {"pod": POD, "job": self.headers["Soloist-Job"], "run": run,
                  "fence": self.headers.get("Soloist-Fence", ""), "attempt": self.headers.get("Soloist-Attempt", ""),
                  "scheduledAt": self.headers.get("Soloist-Scheduled-At", ""), "size": len(body)}
        with socket.create_connection(RECORDER, timeout=10) as recorder:
            recorder.sendall((json.dumps(record) + "\n").encode())
            recorder.recv(1)
            stopped = stop.wait(WORK)
            recorder.sendall(b"stopped\n" if stopped else b"done\n")
        running.pop(run, None)
        self.answer(500 if stopped else 200)

    def do_DELETE(self):
        run = self.path.partition("run=")[2]
        for name in list(running):
            if name == run or name == run.replace("%2F", "/"):
                running[name].set()
        self.answer(204)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    if len(sys.argv) > 1:
        status, text = call(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None)
        print(status, text)
        sys.exit(0)
    ThreadingHTTPServer(("127.0.0.1", 8080), App).serve_forever()
