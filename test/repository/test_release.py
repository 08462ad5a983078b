# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""A release: what is said in several files agrees, and the release check names what is left."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ik_circles

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / 'scripts' / 'release_check'
#: A checkout as the release check reads it, in which everything is known.
KNOWN = {
    'package.xml': '<package><version>1.2.3</version>'
    '<maintainer email="someone@robots.org">Someone</maintainer>\n'
    '<url type="repository">https://git.robots.org/ik_circles</url></package>\n',
    'ik_circles/__init__.py': "__version__ = '1.2.3'\n",
    'CITATION.cff': 'version: 1.2.3\n'
    'repository-code: https://git.robots.org/ik_circles\n'
    "date-released: '2026-12-24'\n",
    'CHANGELOG.rst': 'Changes\n=======\n\n1.2.3 (2026-12-24)\n------------------\n* All of it.\n',
    'README.md': 'For example. Contact: see package.xml.\n',
}
#: What takes the place of what, and a word of the sentence that names it.
LEFT = [
    ('package.xml', 'someone@robots.org', 'me@home.example', 'package.xml:1: me@home.example is'),
    ('package.xml', 'git.robots.org/ik', 'example.com/ik', 'package.xml:2: https://example.com/ik_'),
    ('package.xml', 'git.robots.org', 'x.invalid', 'package.xml:2: https://x.invalid/ik_'),
    ('README.md', 'package.xml', 'https://a.example/b', 'README.md:1: https://a.example/b'),
    ('ik_circles/__init__.py', '1.2.3', '1.2.4', '__init__.py: the version is 1.2.4; package.xml'),
    ('CITATION.cff', 'version: 1.2.3', '', 'CITATION.cff: the version is missing; package.xml has'),
    ('CITATION.cff', 'git.robots', 'old.robots', 'CITATION.cff: repository-code is missing or'),
    ('CITATION.cff', "date-released: '2026-12-24'", '', 'CITATION.cff: date-released is missing'),
    ('CHANGELOG.rst', '1.2.3 (2026-12-24)', 'Forthcoming', 'CHANGELOG.rst: begins with Forth'),
    ('CHANGELOG.rst', '1.2.3 (', '1.2.2 (', 'CHANGELOG.rst: begins with 1.2.2 (2026-12-24);'),
]


def checked(folder):
    """Exit code of the release check, and its sentences."""
    command = [sys.executable, CHECK, folder]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.stderr == ''
    return ran.returncode, ran.stdout.splitlines()


@pytest.fixture
def known(tmp_path):
    for name, text in KNOWN.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def package():
    return ElementTree.parse(ROOT / 'package.xml')


def test_a_checkout_in_which_everything_is_known_is_ready(known):
    assert checked(known) == (0, ['ready to be released'])


@pytest.mark.parametrize(('name', 'text', 'instead', 'words'), LEFT)
def test_what_is_left_is_named(known, name, text, instead, words):
    path = known / name
    assert text in path.read_text()
    path.write_text(path.read_text().replace(text, instead))
    code, sentences = checked(known)
    assert code == 1
    assert any(words in sentence for sentence in sentences), sentences


def test_placeholders_stand_in_one_place():
    """The check runs on this checkout, too; it is no failure that something is left."""
    _, sentences = checked(ROOT)
    places = {one.partition(':')[0] for one in sentences if one.endswith('is a placeholder')}
    assert places <= {'package.xml'}


def test_versions_agree():
    version = package().findtext('version')
    assert version == ik_circles.__version__
    assert re.findall(r'^version: (.*)$', (ROOT / 'CITATION.cff').read_text(), re.M) == [version]
    heading = re.findall(r'^(\S.*)\n-+$', (ROOT / 'CHANGELOG.rst').read_text(), re.M)[0]
    assert heading == 'Forthcoming' or heading.startswith(f'{version} (')
    assert not [one for one in checked(ROOT)[1] if 'the version is' in one]


