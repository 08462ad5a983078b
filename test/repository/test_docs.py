"""The documents: what is shown exists, what is drawn is shown, and the README's Python runs."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md'))
#: What scripts/figures draws: figures, of which write_figures lists the names, and examples.
DRAWN = re.compile(r'write_figures\(([^)]*)\)|write\(\s*\'(\w+)\'')
SHOWN = re.compile(r'(?:src|srcset)="([^"]+)"|!\[[^]]*\]\(([^)]+)\)')


def pictures(document):
    """Files that a document shows."""
    for found in SHOWN.findall(document.read_text()):
        yield (document.parent / ''.join(found)).resolve()


@pytest.mark.parametrize('document', DOCUMENTS, ids=lambda path: path.name)
def test_every_picture_that_is_shown_exists(document):
    assert [path for path in pictures(document) if not path.is_file()] == []


def test_every_picture_is_drawn_and_shown():
    files = set((ROOT / 'docs' / 'figures').iterdir())
    shown = {path for document in DOCUMENTS for path in pictures(document)}
    assert files - shown == set()
    scripts = re.findall(r'[\w/]+\.py', (ROOT / 'scripts' / 'figures').read_text())
    drawn = set()
    for script in scripts:
        for figures, example in DRAWN.findall((ROOT / script).read_text()):
            drawn |= {example} if example else set(re.findall(r'\w+', figures))
    assert len(drawn) > len(scripts)
    assert drawn == {path.stem.removesuffix('-dark') for path in files}


@pytest.mark.parametrize('document', DOCUMENTS, ids=lambda path: path.name)
def test_every_picture_has_one_for_dark_pages(document):
    light = {path for path in pictures(document) if not path.stem.endswith('-dark')}
    dark = set(pictures(document)) - light
    here = {path for path in light if path.parent.name == 'figures'}
    assert {path.with_stem(f'{path.stem}-dark') for path in here} == dark


def test_the_python_of_the_readme_says_what_the_readme_says(monkeypatch):
    monkeypatch.chdir(ROOT)
    (source,) = re.findall(r'```python\n(.*?)```', (ROOT / 'README.md').read_text(), re.DOTALL)
    lines, names, compared = source.splitlines(), {}, 0
    for statement in ast.parse(source).body:
        text = ast.unparse(statement)
        if not isinstance(statement, ast.Expr):
            exec(text, names)
            continue
        value = str(eval(text, names))
        said = lines[statement.end_lineno - 1][statement.end_col_offset :].partition('# ')[2]
        if text.endswith(('.message', '.nearest', '.notes')) or '{' in said:
            pattern = re.escape(said).replace('…', r'\d*')
            assert re.fullmatch(pattern, value), text
            compared += 1
    assert compared >= 6
