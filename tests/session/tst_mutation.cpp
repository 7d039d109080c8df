// Damaged files of every kind that the program reads. For any content, the outcome is a result or an Error that
// describes the problem: never a crash, an internal error, more than secondsAllowed or more than 2 GiB. Each case runs
// in a separate process and depends only on its number and the seed. Environment:
//   QL_MUTATIONS=N        cases (default 1000 with sanitizers, otherwise 500)
//   QL_MUTATION_SEED=S    another set (default 1)
//   QL_MUTATION_ONLY=I    case I, in this process, for a debugger (tst_mutation oneCase)
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/io/dataset.h"
#include "core/io/image.h"
#include "core/io/importer.h"
#include "core/io/native.h"
#include "core/io/npz.h"
#include "core/io/preprocess.h"
#include "core/platform/definition.h"
#include "core/session/error_boundary.h"
#include "core/session/run.h"
#include "tests/support/mutation.h"
#include "tests/support/test_main.h"

#include <ATen/Parallel.h>
#include <ATen/ops/zeros.h>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace ql;
using nlohmann::json;
using ql::test::Mutation;
namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__)
// One block of more than 2 GiB is a failed allocation, as on a machine that has no more.
extern "C" const char *__asan_default_options()
{
    return "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=2048:quarantine_size_mb=64";
}
#endif

namespace {

constexpr long secondsAllowed = patienceMs / 3000;
constexpr long mebibytesAllowed = 2048;
constexpr int perRow = 100;
#if defined(__SANITIZE_ADDRESS__)
constexpr int usualCases = 1000;
#else
constexpr int usualCases = 500; // the sanitizer build does more
#endif

/// Operator: a model of one operator, whose shapes are found by running it on zeros.
enum class Kind { Model, Run, Operator, Array, Picture, Recipe, Platform, Native };
constexpr const char *kindNames[] = {"model", "run", "operator", "array", "picture", "recipe", "platform", "native"};

struct Subject
{
    Kind kind;
    fs::path file;    ///< the name gives the ending; native and recipe files are made by the test
    std::string data; ///< content
};

const std::vector<std::string> &platformIds()
{
    static const std::vector<std::string> ids{"TRT_INT8",      "OPENVINO_INT8", "ONNXRUNTIME", "PPL_CUDA_INT8",
                                              "NCNN_INT8",     "TENGINE_INT8",  "RKNN_INT8",   "NXP_INT8",
                                              "ACADEMIC_INT8", "ACADEMIC_INT4"};
    return ids;
}

struct Verdict
{
    bool good = true;
    std::string text; ///< the program's message, or the violation
};

} // namespace

class TestMutation : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_folder, m_failures;
    std::vector<Subject> m_subjects;
    std::uint64_t m_seed = 1;
    std::map<std::string, int> m_outcomes;

    std::uint64_t seedOf(std::size_t index) const { return m_seed * 1000003 + index; }

    void addFolder(Kind kind, const fs::path &folder, const std::vector<std::string> &endings, std::uintmax_t largest)
    {
        if (!fs::is_directory(folder)) return;
        std::vector<fs::path> files;
        for (const auto &entry : fs::directory_iterator(folder))
            if (std::find(endings.begin(), endings.end(), entry.path().extension()) != endings.end() &&
                entry.file_size() <= largest)
                files.push_back(entry.path());
        std::sort(files.begin(), files.end()); // the same list on every machine
        for (const fs::path &file : files) m_subjects.push_back({kind, file, readFile(file)});
    }
    void collect();
    /// The inputs of a model as the data of a run: the arrays of its golden file under their own names.
    fs::path dataFor(const fs::path &model) const { return m_folder / (model.stem().string() + ".data.npz"); }
    bool makeData(const fs::path &model, const fs::path &golden) const
    {
        if (!fs::exists(golden)) return false;
        const NpzFile file(golden);
        std::vector<std::pair<std::string, at::Tensor>> inputs;
        for (const std::string &name : file.names())
            if (name.starts_with("in__")) inputs.emplace_back(name.substr(4), file.array(name)->all());
        if (inputs.empty()) return false;
        writeFileAtomically(dataFor(model), [&](std::ostream &out) { writeNpz(out, inputs); });
        return true;
    }

    static api::Recipe recipeFor(const fs::path &model, const std::string &platform)
    {
        api::Recipe recipe;
        recipe.model = model.string();
        recipe.platform = platform;
        recipe.threads = 1;
        recipe.calibration.samples = 2;
        recipe.evaluation.samples = 1;
        return recipe;
    }

    /// Uses the file as the program would. @throws the program's error
    void use(const Subject &subject, const fs::path &file, Mutation &random) const;
    Verdict judge(const Subject &subject, const fs::path &file, Mutation &random) const;
    std::string damaged(const Subject &subject, Mutation &mutation) const;
    /// The case's file, written; mutation.text() describes the damage.
    fs::path prepare(std::size_t index, const Subject &subject, Mutation &mutation) const;
    const Subject &subjectOf(Mutation &mutation) const;

    struct Child
    {
        pid_t pid = -1;
        int pipe = -1;
        std::size_t index = 0;
        QElapsedTimer timer;
        std::string said;
    };
    Child start(std::size_t index) const;
    /// Waits for the end of child, kills it beyond the limits. @returns the violation; empty if there is none
    bool finish(Child &child, std::string &wrong);

