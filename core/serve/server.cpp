#include "core/serve/server.h"

#include "core/api/text_json.h"
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

json errorJson(const Error &error)
{
    json out = {{"kind", toString(error.kind)},
                {"op", error.op},
                {"variable", error.variable},
                {"file", error.file},
                {"fix", toString(error.fix)}};
    api::putText(out, "message", error.message);
    api::putText(out, "remedy", error.remedy);
    return out;
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
    void push(json request)
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
            if (it->value("id", std::int64_t(0)) == id) {
                m_waiting.erase(it);
                lock.unlock();
                return m_sender.send({{"type", "cancelled"}, {"id", id}});
            }
    }

private:
    void loop()
    {
        for (;;) {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [&] { return m_ended || !m_waiting.empty(); });
            if (m_ended) return;
            const json request = std::move(m_waiting.front());
            m_waiting.pop_front();
            const std::int64_t id = m_running = request.value("id", std::int64_t(0));
            Outlet outlet;
            outlet.job = JobContext([this, id](const Progress &p) {
                json message = {{"type", "progress"},
                                {"id", id},
                                {"fraction", p.fraction},
                                {"eta", p.etaSeconds},
                                {"rss_mib", residentMib()}};
                api::putText(message, "what", p.what);
                message["detail"] = p.detail;
                m_sender.send(message);
            });
            outlet.section = [this, id](const std::string &name, const json &data) {
                m_sender.send({{"type", "section"}, {"id", id}, {"name", name}, {"data", data}});
            };
            m_job = outlet.job;
            lock.unlock();
            m_sender.send(answer(request, outlet));
            lock.lock();
            m_job.reset();
        }
    }

    json answer(const json &request, const Outlet &outlet)
    {
        json reply = {{"id", request.value("id", std::int64_t(0))}};
        try {
            reply["data"] = m_work(request.value("method", ""), request.value("params", json::object()), outlet);
            reply["type"] = "result";
        } catch (const Cancelled &) {
            reply["type"] = "cancelled";
        } catch (...) {
            // A cancelled job may end with any error
            const Error error = asError(std::current_exception());
            reply["type"] = outlet.job.isCancelled() ? "cancelled" : "error";
            reply["error"] = errorJson(error);
        }
        return reply;
    }

    Sender &m_sender;
    Work m_work;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<json> m_waiting;
    std::optional<JobContext> m_job;
    std::int64_t m_running = 0;
    bool m_ended = false;
    std::thread m_thread; ///< last: starts when everything else is initialized
};

} // namespace

int serve(const ServeOptions &options)
{
    Sender sender(options.output);
    const auto log = [&](const Text &text) {
        json message = {{"type", "log"}};
        api::putText(message, "text", text);
        sender.send(message);
    };
    sender.send({{"type", "hello"}, {"protocol", api::protocolVersion}, {"version", QL_VERSION}, {"pid", ::getpid()}});
    Engine engine(options, log);
    const auto work = [&](const std::string &method, const json &params, const Outlet &outlet) {
        return engine.answer(method, params, outlet);
    };
    std::array<std::unique_ptr<LaneThread>, api::laneCount> lanes;
    for (auto &lane : lanes) lane = std::make_unique<LaneThread>(sender, work);
    api::FrameReader reader;
    std::vector<char> buffer(1 << 16);
    bool greeted = false;
    for (;;) {
        const ssize_t n = ::read(options.input, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return 0;
        reader.append({buffer.data(), std::size_t(n)});
        while (auto message = reader.next()) {
            const std::string type = message->value("type", "");
            const std::int64_t id = message->value("id", std::int64_t(0));
            if (!greeted) {
                if (const Text why = api::refusedHello(*message); !why.isEmpty()) {
                    log(why);
                    return 2;
                }
                greeted = true;
            } else if (type == "cancel") {
                for (auto &lane : lanes) lane->cancel(id);
            } else if (type == "request") {
                lanes[std::size_t(Engine::laneOf(message->value("method", "")))]->push(std::move(*message));
            }
        }
    }
}

} // namespace ql
