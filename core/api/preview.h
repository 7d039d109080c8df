#pragma once

#include "core/api/fields.h"
#include "core/api/problem.h"

/// One sample of some data after each step of its preprocessing.
namespace ql::api {

/// 8-bit RGB, row by row.
struct Picture
{
    std::int64_t width = 0, height = 0;
    JsonBytes rgb;
};

/// The finite values of a channel; all unset if there are none.
struct ChannelValues
{
    std::optional<double> mean, std, min, max;
    std::vector<std::int64_t> counts; ///< of equal bins over the range of the sample
};

struct SampleValues
{
    std::vector<std::int64_t> shape;
    std::string type;
    std::optional<double> min, max; ///< of the finite values
    std::int64_t notFinite = 0;
    std::vector<ChannelValues> channels; ///< a single one if the sample does not resemble an image
    std::optional<Picture> picture;      ///< if it resembles one (1 or 3 channels)
};

/// A step that fails has an error and is the last one.
struct PreviewStage
{
    std::string step; ///< empty: the sample as it was read
    std::optional<SampleValues> values;
    Text error, remedy; ///< if there are no values
};

struct PreviewInput
{
    std::string name, type;
    std::string shape; ///< as TensorRow::shape
};

struct Preview
{
    std::size_t samples = 0; ///< number of available samples
    std::size_t sample = 0;
    std::string name;
    std::vector<std::string> names; ///< of the first samples
    PreviewInput input;
    std::vector<PreviewStage> stages;
    std::string hash; ///< of bytes, preprocessing and order; empty if a step fails
    std::vector<Problem> problems;
};

QL_HAS_JSON(Preview)

} // namespace ql::api