private Q_SLOTS:
    void initTestCase()
    {
        try {
            collect();
        } catch (const Error &error) {
            QFAIL(error.text().c_str());
        }
    }
    void mutations_data();
    void mutations();
    void oneCase();
    void cleanupTestCase();
};

void TestMutation::collect()
{
    at::set_num_threads(1); // a process with threads cannot be forked safely
    m_seed = qEnvironmentVariableIsSet("QL_MUTATION_SEED") ? qEnvironmentVariable("QL_MUTATION_SEED").toULongLong() : 1;
    m_temporary = std::make_unique<QTemporaryDir>();
    m_folder = m_temporary->path().toStdString();
    m_failures = fs::current_path() / "mutation-failures";
    qputenv("XDG_DATA_HOME", m_temporary->path().toUtf8()); // no platforms of the user

    const fs::path models = QL_TEST_DATA "/models", corpus = QL_CORPUS, sample = QL_SOURCE_DIR "/resources/sample";
    std::vector<fs::path> runnable;
    addFolder(Kind::Model, models, {".onnx"}, 1 << 20);
    for (const fs::path &file : {sample / "model.onnx"}) m_subjects.push_back({Kind::Model, file, readFile(file)});
    const std::size_t own = m_subjects.size();
    for (std::size_t i = 0; i < own; ++i) {
        const fs::path model = m_subjects[i].file;
        if (makeData(model, fs::path(model).replace_extension(".npz")))
            m_subjects.push_back({Kind::Run, model, readFile(model)});
    }
    if (fs::exists(corpus)) {
        std::vector<fs::path> folders;
        for (const auto &entry : fs::directory_iterator(corpus)) folders.push_back(entry.path());
        std::sort(folders.begin(), folders.end());
        for (const fs::path &folder : folders) {
            addFolder(Kind::Model, folder, {".onnx"}, 4 << 20);
            const fs::path model = folder / (folder.filename().string() + ".onnx");
            // Large enough to be a real network, small enough to run in a fraction of a second.
            for (const char *name : {"resnet20_cifar10", "ppocr_mobile2_cls", "sci_lowlight", "super_resolution"})
                if (folder.filename() == name && makeData(model, folder / "golden.npz"))
                    m_subjects.push_back({Kind::Run, model, readFile(model)});
            addFolder(Kind::Array, folder, {".npz"}, 1 << 20);
        }
        addFolder(Kind::Picture, corpus / "data_cifar10", {".jpg", ".png"}, 1 << 20);
        addFolder(Kind::Picture, corpus / "data_text", {".jpg", ".png"}, 100 << 10);
    } else {
        qInfo("the corpus is not beside the checkout: only our own files are damaged");
    }
    addFolder(Kind::Picture, QL_TEST_DATA "/pictures", {".png", ".jpg", ".bmp", ".ppm"}, 1 << 20);
    addFolder(Kind::Picture, sample / "calib", {".png", ".jpg"}, 1 << 20);
    addFolder(Kind::Array, models, {".npz"}, 1 << 20);
    addFolder(Kind::Array, m_folder, {".npz"}, 1 << 16);
    addFolder(Kind::Platform, QL_SOURCE_DIR "/resources/platforms", {".json"}, 1 << 20);

    // Debian's libonnx-testdata: a model for each operator and variant.
    const fs::path operators = "/usr/share/libonnx-testdata/data/node";
    if (fs::is_directory(operators)) {
        std::vector<fs::path> folders;
        for (const auto &entry : fs::directory_iterator(operators)) folders.push_back(entry.path());
        std::sort(folders.begin(), folders.end());
        for (const fs::path &folder : folders) addFolder(Kind::Operator, folder, {".onnx"}, 1 << 20);
    } else {
        qInfo("libonnx-testdata is not installed: its operators are not damaged");
    }

    // Data of several types for `residual.onnx` as .npy, a recipe with everything spelled out, native files.
    const fs::path residual = models / "residual.onnx";
    const at::Tensor x = NpzFile(dataFor(residual)).array("x")->all();
    for (int copies = 0; copies < 20; ++copies) // as many as there are archives
        for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kByte, at::kHalf, at::kLong}) {
            std::ostringstream out;
            writeNpy(out, x.mul(100).to(type));
            m_subjects.push_back({Kind::Array, std::string("x_") + c10::toString(type) + ".npy", out.str()});
        }
    for (const std::string &id : platformIds()) {
        api::Recipe recipe = recipeFor(residual, id);
        recipe.calibration.path = dataFor(residual).string();
        recipe.analyses.clear(); // the ranking of tensors would start LibTorch's thread for gradients
        recipe.dispatch = {{.match = {.types = {"Relu"}}, .set = {.platform = "FP32"}}};
        recipe.overrides = {{.match = {.op = "conv*", .roles = {api::SlotRole::Weight}}, .set = {.bits = 4}},
                            {.match = {.op = "conv1", .roles = {api::SlotRole::Input}}, .set = {.range = {{-1, 1}}}}};
        RunResult result = runRecipe(recipe, RunOptions{}, JobContext{});
        for (const char *analysis : {"graphwise", "layerwise", "statistics", "parameters", "variables"})
            result.recipe.analyses.push_back({analysis, true, "", json::object()});
        m_subjects.push_back({Kind::Recipe, id + ".quantloupe", api::toJson(result.recipe).dump(1)});
        m_subjects.push_back({Kind::Native, id + ".qlq", modelToBytes(result.model)});
    }
    qInfo("%zu files to damage", m_subjects.size());
    // The second thread is Qt Test's watchdog, which waits.
    QVERIFY(std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator()) <= 2);
}

