# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The documents: links and pictures exist, tables say what holds, and what is to be typed runs."""

import ast
import doctest
import importlib
import re
import shlex
from pathlib import Path

import pytest

import ik_circles
from ik_circles.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
README, CONTRIBUTING = ROOT / 'README.md', ROOT / 'CONTRIBUTING.md'
PAGES = tuple(sorted((ROOT / 'docs').glob('*.md')))
QUALITY = ROOT / 'QUALITY_DECLARATION.md'
DOCUMENTS = README, CONTRIBUTING, QUALITY, *PAGES, *sorted((ROOT / 'benchmarks').glob('*.md'))
#: What scripts/figures draws: figures, of which write_figures lists the names, and examples.
DRAWN = re.compile(r'write_figures\(([^)]*)\)|write\(\s*\'(\w+)\'')
SHOWN = re.compile(r'(?:src|srcset)="([^"]+)"|!\[[^]]*\]\(([^)]+)\)')
LINK = re.compile(r'(?<!!)\[[^]]+\]\(([^)\s]+)\)')
ROW = re.compile(r'^\| `?(\w+)`? \| `?([^|]*?)`? \|', re.MULTILINE)

each_document = pytest.mark.parametrize('document', DOCUMENTS, ids=lambda path: path.name)


def pictures(document):
    """Files that a document shows."""
    for found in SHOWN.findall(document.read_text()):
        yield (document.parent / ''.join(found)).resolve()


def blocks(document, language):
    """Code of a language in a document."""
    return re.findall(rf'```{language}\n(.*?)```', document.read_text(), re.DOTALL)


def anchors(document):
    """What a link into a document may end in: its headings, as GitHub writes them."""
    for heading in re.findall(r'^#+ (.*)$', document.read_text(), re.MULTILINE):
        yield re.sub(r'[^\w\- ]', '', heading.lower()).replace(' ', '-')


@pytest.fixture
def modules(monkeypatch):
    """The script that writes the map of the modules."""
    monkeypatch.syspath_prepend(str(ROOT / 'docs'))
    return importlib.import_module('modules')


def section(document, heading):
    """The text of a document from a heading to the next one of its rank."""
    rank = heading.partition(' ')[0]
    return document.read_text().partition(f'\n{heading}\n')[2].partition(f'\n{rank} ')[0]


# --- links and pictures ---


@each_document
def test_every_link_leads_somewhere(document):
    for link in LINK.findall(document.read_text()):
        if link.startswith(('http://', 'https://')):
            continue
        path, _, anchor = link.partition('#')
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_is_short_and_lists_every_page():
    assert len(README.read_text().splitlines()) <= 130
    listed = set(LINK.findall(section(README, '## Where the rest is')))
    assert {f'docs/{page.name}' for page in PAGES} <= listed


@each_document
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


@each_document
def test_every_picture_has_one_for_dark_pages(document):
    light = {path for path in pictures(document) if not path.stem.endswith('-dark')}
    dark = set(pictures(document)) - light
    here = {path for path in light if path.parent.name == 'figures'}
    assert {path.with_stem(f'{path.stem}-dark') for path in here} == dark


# --- what is to be typed ---


@pytest.mark.parametrize(
    ('document', 'results'),
    (
        (README, 3),
        (ROOT / 'docs' / 'python.md', 12),
        (ROOT / 'docs' / 'methods.md', 0),
        (ROOT / 'docs' / 'lerobot.md', 4),
    ),
    ids=lambda value: getattr(value, 'name', None),
)
def test_the_python_of_a_document_gives_the_results_it_shows(document, results, monkeypatch):
    """What a comment shows after an arrow is compared; … stands for further digits."""
    monkeypatch.chdir(ROOT)
    compared = 0
    for source in blocks(document, 'python'):
        lines, names = source.splitlines(), {}
        for statement in ast.parse(source).body:
            text = ast.unparse(statement)
            if not isinstance(statement, ast.Expr):
                exec(text, names)
                continue
            value = str(eval(text, names))
            shown = lines[statement.end_lineno - 1][statement.end_col_offset :]
            if '# -> ' in shown:
                pattern = re.escape(shown.partition('# -> ')[2]).replace('…', r'\d*')
                assert re.fullmatch(pattern, value), text
                compared += 1
    assert compared >= results


@pytest.mark.parametrize(
    'document', (README, ROOT / 'docs' / 'command_line.md'), ids=lambda path: path.name
)
def test_the_commands_of_a_document_reach_their_targets(document, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(ROOT)
    lines = ''.join(blocks(document, 'sh')).splitlines()
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith('ik-circles')]
    ran = 0
    for command in commands:
        if 'view' in command:
            continue
        if '--plot' in command:
            pytest.importorskip('matplotlib')
            command[-1] = str(tmp_path / command[-1])
        assert main(command[1:]) == 0, command
        assert capsys.readouterr().out
        ran += 1
    assert ran >= 3


def test_the_examples_in_the_help_of_the_package_hold(monkeypatch):
    monkeypatch.chdir(ROOT)
    tried = doctest.testmod(ik_circles)
    assert tried.attempted >= 10
    assert tried.failed == 0


# --- what is said in two places ---


def test_the_map_of_the_modules_says_what_they_say(modules):
    page = CONTRIBUTING.read_text()
    assert page == modules.with_map(page), 'run python docs/modules.py'


def test_every_file_that_contributors_are_sent_to_exists():
    written = CONTRIBUTING.read_text().partition('## The modules')[0]
    places = re.findall(r'`([\w.]+/[\w./]*)`', written)
    assert len(places) > 30
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_the_table_of_codes_has_every_code():
    rows = ROW.findall((ROOT / 'docs' / 'codes.md').read_text())
    assert rows[1:] == [(str(code.value), code.name) for code in ik_circles.Code]


def test_the_table_of_moveits_codes_has_every_code_that_is_answered():
    rows = ROW.findall(section(ROOT / 'docs' / 'moveit.md', '## The services'))
    source = (ROOT / 'ik_circles' / 'ros' / 'moveit_ik.py').read_text()
    told = {name for name, _ in rows if name.isupper()}
    assert told == set(re.findall(r"'([A-Z]+(?:_[A-Z]+)*)'", source)) and 'SUCCESS' in told
