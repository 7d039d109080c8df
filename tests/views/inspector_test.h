#pragma once

// Base of tests of the inspector: the window on the sample for TRT_INT8.
#include "views/bridge/engine_requests.h"
#include "views/bridge/engine_text.h"
#include "views/bridge/run_history.h"
#include "views/panels/config_form.h"
#include "views/panels/inspector.h"
#include "window_fixture.h"

#include <QComboBox>
#include <QSignalSpy>

namespace ql {

class InspectorTest : public QObject
{
protected:
    WindowFixture m_window;

    Document &document() { return m_window.document(); }
    Inspector *inspector() { return m_window.window->inspector(); }
    ConfigForm *form() { return inspector()->findChild<ConfigForm *>(); }
    QComboBox *choice(const char *field) { return form()->findChild<QComboBox *>(QLatin1String(field)); }

    /// The sample for TRT_INT8, with its configs.
    bool isOpened()
    {
        m_window.writeRecipe("TRT_INT8");
        m_window.show();
        m_window.open();
        return QTest::qWaitFor([this] { return !document().history().configs().isEmpty(); }, patienceMs);
    }

    void choose(QComboBox *box, int row)
    {
        box->setCurrentIndex(row);
        Q_EMIT box->activated(row);
    }

    /// The engine's error for the recipe, from a run up to calibration; empty if there is none.
    QString refusal()
    {
        QSignalSpy failed(&document().requests(), &EngineRequests::failed);
        document().requests().run(api::Goal::Calibrate);
        if (!QTest::qWaitFor([&] { return failed.count() > 0 || !document().requests().job().isRunning; }, patienceMs))
            return QStringLiteral("it does not end");
        return failed.isEmpty() ? QString() : engineText(failed[0][0].value<EngineError>().message);
    }
};

} // namespace ql