const Subject &TestMutation::subjectOf(Mutation &mutation) const
{
    // By kind first: there are far more models than recipes.
    static constexpr std::pair<Kind, unsigned> share[] = {{Kind::Model, 25},   {Kind::Run, 25},    {Kind::Operator, 15},
                                                          {Kind::Array, 10},   {Kind::Picture, 8}, {Kind::Recipe, 6},
                                                          {Kind::Platform, 5}, {Kind::Native, 6}};
    std::size_t point = mutation.below(100);
    Kind kind = Kind::Model;
    for (const auto &[k, percent] : share) {
        kind = k;
        if (point < percent) break;
        point -= percent;
    }
    std::vector<const Subject *> fitting;
    for (const Subject &subject : m_subjects)
        if (subject.kind == kind) fitting.push_back(&subject);
    if (fitting.empty()) return m_subjects.front(); // no operators in this build
    return *fitting[mutation.below(fitting.size())];
}

std::string TestMutation::damaged(const Subject &subject, Mutation &mutation) const
{
    const auto text = [](const json &value) { return value.dump(1, ' ', false, json::error_handler_t::replace); };
    switch (subject.kind) {
    case Kind::Model:
    case Kind::Operator:
    case Kind::Run: return mutation.onnxModel(subject.data);
    case Kind::Array:
    case Kind::Picture: return mutation.bytes(subject.data);
    case Kind::Recipe:
    case Kind::Platform: {
        json value = json::parse(subject.data);
        // Built-in platforms are not replaced: a user's file has another id.
        if (subject.kind == Kind::Platform) value["id"] = "USER_" + value["id"].get<std::string>();
        if (mutation.chance(30)) return mutation.bytes(text(value));
        mutation.json(value);
        return text(value);
    }
    case Kind::Native: {
        if (mutation.chance(40)) return mutation.bytes(subject.data);
        const std::size_t head = subject.data.find('\n') + 1;
        json value = json::from_cbor(subject.data.substr(head));
        mutation.json(value);
        std::string out = subject.data.substr(0, head);
        json::to_cbor(value, nlohmann::detail::output_adapter<char>(out));
        return out;
    }
    }
    return {};
}

