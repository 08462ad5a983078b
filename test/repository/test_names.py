# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A name means one thing: types everywhere, and whatever one module has from another.

Tests read public names only.
"""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Type variables: every reader knows this one.
COMMON = {'T'}
#: What every NamedTuple has: public, and with an underscore so that fields may have any other name.
OF_NAMED_TUPLES = {'_asdict', '_fields', '_make', '_replace'}


@cache
def modules():
    """The module's syntax by its dotted name."""
    paths = sorted((ROOT / 'ik_circles').rglob('*.py'))
    return {'.'.join(path.relative_to(ROOT).with_suffix('').parts): ast.parse(path.read_text())
            for path in paths}  # fmt: skip


def homes():
    """The modules that define each public name at their top level."""
    found = defaultdict(set)
    for module, tree in modules().items():
        for node in tree.body:
            targets = getattr(node, 'targets', [getattr(node, 'target', None)])
            parts = [one for target in targets if target for one in ast.walk(target)]
            names = {one.id for one in parts if isinstance(one, ast.Name)} - COMMON
            names |= {node.name} if isinstance(node, ast.ClassDef) else set()
            for name in names:
                if not name.startswith('_'):
                    found[name].add(module)
    return found


def imports():
    """The names that modules have from others, each with the other module."""
    return {
        (node.module, alias.name)
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_a_type_is_defined_once():
    types = {name: where for name, where in homes().items() if not name.isupper()}
    assert len(types) > 200
    assert {name: where for name, where in types.items() if len(where) > 1} == {}


def test_a_name_that_others_import_is_defined_once():
    """A module's own constants may have short names; nobody else reads them."""
    taken = imports()
    read = {
        name: where
        for name, where in homes().items()
        if any((module, name) in taken for module in where)
    }
    assert len(read) > 200
    assert {name: where for name, where in read.items() if len(where) > 1} == {}


def names_from_elsewhere(tree):
    """The names that a module takes from others: those that it imports, and attributes."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or '').split('.')
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from (part for alias in node.names for part in alias.name.split('.'))
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ('self', 'cls'):
            yield node.attr


def test_tests_use_no_private_names():
    found = {}
    for path in (ROOT / 'test').rglob('*.py'):
        names = {*names_from_elsewhere(ast.parse(path.read_text()))} - OF_NAMED_TUPLES
        private = {one for one in names if one.startswith('_') and not one.endswith('__')}
        if private:
            found[path.name] = private
    assert found == {}
