#include "core/io/placement.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/preprocess_words.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ql {

namespace {

void scaleTo(Placement &to, int width, int height)
{
    const double x = double(width) / to.width, y = double(height) / to.height;
    to.scaleX *= x;
    to.left *= x;
    to.scaleY *= y;
    to.top *= y;
    to.shownWidth = int(std::lround(to.shownWidth * x));
    to.shownHeight = int(std::lround(to.shownHeight * y));
    to.width = width;
    to.height = height;
}

void moveInto(Placement &to, int width, int height, bool isCentred)
{
    if (isCentred) { // as the steps do it, in whole pixels
        to.left += (width - to.width) / 2;
        to.top += (height - to.height) / 2;
    }
    to.width = width;
    to.height = height;
}

bool has(const std::vector<std::string> &words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

void resize(Placement &to, const std::vector<std::string> &words, std::pair<int, int> size)
{
    const char *side = has(words, "short") ? "short" : has(words, "long") || has(words, "max") ? "long" : nullptr;
    if (!side) {
        scaleTo(to, size.first, size.second);
        return;
    }
    const int shorter = std::min(to.width, to.height), longer = std::max(to.width, to.height);
    const int from = std::string_view(side) == "short" ? shorter : longer;
    const int wanted = has(words, "max") ? std::min(size.first, longer) : size.first;
    scaleTo(to, std::max(1, int(std::int64_t(to.width) * wanted / from)),
            std::max(1, int(std::int64_t(to.height) * wanted / from)));
}

} // namespace

Placement placementOf(std::string_view preprocess, int width, int height)
{
    Placement to;
    to.width = to.shownWidth = width;
    to.height = to.shownHeight = height;
    for (const std::string &step : split(preprocess, ';')) {
        std::vector<std::string> words;
        for (const std::string &word : split(step, ' '))
            if (!trim(word).empty()) words.push_back(std::string(trim(word)));
        if (words.empty()) continue;
        const std::string name = words.front();
        if (name == "rot" || name == "flip" || (name == "pad" && has(words, "multiple")) ||
            (name == "resize" && has(words, "multiple")))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("labels with positions cannot follow the preprocessing step '%1'").with(step))
                .withRemedy(QL_TEXT("Steps that labels can follow: resize, stretch, crop, letterbox, pad."));
        if (name != "resize" && name != "stretch" && name != "crop" && name != "letterbox" && name != "pad") continue;
        const std::pair<int, int> size = StepWords(std::vector<std::string>(words.begin() + 1, words.end())).size();
        if (name == "resize") resize(to, words, size);
        if (name == "stretch") scaleTo(to, size.first, size.second);
        if (name == "crop") moveInto(to, size.first, size.second, !has(words, "topleft"));
        if (name == "pad") moveInto(to, size.first, size.second, has(words, "center"));
        if (name == "letterbox") {
            const double ratio = std::min(double(size.first) / to.width, double(size.second) / to.height);
            scaleTo(to, std::clamp(int(to.width * ratio), 1, size.first),
                    std::clamp(int(to.height * ratio), 1, size.second));
            to.scaleX = to.scaleY = ratio; // not of the rounded size
            moveInto(to, size.first, size.second, has(words, "center"));
        }
    }
    return to;
}

} // namespace ql
