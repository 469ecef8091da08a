// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/own.h"

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/own_algorithms.h"

namespace strata::collectives {
namespace {

// MPIX_CHAIN_FANOUT, mpi_ext/mpix.h.
constexpr int kChains = 4;

Settings with_chains(Settings settings) {
  settings.fanout = kChains;
  return settings;
}

template <Generator kOnBridge>
void broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  hierarchical_broadcast(call, with_chains(settings), kOnBridge, rank, steps);
}
template <Generator kOnBridge>
void reduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  hierarchical_reduce(call, with_chains(settings), kOnBridge, rank, steps);
}
template <Generator kReduce, Generator kBroadcast>
void allreduce(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  hierarchical_allreduce(call, with_chains(settings), kReduce, kBroadcast, rank, steps);
}
template <BlockTree kTree>
void gather(const Collective& call, const Settings&, int rank, Steps& steps) {
  hierarchical_gather(call, kTree, rank, steps);
}
template <BlockTree kTree>
void scatter(const Collective& call, const Settings&, int rank, Steps& steps) {
  hierarchical_scatter(call, kTree, rank, steps);
}
template <BlockTree kTree, Generator kBroadcast>
void allgather(const Collective& call, const Settings&, int rank, Steps& steps) {
  hierarchical_allgather(call, kTree, kBroadcast, rank, steps);
}
template <BlockTree kTree>
void barrier(const Collective& call, const Settings&, int rank, Steps& steps) {
  hierarchical_barrier(call, kTree, rank, steps);
}

constexpr OwnFamily kHierarchical = OwnFamily::kHierarchical, kSplitTree = OwnFamily::kSplitTree;
constexpr BlockTree kLinear = BlockTree::kLinear, kBinomial = BlockTree::kBinomial;

constexpr OwnAlgorithm kAlgorithms[] = {
    {Operation::kBcast, kHierarchical, "linear", broadcast<linear_broadcast>},
    {Operation::kBcast, kHierarchical, "chain", broadcast<chain_broadcast>, true},
    {Operation::kBcast, kHierarchical, "pipeline", broadcast<pipeline_broadcast>, true},
    {Operation::kBcast, kHierarchical, "split_binary", broadcast<split_binary_broadcast>, true},
    {Operation::kBcast, kHierarchical, "binary", broadcast<binary_broadcast>, true},
    {Operation::kBcast, kHierarchical, "binomial", broadcast<binomial_broadcast>, true},
    {Operation::kReduce, kHierarchical, "linear", reduce<linear_reduce>},
    {Operation::kReduce, kHierarchical, "chain", reduce<chain_reduce>, true},
    {Operation::kReduce, kHierarchical, "pipeline", reduce<pipeline_reduce>, true},
    {Operation::kReduce, kHierarchical, "binary", reduce<binary_reduce>, true},
    {Operation::kReduce, kHierarchical, "binomial", reduce<binomial_reduce>, true},
    {Operation::kReduce, kHierarchical, "in_order_binary", reduce<in_order_binary_reduce>, true},
    {Operation::kAllreduce, kHierarchical, "linear", allreduce<linear_reduce, linear_broadcast>},
    {Operation::kAllreduce, kHierarchical, "chain", allreduce<chain_reduce, chain_broadcast>, true},
    {Operation::kAllreduce, kHierarchical, "pipeline", allreduce<pipeline_reduce, pipeline_broadcast>, true},
    {Operation::kAllreduce, kHierarchical, "binary", allreduce<binary_reduce, binary_broadcast>, true},
    {Operation::kAllreduce, kHierarchical, "binomial", allreduce<binomial_reduce, binomial_broadcast>, true},
    {Operation::kGather, kHierarchical, "linear", gather<kLinear>},
    {Operation::kGather, kHierarchical, "binomial", gather<kBinomial>},
    {Operation::kScatter, kHierarchical, "linear", scatter<kLinear>},
    {Operation::kScatter, kHierarchical, "binomial", scatter<kBinomial>},
    {Operation::kAllgather, kHierarchical, "linear", allgather<kLinear, linear_broadcast>},
    {Operation::kAllgather, kHierarchical, "binomial", allgather<kBinomial, binomial_broadcast>},
    {Operation::kBarrier, kHierarchical, "linear", barrier<kLinear>},
    {Operation::kBarrier, kHierarchical, "binomial", barrier<kBinomial>},
    {Operation::kBcast, kSplitTree, "tree", split_tree_broadcast, false, true},
    {Operation::kReduce, kSplitTree, "tree", split_tree_reduce, false, true},
    {Operation::kAllreduce, kSplitTree, "tree", split_tree_allreduce, false, true},
    {Operation::kGather, kSplitTree, "tree", split_tree_gather},
    {Operation::kScatter, kSplitTree, "tree", split_tree_scatter},
    {Operation::kBarrier, kSplitTree, "tree", split_tree_barrier, false, true},
};

}  // namespace

std::span<const OwnAlgorithm> own_algorithms() { return kAlgorithms; }

}  // namespace strata::collectives
