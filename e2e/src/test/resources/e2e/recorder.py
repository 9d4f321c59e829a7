"""Writes down when each run begins and ends, by one clock. A run that ends without saying so was cut: its process died."""
import json
import socketserver
import threading
import time

lock = threading.Lock()


def write(record):
    with lock:
        record["at"] = time.time()
        with open("/records/log", "a") as file:
            file.write(json.dumps(record) + "\n")


class Recorder(socketserver.StreamRequestHandler):
    def handle(self):
        record = json.loads(self.rfile.readline())
        write({"event": "start", **record})
        self.wfile.write(b"k")
        try:
            end = self.rfile.readline().decode().strip() or "cut"
        except OSError:
            end = "cut"
        write({"event": end, **record})


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("0.0.0.0", 9000), Recorder).serve_forever()
