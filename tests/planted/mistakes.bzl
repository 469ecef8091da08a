"""The planted mistakes: NAME.patch, and the source file of mpi_ext that it changes."""

# Found by an area of the property checker.
IN_CORES = {
    "auto_ignores_cart": "cart/mapping.cc",
    "barrier_misses_a_level": "nbc/schedule_barrier.cc",
    "chain_off_by_one": "coll/tree.cc",
    "child_beyond_the_last": "coll/tree.cc",
    "colour_by_first_rank": "hierarchy/split.cc",
    "colour_off_by_one": "hierarchy/split.cc",
    "data_while_active": "monitoring/protocol.cc",
    "first_rank_for_the_root": "nbc/level_tree.cc",
    "gather_does_not_wrap": "nbc/schedule_gather.cc",
    "hop_bytes_one_way": "reorder/mapping.cc",
    "hops_at_uneven_trees": "reorder/distance.cc",
    "in_place_overwritten": "nbc/schedule_reduce.cc",
    "inverse_permutation": "cart/order.cc",
    "key_ignored": "hierarchy/guided.cc",
    "levels_off_by_one": "hierarchy/split.cc",
    "mapping_not_inverted": "reorder/treematch.cc",
    "named_from_the_top": "hierarchy/split.cc",
    "nodes_taken_as_packed": "cart/order.cc",
    "order_of_ranks_lost": "nbc/schedule.cc",
    "overlapping_groups": "hierarchy/guided.cc",
    "parting_a_level_too_low": "reorder/distance.cc",
    "partners_at_periods_of_two": "cart/partners.cc",
    "periods_forgotten": "cart/blocks.cc",
    "reset_forgets_a_kind": "monitoring/counters.cc",
    "roots_coloured_by_the_child": "hierarchy/split.cc",
    "scan_sent_twice": "nbc/schedule_scan.cc",
    "search_cut_too_early": "reorder/exhaustive.cc",
    "steps_not_counted_anew": "hierarchy/guided.cc",
    "steps_on_the_wrong_side": "nbc/schedule_scatter.cc",
    "straggler_in_first_object": "hierarchy/split.cc",
    "stragglers_of_the_world": "hierarchy/split.cc",
    "strips_rounded_first": "cart/strips.cc",
    "suspend_goes_on": "monitoring/protocol.cc",
    "tie_break_changed": "cart/blocks.cc",
    "unequal_halves_lost": "cart/kd_tree.cc",
    "unsorted_key": "hierarchy/split.cc",
    "verdicts_swapped": "monitoring/protocol.cc",
    "worse_than_before": "reorder/mapping.cc",
}

# Found by exploring the orders of messages of a program of scenarios/protocols.
IN_PROTOCOLS = {
}
