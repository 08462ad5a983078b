# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The documents: links and pictures exist, tables say what holds, and what is to be typed runs."""

import ast
import doctest
import importlib
import re
import shlex
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest
import vendor_arm
from three_joints import NAMES

import ik_circles
from ik_circles.cli.main import main
from ik_circles.planar.redundancy.rules import REDUNDANCIES

ROOT = Path(__file__).resolve().parents[2]
README, CONTRIBUTING = ROOT / 'README.md', ROOT / 'CONTRIBUTING.md'
#: Those in docs/site are lines for GitHub, of pages that only the site has.
PAGES = tuple(
    path for path in sorted((ROOT / 'docs').rglob('*.md')) if path.parent.name != 'site'
)
HOW_TO = ROOT / 'docs' / 'how_to' / 'so101.md'
OWN_ARM = HOW_TO.with_name('own_arm.md')
#: What needs an arm is only run with stand-ins.
LEROBOT = 'lerobot', 'lerobot.robots', 'lerobot.robots.so_follower'
#: Pages whose Python needs ROS: test/ros runs it.
WITH_ROS = {ROOT / 'docs' / 'first_node.md'}
QUALITY = ROOT / 'QUALITY_DECLARATION.md'
DOCUMENTS = README, CONTRIBUTING, QUALITY, *PAGES, *sorted((ROOT / 'benchmarks').glob('*.md'))
#: What scripts/figures draws: figures, of which write_figures lists the names, and examples.
DRAWN = re.compile(r'write_figures\(([^)]*)\)|write\(\s*\'(\w+)\'')
SHOWN = re.compile(r'(?:src|srcset)="([^"]+)"|!\[[^]]*\]\(([^)]+)\)')
LINK = re.compile(r'(?<!!)\[[^]]+\]\(([^)\s]+)\)')
ROW = re.compile(r'^\| `?(\w+)`? \| `?([^|]*?)`? \|', re.MULTILINE)

FIGURE = re.compile(r'-?\d+\.\d+')

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
    assert {str(page.relative_to(ROOT)) for page in PAGES} <= listed


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


def with_blocks(*languages):
    """The documents that have code in one of these languages."""
    return [one for one in DOCUMENTS if any(blocks(one, language) for language in languages)]


@pytest.fixture
def where(monkeypatch, tmp_path):
    """Go to where the reader of a document is: beside a URDF, or in the repository."""

    def go(document):
        if document == HOW_TO:
            vendor_arm.put_into(tmp_path)
            for name in LEROBOT:
                monkeypatch.setitem(sys.modules, name, MagicMock())
        if document == OWN_ARM:
            (text,) = blocks(document, 'xml')
            (tmp_path / 'my_arm.urdf').write_text(text)
        monkeypatch.chdir(tmp_path if document in (HOW_TO, OWN_ARM) else ROOT)

    return go


@pytest.mark.parametrize(
    'document', sorted(set(with_blocks('python')) - WITH_ROS), ids=lambda path: path.name
)
def test_the_python_of_a_document_gives_the_results_it_shows(document, where):
    """What a comment shows after an arrow is compared; … stands for further digits."""
    where(document)
    compared = promised = 0
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
        promised += source.count('# -> ')
    assert compared == promised


def commands(document):
    """What a document lets people type that begins with ik-circles, without the browser."""
    for block in blocks(document, 'sh'):
        for line in block.replace('\\\n', ' ').splitlines():
            command = shlex.split(line, comments=True)
            if command[:1] == ['ik-circles'] and 'view' not in command:
                yield command[1:]


@pytest.mark.parametrize(
    'document',
    [one for one in with_blocks('sh') if any(commands(one))],
    ids=lambda path: path.name,
)
def test_the_commands_of_a_document_reach_their_targets(document, where, tmp_path, capsys):
    where(document)
    printed = ''
    for command in commands(document):
        if '--plot' in command:
            pytest.importorskip('matplotlib')
            command[-1] = str(tmp_path / command[-1])
        assert main(command) == 0, command
        out = capsys.readouterr().out
        assert out
        printed += out
    lines = {FIGURE.sub('#', line): FIGURE.findall(line) for line in printed.splitlines()}
    for line in (line for block in blocks(document, 'text') for line in block.splitlines()):
        figures = FIGURE.findall(line)
        assert '…' in line or FIGURE.sub('#', line) in lines, line
        same = zip(figures, lines.get(FIGURE.sub('#', line), figures), strict=True)
        assert all(abs(float(a) - float(b)) < 2e-5 for a, b in same), line


@pytest.mark.parametrize('document', with_blocks('sh'), ids=lambda path: path.name)
def test_files_that_commands_name_are_there(document):
    words = shlex.split(' '.join(blocks(document, 'sh')), comments=True)
    places = ('scripts/', 'examples/', 'urdf/', 'docs/', 'benchmarks/')
    named = {word for word in words if word.startswith(places)}
    assert [name for name in named if not (ROOT / name).exists()] == []
    for word in words:
        if word.endswith('.launch.py') and word.partition('_')[0] in ('arm', 'so101', 'two'):
            assert (ROOT / 'launch' / word).exists() or word == 'arm.launch.py', word


def test_the_node_in_the_tutorial_is_the_example():
    shown, _ = blocks(ROOT / 'docs' / 'first_node.md', 'python')  # test/ros runs the other one
    assert shown == (ROOT / 'examples' / 'circle.py').read_text().partition('"""\n\n')[2]


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


def test_every_constant_that_contributors_are_sent_to_is_in_its_file():
    """Codes are not: what raises one may have its sentence from elsewhere."""
    named = re.findall(r'`([A-Z][A-Z_]+)` in `(ik_circles/[\w/]+\.py)`', CONTRIBUTING.read_text())
    wanted = [(name, place) for name, place in named if name not in ik_circles.Code.__members__]
    assert len(wanted) >= 5
    missing = [
        f'{name} in {place}'
        for name, place in wanted
        if not re.search(rf'^{name}\b.*=', (ROOT / place).read_text(), re.MULTILINE)
    ]
    assert missing == []


def test_the_table_of_codes_has_every_code():
    rows = ROW.findall((ROOT / 'docs' / 'codes.md').read_text())
    assert rows[1:] == [(str(code.value), code.name) for code in ik_circles.Code]


def test_the_table_of_moveits_codes_has_every_code_that_is_answered():
    rows = ROW.findall(section(ROOT / 'docs' / 'moveit.md', '## The services'))
    source = (ROOT / 'ik_circles' / 'ros' / 'moveit_ik.py').read_text()
    told = {name for name, _ in rows if name.isupper()}
    assert told == set(re.findall(r"'([A-Z]+(?:_[A-Z]+)*)'", source)) and 'SUCCESS' in told


@pytest.mark.parametrize('place', ['docs/robots.md', 'CHANGELOG.rst'])
def test_every_shipped_robot_is_named(place):
    missing = [name for name in NAMES if name not in (ROOT / place).read_text()]
    assert not missing, f'name {missing} in {place}, and count them again'


@pytest.mark.parametrize('place', ['docs/methods.md', 'CHANGELOG.rst', 'PlanarArm.solve'])
def test_every_choice_of_redundancy_is_named(place):
    is_docstring = place == 'PlanarArm.solve'
    said = ik_circles.PlanarArm.solve.__doc__ if is_docstring else (ROOT / place).read_text()
    missing = [name for name in REDUNDANCIES if not re.search(rf'[`\']{name}[`\']', said)]
    assert not missing, f'explain {missing} in {place}'
