# SPDX-License-Identifier: LGPL-2.1-only
"""Compares a schema with documents that the code has written, field by field.

    fields = WrittenFields(pathlib.Path("schemas/record.schema.json"))
    fields.add({"schema": "strata.record/1", "point": 0, ...})
    fields.differences()    # ["record.schema.json#/properties/seed: no document has it"]

A schema should not name a key that no document has, and should require a key that all have. A key that the schema does
not name is found by validation, because objects are closed.
"""

import collections
import json
import urllib.parse

import jsonschema


class WrittenFields:
    def __init__(self, path):
        self.path = path.absolute()
        self.schema = json.loads(path.read_text())
        self.objects = collections.Counter()  # by the place of the object's schema: "exec.schema.json#/properties/time"
        self.keys = collections.Counter()  # by the place of the key's schema
        self.files = {self.path.name: self.schema}
        self.validators = {}  # by the place of their schema

    def add(self, document):
        self._visit(document, self.schema, self.path.name + "#")

    def _at(self, reference, place):
        """Returns the schema to which a $ref refers, and its place."""
        name, pointer = reference.split("#")
        name = name or place.split("#")[0]
        if name not in self.files:
            self.files[name] = json.loads((self.path.parent / name).read_text())
        found = self.files[name]
        for part in filter(None, pointer.split("/")):
            found = found[urllib.parse.unquote(part)]
        return found, f"{name}#{pointer}"

    def _accepts(self, value, schema, place):
        if place not in self.validators:
            file = place.split("#")[0]
            resolver = jsonschema.RefResolver((self.path.parent / file).as_uri(), self.files[file])
            self.validators[place] = jsonschema.Draft7Validator(schema, resolver=resolver)
        return self.validators[place].is_valid(value)

    def _visit(self, value, schema, place):
        if not isinstance(schema, dict):
            return
        if "$ref" in schema:
            self._visit(value, *self._at(schema["$ref"], place))
            return
        for word in ("allOf", "anyOf", "oneOf"):
            for i, branch in enumerate(schema.get(word, [])):
                at = f"{place}/{word}/{i}"
                if word == "allOf" or self._accepts(value, branch, at):
                    self._visit(value, branch, at)
        if "if" in schema:
            branch = "then" if self._accepts(value, schema["if"], f"{place}/if") else "else"
            self._visit(value, schema.get(branch), f"{place}/{branch}")
        if isinstance(value, dict):
            self._visit_object(value, schema, place)
        elif isinstance(value, list) and "items" in schema:
            several = isinstance(schema["items"], list)
            for i, item in enumerate(value):
                if not several:
                    self._visit(item, schema["items"], f"{place}/items")
                elif i < len(schema["items"]):
                    self._visit(item, schema["items"][i], f"{place}/items/{i}")

    def _visit_object(self, value, schema, place):
        self.objects[place] += 1
        properties, other = schema.get("properties", {}), schema.get("additionalProperties")
        for key, item in value.items():
            if key in properties:
                self.keys[f"{place}/properties/{key}"] += 1
                self._visit(item, properties[key], f"{place}/properties/{key}")
            else:
                self._visit(item, other, f"{place}/additionalProperties")

    def differences(self):
        found, seen = [], set()
        self._compare(self.schema, self.path.name + "#", found, seen)
        return found

    def _compare(self, schema, place, found, seen):
        """Appends the differences of a schema and of all schemas in it, except those of other files."""
        if not isinstance(schema, dict) or place in seen:
            return
        seen.add(place)
        if "$ref" in schema:
            target, there = self._at(schema["$ref"], place)
            if there.startswith(self.path.name):
                self._compare(target, there, found, seen)
            return
        # Objects that are not closed are rules about an object that is described elsewhere.
        for key, described in schema.get("properties", {}).items() if "additionalProperties" in schema else []:
            at = f"{place}/properties/{key}"
            if not self.keys[at]:
                found.append(f"{at}: no document has it")
                continue
            if self.keys[at] == self.objects[place] and key not in schema.get("required", []):
                found.append(f"{at}: all documents have it, but it is not required")
            self._compare(described, at, found, seen)
        for word in ("allOf", "anyOf", "oneOf", "then", "else", "items", "additionalProperties"):
            inner = schema.get(word)
            for i, branch in enumerate(inner) if isinstance(inner, list) else []:
                self._compare(branch, f"{place}/{word}/{i}", found, seen)
            self._compare(inner, f"{place}/{word}", found, seen)
