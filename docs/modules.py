# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The map of the modules in CONTRIBUTING.md: `python docs/modules.py` writes it anew.

Each row is the first paragraph of a module's docstring: the map says what the modules say.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / 'CONTRIBUTING.md'
BEGIN, END = '<!-- modules: begin -->\n', '<!-- modules: end -->\n'
#: From the top: each folder uses only what is below it.
FLOORS = (
    'cli', 'ros', 'bridges', 'viewer', 'pictures', 'control', 'robot', 'spatial', 'limbs',
    'planar', 'geometry', '',
)  # fmt: skip


def main():
    PAGE.write_text(with_map(PAGE.read_text()))


def with_map(page):
    """The page with the map of the modules as they are now."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f'{before}{BEGIN}{"".join(map(table, FLOORS))}{END}{after}'


def table(floor):
    """A heading and a row for each module of a floor, folders in it included."""
    folder = ROOT / 'ik_circles' / floor
    modules = sorted(folder.rglob('*.py') if floor else folder.glob('*.py'))
    rows = [
        f'| `{path.relative_to(folder).as_posix()}` | {summary(path)} |'
        for path in modules
        if path.parent != folder or path.name != '__init__.py'
    ]
    return '\n'.join((
        f'\n### `ik_circles/{floor}`\n', summary(folder / '__init__.py'), '',
        '| module | what it answers |', '|---|---|', *rows, '',
    ))  # fmt: skip


def summary(path):
    """The first paragraph of a module's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text()))
    return ' '.join(docstring.split('\n\n')[0].split()).replace('|', '\\|')


if __name__ == '__main__':
    main()
