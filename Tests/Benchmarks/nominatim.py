"""Nominatim as the peer of places: the same extract in PostgreSQL, in a cluster of its own, and the same questions."""

import contextlib
import grp
import json
import os
import pwd
import shutil
import subprocess
import tempfile
import time

# Installed by .ci/places-peers.
FOLDER = os.path.join(".build", "places-peers", "bin")
POSTGRES = "/usr/lib/postgresql/15/bin"

# One question after the other, as a program makes them: for each, the milliseconds and the first answer.
QUESTIONS = """
import json, sys, time
import nominatim_api
questions = json.load(open(sys.argv[1]))
answers = []
with nominatim_api.NominatimAPI() as api:
    for question in questions:
        begin = time.perf_counter()
        if "text" in question:
            found = api.search(question["text"], address_details=True, max_results=1)
            found = found[0] if found else None
        else:
            found = api.reverse((question["longitude"], question["latitude"]), address_details=True)
        milliseconds = (time.perf_counter() - begin) * 1000
        parts = {}
        for row in (found.address_rows or []) if found else []:
            if row.isaddress and row.names:
                parts.setdefault(row.category[1] if row.category[0] == "place" else row.category[0],
                                 row.local_name or row.names.get("name"))
        answers.append({
            "milliseconds": milliseconds,
            "street": parts.get("highway"),
            "number": parts.get("house_number") or (found.housenumber if found else None),
            "position": [found.centroid.lat, found.centroid.lon] if found else None,
        })
print(json.dumps(answers))
"""


def is_there() -> bool:
    """Whether Nominatim, PostgreSQL with PostGIS and osm2pgsql are installed, and this user can run the server as another user."""
    return (
        os.geteuid() == 0
        and os.access(os.path.join(FOLDER, "nominatim"), os.X_OK)
        and os.access(os.path.join(POSTGRES, "initdb"), os.X_OK)
        and shutil.which("osm2pgsql") is not None
        and any(user.pw_name == "postgres" for user in pwd.getpwall())
    )


def run(*command: str, **environment: str) -> str:
    result = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if result.returncode != 0:
        raise OSError(f"{command[0]} ended with {result.returncode}: {(result.stderr or result.stdout).strip()[-400:]}")
    return result.stdout


class Nominatim:
    """An import of one extract."""

    def __init__(self, extract: str):
        self.extract = os.path.abspath(extract)
        self.seconds = 0.0
        self.megabytes = 0.0

    def __enter__(self) -> "Nominatim":
        self.folder = tempfile.mkdtemp(prefix="nominatim-", dir="/tmp")
        shutil.chown(self.folder, "postgres", grp.getgrgid(pwd.getpwnam("postgres").pw_gid).gr_name)
        os.chmod(self.folder, 0o755)
        self.cluster = os.path.join(self.folder, "cluster")
        self.project = os.path.join(self.folder, "project")
        os.mkdir(self.project)
        try:
            self.as_server("initdb", "-D", self.cluster, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
            options = f"-k {self.folder} -c listen_addresses= -c fsync=off -c shared_buffers=256MB"
            log = os.path.join(self.folder, "log")
            self.as_server("pg_ctl", "-D", self.cluster, "-w", "-l", log, "-o", options, "start")
            begin = time.monotonic()
            run(os.path.abspath(os.path.join(FOLDER, "nominatim")), "import", "--project-dir", self.project, "--osm-file",
                self.extract, "--threads", "1", "--no-updates", **self.environment)
            self.seconds = time.monotonic() - begin
            size = run("psql", "-h", self.folder, "-U", "postgres", "-d", "nominatim", "-Atc",
                       "SELECT pg_database_size('nominatim')")
            self.megabytes = int(size) / 1e6
        except OSError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self.as_server("pg_ctl", "-D", self.cluster, "-m", "immediate", "stop")
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def environment(self) -> dict[str, str]:
        """The settings of the project."""
        return {
            "NOMINATIM_DATABASE_DSN": f"pgsql:dbname=nominatim;host={self.folder};user=postgres",
            "NOMINATIM_DATABASE_WEBUSER": "postgres",
            "NOMINATIM_IMPORT_STYLE": "full",
            "PATH": f"{os.path.abspath(FOLDER)}:{os.environ['PATH']}",
        }

    def as_server(self, program: str, *arguments: str) -> None:
        """Runs a program of PostgreSQL, which refuses to run as root. Its output goes nowhere: the server would keep a pipe open."""
        result = subprocess.run(
            ["runuser", "-u", "postgres", "--", os.path.join(POSTGRES, program), *arguments], cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if result.returncode != 0:
            raise OSError(f"{program} ended with {result.returncode}")

    def ask(self, questions: list[dict]) -> list[dict]:
        """Nominatim's first answer to each question."""
        path = os.path.join(self.folder, "questions.json")
        with open(path, "w") as file:
            json.dump(questions, file)
        text = run(os.path.abspath(os.path.join(FOLDER, "python3")), "-c", QUESTIONS, path,
                   **self.environment, NOMINATIM_PROJECT_DIR=self.project)
        return json.loads(text.splitlines()[-1])
