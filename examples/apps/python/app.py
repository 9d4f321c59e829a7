"""An app that takes its work from Soloist, with the standard library only: python3 app.py

What an app must have is `start` (the sidecar's POST: do the work, answer 2xx) and `cancel` (the sidecar's DELETE: stop
it, answer 2xx once it has stopped). `enqueue` shows how to use the sidecar's API. The rest lets a reader see what
happens: each start and end of work is one JSON line on standard output and in `GET /runs`.
"""

import collections
import datetime
import hmac
import json
import os
import signal
import socket
import threading
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def setting(name, otherwise):
    return os.environ.get(name, "").strip() or otherwise


PORT = int(setting("PORT", "8080"))
WORK_SECONDS = int(setting("WORK_MILLIS", "200")) / 1000
POD = setting("POD_NAME", socket.gethostname())
API = setting("SOLOIST_API", "http://127.0.0.1:7600")
TOKEN_FILE = setting("SOLOIST_TOKEN_FILE", "/var/run/soloist/token")

lines = collections.deque(maxlen=10_000)
working = {}
lock = threading.Lock()


class Work:
    """One piece of work in progress: a run of a singleton, one task, or a broadcast that is heard."""

    def __init__(self):
        self.cancelled = threading.Event()
        self.ended = threading.Event()


def token():
    with open(TOKEN_FILE, encoding="ascii") as file:
        return file.read().strip()


def record(event, path, headers, outcome=None):
    members = {
        "event": event,
        "path": path,
        "job": headers["Soloist-Job"],
        "run": headers["Soloist-Run"],
        "task": headers["Soloist-Task"],
        "broadcast": headers["Soloist-Broadcast"],
        "fence": headers["Soloist-Fence"],
        "attempt": headers["Soloist-Attempt"],
        "scheduledAt": headers["Soloist-Scheduled-At"],
        "outcome": outcome,
        "pod": POD,
        "clock": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }
    line = json.dumps({key: value for key, value in members.items() if value is not None}, separators=(",", ":"))
    with lock:
        lines.append(line + "\n")
        print(line, flush=True)


def start(path, headers):
    """Does the work and answers when it is done."""
    id = headers["Soloist-Task"] or headers["Soloist-Run"] or headers["Soloist-Broadcast"]
    if not id:
        return 400, "neither Soloist-Run, Soloist-Task nor Soloist-Broadcast is set\n"
    work = Work()
    with lock:
        if id in working:
            return 503, "this work is still going on here\n"
        working[id] = work
    outcome = "failed"
    try:
        record("start", path, headers)
        # Real work goes here. Where an overlap would do harm, hand the fence to the database and let it refuse any
        # fence that is smaller than one it has seen.
        outcome = "cancelled" if work.cancelled.wait(WORK_SECONDS) else "done"
    finally:
        record("end", path, headers, outcome)
        with lock:
            del working[id]
        work.ended.set()
    return (200, "done\n") if outcome == "done" else (500, outcome + "\n")


def cancel(query):
    """Stops the work; 2xx promises that nothing of it goes on here."""
    with lock:
        work = working.get(query.get("run") or query.get("task"))
    if work:
        work.cancelled.set()
        if not work.ended.wait(4):
            return 500, "still stopping\n"
    return 200, "stopped\n"


def enqueue(query, payload):
    """POST /enqueue?job=..&id=..&delay=..&key=..: hands a task to the sidecar, with the body, if any, as its payload."""
    if "job" not in query:
        return 400, "POST /enqueue?job=NAME&id=ID&delay=10s, with a JSON value as the body if you like\n"
    task = {"delay": query.get("delay", "0s")}
    if "id" in query:
        task["id"] = query["id"]
    if "key" in query:
        task["dedupKey"] = query["key"]
    if payload.strip():
        task["payload"] = json.loads(payload)
    request = urllib.request.Request(
        f"{API}/v1/jobs/{urllib.parse.quote(query['job'], safe='')}/tasks",
        data=json.dumps(task).encode(),
        headers={"Authorization": "Bearer " + token(), "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as problem:
        return problem.code, problem.read().decode()
    except OSError as problem:
        return 503, f"the sidecar does not answer: {problem}\n"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.route()

    def do_POST(self):
        self.route()

    def do_DELETE(self):
        self.route()

    def route(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        try:
            status, text = self.handle_call(url.path, query, body)
        except (OSError, ValueError) as problem:
            status, text = 500, f"{problem}\n"
        answer = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-ndjson" if url.path == "/runs" else "text/plain")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def handle_call(self, path, query, body):
        if path.startswith(("/jobs/", "/tasks/")):
            if not self.from_sidecar():
                return 401, "this call must carry the token of the pod's sidecar\n"
            if self.command == "POST":
                return start(path, self.headers)
            if self.command == "DELETE":
                return cancel(query)
        elif path == "/enqueue" and self.command == "POST":
            return enqueue(query, body)
        elif path == "/runs" and self.command == "GET":
            with lock:
                return 200, "".join(lines)
        elif path == "/healthz":
            return 200, "ok\n"
        return 404, "nothing here\n"

    def from_sidecar(self):
        try:
            return hmac.compare_digest(self.headers["Authorization"] or "", "Bearer " + token())
        except OSError:
            return False

    def log_message(self, *_):
        """The runs are the log."""


class Server(ThreadingHTTPServer):
    # At the end of the pod what has begun is finished.
    daemon_threads = False


if __name__ == "__main__":
    server = Server(("", PORT), Handler)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    try:
        server.serve_forever()
    finally:
        server.server_close()
