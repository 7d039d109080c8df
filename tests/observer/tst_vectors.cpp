#include "observer_support.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <map>

using namespace ql;

namespace {

/// The data of scripts/ppq/vectors.py: made of the reference batches by operations that are exact in float32.
const Batches &dataOf(const QString &name)
{
    static const std::map<QString, float (*)(float)> made = {
        {"x", [](float v) { return v; }},
        {"relu", [](float v) { return std::max(v, 0.f); }},
        {"negative", [](float v) { return std::min(v, 0.f); }},
        {"clamped", [](float v) { return std::clamp(v, -1.f, 6.f); }},
        {"constant", [](float) { return 0.5f; }},
        {"zero", [](float) { return 0.f; }},
    };
    static std::map<QString, Batches> cache;
    const auto [entry, fresh] = cache.try_emplace(name);
    if (fresh) {
        entry->second = referenceBatches();
        for (auto &batch : entry->second) std::transform(batch.begin(), batch.end(), batch.begin(), made.at(name));
    }
    return entry->second;
}

} // namespace

/// Every observer on every kind of data against PPQ's results (tests/data/ppq/observer_vectors.json).
class TestVectors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ppq_data()
    {
        QTest::addColumn<QJsonObject>("row");
        QFile file(QL_TEST_DATA "/ppq/observer_vectors.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
        const QJsonArray fields = root["fields"].toArray(), rows = root["rows"].toArray();
        QVERIFY(rows.size() > 100);
        for (const auto &values : rows) {
            QJsonObject row;
            for (int i = 0; i < fields.size(); ++i) row[fields[i].toString()] = values.toArray()[i];
            const QString title = QString("%1 %2 %3 bits %4%5%6")
                                      .arg(row["data"].toString(), row["observer"].toString())
                                      .arg(row["bits"].toInt())
                                      .arg(QLatin1String(row["symmetric"].toBool() ? "symmetric" : "asymmetric"),
                                           QLatin1String(row["power_of_two"].toBool() ? " power of two" : ""),
                                           QLatin1String(row["channel_axis"].isNull() ? "" : " per channel"));
            QTest::newRow(qPrintable(title)) << row;
        }
    }

    void ppq()
    {
        QFETCH(QJsonObject, row);
        TensorQuantConfig config;
        config.observer = row["observer"].toString().toStdString();
        config.percentileOver = PercentileOver::Batches;
        config.bits = row["bits"].toInt();
        config.symmetric = row["symmetric"].toBool();
        config.powerOfTwo = row["power_of_two"].toBool();
        config.quantMin = config.symmetric ? -(1 << (config.bits - 1)) : 0;
        config.quantMax = (config.symmetric ? 1 << (config.bits - 1) : 1 << config.bits) - 1;
        const bool perChannel = !row["channel_axis"].isNull();
        if (perChannel) config.channelAxis = row["channel_axis"].toInt();
        // The batches are [1, 4, 128, 128].
        const auto &batches = dataOf(row["data"].toString());
        const auto result = perChannel ? observe(config, batches, 4, 128 * 128) : observe(config, batches);
        const QJsonArray scale = row["scale"].toArray(), zeroPoint = row["zero_point"].toArray();
        QCOMPARE(result.scale.size(), std::size_t(scale.size()));
        for (int i = 0; i < scale.size(); ++i) {
            const auto at = std::size_t(i);
            QVERIFY2(near(result.scale[at], scale[i].toDouble()),
                     qPrintable(QString("channel %1: scale %2, PPQ %3")
                                    .arg(i)
                                    .arg(double(result.scale[at]), 0, 'g', 9)
                                    .arg(scale[i].toDouble(), 0, 'g', 9)));
            QCOMPARE(result.zeroPoint.at(at), zeroPoint[i].toInt());
        }
    }
};

Q_DECLARE_METATYPE(QJsonObject)
QL_TEST(TestVectors)
#include "tst_vectors.moc"
