#include "core/api/data_program.h"

#include "core/api/fields.h"

namespace ql::api {

template <class Codec>
void fields(Codec &codec, Same<DataProgram> auto &program)
{
    codec.member("command", program.command);
    codec.optional("preprocess", program.preprocess);
    codec.optional("seconds", program.seconds, DataProgram().seconds);
}

QL_JSON_PAIR(DataProgram, "manifest")

} // namespace ql::api
