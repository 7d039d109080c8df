#include "core/io/preprocess.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/preprocess_words.h"
#include "core/io/resample.h"

#include <ATen/ops/empty.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

namespace ql {

namespace {

using State = Preprocess::State;
using Step = Preprocess::Step;

struct Entry
{
    api::CatalogueItem info;
    Step (*parse)(StepWords &);
    bool valueStep = false;
};

// ---- pixels

template <class Function>
void eachStorage(Image &image, Function &&function)
{
    if (image.floating)
        function(image.values);
    else
        function(image.bytes);
}

/// Image of the new size whose pixel (x, y) is source(x, y) of the old one, or fill if that returns nothing.
template <class Source>
void remap(Image &image, int width, int height, float fill, Source &&source)
{
    const auto channels = std::size_t(image.channels);
    eachStorage(image, [&](auto &pixels) {
        using T = typename std::decay_t<decltype(pixels)>::value_type;
        std::vector<T> out(std::size_t(width) * std::size_t(height) * channels, T(fill));
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const std::optional<std::pair<int, int>> from = source(x, y);
                if (!from) continue;
                const auto at =
                    (std::size_t(from->second) * std::size_t(image.width) + std::size_t(from->first)) * channels;
                std::copy_n(pixels.begin() + std::ptrdiff_t(at), channels,
                            out.begin() +
                                std::ptrdiff_t((std::size_t(y) * std::size_t(width) + std::size_t(x)) * channels));
            }
        pixels = std::move(out);
    });
    image.width = width;
    image.height = height;
}

void place(Image &image, int width, int height, float fill, bool centre)
{
    const bool byte = fill >= 0 && fill <= 255 && fill == std::floor(fill);
    if (!byte) image.toFloat();
    const int left = centre ? (width - image.width) / 2 : 0, top = centre ? (height - image.height) / 2 : 0;
    const int oldWidth = image.width, oldHeight = image.height;
    remap(image, width, height, fill, [&](int x, int y) -> std::optional<std::pair<int, int>> {
        if (x < left || y < top || x >= left + oldWidth || y >= top + oldHeight) return std::nullopt;
        return std::pair(x - left, y - top);
    });
}

std::string sizeText(int width, int height)
{
    return std::to_string(width) + "x" + std::to_string(height);
}

void toRgb(State &state)
{
    if (state.image.channels == 3) return;
    eachStorage(state.image, [](auto &pixels) {
        std::decay_t<decltype(pixels)> out;
        out.reserve(pixels.size() * 3);
        for (const auto value : pixels) out.insert(out.end(), 3, value);
        pixels = std::move(out);
    });
    state.image.channels = 3;
}

void setOrder(State &state, bool bgr)
{
    toRgb(state);
    if (state.bgr == bgr) return;
    eachStorage(state.image, [](auto &pixels) {
        for (std::size_t i = 0; i + 2 < pixels.size(); i += 3) std::swap(pixels[i], pixels[i + 2]);
    });
    state.bgr = bgr;
}

/// ITU-R BT.601 luma, in 16-bit fixed point for 8-bit images.
void toGray(State &state)
{
    if (state.image.channels == 1) return;
    setOrder(state, false);
    eachStorage(state.image, [](auto &pixels) {
        for (std::size_t i = 0; i < pixels.size() / 3; ++i) {
            const auto r = pixels[3 * i], g = pixels[3 * i + 1], b = pixels[3 * i + 2];
            if constexpr (std::is_same_v<std::decay_t<decltype(r)>, std::uint8_t>)
                pixels[i] = std::uint8_t((r * 19595u + g * 38470u + b * 7471u + 0x8000u) >> 16);
            else
                pixels[i] = 0.299F * r + 0.587F * g + 0.114F * b;
        }
        pixels.resize(pixels.size() / 3);
    });
    state.image.channels = 1;
}

// ---- geometry

Filter filterWord(StepWords &words)
{
    if (words.accept("bicubic")) return Filter::Bicubic;
    if (words.accept("nearest")) return Filter::Nearest;
    words.accept("bilinear");
    return Filter::Bilinear;
}

int roundTo(double value, int multiple)
{
    return std::max(multiple, int(std::lround(value / multiple)) * multiple);
}

Step parseResize(StepWords &words)
{
    const auto [width, height] = words.size();
    std::string side = "exact";
    if (width == height)
        for (const char *word : {"short", "long", "max"})
            if (words.accept(word)) side = word;
    const int multiple = words.accept("multiple") ? words.integer(QL_TEXT("a number of pixels")) : 1;
    const Filter filter = filterWord(words);
    return [=, wide = width, high = height](State &state) {
        Image &image = state.image;
        int newWidth = wide, newHeight = high;
        if (side != "exact") {
            const int shorter = std::min(image.width, image.height), longer = std::max(image.width, image.height);
            const int from = side == "short" ? shorter : longer;
            const int to = side == "max" ? std::min(wide, longer) : wide;
            // The other side is truncated to an integer, as in torchvision and by Pillow's users.
            newWidth = std::max(1, int(std::int64_t(image.width) * to / from));
            newHeight = std::max(1, int(std::int64_t(image.height) * to / from));
        }
        if (multiple > 1) {
            newWidth = roundTo(newWidth, multiple);
            newHeight = roundTo(newHeight, multiple);
        }
        if (newWidth > 65536 || newHeight > 65536 || std::int64_t(newWidth) * newHeight > 100'000'000)
            throw InvalidStep{QL_TEXT("the result would have %1 pixels").with(sizeText(newWidth, newHeight))};
        image = resample(image, newWidth, newHeight, filter);
    };
}

Step parseStretch(StepWords &words)
{
    const auto [width, height] = words.size();
    const Filter filter = filterWord(words);
    return [=, w = width, h = height](State &state) { state.image = resample(state.image, w, h, filter); };
}

Step parseCrop(StepWords &words)
{
    const auto [width, height] = words.size();
    const bool corner = words.accept("topleft");
    if (!corner) words.accept("center");
    return [=, w = width, h = height](State &state) {
        const int oldWidth = state.image.width, oldHeight = state.image.height;
        if (oldWidth < w || oldHeight < h)
            throw InvalidStep{QL_TEXT("the image has %1 pixels, fewer than %2 (resize it first)")
                                  .with(sizeText(oldWidth, oldHeight), sizeText(w, h))};
        const int left = corner ? 0 : (oldWidth - w) / 2, top = corner ? 0 : (oldHeight - h) / 2;
        remap(state.image, w, h, 0, [&](int x, int y) { return std::optional(std::pair(x + left, y + top)); });
    };
}

float padValue(StepWords &words)
{
    return words.accept("pad") || words.accept("value") ? float(words.number()) : 0.0F;
}

bool centreWord(StepWords &words)
{
    if (words.accept("center")) return true;
    words.accept("topleft");
    return false;
}

Step parseLetterbox(StepWords &words)
{
    const auto [width, height] = words.size();
    const float fill = padValue(words);
    const bool centre = centreWord(words);
    const Filter filter = filterWord(words);
    return [=, w = width, h = height](State &state) {
        const double ratio = std::min(double(w) / state.image.width, double(h) / state.image.height);
        const int newWidth = std::clamp(int(state.image.width * ratio), 1, w);
        const int newHeight = std::clamp(int(state.image.height * ratio), 1, h);
        state.image = resample(state.image, newWidth, newHeight, filter);
        place(state.image, w, h, fill, centre);
    };
}

Step parsePad(StepWords &words)
{
    const bool multiple = words.accept("multiple");
    const auto [width, height] = words.size();
    const float fill = padValue(words);
    const bool centre = centreWord(words);
    return [=, w = width, h = height](State &state) {
        const int oldWidth = state.image.width, oldHeight = state.image.height;
        const int newWidth = multiple ? (oldWidth + w - 1) / w * w : w,
                  newHeight = multiple ? (oldHeight + h - 1) / h * h : h;
        if (oldWidth > newWidth || oldHeight > newHeight)
            throw InvalidStep{QL_TEXT("the image has %1 pixels, more than %2 (resize or crop it first)")
                                  .with(sizeText(oldWidth, oldHeight), sizeText(newWidth, newHeight))};
        place(state.image, newWidth, newHeight, fill, centre);
    };
}

Step parseRot(StepWords &words)
{
    const std::string turn = words.done() ? "90" : words.oneOf({"90", "180", "270"});
    return [turn](State &state) {
        const int w = state.image.width, h = state.image.height;
        if (turn == "180")
            remap(state.image, w, h, 0, [&](int x, int y) { return std::optional(std::pair(w - 1 - x, h - 1 - y)); });
        else if (turn == "90")
            remap(state.image, h, w, 0, [&](int x, int y) { return std::optional(std::pair(y, h - 1 - x)); });
        else
            remap(state.image, h, w, 0, [&](int x, int y) { return std::optional(std::pair(w - 1 - y, x)); });
    };
}

Step parseFlip(StepWords &words)
{
    const bool vertical = !words.done() && words.oneOf({"horizontal", "vertical"}) == "vertical";
    return [vertical](State &state) {
        const int w = state.image.width, h = state.image.height;
        remap(state.image, w, h, 0, [&](int x, int y) {
            return std::optional(vertical ? std::pair(x, h - 1 - y) : std::pair(w - 1 - x, y));
        });
    };
}

// ---- values

template <class Function>
Step valueStep(std::vector<float> numbers, Function function)
{
    return [numbers = std::move(numbers), function](State &state) {
        Image &image = state.image;
        image.toFloat();
        const auto channels = std::size_t(image.channels);
        if (numbers.size() != 1 && numbers.size() != channels)
            throw InvalidStep{QL_TEXT("got %1 numbers for %2 channels").with(numbers.size(), channels)};
        for (std::size_t i = 0; i < image.values.size(); ++i)
            image.values[i] = function(image.values[i], numbers.size() == 1 ? numbers[0] : numbers[i % channels]);
    };
}

Step parseScale(StepWords &words)
{
    const auto parts = split(words.next(QL_TEXT("a factor such as 1/255")), '/');
    if (parts.size() > 2) throw InvalidStep{QL_TEXT("expected a factor such as 1/255")};
    const auto factor = float(StepWords::number(parts[0]));
    const auto divisor = float(parts.size() == 2 ? StepWords::number(parts[1]) : 1);
    if (divisor == 0) throw InvalidStep{QL_TEXT("division by zero")};
    // Division, not multiplication by a rounded reciprocal: same as x / 255 in a training script.
    return valueStep({factor}, [divisor](float x, float f) { return x * f / divisor; });
}

Step parseMean(StepWords &words)
{
    return valueStep(words.perChannel(), [](float x, float mean) { return x - mean; });
}

Step parseStd(StepWords &words)
{
    const auto numbers = words.perChannel();
    if (std::find(numbers.begin(), numbers.end(), 0.0F) != numbers.end())
        throw InvalidStep{QL_TEXT("division by zero")};
    return valueStep(numbers, [](float x, float deviation) { return x / deviation; });
}

Step parseShift(StepWords &words)
{
    return valueStep(words.perChannel(), [](float x, float shift) { return x + shift; });
}

Step parseGamma(StepWords &words)
{
    return valueStep({float(words.number())}, [](float x, float gamma) { return std::pow(x, gamma); });
}

Step parseClip(StepWords &words)
{
    const auto parts = split(words.next(QL_TEXT("two limits such as 0,1")), ',');
    if (parts.size() != 2) throw InvalidStep{QL_TEXT("expected two limits such as 0,1")};
    const auto low = float(StepWords::number(parts[0])), high = float(StepWords::number(parts[1]));
    if (low > high) throw InvalidStep{QL_TEXT("the lower limit is above the upper one")};
    return valueStep({low}, [high](float x, float l) { return std::clamp(x, l, high); });
}

Step parseLayout(StepWords &words)
{
    const bool nhwc = words.oneOf({"nchw", "nhwc"}) == "nhwc";
    return [nhwc](State &state) { state.nhwc = nhwc; };
}

/// Steps on the pixels of an image.
std::vector<Entry> imageEntries()
{
    return {
        {{"rgb",
          "rgb",
          QL_TEXT("Channels red, green, blue (the order after decoding); a grey image gets three equal ones."),
          {},
          "rgb"},
         [](StepWords &) { return Step([](State &s) { setOrder(s, false); }); }},
        {{"bgr", "bgr", QL_TEXT("Channels blue, green, red, as OpenCV reads them."), {}, "bgr"},
         [](StepWords &) { return Step([](State &s) { setOrder(s, true); }); }},
        {{"gray", "gray", QL_TEXT("One channel: 0.299 red + 0.587 green + 0.114 blue; also written 'y'."), {}, "gray"},
         [](StepWords &) { return Step(toGray); }},
        {{"resize",
          "resize N [short|long|max] [multiple M] | WxH [bilinear|bicubic|nearest]",
          QL_TEXT("Scales: shorter side to N, longer side to N, or longer side to at most N; the aspect ratio is kept. "
                  "N alone means NxN and, like width x height, changes the aspect ratio. multiple rounds both sides to "
                  "multiples of M."),
          {},
          "resize 256 short"},
         parseResize},
        {{"stretch",
          "stretch WxH [bilinear|bicubic|nearest]",
          QL_TEXT("Scales to width x height, regardless of the aspect ratio."),
          {},
          "stretch 224x224"},
         parseStretch},
        {{"crop",
          "crop N | WxH [center|topleft]",
          QL_TEXT("Crops that many pixels from the centre (or the top left corner)."),
          {},
          "crop 224"},
         parseCrop},
        {{"letterbox",
          "letterbox N | WxH [pad V] [topleft|center] [bilinear|bicubic|nearest]",
          QL_TEXT("Scales the image into the box, keeps the aspect ratio and fills the rest with V (0): on the right "
                  "and bottom, or on all sides with center."),
          {},
          "letterbox 416"},
         parseLetterbox},
        {{"pad",
          "pad WxH | pad multiple M [value V] [topleft|center]",
          QL_TEXT("Fills with V (0) up to that size, or up to the next multiples of M."),
          {},
          "pad multiple 32"},
         parsePad},
        {{"rot", "rot 90|180|270", QL_TEXT("Rotates clockwise."), {}, "rot 90"}, parseRot},
        {{"flip",
          "flip [horizontal|vertical]",
          QL_TEXT("Mirrors left and right, or top and bottom."),
          {},
          "flip horizontal"},
         parseFlip}};
}

/// Steps on the values, and their layout.
std::vector<Entry> valueEntries()
{
    return {
        {{"scale", "scale F | A/B", QL_TEXT("Multiplies by F, or by A and divides by B (1/255)."), {}, "scale 1/255"},
         parseScale,
         true},
        {{"mean",
          "mean M | R,G,B",
          QL_TEXT("Subtracts one value for all channels, or one per channel."),
          {},
          "mean .485,.456,.406"},
         parseMean,
         true},
        {{"std",
          "std S | R,G,B",
          QL_TEXT("Divides by one value for all channels, or one per channel."),
          {},
          "std .229,.224,.225"},
         parseStd,
         true},
        {{"shift", "shift V | R,G,B", QL_TEXT("Adds one value for all channels, or one per channel."), {}, "shift 0"},
         parseShift,
         true},
        {{"gamma", "gamma G", QL_TEXT("Raises to the power of G."), {}, "gamma 1"}, parseGamma, true},
        {{"clip", "clip LOW,HIGH", QL_TEXT("Limits the values."), {}, "clip 0,1"}, parseClip, true},
        {{"layout",
          "layout nchw|nhwc",
          QL_TEXT("Axis order of the sample: channels, height, width (default), or channels last."),
          {},
          "layout nchw"},
         parseLayout},
    };
}

const std::vector<Entry> &entries()
{
    static const std::vector<Entry> table = [] {
        std::vector<Entry> all = imageEntries();
        for (Entry &entry : valueEntries()) all.push_back(std::move(entry));
        return all;
    }();
    return table;
}

const Entry &entryOf(const std::string &word)
{
    const std::string name = word == "y" ? "gray" : word;
    std::vector<std::string> names;
    for (const Entry &entry : entries()) {
        if (entry.info.id == name) return entry;
        names.push_back(entry.info.id);
    }
    const Text guess = suggestion(name, names);
    throw InvalidStep{
        Text::sentences({QL_TEXT("unknown step '%1'.").with(name), guess.isEmpty() ? knownNames(names) : guess})};
}

std::vector<std::string> wordsOf(std::string_view text)
{
    std::vector<std::string> words;
    for (const std::string &part : split(text, ' '))
        if (!trim(part).empty()) words.emplace_back(trim(part));
    // "mean .485, .456, .406": a word after a comma belongs to it.
    for (std::size_t i = 0; i + 1 < words.size();)
        if (words[i].ends_with(',') || words[i + 1].starts_with(',')) {
            words[i] += words[i + 1];
            words.erase(words.begin() + std::ptrdiff_t(i) + 1);
        } else {
            ++i;
        }
    return words;
}

} // namespace