void TestMutation::use(const Subject &subject, const fs::path &file, Mutation &random) const
{
    const std::string &platformId = platformIds()[random.below(platformIds().size())];
    switch (subject.kind) {
    case Kind::Model:
    case Kind::Operator: (void)inspectModel(recipeFor(file, platformId), RunOptions{}, JobContext{}); break;
    case Kind::Run: {
        api::Recipe recipe = recipeFor(file, platformId);
        recipe.calibration.path = dataFor(subject.file).string();
        recipe.exports.push_back({"onnx_qdq", true, (file.parent_path() / "out.onnx").string(), json::object()});
        recipe.exports.push_back({"native", true, (file.parent_path() / "out.qlq").string(), json::object()});
        (void)runRecipe(recipe, RunOptions{}, JobContext{});
        break;
    }
    case Kind::Array: {
        // As a collection of arrays, and as the data of a model.
        if (file.extension() == ".npz") {
            const NpzFile arrays(file);
            for (const std::string &name : arrays.names()) {
                try {
                    (void)arrays.array(name)->all();
                } catch (const Error &) { // the other arrays may be whole
                }
            }
        }
        ImportRequest request;
        request.file = QL_TEST_DATA "/models/residual.onnx";
        const Graph graph = importModel(request);
        const auto data = Dataset::open(file, graph, {});
        for (std::size_t i = 0; i < data->size(); ++i) (void)data->batch(i);
        break;
    }
    case Kind::Picture: {
        const Image picture = decodeImage(readFile(file), file.string());
        (void)Preprocess("rgb; resize 64 short; crop 56; scale 1/255; mean .5; layout nchw").apply(picture, "picture");
        (void)Preprocess("bgr; letterbox 64 pad 114").apply(picture, "picture");
        break;
    }
    case Kind::Recipe: {
        const api::Recipe recipe = api::recipeFromJson(api::JsonText::parse(readFile(file), file.string()));
        RunOptions options;
        options.base = m_folder;
        api::Recipe complete = completeRecipe(recipe);
        complete.exports.clear(); // their paths may be anything now
        complete.threads = 1;
        (void)runRecipe(complete, options, JobContext{});
        break;
    }
    case Kind::Platform: {
        const PlatformDefinition &definition = loadPlatformFile(file);
        (void)platformFromText(api::toJson(definition).dump(), "again");
        api::Recipe recipe = recipeFor(QL_TEST_DATA "/models/residual.onnx", definition.id);
        recipe.calibration.path = dataFor(recipe.model).string();
        (void)runRecipe(recipe, RunOptions{}, JobContext{});
        break;
    }
    case Kind::Native: {
        const QuantModel model = modelFromBytes(readFile(file));
        Feed feed;
        for (const VarId id : model.graph.inputs()) {
            const Variable &input = model.graph.variable(id);
            if (!input.type.isStatic() || input.type.dtype == at::ScalarType::Undefined) return;
            std::int64_t elements = 1;
            for (const std::int64_t size : input.type.sizes()) {
                if (size > 4096 || (elements *= size) > 1000000) return;
            }
            feed.emplace(input.name, at::zeros(input.type.sizes(), at::TensorOptions(input.type.dtype)));
        }
        ProgramSpec spec;
        spec.plan = &model.plan;
        (void)Executor(model.graph, {"cpu", 1}).compile(spec).run(feed, JobContext{});
        break;
    }
    }
}

