// Sentences of the engine that the window translates: as core/ writes them, with %1, %2 for what is put in.
#include <QtGlobal>

namespace ql {

extern const char *const engineTexts[];
const char *const engineTexts[] = {
    QT_TRANSLATE_NOOP("Engine", "override '%1'"),
    QT_TRANSLATE_NOOP("Engine", "Alignment"),
    QT_TRANSLATE_NOOP("Engine", "Before: the inputs of an Add or Concat have scales of their own. After: they share "
                                "one, as targets that add or concatenate integers need."),
    QT_TRANSLATE_NOOP("Engine", "Baking"),
    QT_TRANSLATE_NOOP("Engine", "Before: parameters are quantized whenever they are used. After: their rounded values "
                                "are final and their scales frozen."),
    QT_TRANSLATE_NOOP("Engine", "BatchNormalization to Conv"),
    QT_TRANSLATE_NOOP("Engine", "Before: a BatchNormalization that follows no Conv. After: a depthwise 1x1 Conv for "
                                "images, Mul and Add for data of other ranks."),
    QT_TRANSLATE_NOOP("Engine", "Bias correction"),
    QT_TRANSLATE_NOOP("Engine", "Before: quantization shifts the mean output of a layer. After: its bias takes the "
                                "shift back, where that brings the block's output nearer to the float network's."),
    QT_TRANSLATE_NOOP("Engine", "Calibration"),
    QT_TRANSLATE_NOOP("Engine", "Before: activations wait for a scale. After: each has the scale that its observer "
                                "found in the calibration data."),
    QT_TRANSLATE_NOOP("Engine", "Constants to parameters"),
    QT_TRANSLATE_NOOP("Engine", "Before: Constant feeds an operation. After: the operation reads a parameter."),
    QT_TRANSLATE_NOOP("Engine", "Delete isolated operations"),
    QT_TRANSLATE_NOOP("Engine",
                      "Before: operations whose results nothing reads. After: they, and their parameters, are gone."),
    QT_TRANSLATE_NOOP("Engine", "Clip: attributes to inputs"),
    QT_TRANSLATE_NOOP("Engine",
                      "Before: Clip with attributes min and max. After: Clip with scalar parameters in their place."),
    QT_TRANSLATE_NOOP("Engine", "Pad: attributes to inputs"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Before: Pad with attributes pads and value. After: Pad with parameters in their place, in the same mode."),
    QT_TRANSLATE_NOOP("Engine", "Resize and Upsample in one form"),
    QT_TRANSLATE_NOOP("Engine", "Before: Resize of opset 10 or Upsample. After: the same as a Resize of opset 11 "
                                "(asymmetric, the same pixels)."),
    QT_TRANSLATE_NOOP("Engine", "Slice: attributes to inputs"),
    QT_TRANSLATE_NOOP(
        "Engine", "Before: Slice with attributes starts, ends and axes. After: Slice with parameters in their place."),
    QT_TRANSLATE_NOOP("Engine", "Fuse BatchNormalization"),
    QT_TRANSLATE_NOOP("Engine", "Before: Conv, ConvTranspose or Gemm, then BatchNormalization. After: the operation "
                                "alone; its weight and bias do the normalisation."),
    QT_TRANSLATE_NOOP("Engine", "Fuse bias Add"),
    QT_TRANSLATE_NOOP("Engine", "Before: Conv, ConvTranspose or Gemm, then Add with one constant per channel. After: "
                                "the operation alone, with that constant in its bias."),
    QT_TRANSLATE_NOOP("Engine", "Fuse MatMul and Add"),
    QT_TRANSLATE_NOOP("Engine", "Before: MatMul, then Add with one constant per column. After: one BiasedMatMul."),
    QT_TRANSLATE_NOOP("Engine", "Layerwise equalization"),
    QT_TRANSLATE_NOOP("Engine",
                      "Before: neighbouring layers whose channels have very different ranges. After: ranges are shared "
                      "out between them, so one scale per tensor fits all channels; the float result is the same."),
    QT_TRANSLATE_NOOP("Engine", "MetaX Gemm split"),
    QT_TRANSLATE_NOOP("Engine", "Before: Gemm. After: MatMul and Add, which MetaX's compiler takes."),
    QT_TRANSLATE_NOOP("Engine", "ncnn Gemm format"),
    QT_TRANSLATE_NOOP("Engine", "Before: Gemm with any transB, alpha and beta. After: transB 1, with alpha and beta in "
                                "the weight and the bias."),
    QT_TRANSLATE_NOOP("Engine", "NXP input rounding"),
    QT_TRANSLATE_NOOP("Engine",
                      "Before: tensors that enter the quantized part are rounded half to even. After: half down."),
    QT_TRANSLATE_NOOP("Engine", "NXP Resize mode"),
    QT_TRANSLATE_NOOP("Engine", "Before: Resize of any mode. After: nearest, half_pixel, which is what NXP's compiler "
                                "accepts. Changes the network's result."),
    QT_TRANSLATE_NOOP("Engine", "Parameter quantization"),
    QT_TRANSLATE_NOOP("Engine", "Before: weights wait for a scale. After: each has the scale of its observer."),
    QT_TRANSLATE_NOOP("Engine", "Passive parameters"),
    QT_TRANSLATE_NOOP("Engine", "Before: biases, Clip limits and Pad values have no scale. After: a bias has weight "
                                "scale x input scale, the others have the scale of their operation's input."),
    QT_TRANSLATE_NOOP("Engine", "Fusion"),
    QT_TRANSLATE_NOOP("Engine",
                      "Before: Conv, its output quantized, Relu, its output quantized. After: only the output of Relu "
                      "is quantized. The same for operations that only move values (Reshape, MaxPool ...)."),
    QT_TRANSLATE_NOOP("Engine", "Simplification"),
    QT_TRANSLATE_NOOP("Engine", "Before: a tensor is quantized by its producer and again by each consumer. After: by "
                                "the producer alone, where both use the same grid."),
    QT_TRANSLATE_NOOP("Engine", "Remove Identity, Dropout and idle Cast"),
    QT_TRANSLATE_NOOP("Engine",
                      "Before: an operation that passes its input on unchanged. After: its readers read that input."),
    QT_TRANSLATE_NOOP("Engine", "BatchNormalization to Mul and Add"),
    QT_TRANSLATE_NOOP("Engine", "Before: BatchNormalization. After: Mul and Add with one constant per channel."),
    QT_TRANSLATE_NOOP("Engine", "Split shared parameters"),
    QT_TRANSLATE_NOOP("Engine", "Before: several operations read one parameter. After: each reads a parameter of its "
                                "own with the same values."),
    QT_TRANSLATE_NOOP("Engine", "Truncate at a tensor"),
    QT_TRANSLATE_NOOP(
        "Engine", "Before: operations behind a tensor. After: the network ends there, and the tensor is an output."),
    QT_TRANSLATE_NOOP("Engine", "type %1 is not quantable on %2"),
    QT_TRANSLATE_NOOP("Engine", "its values reach no quantable op and no end of the graph"),
    QT_TRANSLATE_NOOP("Engine", "computing op %1 between quantable ops"),
    QT_TRANSLATE_NOOP("Engine", "quantable %1 behind computing op %2"),
    QT_TRANSLATE_NOOP("Engine", "feeds %1"),
    QT_TRANSLATE_NOOP("Engine", "produces shapes or indices"),
    QT_TRANSLATE_NOOP("Engine", "computes with shapes or indices from %1"),
    QT_TRANSLATE_NOOP("Engine", "leads up to the shape or index arithmetic of %1"),
    QT_TRANSLATE_NOOP("Engine", "shape or index arithmetic"),
    QT_TRANSLATE_NOOP("Engine", "behind %1, which %2 does not quantize: float32 until the next computing op"),
    QT_TRANSLATE_NOOP("Engine", "the values reach from 0 to 255: nothing scales them"),
    QT_TRANSLATE_NOOP("Engine",
                      "Right when the model was trained on such values; else add 'scale 1/255', and 'mean' and 'std'."),
    QT_TRANSLATE_NOOP("Engine", "the largest value is %1: perhaps they are scaled twice"),
    QT_TRANSLATE_NOOP("Engine", "Check 'scale', 'mean' and 'std'."),
    QT_TRANSLATE_NOOP("Engine", "%1 value(s) are NaN or infinite, the first in sample %2"),
    QT_TRANSLATE_NOOP("Engine", "the means %1, as those of %2 pictures do, but the channels are in the order %3"),
    QT_TRANSLATE_NOOP("Engine", "samples are read in the order of their names' bytes: '%1' follows '%2'"),
    QT_TRANSLATE_NOOP("Engine",
                      "%1 of %2 rows of %3 have no error: float32 is all zero there, or a value is NaN or infinite"),
    QT_TRANSLATE_NOOP("Engine", "%1 of %2 rows of %3 have no error at all: their SQNR is infinite"),
    QT_TRANSLATE_NOOP("Engine", "%1 value(s) are NaN or infinite only when quantized; they begin at %2 (%3)"),
    QT_TRANSLATE_NOOP("Engine", "Keep %1 in FP32, or give it more bits: what it was rounded to, often zero, has no "
                                "result there."),
    QT_TRANSLATE_NOOP("Engine", "no operation is quantized on %1"),
    QT_TRANSLATE_NOOP("Engine", "Bodies of If, Loop and Scan run in float32: export the model without them, for "
                                "instance traced with the condition fixed."),
    QT_TRANSLATE_NOOP("Engine", "'inspect' tells the reason for each operation; choose another platform or "
                                "dispatcher."),
    QT_TRANSLATE_NOOP("Engine", "Look at the distribution of this tensor; check the calibration data."),
    QT_TRANSLATE_NOOP("Engine", "before the first computing op: nothing to gain"),
    QT_TRANSLATE_NOOP("Engine", "no computing op in front: nothing to gain"),
    QT_TRANSLATE_NOOP("Engine", "the results of computing op %1 are used as shapes or indices only"),
    QT_TRANSLATE_NOOP("Engine", "Biases on the grid of int32"),
    QT_TRANSLATE_NOOP(
        "Engine", "Before: float biases. After: each is the nearest multiple of input scale x weight scale, which an "
                  "integer runtime adds as int32; the simulator then computes what the runtime does."),
    QT_TRANSLATE_NOOP("Engine", "Quantized alone, it makes %1 % noise at the output (%2 dB)."),
    QT_TRANSLATE_NOOP(
        "Engine", "Send it to FP32, use per-channel weights, equalize it with its neighbour, or try another observer."),
    QT_TRANSLATE_NOOP("Engine",
                      "The output has %1 dB only, though no operation costs much by itself: the errors add up."),
    QT_TRANSLATE_NOOP("Engine",
                      "Try another observer, layerwise equalization, bias correction, or a platform with more bits."),
    QT_TRANSLATE_NOOP("Engine",
                      "The largest channel of its weight is %1 times the median one, but all %2 share one scale."),
    QT_TRANSLATE_NOOP("Engine", "Quantize the weight per channel, or turn on layerwise equalization."),
    QT_TRANSLATE_NOOP("Engine", "%1 of its %2 float values are NaN or infinite."),
    QT_TRANSLATE_NOOP("Engine", "Look at the data and at what computes it; nothing behind it can be right."),
    QT_TRANSLATE_NOOP("Engine", "%1 % of its values are clipped: they reach from %2 to %3, its scale from %4 to %5."),
    QT_TRANSLATE_NOOP("Engine", "Try another observer, or set the limits of its range."),
    QT_TRANSLATE_NOOP("Engine", "range of the values, range of the scale"),
    QT_TRANSLATE_NOOP("Engine", "%1 of its %2 channels never change on these samples."),
    QT_TRANSLATE_NOOP("Engine",
                      "They carry nothing and could be pruned; more samples would tell whether they ever do."),
    QT_TRANSLATE_NOOP("Engine", "largest |value| of each channel"),
    QT_TRANSLATE_NOOP("Engine", "largest |value| of each operand"),
    QT_TRANSLATE_NOOP("Engine",
                      "The largest channel of its output is %1 times the median one, but all %2 share one scale."),
    QT_TRANSLATE_NOOP("Engine", "Equalize it with its neighbours, try another observer, or send it to FP32."),
    QT_TRANSLATE_NOOP("Engine",
                      "Its operands share one scale but reach %1 and %2: the smaller one has about %3 of 256 codes."),
    QT_TRANSLATE_NOOP("Engine", "Equalize the layers in front, let it keep scales of its own, or send it to FP32."),
    QT_TRANSLATE_NOOP(
        "Engine", "the model is quantized already: it has %1; its own rounding is taken for part of the float model"),
    QT_TRANSLATE_NOOP("Engine", "Give the float model that it was made from."),
    QT_TRANSLATE_NOOP("Engine", "the analysis 'details' looks at no operation: none is named"),
    nullptr,
};

} // namespace ql
