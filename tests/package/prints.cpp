// Prints to standard output: while it is loaded, as C and C++ do it, past them, and while it works.
#include <core/base/plugin.h>
#include <core/platform/dispatcher.h>

#include <cstdio>
#include <iostream>
#include <unistd.h>

QL_PLUGIN("prints", "1", "Prints")

using namespace ql;

namespace {

void print()
{
    constexpr char direct[] = "a greeting of a plug-in\n";
    std::printf("a greeting of a plug-in\n");
    std::cout << "a greeting of a plug-in\n";
    [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, direct, sizeof direct - 1);
}

const bool isLoaded = (print(), true);

Dispatch keepAll(const GraphSearch &search, const DispatchRequest &)
{
    print();
    Dispatch out;
    for (const OpId id : search.operations()) out[id] = {"FP32", "as a test"};
    return out;
}
const DispatcherRegistrar dispatcher{"prints", {.info = {.id = "prints"}, .run = keepAll}};

} // namespace
