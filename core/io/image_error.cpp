#include "core/io/image_error.h"

namespace ql {

static constexpr std::int64_t largestImage = 100'000'000;

Error badImage(const std::string &file, const Text &why)
{
    return Error(ErrorKind::BadData, why)
        .inFile(file)
        .withRemedy(QL_TEXT("Convert it to PNG or JPEG, or remove it from the data."));
}

Error notNumbers(const std::string &file)
{
    return Error(ErrorKind::BadData, QL_TEXT("a mask must be a grey image of class numbers, or have a palette"))
        .inFile(file)
        .withRemedy(QL_TEXT("Replace its colors by the numbers of classes."));
}

Error largeNumber(std::int64_t value, const std::string &file)
{
    return Error(ErrorKind::BadData, QL_TEXT("a pixel is %1, numbers of classes are at most 255").with(value))
        .inFile(file);
}

void checkImageSize(std::int64_t width, std::int64_t height, const std::string &file)
{
    if (width < 1 || height < 1 || width > largestImage || height > largestImage || width * height > largestImage)
        throw badImage(file, QL_TEXT("expected an image of at most 100 million pixels, got %1x%2").with(width, height));
}

} // namespace ql