def test_pip_has_the_contact_and_urls_of_the_ros_package(monkeypatch):
    given = {}
    monkeypatch.setattr('setuptools.setup', lambda **named: given.update(named))
    monkeypatch.chdir(ROOT)
    exec((ROOT / 'setup.py').read_text(), {})
    assert given['maintainer_email'] == package().find('maintainer').get('email')
    assert set(given['project_urls']) == {'website', 'repository', 'bugtracker'}
    assert all(url.startswith('https://') for url in given['project_urls'].values())


def test_the_ros_package_is_valid():
    parsed = pytest.importorskip('catkin_pkg.package').parse_package(ROOT / 'package.xml')
    parsed.validate()
    assert parsed.licenses == ['Apache-2.0'] and [one.name for one in parsed.authors]


def test_the_changelog_can_be_read_by_the_tools_that_release():
    """As catkin_prepare_release closes it, and bloom reads it."""
    read = pytest.importorskip('catkin_pkg.changelog')
    tool = pytest.importorskip('catkin_pkg.package_version')
    text, version = (ROOT / 'CHANGELOG.rst').read_text(), ik_circles.__version__
    if label := tool.get_forthcoming_label(text):
        text = tool.rename_section(text, label, f'{version} (2026-12-24)')
    changes = read.Changelog('ik_circles')
    read.populate_changelog_from_rst(changes, text)
    first, date, content = next(changes.foreach_version())
    assert (first, bool(date)) == (version, True)
    bullets = [len(list(one)) for one in content if isinstance(one, read.BulletList)]
    assert sum(bullets) >= len(re.findall(r'^\* ', text, re.M)) > 20


def test_every_claim_of_quality_has_its_evidence():
    """A link or a script, unless it says that there is nothing; tests and scripts exist."""
    page = (ROOT / 'QUALITY_DECLARATION.md').read_text()
    tables = re.findall(r'^\|.*\| evidence \|\n\|[-|]+\n((?:\|.*\n)+)', page, re.M)
    rows = [row.strip('|').split(' | ') for table in tables for row in table.splitlines()]
    assert len(rows) > 25
    for what, holds, evidence in rows:
        if not re.match(r'no\b|not tried|does not apply', holds.strip()):
            assert re.search(r'\]\(|`|this page', evidence), what
    tests = ''.join(path.read_text() for path in (ROOT / 'test').rglob('test_*.py'))
    assert all(f'def {name}(' in tests for name in re.findall(r'`(test_\w+)`', page))
    assert all((ROOT / name).exists() for name in re.findall(r'`(scripts/\w+)`', page))


def test_the_hooks_run_what_the_test_script_runs():
    yaml = pytest.importorskip('yaml')
    configured = yaml.safe_load((ROOT / '.pre-commit-config.yaml').read_text())
    (local,) = configured['repos']
    *checks, tests = local['hooks']
    assert (tests['entry'], tests['stages']) == ('scripts/test', ['pre-push'])
    commands = [hook['entry'].removeprefix('.venv/bin/') for hook in checks]
    line = ' && '.join(one for one in commands if not one.startswith('python '))
    assert line in (ROOT / 'scripts' / 'test').read_text().splitlines()
    assert 'python docs/modules.py' in commands


def test_the_workflow_has_every_release_of_ros_and_says_that_it_has_not_run():
    text = (ROOT / '.github' / 'workflows' / 'full_ros.yml').read_text()
    assert 'This workflow has never run' in text
    job = pytest.importorskip('yaml').safe_load(text)['jobs']['test']
    releases = {one['distro']: one['ubuntu'] for one in job['strategy']['matrix']['include']}
    assert {'humble', 'jazzy', 'kilted', 'rolling'} <= set(releases)
    assert releases['humble'] == 'jammy' and releases['jazzy'] == 'noble'


def test_the_citation_is_valid():
    """The required keys of version 1.2.0 of the format, and no others than it has."""
    yaml = pytest.importorskip('yaml')
    citation = yaml.safe_load((ROOT / 'CITATION.cff').read_text())
    assert {'cff-version', 'message', 'title', 'authors'} <= set(citation)
    assert citation['cff-version'] == '1.2.0' and citation['license'] == 'Apache-2.0'
    assert all(set(author) & {'name', 'family-names'} for author in citation['authors'])
