// Copyright 2026 ik_circles contributors
// SPDX-License-Identifier: Apache-2.0

/* The limit to compare with: the same closed form as ik_circles.inverse in plain C, both elbow branches, each joint
 * turned by whole turns into its limits. No families and no rounding windows at limits: the bare formulas. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <time.h>

#define TURN 6.283185307179586476925286766559

typedef struct { double length[3], lower[3], upper[3]; } Arm;

/* The lowest turn of the angle inside the limits; returns how many turns are inside. */
static int turn_into(double angle, double lower, double upper, double *first)
{
    if (isinf(lower)) {
        *first = angle - TURN * round(angle / TURN);
        return 1;
    }
    *first = angle + TURN * ceil((lower - angle) / TURN);
    return *first > upper ? 0 : 1 + (int)((upper - *first) / TURN);
}

/* joints[0] elbow left of the line from base to wrist, joints[1] right, NaN where a limit forbids it; returns the
 * number of solutions, every turn counted. */
static int solve(const Arm *arm, const double *target, double joints[2][3])
{
    const double a = arm->length[0], b = arm->length[1], x = target[0], y = target[1], phi = target[2];
    const double wrist_x = x - arm->length[2] * cos(phi), wrist_y = y - arm->length[2] * sin(phi);
    const double squared = wrist_x * wrist_x + wrist_y * wrist_y;
    const double along = (squared + (a - b) * (a + b)) / (2.0 * squared);
    const double aside_squared = a * a / squared - along * along;
    int count = 0;
    for (int branch = 0; branch < 2; ++branch) {
        joints[branch][0] = joints[branch][1] = joints[branch][2] = NAN;
        if (!(aside_squared >= 0.0))
            continue;
        const double aside = branch ? -sqrt(aside_squared) : sqrt(aside_squared);
        const double elbow_x = along * wrist_x - aside * wrist_y, elbow_y = along * wrist_y + aside * wrist_x;
        const double upper_arm = atan2(elbow_y, elbow_x);
        const double forearm = atan2(wrist_y - elbow_y, wrist_x - elbow_x);
        const double angles[3] = {upper_arm, forearm - upper_arm, phi - forearm};
        double q[3];
        int turns = 1;
        for (int joint = 0; joint < 3; ++joint)
            turns *= turn_into(angles[joint], arm->lower[joint], arm->upper[joint], &q[joint]);
        if (turns)
            for (int joint = 0; joint < 3; ++joint)
                joints[branch][joint] = q[joint];
        count += turns;
    }
    return count;
}

/* Solves targets[n][3] (x, y, phi) into joints[n][2][3] and counts[n]; returns the seconds that took. */
double closed_form(const Arm *arm, long n, const double *targets, double *joints, int *counts)
{
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long i = 0; i < n; ++i)
        counts[i] = solve(arm, targets + 3 * i, (double (*)[3])(joints + 6 * i));
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
}
