// Sentences of the engine that the window translates: as core/ writes them, with %1, %2 for what is put in.
#include <QtGlobal>

namespace ql {

extern const char *const engineTexts[];
// Long sentences go on in the next line. NOLINTBEGIN(bugprone-suspicious-missing-comma)
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
    QT_TRANSLATE_NOOP("Engine", "Fold constants"),
    QT_TRANSLATE_NOOP("Engine",
                      "Before: operations compute a weight from parameters. After: the weight is a parameter, and "
                      "is quantized as one. The network computes the same."),
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
    // What exporters, dispatchers and platforms are, and the parameters of passes
    QT_TRANSLATE_NOOP("Engine", "Graph, dispatch and every quantization config, for reading back into Quantloupe."),
    QT_TRANSLATE_NOOP("Engine", "The float graph with quantized parameters rounded to their grid."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "One .onnx file that ONNX Runtime, OpenVINO and TensorRT read; it computes what the simulator computes."
        " On x86 without VNNI, ONNX Runtime does so only with session.x64quantprecision set to 1: its sums saturate "
        "else."),
    QT_TRANSLATE_NOOP("Engine", "Quantloupe native"),
    QT_TRANSLATE_NOOP("Engine", "Plain ONNX"),
    QT_TRANSLATE_NOOP("Engine", "ONNX with QuantizeLinear / DequantizeLinear"),
    QT_TRANSLATE_NOOP("Engine",
                      "Store quantized parameters as integers behind a DequantizeLinear; off: as rounded floats."),
    QT_TRANSLATE_NOOP(
        "Engine", "Some biases are float, as simulated. ONNX Runtime's optimizer rounds them to int32; add the pass "
                  "round_biases, or set the session option session.disable_quant_qdq to 1, to run what was simulated."),
    QT_TRANSLATE_NOOP("Engine", "Parameters are rounded to their grid; activations are not quantized in this file."),
    QT_TRANSLATE_NOOP("Engine",
                      "QuantizeLinear rounds half to even; the simulator rounds activations %1, so values exactly "
                      "between two steps may differ by one step at each operation, and more behind it."),
    QT_TRANSLATE_NOOP("Engine", "The file has operators of domain 'caffe' (%1): a runtime needs a plug-in for them, or "
                                "the model is cut before them."),
    QT_TRANSLATE_NOOP("Engine", "Activations of '%1' are quantized per channel to fewer codes than their type holds: "
                                "QuantizeLinear saturates later than the simulator."),
    QT_TRANSLATE_NOOP("Engine",
                      "Quantizes every quantable op that values of a computing op reach, also behind ops that the "
                      "platform cannot quantize. Ops on the border to shape arithmetic are kept out."),
    QT_TRANSLATE_NOOP("Engine",
                      "Quantizes every op of a quantable type, wherever it stands, shape arithmetic included."),
    QT_TRANSLATE_NOOP("Engine", "Quantizes computing ops and the quantable ops behind them, up to the next op that the "
                                "platform cannot quantize. Shape and index arithmetic is kept apart."),
    QT_TRANSLATE_NOOP("Engine", "Quantizes whatever is linked to a computing op by values, in front of it and behind "
                                "it; ops linked to shapes or indices as well stay in float32."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "Quantizes every computing op of a quantable type and nothing else. Shape and index arithmetic is kept apart."),
    QT_TRANSLATE_NOOP("Engine", "Quantizes stretches of quantable ops from one Conv to the next; heads, tails and "
                                "stretches with another op in between stay in float32."),
    QT_TRANSLATE_NOOP("Engine", "As ACADEMIC_INT8 with 4 bit inputs and weights; the bias keeps its 30 bits."),
    QT_TRANSLATE_NOOP("Engine",
                      "The scheme of most papers: only the input, weight and bias of Conv, ConvTranspose and Gemm are "
                      "quantized, results are float32; asymmetric activations, symmetric weights, all per tensor."),
    QT_TRANSLATE_NOOP("Engine", "Tencent ncnn: only the inputs and weights of Conv and Gemm are quantized, results are "
                                "float32. 3x3 convolutions with stride 1 run as Winograd with 6 bit weights."),
    QT_TRANSLATE_NOOP("Engine",
                      "NXP accelerators: symmetric with scales that are powers of two, weights per output channel, 30 "
                      "bit bias with the scale of weight times input; every Resize becomes nearest, half pixel."),
    QT_TRANSLATE_NOOP(
        "Engine",
        "ONNX Runtime with QuantizeLinear/DequantizeLinear nodes: symmetric activations per tensor, Conv and Gemm "
        "weights per output channel, bias in float32. Operators that only move values are quantized, too."),
    QT_TRANSLATE_NOOP("Engine", "Intel OpenVINO on CPU: symmetric activations per tensor, weights per output channel, "
                                "bias in float32; the same scheme as TensorRT."),
    QT_TRANSLATE_NOOP("Engine", "OpenPPL on CUDA: symmetric activations per tensor, weights per output channel, 32 bit "
                                "bias with the scale of weight times input."),
    QT_TRANSLATE_NOOP("Engine", "Rockchip RKNN, per-tensor scheme: asymmetric unsigned activations and weights, 32 bit "
                                "bias with the scale of weight times input."),
    QT_TRANSLATE_NOOP("Engine", "OPEN AI LAB Tengine: asymmetric unsigned activations and weights per tensor, 30 bit "
                                "bias with the scale of weight times input."),
    QT_TRANSLATE_NOOP("Engine", "NVIDIA TensorRT 8 and later through explicit Quantize/Dequantize nodes: symmetric "
                                "activations per tensor, weights per output channel, bias in float32."),
    QT_TRANSLATE_NOOP("Engine", "Whose scale the inputs of Add, Sub and Sum share."),
    QT_TRANSLATE_NOOP("Engine", "Whose scale the inputs of Concat share."),
    QT_TRANSLATE_NOOP("Engine", "Which side of an average pooling gives the scale."),
    QT_TRANSLATE_NOOP("Engine", "Which side of a Resize gives the scale."),
    QT_TRANSLATE_NOOP("Engine", "Hand the shared scale to a producing operation also when others read its output."),
    QT_TRANSLATE_NOOP("Engine", "Only blocks with one of these operations (names, * and ? allowed); empty: all."),
    QT_TRANSLATE_NOOP("Engine", "How many levels deep a block of operations is."),
    QT_TRANSLATE_NOOP("Engine", "Batches to use; 0: as many as for calibration."),
    QT_TRANSLATE_NOOP("Engine", "Observer for all activations; empty: what the platform chose for each."),
    QT_TRANSLATE_NOOP("Engine", "Also observe activations that already have a scale of their own."),
    QT_TRANSLATE_NOOP("Engine", "How often all pairs are treated; pairs in a row influence each other."),
    QT_TRANSLATE_NOOP("Engine", "1: across activations and poolings. 2: also across Add and Sub."),
    QT_TRANSLATE_NOOP("Engine", "Channels whose largest weights before and after add up to less are left alone."),
    QT_TRANSLATE_NOOP("Engine", "Let biases count for the range of a channel."),
    QT_TRANSLATE_NOOP("Engine", "Weight of biases where they count."),
    QT_TRANSLATE_NOOP("Engine", "Let activations count for the range of a channel; needs calibration data."),
    QT_TRANSLATE_NOOP("Engine", "Weight of activations where they count."),
    QT_TRANSLATE_NOOP("Engine", "Only pairs with one of these layers in front (names, * and ? allowed); empty: all."),
    QT_TRANSLATE_NOOP("Engine", "Also change the rounding of weights and other constants."),
    QT_TRANSLATE_NOOP("Engine", "Observer for all parameters; empty: what the platform chose for each."),
    QT_TRANSLATE_NOOP("Engine", "Give biases the product of weight and input scale."),
    QT_TRANSLATE_NOOP("Engine", "Give the limits of Clip the scale of its input."),
    QT_TRANSLATE_NOOP("Engine", "Give the value of Pad the scale of its input."),
    QT_TRANSLATE_NOOP("Engine", "Whether exporters write the scales of Clip limits."),
    QT_TRANSLATE_NOOP("Engine", "Whether exporters write the scale of the Pad value."),
    QT_TRANSLATE_NOOP("Engine",
                      "Activations that the target executes together with the Conv, Gemm or MatMul before them."),
    QT_TRANSLATE_NOOP("Engine", "Also fuse x * Sigmoid(x)."),
    QT_TRANSLATE_NOOP("Engine", "Also fuse x * Tanh(Softplus(x))."),
    QT_TRANSLATE_NOOP("Engine", "Let operations that only move values keep the scale of their input."),
    QT_TRANSLATE_NOOP("Engine", "Which operations only move values; empty: MaxPool, GlobalMaxPool, Reshape, Flatten, "
                                "Identity, Pad, Split, Transpose, Interp, Squeeze, Unsqueeze."),
    QT_TRANSLATE_NOOP("Engine", "Fuse Relu and Clip into whatever operation is before them."),
    QT_TRANSLATE_NOOP("Engine", "name of the tensor at which the network ends"),
    QT_TRANSLATE_NOOP("Engine", "make the tensor a graph output"),
    QT_TRANSLATE_NOOP("Engine", "quantized parameters"),
    QT_TRANSLATE_NOOP("Engine", "initial"),
    QT_TRANSLATE_NOOP("Engine", "active"),
    QT_TRANSLATE_NOOP("Engine", "overlapped"),
    QT_TRANSLATE_NOOP("Engine", "baked"),
    QT_TRANSLATE_NOOP("Engine", "fp32"),
    QT_TRANSLATE_NOOP("Engine", "act multiplier"),
    QT_TRANSLATE_NOOP("Engine", "activations"),
    QT_TRANSLATE_NOOP("Engine", "bias"),
    QT_TRANSLATE_NOOP("Engine", "bias multiplier"),
    QT_TRANSLATE_NOOP("Engine", "block size"),
    QT_TRANSLATE_NOOP("Engine", "clip"),
    QT_TRANSLATE_NOOP("Engine", "clip visibility"),
    QT_TRANSLATE_NOOP("Engine", "concat"),
    QT_TRANSLATE_NOOP("Engine", "elementwise"),
    QT_TRANSLATE_NOOP("Engine", "force overlap"),
    QT_TRANSLATE_NOOP("Engine", "including act"),
    QT_TRANSLATE_NOOP("Engine", "including bias"),
    QT_TRANSLATE_NOOP("Engine", "interested layers"),
    QT_TRANSLATE_NOOP("Engine", "iterations"),
    QT_TRANSLATE_NOOP("Engine", "mark as output"),
    QT_TRANSLATE_NOOP("Engine", "observer"),
    QT_TRANSLATE_NOOP("Engine", "optimize level"),
    QT_TRANSLATE_NOOP("Engine", "pad visibility"),
    QT_TRANSLATE_NOOP("Engine", "parameters"),
    QT_TRANSLATE_NOOP("Engine", "passive"),
    QT_TRANSLATE_NOOP("Engine", "passive types"),
    QT_TRANSLATE_NOOP("Engine", "pooling"),
    QT_TRANSLATE_NOOP("Engine", "recalibrate"),
    QT_TRANSLATE_NOOP("Engine", "relu clip"),
    QT_TRANSLATE_NOOP("Engine", "steps"),
    QT_TRANSLATE_NOOP("Engine", "value threshold"),
    QT_TRANSLATE_NOOP("Engine", "variable"),
    QT_TRANSLATE_NOOP("Engine",
                      "Channels red, green, blue (the order after decoding); a grey picture gets three equal ones."),
    QT_TRANSLATE_NOOP("Engine", "Channels blue, green, red, as OpenCV reads them."),
    QT_TRANSLATE_NOOP("Engine", "One channel: 0.299 red + 0.587 green + 0.114 blue."),
    QT_TRANSLATE_NOOP("Engine", "One channel: the Y of YCbCr (the same as gray)."),
    QT_TRANSLATE_NOOP(
        "Engine", "Scales: shorter side to N, longer side to N, longer side to at most N; the aspect is kept. N alone "
                  "is NxN, and like width x height changes the aspect. multiple rounds both sides to multiples of M."),
    QT_TRANSLATE_NOOP("Engine", "Scales to width x height, whatever the aspect."),
    QT_TRANSLATE_NOOP("Engine", "Cuts that many pixels out of the centre (or the top left corner)."),
    QT_TRANSLATE_NOOP("Engine", "Scales into the box keeping the aspect and fills the rest with V (0): right and "
                                "below, or around with center."),
    QT_TRANSLATE_NOOP("Engine", "Fills with V (0) up to that size, or up to the next multiples of M."),
    QT_TRANSLATE_NOOP("Engine", "Turns clockwise."),
    QT_TRANSLATE_NOOP("Engine", "Mirrors left and right, or top and bottom."),
    QT_TRANSLATE_NOOP("Engine", "Multiplies by F, or by A and divides by B (1/255)."),
    QT_TRANSLATE_NOOP("Engine", "Subtracts, for all channels or each."),
    QT_TRANSLATE_NOOP("Engine", "Divides, for all channels or each."),
    QT_TRANSLATE_NOOP("Engine", "Adds, for all channels or each."),
    QT_TRANSLATE_NOOP("Engine", "Raises to the power of G."),
    QT_TRANSLATE_NOOP("Engine", "Limits the values."),
    QT_TRANSLATE_NOOP("Engine", "Order of the sample: channels, height, width (default), or channels last."),
    QT_TRANSLATE_NOOP("Engine", "Scale 1 for float formats."),
    QT_TRANSLATE_NOOP("Engine", "Floating-point search"),
    QT_TRANSLATE_NOOP(
        "Engine", "For float formats: the best of the scales 1/128, 1/32, 1/8, 1, 4, 16, 64 by mean squared error."),
    QT_TRANSLATE_NOOP("Engine", "Order-preserving"),
    QT_TRANSLATE_NOOP("Engine", "Keeps the largest value along an axis distinguishable from the second largest, for "
                                "class scores where only the winner matters."),
    QT_TRANSLATE_NOOP("Engine", "Kullback-Leibler divergence"),
    QT_TRANSLATE_NOOP("Engine", "Clips where the quantized histogram differs least from the float one. Symmetric, per "
                                "tensor; reads the data twice."),
    QT_TRANSLATE_NOOP("Engine", "Minimum and maximum"),
    QT_TRANSLATE_NOOP(
        "Engine",
        "The range is the smallest and the largest value seen, so nothing saturates; one outlier widens every step."),
    QT_TRANSLATE_NOOP("Engine", "Mean squared error"),
    QT_TRANSLATE_NOOP("Engine", "Searches the range with the smallest estimated rounding and clipping error. Per "
                                "tensor; reads the data twice."),
    QT_TRANSLATE_NOOP("Engine", "Percentile"),
    QT_TRANSLATE_NOOP("Engine",
                      "Ignores the outermost values of each batch and averages the remaining range over batches."),
    QT_TRANSLATE_NOOP("Engine", "Lower bound of the scale."),
    QT_TRANSLATE_NOOP("Engine", "Bins of the histogram of |x|."),
    QT_TRANSLATE_NOOP("Engine", "Bins of the histogram."),
    QT_TRANSLATE_NOOP("Engine", "The axis along which values compete."),
    QT_TRANSLATE_NOOP("Engine", "Share of the values that stays below the upper limit and above the lower one."),
    QT_TRANSLATE_NOOP("Engine", "activation ranges"),
    QT_TRANSLATE_NOOP("Engine", "calibration"),
    QT_TRANSLATE_NOOP("Engine", "calibration, histograms"),
    QT_TRANSLATE_NOOP("Engine", "details"),
    QT_TRANSLATE_NOOP("Engine", "graphwise error"),
    QT_TRANSLATE_NOOP("Engine", "import"),
    QT_TRANSLATE_NOOP("Engine", "infer"),
    QT_TRANSLATE_NOOP("Engine", "layerwise error: float activations"),
    QT_TRANSLATE_NOOP("Engine", "layerwise error: %1"),
    QT_TRANSLATE_NOOP("Engine", "output error"),
    QT_TRANSLATE_NOOP("Engine", "preview"),
    QT_TRANSLATE_NOOP("Engine", "ranges"),
    QT_TRANSLATE_NOOP("Engine", "bias correction"),
    QT_TRANSLATE_NOOP("Engine", "layerwise equalization"),
    QT_TRANSLATE_NOOP("Engine", "passes"),
    nullptr,
};
// NOLINTEND(bugprone-suspicious-missing-comma)

} // namespace ql
