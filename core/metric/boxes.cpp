// Average precision of a detector. Labels: a COCO json file (images, annotations), or a folder of YOLO text files, one
// per image: lines of class, x, y, width, height as parts of the image, centres first; or of class and the corners x, y
// of an outline, whose box counts.
#include "core/api/json_text.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"
#include "core/io/image.h"
#include "core/io/placement.h"
#include "core/metric/detection.h"
#include "core/metric/metric.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

namespace ql {

namespace {

namespace fs = std::filesystem;

/// Of an image; boxes as parts of its width and height.
struct LabelledImage
{
    int width = 0, height = 0; ///< 0: read from the image
    std::vector<LabelledObject> objects;
};
using LabelledImages = std::map<std::string, LabelledImage>; ///< by stem

LabelledImages readCoco(const fs::path &file)
{
    LabelledImages images;
    try {
        const nlohmann::json document = nlohmann::json::parse(readFile(file));
        std::map<std::int64_t, std::string> stemOfId;
        for (const nlohmann::json &image : document.at("images")) {
            const std::string stem = stemOf(image.at("file_name").get<std::string>());
            stemOfId[image.at("id").get<std::int64_t>()] = stem;
            images[stem] = {image.at("width").get<int>(), image.at("height").get<int>(), {}};
        }
        std::set<std::int64_t> categories; // the model's classes are their positions
        for (const nlohmann::json &category : document.at("categories"))
            categories.insert(category.at("id").get<std::int64_t>());
        for (const nlohmann::json &object : document.at("annotations")) {
            const auto known = stemOfId.find(object.at("image_id").get<std::int64_t>());
            const bool isCrowd = object.contains("iscrowd") && object["iscrowd"] != 0;
            if (known == stemOfId.end()) continue;
            LabelledImage &image = images.at(known->second);
            const auto category = categories.find(object.at("category_id").get<std::int64_t>());
            if (category == categories.end()) continue;
            const auto box = object.at("bbox").get<std::vector<double>>();
            if (box.size() != 4) continue;
            image.objects.push_back({std::int64_t(std::distance(categories.begin(), category)),
                                     {box[0] / image.width, box[1] / image.height, (box[0] + box[2]) / image.width,
                                      (box[1] + box[3]) / image.height},
                                     isCrowd});
        }
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorKind::BadData, QL_TEXT("not a COCO file of objects: %1").with(error.what()))
            .inFile(file.string())
            .withRemedy(QL_TEXT("It needs images, annotations and categories."));
    }
    return images;
}

/// A line of a YOLO file; nothing if it is none.
std::optional<LabelledObject> yoloObject(const std::string &line)
{
    std::istringstream words(line);
    std::vector<double> numbers;
    for (double number = 0; words >> number;) numbers.push_back(number);
    if (!words.eof() || numbers.size() < 5) return std::nullopt;
    LabelledObject object{std::int64_t(numbers[0]), {}};
    constexpr std::size_t leastCorners = 3;
    if (numbers.size() < 1 + 2 * leastCorners) { // a sixth number is a score
        const double x = numbers[1], y = numbers[2], width = numbers[3], height = numbers[4];
        object.box = {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
        return object;
    }
    if (numbers.size() % 2 == 0) return std::nullopt;
    object.box = {numbers[1], numbers[2], numbers[1], numbers[2]};
    for (std::size_t i = 3; i < numbers.size(); i += 2) {
        object.box[0] = std::min(object.box[0], numbers[i]);
        object.box[1] = std::min(object.box[1], numbers[i + 1]);
        object.box[2] = std::max(object.box[2], numbers[i]);
        object.box[3] = std::max(object.box[3], numbers[i + 1]);
    }
    return object;
}

LabelledImages readYolo(const fs::path &folder)
{
    LabelledImages images;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".txt" || entry.path().filename() == "classes.txt")
            continue; // labelImg's names
        LabelledImage &image = images[entry.path().stem().string()];
        std::istringstream lines(readFile(entry.path()));
        for (std::string line; std::getline(lines, line);) {
            if (trim(line).empty()) continue;
            const auto object = yoloObject(line);
            if (!object)
                throw Error(
                    ErrorKind::BadData,
                    QL_TEXT("expected class, x, y, width and height, or class and corners x, y, got '%1'").with(line))
                    .inFile(entry.path().string());
            image.objects.push_back(*object);
        }
    }
    return images;
}

