#pragma once

#include "core/api/params.h"
#include "core/io/image.h"

#include <ATen/core/Tensor.h>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// What a picture goes through before it is a sample: a readable list of steps, done in the order in which they stand,
/// e.g. "rgb; resize 256 short; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225; layout nchw".
/// Decoded pictures are red, green, blue, 0..255. Steps that only move pixels keep 8 bits; scale, mean, std, shift,
/// gamma and clip compute in float32.
class Preprocess
{
public:
    /// The empty list: pictures become RGB, 0..255, layout nchw.
    Preprocess() = default;
    /// @throws Error (BadConfig) saying which step, at which column, what was expected, and the nearest known word
    explicit Preprocess(std::string_view spec);

    bool empty() const { return m_steps.empty(); }
    const std::string &text() const { return m_text; }
    /// Only value steps with one number for all channels: they apply to an array of any shape.
    bool isElementwise() const { return m_elementwise; }

    /// @returns uint8 or float32, [C, H, W], or [H, W, C] with "layout nhwc". @throws Error (BadData) for a picture
    /// that a step cannot serve; file is for messages.
    at::Tensor apply(Picture picture, const std::string &file) const;
    /// The same for a sample of an array: [H, W], [H, W, 1 or 3] or [1 or 3, H, W], uint8 or a float type; any shape
    /// when isElementwise(). The empty list gives the array back. @throws Error (BadData)
    at::Tensor apply(const at::Tensor &sample, const std::string &file) const;

    /// The steps for help texts: id, title (the form to write) and meaning.
    static const std::vector<api::CatalogueItem> &catalogue();
    /// Steps that many models are trained with, as examples for an input of 224 x 224.
    static const std::vector<api::CatalogueItem> &presets();

    struct State
    {
        Picture picture;
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
    State runSteps(Picture picture, const std::string &file) const;

    std::string m_text;
    std::vector<Named> m_steps;
    bool m_elementwise = false;
};

} // namespace ql
