#include "core/base/error.h"
#include "core/platform/dispatcher.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_graph.h"

#include <QtTest>

using namespace ql;
using ql::test::TinyGraph;

namespace {

const DispatchRequest &trt()
{
    static const DispatchRequest request = dispatchRequest(platform("TRT_INT8"));
    return request;
}

/// Platforms in insertion order, one letter each: Q, F, S.
QString letters(const Graph &graph, const Dispatch &dispatch)
{
    QString out;
    for (const OpId op : graph.operations()) {
        const std::string &target = dispatch.at(op).platform;
        out += target == fp32Platform ? 'F' : target == soiPlatform ? 'S' : 'Q';
    }
    return out;
}

using Build = std::function<void(TinyGraph &)>;

struct Model
{
    const char *name;
    Build build;
};

const std::vector<Model> &models()
{
    static const std::vector<Model> list = {
        {"one Conv",
         [](TinyGraph &g) {
             g.op("c", "Conv", {"x", "w"});
         }},
        {"parallel Convs at the end",
         [](TinyGraph &g) {
             g.op("c1", "Conv", {"x", "w"});
             g.op("c2", "Conv", {"x", "w2"});
         }},
        {"Conv Relu",
         [](TinyGraph &g) {
             g.op("c", "Conv", {"x", "w"});
             g.op("r", "Relu", {"c_out"});
         }},
        {"Relu Conv Relu Conv",
         [](TinyGraph &g) {
             g.op("front", "Relu", {"x"});
             g.op("c1", "Conv", {"front_out", "w"});
             g.op("r", "Relu", {"c1_out"});
             g.op("c2", "Conv", {"r_out", "w2"});
         }},
        {"not quantable between", // Erf is quantizable nowhere
         [](TinyGraph &g) {
             g.op("c1", "Conv", {"x", "w"});
             g.op("erf", "Erf", {"c1_out"});
             g.op("add", "Add", {"erf_out", "k"});
             g.op("relu", "Relu", {"add_out"});
             g.op("c2", "Conv", {"relu_out", "w2"});
             g.op("r2", "Relu", {"c2_out"});
         }},
        {"shape arithmetic", // Reshape to a shape computed from the graph input
         [](TinyGraph &g) {
             g.op("shape", "Shape", {"x"});
             g.op("gather", "Gather", {"shape_out", "zero"});
             g.op("unsqueeze", "Unsqueeze", {"gather_out"});
             g.op("concat", "Concat", {"unsqueeze_out", "minus"});
             g.op("c1", "Conv", {"x", "w"});
             g.op("reshape", "Reshape", {"c1_out", "concat_out"});
             g.op("gemm", "Gemm", {"reshape_out", "w2"});
             g.op("r", "Relu", {"gemm_out"});
         }},
        {"shape of a result", // the shape comes from a quantized tensor
         [](TinyGraph &g) {
             g.op("c1", "Conv", {"x", "w"});
             g.op("shape", "Shape", {"c1_out"});
             g.op("slice", "Slice", {"shape_out", "zero", "one"});
             g.op("cast", "Cast", {"slice_out"});
             g.op("resize", "Resize", {"c1_out", "", "", "cast_out"});
             g.op("c2", "Conv", {"resize_out", "w2"});
             g.op("r", "Relu", {"c2_out"});
         }},
        {"backwards to shapes", // a parameter-free way into a shape input
         [](TinyGraph &g) {
             g.op("range", "Mul", {"minus", "one"});
             g.op("div", "Div", {"range_out", "one"});
             g.op("c1", "Conv", {"x", "w"});
             g.op("expand", "Expand", {"c1_out", "div_out"});
         }},
        {"gather indices from a computed tensor",
         [](TinyGraph &g) {
             g.op("c1", "Conv", {"x", "w"});
             g.op("argmax", "ArgMax", {"c1_out"});
             g.op("gather", "Gather", {"table", "argmax_out"});
             g.op("top", "TopK", {"c1_out", "one"}, {}, 2);
         }},
    };
    return list;
}

TinyGraph build(const Build &how)
{
    TinyGraph g;
    g.parameter("w", {4, 4, 1, 1}).parameter("w2", {4, 4, 1, 1}).parameter("k", {4}).parameter("table", {4});
    for (const char *name : {"zero", "one", "minus"}) g.parameter(name, {1}, at::kLong);
    how(g);
    g.graph.verify();
    return g;
}

} // namespace

