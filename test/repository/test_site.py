# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The documentation site: it builds without a warning, and shows what GitHub shows."""

import os
import re
import shutil
import subprocess
import time
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import ik_circles

ROOT = Path(__file__).resolve().parents[2]
#: Longest time to build the site [s]; two slow processors need 30.
PATIENCE = 300.0
#: Pictures that a page shows with a theme, by the names of their files.
SHOWN = """document.body.dataset.theme = arguments[0];
return [...document.querySelectorAll('img[class*=on-]')].filter(one => one.offsetParent !== null)
  .map(one => one.getAttribute('src').split('/').pop());"""

if not (ROOT / '.venv-docs').exists():
    pytest.skip('Sphinx is not installed: scripts/docs --setup', allow_module_level=True)


class Links(HTMLParser):
    """What a page refers to, and what may be referred to in it."""

    def __init__(self, page):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.add(given.get('id'))
        self.links += [given[name] for name in ('href', 'src') if given.get(name)]


@pytest.fixture(scope='module')
def site(tmp_path_factory):
    """Folder of the site, built as scripts/docs does: a warning is an error."""
    folder = tmp_path_factory.mktemp('site')
    ran = subprocess.run(
        [ROOT / 'scripts' / 'docs', folder], capture_output=True, text=True, timeout=PATIENCE
    )
    assert ran.returncode == 0, ran.stderr
    assert 'WARNING' not in ran.stderr
    return folder


@pytest.fixture(scope='module')
def pages(site):
    """Every page of the site, read."""
    return {page.resolve(): Links(page) for page in sorted(site.rglob('*.html'))}


def test_every_link_of_the_site_leads_somewhere_in_it(pages):
    broken = []
    for page, read in pages.items():
        if '_modules' in page.parts:  # sources: where they link back to is Sphinx's own
            continue
        for link in read.links:
            if link.startswith(('http://', 'https://', 'data:', 'mailto:', '_static/')):
                continue
            path, _, anchor = unquote(link).partition('#')
            target = Path(os.path.normpath(page.parent / path.partition('?')[0])) if path else page
            known = pages[target].anchors if target in pages else set()
            if not target.exists() or (anchor and target in pages and anchor not in known):
                broken.append(f'{page.name}: {link}')
    assert broken == []


def test_every_page_of_the_docs_and_what_stands_beside_them_is_in_the_site(site):
    written = [*(ROOT / 'docs').rglob('*.md'), *(ROOT / 'docs').rglob('*.rst')]
    names = {path.relative_to(ROOT / 'docs').with_suffix('.html') for path in written}
    assert len(names) > 20
    assert [name for name in sorted(names) if not (site / name).is_file()] == []
    for name, words in (
        ('benchmarks', 'scripts/bench'), ('results', 'Written by'),
        ('changelog', 'The first release'),
        ('contributing', 'Where a change belongs'), ('messages', 'uint8 TOO_FAR'),
    ):  # fmt: skip
        assert words in re.sub(r'<[^>]*>', '', (site / 'site' / f'{name}.html').read_text()), name


@pytest.mark.parametrize(
    'name', ['', '.bridges.lerobot', '.control', '.control.motion', '.limbs', '.planar.redundancy']
)
def test_the_reference_has_every_public_name(site, pages, name):
    known = {anchor for read in pages.values() for anchor in read.anchors}
    package = __import__(f'ik_circles{name}', fromlist=['__all__'])
    constants = {'__version__', 'REDUNDANCIES'}
    names = [f'ik_circles{name}.{one}' for one in package.__all__ if one not in constants]
    assert [one for one in names if one not in known] == []
    assert {'ik_circles.PlanarArm.solve', 'ik_circles.RobotArm.straight_line'} <= known


