#include "core/platform/definition.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/registry.h"
#include "core/base/resources.h"
#include "core/base/strings.h"
#include "core/base/trust.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>

namespace ql {

namespace {

/// All definitions in this process. Definitions are never destroyed, so references stay valid when a file is read
/// again.
class Catalogue
{
public:
    static Catalogue &instance()
    {
        static Catalogue catalogue;
        return catalogue;
    }

    /// Without the platforms of plug-ins, one of which is being loaded.
    bool isRead(std::string_view id)
    {
        const std::lock_guard lock(m_mutex);
        load();
        return m_byId.contains(id);
    }

    const PlatformDefinition *find(std::string_view id)
    {
        const std::lock_guard lock(m_mutex);
        load();
        addRegistered();
        const auto it = m_byId.find(id);
        if (it != m_byId.end()) return it->second;
        for (const auto &[known, definition] : m_byId)
            for (const std::string &alias : definition->aliases)
                if (alias == id) return definition;
        return m_reading ? fromResource(std::string(id)) : nullptr;
    }

    std::vector<const PlatformDefinition *> all()
    {
        const std::lock_guard lock(m_mutex);
        load();
        addRegistered();
        std::vector<const PlatformDefinition *> out;
        for (const bool builtIn : {true, false})
            for (const auto &[id, definition] : m_byId)
                if (definition->isBuiltIn() == builtIn) out.push_back(definition);
        return out;
    }

    const PlatformDefinition &add(const std::filesystem::path &file)
    {
        const std::lock_guard lock(m_mutex);
        load();
        addRegistered();
        return addFile(file);
    }

    std::filesystem::path removableFile(std::string_view id)
    {
        const std::lock_guard lock(m_mutex);
        load();
        addRegistered();
        const auto it = m_byId.find(id);
        if (it == m_byId.end())
            throw Error(ErrorKind::BadConfig, QL_TEXT("there is no platform '%1'").with(std::string(id)));
        if (it->second->isBuiltIn())
            throw Error(ErrorKind::BadConfig, QL_TEXT("'%1' is a built-in platform").with(it->first))
                .withRemedy(QL_TEXT("Only your own platforms can be renamed or deleted."));
        const std::filesystem::path file = it->second->file, folder = userPlatformFolder();
        if (file.parent_path() != folder)
            throw Error(
                ErrorKind::BadConfig,
                QL_TEXT("the file of '%1' is not in the folder of user platforms: %2").with(it->first, file.string()))
                .withRemedy(QL_TEXT("Remove the file by hand."));
        if (const auto heir = heirOf(it->first, folder))
            throw Error(ErrorKind::BadConfig, QL_TEXT("'%1' extends '%2'").with(*heir, it->first))
                .withRemedy(QL_TEXT("Change or delete '%1' first.").with(*heir));
        return file;
    }

    void remove(std::string_view id)
    {
        const std::lock_guard lock(m_mutex);
        const std::filesystem::path file = removableFile(id);
        std::error_code error;
        std::filesystem::remove(file, error);
        if (error) throw Error(ErrorKind::Io, QL_TEXT("cannot remove %1: %2").with(file.string(), error.message()));
        m_byId.erase(m_byId.find(id));
    }

    void refresh()
    {
        const std::lock_guard lock(m_mutex);
        load();
        addRegistered();
        const std::filesystem::path folder = userPlatformFolder();
        const Listing now = listing(folder);
        if (now == m_listing) return;
        std::erase_if(m_byId, [&](const auto &entry) {
            return !entry.second->isBuiltIn() && std::filesystem::path(entry.second->file).parent_path() == folder;
        });
        readUserFolder(folder);
        m_listing = now;
    }

