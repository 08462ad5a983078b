# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""The documentation site: `scripts/docs` builds it, and docs.ros.org by `rosdoc2.yaml`.

The pages are written for GitHub first. What Sphinx reads differently is rewritten as it is read:
pictures for light and dark, and links to files outside of docs/.
"""

import os
import re
import sys
from pathlib import Path

from docutils import nodes
from sphinx.domains.python import PyXRefRole

try:
    from latex2mathml.converter import convert
except ModuleNotFoundError:
    convert = None

# --- where things are ---


def root_of_the_repository():
    """Folder with package.xml: above this one, or on the path where rosdoc2 builds a copy."""
    for place in (Path(__file__).resolve().parents[1], *map(Path, sys.path)):
        if (place / 'package.xml').is_file() and (place / 'ik_circles').is_dir():
            return place.resolve()
    raise RuntimeError('docs/conf.py: there is no package.xml above it or on sys.path')


ROOT = root_of_the_repository()
sys.path.insert(0, str(ROOT))
import ik_circles  # noqa: E402
import ik_circles.bridges.lerobot  # noqa: E402
import ik_circles.control.motion  # noqa: E402
import ik_circles.limbs  # noqa: E402
import ik_circles.planar.redundancy  # noqa: E402

#: Names that a docstring may link to.
PUBLIC = {
    name
    for package in (
        ik_circles, ik_circles.bridges.lerobot, ik_circles.control, ik_circles.control.motion,
        ik_circles.limbs, ik_circles.planar.redundancy,
    )
    for name in package.__all__
}  # fmt: skip

#: Pages of the site whose text is elsewhere: in docs/site/ they are a line for GitHub.
ELSEWHERE = {
    'site/benchmarks': ['benchmarks/README.md'],
    'site/results': ['benchmarks/results.md'],
    'site/contributing': ['CONTRIBUTING.md'],
    'site/changelog': ['CHANGELOG.rst'],
    'site/messages': [
        'msg/IkStatus.msg', 'srv/CheckReachability.srv', 'action/MoveTo.action',
    ],
}  # fmt: skip
#: The page that has a file of the repository.
PAGE_OF = {file: page for page, files in ELSEWHERE.items() for file in files}
PAGE_OF['README.md'] = 'quick_start'
#: Pages that the search leaves out: they have every word, and are not about how to use it.
NOT_SEARCHED = {'site/contributing', 'site/changelog'}

# --- Sphinx ---

project = 'ik_circles'
author = 'the maintainers of ik_circles'
project_copyright = f'{author}. License: Apache-2.0'
release = version = ik_circles.__version__

# Only what rosdoc2 allows, too: Sphinx's own extensions, and MyST for Markdown.
extensions = [
    'myst_parser', 'sphinx.ext.autodoc', 'sphinx.ext.mathjax', 'sphinx.ext.napoleon',
    'sphinx.ext.viewcode',
]  # fmt: skip
root_doc = 'index'
exclude_patterns = ['_build', '__conf.py', '**/__conf*.py']
default_role = 'name'  # see below: what `PlanarArm` in a docstring is
highlight_language = 'python'

myst_enable_extensions = ['dollarmath', 'colon_fence', 'attrs_inline']
myst_fence_as_directive = ['math']  # GitHub's form of a formula
myst_heading_anchors = 4  # links to headings, spelled as GitHub spells them

# Members of a class that this package gives it, but not those of Python's own classes.
autodoc_default_options = {
    'members': True,
    'inherited-members': 'tuple, BaseException, Exception, ValueError, int, Enum, IntEnum',
}
autodoc_member_order = 'bysource'
autodoc_mock_imports = ['matplotlib']
autodoc_typehints = 'none'  # docstrings have types in words; numpy's unions fill a screen
autodoc_preserve_defaults = True
maximum_signature_line_length = 80
python_use_unqualified_type_names = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True  # attributes as a list, not as objects of their own: members have those
napoleon_preprocess_types = False

# Libraries in Python use furo or pydata; docs.ros.org uses sphinx_rtd_theme, which has no dark
# colors. furo is light and dark, as the pictures here are, and follows the reader's system.
# rosdoc2 takes sphinx_rtd_theme in its place, for all packages; so nothing here depends on furo.
html_theme = 'furo'
html_title = f'ik_circles {release}'
html_static_path = [str(ROOT / 'docs' / '_static')]
html_css_files = ['site.css']
html_show_sphinx = False
html_copy_source = False

# Where rosdoc2 runs without latex2mathml, the browser gets MathJax instead.
html_math_renderer = 'mathml' if convert is not None else 'mathjax'

# --- pages as they are on GitHub ---

PICTURE = re.compile(
    r'<picture>(?P<sources>.*?)<img alt="(?P<alt>[^"]*)" src="(?P<light>[^"]+)"'
    r'(?: width="(?P<width>[^"]+)")?>\s*</picture>',
    re.DOTALL,
)
SOURCE = re.compile(r'media="(?P<media>[^"]+)" srcset="(?P<file>[^"]+)"')
LINK = re.compile(r'(?P<text>\[[^\]]+\])\((?P<path>[^)\s#:]+)(?P<anchor>#[^)\s]*)?\)')
FENCE = re.compile(r'(^```.*?^```$)', re.MULTILINE | re.DOTALL)


def pictures(found):
    """Markdown of a picture for each kind of page and reader, of which site.css shows one."""
    files = {'': found['light'], **dict(SOURCE.findall(found['sources']))}
    moves = any('motion' in media for media in files)
    width = f':width: {found["width"]}\n' if found['width'] else ''
    text = '\n'
    for media, file in files.items():
        kind = 'on-dark' if 'dark' in media else 'on-light'
        if moves:
            kind += ' still' if 'motion' in media else ' moving'
        text += f'```{{image}} {file}\n:alt: {found["alt"]}\n:class: {kind}\n{width}```\n'
    return text


class Page:
    """A page of the site: where its text is in the repository, and where Sphinx has it."""

    def __init__(self, app, docname):
        wrapped = not Path(app.srcdir, 'conf.py').samefile(ROOT / 'docs' / 'conf.py')
        self.prefix = 'docs/' if wrapped else ''  # where rosdoc2 puts docs/
        self.name = docname.removeprefix(self.prefix)
        self.files = ELSEWHERE.get(self.name, [f'docs/{self.name}.md'])
        self.folder = Path(app.srcdir, docname).parent

    def link(self, found):
        """A link as the site needs it: to a page, to a file to download, or none to a folder."""
        target = os.path.normpath(ROOT / Path(self.files[0]).parent / found['path'])
        file = os.path.relpath(target, ROOT).replace(os.sep, '/')
        page = PAGE_OF.get(file)
        anchor = found['anchor'] or ''
        if page == 'site/messages':
            anchor = f'#{Path(file).stem.lower()}'
        elif page is None and file.startswith('docs/') and file.endswith('.md'):
            page = file.removeprefix('docs/').removesuffix('.md')
        if page is not None:
            ending = '.rst' if page == 'site/changelog' else '.md'
            here = Path(self.name).parent
            return f'{found["text"]}({os.path.relpath(page + ending, here)}{anchor})'
        if os.path.isdir(target) or file.endswith('.md'):  # nothing of the site, nor to download
            return found['text'][1:-1]
        return f'{found["text"]}({os.path.relpath(target, self.folder)})'

    def text(self, written):
        """The page's own text, or that of the files it stands for."""
        if self.name not in ELSEWHERE:
            return written
        texts = {file: (ROOT / file).read_text() for file in self.files}
        if len(texts) == 1:
            return next(iter(texts.values()))
        shown = (f'## {Path(file).stem}\n\n```text\n{text}```\n' for file, text in texts.items())
        return '# Messages\n\n' + '\n'.join(shown)


