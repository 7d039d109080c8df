#include "views/models/training_log.h"

#include <algorithm>
#include <utility>

namespace ql {

/// Points of one curve: more cannot be distinguished on a screen.
static constexpr qsizetype maxCurvePoints = 2000;

bool hasTrained(const QVector<api::PassRow> &passes)
{
    return std::any_of(passes.begin(), passes.end(), [](const api::PassRow &pass) { return !pass.blocks.empty(); });
}

void TrainingLog::add(const api::TrainingEvent &event)
{
    const QString pass = QString::fromStdString(event.pass);
    const bool isNext = m_blocks.isEmpty() || m_blocks.back().done || m_blocks.back().pass != pass ||
                        m_blocks.back().number != event.block;
    if (isNext) {
        if (!m_blocks.isEmpty() && !m_blocks.back().done) m_blocks.removeLast(); // it could not be trained
        m_blocks.emplace_back();
    }
    BlockCurve &block = m_blocks.back();
    block.pass = pass;
    block.first = QString::fromStdString(event.first);
    block.last = QString::fromStdString(event.last);
    block.number = event.block;
    block.count = event.blocks;
    block.step = event.step;
    block.steps = event.steps;
    if (event.done) {
        block.done = event.done;
        block.before = event.done->before;
        block.after = event.done->after;
        return;
    }
    const double x = event.steps > 0 ? double(event.step) / event.steps : 0;
    if (event.heldOut) {
        if (block.tests.isEmpty()) block.before = *event.heldOut;
        block.after = *event.heldOut;
        block.tests.append({x, block.before > 0 ? *event.heldOut / block.before : 1});
    }
    if (!event.loss) return;
    block.loss = *event.loss;
    if (block.before > 0 && block.losses.size() < maxCurvePoints) block.losses.append({x, block.loss / block.before});
}

void TrainingLog::finish(const QVector<api::PassRow> &passes)
{
    QVector<BlockCurve> measured;
    for (BlockCurve &block : m_blocks)
        if (block.done) measured.append(std::move(block));
    m_blocks.clear();
    for (const api::PassRow &pass : passes)
        for (const api::TrainedBlock &trained : pass.blocks) {
            const qsizetype at = m_blocks.size();
            BlockCurve block;
            const bool isSame = at < measured.size() && measured[at].pass.toStdString() == pass.id &&
                                measured[at].done->first == trained.first &&
                                measured[at].done->before == trained.before;
            if (isSame) block = std::move(measured[at]);
            block.pass = QString::fromStdString(pass.id);
            block.first = QString::fromStdString(trained.first);
            block.last = QString::fromStdString(trained.last);
            block.done = trained; // the pass may have taken it back in the end
            block.before = trained.before;
            block.after = trained.after;
            if (block.tests.isEmpty())
                block.tests = {{0, 1}, {1, trained.before > 0 ? trained.after / trained.before : 1}};
            m_blocks.append(std::move(block));
        }
}

QString TrainingLog::csv() const
{
    QString csv = QStringLiteral("pass,block,first,last,curve,share_of_steps,error_relative_to_before\n");
    for (qsizetype i = 0; i < m_blocks.size(); ++i) {
        const BlockCurve &block = m_blocks[i];
        const auto write = [&](const QVector<QPointF> &points, const QString &name) {
            for (const QPointF &point : points)
                csv += QStringLiteral("%1,%2,\"%3\",\"%4\",%5,%6,%7\n")
                           .arg(block.pass, QString::number(i + 1), block.first, block.last, name,
                                QString::number(point.x()), QString::number(point.y(), 'g', 9));
        };
        write(block.losses, QStringLiteral("loss"));
        write(block.tests, QStringLiteral("held_out"));
    }
    return csv;
}

} // namespace ql