def test_no_attribute_is_the_type_of_another(site):
    """Fields that share a line are fields of their own: `sweep (start,)` was one."""
    for page in sorted((site / 'api').glob('*.html')):
        assert re.findall(r'<strong>\w+</strong> \(<em>[^()]*,</em>\)', page.read_text()) == []
    arc = (site / 'api' / 'ik_circles.html').read_text()
    for name in ('start', 'sweep'):
        assert f'<strong>{name}</strong> (<em>float</em>)' in arc


def test_the_reference_begins_with_where_to_start(site):
    page = (site / 'api' / 'ik_circles.html').read_text()
    entries = ['PlanarArm', 'load_arm', 'RobotArm']
    names = re.findall(r'<dt class="sig sig-object py" id="ik_circles\.(\w+)">', page)
    assert names[:3] == entries
    introduction = page.partition('<dt class="sig')[0].partition('<article')[2]
    for name in entries:
        assert f'href="#ik_circles.{name}"' in introduction
    for page_name, module in (('limbs', 'limbs'), ('control', 'control')):
        assert f'href="{page_name}.html#module-ik_circles.{module}"' in introduction


def test_pictures_and_formulas_are_drawn_without_another_server(site):
    page = (site / 'derivation.html').read_text()
    assert '<math' in page and '\\frac' not in re.sub(r'<annotation.*?</annotation>', '', page)
    light, dark = (len(re.findall(f'class="on-{kind}"', page)) for kind in ('light', 'dark'))
    assert light == dark == (ROOT / 'docs' / 'derivation.md').read_text().count('<picture>')
    for read in site.rglob('*.html'):
        assert not re.findall(r'<(?:script|link|img)[^>]* (?:src|href)="https?:', read.read_text())


def test_the_site_and_the_package_say_which_version_they_are(site):
    assert f'ik_circles {ik_circles.__version__}' in (site / 'index.html').read_text()


@pytest.fixture(scope='module')
def browser():
    """A headless Chromium."""
    webdriver = pytest.importorskip('selenium.webdriver', reason='selenium is not installed')
    chromium, driver = (shutil.which(name) for name in ('chromium', 'chromedriver'))
    if not (chromium and driver):
        pytest.skip('no Chromium: apt-get install chromium chromium-driver')
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ('--headless=new', '--no-sandbox', '--disable-dev-shm-usage'):
        options.add_argument(argument)
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield opened
    opened.quit()


@pytest.mark.parametrize('colors', ['light', 'dark'])
@pytest.mark.parametrize('motion', ['reduce', 'no-preference'])
def test_of_each_picture_the_one_that_fits_the_reader_is_shown(browser, site, colors, motion):
    wishes = {'prefers-color-scheme': colors, 'prefers-reduced-motion': motion}
    browser.execute_cdp_cmd(
        'Emulation.setEmulatedMedia',
        {'features': [{'name': name, 'value': value} for name, value in wishes.items()]},
    )
    written = (ROOT / 'docs' / 'methods.md').read_text()
    browser.get((site / 'methods.html').as_uri())
    for theme in ('auto', 'light', 'dark'):  # what furo's button writes there
        give_up = time.monotonic() + PATIENCE
        while len(shown := browser.execute_script(SHOWN, theme)) != written.count('<picture>'):
            assert time.monotonic() < give_up, shown  # its styles are still being read
            time.sleep(0.05)
        dark = {'auto': colors}.get(theme, theme) == 'dark'
        assert all(('-dark.' in name) == dark for name in shown)
        assert any(name.endswith('.gif') for name in shown) == (motion == 'no-preference')


@pytest.mark.parametrize('width', [390, 1366, 1920])
def test_no_page_is_wider_than_the_screen(browser, site, width):
    size = {'width': width, 'height': 800, 'deviceScaleFactor': 1, 'mobile': width < 500}
    browser.execute_cdp_cmd('Emulation.setDeviceMetricsOverride', size)
    wide = []
    for page in (page for page in site.rglob('*.html') if '_modules' not in page.parts):
        browser.get(page.as_uri())
        if browser.execute_script('return document.documentElement.scrollWidth') > width:
            wide.append(page.name)
    assert wide == []
