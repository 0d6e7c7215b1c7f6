/* msd.h: what the two files of msd tell each other. */
#ifndef PLAN_MSD_H
#define PLAN_MSD_H

#include "plan/route.h"

/* Items of a chunk of level 1. */
uint32_t plan_msd_chunk(const struct route *route);

/* Whether level 1 counts the leaves. */
int plan_msd_counts_leaves(const struct route *route);

/* Whether leaves that are too large are cut in two (cl/sorts/msd/large.h). */
int plan_msd_cuts_leaves(const struct route *route);

/* Rests that rooms hold, and bytes of these and of what lies behind the rooms; 0 if keys have no
 * short rests. */
uint64_t plan_msd_num_room_items(const struct route *route);
uint64_t plan_msd_rest_bytes(const struct route *route);

/* Bytes of all blocks of level 1. */
uint64_t plan_msd_block_bytes(const struct route *route);

/* Bytes of local memory of cl/sorts/sample/sample.cl: counts, few keys; of floats that it may map,
 * a scan. */
uint32_t plan_msd_sample_local(const struct problem *problem);

#endif
