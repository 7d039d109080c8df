#pragma once

#include "core/exec/executor.h"

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <set>

namespace ql {

/// Computes several batches concurrently, each in its own thread; with all threads on one batch, each would wait for
/// the others at the end of every small layer. Results are still collected in batch order, so they do not depend on
/// timing.
class Lanes
{
public:
    /// As many lanes as there are threads and batches, and as activations of the graph (by their types) fit into 2
    /// GiB. One if programs run on another device than the CPU. batches: maximum number in one run().
    Lanes(const Executor &executor, std::size_t batches);

    /// Creates in parallel what the first batches would otherwise wait for one by one.
    void prepare(const Program &program) const;
    /// Calls work(batch) for each batch of [first, last), sequentially within a lane, and returns after the last.
    /// @throws the exception of the first batch that failed; later batches are not started.
    void run(std::size_t first, std::size_t last, const std::function<void(std::size_t)> &work);
    /// Size of a batch relative to the types of the graph, by the bytes of its inputs; if those are not known,
    /// relative to the first batch queried.
    double share(const Feed &feed);
    /// Called by work: waits until the activations of a batch of that size, together with those of the batches in
    /// progress, fit into 2 GiB and half of the free memory, or until all earlier batches have finished.
    void admit(std::size_t batch, double share);
    /// Called by work: calls act when all earlier batches have reached this place (any number chosen by the caller) or
    /// have finished.
    void inOrder(std::size_t place, std::size_t batch, const std::function<void()> &act);

private:
    void work(std::size_t last, const std::function<void(std::size_t)> &work);

    std::size_t m_count = 1;
    std::size_t m_room = 0;        ///< bytes for the activations of all batches in progress
    std::size_t m_activations = 0; ///< bytes of a batch, by the types of the graph
    int m_threads = 0;             ///< of each lane

    std::mutex m_mutex; ///< of what follows
    std::condition_variable m_passed;
    std::size_t m_begun = 0;                       ///< batches before this one have started
    std::map<std::size_t, std::size_t> m_places;   ///< the batch whose turn it is, by place
    std::size_t m_typedInputs = 0;                 ///< bytes of the inputs that the types describe; 0: not known
    std::map<std::size_t, std::size_t> m_admitted; ///< bytes of the batches in progress
    std::set<std::size_t> m_open;                  ///< batches in progress
    std::size_t m_failed = 0;                      ///< the first batch that failed
    std::exception_ptr m_error;
};

} // namespace ql
