#include <core/base/plugin.h>
#include <core/exec/kernel.h>
#include <core/pass/pass.h>

#include <csignal>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

QL_PLUGIN("ends", "1", "Ends the process while it works")

using namespace ql;

namespace {

volatile int result = 0;
int *volatile nowhere = nullptr;
void (*volatile nothing)() = nullptr;

int recurse(int depth) // NOLINT: without an end
{
    volatile char room[1024] = {};
    room[depth % 1024] = char(depth);
    return recurse(depth + 1) + room[0];
}

void throwWhereNothingMay() noexcept
{
    throw 42;
}

void end(const std::string &how)
{
    if (how == "write") *nowhere = 1;
    if (how == "call") nothing();
    if (how == "abort") std::abort();
    if (how == "exit") std::exit(0);
    if (how == "quick_exit") std::quick_exit(0);
    if (how == "_exit") ::_exit(0);
    if (how == "_Exit") std::_Exit(0);
    if (how == "kill") ::kill(::getpid(), SIGKILL);
    if (how == "system call") ::syscall(SYS_exit_group, 5);
    if (how == "recurse") result = recurse(0);
    if (how == "terminate") throwWhereNothingMay();
}

struct EndingPass final : Pass
{
    explicit EndingPass(const nlohmann::json &params) : how(params.at("how")) {}
    std::string_view id() const override { return "ends"; }
    int run(QuantModel &, const PassContext &) const override
    {
        end(how);
        return 0;
    }
    std::string how;
};
const PassRegistrar pass{
    {.info = {.id = "ends", .params = {{.name = "how", .type = "string", .fallback = "", .meaning = "In which way."}}},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<EndingPass>}};

std::vector<at::Tensor> endKernel(const KernelContext &, Inputs)
{
    end("write");
    return {};
}
const KernelRegistrar kernel{{"com.example:Ends"}, {.run = endKernel, .family = "test"}};

} // namespace
