// Single words of the engine that the window shows in its language: states, roles, fields and values of parameters,
// with spaces for underscores (readableName()). Sentences and names of parameters are extracted from the engine's own
// sources.
#include <QtGlobal>

namespace ql {

extern const char *const engineWords[];
const char *const engineWords[] = {
    QT_TRANSLATE_NOOP("Engine", "initial"),
    QT_TRANSLATE_NOOP("Engine", "active"),
    QT_TRANSLATE_NOOP("Engine", "overlapped"),
    QT_TRANSLATE_NOOP("Engine", "baked"),
    QT_TRANSLATE_NOOP("Engine", "fp32"),
    QT_TRANSLATE_NOOP("Engine", "tensor"),
    QT_TRANSLATE_NOOP("Engine", "output channel"),
    QT_TRANSLATE_NOOP("Engine", "half even"),
    QT_TRANSLATE_NOOP("Engine", "half up"),
    QT_TRANSLATE_NOOP("Engine", "half down"),
    QT_TRANSLATE_NOOP("Engine", "half towards zero"),
    QT_TRANSLATE_NOOP("Engine", "half away from zero"),
    QT_TRANSLATE_NOOP("Engine", "to near int"),
    QT_TRANSLATE_NOOP("Engine", "role"),
    QT_TRANSLATE_NOOP("Engine", "severity"),
    QT_TRANSLATE_NOOP("Engine", "field"),
    QT_TRANSLATE_NOOP("Engine", "origin"),
    QT_TRANSLATE_NOOP("Engine", "attributes"),
    QT_TRANSLATE_NOOP("Engine", "dynamic"),
    QT_TRANSLATE_NOOP("Engine", "exponent bits"),
    QT_TRANSLATE_NOOP("Engine", "granularity"),
    QT_TRANSLATE_NOOP("Engine", "scale format"),
    QT_TRANSLATE_NOOP("Engine", "codebook"),
    QT_TRANSLATE_NOOP("Engine", "index"),
    QT_TRANSLATE_NOOP("Engine", "index from"),
    QT_TRANSLATE_NOOP("Engine", "inputs"),
    QT_TRANSLATE_NOOP("Engine", "is parameter"),
    QT_TRANSLATE_NOOP("Engine", "platform"),
    QT_TRANSLATE_NOOP("Engine", "power of two"),
    QT_TRANSLATE_NOOP("Engine", "quant max"),
    QT_TRANSLATE_NOOP("Engine", "quant min"),
    QT_TRANSLATE_NOOP("Engine", "range"),
    QT_TRANSLATE_NOOP("Engine", "rounding"),
    QT_TRANSLATE_NOOP("Engine", "scale"),
    QT_TRANSLATE_NOOP("Engine", "state"),
    QT_TRANSLATE_NOOP("Engine", "visibility"),
    QT_TRANSLATE_NOOP("Engine", "zero point"),
    QT_TRANSLATE_NOOP("Engine", "always"),
    QT_TRANSLATE_NOOP("Engine", "batches"),
    QT_TRANSLATE_NOOP("Engine", "internal"),
    QT_TRANSLATE_NOOP("Engine", "to input"),
    QT_TRANSLATE_NOOP("Engine", "to large"),
    QT_TRANSLATE_NOOP("Engine", "to output"),
    QT_TRANSLATE_NOOP("Engine", "when active"),
    QT_TRANSLATE_NOOP("Engine", "details"),
    QT_TRANSLATE_NOOP("Engine", "graphwise"),
    QT_TRANSLATE_NOOP("Engine", "layerwise"),
};

// Values of parameters of passes and platforms, and names that core/pass composes
extern const char *const passWords[];
const char *const passWords[] = {
    QT_TRANSLATE_NOOP("Engine", "balance"),       QT_TRANSLATE_NOOP("Engine", "bias rate"),
    QT_TRANSLATE_NOOP("Engine", "rounded"),       QT_TRANSLATE_NOOP("Engine", "clamped"),
    QT_TRANSLATE_NOOP("Engine", "exact"),         QT_TRANSLATE_NOOP("Engine", "float"),
    QT_TRANSLATE_NOOP("Engine", "integer"),       QT_TRANSLATE_NOOP("Engine", "saturating pairs"),
    QT_TRANSLATE_NOOP("Engine", "random"),        QT_TRANSLATE_NOOP("Engine", "outputs"),
    QT_TRANSLATE_NOOP("Engine", "rounding rate"), QT_TRANSLATE_NOOP("Engine", "scale rate"),
    QT_TRANSLATE_NOOP("Engine", "weight rate"),
};

// Runtimes: causes of differences, and how inner tensors were compared
extern const char *const runtimeWords[];
const char *const runtimeWords[] = {
    QT_TRANSLATE_NOOP("Engine", "tie on a code border"),
    QT_TRANSLATE_NOOP("Engine", "encoding missing or ignored"),
    QT_TRANSLATE_NOOP("Engine", "other rounding"),
    QT_TRANSLATE_NOOP("Engine", "fused or moved operation"),
    QT_TRANSLATE_NOOP("Engine", "layout or resize rule"),
    QT_TRANSLATE_NOOP("Engine", "saturating sums"),
    QT_TRANSLATE_NOOP("Engine", "float kernel"),
    QT_TRANSLATE_NOOP("Engine", "unknown"),
    QT_TRANSLATE_NOOP("Engine", "intermediate outputs"),
    QT_TRANSLATE_NOOP("Engine", "cuts"),
    QT_TRANSLATE_NOOP("Engine", "constants of the file changed"),
};

// Values of parameters of analyses
extern const char *const analysisWords[];
const char *const analysisWords[] = {
    QT_TRANSLATE_NOOP("Engine", "all"),
    QT_TRANSLATE_NOOP("Engine", "computing"),
};

} // namespace ql
