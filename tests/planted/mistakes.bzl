"""The planted mistakes: NAME.patch, and the source file of mpi_ext that it changes."""

# Found by an area of the property checker.
IN_CORES = {
    "barrier_misses_a_level": "nbc/schedule_barrier.cc",
    "colour_by_first_rank": "hierarchy/split.cc",
    "colour_off_by_one": "hierarchy/split.cc",
    "first_rank_for_the_root": "nbc/level_tree.cc",
    "gather_does_not_wrap": "nbc/schedule_gather.cc",
    "in_place_overwritten": "nbc/schedule_reduce.cc",
    "key_ignored": "hierarchy/guided.cc",
    "levels_off_by_one": "hierarchy/split.cc",
    "named_from_the_top": "hierarchy/split.cc",
    "order_of_ranks_lost": "nbc/schedule.cc",
    "overlapping_groups": "hierarchy/guided.cc",
    "roots_coloured_by_the_child": "hierarchy/split.cc",
    "scan_sent_twice": "nbc/schedule_scan.cc",
    "steps_not_counted_anew": "hierarchy/guided.cc",
    "steps_on_the_wrong_side": "nbc/schedule_scatter.cc",
    "straggler_in_first_object": "hierarchy/split.cc",
    "stragglers_of_the_world": "hierarchy/split.cc",
    "unsorted_key": "hierarchy/split.cc",
}

# Found by exploring the orders of messages of a program of scenarios/protocols.
IN_PROTOCOLS = {
}
