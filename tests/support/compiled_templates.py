"""Templates are compiled once in a process, however many renderers its tests make; the program itself makes one."""

from functools import partial
from unittest.mock import patch

from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

from captains_table.web import render


class CompiledTemplates(BytecodeCache):
    """The compiled templates of all renderers of this process."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


def share_compiled_templates() -> None:
    """Let the renderers that this process makes from now on share what they compile."""
    patch.object(render, "Environment", partial(Environment, bytecode_cache=CompiledTemplates())).start()
