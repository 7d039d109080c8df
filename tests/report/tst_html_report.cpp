#include "core/base/error.h"
#include "core/report/html_report.h"
#include "tests/report/synthetic_report.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <set>

using namespace ql;
using nlohmann::json;

namespace {

// A start or end tag of the page; attributes by name with their unquoted values.
struct Tag
{
    QString name; // "/td" for an end tag
    QMap<QString, QString> attributes;
    QString text; // the text up to the next tag, not decoded
};

// Splits the page as a browser would (HTML standard, 13.2.5): the content of <script> and <style> is not markup, and
// quoted values may contain any character except their quote.
std::vector<Tag> tagsOf(const QString &html)
{
    std::vector<Tag> tags;
    qsizetype at = 0;
    while ((at = html.indexOf('<', at)) >= 0) {
        qsizetype i = at + 1;
        Tag tag;
        while (i < html.size() && !html[i].isSpace() && html[i] != '>') tag.name += html[i++];
        while (i < html.size() && html[i] != '>') {
            if (html[i].isSpace()) {
                ++i;
                continue;
            }
            QString key, value;
            while (i < html.size() && !html[i].isSpace() && html[i] != '>' && html[i] != '=') key += html[i++];
            if (i < html.size() && html[i] == '=') {
                const QChar quote = html[++i];
                if (quote == '"' || quote == '\'') {
                    const qsizetype end = html.indexOf(quote, i + 1);
                    value = html.mid(i + 1, end - i - 1);
                    i = end + 1;
                } else {
                    while (i < html.size() && !html[i].isSpace() && html[i] != '>') value += html[i++];
                }
            }
            tag.attributes[key] = value;
        }
        const bool raw = tag.name == "script" || tag.name == "style";
        const qsizetype next = raw ? html.indexOf("</" + tag.name, i) : html.indexOf('<', i);
        tag.text = html.mid(i + 1, next < 0 ? -1 : next - i - 1);
        tags.push_back(std::move(tag));
        if (next < 0) break;
        at = next;
    }
    return tags;
}

QStringList skeleton(const std::vector<Tag> &tags)
{
    QStringList out;
    for (const Tag &tag : tags) out << tag.name + " " + QStringList(tag.attributes.keys()).join(' ');
    return out;
}

std::string htmlOf(const json &report)
{
    return htmlReport(report.get<api::Report>());
}

std::vector<Tag> render(const json &report)
{
    return tagsOf(QString::fromStdString(htmlOf(report)));
}

const Tag *find(const std::vector<Tag> &tags, const QString &name, const QString &attribute, const QString &value)
{
    for (const Tag &tag : tags) {
        if (tag.name == name && tag.attributes.value(attribute) == value) return &tag;
    }
    return nullptr;
}

// Appends to every string that may come from a model or a file, except the words that the report itself defines.
json poisoned(const json &value, const std::string &suffix, const std::string &key = {})
{
    static const std::set<std::string> own{
        "severity", "state",    "role",     "schema",       "format",          "sha256", "key",
        "kind",     "rounding", "codebook", "scale_format", "percentile_over", "fields"};
    if (value.is_string()) return own.count(key) || value == "" ? value : json(value.get<std::string>() + suffix);
    if (!value.is_structured()) return value;
    json out = value;
    if (value.is_object()) {
        for (const auto &[name, child] : value.items()) out[name] = poisoned(child, suffix, name);
    } else {
        for (std::size_t i = 0; i < value.size(); ++i) out[i] = poisoned(value[i], suffix, key);
    }
    return out;
}

} // namespace

