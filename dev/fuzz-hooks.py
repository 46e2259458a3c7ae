"""What schemathesis must not touch while it fuzzes the API (see docs/fuzzing.md)."""

import os
from urllib.parse import urlsplit, urlunsplit

import schemathesis

# Ids of the API keys that were there before: among them the one that the fuzzer itself uses.
KEPT_KEYS = set(os.environ["FUZZ_KEPT_KEYS"].split(","))
VICTIM_KEY = os.environ["FUZZ_VICTIM_KEY"]
RECEIVER = os.environ["FUZZ_RECEIVER"]

# Fields with an address that the platform would call.
TARGETS = ("endpoint_url", "webhook_url", "file_url")


@schemathesis.hook
def before_call(context, case, kwargs):
    spare_credentials(case)
    keep_at_home(case)
    headers_are_text(case)


def spare_credentials(case):
    """A deleted, rotated or restricted key would turn every later answer into a 401: a victim stands in for it."""
    path_parameters = case.path_parameters
    if "/api-keys/{id}" in case.operation.path and str((path_parameters or {}).get("id")) in KEPT_KEYS:
        path_parameters["id"] = VICTIM_KEY


def keep_at_home(case):
    """Generated addresses lead to the demo's receiver: a fuzzer has no business with the hosts of strangers."""
    body = case.body
    if not isinstance(body, dict):
        return
    for name in TARGETS:
        value = body.get(name)
        if not isinstance(value, str) or not value.startswith(("http://", "https://")):
            continue
        try:
            parts = urlsplit(value)
        except ValueError:
            continue
        if parts.hostname and "@" not in parts.netloc:
            body[name] = urlunsplit(("http", RECEIVER, parts.path, parts.query, parts.fragment))


def headers_are_text(case):
    """A header whose value was taken from an earlier answer may be a number, which `requests` refuses to send."""
    for name, value in (case.headers or {}).items():
        if not isinstance(value, (str, bytes)):
            case.headers[name] = str(value)
