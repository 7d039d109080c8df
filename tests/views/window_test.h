#pragma once

// Base of tests of the whole window on the small sample.
#include "views/panels/inspector.h"
#include "views/window/center_view.h"
#include "window_fixture.h"

#include <QComboBox>

namespace ql {

class WindowTest : public QObject
{
protected:
    WindowFixture m_fixture;
    std::unique_ptr<MainWindow> &m_window = m_fixture.window;

    Document &document() { return m_fixture.document(); }
    bool isRun() { return m_fixture.isRun(); }
    void openSmall()
    {
        m_window->openFile(m_fixture.file());
        QTRY_VERIFY_WITH_TIMEOUT(document().graph() && m_window->center()->graph()->scene(), 60000);
        settle();
    }

    /// The weight of the stem in 4 bits, by the inspector.
    void setBitsOfStem()
    {
        document().setCurrent(QStringLiteral("stem"));
        Inspector *inspector = m_window->inspector();
        QTRY_VERIFY(inspector->slot() >= 0);
        inspector->showSlot(api::SlotRole::Parameter, 1);
        auto *bits = inspector->findChild<QComboBox *>(QStringLiteral("bits"));
        QVERIFY(bits);
        const int four = bits->findText(QStringLiteral("4"));
        bits->setCurrentIndex(four);
        Q_EMIT bits->activated(four);
    }
};

} // namespace ql