/// The files of images in data (a folder or a manifest), by file name.
std::map<std::string, fs::path> imagesOf(const fs::path &data)
{
    std::map<std::string, fs::path> images;
    if (fs::is_directory(data)) {
        for (const fs::directory_entry &entry : fs::directory_iterator(data))
            if (entry.is_regular_file()) images.emplace(entry.path().filename().string(), entry.path());
        return images;
    }
    const bool isManifest = data.extension() == ".json";
    if (!isManifest) return images;
    const api::JsonText text = api::JsonText::parse(readFile(data), data.string());
    const std::optional<api::JsonNode> samples = api::JsonNode(text).find("samples");
    if (!samples) return images; // a program that writes arrays
    for (const api::JsonNode &sample : samples->elements())
        if (const auto name = sample.find("file")) {
            const fs::path file = data.parent_path() / name->string();
            images.emplace(file.filename().string(), file);
        }
    return images;
}

struct BoxLabels
{
    LabelledImages images;
    std::map<std::string, fs::path> files; ///< of the data
    std::string preprocess;
    HeadOptions head;
    std::int64_t firstClass = 0;
    mutable std::map<std::string, std::pair<int, int>> sizes = {}; ///< of images, read so far

    std::pair<int, int> sizeOf(const std::string &name, const LabelledImage &image) const
    {
        if (image.width > 0) return {image.width, image.height};
        if (const auto known = sizes.find(name); known != sizes.end()) return known->second;
        const auto file = files.find(name);
        if (file == files.end())
            throw Error(ErrorKind::BadData,
                        QL_TEXT("the image '%1', whose size the labels need, was not found").with(name))
                .withRemedy(
                    QL_TEXT("Use a folder of images or a manifest as data, or labels that name the sizes (COCO)."));
        const Image pixels = decodeImage(readFile(file->second), file->second.string());
        return sizes[name] = {pixels.width, pixels.height};
    }
};

class BoxMetric final : public OutputMetric
{
public:
    BoxMetric(std::shared_ptr<const BoxLabels> labels, std::vector<double> thresholds)
        : m_labels(std::move(labels)), m_precision(std::move(thresholds))
    {}

    void add(const std::vector<at::Tensor> &outputs, const Feed &feed, const std::vector<std::string> &names) override
    {
        const ImageSize size = imageSizeOf(feed);
        if (size.width == 0) throw Error(ErrorKind::BadData, QL_TEXT("no input of the network takes images"));
        const int height = int(size.height), width = int(size.width);
        std::vector<std::vector<Detection>> found = detectionsIn(outputs, width, height, names.size(), m_labels->head);
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto labelled = m_labels->images.find(stemOf(names[i]));
            if (labelled == m_labels->images.end()) continue;
            ++m_samples;
            const auto [imageWidth, imageHeight] = m_labels->sizeOf(names[i], labelled->second);
            const Placement place = placementOf(m_labels->preprocess, imageWidth, imageHeight);
            std::vector<LabelledObject> wanted = labelled->second.objects;
            for (LabelledObject &object : wanted) {
                object.label -= m_labels->firstClass;
                for (std::size_t c = 0; c < 4; ++c)
                    object.box[c] = c % 2 == 0 ? object.box[c] * imageWidth * place.scaleX + place.left
                                               : object.box[c] * imageHeight * place.scaleY + place.top;
            }
            m_precision.add(std::move(found[i]), wanted);
        }
    }
    std::optional<double> value() const override
    {
        return m_samples > 0 ? std::optional(m_precision.value()) : std::nullopt;
    }
    std::int64_t samples() const override { return m_samples; }

