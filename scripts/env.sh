# The environment that scripts/setup makes: ROS 2 in .venv, and the package built into .colcon/install.
# Source it at the root of the repository, in any POSIX shell: . scripts/env.sh
if [ -n "${ROS_DISTRO:-}" ]; then
  echo "The scripts use their own ROS 2 Jazzy in .venv; the sourced ROS 2 $ROS_DISTRO is ignored." >&2
fi
unset ROS_DISTRO RMW_IMPLEMENTATION COLCON_PREFIX_PATH PYTHONHOME _ROS_WHEELS_BOOTSTRAP_COMPLETE
export VIRTUAL_ENV="$PWD/.venv"
export PATH="$PWD/.colcon/install/bin:$VIRTUAL_ENV/bin:$PATH"
export CMAKE_PREFIX_PATH="$VIRTUAL_ENV"
# The variables that colcon's own setup.sh would set; that script fails if the path has a space.
export AMENT_PREFIX_PATH="$PWD/.colcon/install:$VIRTUAL_ENV"
export LD_LIBRARY_PATH="$PWD/.colcon/install/lib"
export PYTHONPATH="$PWD/.colcon/install/lib/$(cd .venv/lib && echo python3*)/site-packages"
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
