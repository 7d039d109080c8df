#include "core/io/npz.h"

#include "core/base/error.h"
#include "core/base/strings.h"

#include <algorithm>
#include <limits>
#include <ostream>
#include <sstream>
#include <zip.h>
#include <zlib.h>

namespace ql {

namespace fs = std::filesystem;

struct NpzFile::Archive
{
    explicit Archive(zip_t *z) : zip(z) {}
    ~Archive() { zip_discard(zip); }
    Archive(const Archive &) = delete;
    Archive &operator=(const Archive &) = delete;
    zip_t *zip;
};

namespace {

/// A member of the archive. Stored members are read at any position; deflated ones forwards, and from the start again
/// for an earlier position.
class MemberReader final : public ByteReader
{
public:
    MemberReader(std::shared_ptr<void> keep, zip_t *zip, zip_uint64_t index, std::string file, std::string name)
        : m_keep(std::move(keep)), m_zip(zip), m_index(index), m_file(std::move(file)), m_name(std::move(name))
    {
        zip_stat_t status;
        zip_stat_init(&status);
        if (zip_stat_index(m_zip, m_index, 0, &status) != 0 || !(status.valid & ZIP_STAT_SIZE) ||
            !(status.valid & ZIP_STAT_COMP_METHOD))
            fail(zip_strerror(m_zip));
        m_size = status.size;
        m_stored = status.comp_method == ZIP_CM_STORE;
        if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) && status.encryption_method != ZIP_EM_NONE)
            fail(QL_TEXT("it is encrypted"));
        open();
    }
    ~MemberReader() override
    {
        if (m_member) zip_fclose(m_member);
    }
    MemberReader(const MemberReader &) = delete;
    MemberReader &operator=(const MemberReader &) = delete;

    std::uint64_t size() const override { return m_size; }
    void read(std::uint64_t offset, std::size_t count, char *out) override
    {
        if (offset != m_position) seek(offset);
        while (count > 0) {
            const zip_int64_t got = zip_fread(m_member, out, count);
            if (got < 0) fail(zip_file_strerror(m_member));
            if (got == 0) fail(QL_TEXT("the data is truncated"));
            m_position += std::uint64_t(got);
            count -= std::size_t(got);
            out += got;
        }
        if (m_position < m_size) return;
        // The checksum is compared at the end.
        char more = 0;
        const zip_int64_t got = zip_fread(m_member, &more, 1);
        if (got < 0) fail(zip_file_strerror(m_member));
        if (got > 0) fail(QL_TEXT("it is longer than the archive's directory states"));
    }

private:
    [[noreturn]] void fail(const Text &why) const
    {
        throw Error(ErrorKind::BadData, QL_TEXT("array '%1' cannot be read: %2").with(m_name, why))
            .inFile(m_file)
            .withRemedy(QL_TEXT("The file is damaged: write it again."));
    }
    void open()
    {
        m_member = zip_fopen_index(m_zip, m_index, 0);
        if (!m_member) fail(zip_strerror(m_zip));
        m_position = 0;
    }
    void seek(std::uint64_t offset)
    {
        if (m_stored && zip_fseek(m_member, zip_int64_t(offset), SEEK_SET) == 0) {
            m_position = offset;
            return;
        }
        if (offset < m_position) {
            zip_fclose(m_member);
            m_member = nullptr;
            open();
        }
        char skipped[16384];
        while (m_position < offset)
            read(m_position, std::size_t(std::min<std::uint64_t>(sizeof skipped, offset - m_position)), skipped);
    }

    std::shared_ptr<void> m_keep;
    zip_t *m_zip;
    zip_uint64_t m_index;
    std::string m_file, m_name;
    zip_file_t *m_member = nullptr;
    std::uint64_t m_size = 0, m_position = 0;
    bool m_stored = false;
};

} // namespace

NpzFile::NpzFile(const fs::path &file, const ByteRange &range) : m_file(file.string())
{
    openFile(file); // a missing or unreadable file is reported with the system's message
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source =
        zip_source_file_create(file.c_str(), range.start, range.length == 0 ? -1 : zip_int64_t(range.length), &error);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
    if (!zip) {
        if (source) zip_source_free(source);
        const std::string why = zip_error_strerror(&error);
        zip_error_fini(&error);
        throw Error(ErrorKind::BadData, QL_TEXT("expected a NumPy archive (.npz): %1").with(why))
            .inFile(m_file)
            .withRemedy(QL_TEXT("Write it with numpy.savez."));
    }
    m_archive = std::make_shared<Archive>(zip);
    for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); ++i) {
        const char *raw = zip_get_name(zip, zip_uint64_t(i), ZIP_FL_ENC_RAW);
        std::string name = raw ? raw : "";
        if (name.size() > 4 && name.ends_with(".npy")) name.resize(name.size() - 4);
        m_names.push_back(name);
    }
}

NpzFile::~NpzFile() = default;

bool NpzFile::contains(const std::string &name) const
{
    return std::find(m_names.begin(), m_names.end(), name) != m_names.end();
}

