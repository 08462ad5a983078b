# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

"""Which mesh files are read: those of packages and of the URDF's folder, up to a size."""

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

from ik_circles.viewer.mesh_files import MeshFiles

trimesh = pytest.importorskip('trimesh', reason='the extra viewer is not installed')


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Boxes in a package, in its source, in a URDF's folder, and in a folder of neither."""
    for folder in ('install/share/arm/meshes', 'install/share/other', 'src/arm', 'urdf/meshes',
                   'home'):  # fmt: skip
        (tmp_path / folder).mkdir(parents=True)
        trimesh.creation.box((1.0, 1.0, 1.0)).export(tmp_path / folder / 'box.stl')
    (tmp_path / 'src/arm/package.xml').write_text('<package/>')
    monkeypatch.setenv('AMENT_PREFIX_PATH', f'/nothing:{tmp_path / "install"}')
    return tmp_path


def _reads(name: str, folder: Path | None = None, largest: float = 50.0) -> bool:
    return len(MeshFiles(folder, largest).load(name)) == 1


def test_meshes_of_packages_are_read(places: Path) -> None:
    assert _reads('package://arm/meshes/box.stl')
    assert _reads('package://other/box.stl')
    for name in ('install/share/arm/meshes', 'src/arm'):
        assert _reads(f'file://{places / name}/box.stl')
        assert _reads(f'{places / name}/box.stl')
    (places / 'install/share/arm/linked.stl').symlink_to(places / 'src/arm/box.stl')
    assert _reads('package://arm/linked.stl')  # as colcon build --symlink-install makes them


def test_meshes_of_the_folder_of_the_urdf_are_read(places: Path) -> None:
    folder = places / 'urdf'
    for name in ('meshes/box.stl', './meshes/box.stl', f'{folder}/meshes/box.stl',
                 f'file://{folder}/meshes/box.stl', 'meshes/../meshes/box.stl'):  # fmt: skip
        assert _reads(name, folder)
        assert not _reads(name)


@pytest.mark.parametrize(
    'name',
    [
        'package://arm/../../../home/box.stl',
        'package://arm/meshes/../../other/box.stl',  # even into another package
        'package://arm/%2e%2e/%2e%2e/%2e%2e/home/box.stl',
        'package://../home/box.stl',
        'package://../../home/box.stl',
        'package://./../home/box.stl',
        'package://arm/{home}/box.stl',
        'package:///{home}/box.stl',
        'package://arm/out.stl',  # a link
        'package://arm/folder/box.stl',  # in a folder that is a link
        'file://{home}/box.stl',
        'file://{home}/../home/box.stl',
        '{home}/box.stl',
        '../home/box.stl',
        'meshes/../../home/box.stl',
        '%2e%2e/home/box.stl',
        'out.stl',
        'http://127.0.0.1/box.stl',
        '~/box.stl',
        'meshes',
        '',
        'a\0b',
        '/dev/zero',
        '/proc/self/environ',
    ],
)
def test_no_other_file_is_read(name: str, places: Path) -> None:
    package = places / 'install/share/arm'
    for link in (package / 'out.stl', places / 'urdf/out.stl'):
        link.symlink_to(places / 'home/box.stl')
    (package / 'folder').symlink_to(places / 'home')
    name = name.format(home=places / 'home')
    assert not _reads(name, places / 'urdf')
    assert not _reads(name)


def test_a_mesh_names_no_other_file_either(places: Path) -> None:
    """The colors of a mesh are in a file that it names."""

    def color(library: str) -> object:
        (places / 'urdf/box.obj').write_text(
            f'mtllib {library}\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n'
        )
        (mesh,) = MeshFiles(places / 'urdf').load('box.obj')
        look = getattr(mesh.visual, 'material', mesh.visual)
        return tuple(look.main_color[:3])

    for folder in ('urdf', 'home'):
        (places / folder / 'colors.mtl').write_text('newmtl red\nKd 1 0 0\n')
    assert color('colors.mtl') == (255, 0, 0)
    for other in ('../home/colors.mtl', f'{places}/home/colors.mtl'):
        assert color(other) != (255, 0, 0)


def test_a_folder_that_is_not_known_is_not_spoken_of(
    places: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With `ros2 launch`, a mesh in the URDF's folder was said not to be there."""
    with caplog.at_level(logging.WARNING):
        assert not _reads(f'file://{places}/urdf/meshes/box.stl')
    assert caplog.records[0].getMessage().endswith(
        'meshes/box.stl is in no package that is sourced; bars are drawn instead'
    )


def test_a_file_that_is_too_large_is_not_read(places: Path) -> None:
    file = places / 'urdf/meshes/box.stl'
    megabytes = file.stat().st_size / 1e6
    assert _reads('meshes/box.stl', places / 'urdf', megabytes)
    assert not _reads('meshes/box.stl', places / 'urdf', megabytes - 1e-6)


@pytest.mark.parametrize(
    ('name', 'why'),
    [
        ('nothing.stl', "is not in the URDF's folder, /"),
        ('/nothing.stl', 'is not there'),
        ('package://nothing/box.stl', 'is in no package that is sourced'),
        ('../home/box.stl', "is in no package and not in the URDF's folder"),
        ('package://arm/../box.stl', 'is no name inside a package'),
        ('large.stl', 'is larger than max_mesh_size, 0.001 MB'),
        ('broken.stl', 'has no faces'),
        ('broken.dae', 'cannot be read'),
    ],
)
def test_why_a_mesh_is_not_shown_is_said_once(
    name: str, why: str, places: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (places / 'urdf/large.stl').write_bytes(bytes(2000))
    (places / 'urdf/broken.stl').write_text('solid')
    (places / 'urdf/broken.dae').write_text('<a')
    files = MeshFiles(places / 'urdf', 0.001)
    load: Callable[[str], list[object]] = files.load
    with caplog.at_level(logging.WARNING):
        assert [load(name) for _ in range(3)] == [[], [], []]
    (record,) = caplog.records
    said = record.getMessage()
    assert said.startswith(f'viewer: the mesh {name} {why}') and '\n' not in said


def test_a_hostile_name_stays_one_short_line(caplog: pytest.LogCaptureFixture) -> None:
    assert MeshFiles().load('a\nb\x1b[2J' + 10_000 * 'c') == []
    said = caplog.records[0].getMessage()
    assert said.isprintable() and len(said) < 1000
