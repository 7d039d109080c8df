#include "core/base/build_id.h"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ql {

namespace {

/// Searches one segment of notes (ELF specification, "Note Section"): header, name, content, each padded to 4 bytes.
std::string idInNotes(const unsigned char *at, std::size_t size)
{
    const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t(3); };
    const unsigned char *end = at + size;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        ElfW(Nhdr) note;
        std::memcpy(&note, at, sizeof note);
        const unsigned char *name = at + sizeof note, *content = name + padded(note.n_namesz);
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
            return {content, content + note.n_descsz};
        at = content + padded(note.n_descsz);
    }
    return {};
}

int readOwn(dl_phdr_info *object, std::size_t, void *result)
{
    const auto here = reinterpret_cast<std::uintptr_t>(&readOwn);
    const ElfW(Phdr) *begin = object->dlpi_phdr, *end = begin + object->dlpi_phnum;
    const bool isOurs = std::any_of(begin, end, [&](const ElfW(Phdr) & segment) {
        const std::uintptr_t first = object->dlpi_addr + segment.p_vaddr;
        return segment.p_type == PT_LOAD && here >= first && here - first < segment.p_memsz;
    });
    if (!isOurs) return 0;
    for (const ElfW(Phdr) *segment = begin; segment != end; ++segment) {
        if (segment->p_type != PT_NOTE) continue;
        const auto *notes = reinterpret_cast<const unsigned char *>(object->dlpi_addr + segment->p_vaddr);
        const std::string id = idInNotes(notes, segment->p_memsz);
        if (!id.empty()) *static_cast<std::string *>(result) = id;
    }
    return 1; // the others are not asked
}

} // namespace

std::string buildId()
{
    std::string id;
    ::dl_iterate_phdr(readOwn, &id);
    return id;
}

} // namespace ql