Verdict TestMutation::judge(const Subject &subject, const fs::path &file, Mutation &random) const
{
    try {
        use(subject, file, random);
    } catch (...) {
        const Error error = asError(std::current_exception());
        const std::string text = error.text();
        if (error.kind == ErrorKind::Internal) return {false, "internal error: " + text};
        for (const char c : text)
            if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t')
                return {false, "control characters in the message: " + text};
        if (text.size() > 1000000) return {false, "a message of " + std::to_string(text.size()) + " bytes"};
        return {true, std::string("refused: ") + toString(error.kind)};
    }
    return {true, "accepted"};
}

fs::path TestMutation::prepare(std::size_t index, const Subject &subject, Mutation &mutation) const
{
    const fs::path folder = m_folder / std::to_string(index);
    fs::create_directories(folder);
    const fs::path file = folder / subject.file.filename();
    std::ofstream(file, std::ios::binary) << damaged(subject, mutation);
    return file;
}

TestMutation::Child TestMutation::start(std::size_t index) const
{
    Child child;
    child.index = index;
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) qFatal("pipe");
    child.timer.start();
    child.pid = ::fork();
    if (child.pid < 0) qFatal("fork");
    if (child.pid > 0) {
        ::close(ends[1]);
        child.pipe = ends[0];
        return child;
    }
    // Everything that a sanitizer or LibTorch writes belongs to the case.
    ::dup2(ends[1], STDOUT_FILENO);
    ::dup2(ends[1], STDERR_FILENO);
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
#if !defined(__SANITIZE_ADDRESS__) // whose shadow is terabytes of addresses
    std::ifstream statm("/proc/self/statm");
    rlim_t pages = 0;
    statm >> pages;
    const rlim_t space = pages * rlim_t(::sysconf(_SC_PAGESIZE)) + (rlim_t(mebibytesAllowed) << 20);
    const rlimit limit{space, space};
    ::setrlimit(RLIMIT_AS, &limit);
#endif
    Mutation mutation(seedOf(index));
    const Subject &subject = subjectOf(mutation);
    const Verdict verdict = judge(subject, prepare(index, subject, mutation), mutation);
    const std::string line =
        std::string(verdict.good ? "\ngood: " : "\nbad: ") + kindNames[int(subject.kind)] + " " + verdict.text;
    [[maybe_unused]] const ssize_t written = ::write(ends[1], line.data(), std::min<std::size_t>(line.size(), 4000));
    ::_exit(0);
}

