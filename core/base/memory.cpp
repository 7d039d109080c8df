#include "core/base/memory.h"

#include <fstream>
#include <string>

namespace ql {

std::int64_t availableMemory()
{
    std::ifstream in("/proc/meminfo");
    std::string name, unit;
    for (std::int64_t value = 0; in >> name >> value; std::getline(in, unit))
        if (name == "MemAvailable:") return value * 1024;
    return std::int64_t{4} << 30;
}

} // namespace ql