Preprocess::Preprocess(std::string_view spec) : m_text(trim(spec))
{
    std::size_t column = 0, number = 0;
    bool elementwise = true;
    for (const std::string &part : split(spec, ';')) {
        const std::string text(trim(part));
        const std::size_t lead = text.empty() ? 0 : part.find(text[0]);
        if (!text.empty()) {
            ++number;
            try {
                auto words = wordsOf(text);
                const std::string name = lower(words.front());
                const Entry &entry = entryOf(name);
                words.erase(words.begin());
                const bool perChannel = std::any_of(words.begin(), words.end(), [](const std::string &w) {
                    return std::count(w.begin(), w.end(), ',') == 2;
                });
                elementwise = elementwise && entry.valueStep && !perChannel;
                StepWords rest(words);
                Step step = entry.parse(rest);
                if (!rest.done())
                    throw InvalidStep{
                        QL_TEXT("unexpected '%1'; the form is: %2").with(rest.next(""), entry.info.title.english())};
                m_steps.push_back({text, std::move(step)});
            } catch (const InvalidStep &bad) {
                throw Error(ErrorKind::BadConfig, QL_TEXT("preprocessing step %1 '%2' at column %3: %4")
                                                      .with(number, text, column + lead + 1, bad.why))
                    .withRemedy(
                        QL_TEXT("`quantloupe-cli preprocess` lists the steps; an example: \"rgb; resize 256 short; "
                                "crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225; layout nchw\"."));
            }
        }
        column += part.size() + 1;
    }
    m_elementwise = elementwise && !m_steps.empty();
}