class TestDispatcher : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void platforms_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("dispatcher");
        QTest::addColumn<QString>("expected");
        // letters in the order in which models() inserts its operations
        const auto rows = [](const char *model, std::initializer_list<std::pair<const char *, const char *>> expected) {
            for (const auto &[dispatcher, letters] : expected)
                QTest::addRow("%s, %s", model, dispatcher) << QString(model) << QString(dispatcher) << QString(letters);
        };
        rows("one Conv", {{"conservative", "F"},
                          {"pplnn", "F"},
                          {"aggressive", "F"},
                          {"pointwise", "Q"},
                          {"allin", "Q"},
                          {"perseus", "Q"}});
        rows("parallel Convs at the end", {{"conservative", "FF"}, {"pointwise", "QQ"}, {"perseus", "QQ"}});
        rows("Conv Relu", {{"conservative", "QQ"},
                           {"pplnn", "FF"},
                           {"aggressive", "QQ"},
                           {"pointwise", "QF"},
                           {"allin", "QQ"},
                           {"perseus", "QQ"}});
        rows("Relu Conv Relu Conv", {{"conservative", "FQQQ"},
                                     {"pplnn", "FQQQ"},
                                     {"aggressive", "FQQQ"},
                                     {"pointwise", "FQFQ"},
                                     {"allin", "QQQQ"},
                                     {"perseus", "QQQQ"}});
        rows("not quantable between", {{"conservative", "QFFFQQ"},
                                       {"pplnn", "FFFFFF"},
                                       {"aggressive", "QFQQQQ"},
                                       {"pointwise", "QFFFQF"},
                                       {"allin", "QFQQQQ"},
                                       {"perseus", "QFQQQQ"}});
        // Shape follows its producer, of which the graph input has none
        rows("shape arithmetic", {{"conservative", "FSSSQQQQ"},
                                  {"pplnn", "FSSSFFFF"},
                                  {"aggressive", "FSSSQQQQ"},
                                  {"pointwise", "FSSSQFQF"},
                                  {"allin", "FFFQQQQQ"},
                                  {"perseus", "SSSSQQQQ"}});
        rows("shape of a result", {{"conservative", "QFSSQQQ"}, {"pplnn", "QFSSQQQ"}, {"perseus", "QSSSQQQ"}});
        rows("backwards to shapes", {{"conservative", "SSQF"}, {"perseus", "SSQF"}});
        rows("gather indices from a computed tensor", {{"conservative", "QFFF"}, {"perseus", "FFFF"}});
    }
    void platforms()
    {
        QFETCH(QString, model);
        QFETCH(QString, dispatcher);
        const auto it = std::find_if(models().begin(), models().end(), [&](const Model &m) { return model == m.name; });
        QVERIFY(it != models().end());
        const TinyGraph g = build(it->build);
        const Dispatch result = dispatch(g.graph, dispatcher.toStdString(), trt());
        QTEST(letters(g.graph, result), "expected");
        for (const auto &[op, entry] : result) QVERIFY(!entry.reason.isEmpty());
        // the same again: nothing depends on addresses or on the order of a set
        const Dispatch again = dispatch(g.graph, dispatcher.toStdString(), trt());
        for (const auto &[op, entry] : result) {
            QCOMPARE(again.at(op).platform, entry.platform);
            QCOMPARE(again.at(op).reason, entry.reason);
        }
    }

    void reasons_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("dispatcher");
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char *model, const char *dispatcher, const char *op, const char *reason) {
            QTest::addRow("%s, %s, %s", model, dispatcher, op)
                << QString(model) << QString(dispatcher) << QString(op) << QString(reason);
        };
        row("one Conv", "conservative", "c",
            "compute operation Conv ends the graph and no quantizable operations lead to it from another compute "
            "operation");
        row("Relu Conv Relu Conv", "conservative", "front", "before the first compute operation: nothing to gain");
        row("Relu Conv Relu Conv", "conservative", "c1", "compute operation Conv between quantizable operations");
        row("Relu Conv Relu Conv", "conservative", "r", "quantizable Relu downstream of compute operation Conv 'c1'");
        row("Relu Conv Relu Conv", "pointwise", "r", "pointwise quantizes only compute operations");
        row("Relu Conv Relu Conv", "perseus", "front", "linked by values to compute operation Conv 'c1'");
        row("Relu Conv Relu Conv", "allin", "front", "type Relu is quantizable on TRT_INT8");
        row("Conv Relu", "pplnn", "c", "not in a chain of quantizable operations from one Conv to another");
        row("not quantable between", "conservative", "erf", "type Erf is not quantizable on TRT_INT8");
        row("not quantable between", "conservative", "add",
            "downstream of Erf 'erf', which TRT_INT8 does not quantize: float32 until the next compute operation");
        row("not quantable between", "aggressive", "add", "values of a compute operation reach it");
        row("not quantable between", "aggressive", "erf", "type Erf is not quantizable on TRT_INT8");
        row("shape arithmetic", "conservative", "concat", "feeds the shape input of Reshape 'reshape'");
        row("shape arithmetic", "conservative", "gather", "computes with shapes or indices from Shape 'shape'");
        row("shape arithmetic", "conservative", "shape", "reads the size of a graph input or parameter");
        row("shape arithmetic", "perseus", "shape", "linked to shapes or indices at Gather 'gather'");
        row("backwards to shapes", "conservative", "div", "feeds the shape input of Expand 'expand'");
        row("backwards to shapes", "conservative", "range", "upstream of the shape or index arithmetic of Div 'div'");
        row("shape of a result", "conservative", "shape", "type Shape is not quantizable on TRT_INT8");
        row("shape of a result", "conservative", "cast", "feeds the sizes input of Resize 'resize'");
        row("gather indices from a computed tensor", "perseus", "c1",
            "its values are linked both to compute operation Conv 'c1' and to shapes or indices at ArgMax 'argmax'");
    }
    void reasons()
    {
        QFETCH(QString, model);
        QFETCH(QString, dispatcher);
        QFETCH(QString, op);
        const auto it = std::find_if(models().begin(), models().end(), [&](const Model &m) { return model == m.name; });
        const TinyGraph g = build(it->build);
        const Dispatch result = dispatch(g.graph, dispatcher.toStdString(), trt());
        QTEST(QString::fromStdString(result.at(g[op.toStdString()]).reason.english()), "reason");
    }

    void activationFollowsItsProducer()
    {
        // tengine cannot quantize Clip after PRelu: PRelu ends the region, Relu follows it
        TinyGraph g;
        g.parameter("w", {4, 4, 1, 1}).parameter("slope", {4});
        g.op("c", "Conv", {"x", "w"});
        g.op("p", "PRelu", {"c_out", "slope"});
        g.op("r", "Relu", {"p_out"});
        const Dispatch result = dispatch(g.graph, "conservative", dispatchRequest(platform("TENGINE_INT8")));
        QCOMPARE(letters(g.graph, result), QString("QFF"));
        // ncnn quantizes no Relu: it is sent along with the Conv, then stays in float32 for its type
        const Dispatch ncnn = dispatch(g.graph, "conservative", dispatchRequest(platform("NCNN_INT8")));
        QCOMPARE(letters(g.graph, ncnn), QString("QFF"));
        QCOMPARE(ncnn.at(g["r"]).reason.english(), std::string("type Relu is not quantizable on NCNN_INT8"));
    }

    void errorsNameTheDispatcher()
    {
        const TinyGraph g = build(models()[2].build);
        DispatcherEntry entry;
        entry.info.id = "broken";
        const auto messageOf = [&] {
            PluginRegistrations added; // of a plug-in that is unloaded again
            collectRegistrations(&added);
            Registry<DispatcherEntry>::instance().add("broken", entry);
            collectRegistrations(nullptr);
            std::string message;
            try {
                dispatch(g.graph, "broken", trt());
            } catch (const Error &error) {
                message = error.message.english();
            }
            for (const auto &undo : added.undo) undo();
            return message;
        };
        entry.run = [](const GraphSearch &, const DispatchRequest &) -> Dispatch { throw std::runtime_error("oops"); };
        QCOMPARE(messageOf(), std::string("dispatcher broken: oops"));
        entry.run = [](const GraphSearch &, const DispatchRequest &) -> Dispatch {
            throw Error(ErrorKind::BadConfig, "no such region", "op");
        };
        QCOMPARE(messageOf(), std::string("dispatcher broken: no such region"));
        entry.run = [](const GraphSearch &, const DispatchRequest &) { return Dispatch(); };
        QCOMPARE(messageOf(), std::string("dispatcher broken: no platform for this operation"));
    }

    void oldSpellingAndUnknownName()
    {
        const TinyGraph g = build(models()[2].build);
        QCOMPARE(letters(g.graph, dispatch(g.graph, "Aggresive", trt())), QString("QQ"));
        try {
            dispatch(g.graph, "conservativ", trt());
            QFAIL("accepted");
        } catch (const Error &e) {
            QCOMPARE(QString(e.what()), QString("unknown dispatcher 'conservativ'"));
            QVERIFY(e.remedy.english().starts_with("Did you mean 'conservative'?"));
        }
        QStringList ids;
        for (const api::CatalogueItem &item : dispatcherCatalogue()) {
            ids << QString::fromStdString(item.id);
            QVERIFY(!item.title.isEmpty() && !item.meaning.isEmpty());
        }
        QCOMPARE(ids.join(' '), QString("aggressive allin conservative perseus pointwise pplnn"));
    }

    void overrides()
    {
        const TinyGraph g = build(models()[3].build); // front c1 r c2
        Dispatch result = dispatch(g.graph, "conservative", trt());
        std::vector<api::Problem> problems;
        const auto report = [&](api::Problem p) { problems.push_back(std::move(p)); };
        applyDispatchOverrides(result, g.graph,
                               {{.match = {.op = "c*"}, .set = {.platform = "FP32"}},
                                {.match = {.op = "c2"}, .set = {.platform = "ACADEMIC_INT4"}},
                                {.match = {.types = {"Relu"}}, .set = {.platform = "SOI"}},
                                {.match = {.op = "cc1"}, .set = {.platform = "FP32"}},
                                {.match = {.op = "c1", .types = {"Gemm"}}, .set = {.platform = "FP32"}}},
                               report);
        QCOMPARE(result.at(g["c1"]).platform, std::string("FP32"));
        QCOMPARE(result.at(g["c1"]).reason.english(), std::string("override 'c*'"));
        QVERIFY(result.at(g["c1"]).setBy.isOverride() && result.at(g["c1"]).setBy.id == "c*");
        QVERIFY(!result.at(g["r"]).setBy.isOverride() || result.at(g["r"]).platform == "SOI");
        QCOMPARE(result.at(g["c2"]).platform, std::string("ACADEMIC_INT4"));
        QCOMPARE(result.at(g["front"]).reason.english(), std::string("override 'Relu'"));
        QCOMPARE(problems.size(), std::size_t{2});
        QCOMPARE(problems[0].message.english(),
                 std::string("dispatch[3]: dispatch override 'cc1' matches no operation. Did you mean 'c1'?"));
        QVERIFY_EXCEPTION_THROWN(
            applyDispatchOverrides(result, g.graph, {{.match = {.op = "c1"}, .set = {.platform = "TRT"}}}, report),
            Error);
    }

    void overridesAsJson()
    {
        const auto read = [](nlohmann::json value) {
            const api::JsonText text = api::JsonText::wrap(std::move(value));
            return api::ruleFromJson(api::JsonNode(text), api::RuleKind::Dispatch);
        };
        const nlohmann::json entry = {{"op", "c*"}, {"types", {"Conv"}}, {"platform", "NCNN_INT8"}};
        QCOMPARE(toJson(read(entry), api::RuleKind::Dispatch).dump(), entry.dump());
        QVERIFY_EXCEPTION_THROWN(read({{"platform", "FP32"}}), Error);
        QVERIFY_EXCEPTION_THROWN(read({{"op", "c"}, {"platform", "FP23"}}), Error);
        QVERIFY_EXCEPTION_THROWN(read({{"op", "c"}, {"platfrom", "FP32"}}), Error);
    }

    void largeGraphs_data()
    {
        QTest::addColumn<bool>("wide");
        QTest::newRow("chain of 10,000") << false;
        QTest::newRow("10,000 readers, one Concat") << true;
    }
    void largeGraphs()
    {
        QFETCH(bool, wide);
        TinyGraph g;
        g.parameter("w", {4, 4, 1, 1});
        std::vector<std::string> ends;
        std::string last = "x";
        for (int i = 0; i < 10000; ++i) {
            const std::string name = "op" + std::to_string(i);
            if (i % 10 == 0)
                g.op(name, "Conv", {wide ? "x" : last, "w"});
            else
                g.op(name, i % 10 == 5 ? "Shape" : "Relu", {wide ? (i % 10 == 1 ? last : "op0_out") : last});
            last = name + "_out";
            ends.push_back(last);
        }
        g.op("concat", "Concat", wide ? ends : std::vector<std::string>{last});
        for (const api::CatalogueItem &item : dispatcherCatalogue())
            QCOMPARE(dispatch(g.graph, item.id, trt()).size(), std::size_t{10001});
    }
};

QL_TEST(TestDispatcher)
#include "tst_dispatcher.moc"
