#include "views/graph/graph_export.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>

namespace ql {

/// Maximum side and total size of an image: viewers open nothing larger.
static constexpr double maxPixels = 30000, maxArea = 250e6;
/// A page of a PDF may be 14,400 points long.
static constexpr double maxPoints = 14400;

static bool paintOn(QPaintDevice &device, const GraphPicture &picture, const QRectF &area, double scale)
{
    QPainter painter;
    if (!painter.begin(&device)) return false;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.translate(-area.topLeft());
    painter.fillRect(area, Theme::current().canvas);
    // Less detail in a PNG, where it would not be visible; vector images can be zoomed
    picture.paint(painter, area, device.devType() == QInternal::Image ? scale : 1);
    return painter.end();
}

QString writeGraphPicture(const GraphPicture &picture, const QString &path, const QString &title)
{
    if (!picture.scene()) return QCoreApplication::translate("ql::GraphView", "There is no graph to save.");
    const QRectF area = picture.scene()->bounds.adjusted(-20, -20, 20, 20);
    const QString ending = QFileInfo(path).suffix().toLower();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return QCoreApplication::translate("ql::GraphView", "%1 cannot be written: %2").arg(path, file.errorString());
    bool good = false;
    if (ending == QLatin1String("png")) {
        const double scale = std::min({2.0, maxPixels / area.height(), maxPixels / area.width(),
                                       std::sqrt(maxArea / (area.width() * area.height()))});
        QImage image((area.size() * scale).toSize(), QImage::Format_RGB32);
        good = !image.isNull() && paintOn(image, picture, area, scale) && image.save(&file, "PNG");
    } else if (ending == QLatin1String("pdf")) {
        const double scale = std::min(1.0, maxPoints / 0.75 / std::max(area.height(), area.width()));
        QPdfWriter writer(&file);
        writer.setPageSize(QPageSize(area.size() * 0.75 * scale, QPageSize::Point));
        writer.setPageMargins({});
        writer.setResolution(96);
        writer.setTitle(title);
        good = paintOn(writer, picture, area, scale);
    } else {
        QSvgGenerator generator;
        generator.setOutputDevice(&file);
        generator.setSize(area.size().toSize());
        generator.setViewBox(QRectF(QPointF(), area.size()));
        generator.setTitle(title);
        good = paintOn(generator, picture, area, 1);
    }
    if (good && file.commit()) return {};
    return QCoreApplication::translate("ql::GraphView", "%1 cannot be written: %2").arg(path, file.errorString());
}

} // namespace ql
