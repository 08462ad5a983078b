# Copyright 2026 ik_circles contributors
# SPDX-License-Identifier: Apache-2.0

# The environment that scripts/setup makes: ROS 2 in .venv, and the package built into .colcon/install.
# Source it from any folder, in bash, zsh or dash: . path/to/scripts/env.sh
# After `export DISTRO=kilted`, it is that of ROS 2 Kilted: .venv-kilted and .colcon-kilted.

# This file's own name. Only bash and zsh know it. Others, such as dash, have it open while they read it.
if [ -n "${BASH_VERSION:-}" ]; then
  _ik_file=${BASH_SOURCE:-}
elif [ -n "${ZSH_VERSION:-}" ]; then
  eval '_ik_file=${(%):-%x}'
else
  _ik_file=
  for _ik_open in "/proc/$(exec sh -c 'echo "$PPID"')/fd"/*; do
    case $(readlink -- "$_ik_open") in */scripts/env.sh) _ik_file=$(readlink -- "$_ik_open") ;; esac
  done
fi
_ik_file=$(readlink -f -- "${_ik_file:-$PWD/scripts/env.sh}") # it may be a link
_ik_root=$(CDPATH='' cd -- "$(dirname -- "$_ik_file")/.." && pwd)
_ik_distro=${DISTRO:-jazzy}
[ "$_ik_distro" = jazzy ] && _ik_beside='' || _ik_beside=-$_ik_distro
_ik_install=$_ik_root/.colcon$_ik_beside/install
if [ ! -d "$_ik_root/.venv$_ik_beside/lib" ]; then
  echo "scripts/env.sh: there is no $_ik_root/.venv$_ik_beside: run scripts/setup first" >&2
  unset _ik_file _ik_open _ik_root _ik_distro _ik_beside _ik_install
  return 1
fi
export VIRTUAL_ENV="$_ik_root/.venv$_ik_beside"
if [ -n "${ROS_DISTRO:-}" ]; then
  echo "The scripts use their own ROS 2 in .venv$_ik_beside ($_ik_distro); the sourced ROS 2 $ROS_DISTRO is ignored." >&2
fi
unset ROS_DISTRO RMW_IMPLEMENTATION COLCON_PREFIX_PATH PYTHONHOME _ROS_WHEELS_BOOTSTRAP_COMPLETE
export PATH="$_ik_install/bin:$VIRTUAL_ENV/bin:$PATH"
export CMAKE_PREFIX_PATH="$VIRTUAL_ENV"
# The variables that colcon's own setup.sh would set; that script fails if the path has a space.
export AMENT_PREFIX_PATH="$_ik_install:$VIRTUAL_ENV"
export LD_LIBRARY_PATH="$_ik_install/lib"
export PYTHONPATH="$_ik_install/lib/$(cd -- "$VIRTUAL_ENV/lib" && echo python3*)/site-packages"
if [ -z "${ROS_AUTOMATIC_DISCOVERY_RANGE:-}" ]; then
  export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
  echo 'ROS nodes of this shell find only those on this machine (ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST).' \
    'For others: export ROS_AUTOMATIC_DISCOVERY_RANGE=SUBNET' >&2
fi
unset _ik_file _ik_open _ik_root _ik_distro _ik_beside _ik_install