class TestHtmlReport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasEverySection_data()
    {
        QTest::addColumn<int>("operations");
        QTest::addColumn<int>("channels");
        QTest::newRow("3 ops") << 3 << 4;
        QTest::newRow("101 ops") << 101 << 32;
        QTest::newRow("2,000 ops, 512 channels") << 2000 << 512;
    }
    void hasEverySection()
    {
        QFETCH(int, operations);
        QFETCH(int, channels);
        const std::string html = htmlOf(test::syntheticReport(operations, channels));
        QVERIFY2(html.size() < 4'500'000, std::to_string(html.size()).c_str());
        const std::vector<Tag> tags = tagsOf(QString::fromStdString(html));
        for (const char *id : {"problems", "outputs", "layerwise", "graphwise", "distributions", "configs",
                               "operations", "run", "recipe", "definitions"}) {
            QVERIFY2(find(tags, "section", "id", id), id);
            QVERIFY2(find(tags, "a", "href", QString("#") + id), id);
        }
        // Every op has its row, its bars and its columns, without JavaScript.
        int rows = 0, columns = 0;
        for (const Tag &tag : tags) {
            rows += tag.name == "tr" && tag.attributes.value("id").startsWith("op-");
            columns += tag.name == "rect";
        }
        QCOMPARE(rows, operations);
        const json report = test::syntheticReport(operations, channels);
        QCOMPARE(std::size_t(columns), report["graphwise"].size() + report["layerwise"].size());
        QVERIFY(html.ends_with("</html>\n"));
    }

    /// That there are no problems says little if little was measured.
    void noProblemsSaysWhatWasMeasured()
    {
        json report = test::syntheticReport(3);
        report["problems"] = json::array();
        report.erase("ranges");
        report["outputs"] = json::array();
        const auto says = [&](const char *text) { return htmlOf(report).find(text) != std::string::npos; };
        QVERIFY(says("No problems found in what was measured: graphwise error, layerwise error."));
        for (const char *analysis : {"graphwise", "layerwise"}) report[analysis] = json::array();
        QVERIFY(says("No problems found, but no analysis has measured errors or ranges."));
    }

    void loadsNothing()
    {
        const std::string html = htmlOf(test::syntheticReport(30));
        const std::vector<Tag> tags = tagsOf(QString::fromStdString(html));
        static const QStringList loading{"src",        "srcset",     "action",     "poster",
                                         "background", "xlink:href", "formaction", "ping"};
        for (const Tag &tag : tags) {
            for (const QString &attribute : loading)
                QVERIFY2(!tag.attributes.contains(attribute), qPrintable(tag.name));
            const QString href = tag.attributes.value("href");
            QVERIFY2(href.isEmpty() || href.startsWith('#') || href == "data:,", qPrintable(href));
            QVERIFY2(!QStringList({"iframe", "object", "embed", "img", "base", "form"}).contains(tag.name),
                     qPrintable(tag.name));
        }
        const QString all = QString::fromStdString(html);
        for (const char *word :
             {"http:", "https:", "//cdn", "@import", "url(", "import(", "fetch(", "XMLHttpRequest"}) {
            QVERIFY2(!all.contains(QLatin1String(word), Qt::CaseInsensitive), word);
        }
    }

    void linksLeadSomewhereAndIdsAreUnique()
    {
        const std::vector<Tag> tags = render(test::syntheticReport(200));
        std::set<QString> ids;
        for (const Tag &tag : tags) {
            if (!tag.attributes.contains("id")) continue;
            QVERIFY2(ids.insert(tag.attributes["id"]).second, qPrintable(tag.attributes["id"]));
        }
        int links = 0;
        for (const Tag &tag : tags) {
            for (const char *attribute : {"href", "for", "data-search", "data-csv", "data-table", "data-copy"}) {
                QString target = tag.attributes.value(attribute);
                if (target.isEmpty() || target == "data:,") continue;
                if (target.startsWith('#')) target.remove(0, 1);
                QVERIFY2(ids.count(target), qPrintable(target));
                ++links;
            }
        }
        QVERIFY(links > 100);
    }

    void tagsAreBalanced()
    {
        // Elements whose end tags HTML5 makes optional (13.1.2.4) or that have none.
        static const QSet<QString> open{"td",   "th",   "tr",    "thead", "tbody", "dt",    "dd",
                                        "meta", "link", "input", "br",    "path",  "circle"};
        QStringList stack;
        for (const Tag &tag : render(test::syntheticReport(60))) {
            if (tag.name.startsWith('!') || open.contains(tag.name) || open.contains(tag.name.mid(1))) continue;
            if (!tag.name.startsWith('/')) {
                stack << tag.name;
                continue;
            }
            QVERIFY2(!stack.isEmpty() && stack.last() == tag.name.mid(1),
                     qPrintable(stack.join(' ') + " then " + tag.name));
            stack.removeLast();
        }
        QVERIFY2(stack.isEmpty(), qPrintable(stack.join(' ')));
    }

    void hostileNamesChangeNoMarkup_data()
    {
        QTest::addColumn<QByteArray>("suffix");
        QTest::newRow("script") << QByteArray("<script>alert(1)</script>");
        QTest::newRow("end of script") << QByteArray("</script><script>alert(1)//");
        QTest::newRow("end of comment") << QByteArray("<!--<script>-->");
        QTest::newRow("end of style, title and pre") << QByteArray("</style></title></pre><b>");
        QTest::newRow("attribute, double quote") << QByteArray("\" onmouseover=\"alert(1)");
        QTest::newRow("attribute, single quote") << QByteArray("' onmouseover='alert(1)");
        QTest::newRow("attribute, unquoted") << QByteArray(" onmouseover=alert(1) x=");
        QTest::newRow("image") << QByteArray("\"><img src=x onerror=alert(1)>");
        QTest::newRow("entity") << QByteArray("&lt;b&gt;&#60;b&#62;");
        QTest::newRow("placeholder of the template") << QByteArray("{{script}}{{data}}");
        QTest::newRow("controls and direction") << QByteArray("\x01\x1b[31m\n\r\t\x7f\xe2\x80\xae<evil>");
        QTest::newRow("broken UTF-8") << QByteArray("\xff\xfe\xc0\xaf<\xe2\x82");
    }
    void hostileNamesChangeNoMarkup()
    {
        QFETCH(QByteArray, suffix);
        const json report = test::syntheticReport(40);
        const std::vector<Tag> clean = render(report);
        const std::vector<Tag> hostile = render(poisoned(report, suffix.toStdString()));
        QCOMPARE(skeleton(hostile), skeleton(clean));
        for (std::size_t i = 0; i < hostile.size(); ++i) {
            if (hostile[i].name != "script" || hostile[i].attributes.contains("type")) continue;
            QCOMPARE(hostile[i].text, clean[i].text); // the only script that runs is ours
        }
        QCOMPARE(find(hostile, "meta", "http-equiv", "Content-Security-Policy")->attributes["content"],
                 find(clean, "meta", "http-equiv", "Content-Security-Policy")->attributes["content"]);
    }

    void namesStayReadable()
    {
        json report = test::syntheticReport(3);
        report["operations"][0]["name"] = "a<b>&\"c\"";
        report["operations"][1]["name"] = "evil\xe2\x80\xaename\x1b";
        report["operations"][2]["name"] = std::string(100000, 'x');
        const std::string html = htmlOf(report);
        QVERIFY(html.find("a&lt;b&gt;&amp;&quot;c&quot;") != std::string::npos);
        QVERIFY(html.find("evil\\u{202e}name\\u{1b}") != std::string::npos);
        QVERIFY(html.find(std::string(300, 'x')) == std::string::npos);
        QVERIFY(html.find("xxx…xxx") != std::string::npos);
    }

    void policyAllowsOurScriptAlone()
    {
        const std::vector<Tag> tags = render(test::syntheticReport(3));
        const QString policy = find(tags, "meta", "http-equiv", "Content-Security-Policy")->attributes["content"];
        QVERIFY(policy.startsWith("default-src 'none';"));
        int scripts = 0;
        for (const Tag &tag : tags) {
            if (tag.name != "script" || tag.attributes.contains("type")) continue;
            const QByteArray hash = QCryptographicHash::hash(tag.text.toUtf8(), QCryptographicHash::Sha256).toBase64();
            QVERIFY2(policy.contains("script-src 'sha256-" + hash + "'"), qPrintable(policy));
            ++scripts;
        }
        QCOMPARE(scripts, 1);
    }

    void dataCanBeReadBack()
    {
        json report = test::syntheticReport(10);
        report["recipe"]["platform"] = "</script><!-- <b> & 中文";
        const std::vector<Tag> tags = render(report);
        const Tag *data = find(tags, "script", "id", "quantloupe-report");
        QVERIFY(data);
        QVERIFY(!data->text.contains('<'));
        const json back = json::parse(data->text.toStdString());
        QVERIFY(back["recipe"]["platform"] == report["recipe"]["platform"]);
        QVERIFY(back["outputs"] == report["outputs"]);
        QVERIFY(back["schema"] == "quantloupe-report/1");
    }

    void worstComesFirstAndUndefinedBeforeAll()
    {
        json report = test::syntheticReport(30);
        report["layerwise"][3]["noise_ratio"] = 0.9;
        report["layerwise"][7]["noise_ratio"] = nullptr;
        report["layerwise"][7]["sqnr_db"] = nullptr;
        report["layerwise"][9]["noise_ratio"] = 0.0;
        report["layerwise"][9]["sqnr_db"] = nullptr;
        const QString html = QString::fromStdString(htmlOf(report));
        const QString table = html.mid(html.indexOf("id=table-layerwise"));
        const auto place = [&](int entry) {
            return table.indexOf(
                QString::fromStdString(">" + report["layerwise"][entry]["op"].get<std::string>() + "<"));
        };
        QVERIFY(place(7) > 0 && place(7) < place(3));
        for (int other : {0, 1, 2, 4, 5, 9}) QVERIFY(place(3) < place(other));
        QVERIFY(place(9) > place(0));
        const QString exact = table.mid(place(9), 300);
        QVERIFY2(exact.contains(">0 %") && exact.contains(">exact"), qPrintable(exact));
        const QString undefined = table.mid(place(7), 300);
        QVERIFY2(undefined.contains("class=en") && undefined.contains(">undefined"), qPrintable(undefined));
    }

    void verdictStatesTheResult_data()
    {
        QTest::addColumn<QString>("change"); // a JSON merge patch of outputs[0]
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<bool>("attention");
        QTest::newRow("little noise") << R"({"noise_ratio": 0.001, "sqnr_db": 30, "metric": null})"
                                      << "0.1 % of the signal (30.0 dB)." << false;
        QTest::newRow("much noise") << R"({"noise_ratio": 0.2, "sqnr_db": 7, "metric": null})"
                                    << "above 10 %" << true;
        QTest::newRow("exact") << R"({"noise_ratio": 0, "sqnr_db": null, "metric": null})"
                               << "does not change the" << false;
        QTest::newRow("undefined") << R"({"noise_ratio": null, "sqnr_db": null, "metric": null})"
                                   << "undefined" << true;
        QTest::newRow("indices") << R"({"noise_ratio": null, "sqnr_db": null, "metric": null, "equal_share": 0.75})"
                                 << "75 % of the integers match the float result." << true;
        QTest::newRow("nearly all indices")
            << R"({"noise_ratio": null, "sqnr_db": null, "metric": null, "equal_share": 0.99})"
            << "99 % of the integers match the float result." << false;
        QTest::newRow("accuracy lost") << R"({"noise_ratio": 0.001, "sqnr_db": 30})"
                                       << "top1: 96.20 % float, 81.00 % quantized (-15.20 points)" << true;
        QTest::newRow("accuracy kept") << R"({"noise_ratio": 0.001, "sqnr_db": 30, "metric": {"quantized": 0.961}})"
                                       << "(-0.10 points)" << false;
    }
    void verdictStatesTheResult()
    {
        QFETCH(QString, change);
        QFETCH(QString, sentence);
        QFETCH(bool, attention);
        json report = test::syntheticReport(10);
        report["outputs"][0].update(json::parse(change.toStdString()), true);
        const QString html = QString::fromStdString(htmlOf(report));
        const qsizetype from = html.indexOf("<div class=\"panel verdict");
        const QString verdict = html.mid(from, html.indexOf("</div>", from) - from);
        QVERIFY2(verdict.contains(sentence), qPrintable(verdict));
        QCOMPARE(verdict.startsWith("<div class=\"panel verdict attention\""), attention);
    }

    void perChannelScalesAreSummed()
    {
        json report = test::syntheticReport(3);
        std::vector<double> scale(512, 0.5);
        scale[100] = 0.125;
        scale[200] = 2.0;
        report["configs"][1]["scale"] = scale;
        const std::string html = htmlOf(report);
        QVERIFY(html.find(">0.125 … 2 (512)<") != std::string::npos);
        QVERIFY(html.find("0.5, 0.5") == std::string::npos);
    }

    void clippedShareComesFromTheHistogram()
    {
        json report = test::syntheticReport(3);
        json &entry = report["statistics"][1]; // the Clip, whose output is active
        entry["float"]["histogram"] = {{"min", 0.0}, {"max", 4.0}, {"counts", {50, 30, 15, 5}}};
        for (json &config : report["configs"]) {
            if (config["op"] == entry["op"] && config["role"] == "output") config["scale"] = {3.0 / 127.0};
        }
        const std::string html = htmlOf(report);
        QVERIFY(html.find("≈ 5 % clipped") != std::string::npos);
        QVERIFY(html.find("class=limit") != std::string::npos);
    }

    /// Sections without rows, as for a model without operations or a run without analyses.
    void sectionsMayBeEmpty()
    {
        const json whole = test::syntheticReport(5);
        for (const auto &[key, value] : whole.items()) {
            if (!value.is_array()) continue;
            json report = whole;
            report[key] = json::array();
            QVERIFY2(htmlOf(report).ends_with("</html>\n"), key.c_str());
        }
    }

    /// A document that is not a report is never shown as one.
    void incompleteReportsAreRefused()
    {
        const json whole = test::syntheticReport(3, 2);
        for (const auto &[key, value] : whole.items()) {
            if (key == "statistics") continue; // only if requested
            json report = whole;
            report.erase(key);
            QVERIFY_EXCEPTION_THROWN(htmlOf(report), Error);
            report[key] = true;
            QVERIFY_EXCEPTION_THROWN(htmlOf(report), Error);
        }
    }

    void emptyAnalysesSayWhy_data()
    {
        QTest::addColumn<bool>("asked");
        QTest::addColumn<bool>("quantized");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("not asked for") << false << true << "Not measured: the analysis <code>layerwise</code>";
        QTest::newRow("nothing quantized") << true << false << "No op is quantized";
        QTest::newRow("asked for, and quantized") << true << true << "Nothing could be measured.";
    }
    void emptyAnalysesSayWhy()
    {
        QFETCH(bool, asked);
        QFETCH(bool, quantized);
        QFETCH(QString, sentence);
        json report = test::syntheticReport(3);
        report["layerwise"] = json::array();
        report["recipe"]["analyses"] = json::array({{{"id", asked ? "layerwise" : "parameters"}}});
        for (json &operation : report["operations"]) operation["quantized"] = quantized;
        const QString html = QString::fromStdString(htmlOf(report));
        const qsizetype from = html.indexOf("<section id=layerwise>");
        const QString section = html.mid(from, html.indexOf("</section>", from) - from);
        QVERIFY2(section.contains(sentence), qPrintable(section));
        QCOMPARE(section.count("class=none"), qsizetype(1));
        QVERIFY(!section.contains("0 ops"));
    }

    void equalReportsGiveEqualBytes()
    {
        QVERIFY(htmlOf(test::syntheticReport(50)) == htmlOf(test::syntheticReport(50)));
    }
};

QL_TEST(TestHtmlReport)
#include "tst_html_report.moc"