bool TestMutation::finish(Child &child, std::string &wrong)
{
    wrong.clear();
    pollfd waiting{child.pipe, POLLIN, 0};
    ::poll(&waiting, 1, 50);
    char buffer[65536];
    bool ended = false;
    if (waiting.revents) {
        const ssize_t got = ::read(child.pipe, buffer, sizeof buffer);
        ended = got <= 0;
        if (got > 0 && child.said.size() < 200000) child.said.append(buffer, std::size_t(got));
    }
    // A process with output is alive; and a suspended machine is not a hang.
    if (!waiting.revents && child.timer.elapsed() > secondsAllowed * 1000) {
        wrong = "more than " + std::to_string(secondsAllowed) + " seconds";
        ::kill(child.pid, SIGKILL);
        ended = true;
    }
    if (!ended) return false;
    int status = 0;
    rusage usage{};
    ::wait4(child.pid, &status, 0, &usage);
    ::close(child.pipe);
    const std::size_t line = child.said.rfind("\ngood: ");
    if (wrong.empty() && usage.ru_maxrss / 1024 > mebibytesAllowed)
        wrong = std::to_string(usage.ru_maxrss / 1024) + " MiB of memory";
    if (wrong.empty() && WIFSIGNALED(status)) wrong = "signal " + std::to_string(WTERMSIG(status));
    if (wrong.empty() && WEXITSTATUS(status) != 0) wrong = "exit code " + std::to_string(WEXITSTATUS(status));
    if (wrong.empty() && line == std::string::npos) wrong = "it has failed";
    if (wrong.empty()) ++m_outcomes[child.said.substr(line + 7)];
    const fs::path folder = m_folder / std::to_string(child.index);
    if (!wrong.empty()) {
        Mutation mutation(seedOf(child.index));
        const Subject &subject = subjectOf(mutation);
        const fs::path file = prepare(child.index, subject, mutation);
        const std::string name =
            std::to_string(m_seed) + "-" + std::to_string(child.index) + "-" + file.filename().string();
        fs::create_directories(m_failures);
        fs::copy_file(file, m_failures / name, fs::copy_options::overwrite_existing);
        wrong = "case " + std::to_string(child.index) + " (seed " + std::to_string(m_seed) + "), " +
                subject.file.filename().string() + " [" + mutation.text() + "]: " + wrong + "\n  saved as " +
                (m_failures / name).string() + "\n" + child.said.substr(0, 6000);
    }
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return true;
}

void TestMutation::mutations_data()
{
    QTest::addColumn<int>("first");
    QTest::addColumn<int>("count");
    bool isGiven = false;
    const int given = qEnvironmentVariableIntValue("QL_MUTATIONS", &isGiven);
    const int all = isGiven ? given : usualCases;
    for (int first = 0; first < all; first += perRow) {
        const int count = std::min(perRow, all - first);
        QTest::addRow("seed %d, %d to %d", int(m_seed), first, first + count - 1) << first << count;
    }
}

void TestMutation::mutations()
{
    QFETCH(int, first);
    QFETCH(int, count);
    std::vector<Child> running;
    std::size_t next = std::size_t(first), failures = 0;
    const std::size_t end = std::size_t(first + count), together = std::max(1u, std::thread::hardware_concurrency());
    while (next < end || !running.empty()) {
        while (next < end && running.size() < together) running.push_back(start(next++));
        for (std::size_t i = 0; i < running.size();) {
            std::string wrong;
            if (!finish(running[i], wrong)) {
                ++i;
                continue;
            }
            if (!wrong.empty()) {
                ++failures;
                qWarning("%s", wrong.c_str());
            }
            running.erase(running.begin() + std::ptrdiff_t(i));
        }
    }
    QVERIFY2(failures == 0, qPrintable(QString("%1 cases have failed").arg(failures)));
}

void TestMutation::oneCase()
{
    if (!qEnvironmentVariableIsSet("QL_MUTATION_ONLY")) QSKIP("QL_MUTATION_ONLY does not name one");
    const std::size_t index = qEnvironmentVariable("QL_MUTATION_ONLY").toULong();
    Mutation mutation(seedOf(index));
    const Subject &subject = subjectOf(mutation);
    const fs::path file = prepare(index, subject, mutation);
    qInfo("%s: %s", subject.file.c_str(), mutation.text().c_str());
    const Verdict verdict = judge(subject, file, mutation);
    QVERIFY2(verdict.good, verdict.text.c_str());
    qInfo("%s", verdict.text.c_str());
}

void TestMutation::cleanupTestCase()
{
    int all = 0, accepted = 0;
    for (const auto &[text, number] : m_outcomes) {
        qInfo("%5d %s", number, text.c_str());
        all += number;
        if (text.ends_with("accepted")) accepted += number;
    }
    // Damage that is never noticed, or never survived, would test nothing.
    if (all >= 500) QVERIFY(accepted > all / 50 && accepted < all - all / 50);
}

QL_TEST(TestMutation)
#include "tst_mutation.moc"
