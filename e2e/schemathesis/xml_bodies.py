"""XML bodies. OpenAPI 3.1 has no keyword for the text of an element, so the document marks it with `x-text`."""

import json
import os
from xml.sax.saxutils import escape, quoteattr

with open(os.environ["KONTOR_DOCUMENT"], encoding="utf-8") as file:
    document = json.load(file)


def resolved(schema):
    while isinstance(schema, dict) and "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].split("/")[-1]]
    return schema or {}


def text(value):
    return json.dumps(value) if isinstance(value, bool) or value is None else str(value)


def element(name, value, schema, namespace=""):
    schema = resolved(schema)
    if isinstance(value, list):
        return "".join(element(name, item, schema.get("items")) for item in value)
    if not isinstance(value, dict):
        return f"<{name}{namespace}>{escape(text(value))}</{name}>"
    attributes, content = "", ""
    for key, field in value.items():
        described = schema.get("properties", {}).get(key, {})
        xml = described.get("xml", described.get("items", {}).get("xml", {}))
        if xml.get("attribute") and not isinstance(field, (dict, list)):
            attributes += f" {key}={quoteattr(text(field))}"
        elif xml.get("x-text"):
            content += escape(text(field))
        else:
            content += element(xml.get("name", key), field, described)
    return f"<{name}{namespace}{attributes}>{content}</{name}>"


def body(case, value):
    if isinstance(value, (str, bytes)):
        return value if isinstance(value, bytes) else value.encode()
    operation = document["paths"][case.operation.path][case.operation.method.lower()]
    schema = operation["requestBody"]["content"]["application/xml"]["schema"]
    choices = [resolved(one) for one in schema.get("oneOf", [schema])]
    names = value if isinstance(value, dict) else {}
    schema = max(choices, key=lambda one: len(set(one.get("properties", {})) & set(names)))
    xml = schema.get("xml", {})
    namespace = f" xmlns={quoteattr(xml['namespace'])}" if "namespace" in xml else ""
    return element(xml.get("name", "data"), value, schema, namespace).encode("utf-8", "replace")