    const std::vector<api::Problem> &problems()
    {
        const std::lock_guard lock(m_mutex);
        load();
        addRegistered();
        return m_problems;
    }

private:
    /// Platforms of plug-ins that were loaded since.
    void addRegistered()
    {
        if (m_reading) return;
        const auto &registry = Registry<PlatformEntry>::instance();
        for (const std::string &id : registry.ids()) {
            if (!m_registered.insert(id).second) continue;
            try {
                keep(platformFromText(registry.find(id)->json, "the platform '" + id + "' of a plug-in"));
            } catch (const Error &e) {
                m_pluginProblems.push_back({.severity = api::Severity::Warning,
                                            .message = QL_TEXT("platform refused: %1: %2").with(e.file, e.message),
                                            .remedy = e.remedy});
                m_problems.push_back(m_pluginProblems.back());
            }
        }
    }

    void load()
    {
        if (m_loaded || m_reading) return;
        m_reading = true;
        for (const std::string_view name : resources::resourceNames("platforms/")) {
            // the name of a built-in file is its id in lower case: extends finds it before it is read
            const std::string stem = std::filesystem::path(name).stem().string();
            fromResource(stem);
        }
        m_reading = false;
        m_loaded = true;
        const std::filesystem::path folder = userPlatformFolder();
        m_listing = listing(folder);
        readUserFolder(folder);
    }

    /// Files of a folder with the time of their last change.
    using Listing = std::map<std::filesystem::path, std::filesystem::file_time_type>;
    static Listing listing(const std::filesystem::path &folder)
    {
        Listing files;
        std::error_code error, unread;
        if (folder.empty()) return files;
        for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
            if (it->path().extension() == ".json") files[it->path()] = it->last_write_time(unread);
        return files;
    }

    const PlatformDefinition *fromResource(const std::string &id)
    {
        const std::string name = "platforms/" + lower(id) + ".json";
        for (const auto &[known, definition] : m_byId)
            if (definition->file == name) return definition;
        const auto names = resources::resourceNames(name);
        if (names.empty() || names.front() != name) return nullptr;
        return keep(platformFromText(resources::resource(name), name));
    }

    /// A platform of the folder that extends this one. Definitions contain everything they inherit, so the files are
    /// checked.
    static std::optional<std::string> heirOf(const std::string &id, const std::filesystem::path &folder)
    {
        std::error_code error;
        for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            if (it->path().extension() != ".json") continue;
            try {
                const auto file =
                    api::platformFileFromJson(api::JsonText::parse(readFile(it->path()), it->path().string()));
                if (file.extends == id) return file.id;
            } catch (const Error &) {
                continue; // refused when it was read, so nothing is lost with its base
            }
        }
        return std::nullopt;
    }

    const PlatformDefinition *keep(PlatformDefinition definition)
    {
        m_owned.push_back(std::make_unique<PlatformDefinition>(std::move(definition)));
        m_byId.insert_or_assign(m_owned.back()->id, m_owned.back().get());
        return m_owned.back().get();
    }

    /// files: those of the same folder, by lower-case id; the file is added to them
    const PlatformDefinition &addFile(const std::filesystem::path &file,
                                      std::map<std::string, std::filesystem::path> *files = nullptr)
    {
        const api::JsonText text = api::JsonText::parse(readFile(file), file.string());
        PlatformDefinition definition = platformFromJson(text);
        for (const auto &[id, known] : m_byId)
            if (known->isBuiltIn() && lower(id) == lower(definition.id))
                api::placeOfId(text).fail(QL_TEXT("'%1' is a built-in platform").with(id),
                                          QL_TEXT("Choose another id; \"extends\" inherits its settings."));
        if (files)
            if (const auto [other, isNew] = files->try_emplace(lower(definition.id), file); !isNew)
                api::placeOfId(text).fail(
                    QL_TEXT("'%1' is also the id of the platform in %2").with(definition.id, other->second.string()),
                    QL_TEXT("Choose another id, or remove one of the files."));
        return *keep(std::move(definition));
    }

    void readUserFolder(const std::filesystem::path &folder)
    {
        m_problems = readFolder(folder);
        m_problems.insert(m_problems.end(), m_pluginProblems.begin(), m_pluginProblems.end());
    }

