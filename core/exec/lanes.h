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

/// Computes several batches at once, each in a thread of its own, where all threads on one batch would wait for each
/// other at the end of every small layer. What is collected over batches sees them in their order all the same, so that
/// its numbers do not depend on which thread was first.
class Lanes
{
public:
    /// As many lanes as there are threads and batches, and as the activations of the graph (by their types) fit into
    /// 2 GiB. One where programs run on another device than the CPU.
    /// batches: at most so many are in one run().
    Lanes(const Executor &executor, std::size_t batches);

    /// Makes, several at once, what the first batches would have to wait for one after the other.
    void prepare(const Program &program) const;
    /// Calls work(batch) for each batch of [first, last), one after the other in each lane, and returns behind the
    /// last. @throws what work threw for the first batch that failed; batches behind it are not begun.
    void run(std::size_t first, std::size_t last, const std::function<void(std::size_t)> &work);
    /// How large a batch is beside the one that the types of the graph are of, by the bytes of its inputs; where that
    /// is not known, beside the first batch that is asked about.
    double share(const Feed &feed);
    /// For work: waits until the activations of a batch of that share fit into 2 GiB, and half of the free memory,
    /// beside those of the batches that are computed now, or all earlier batches have ended.
    void admit(std::size_t batch, double share);
    /// For work: calls act when all earlier batches have called it at this place (any number that the caller chooses),
    /// or have ended.
    void inOrder(std::size_t place, std::size_t batch, const std::function<void()> &act);

private:
    void work(std::size_t last, const std::function<void(std::size_t)> &work);

    std::size_t m_count = 1;
    std::size_t m_room = 0;        ///< bytes for the activations of all batches that are computed at once
    std::size_t m_activations = 0; ///< bytes of a batch, by the types of the graph
    int m_threads = 0;             ///< of each lane

    std::mutex m_mutex; ///< of what follows
    std::condition_variable m_passed;
    std::size_t m_begun = 0;                       ///< batches before it are begun
    std::map<std::size_t, std::size_t> m_places;   ///< the batch whose turn it is, by place
    std::size_t m_typedInputs = 0;                 ///< bytes of the inputs that the types are of; 0: not known
    std::map<std::size_t, std::size_t> m_admitted; ///< bytes of the batches that are computed now
    std::set<std::size_t> m_open;                  ///< batches that are computed now
    std::size_t m_failed = 0;                      ///< the first batch that failed
    std::exception_ptr m_error;
};

} // namespace ql
