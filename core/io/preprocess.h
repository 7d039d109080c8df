#pragma once

#include "core/api/params.h"
#include "core/io/image.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// The preprocessing of an image: a readable list of steps, applied in order, e.g. "rgb; resize 256 short; crop 224;
/// scale 1/255; mean .485,.456,.406; std .229,.224,.225; layout nchw". Decoded images are red, green, blue, 0..255.
/// Steps that only move pixels keep 8 bits; scale, mean, std, shift, gamma and clip compute in float32.
class Preprocess
{
public:
    /// The empty list: images become RGB, 0..255, layout nchw.
    Preprocess() = default;
    /// @throws Error (BadConfig) naming step, column, what was expected, and the nearest known word
    explicit Preprocess(std::string_view spec);

    bool empty() const { return m_steps.empty(); }
    const std::string &text() const { return m_text; }
    /// Only value steps with one number for all channels: they apply to an array of any shape.
    bool isElementwise() const { return m_elementwise; }

    /// @returns uint8 or float32, [C, H, W], or [H, W, C] with "layout nhwc". @throws Error (BadData) for an image that
    /// a step does not support; file is for messages.
    at::Tensor apply(Image image, const std::string &file) const;
    /// The same for a sample of an array: [H, W], [H, W, 1 or 3] or [1 or 3, H, W], uint8 or a float type; any shape if
    /// isElementwise(). The empty list returns the array unchanged. @throws Error (BadData)
    at::Tensor apply(const at::Tensor &sample, const std::string &file) const;

    /// The steps for help texts: id, title (the form to write) and meaning.
    static const std::vector<api::CatalogueItem> &catalogue();
    /// Common steps of trained models, as examples for an input of 224 x 224.
    static const std::vector<api::CatalogueItem> &presets();

    struct State
    {
        Image image;
        bool bgr = false;
        bool nhwc = false;
    };
    using Step = std::function<void(State &)>;

private:
    struct Named
    {
        std::string text; ///< as written, for messages
        Step run;
    };
    State runSteps(Image image, const std::string &file) const;

    std::string m_text;
    std::vector<Named> m_steps;
    bool m_elementwise = false;
};

} // namespace ql