    std::vector<api::Problem> readFolder(const std::filesystem::path &folder)
    {
        std::vector<api::Problem> problems;
        std::vector<std::filesystem::path> files;
        std::error_code error;
        if (!folder.empty())
            for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
                if (it->path().extension() == ".json") files.push_back(it->path());
        std::sort(files.begin(), files.end());
        std::map<std::string, std::filesystem::path> byId;
        // repeated while another one was read: a file may extend one that sorts after it
        for (bool hasNew = true; hasNew && !files.empty();) {
            hasNew = false;
            problems.clear();
            std::erase_if(files, [&](const std::filesystem::path &file) {
                try {
                    addFile(file, &byId);
                    return hasNew = true;
                } catch (const Error &e) {
                    problems.push_back(
                        {.severity = api::Severity::Warning,
                         .message = QL_TEXT("platform file refused: %1: %2").with(file.string(), e.message),
                         .remedy = e.remedy});
                    return false;
                }
            });
        }
        return problems;
    }

    std::recursive_mutex m_mutex; // reading a definition with "extends" looks up another one
    bool m_loaded = false, m_reading = false;
    std::vector<std::unique_ptr<PlatformDefinition>> m_owned;
    std::map<std::string, const PlatformDefinition *, std::less<>> m_byId;
    std::vector<api::Problem> m_problems;
    std::set<std::string> m_registered; ///< ids of platforms of plug-ins that were read
    std::vector<api::Problem> m_pluginProblems;
    Listing m_listing; ///< of the user's folder when it was read
};

} // namespace

bool isHalfFloat(std::string_view id)
{
    return id == "FP16" || id == "BF16" || id == "PPL_CUDA_FP16";
}

std::vector<Text> unknownPlatformRemedy(std::string_view id, const std::vector<std::string> &known)
{
    std::vector<Text> remedy;
    if (isHalfFloat(id))
        remedy.push_back(
            QL_TEXT("16-bit floats are no platform here: dispatch operations to FP32 (float32), or set bits to 16 and "
                    "exponent_bits to 5 (float16) or 8 (bfloat16) in an override, with the observer constant."));
    remedy.push_back(QL_TEXT("Known: %1.").with(Text::list(known)));
    return remedy;
}

const PlatformDefinition *findPlatform(std::string_view id)
{
    return Catalogue::instance().find(id);
}

const PlatformDefinition &platform(std::string_view id)
{
    if (const PlatformDefinition *definition = findPlatform(id)) return *definition;
    std::vector<std::string> ids;
    for (const PlatformDefinition *definition : platforms()) ids.push_back(definition->id);
    std::vector<Text> remedy = unknownPlatformRemedy(id, ids);
    for (const api::Problem &problem : platformProblems()) remedy.push_back(QL_TEXT("(%1)").with(problem.message));
    throw Error(ErrorKind::BadConfig,
                Text::sentences({QL_TEXT("unknown platform '%1'.").with(std::string(id)), suggestion(id, ids)}))
        .withRemedy(Text::sentences(std::move(remedy)));
}

std::vector<const PlatformDefinition *> platforms()
{
    return Catalogue::instance().all();
}

const PlatformDefinition &loadPlatformFile(const std::filesystem::path &file)
{
    return Catalogue::instance().add(file);
}

std::filesystem::path removablePlatformFile(std::string_view id)
{
    return Catalogue::instance().removableFile(id);
}

void removePlatform(std::string_view id)
{
    Catalogue::instance().remove(id);
}

void refreshPlatforms()
{
    Catalogue::instance().refresh();
}

const std::vector<api::Problem> &platformProblems()
{
    return Catalogue::instance().problems();
}

PlatformRegistrar::PlatformRegistrar(const std::string &id, std::string json)
{
    if (Catalogue::instance().isRead(id) && noteRegistration(PlatformEntry::kindName, id, Registered::Refused, {}))
        return;
    Registry<PlatformEntry>::instance().add(id, {std::move(json)});
}

std::filesystem::path userPlatformFolder()
{
    const std::filesystem::path folder = userDataFolder();
    return folder.empty() ? folder : folder / "platforms";
}

} // namespace ql