const std::vector<api::CatalogueItem> &Preprocess::catalogue()
{
    static const std::vector<api::CatalogueItem> items = [] {
        std::vector<api::CatalogueItem> out;
        for (const Entry &entry : entries()) out.push_back(entry.info);
        return out;
    }();
    return items;
}

Preprocess::State Preprocess::runSteps(Image image, const std::string &file) const
{
    State state;
    state.image = std::move(image);
    for (const Named &step : m_steps) {
        try {
            step.run(state);
        } catch (const InvalidStep &bad) {
            throw Error(ErrorKind::BadData, QL_TEXT("preprocessing step '%1': %2").with(step.text, bad.why))
                .inFile(file);
        }
    }
    return state;
}

/// [H, W, C] pixels as a tensor in the layout.
template <class T>
static at::Tensor toTensor(const std::vector<T> &pixels, const Image &image, bool nhwc)
{
    const auto type = std::is_same_v<T, float> ? at::kFloat : at::kByte;
    const std::int64_t w = image.width, h = image.height, c = image.channels;
    const std::vector<std::int64_t> shape = nhwc ? std::vector{h, w, c} : std::vector{c, h, w};
    at::Tensor out = at::empty(shape, at::TensorOptions(type));
    T *data = out.data_ptr<T>();
    if (nhwc || c == 1) {
        std::copy(pixels.begin(), pixels.end(), data);
        return out;
    }
    const std::size_t plane = std::size_t(w * h), channels = std::size_t(c);
    for (std::size_t i = 0; i < plane; ++i)
        for (std::size_t k = 0; k < channels; ++k) data[k * plane + i] = pixels[i * channels + k];
    return out;
}