std::unique_ptr<NpyArray> NpzFile::array(const std::string &name) const
{
    const auto at = std::find(m_names.begin(), m_names.end(), name);
    if (at == m_names.end())
        throw Error(ErrorKind::BadData,
                    Text::sentences({QL_TEXT("no array '%1' in the file.").with(name), suggestion(name, m_names)}))
            .inFile(m_file)
            .withRemedy(QL_TEXT("It has: %1.").with(Text::list(m_names)));
    try {
        return std::make_unique<NpyArray>(
            std::make_unique<MemberReader>(m_archive, m_archive->zip, zip_uint64_t(at - m_names.begin()), m_file, name),
            QL_TEXT("array '%1'").with(name));
    } catch (Error &error) {
        throw Error(error).inFile(m_file);
    }
}

namespace {

// APPNOTE.TXT (PKWARE), sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16, 4.5.3: the parts of a zip file. Sizes and offsets are
// written in the 64-bit extra fields only if 32 bits are not enough, so that old readers can read small files.
class ZipWriter
{
public:
    explicit ZipWriter(std::ostream &out) : m_out(out) {}

    void add(const std::string &name, const std::string &header, const at::Tensor &data)
    {
        Member member;
        member.name = name;
        member.offset = m_position;
        const auto bytes = std::uint64_t(data.numel()) * std::uint64_t(data.element_size());
        member.size = header.size() + bytes;
        member.crc = crc(crc(0, header.data(), header.size()), static_cast<const char *>(data.data_ptr()), bytes);
        const bool large = member.size >= limit;
        number(0x04034b50, 4);
        common(member, large);
        number(member.name.size(), 2);
        number(large ? 20 : 0, 2);
        write(member.name.data(), member.name.size());
        if (large) {
            number(1, 2);
            number(16, 2);
            number(member.size, 8);
            number(member.size, 8);
        }
        write(header.data(), header.size());
        write(static_cast<const char *>(data.data_ptr()), bytes);
        m_members.push_back(member);
    }

    void finish()
    {
        const std::uint64_t start = m_position;
        for (const Member &member : m_members) directoryEntry(member);
        const std::uint64_t size = m_position - start, count = m_members.size();
        const bool large = start >= limit || size >= limit || count >= 0xffff;
        if (large) {
            const std::uint64_t record = m_position;
            number(0x06064b50, 4);
            number(44, 8);
            number(45, 2);
            number(45, 2);
            number(0, 8); // numbers of disks
            number(count, 8);
            number(count, 8);
            number(size, 8);
            number(start, 8);
            number(0x07064b50, 4);
            number(0, 4);
            number(record, 8);
            number(1, 4);
        }
        number(0x06054b50, 4);
        number(0, 4);
        number(large ? 0xffff : count, 2);
        number(large ? 0xffff : count, 2);
        number(large ? limit : size, 4);
        number(large ? limit : start, 4);
        number(0, 2);
    }

private:
    struct Member
    {
        std::string name;
        std::uint64_t offset = 0, size = 0;
        std::uint32_t crc = 0;
    };
    static constexpr std::uint64_t limit = 0xffffffff;

    static std::uint32_t crc(std::uint32_t start, const char *data, std::uint64_t count)
    {
        if (count == 0) return start; // for a null pointer zlib returns the initial value
        return std::uint32_t(crc32_z(start, reinterpret_cast<const unsigned char *>(data), count));
    }
    void write(const char *data, std::uint64_t count)
    {
        m_out.write(data, std::streamsize(count));
        m_position += count;
    }
    void number(std::uint64_t value, int bytes)
    {
        char buffer[8];
        for (int i = 0; i < bytes; ++i) buffer[i] = char(value >> (8 * i) & 0xff);
        write(buffer, std::uint64_t(bytes));
    }
    void common(const Member &member, bool large)
    {
        number(large ? 45 : 20, 2); // version needed
        number(0x0800, 2);          // names are UTF-8
        number(0, 2);               // stored
        number(0, 2);               // time
        number(0x21, 2);            // 1980-01-01: files do not depend on the clock
        number(member.crc, 4);
        number(large ? limit : member.size, 4);
        number(large ? limit : member.size, 4);
    }
    void directoryEntry(const Member &member)
    {
        const bool largeSize = member.size >= limit, largeOffset = member.offset >= limit;
        const int extra = (largeSize ? 16 : 0) + (largeOffset ? 8 : 0);
        number(0x02014b50, 4);
        number(45, 2);
        common(member, largeSize);
        number(member.name.size(), 2);
        number(extra ? std::uint64_t(extra + 4) : 0, 2);
        number(0, 2); // comment
        number(0, 2); // disk
        number(0, 2); // internal attributes
        number(std::uint64_t(0100644) << 16, 4);
        number(largeOffset ? limit : member.offset, 4);
        write(member.name.data(), member.name.size());
        if (!extra) return;
        number(1, 2);
        number(std::uint64_t(extra), 2);
        if (largeSize) {
            number(member.size, 8);
            number(member.size, 8);
        }
        if (largeOffset) number(member.offset, 8);
    }

    std::ostream &m_out;
    std::uint64_t m_position = 0;
    std::vector<Member> m_members;
};

} // namespace

void writeNpz(std::ostream &out, const std::vector<std::pair<std::string, at::Tensor>> &arrays)
{
    ZipWriter zip(out);
    for (const auto &[name, tensor] : arrays) {
        at::Tensor data = tensor.to(at::kCPU);
        if (data.scalar_type() == at::kBFloat16) data = data.to(at::kFloat);
        data = data.contiguous();
        zip.add(name + ".npy", npyHeaderFor(data), data);
    }
    zip.finish();
}

} // namespace ql