def rewrite(app, docname, source):
    """Sphinx's event source-read: a page as the site needs it."""
    page = Page(app, docname)
    if not docname.startswith(page.prefix):
        return  # a page that rosdoc2 has made
    if page.name in NOT_SEARCHED:
        app.env.metadata[docname]['nosearch'] = ''
    text = page.text(source[0])
    if not str(app.env.doc2path(docname)).endswith('.md'):
        source[0] = text
        return
    parts = FENCE.split(PICTURE.sub(pictures, text))
    source[0] = ''.join(
        part if part.startswith('```') else LINK.sub(page.link, part) for part in parts
    )


# --- formulas ---


def formula(self, node, display='inline'):
    """Write MathML, which browsers draw themselves: no script, and nothing from another server."""
    mathml = convert(node.astext(), display=display)
    self.body.append(mathml if display == 'inline' else f'<div class="math">{mathml}</div>')
    raise nodes.SkipNode


def block_formula(self, node):
    """Write a formula on a line of its own."""
    formula(self, node, 'block')


# --- names in docstrings ---

#: A field of several attributes as napoleon writes it: autodoc takes all but the last for a type.
TOGETHER = re.compile(
    r'^:(?P<kind>ivar|vartype) (?P<names>\w+(?:, \w+)+):(?P<text>.*(?:\n[ ]+.*)*)$', re.MULTILINE
)
#: Where to start: these come first in the reference.
ENTRIES = ['PlanarArm', 'load_arm', 'RobotArm']
ik_circles.__all__ = [*ENTRIES, *(one for one in ik_circles.__all__ if one not in ENTRIES)]


def one_by_one(app, what, name, obj, options, lines):
    """Sphinx's event autodoc-process-docstring: a field for each attribute, as for parameters."""
    lines[:] = TOGETHER.sub(
        lambda found: '\n'.join(
            f':{found["kind"]} {one}:{found["text"]}' for one in found['names'].split(', ')
        ),
        '\n'.join(lines),
    ).split('\n')


def name_role(name, rawtext, text, line, inliner, options=None, content=()):
    """A link if a class, function or module of that name is public; else code: x is no name."""
    if text.partition('.')[0] in {'ik_circles', *PUBLIC}:
        return PyXRefRole()('py:obj', rawtext, f'.{text}', line, inliner)
    return [nodes.literal(rawtext, text)], []


def skip_member(app, what, name, obj, skip, options):
    """Whether a member is left out: fields of tuples are in the list of their class."""
    return True if type(obj).__name__ == '_tuplegetter' else None


def setup(app):
    """Connect to Sphinx."""
    if convert is not None:
        app.add_html_math_renderer('mathml', (formula, None), (block_formula, None))
    app.connect('autodoc-skip-member', skip_member)
    app.connect('autodoc-process-docstring', one_by_one, priority=900)  # after napoleon
    app.add_role('name', name_role)
    app.connect('source-read', rewrite)
    return {'parallel_read_safe': True}
