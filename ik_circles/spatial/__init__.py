"""The arm in space: a yaw joint may turn its plane. It knows angles, no names and no URDF."""
