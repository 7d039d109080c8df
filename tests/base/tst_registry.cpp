#include "core/base/registry.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;

namespace {

struct Colour
{
    static constexpr const char *kindName = "colour";
    int value = 0;
};

} // namespace

class TestRegistry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsRegisteredEntries()
    {
        const Registrar<Colour> red{"red", {1}}, green{"green", {2}};
        const auto &colours = Registry<Colour>::instance();
        QCOMPARE(colours.ids(), (std::vector<std::string>{"green", "red"}));
        QCOMPARE(colours.at("red", "colour").value, 1);
        QVERIFY(!colours.find("blue"));
        QVERIFY_EXCEPTION_THROWN(colours.at("blue", "colour"), Error);
    }

    void refusesAnIdTwice()
    {
        const Registrar<Colour> first{"yellow", {1}};
        try {
            const Registrar<Colour> second{"yellow", {2}};
            QFAIL("the second one was taken");
        } catch (const Error &error) {
            QVERIFY(error.kind == ErrorKind::Internal);
            QCOMPARE(std::string(error.what()), std::string("the colour 'yellow' is registered twice"));
        }
        QCOMPARE(Registry<Colour>::instance().find("yellow")->value, 1);
    }
};

QL_TEST(TestRegistry)
#include "tst_registry.moc"