at::Tensor Preprocess::apply(Image image, const std::string &file) const
{
    // A grey photo among colour photos is treated as a colour photo, unless the steps ask for grey.
    const State state = [&] {
        if (image.channels == 1 && std::none_of(m_steps.begin(), m_steps.end(),
                                                [](const Named &s) { return s.text == "gray" || s.text == "y"; })) {
            State wide;
            wide.image = std::move(image);
            toRgb(wide);
            return runSteps(std::move(wide.image), file);
        }
        return runSteps(std::move(image), file);
    }();
    return state.image.floating ? toTensor(state.image.values, state.image, state.nhwc)
                                : toTensor(state.image.bytes, state.image, state.nhwc);
}

at::Tensor Preprocess::apply(const at::Tensor &sample, const std::string &file) const
{
    if (empty()) return sample;
    Image image;
    if (m_elementwise) {
        const at::Tensor flat = sample.to(at::kFloat).contiguous();
        image.width = int(std::min<std::int64_t>(flat.numel(), INT32_MAX));
        image.height = 1;
        image.channels = 1;
        image.floating = true;
        image.values.assign(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel());
        const State state = runSteps(std::move(image), file);
        at::Tensor out = at::empty(flat.sizes(), flat.options());
        std::copy(state.image.values.begin(), state.image.values.end(), out.data_ptr<float>());
        return out;
    }
    const auto isChannels = [](std::int64_t size) { return size == 1 || size == 3; };
    at::Tensor pixels = sample;
    if (sample.dim() == 2)
        pixels = sample.unsqueeze(2);
    else if (sample.dim() == 3 && !isChannels(sample.size(2)) && isChannels(sample.size(0)))
        pixels = sample.permute({1, 2, 0});
    if (pixels.dim() != 3 || !isChannels(pixels.size(2)) || pixels.numel() > 3 * INT64_C(100'000'000) ||
        pixels.numel() == 0) {
        throw Error(ErrorKind::BadData, QL_TEXT("preprocessing expects images: height x width, with 1 or 3 channels "
                                                "first or last; a sample has the shape %1")
                                            .with(sizesText(sample.sizes())))
            .inFile(file)
            .withRemedy(QL_TEXT("Omit the preprocessing if the array already holds the model's inputs."));
    }
    image.height = int(pixels.size(0));
    image.width = int(pixels.size(1));
    image.channels = int(pixels.size(2));
    if (pixels.scalar_type() == at::kByte) {
        pixels = pixels.contiguous();
        image.bytes.assign(pixels.data_ptr<std::uint8_t>(), pixels.data_ptr<std::uint8_t>() + pixels.numel());
    } else {
        pixels = pixels.to(at::kFloat).contiguous();
        image.floating = true;
        image.values.assign(pixels.data_ptr<float>(), pixels.data_ptr<float>() + pixels.numel());
    }
    const State state = runSteps(std::move(image), file);
    return state.image.floating ? toTensor(state.image.values, state.image, state.nhwc)
                                : toTensor(state.image.bytes, state.image, state.nhwc);
}

} // namespace ql
