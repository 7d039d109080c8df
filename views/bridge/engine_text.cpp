#include "views/bridge/engine_text.h"

#include "core/base/error.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <array>
#include <cmath>

namespace ql {

namespace {

QString fromEngine(const std::string &source)
{
    return QCoreApplication::translate("Engine", source.c_str());
}

/// The window's place for the setting of a command-line option; the option itself if there is none.
QString placeOf(const QString &option)
{
    const QString name = option.section(QLatin1Char(' '), 0, 0);
    if (name == QLatin1String("--input-shape"))
        return QCoreApplication::translate("EngineText", "“Edit › Model inputs and device”");
    if (name == QLatin1String("--preprocess"))
        return QCoreApplication::translate("EngineText", "the steps of “Edit › Data”");
    if (name == QLatin1String("--calib") || name == QLatin1String("--eval") ||
        name == QLatin1String("--eval-samples") || name == QLatin1String("--sampling"))
        return QCoreApplication::translate("EngineText", "“Edit › Data”");
    if (name == QLatin1String("--metric") || name == QLatin1String("--labels"))
        return QCoreApplication::translate("EngineText", "“Edit › Data › Metric”");
    if (name == QLatin1String("--weights")) return QCoreApplication::translate("EngineText", "“Edit › Weights”");
    if (name == QLatin1String("--inputs") || name == QLatin1String("--outputs") ||
        name == QLatin1String("--cut-unsupported"))
        return QCoreApplication::translate("EngineText", "“Edit › Cut the model”");
    if (name == QLatin1String("--analyse"))
        return QCoreApplication::translate("EngineText", "“Gains of remedies” among the analyses of “Recipe”");
    if (name == QLatin1String("--device"))
        return QCoreApplication::translate("EngineText", "the device “%1” (Edit › Model inputs and device)")
            .arg(option.section(QLatin1Char(' '), 1));
    if (name == QLatin1String("--goal")) return QCoreApplication::translate("EngineText", "“Tune › Goals”");
    if (name == QLatin1String("--lock")) return QCoreApplication::translate("EngineText", "“Tune › Locks”");
    if (name == QLatin1String("--resume"))
        return QCoreApplication::translate("EngineText", "“Tune › Use earlier measurements”");
    if (name == QLatin1String("--allow-commands"))
        return QCoreApplication::translate("EngineText", "“Edit › Plug-ins and programs”");
    return option;
}

/// Groups of three digits only if they help: years, lines and sizes of four digits are unchanged.
QString integerText(qint64 value)
{
    return std::abs(value) < 10000 ? QString::number(value) : QLocale().toString(value);
}

QString numberText(const Text &text)
{
    if (!std::isfinite(text.number())) return QString::fromStdString(text.english());
    return QLocale().toString(text.number(), 'g', text.digits());
}

QString joined(const std::vector<Text> &parts, Text::Join join)
{
    QStringList texts;
    for (const Text &part : parts) texts.append(engineText(part));
    QString last;
    if (join == Text::Join::Or && texts.size() > 1) last = texts.takeLast();
    const std::array<QString, 5> separators = {QCoreApplication::translate("EngineText", ", ", "between names"),
                                               QCoreApplication::translate("EngineText", ", ", "between names"),
                                               QCoreApplication::translate("EngineText", " ", "between sentences"),
                                               QCoreApplication::translate("EngineText", "; "), QStringLiteral("\n")};
    const QString text = texts.join(separators[std::size_t(join)]);
    return last.isEmpty() ? text : QCoreApplication::translate("EngineText", "%1 or %2").arg(text, last);
}

/// QString::arg() would search the inserted text for placeholders.
QString filled(const QString &source, const std::vector<Text> &args)
{
    QString out;
    for (qsizetype i = 0; i < source.size(); ++i) {
        const int place = source[i] == QLatin1Char('%') && i + 1 < source.size() ? source[i + 1].digitValue() : -1;
        if (place < 1 || std::size_t(place) > args.size()) {
            out += source[i];
            continue;
        }
        out += engineText(args[std::size_t(place) - 1]);
        ++i;
    }
    return out;
}

} // namespace

QString engineText(const Text &text)
{
    switch (text.kind()) {
    case Text::Kind::Verbatim: return QString::fromStdString(text.source());
    case Text::Kind::Option: return placeOf(QString::fromStdString(text.source()));
    case Text::Kind::Template: return filled(fromEngine(text.source()), text.args());
    case Text::Kind::Integer: return integerText(text.integer());
    case Text::Kind::Number: return numberText(text);
    case Text::Kind::List: return joined(text.args(), text.join());
    }
    return {};
}

QString engineText(const QString &word)
{
    return word.isEmpty() ? word : fromEngine(word.toStdString());
}

QString readableName(const std::string &name)
{
    return QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString engineSentences(const Text &message, const Text &remedy, const std::string &file)
{
    if (!file.empty()) return QString::fromStdString(file + ": ") + engineSentences(message, remedy);
    QString text = engineText(message).trimmed();
    static const QString ends = QStringLiteral(".?!。？！");
    if (!text.isEmpty() && !ends.contains(text.back()))
        text += QCoreApplication::translate("EngineText", ".", "at the end of a sentence");
    return (text + QLatin1Char(' ') + engineText(remedy)).trimmed();
}

QString exceptionText(const std::exception &error)
{
    const auto *own = dynamic_cast<const Error *>(&error);
    if (!own) return QString::fromUtf8(error.what());
    return engineSentences(own->message, own->remedy, own->file);
}

} // namespace ql
