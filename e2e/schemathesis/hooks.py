"""Loaded by Schemathesis: formats, sign-in and the number of requests; see schemathesis.test.ts."""

import collections
import json
import math
import os
import urllib.request
import uuid

import schemathesis
import xml_bodies

schemathesis.serializer.alias("application/json+compact", "application/json")


@schemathesis.deserializer("application/json+compact")
def compact(ctx, response):
    return json.loads(response.content)


@schemathesis.serializer("application/xml")
def xml(ctx, value):
    return xml_bodies.body(ctx.case, value)


@schemathesis.auth(refresh_interval=3)
class Administrator:
    """A new administrator every few seconds: some operations take rights and sessions away, also from the caller."""

    def get(self, case, ctx):
        with urllib.request.urlopen(os.environ["KONTOR_TOKENS"]) as reply:
            return reply.read().decode()

    def set(self, case, data, ctx):
        case.headers["Authorization"] = f"Bearer {data}"


CASES = int(os.environ["KONTOR_CASES"])
counts = collections.Counter()


@schemathesis.hook
def filter_case(context, case):
    """Of each kind of fault: the first cases, then fewer and fewer, so that the last fields of a type are reached too."""
    phase = case.meta.phase
    if phase.name.value != "coverage":
        return True
    kind = (case.operation.label, phase.data.scenario, phase.data.parameter_location)
    counts[kind] += 1
    count = counts[kind]
    return count <= CASES or int(2 * math.log(count)) != int(2 * math.log(count - 1))


keys = set()


@schemathesis.hook
def before_call(context, case, kwargs):
    """An Idempotency-Key belongs to one request."""
    key = case.headers.get("Idempotency-Key")
    if key is None or case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if key in keys:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    keys.add(key)
