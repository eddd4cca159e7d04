"""A Home Assistant of its own in a folder: set up as its owner does, over its web interface, and asked what it sees."""

import json
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import httpx

from tests.support.listening_process import ChildProcess, free_port
from tests.support.patience import PATIENCE_S

UP_WITHIN_S: Final = 10 * PATIENCE_S  # at its first start it fetches what its integrations need
ANSWER_S: Final = 60.0
CERTIFICATE: Final = "certificate"
UNFOLDS: Final = "advanced_options"  # in releases whose form has no section to unfold
MOST_FORMS: Final = 5  # until the last one is filled in: an option asked for may bring up more

CONFIGURATION: Final = """\
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
config:
onboarding:
logger:
  default: info
automation:
"""


class NotSoAtHome(RuntimeError):
    """Home Assistant did not do, or does not show, what was expected; the message says what it did or shows."""


class HomeAssistant(ChildProcess):
    """A Home Assistant with an owner; ready as soon as it is made.

    Args:
        command: the program `hass` and what goes before it.
        folder: where its configuration is kept; an empty one.
        automations: automations in YAML, as a list.
    """

    def __init__(self, command: Sequence[str], folder: Path, automations: str) -> None:
        port = free_port()
        self._log = folder.with_suffix(".log")
        self._command = [*command, "--config", str(folder)]
        self._client = f"http://127.0.0.1:{port}/"
        self._web = httpx.Client(base_url=self._client, timeout=ANSWER_S)
        folder.mkdir()
        own = "".join(f"  {line}\n" for line in automations.splitlines())
        (folder / "configuration.yaml").write_text(CONFIGURATION.format(port=port) + own, encoding="utf-8")
        self.start()
        try:
            self._make_owner()
        except BaseException:
            self.kill()
            raise

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("a") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log)
        self.wait_until(self._answers, lambda: self.log, UP_WITHIN_S)

    def add_mqtt(self, port: int, user: str, password: str, authority: Path) -> None:
        """Add the integration MQTT by its form, with a broker of this machine: as docs/club-setup.md says."""
        flow = "/api/config/config_entries/flow"
        broker = {"broker": "localhost", "port": port, "username": user, "password": password}
        values = broker | {"set_ca_cert": "custom", "set_client_cert": False}
        form = self._ask("POST", flow, json={"handler": "mqtt", "show_advanced_options": True}).json()
        for _ in range(MOST_FORMS):
            trust = self._upload(authority) if CERTIFICATE in json.dumps(form["data_schema"]) else ""
            filled = _filled(form["data_schema"], values | {CERTIFICATE: trust})
            form = self._ask("POST", f"{flow}/{form['flow_id']}", json=filled).json()
            if form["type"] == "create_entry":
                return
        raise NotSoAtHome(f"the integration MQTT was not added: {json.dumps(form)}")

    def states(self) -> dict[str, dict[str, Any]]:
        """Return what it shows of each entity, by the entity's id."""
        return {each["entity_id"]: each for each in self._ask("GET", "/api/states").json()}

    @property
    def version(self) -> str:
        """Its release."""
        return str(self._ask("GET", "/api/config").json()["version"])

    def told(self, template: str) -> str:
        """Return what a template says there."""
        return self._ask("POST", "/api/template", json={"template": template}).text

    @property
    def log(self) -> str:
        """What it wrote."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    # --- its web interface ------------------------------------------------------------------------------------------

    def _make_owner(self) -> None:
        owner = {"name": "Owner", "username": "owner", "password": uuid.uuid4().hex, "language": "en"}
        made = self._ask("POST", "/api/onboarding/users", json=owner | {"client_id": self._client}).json()
        form = {"grant_type": "authorization_code", "code": made["auth_code"], "client_id": self._client}
        token = self._ask("POST", "/auth/token", data=form).json()["access_token"]
        self._web.headers["Authorization"] = f"Bearer {token}"

    def _upload(self, file: Path) -> str:
        files = {"file": (file.name, file.read_bytes(), "application/x-x509-ca-cert")}
        return str(self._ask("POST", "/api/file_upload", files=files).json()["file_id"])

    def _ask(self, method: str, path: str, **sent: Any) -> httpx.Response:  # noqa: ANN401 - as httpx takes it
        answer = self._web.request(method, path, **sent)
        if answer.is_error:
            raise NotSoAtHome(f"{path}: {answer.status_code} {answer.text}")
        return answer

    def _answers(self) -> bool:
        try:
            return self._web.get("/api/onboarding").is_success
        except httpx.HTTPError:
            return False


def _filled(form: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form with these values in it, else what stands there; all that is folded in is unfolded."""
    filled: dict[str, Any] = {}
    for field in form:
        name = field["name"]
        if "schema" in field:
            filled[name] = _filled(field["schema"], values)
        elif name == UNFOLDS:
            filled[name] = True
        elif name in values or "default" in field:
            filled[name] = values.get(name, field.get("default"))
    return filled
