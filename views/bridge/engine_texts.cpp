// Sentences of the engine that the window translates: as core/ writes them, with %1, %2 for what is put in.
#include <QtGlobal>

namespace ql {

extern const char *const engineTexts[];
const char *const engineTexts[] = {
    QT_TRANSLATE_NOOP("Engine", "override '%1'"),
    nullptr,
};

} // namespace ql