private:
    std::shared_ptr<const BoxLabels> m_labels;
    AveragePrecision m_precision;
    std::int64_t m_samples = 0;
};

DetectionHead headNamed(const std::string &name)
{
    if (name == "yolox") return DetectionHead::Yolox;
    if (name == "yolo") return DetectionHead::Yolo;
    if (name == "yolov8") return DetectionHead::Yolov8;
    if (name == "ssd") return DetectionHead::Ssd;
    return name == "nms" ? DetectionHead::Nms : DetectionHead::Auto;
}

std::function<std::unique_ptr<OutputMetric>()> openBoxes(const MetricInput &input,
                                                         const std::vector<double> &thresholds)
{
    auto labels = std::make_shared<BoxLabels>();
    labels->images = fs::is_directory(input.labels) ? readYolo(input.labels) : readCoco(input.labels);
    if (labels->images.empty())
        throw Error(ErrorKind::BadData, QL_TEXT("there are no labels in it")).inFile(input.labels.string());
    const auto needsImage = [](const auto &labelled) { return labelled.second.width == 0; };
    if (std::any_of(labels->images.begin(), labels->images.end(), needsImage)) labels->files = imagesOf(input.data);
    labels->preprocess = input.preprocess;
    labels->head.head = headNamed(input.params.at("head"));
    labels->head.least = input.params.at("score");
    labels->head.same = input.params.at("overlap");
    labels->firstClass = input.params.at("first_class");
    labels->head.strides.clear();
    for (const std::string &stride : split(input.params.at("strides").get<std::string>(), ','))
        labels->head.strides.push_back(std::max(1, std::atoi(stride.c_str())));
    return [labels, thresholds] { return std::make_unique<BoxMetric>(labels, thresholds); };
}

MetricEntry boxEntry(const char *id, const Text &title, const Text &meaning, const std::vector<double> &thresholds)
{
    MetricEntry entry;
    entry.info = {
        .id = id,
        .title = title,
        .meaning = meaning,
        .params = {
            {.name = "head",
             .type = "enum",
             .fallback = "auto",
             .meaning = QL_TEXT("Layout of boxes in the outputs: yolox: offsets in each cell; yolo: x, y, "
                                "width, height, objectness, classes; yolov8: the same without "
                                "objectness, boxes along the last axis; ssd: corners and class "
                                "scores; nms: objects after suppression."),
             .choices = {"auto", "yolox", "yolo", "yolov8", "ssd", "nms"}},
            {.name = "score",
             .type = "float",
             .fallback = 0.01,
             .meaning = QL_TEXT("Boxes with a lower score are left out."),
             .min = 0,
             .max = 1},
            {.name = "overlap",
             .type = "float",
             .fallback = 0.65,
             .meaning = QL_TEXT("Boxes of a class that overlap more are one object."),
             .min = 0,
             .max = 1},
            {.name = "first_class",
             .type = "int",
             .fallback = 0,
             .meaning = QL_TEXT("Number of the model's first class in the labels; -1 if that is the background."),
             .min = -1},
            {.name = "strides",
             .type = "string",
             .fallback = "8,16,32",
             .meaning = QL_TEXT("Sizes of the cells of a yolox head, in pixels.")}}};
    entry.open = [thresholds](const MetricInput &input) { return openBoxes(input, thresholds); };
    return entry;
}

const MetricRegistrar ap50Registrar{"ap50",
                                    boxEntry("ap50", QL_TEXT("AP50"),
                                             QL_TEXT("Average precision of a detector at overlap 0.5. Labels: a COCO "
                                                     "json file or a folder of YOLO text files."),
                                             {0.5})};
const MetricRegistrar apRegistrar{"ap",
                                  boxEntry("ap", QL_TEXT("AP50:95"),
                                           QL_TEXT("Average precision of a detector, mean over overlaps 0.5 to 0.95. "
                                                   "Labels: a COCO json file or a folder of YOLO text files."),
                                           {0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95})};

} // namespace

} // namespace ql
