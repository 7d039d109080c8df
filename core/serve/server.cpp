#include "core/serve/server.h"

#include "core/base/error.h"
#include "core/base/job.h"
#include "core/serve/engine.h"
#include "core/session/error_boundary.h"

#include <array>
#include <cerrno>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unistd.h>

namespace ql {

using nlohmann::json;

namespace {

/// Resident memory of this process in MiB; 0 if /proc does not provide it.
double residentMib()
{
    std::ifstream statm("/proc/self/statm");
    std::size_t whole = 0, resident = 0;
    statm >> whole >> resident;
    return double(resident) * double(::sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
}

/// Complete frames from any thread; silent after the window has closed.
class Sender
{
public:
    explicit Sender(int output) : m_output(output) {}
    void send(const json &message)
    {
        const std::string frame = api::encodeFrame(message);
        const std::lock_guard lock(m_mutex);
        std::size_t done = 0;
        while (!m_gone && done < frame.size()) {
            const ssize_t n = ::write(m_output, frame.data() + done, frame.size() - done);
            if (n > 0)
                done += std::size_t(n);
            else if (errno != EINTR)
                m_gone = true;
        }
    }

private:
    int m_output;
    std::mutex m_mutex;
    bool m_gone = false;
};

api::Failure failureOf(const Error &error)
{
    return {toString(error.kind), error.message, error.op,           error.variable,
            error.file,           error.remedy,  toString(error.fix)};
}

/// Answers the requests of one lane in order, on its own thread.
class LaneThread
{
public:
    using Work = std::function<json(const std::string &method, const json &params, const Outlet &outlet)>;

    LaneThread(Sender &sender, Work work) : m_sender(sender), m_work(std::move(work)), m_thread([this] { loop(); }) {}
    ~LaneThread()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ended = true;
            m_waiting.clear();
            if (m_job) m_job->cancel();
        }
        m_wake.notify_all();
        m_thread.join();
    }
    void push(api::RequestMessage request)
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(std::move(request));
        m_wake.notify_all();
    }
    void cancel(std::int64_t id)
    {
        std::unique_lock lock(m_mutex);
        if (m_job && m_running == id) return m_job->cancel();
        for (auto it = m_waiting.begin(); it != m_waiting.end(); ++it)
            if (it->id == id) {
                m_waiting.erase(it);
                lock.unlock();
                return m_sender.send(api::CancelledMessage{id});
            }
    }

private:
    void loop()
    {
        for (;;) {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [&] { return m_ended || !m_waiting.empty(); });
            if (m_ended) return;
            const api::RequestMessage request = std::move(m_waiting.front());
            m_waiting.pop_front();
            const std::int64_t id = m_running = request.id;
            Outlet outlet;
            outlet.job = JobContext([this, id](const Progress &p) {
                m_sender.send(api::ProgressMessage{id, p.fraction, p.etaSeconds, residentMib(), p.what, p.detail});
            });
            outlet.section = [this, id](const api::RunPart &part) {
                m_sender.send(api::toMessage(api::SectionMessage{id, part}));
            };
            outlet.step = [this, id](const api::TuneStep &step) {
                m_sender.send(api::toMessage(api::SectionMessage{id, step}));
            };
            m_job = outlet.job;
            lock.unlock();
            m_sender.send(answer(request, outlet));
            lock.lock();
            m_job.reset();
        }
    }

    json answer(const api::RequestMessage &request, const Outlet &outlet)
    {
        try {
            return api::toMessage(api::ResultMessage{request.id, m_work(request.method, request.params, outlet)});
        } catch (const Cancelled &) {
            return api::CancelledMessage{request.id};
        } catch (...) {
            // A cancelled job may end with any error
            if (outlet.job.isCancelled()) return api::CancelledMessage{request.id};
            return api::ErrorMessage{request.id, failureOf(asError(std::current_exception()))};
        }
    }

    Sender &m_sender;
    Work m_work;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<api::RequestMessage> m_waiting;
    std::optional<JobContext> m_job;
    std::int64_t m_running = 0;
    bool m_ended = false;
    std::thread m_thread; ///< last: starts when everything else is initialized
};

} // namespace

int serve(const ServeOptions &options)
{
    Sender sender(options.output);
    const auto log = [&](const Text &text) { sender.send(api::LogMessage{text}); };
    sender.send(api::HelloMessage{api::protocolVersion, QL_VERSION, ::getpid()});
    Engine engine(options, log);
    const auto work = [&](const std::string &method, const json &params, const Outlet &outlet) {
        return engine.answer(method, params, outlet);
    };
    std::array<std::unique_ptr<LaneThread>, api::laneCount> lanes;
    for (auto &lane : lanes) lane = std::make_unique<LaneThread>(sender, work);
    api::FrameReader reader;
    std::vector<char> buffer(1 << 16);
    bool greeted = false;
    const auto take = [&](const json &message) {
        const std::string type = api::messageType(message);
        if (type == api::CancelMessage::type) {
            for (auto &lane : lanes) lane->cancel(message.get<api::CancelMessage>().id);
        } else if (type == api::RequestMessage::type) {
            auto request = message.get<api::RequestMessage>();
            lanes[std::size_t(Engine::laneOf(request.method))]->push(std::move(request));
        }
    };
    for (;;) {
        const ssize_t n = ::read(options.input, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        reader.append({buffer.data(), std::size_t(n)});
        while (auto message = reader.next()) {
            if (!greeted) {
                if (const Text why = api::refusedHello(*message); !why.isEmpty()) {
                    log(why);
                    return 2;
                }
                greeted = true;
                continue;
            }
            try {
                take(*message);
            } catch (const Error &error) { // nobody can be answered
                log(error.text());
            }
        }
    }
}

} // namespace ql
