# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Docstrings of public names pass numpydoc's validation, and the examples in them are right."""

import ast
import doctest
import enum
import functools
import importlib
import inspect
import types
from dataclasses import is_dataclass

import pytest

from ik_circles import errors

validate = pytest.importorskip('numpydoc.validate', reason='scripts/test installs numpydoc')

PACKAGES = 'ik_circles', 'ik_circles.limbs', 'ik_circles.control', 'ik_circles.bridges.lerobot'
#: Checks of numpydoc that are left out, and why.
LEFT_OUT = {
    'ES01': 'one sentence is often enough',
    'EX01': 'an example stands where one helps',
    'PR04': 'the type of a parameter is in its annotation',
    'SA01': 'few names need a See Also section',
    'SS05': 'a summary may start with the plural of what is returned',
}
MEMBERS = types.FunctionType, property, functools.cached_property, classmethod, staticmethod
ERRORS = set(vars(errors))


class PublicName(validate.Validator):
    """A name whose fields may be Attributes.

    Enumerations are not called, nor are exceptions without an `__init__` of their own, nor answers:
    classes with Attributes that are no tuple and no dataclass.
    """

    def __init__(self, obj_name):
        config = {'show_class_members': False}  # else properties count as documented attributes
        super().__init__(validate.get_doc_object(self._load_obj(obj_name), config=config))

    @property
    def is_answer(self):
        """Whether users get it without making it."""
        kind = self.obj
        if not inspect.isclass(kind) or issubclass(kind, tuple) or is_dataclass(kind):
            return False
        own = '__init__' in vars(kind)
        return issubclass(kind, enum.Enum) or not own or bool(self.doc['Attributes'])

    @property
    def doc_all_parameters(self):
        fields = [] if self.is_answer else ['Attributes']
        return self._doc_parameters(['Parameters', 'Other Parameters', *fields])

    @property
    def signature_parameters(self):
        return () if self.is_answer else super().signature_parameters


def public_names():
    """Every exported name, and the public methods and properties of exported classes."""
    for package in map(importlib.import_module, PACKAGES):
        for name in (name for name in package.__all__ if name != '__version__'):
            yield f'{package.__name__}.{name}'
            for base in getattr(getattr(package, name), '__mro__', ()):
                ours = vars(base) if base.__module__.startswith('ik_circles.') else {}
                for member in ours:
                    if member[0] != '_' and isinstance(ours[member], MEMBERS):
                        yield f'{package.__name__}.{name}.{member}'


NAMES = sorted(set(public_names()))


@pytest.mark.parametrize('name', NAMES)
def test_numpydoc_finds_no_mistake(name):
    found = validate.validate(name, PublicName)['errors']
    assert [f'{code} {text}' for code, text in found if code not in LEFT_OUT] == []


@pytest.mark.parametrize('name', NAMES)
def test_raises_names_the_errors_that_a_function_raises(name):
    checked = PublicName(name)
    named = {error for _, kinds, _ in checked.doc['Raises'] for error in kinds.split(', ')}
    tree = ast.parse('' if inspect.isclass(checked.obj) else checked.method_source)
    raises = [node for node in ast.walk(tree) if isinstance(node, ast.Raise)]
    raised = {ast.unparse(node.exc or node).partition('(')[0] for node in raises}
    assert raised & ERRORS <= named <= ERRORS


def test_every_example_is_right():
    modules = {getattr(PublicName(name).obj, '__module__', 'ik_circles') for name in NAMES}
    assert [name for name in modules if doctest.testmod(importlib.import_module(name)).failed] == []
