#include "core/session/error_boundary.h"

#include "core/base/memory.h"

#include <c10/util/Exception.h>
#include <filesystem>
#include <new>
#include <string>

namespace ql {

static Error outOfMemory()
{
    return Error(ErrorKind::OutOfMemory, QL_TEXT("not enough memory")).withRemedy(memoryRemedy());
}

Error asError(const std::exception_ptr &failure)
{
    try {
        std::rethrow_exception(failure);
    } catch (const Error &error) {
        return error;
    } catch (const std::bad_alloc &) {
        return outOfMemory();
    } catch (const c10::Error &error) {
        const std::string text = error.what_without_backtrace();
        // Messages of c10's CPU and CUDA allocators
        for (const char *words : {"can't allocate memory", "not enough memory", "out of memory"})
            if (text.find(words) != std::string::npos) return outOfMemory();
        return Error(ErrorKind::Internal, text);
    } catch (const std::filesystem::filesystem_error &error) { // such as a name that is too long
        return Error(ErrorKind::Io, error.code().message())
            .inFile(error.path1().string())
            .withRemedy(QL_TEXT("Check the path."));
    } catch (const std::exception &error) {
        return Error(ErrorKind::Internal, error.what());
    } catch (...) {
        return Error(ErrorKind::Internal, QL_TEXT("an exception of an unknown type"));
    }
}

} // namespace ql
