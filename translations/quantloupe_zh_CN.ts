<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Engine</name>
    <message>
        <source>override &apos;%1&apos;</source>
        <translation>覆盖设定 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>Alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Before: the inputs of an Add or Concat have scales of their own. After: they share one, as targets that add or concatenate integers need.</source>
        <translation>之前：Add 或 Concat 的各输入有自己的缩放系数。之后：它们共用一个，供以整数相加或拼接的目标平台使用。</translation>
    </message>
    <message>
        <source>Baking</source>
        <translation>固化</translation>
    </message>
    <message>
        <source>Before: parameters are quantized whenever they are used. After: their rounded values are final and their scales frozen.</source>
        <translation>之前：参数每次使用时才量化。之后：取整后的值成为最终值，缩放系数冻结。</translation>
    </message>
    <message>
        <source>BatchNormalization to Conv</source>
        <translation>BatchNormalization 转 Conv</translation>
    </message>
    <message>
        <source>Before: a BatchNormalization that follows no Conv. After: a depthwise 1x1 Conv for images, Mul and Add for data of other ranks.</source>
        <translation>之前：不跟在 Conv 之后的 BatchNormalization。之后：图像用逐深度 1x1 Conv，其他维数的数据用 Mul 和 Add。</translation>
    </message>
    <message>
        <source>Bias correction</source>
        <translation>偏置校正</translation>
    </message>
    <message>
        <source>Before: quantization shifts the mean output of a layer. After: its bias takes the shift back, where that brings the block&apos;s output nearer to the float network&apos;s.</source>
        <translation>之前：量化使层的平均输出偏移。之后：在能使该块输出更接近浮点网络时，由偏置抵消这一偏移。</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Before: activations wait for a scale. After: each has the scale that its observer found in the calibration data.</source>
        <translation>之前：激活值等待缩放系数。之后：各自拥有观察器由校准数据得到的缩放系数。</translation>
    </message>
    <message>
        <source>Constants to parameters</source>
        <translation>常量转参数</translation>
    </message>
    <message>
        <source>Before: Constant feeds an operation. After: the operation reads a parameter.</source>
        <translation>之前：Constant 为算子提供输入。之后：算子直接读取参数。</translation>
    </message>
    <message>
        <source>Delete isolated operations</source>
        <translation>删除孤立算子</translation>
    </message>
    <message>
        <source>Before: operations whose results nothing reads. After: they, and their parameters, are gone.</source>
        <translation>之前：存在结果无人读取的算子。之后：它们及其参数被删除。</translation>
    </message>
    <message>
        <source>Clip: attributes to inputs</source>
        <translation>Clip：属性转输入</translation>
    </message>
    <message>
        <source>Before: Clip with attributes min and max. After: Clip with scalar parameters in their place.</source>
        <translation>之前：Clip 带属性 min 和 max。之后：以标量参数代替。</translation>
    </message>
    <message>
        <source>Pad: attributes to inputs</source>
        <translation>Pad：属性转输入</translation>
    </message>
    <message>
        <source>Before: Pad with attributes pads and value. After: Pad with parameters in their place, in the same mode.</source>
        <translation>之前：Pad 带属性 pads 和 value。之后：以参数代替，模式不变。</translation>
    </message>
    <message>
        <source>Resize and Upsample in one form</source>
        <translation>统一 Resize 与 Upsample</translation>
    </message>
    <message>
        <source>Before: Resize of opset 10 or Upsample. After: the same as a Resize of opset 11 (asymmetric, the same pixels).</source>
        <translation>之前：opset 10 的 Resize 或 Upsample。之后：等价的 opset 11 Resize（asymmetric，像素相同）。</translation>
    </message>
    <message>
        <source>Slice: attributes to inputs</source>
        <translation>Slice：属性转输入</translation>
    </message>
    <message>
        <source>Before: Slice with attributes starts, ends and axes. After: Slice with parameters in their place.</source>
        <translation>之前：Slice 带属性 starts、ends 和 axes。之后：以参数代替。</translation>
    </message>
    <message>
        <source>Fuse BatchNormalization</source>
        <translation>融合 BatchNormalization</translation>
    </message>
    <message>
        <source>Before: Conv, ConvTranspose or Gemm, then BatchNormalization. After: the operation alone; its weight and bias do the normalisation.</source>
        <translation>之前：Conv、ConvTranspose 或 Gemm 后接 BatchNormalization。之后：仅剩该算子，由其权重和偏置完成归一化。</translation>
    </message>
    <message>
        <source>Fuse bias Add</source>
        <translation>融合偏置 Add</translation>
    </message>
    <message>
        <source>Before: Conv, ConvTranspose or Gemm, then Add with one constant per channel. After: the operation alone, with that constant in its bias.</source>
        <translation>之前：Conv、ConvTranspose 或 Gemm 后接逐通道常量的 Add。之后：仅剩该算子，常量并入偏置。</translation>
    </message>
    <message>
        <source>Fuse MatMul and Add</source>
        <translation>融合 MatMul 与 Add</translation>
    </message>
    <message>
        <source>Before: MatMul, then Add with one constant per column. After: one BiasedMatMul.</source>
        <translation>之前：MatMul 后接逐列常量的 Add。之后：一个 BiasedMatMul。</translation>
    </message>
    <message>
        <source>Layerwise equalization</source>
        <translation>逐层均衡</translation>
    </message>
    <message>
        <source>Before: neighbouring layers whose channels have very different ranges. After: ranges are shared out between them, so one scale per tensor fits all channels; the float result is the same.</source>
        <translation>之前：相邻层各通道的范围相差悬殊。之后：范围在层间分摊，使每张量一个缩放系数即适合所有通道；浮点结果不变。</translation>
    </message>
    <message>
        <source>MetaX Gemm split</source>
        <translation>MetaX Gemm 拆分</translation>
    </message>
    <message>
        <source>Before: Gemm. After: MatMul and Add, which MetaX&apos;s compiler takes.</source>
        <translation>之前：Gemm。之后：MetaX 编译器可接受的 MatMul 和 Add。</translation>
    </message>
    <message>
        <source>ncnn Gemm format</source>
        <translation>ncnn Gemm 格式</translation>
    </message>
    <message>
        <source>Before: Gemm with any transB, alpha and beta. After: transB 1, with alpha and beta in the weight and the bias.</source>
        <translation>之前：Gemm 的 transB、alpha 和 beta 任意。之后：transB 为 1，alpha 和 beta 并入权重与偏置。</translation>
    </message>
    <message>
        <source>NXP input rounding</source>
        <translation>NXP 输入取整</translation>
    </message>
    <message>
        <source>Before: tensors that enter the quantized part are rounded half to even. After: half down.</source>
        <translation>之前：进入量化部分的张量按“半数取偶”取整。之后：半数向下。</translation>
    </message>
    <message>
        <source>NXP Resize mode</source>
        <translation>NXP Resize 模式</translation>
    </message>
    <message>
        <source>Before: Resize of any mode. After: nearest, half_pixel, which is what NXP&apos;s compiler accepts. Changes the network&apos;s result.</source>
        <translation>之前：任意模式的 Resize。之后：NXP 编译器可接受的 nearest、half_pixel。会改变网络结果。</translation>
    </message>
    <message>
        <source>Parameter quantization</source>
        <translation>参数量化</translation>
    </message>
    <message>
        <source>Before: weights wait for a scale. After: each has the scale of its observer.</source>
        <translation>之前：权重等待缩放系数。之后：各自拥有其观察器给出的缩放系数。</translation>
    </message>
    <message>
        <source>Passive parameters</source>
        <translation>被动参数</translation>
    </message>
    <message>
        <source>Before: biases, Clip limits and Pad values have no scale. After: a bias has weight scale x input scale, the others have the scale of their operation&apos;s input.</source>
        <translation>之前：偏置、Clip 界限和 Pad 值没有缩放系数。之后：偏置用“权重系数 × 输入系数”，其余用其算子输入的缩放系数。</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Before: Conv, its output quantized, Relu, its output quantized. After: only the output of Relu is quantized. The same for operations that only move values (Reshape, MaxPool ...).</source>
        <translation>之前：Conv 输出量化，Relu 输出也量化。之后：只量化 Relu 的输出。仅搬移数值的算子（Reshape、MaxPool 等）同理。</translation>
    </message>
    <message>
        <source>Simplification</source>
        <translation>简化</translation>
    </message>
    <message>
        <source>Before: a tensor is quantized by its producer and again by each consumer. After: by the producer alone, where both use the same grid.</source>
        <translation>之前：张量由产生者量化，又由每个使用者再次量化。之后：两者网格相同时只由产生者量化。</translation>
    </message>
    <message>
        <source>Remove Identity, Dropout and idle Cast</source>
        <translation>移除 Identity、Dropout 和无效 Cast</translation>
    </message>
    <message>
        <source>Before: an operation that passes its input on unchanged. After: its readers read that input.</source>
        <translation>之前：有算子原样传递输入。之后：其使用者直接读取该输入。</translation>
    </message>
    <message>
        <source>BatchNormalization to Mul and Add</source>
        <translation>BatchNormalization 转 Mul 和 Add</translation>
    </message>
    <message>
        <source>Before: BatchNormalization. After: Mul and Add with one constant per channel.</source>
        <translation>之前：BatchNormalization。之后：逐通道常量的 Mul 和 Add。</translation>
    </message>
    <message>
        <source>Split shared parameters</source>
        <translation>拆分共享参数</translation>
    </message>
    <message>
        <source>Before: several operations read one parameter. After: each reads a parameter of its own with the same values.</source>
        <translation>之前：多个算子读取同一参数。之后：各自读取数值相同的独立参数。</translation>
    </message>
    <message>
        <source>Truncate at a tensor</source>
        <translation>在张量处截断</translation>
    </message>
    <message>
        <source>Before: operations behind a tensor. After: the network ends there, and the tensor is an output.</source>
        <translation>之前：张量之后还有算子。之后：网络到此结束，该张量成为输出。</translation>
    </message>
    <message>
        <source>type %1 is not quantable on %2</source>
        <translation>%2 不量化 %1 类型</translation>
    </message>
    <message>
        <source>its values reach no quantable op and no end of the graph</source>
        <translation>其值既不到达可量化算子，也不到达图的末端</translation>
    </message>
    <message>
        <source>computing op %1 between quantable ops</source>
        <translation>位于可量化算子之间的计算算子 %1</translation>
    </message>
    <message>
        <source>quantable %1 behind computing op %2</source>
        <translation>计算算子 %2 之后的可量化 %1</translation>
    </message>
    <message>
        <source>feeds %1</source>
        <translation>为 %1 提供输入</translation>
    </message>
    <message>
        <source>produces shapes or indices</source>
        <translation>产生形状或索引</translation>
    </message>
    <message>
        <source>computes with shapes or indices from %1</source>
        <translation>用来自 %1 的形状或索引计算</translation>
    </message>
    <message>
        <source>leads up to the shape or index arithmetic of %1</source>
        <translation>通向 %1 的形状或索引运算</translation>
    </message>
    <message>
        <source>shape or index arithmetic</source>
        <translation>形状或索引运算</translation>
    </message>
    <message>
        <source>behind %1, which %2 does not quantize: float32 until the next computing op</source>
        <translation>在 %1 之后，而 %2 不量化它：到下一个计算算子为止均为 float32</translation>
    </message>
    <message>
        <source>the values reach from 0 to 255: nothing scales them</source>
        <translation>值的范围为 0 至 255：没有任何缩放</translation>
    </message>
    <message>
        <source>Right when the model was trained on such values; else add &apos;scale 1/255&apos;, and &apos;mean&apos; and &apos;std&apos;.</source>
        <translation>若模型就是用这样的值训练的则正确；否则添加 &apos;scale 1/255&apos; 以及 &apos;mean&apos; 和 &apos;std&apos;。</translation>
    </message>
    <message>
        <source>the largest value is %1: perhaps they are scaled twice</source>
        <translation>最大值仅为 %1：可能缩放了两次</translation>
    </message>
    <message>
        <source>Check &apos;scale&apos;, &apos;mean&apos; and &apos;std&apos;.</source>
        <translation>请检查 &apos;scale&apos;、&apos;mean&apos; 和 &apos;std&apos;。</translation>
    </message>
    <message>
        <source>%1 value(s) are NaN or infinite, the first in sample %2</source>
        <translation>%1 个值为 NaN 或无穷，首个在样本 %2 中</translation>
    </message>
    <message>
        <source>the means %1, as those of %2 pictures do, but the channels are in the order %3</source>
        <translation>均值的次序（%1）与 %2 图片一致，但通道次序为 %3</translation>
    </message>
    <message>
        <source>samples are read in the order of their names&apos; bytes: &apos;%1&apos; follows &apos;%2&apos;</source>
        <translation>样本按名称的字节顺序读取：&apos;%1&apos; 在 &apos;%2&apos; 之后</translation>
    </message>
    <message>
        <source>Look at the distribution of this tensor; check the calibration data.</source>
        <translation>请查看该张量的分布，并检查校准数据。</translation>
    </message>
    <message>
        <source>before the first computing op: nothing to gain</source>
        <translation>位于首个计算算子之前：没有收益</translation>
    </message>
    <message>
        <source>no computing op in front: nothing to gain</source>
        <translation>前面没有计算算子：没有收益</translation>
    </message>
    <message>
        <source>the results of computing op %1 are used as shapes or indices only</source>
        <translation>计算算子 %1 的结果仅用作形状或索引</translation>
    </message>
    <message>
        <source>Biases on the grid of int32</source>
        <translation>偏置取 int32 网格</translation>
    </message>
    <message>
        <source>Before: float biases. After: each is the nearest multiple of input scale x weight scale, which an integer runtime adds as int32; the simulator then computes what the runtime does.</source>
        <translation>之前：偏置为浮点。之后：每个偏置取最接近的“输入系数 × 权重系数”的整数倍，整数运行时以 int32 相加；模拟器的计算与运行时一致。</translation>
    </message>
    <message>
        <source>%1 of %2 rows of %3 have no error: float32 is all zero there, or a value is NaN or infinite</source>
        <translation>%3 的 %2 行中有 %1 行没有误差值：float32 在该处全为零，或有值为 NaN 或无穷</translation>
    </message>
    <message>
        <source>%1 of %2 rows of %3 have no error at all: their SQNR is infinite</source>
        <translation>%3 的 %2 行中有 %1 行完全没有误差：其 SQNR 为无穷大</translation>
    </message>
    <message>
        <source>%1 value(s) are NaN or infinite only when quantized; they begin at %2 (%3)</source>
        <translation>有 %1 个值仅在量化后为 NaN 或无穷；始于 %2（%3）</translation>
    </message>
    <message>
        <source>Keep %1 in FP32, or give it more bits: what it was rounded to, often zero, has no result there.</source>
        <translation>请让 %1 保持 FP32，或为其增加位数：它被舍入成的值（常为零）在那里没有结果。</translation>
    </message>
    <message>
        <source>no operation is quantized on %1</source>
        <translation>在 %1 上没有任何算子被量化</translation>
    </message>
    <message>
        <source>Bodies of If, Loop and Scan run in float32: export the model without them, for instance traced with the condition fixed.</source>
        <translation>If、Loop 和 Scan 的子图以 float32 运行：请导出不含它们的模型，例如在固定条件下跟踪导出。</translation>
    </message>
    <message>
        <source>&apos;inspect&apos; tells the reason for each operation; choose another platform or dispatcher.</source>
        <translation>“inspect” 会说明每个算子的原因；请选择其他平台或分派器。</translation>
    </message>
    <message>
        <source>Quantized alone, it makes %1 % noise at the output (%2 dB).</source>
        <translation>单独量化它就在输出处产生 %1 % 的噪声（%2 dB）。</translation>
    </message>
    <message>
        <source>Send it to FP32, use per-channel weights, equalize it with its neighbour, or try another observer.</source>
        <translation>改为 FP32、权重逐通道量化、与相邻层均衡，或换一种观察器。</translation>
    </message>
    <message>
        <source>The output has %1 dB only, though no operation costs much by itself: the errors add up.</source>
        <translation>输出只有 %1 dB，而没有哪个算子单独代价很大：误差是累积而成的。</translation>
    </message>
    <message>
        <source>Try another observer, layerwise equalization, bias correction, or a platform with more bits.</source>
        <translation>可尝试其他观察器、逐层均衡、偏置校正，或位宽更高的平台。</translation>
    </message>
    <message>
        <source>The largest channel of its weight is %1 times the median one, but all %2 share one scale.</source>
        <translation>其权重的最大通道是中位通道的 %1 倍，而 %2 个通道共用一个缩放。</translation>
    </message>
    <message>
        <source>Quantize the weight per channel, or turn on layerwise equalization.</source>
        <translation>将权重逐通道量化，或启用逐层均衡。</translation>
    </message>
    <message>
        <source>%1 of its %2 float values are NaN or infinite.</source>
        <translation>其 %2 个浮点值中有 %1 个为 NaN 或无穷。</translation>
    </message>
    <message>
        <source>Look at the data and at what computes it; nothing behind it can be right.</source>
        <translation>请检查数据和计算它的算子；其后的一切都不可能正确。</translation>
    </message>
    <message>
        <source>%1 % of its values are clipped: they reach from %2 to %3, its scale from %4 to %5.</source>
        <translation>其 %1 % 的值被截断：值的范围为 %2 至 %3，缩放系数只到 %4 至 %5。</translation>
    </message>
    <message>
        <source>Try another observer, or set the limits of its range.</source>
        <translation>可尝试其他观察器，或设定其范围的上下限。</translation>
    </message>
    <message>
        <source>range of the values, range of the scale</source>
        <translation>值的范围，缩放系数的范围</translation>
    </message>
    <message>
        <source>%1 of its %2 channels never change on these samples.</source>
        <translation>其 %2 个通道中有 %1 个在这些样本上从不变化。</translation>
    </message>
    <message>
        <source>They carry nothing and could be pruned; more samples would tell whether they ever do.</source>
        <translation>它们不携带信息，可以剪除；更多样本可判断是否始终如此。</translation>
    </message>
    <message>
        <source>largest |value| of each channel</source>
        <translation>各通道的最大绝对值</translation>
    </message>
    <message>
        <source>largest |value| of each operand</source>
        <translation>各操作数的最大绝对值</translation>
    </message>
    <message>
        <source>The largest channel of its output is %1 times the median one, but all %2 share one scale.</source>
        <translation>其输出的最大通道是中位通道的 %1 倍，但全部 %2 个通道共用一个缩放系数。</translation>
    </message>
    <message>
        <source>Equalize it with its neighbours, try another observer, or send it to FP32.</source>
        <translation>可与相邻层均衡、尝试其他观察器，或改用 FP32。</translation>
    </message>
    <message>
        <source>Its operands share one scale but reach %1 and %2: the smaller one has about %3 of 256 codes.</source>
        <translation>其操作数共用一个缩放系数，却分别达到 %1 和 %2：较小者只占 256 个码中的约 %3 个。</translation>
    </message>
    <message>
        <source>Equalize the layers in front, let it keep scales of its own, or send it to FP32.</source>
        <translation>可均衡前面的层、让各操作数保留自己的缩放系数，或改用 FP32。</translation>
    </message>
    <message>
        <source>the model is quantized already: it has %1; its own rounding is taken for part of the float model</source>
        <translation>模型已经量化：含有 %1；它自身的舍入被当作浮点模型的一部分</translation>
    </message>
    <message>
        <source>Give the float model that it was made from.</source>
        <translation>请提供生成它的浮点模型。</translation>
    </message>
    <message>
        <source>the analysis &apos;details&apos; looks at no operation: none is named</source>
        <translation>分析 “details” 没有查看任何算子：未指定名称</translation>
    </message>
    <message>
        <source>Graph, dispatch and every quantization config, for reading back into Quantloupe.</source>
        <translation>计算图、调度和全部量化配置，可再读入 Quantloupe。</translation>
    </message>
    <message>
        <source>The float graph with quantized parameters rounded to their grid.</source>
        <translation>浮点计算图，其中量化的参数已取整到各自的网格。</translation>
    </message>
    <message>
        <source>One .onnx file that ONNX Runtime, OpenVINO and TensorRT read; it computes what the simulator computes. On x86 without VNNI, ONNX Runtime does so only with session.x64quantprecision set to 1: its sums saturate else.</source>
        <translation>一个 .onnx 文件，可由 ONNX Runtime、OpenVINO 和 TensorRT 读取；其计算结果与模拟一致。在没有 VNNI 的 x86 上，ONNX Runtime 仅在 session.x64quantprecision 设为 1 时才如此：否则其累加会饱和。</translation>
    </message>
    <message>
        <source>Quantloupe native</source>
        <translation>Quantloupe 原生格式</translation>
    </message>
    <message>
        <source>Plain ONNX</source>
        <translation>普通 ONNX</translation>
    </message>
    <message>
        <source>ONNX with QuantizeLinear / DequantizeLinear</source>
        <translation>带 QuantizeLinear / DequantizeLinear 的 ONNX</translation>
    </message>
    <message>
        <source>Store quantized parameters as integers behind a DequantizeLinear; off: as rounded floats.</source>
        <translation>以整数存储量化的参数，后接 DequantizeLinear；关：存为取整后的浮点数。</translation>
    </message>
    <message>
        <source>Some biases are float, as simulated. ONNX Runtime&apos;s optimizer rounds them to int32; add the pass round_biases, or set the session option session.disable_quant_qdq to 1, to run what was simulated.</source>
        <translation>有些偏置按模拟保持浮点。ONNX Runtime 的优化器会将其取整为 int32；如要运行结果与模拟一致，请加入处理步骤 round_biases，或将会话选项 session.disable_quant_qdq 设为 1。</translation>
    </message>
    <message>
        <source>Parameters are rounded to their grid; activations are not quantized in this file.</source>
        <translation>参数已取整到各自的网格；此文件中激活值没有量化。</translation>
    </message>
    <message>
        <source>QuantizeLinear rounds half to even; the simulator rounds activations %1, so values exactly between two steps may differ by one step at each operation, and more behind it.</source>
        <translation>QuantizeLinear 按“四舍六入五成双”取整；模拟中激活值的取整方式为 %1，因此恰在两级中间的值在每个算子处可能相差一级，其后更多。</translation>
    </message>
    <message>
        <source>The file has operators of domain &apos;caffe&apos; (%1): a runtime needs a plug-in for them, or the model is cut before them.</source>
        <translation>文件含有 caffe 域的算子（%1）：运行时需要相应插件，或在它们之前截断模型。</translation>
    </message>
    <message>
        <source>Activations of &apos;%1&apos; are quantized per channel to fewer codes than their type holds: QuantizeLinear saturates later than the simulator.</source>
        <translation>“%1”的激活值逐通道量化，所用编码少于其类型的容量：QuantizeLinear 饱和得比模拟晚。</translation>
    </message>
    <message>
        <source>Quantizes every quantable op that values of a computing op reach, also behind ops that the platform cannot quantize. Ops on the border to shape arithmetic are kept out.</source>
        <translation>量化计算算子的值所能到达的每个可量化算子，包括位于平台不能量化的算子之后的。与形状运算交界的算子除外。</translation>
    </message>
    <message>
        <source>Quantizes every op of a quantable type, wherever it stands, shape arithmetic included.</source>
        <translation>量化每个可量化类型的算子，无论其位置，包括形状运算。</translation>
    </message>
    <message>
        <source>Quantizes computing ops and the quantable ops behind them, up to the next op that the platform cannot quantize. Shape and index arithmetic is kept apart.</source>
        <translation>量化计算算子及其后的可量化算子，直到下一个平台不能量化的算子。形状与下标运算除外。</translation>
    </message>
    <message>
        <source>Quantizes whatever is linked to a computing op by values, in front of it and behind it; ops linked to shapes or indices as well stay in float32.</source>
        <translation>量化通过数值与计算算子相连的一切，无论在其前还是其后；同时与形状或下标相连的算子保持 float32。</translation>
    </message>
    <message>
        <source>Quantizes every computing op of a quantable type and nothing else. Shape and index arithmetic is kept apart.</source>
        <translation>只量化可量化类型的计算算子。形状与下标运算除外。</translation>
    </message>
    <message>
        <source>Quantizes stretches of quantable ops from one Conv to the next; heads, tails and stretches with another op in between stay in float32.</source>
        <translation>量化从一个 Conv 到下一个 Conv 之间的可量化算子段；首尾以及中间夹有其他算子的段保持 float32。</translation>
    </message>
    <message>
        <source>As ACADEMIC_INT8 with 4 bit inputs and weights; the bias keeps its 30 bits.</source>
        <translation>同 ACADEMIC_INT8，但输入和权重为 4 位；偏置仍为 30 位。</translation>
    </message>
    <message>
        <source>The scheme of most papers: only the input, weight and bias of Conv, ConvTranspose and Gemm are quantized, results are float32; asymmetric activations, symmetric weights, all per tensor.</source>
        <translation>多数论文的方案：只量化 Conv、ConvTranspose 和 Gemm 的输入、权重和偏置，结果为 float32；激活非对称，权重对称，均为逐张量。</translation>
    </message>
    <message>
        <source>Tencent ncnn: only the inputs and weights of Conv and Gemm are quantized, results are float32. 3x3 convolutions with stride 1 run as Winograd with 6 bit weights.</source>
        <translation>腾讯 ncnn：只量化 Conv 和 Gemm 的输入和权重，结果为 float32。步长为 1 的 3x3 卷积以 Winograd 和 6 位权重运行。</translation>
    </message>
    <message>
        <source>NXP accelerators: symmetric with scales that are powers of two, weights per output channel, 30 bit bias with the scale of weight times input; every Resize becomes nearest, half pixel.</source>
        <translation>NXP 加速器：对称，缩放为 2 的幂，权重逐输出通道，偏置 30 位，缩放为权重与输入之积；所有 Resize 变为 nearest、half pixel。</translation>
    </message>
    <message>
        <source>ONNX Runtime with QuantizeLinear/DequantizeLinear nodes: symmetric activations per tensor, Conv and Gemm weights per output channel, bias in float32. Operators that only move values are quantized, too.</source>
        <translation>带 QuantizeLinear/DequantizeLinear 节点的 ONNX Runtime：激活对称、逐张量，Conv 和 Gemm 的权重逐输出通道，偏置为 float32。只搬移数值的算子也量化。</translation>
    </message>
    <message>
        <source>Intel OpenVINO on CPU: symmetric activations per tensor, weights per output channel, bias in float32; the same scheme as TensorRT.</source>
        <translation>CPU 上的 Intel OpenVINO：激活对称、逐张量，权重逐输出通道，偏置为 float32；方案与 TensorRT 相同。</translation>
    </message>
    <message>
        <source>OpenPPL on CUDA: symmetric activations per tensor, weights per output channel, 32 bit bias with the scale of weight times input.</source>
        <translation>CUDA 上的 OpenPPL：激活对称、逐张量，权重逐输出通道，偏置 32 位，缩放为权重与输入之积。</translation>
    </message>
    <message>
        <source>Rockchip RKNN, per-tensor scheme: asymmetric unsigned activations and weights, 32 bit bias with the scale of weight times input.</source>
        <translation>瑞芯微 RKNN，逐张量方案：激活和权重为无符号非对称，偏置 32 位，缩放为权重与输入之积。</translation>
    </message>
    <message>
        <source>OPEN AI LAB Tengine: asymmetric unsigned activations and weights per tensor, 30 bit bias with the scale of weight times input.</source>
        <translation>OPEN AI LAB Tengine：激活和权重为无符号非对称、逐张量，偏置 30 位，缩放为权重与输入之积。</translation>
    </message>
    <message>
        <source>NVIDIA TensorRT 8 and later through explicit Quantize/Dequantize nodes: symmetric activations per tensor, weights per output channel, bias in float32.</source>
        <translation>NVIDIA TensorRT 8 及以上，通过显式的 Quantize/Dequantize 节点：激活对称、逐张量，权重逐输出通道，偏置为 float32。</translation>
    </message>
    <message>
        <source>Whose scale the inputs of Add, Sub and Sum share.</source>
        <translation>Add、Sub 和 Sum 的输入共用谁的缩放。</translation>
    </message>
    <message>
        <source>Whose scale the inputs of Concat share.</source>
        <translation>Concat 的输入共用谁的缩放。</translation>
    </message>
    <message>
        <source>Which side of an average pooling gives the scale.</source>
        <translation>平均池化由哪一侧给出缩放。</translation>
    </message>
    <message>
        <source>Which side of a Resize gives the scale.</source>
        <translation>Resize 由哪一侧给出缩放。</translation>
    </message>
    <message>
        <source>Hand the shared scale to a producing operation also when others read its output.</source>
        <translation>即使还有其他算子读取其输出，也将共用的缩放交给产生它的算子。</translation>
    </message>
    <message>
        <source>Only blocks with one of these operations (names, * and ? allowed); empty: all.</source>
        <translation>只处理含有这些算子之一的块（名称，可用 * 和 ?）；空：全部。</translation>
    </message>
    <message>
        <source>How many levels deep a block of operations is.</source>
        <translation>一个算子块有多少层深。</translation>
    </message>
    <message>
        <source>Batches to use; 0: as many as for calibration.</source>
        <translation>使用的批次数；0：与校准相同。</translation>
    </message>
    <message>
        <source>Observer for all activations; empty: what the platform chose for each.</source>
        <translation>所有激活的观察器；空：平台为各个激活所选的。</translation>
    </message>
    <message>
        <source>Also observe activations that already have a scale of their own.</source>
        <translation>已有自己缩放的激活也重新观察。</translation>
    </message>
    <message>
        <source>How often all pairs are treated; pairs in a row influence each other.</source>
        <translation>所有层对处理多少遍；相连的层对会互相影响。</translation>
    </message>
    <message>
        <source>1: across activations and poolings. 2: also across Add and Sub.</source>
        <translation>1：跨过激活和池化。2：也跨过 Add 和 Sub。</translation>
    </message>
    <message>
        <source>Channels whose largest weights before and after add up to less are left alone.</source>
        <translation>前后最大权重之和小于此值的通道不处理。</translation>
    </message>
    <message>
        <source>Let biases count for the range of a channel.</source>
        <translation>偏置计入通道的范围。</translation>
    </message>
    <message>
        <source>Weight of biases where they count.</source>
        <translation>偏置计入时的权重。</translation>
    </message>
    <message>
        <source>Let activations count for the range of a channel; needs calibration data.</source>
        <translation>激活计入通道的范围；需要校准数据。</translation>
    </message>
    <message>
        <source>Weight of activations where they count.</source>
        <translation>激活计入时的权重。</translation>
    </message>
    <message>
        <source>Only pairs with one of these layers in front (names, * and ? allowed); empty: all.</source>
        <translation>只处理前一层为这些层之一的层对（名称，可用 * 和 ?）；空：全部。</translation>
    </message>
    <message>
        <source>Also change the rounding of weights and other constants.</source>
        <translation>也改变权重和其他常量的取整方式。</translation>
    </message>
    <message>
        <source>Observer for all parameters; empty: what the platform chose for each.</source>
        <translation>所有参数的观察器；空：平台为各个参数所选的。</translation>
    </message>
    <message>
        <source>Give biases the product of weight and input scale.</source>
        <translation>偏置的缩放取权重与输入缩放之积。</translation>
    </message>
    <message>
        <source>Give the limits of Clip the scale of its input.</source>
        <translation>Clip 的界限取其输入的缩放。</translation>
    </message>
    <message>
        <source>Give the value of Pad the scale of its input.</source>
        <translation>Pad 的值取其输入的缩放。</translation>
    </message>
    <message>
        <source>Whether exporters write the scales of Clip limits.</source>
        <translation>导出时是否写出 Clip 界限的缩放。</translation>
    </message>
    <message>
        <source>Whether exporters write the scale of the Pad value.</source>
        <translation>导出时是否写出 Pad 值的缩放。</translation>
    </message>
    <message>
        <source>Activations that the target executes together with the Conv, Gemm or MatMul before them.</source>
        <translation>目标平台与其前的 Conv、Gemm 或 MatMul 一起执行的激活。</translation>
    </message>
    <message>
        <source>Also fuse x * Sigmoid(x).</source>
        <translation>也融合 x * Sigmoid(x)。</translation>
    </message>
    <message>
        <source>Also fuse x * Tanh(Softplus(x)).</source>
        <translation>也融合 x * Tanh(Softplus(x))。</translation>
    </message>
    <message>
        <source>Let operations that only move values keep the scale of their input.</source>
        <translation>只搬移数值的算子保持其输入的缩放。</translation>
    </message>
    <message>
        <source>Which operations only move values; empty: MaxPool, GlobalMaxPool, Reshape, Flatten, Identity, Pad, Split, Transpose, Interp, Squeeze, Unsqueeze.</source>
        <translation>哪些算子只搬移数值；空：MaxPool、GlobalMaxPool、Reshape、Flatten、Identity、Pad、Split、Transpose、Interp、Squeeze、Unsqueeze。</translation>
    </message>
    <message>
        <source>Fuse Relu and Clip into whatever operation is before them.</source>
        <translation>将 Relu 和 Clip 融入其前的任何算子。</translation>
    </message>
    <message>
        <source>name of the tensor at which the network ends</source>
        <translation>网络在此张量处结束（名称）</translation>
    </message>
    <message>
        <source>make the tensor a graph output</source>
        <translation>将该张量设为图的输出</translation>
    </message>
    <message>
        <source>quantized parameters</source>
        <translation>量化的参数</translation>
    </message>
    <message>
        <source>act multiplier</source>
        <translation>激活权重</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>bias multiplier</source>
        <translation>偏置权重</translation>
    </message>
    <message>
        <source>block size</source>
        <translation>块深度</translation>
    </message>
    <message>
        <source>clip</source>
        <translation>Clip</translation>
    </message>
    <message>
        <source>clip visibility</source>
        <translation>Clip 可见</translation>
    </message>
    <message>
        <source>concat</source>
        <translation>Concat</translation>
    </message>
    <message>
        <source>elementwise</source>
        <translation>逐元素</translation>
    </message>
    <message>
        <source>force overlap</source>
        <translation>强制重叠</translation>
    </message>
    <message>
        <source>including act</source>
        <translation>计入激活</translation>
    </message>
    <message>
        <source>including bias</source>
        <translation>计入偏置</translation>
    </message>
    <message>
        <source>interested layers</source>
        <translation>限定层</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>迭代次数</translation>
    </message>
    <message>
        <source>mark as output</source>
        <translation>设为输出</translation>
    </message>
    <message>
        <source>observer</source>
        <translation>观察器</translation>
    </message>
    <message>
        <source>optimize level</source>
        <translation>优化级别</translation>
    </message>
    <message>
        <source>pad visibility</source>
        <translation>Pad 可见</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>passive</source>
        <translation>被动</translation>
    </message>
    <message>
        <source>passive types</source>
        <translation>被动类型</translation>
    </message>
    <message>
        <source>pooling</source>
        <translation>池化</translation>
    </message>
    <message>
        <source>recalibrate</source>
        <translation>重新校准</translation>
    </message>
    <message>
        <source>relu clip</source>
        <translation>Relu 与 Clip</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>批次数</translation>
    </message>
    <message>
        <source>value threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>variable</source>
        <translation>张量</translation>
    </message>
</context>
<context>
    <name>Overlay</name>
    <message>
        <source>platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>graphwise error</source>
        <translation>全图误差</translation>
    </message>
    <message>
        <source>layerwise error</source>
        <translation>逐层误差</translation>
    </message>
    <message>
        <source>change to baseline</source>
        <translation>与基线之差</translation>
    </message>
    <message>
        <source>scale group</source>
        <translation>缩放组</translation>
    </message>
</context>
<context>
    <name>Plot</name>
    <message>
        <source>Save plot</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy data</source>
        <translation>复制数据</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Vector picture (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Data (*.csv)</source>
        <translation>数据 (*.csv)</translation>
    </message>
    <message>
        <source>Save as %1…</source>
        <translation>另存为 %1…</translation>
    </message>
    <message>
        <source>Save or copy this plot (PNG, SVG, PDF, CSV)</source>
        <translation>保存或复制此图 (PNG、SVG、PDF、CSV)</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>inside %1 &apos;%2&apos;, whose bodies run in float</source>
        <translation>位于 %1“%2”之内，其子图以浮点运行</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>是(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>否(&amp;N)</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>全选</translation>
    </message>
</context>
<context>
    <name>SearchQuery</name>
    <message>
        <source>No regular expression: %1</source>
        <translation>不是正则表达式：%1</translation>
    </message>
    <message>
        <source>No number: %1</source>
        <translation>不是数字：%1</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>See why a network is worse in low precision, and fix it.</source>
        <translation>看清网络在低精度下为何变差，并修好它。</translation>
    </message>
    <message>
        <source>A model or a recipe (.quantloupe)</source>
        <translation>模型或配方 (.quantloupe)</translation>
    </message>
    <message>
        <source>Command that starts the engine, e.g. &quot;ssh gpu-box quantloupe-cli serve&quot;</source>
        <translation>启动引擎的命令，例如 &quot;ssh gpu-box quantloupe-cli serve&quot;</translation>
    </message>
</context>
<context>
    <name>ql</name>
    <message>
        <source>Send to FP32</source>
        <translation>改为 FP32</translation>
    </message>
    <message>
        <source>Weights per channel</source>
        <translation>权重逐通道</translation>
    </message>
    <message>
        <source>Equalize layers</source>
        <translation>均衡各层</translation>
    </message>
    <message>
        <source>Other observer</source>
        <translation>换观察器</translation>
    </message>
    <message>
        <source>The operation computes in float: no error of its own, but slower, and the runtime must allow it.</source>
        <translation>该算子以浮点计算：自身没有误差，但更慢，且运行时必须允许。</translation>
    </message>
    <message>
        <source>One scale for each output channel of the weight. Free where the runtime can do it.</source>
        <translation>权重的每个输出通道一个缩放。只要运行时支持就没有代价。</translation>
    </message>
    <message>
        <source>Scales the channels of neighbouring layers against each other before quantizing; the float network computes the same.</source>
        <translation>量化前在相邻层之间互相缩放通道；浮点网络的结果不变。</translation>
    </message>
    <message>
        <source>Finds the range of the output another way: mse instead of what is set, or kl instead of mse.</source>
        <translation>用另一种方法求输出范围：改用 mse；若已是 mse 则改用 kl。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Save table as %1…</source>
        <translation>将表格存为 %1…</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>保存表格</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>无法写入 %1。</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>pass %1: removed</source>
        <translation>步骤 %1：已移除</translation>
    </message>
    <message>
        <source>pass %1: added</source>
        <translation>步骤 %1：已添加</translation>
    </message>
    <message>
        <source>pass %1: on</source>
        <translation>步骤 %1：启用</translation>
    </message>
    <message>
        <source>pass %1: off</source>
        <translation>步骤 %1：停用</translation>
    </message>
    <message>
        <source>pass %1</source>
        <translation>步骤 %1</translation>
    </message>
    <message>
        <source>order of passes: %1</source>
        <translation>步骤顺序：%1</translation>
    </message>
    <message>
        <source>%1 of %2: removed (%3)</source>
        <translation>%2 的%1：已移除（%3）</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%2 的%1：%3</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>dispatch</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>overrides</source>
        <translation>覆盖设定</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 组</numerusform>
        </translation>
    </message>
    <message>
        <source>no operations share a scale</source>
        <translation>没有共用缩放的算子</translation>
    </message>
    <message>
        <source>+ better</source>
        <translation>+ 更好</translation>
    </message>
    <message>
        <source>− worse</source>
        <translation>− 更差</translation>
    </message>
</context>
<context>
    <name>ql::Breadcrumbs</name>
    <message>
        <source>Path of the current operation</source>
        <translation>当前算子的路径</translation>
    </message>
</context>
<context>
    <name>ql::CenterView</name>
    <message>
        <source>Operations</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Space swaps graph and table at the same operation</source>
        <translation>按空格键在同一算子处切换计算图与表格</translation>
    </message>
    <message>
        <source>Graph or table</source>
        <translation>计算图或表格</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>着色</translation>
    </message>
    <message>
        <source>Colour of the graph</source>
        <translation>计算图的着色方式</translation>
    </message>
    <message>
        <source>The engine is reading the model…</source>
        <translation>引擎正在读取模型…</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>Fold %1</source>
        <translation>折叠 %1</translation>
    </message>
    <message>
        <source>The whole graph</source>
        <translation>整个图</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>Fold what is inside %1</source>
        <translation>收起 %1 的内部</translation>
    </message>
    <message>
        <source>Show what is inside %1</source>
        <translation>展开 %1 的内部</translation>
    </message>
    <message>
        <source>Unfold %1</source>
        <translation>展开 %1</translation>
    </message>
    <message numerus="yes">
        <source>Fold this region of %1 (%n operation(s))</source>
        <translation>
            <numerusform>折叠此 %1 区域（%n 个算子）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::CommandPalette</name>
    <message>
        <source>What do you want to do?</source>
        <translation>想做什么？</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令列表</translation>
    </message>
</context>
<context>
    <name>ql::CompareDialog</name>
    <message>
        <source>Compare runs</source>
        <translation>比较运行</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Output SQNR</source>
        <translation>输出 SQNR</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Worst layer</source>
        <translation>最差的层</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Edits to baseline</source>
        <translation>与基线的差异数</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Differences of the recipes</source>
        <translation>配方之间的差异</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>From the baseline #%1 to #%2</source>
        <translation>从基线 #%1 到 #%2</translation>
    </message>
    <message>
        <source>The recipes are the same.</source>
        <translation>两份配方相同。</translation>
    </message>
    <message>
        <source>graphwise</source>
        <translation>全图</translation>
    </message>
    <message>
        <source>layerwise</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>output SQNR</source>
        <translation>输出 SQNR</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Errors of the ticked runs</source>
        <translation>已勾选运行的误差</translation>
    </message>
    <message>
        <source>Make it the baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Go back to its recipe</source>
        <translation>回到其配方</translation>
    </message>
    <message>
        <source>Recipe of run %1</source>
        <translation>运行 %1 的配方</translation>
    </message>
    <message>
        <source>output SQNR, dB</source>
        <translation>输出 SQNR，dB</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>noise / signal</source>
        <translation>噪声 / 信号</translation>
    </message>
    <message>
        <source>operations in execution order</source>
        <translation>算子，按执行顺序</translation>
    </message>
</context>
<context>
    <name>ql::ConfigForm</name>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message numerus="yes">
        <source>%1 … %2 (%n channel(s))</source>
        <translation>
            <numerusform>%1 … %2（%n 个通道）</numerusform>
        </translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>you · override</source>
        <translation>您 · 覆盖</translation>
    </message>
    <message>
        <source>platform rule %1</source>
        <translation>平台规则 %1</translation>
    </message>
    <message>
        <source>pass %1</source>
        <translation>处理步骤 %1</translation>
    </message>
    <message>
        <source>quantized</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>passive</source>
        <translation>被动</translation>
    </message>
    <message>
        <source>float</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>active</source>
        <translation>生效</translation>
    </message>
    <message>
        <source>overlapped</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>baked</source>
        <translation>固化</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>quantized: has its own scale; passive: takes the scale that follows from others; overlapped: not rounded, because the operation behind does it; baked: the values are rounded already; float: not quantized.</source>
        <translation>量化：有自己的缩放；被动：缩放由其他张量决定；重叠：此处不取整，由后面的算子完成；固化：数值已经取整；浮点：不量化。</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位宽</translation>
    </message>
    <message>
        <source>Width of a code. Sets the range of codes, too.</source>
        <translation>编码的位宽，同时决定编码范围。</translation>
    </message>
    <message>
        <source>Codes are two whole numbers, lowest … highest; got &apos;%1&apos;.</source>
        <translation>编码范围是两个整数：最低 … 最高；输入的是“%1”。</translation>
    </message>
    <message>
        <source>%1 … %2 has more codes than %3 bits hold.</source>
        <translation>%1 … %2 的编码数超过 %3 位的容量。</translation>
    </message>
    <message>
        <source>Codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Lowest and highest code.</source>
        <translation>最低与最高编码。</translation>
    </message>
    <message>
        <source>Symmetric</source>
        <translation>对称</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Symmetric: the zero point is 0.</source>
        <translation>对称：零点为 0。</translation>
    </message>
    <message>
        <source>per channel, axis %1</source>
        <translation>逐通道，轴 %1</translation>
    </message>
    <message>
        <source>per channel</source>
        <translation>逐通道</translation>
    </message>
    <message>
        <source>Granularity</source>
        <translation>粒度</translation>
    </message>
    <message>
        <source>per tensor</source>
        <translation>逐张量</translation>
    </message>
    <message>
        <source>One scale for the whole tensor, or one for each output channel.</source>
        <translation>整个张量一个缩放，或每个输出通道一个。</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>取整</translation>
    </message>
    <message>
        <source>How values between two codes are rounded.</source>
        <translation>两个编码之间的数值如何取整。</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>观察器</translation>
    </message>
    <message>
        <source>How the range is found from the calibration data.</source>
        <translation>如何由校准数据得到取值范围。</translation>
    </message>
    <message>
        <source>A scale is a number above 0; got &apos;%1&apos;.</source>
        <translation>缩放必须是大于 0 的数；输入的是“%1”。</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Distance of two neighbouring codes.</source>
        <translation>相邻两个编码的间距。</translation>
    </message>
    <message>
        <source>Zero point</source>
        <translation>零点</translation>
    </message>
    <message>
        <source>The code of 0.</source>
        <translation>数值 0 的编码。</translation>
    </message>
    <message>
        <source>A clip range is two numbers, low … high; got &apos;%1&apos;.</source>
        <translation>截断范围是两个数：下限 … 上限；输入的是“%1”。</translation>
    </message>
    <message>
        <source>Clip range</source>
        <translation>截断范围</translation>
    </message>
    <message>
        <source>The float values that the lowest and the highest code stand for. Outside, values are clipped.</source>
        <translation>最低码与最高码代表的浮点值。超出的数值会被截断。</translation>
    </message>
</context>
<context>
    <name>ql::DataDialog</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>What ranges are measured on: a folder of pictures or arrays, a .npz, a .npy, a folder per input, or a manifest (JSON).</source>
        <translation>用来测量取值范围的数据：图片或数组的文件夹、.npz、.npy、每个输入一个文件夹，或清单文件（JSON）。</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>What the error is measured on; without a path, the calibration data.</source>
        <translation>用来测量误差的数据；不填路径时使用校准数据。</translation>
    </message>
</context>
<context>
    <name>ql::DataSide</name>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>路径</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Preprocessing</source>
        <translation>预处理</translation>
    </message>
    <message>
        <source>Steps of the preprocessing</source>
        <translation>预处理步骤</translation>
    </message>
    <message>
        <source>Drag to reorder, double click to change.</source>
        <translation>拖动可调整顺序，双击可修改。</translation>
    </message>
    <message>
        <source>+ Add step</source>
        <translation>+ 添加步骤</translation>
    </message>
    <message>
        <source>Add a step behind the current one</source>
        <translation>在当前步骤之后添加</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>The sample after each step</source>
        <translation>每一步之后的样本</translation>
    </message>
    <message>
        <source>Values of the sample, for each channel</source>
        <translation>样本各通道的值</translation>
    </message>
    <message>
        <source>Sample after each step</source>
        <translation>每一步之后的样本</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Folder of data</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>File of data</source>
        <translation>数据文件</translation>
    </message>
    <message>
        <source>Data (*.npz *.npy *.json);;All files (*)</source>
        <translation>数据 (*.npz *.npy *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>as it was read</source>
        <translation>读入时</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> / %1</translation>
    </message>
    <message>
        <source>The data are not those of the last time: files, their content or their order have changed, so runs cannot be compared.</source>
        <translation>数据与上次不同：文件、内容或顺序已变，各次运行不可比较。</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>channel %1: mean %2, std %3</source>
        <translation>通道 %1：均值 %2，标准差 %3</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s) not finite</source>
        <translation>
            <numerusform>%n 个值非有限</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::DistributionPanel</name>
    <message>
        <source>values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Distribution of values</source>
        <translation>数值分布</translation>
    </message>
    <message>
        <source>distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Parameter %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>Select an operation</source>
        <translation>请选择一个算子</translation>
    </message>
    <message>
        <source>Run with F5 first</source>
        <translation>请先按 F5 运行</translation>
    </message>
    <message>
        <source>No quantized tensors here</source>
        <translation>此处没有量化的张量</translation>
    </message>
    <message>
        <source>Edited: run with F5</source>
        <translation>已修改：按 F5 运行</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>步长 %1</translation>
    </message>
    <message>
        <source>clipped %1 %</source>
        <translation>截断 %1 %</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>largest |value|</source>
        <translation>最大 |数值|</translation>
    </message>
    <message>
        <source>channel (axis %1)</source>
        <translation>通道（轴 %1）</translation>
    </message>
    <message>
        <source>Clip range of %1</source>
        <translation>%1 的截断范围</translation>
    </message>
    <message>
        <source>value in float</source>
        <translation>浮点值</translation>
    </message>
    <message>
        <source>value quantized</source>
        <translation>量化后的值</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s), evenly chosen</source>
        <translation>
            <numerusform>均匀抽取 %n 个值</numerusform>
        </translation>
    </message>
    <message>
        <source>largest channel over smallest: %1 ×</source>
        <translation>最大通道与最小通道之比：%1 倍</translation>
    </message>
    <message numerus="yes">
        <source>%n channel(s) all zero</source>
        <translation>
            <numerusform>%n 个通道全为零</numerusform>
        </translation>
    </message>
    <message>
        <source>Channel %1
minimum %2
quartiles %3, %4, %5
maximum %6</source>
        <translation>通道 %1
最小值 %2
四分位数 %3、%4、%5
最大值 %6</translation>
    </message>
    <message>
        <source>Channel %1: largest |value| %2</source>
        <translation>通道 %1：最大绝对值 %2</translation>
    </message>
    <message>
        <source>scatter</source>
        <translation>散点</translation>
    </message>
    <message>
        <source>Histogram of float values, and where the quantized ones lie.</source>
        <translation>浮点值的直方图，以及量化值所在的位置。</translation>
    </message>
    <message>
        <source>Each point: a value in float and what it becomes quantized.</source>
        <translation>每个点：一个浮点值及其量化后的值。</translation>
    </message>
    <message>
        <source>Minimum, quartiles and maximum of every channel; the amber lines are what its scale can hold.</source>
        <translation>每个通道的最小值、四分位数和最大值；琥珀色线是其缩放系数所能表示的范围。</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Logarithmic axis: counts, or the largest |value| of each channel</source>
        <translation>对数轴：计数，或各通道的最大绝对值</translation>
    </message>
    <message>
        <source>This tensor has no channels</source>
        <translation>此张量没有通道</translation>
    </message>
    <message>
        <source>step: distance of two neighbouring codes; clipped: float values outside the limits; dB: −10 log₁₀ of Σ(float − quantized)² / Σ float² of this tensor</source>
        <translation>步长：相邻两个编码的间距；截断：超出界限的浮点值；dB：此张量 Σ(浮点 − 量化)² / Σ 浮点² 的 −10 log₁₀</translation>
    </message>
    <message>
        <source>count</source>
        <translation>个数</translation>
    </message>
</context>
<context>
    <name>ql::Document</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Run %1 finished in %2 s.</source>
        <translation>第 %1 次运行用时 %2 秒。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Not supported: %1</source>
        <translation>不支持：%1</translation>
    </message>
    <message>
        <source>“%1” changed the output by %2 dB: from %3 to %4 dB.</source>
        <translation>“%1”使输出变化 %2 dB：从 %3 到 %4 dB。</translation>
    </message>
    <message>
        <source>%1 is read-only.</source>
        <translation>%1 是只读文件。</translation>
    </message>
    <message>
        <source>The answer has no report.</source>
        <translation>应答中没有报告。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
</context>
<context>
    <name>ql::EngineClient</name>
    <message>
        <source>A new engine has been started; finished stages are in its cache.</source>
        <translation>已启动新的引擎；已完成的阶段保存在缓存中。</translation>
    </message>
</context>
<context>
    <name>ql::EngineLink</name>
    <message>
        <source>The engine speaks protocol %1, this window %2.</source>
        <translation>引擎使用协议 %1，本窗口使用协议 %2。</translation>
    </message>
    <message>
        <source>The engine was ended by a signal or ran out of memory.</source>
        <translation>引擎被信号终止或内存不足。</translation>
    </message>
    <message>
        <source>The engine ended with exit code %1.</source>
        <translation>引擎已结束，退出码 %1。</translation>
    </message>
    <message>
        <source>The engine &apos;%1&apos; cannot be started.</source>
        <translation>无法启动引擎“%1”。</translation>
    </message>
</context>
<context>
    <name>ql::ErrorPlot</name>
    <message>
        <source>graphwise</source>
        <translation>全图</translation>
    </message>
    <message>
        <source>layerwise</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>Error of each operation&apos;s output in the fully quantized model: what has gathered up to there.</source>
        <translation>全部量化时每个算子输出处的误差：到此处累积了多少。</translation>
    </message>
    <message>
        <source>Error at the graph outputs with only this operation quantized: what it costs by itself.</source>
        <translation>只量化该算子时网络输出处的误差：它自身的代价。</translation>
    </message>
    <message>
        <source>sorted</source>
        <translation>按大小排序</translation>
    </message>
    <message>
        <source>Error of every operation</source>
        <translation>每个算子的误差</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>change of SQNR, dB</source>
        <translation>SQNR 变化，dB</translation>
    </message>
    <message>
        <source>noise / signal</source>
        <translation>噪声 / 信号</translation>
    </message>
    <message>
        <source>operations, worst first</source>
        <translation>算子（误差从大到小）</translation>
    </message>
    <message>
        <source>operations in execution order</source>
        <translation>算子（按执行顺序）</translation>
    </message>
    <message>
        <source>No other run to compare with</source>
        <translation>没有可比较的其他运行</translation>
    </message>
    <message>
        <source>Run with F5 to see the error of each operation</source>
        <translation>按 F5 运行后显示每个算子的误差</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; · %2&lt;br&gt;graphwise %3 (%4)&lt;br&gt;layerwise %5</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; · %2&lt;br&gt;全图 %3（%4）&lt;br&gt;逐层 %5</translation>
    </message>
    <message>
        <source>log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Logarithmic error axis</source>
        <translation>误差轴取对数</translation>
    </message>
    <message>
        <source>Drag the dashed line to move the threshold.</source>
        <translation>拖动虚线可移动阈值。</translation>
    </message>
    <message>
        <source>Δ baseline</source>
        <translation>Δ 基线</translation>
    </message>
    <message>
        <source>Signal over noise against the baseline run, in decibels; up is better.</source>
        <translation>相对基线运行的信噪比变化，单位分贝；向上为好。</translation>
    </message>
    <message>
        <source>Worst first instead of in execution order</source>
        <translation>最差的在前，而非按执行顺序</translation>
    </message>
    <message>
        <source>SQNR, dB</source>
        <translation>SQNR，dB</translation>
    </message>
    <message numerus="yes">
        <source>%n op(s) above %1 (%2)</source>
        <translation>
            <numerusform>%n 个算子高于 %1（%2）</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::ExportDialog</name>
    <message>
        <source>Write</source>
        <translation>写出</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1  (suits %2)</source>
        <translation>%1 （适合 %2）</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Export to</source>
        <translation>导出到</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写出…</translation>
    </message>
    <message>
        <source>HTML report…</source>
        <translation>HTML 报告…</translation>
    </message>
    <message>
        <source>Beginning of the file</source>
        <translation>文件开头</translation>
    </message>
    <message>
        <source>Will be written</source>
        <translation>将写入</translation>
    </message>
    <message>
        <source>Everything that the last run has measured, in one file for a browser.</source>
        <translation>上次运行测得的全部内容，存为一个可用浏览器打开的文件。</translation>
    </message>
    <message>
        <source>Wrote &lt;a href=&quot;%1&quot;&gt;%2&lt;/a&gt;, %3. &lt;a href=&quot;%4&quot;&gt;Open the folder&lt;/a&gt;</source>
        <translation>已写入 &lt;a href=&quot;%1&quot;&gt;%2&lt;/a&gt;，%3。&lt;a href=&quot;%4&quot;&gt;打开文件夹&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message>
        <source> (replaces the one that is there)</source>
        <translation>（将替换现有文件）</translation>
    </message>
    <message>
        <source>HTML report</source>
        <translation>HTML 报告</translation>
    </message>
</context>
<context>
    <name>ql::GraphView</name>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>The dispatched graph. Arrow keys step along edges.</source>
        <translation>调度后的计算图。方向键沿边移动。</translation>
    </message>
    <message numerus="yes">
        <source>shape computation · %n op(s)</source>
        <translation>
            <numerusform>形状计算 · %n 个算子</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n op(s)</source>
        <translation>
            <numerusform>%1 · %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>There is no graph to save.</source>
        <translation>没有可保存的图。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n op(s)</source>
        <translation>
            <numerusform>%1：%n 个算子</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::Inspector</name>
    <message>
        <source>you · override</source>
        <translation>您 · 覆盖</translation>
    </message>
    <message>
        <source>Select an operation in the graph, the table or the error chart.</source>
        <translation>请在计算图、表格或误差图中选择一个算子。</translation>
    </message>
    <message>
        <source>Platform of the operation</source>
        <translation>算子所在平台</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>运行于</translation>
    </message>
    <message>
        <source>Inputs, parameters and outputs</source>
        <translation>输入、参数和输出</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>What edits apply to</source>
        <translation>修改的适用范围</translation>
    </message>
    <message>
        <source>name pattern, e.g. block?_conv*</source>
        <translation>名称模式，例如 block?_conv*</translation>
    </message>
    <message>
        <source>Name pattern</source>
        <translation>名称模式</translation>
    </message>
    <message>
        <source>Edits for</source>
        <translation>修改范围</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置 %1</translation>
    </message>
    <message numerus="yes">
        <source>Dispatch %n operation(s) as before</source>
        <translation>
            <numerusform>恢复 %n 个算子的调度</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Send %n operation(s) to %1</source>
        <translation>
            <numerusform>将 %n 个算子改到 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>this operation</source>
        <translation>此算子</translation>
    </message>
    <message numerus="yes">
        <source>the selection (%n)</source>
        <translation>
            <numerusform>选中的 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>所有 %1</translation>
    </message>
    <message>
        <source>a name pattern</source>
        <translation>名称模式</translation>
    </message>
    <message>
        <source>matches no operation</source>
        <translation>没有匹配的算子</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s): %1</source>
        <translation>
            <numerusform>%n 个算子：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>Parameter %1</source>
        <translation>参数 %1</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>Why is it quantized?</source>
        <translation>为什么量化？</translation>
    </message>
    <message>
        <source>Why %1?</source>
        <translation>为什么是 %1？</translation>
    </message>
    <message>
        <source>Not supported:</source>
        <translation>不支持：</translation>
    </message>
    <message>
        <source>as dispatched</source>
        <translation>按调度结果</translation>
    </message>
    <message>
        <source>dispatcher</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>%1 · %2 %3</source>
        <translation>%1 · %2 %3</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>The pattern matches no operation.</source>
        <translation>该模式没有匹配任何算子。</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s)</source>
        <translation>
            <numerusform>%n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Back to the platform&apos;s values: removes what you set for this slot and these operations.</source>
        <translation>恢复为平台的设定：移除您对此处及这些算子所作的设定。</translation>
    </message>
    <message>
        <source>Attribute</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Nothing is set for exactly these: choose under “Edits for” what it was set for, as every operation of the type.</source>
        <translation>没有正好针对这些算子的设置：请在“修改范围”中选择当初设置时的范围，例如该类型的所有算子。</translation>
    </message>
</context>
<context>
    <name>ql::JobsPanel</name>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop (Shift+F5)</source>
        <translation>停止 (Shift+F5)</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>No job is running.</source>
        <translation>没有正在运行的任务。</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
</context>
<context>
    <name>ql::MainWindow</name>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New window</source>
        <translation>新建窗口(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>Open the &amp;sample</source>
        <translation>打开示例(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Save recipe</source>
        <translation>保存配方(&amp;S)</translation>
    </message>
    <message>
        <source>Save recipe &amp;as…</source>
        <translation>配方另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>Save the &amp;graph as a picture…</source>
        <translation>将计算图保存为图片(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Close window</source>
        <translation>关闭窗口(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>查找(&amp;F)</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Find &amp;previous</source>
        <translation>查找上一个(&amp;P)</translation>
    </message>
    <message>
        <source>Send selection to &amp;FP32</source>
        <translation>将选中算子改为 FP32(&amp;F)</translation>
    </message>
    <message>
        <source>Dispatch selection as &amp;before</source>
        <translation>恢复选中算子的调度(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Data…</source>
        <translation>数据(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Run without &amp;analyses</source>
        <translation>只校准不分析(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Live: run after every edit</source>
        <translation>实时：每次修改后运行(&amp;L)</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Runs what an edit made stale at once; dashed bars are the values before it (Ctrl+L)</source>
        <translation>修改后立即重新计算受影响的部分；虚线条为修改前的数值 (Ctrl+L)</translation>
    </message>
    <message>
        <source>&amp;Compare runs…</source>
        <translation>比较运行(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Worse operation</source>
        <translation>更差的算子(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Less bad operation</source>
        <translation>次差的算子(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Engine…</source>
        <translation>引擎(&amp;E)…</translation>
    </message>
    <message>
        <source>Res&amp;tart the engine</source>
        <translation>重启引擎(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Graph or table</source>
        <translation>计算图或表格(&amp;G)</translation>
    </message>
    <message>
        <source>Fit &amp;all</source>
        <translation>显示全部(&amp;A)</translation>
    </message>
    <message>
        <source>Fit &amp;selection</source>
        <translation>显示选中(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Colour</source>
        <translation>着色(&amp;C)</translation>
    </message>
    <message>
        <source>Colour by %1</source>
        <translation>按%1着色</translation>
    </message>
    <message>
        <source>Draw fused activations in one &amp;box</source>
        <translation>融合的激活画在同一个框中(&amp;B)</translation>
    </message>
    <message>
        <source>Fold s&amp;hape computation</source>
        <translation>折叠形状计算(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Docks</source>
        <translation>面板(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Reset the docks</source>
        <translation>恢复默认面板(&amp;R)</translation>
    </message>
    <message>
        <source>La&amp;youts</source>
        <translation>布局(&amp;Y)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Theme: follow the system</source>
        <translation>主题：跟随系统</translation>
    </message>
    <message>
        <source>Theme: light</source>
        <translation>主题：浅色</translation>
    </message>
    <message>
        <source>Theme: dark</source>
        <translation>主题：深色</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>The language changes when the program starts again.</source>
        <translation>语言将在程序重新启动后生效。</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>手册(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>快捷键(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;All commands…</source>
        <translation>所有命令(&amp;A)…</translation>
    </message>
    <message>
        <source>A&amp;bout</source>
        <translation>关于(&amp;B)</translation>
    </message>
    <message>
        <source>About Quantloupe</source>
        <translation>关于 Quantloupe</translation>
    </message>
    <message>
        <source>&lt;b&gt;Quantloupe %1&lt;/b&gt;&lt;br&gt;See why a network is worse in low precision, and fix it.&lt;br&gt;&lt;br&gt;Engine: %2</source>
        <translation>&lt;b&gt;Quantloupe %1&lt;/b&gt;&lt;br&gt;看清网络在低精度下为何变差，并修好它。&lt;br&gt;&lt;br&gt;引擎：%2</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>find: name, type, error&gt;0.1</source>
        <translation>查找：名称、类型、error&gt;0.1</translation>
    </message>
    <message>
        <source>Find operations</source>
        <translation>查找算子</translation>
    </message>
    <message>
        <source>Words that name or type contain; bits&lt;8, error&gt;0.1, layerwise&gt;0.01, sqnr&lt;20, cosine&lt;0.99; type:Conv, platform:FP32, state:passive; /regular expression/</source>
        <translation>名称或类型中包含的词；bits&lt;8、error&gt;0.1、layerwise&gt;0.01、sqnr&lt;20、cosine&lt;0.99；type:Conv、platform:FP32、state:passive；/正则表达式/</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) found</source>
        <translation>
            <numerusform>找到 %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>Pass pipeline</source>
        <translation>处理流程</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Distribution</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Jobs and log</source>
        <translation>任务与日志</translation>
    </message>
    <message>
        <source>Problems %1</source>
        <translation>问题 %1</translation>
    </message>
    <message>
        <source>Progress of the job</source>
        <translation>任务进度</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已写出 %1</translation>
    </message>
    <message>
        <source>%1: </source>
        <translation>%1：</translation>
    </message>
    <message>
        <source>A new engine is being started. The recipe is untouched, and finished stages are in the cache: run again with F5.</source>
        <translation>正在启动新的引擎。配方没有变化，已完成的阶段在缓存中：按 F5 重新运行。</translation>
    </message>
    <message>
        <source>It has ended several times in a row. Choose another engine (Run, Engine…) or see the log.</source>
        <translation>引擎已连续多次结束。请选择其他引擎（运行 → 引擎…）或查看日志。</translation>
    </message>
    <message>
        <source>&amp;Undo: %1</source>
        <translation>撤销(&amp;U)：%1</translation>
    </message>
    <message>
        <source>&amp;Redo: %1</source>
        <translation>重做(&amp;R)：%1</translation>
    </message>
    <message>
        <source>Platform  %1</source>
        <translation>平台  %1</translation>
    </message>
    <message>
        <source>What the model is quantized for</source>
        <translation>模型量化的目标平台</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 · %2 calib · %3 eval</source>
        <translation>%1 · 校准 %2 · 评估 %3</translation>
    </message>
    <message>
        <source>Data  %1</source>
        <translation>数据  %1</translation>
    </message>
    <message>
        <source>Calibration: %1
Evaluation: %2
Preprocessing: %3 (Ctrl+D)</source>
        <translation>校准：%1
评估：%2
预处理：%3 (Ctrl+D)</translation>
    </message>
    <message>
        <source>the calibration data</source>
        <translation>校准数据</translation>
    </message>
    <message>
        <source>starting…</source>
        <translation>启动中…</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>remote</source>
        <translation>远程</translation>
    </message>
    <message>
        <source>local</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Engine %1 is ready.</source>
        <translation>引擎 %1 已就绪。</translation>
    </message>
    <message>
        <source>The engine is starting…</source>
        <translation>引擎正在启动…</translation>
    </message>
    <message>
        <source>The engine cannot be started: %1</source>
        <translation>无法启动引擎：%1</translation>
    </message>
    <message>
        <source>dashed: the run before</source>
        <translation>虚线：上一次运行</translation>
    </message>
    <message>
        <source>dashed: baseline #%1</source>
        <translation>虚线：基线 #%1</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source> · %1 left</source>
        <translation> · 剩余 %1</translation>
    </message>
    <message>
        <source>Edited: results are of an earlier recipe. F5 runs what is stale.</source>
        <translation>已修改：结果属于较早的配方。按 F5 重算过期部分。</translation>
    </message>
    <message>
        <source>Up to date.</source>
        <translation>结果为最新。</translation>
    </message>
    <message>
        <source>Not run yet: F5.</source>
        <translation>尚未运行：按 F5。</translation>
    </message>
    <message>
        <source>engine %1 MiB</source>
        <translation>引擎 %1 MiB</translation>
    </message>
    <message>
        <source>output SQNR %1 dB</source>
        <translation>输出 SQNR %1 dB</translation>
    </message>
    <message>
        <source> (baseline %1)</source>
        <translation>（基线 %1）</translation>
    </message>
    <message>
        <source>%1 %2 % (float %3 %)</source>
        <translation>%1 %2 %（浮点 %3 %）</translation>
    </message>
    <message>
        <source>recipe %1</source>
        <translation>配方 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n edit(s)</source>
        <translation>
            <numerusform>%n 次修改</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
    <message>
        <source>Models and recipes (*.onnx *.prototxt *.quantloupe *.json);;All files (*)</source>
        <translation>模型与配方 (*.onnx *.prototxt *.quantloupe *.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>The recipe is not saved.</source>
        <translation>配方没有保存。</translation>
    </message>
    <message>
        <source>Save recipe</source>
        <translation>保存配方</translation>
    </message>
    <message>
        <source>Recipes (*.quantloupe)</source>
        <translation>配方 (*.quantloupe)</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>Save the changes of %1?</source>
        <translation>保存对 %1 的修改吗？</translation>
    </message>
    <message>
        <source>Recover unsaved changes</source>
        <translation>恢复未保存的修改</translation>
    </message>
    <message>
        <source>The program ended without saving the changes of %1. Open them?</source>
        <translation>程序结束时没有保存对 %1 的修改。要打开这些修改吗？</translation>
    </message>
    <message>
        <source>Recovered changes</source>
        <translation>恢复的修改</translation>
    </message>
    <message>
        <source>Open a model first, then drop its data.</source>
        <translation>请先打开模型，再拖入数据。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Save the graph</source>
        <translation>保存计算图</translation>
    </message>
    <message>
        <source>Vector picture (*.svg);;PDF (*.pdf);;Picture (*.png)</source>
        <translation>矢量图 (*.svg);;PDF (*.pdf);;图片 (*.png)</translation>
    </message>
    <message>
        <source>Platform %1</source>
        <translation>平台 %1</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Dispatcher %1</source>
        <translation>调度器 %1</translation>
    </message>
    <message>
        <source>Run  #%1 ▾</source>
        <translation>运行  #%1 ▾</translation>
    </message>
    <message>
        <source>Run  – ▾</source>
        <translation>运行  – ▾</translation>
    </message>
    <message>
        <source>vs  #%1 baseline ▾</source>
        <translation>对比  #%1 基线 ▾</translation>
    </message>
    <message>
        <source>vs  – ▾</source>
        <translation>对比  – ▾</translation>
    </message>
    <message>
        <source>Command that starts the engine, for example
ssh gpu-box quantloupe-cli serve
Empty: the one beside this program.</source>
        <translation>启动引擎的命令，例如
ssh gpu-box quantloupe-cli serve
留空：使用本程序旁边的引擎。</translation>
    </message>
    <message numerus="yes">
        <source>Send %n operation(s) to FP32</source>
        <translation>
            <numerusform>将 %n 个算子改为 FP32</numerusform>
        </translation>
    </message>
    <message>
        <source>Dispatch as before</source>
        <translation>恢复调度</translation>
    </message>
    <message>
        <source>Select every %1</source>
        <translation>选中所有 %1</translation>
    </message>
    <message>
        <source>Fit all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Save the graph as a picture…</source>
        <translation>将计算图保存为图片…</translation>
    </message>
    <message>
        <source>J, K, arrows</source>
        <translation>J、K、方向键</translation>
    </message>
    <message>
        <source>Along an edge, to a neighbour (graph)</source>
        <translation>沿边移动、移到相邻算子（计算图）</translation>
    </message>
    <message>
        <source>Ctrl+wheel, + and −</source>
        <translation>Ctrl+滚轮、+ 和 −</translation>
    </message>
    <message>
        <source>Zoom (graph)</source>
        <translation>缩放（计算图）</translation>
    </message>
    <message>
        <source>Shift+drag</source>
        <translation>Shift+拖动</translation>
    </message>
    <message>
        <source>Select an area (graph)</source>
        <translation>框选区域（计算图）</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Save this layout as…</source>
        <translation>将此布局另存为…</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Save the operation &amp;table</source>
        <translation>保存算子表(&amp;T)</translation>
    </message>
    <message>
        <source>(read-only)</source>
        <translation>（只读）</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Last change: %1</source>
        <translation>最后修改：%1</translation>
    </message>
    <message>
        <source>The recipe %1 was changed by another program.</source>
        <translation>配方 %1 已被其他程序修改。</translation>
    </message>
    <message>
        <source>Loading it loses the changes made here.</source>
        <translation>载入它会丢失此处的修改。</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>The model %1 was changed on the disk.</source>
        <translation>磁盘上的模型 %1 已更改。</translation>
    </message>
    <message>
        <source>What is shown is of the old one.</source>
        <translation>目前显示的是旧模型的内容。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>%1 is opened; a window shows one model.</source>
        <translation>已打开 %1；一个窗口只显示一个模型。</translation>
    </message>
    <message>
        <source>Open the prototxt of these weights first, or drop both together.</source>
        <translation>请先打开这些权重对应的 prototxt，或同时拖入两者。</translation>
    </message>
    <message>
        <source>F&amp;old</source>
        <translation>折叠(&amp;O)</translation>
    </message>
    <message>
        <source>Fold the &amp;bodies of If, Loop and Scan</source>
        <translation>收起 If、Loop 和 Scan 的子图(&amp;B)</translation>
    </message>
    <message>
        <source>Fold dispatch &amp;regions</source>
        <translation>折叠调度区域(&amp;R)</translation>
    </message>
    <message>
        <source>Fold groups by name, depth %1</source>
        <translation>按名称折叠分组，第 %1 层</translation>
    </message>
    <message>
        <source>&amp;Unfold all groups</source>
        <translation>展开所有分组(&amp;U)</translation>
    </message>
    <message>
        <source>Enter, Backspace</source>
        <translation>回车、退格</translation>
    </message>
    <message>
        <source>Unfold a group or show what is inside, fold it again (graph)</source>
        <translation>展开分组或内部，再次折叠（图）</translation>
    </message>
    <message>
        <source>&amp;Platforms…</source>
        <translation>平台(&amp;P)…</translation>
    </message>
    <message>
        <source>Platforms: see, change, compare…</source>
        <translation>平台：查看、修改、比较…</translation>
    </message>
    <message>
        <source>stale, F5 runs it again</source>
        <translation>已过期，按 F5 重新运行</translation>
    </message>
    <message>
        <source>Save all &amp;plots and tables…</source>
        <translation>保存所有图表和表格(&amp;P)…</translation>
    </message>
    <message>
        <source>There is nothing to save yet: open a model.</source>
        <translation>还没有可保存的内容：请先打开模型。</translation>
    </message>
    <message>
        <source>Writing %1 of %2</source>
        <translation>正在写入第 %1 个，共 %2 个</translation>
    </message>
    <message numerus="yes">
        <source>Wrote %n file(s) into %1</source>
        <translation>
            <numerusform>已将 %n 个文件写入 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) cannot be written, first %1</source>
        <translation>
            <numerusform>%n 个文件无法写入，首个是 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Folder for all plots and tables</source>
        <translation>保存所有图表和表格的文件夹</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Engine  %1</source>
        <translation>引擎  %1</translation>
    </message>
    <message>
        <source>find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>vs  #%1 ▾</source>
        <translation>对比  #%1 ▾</translation>
    </message>
    <message>
        <source>Up to date. Looking closer: problems and passes …</source>
        <translation>结果为最新。正在进一步查找问题并分析各处理步骤…</translation>
    </message>
    <message>
        <source>before the edit: output SQNR %1 dB</source>
        <translation>修改前：输出 SQNR %1 dB</translation>
    </message>
</context>
<context>
    <name>ql::ManualDialog</name>
    <message>
        <source>Manual</source>
        <translation>手册</translation>
    </message>
    <message>
        <source>find in the manual</source>
        <translation>在手册中查找</translation>
    </message>
    <message>
        <source>Find in the manual</source>
        <translation>在手册中查找</translation>
    </message>
    <message>
        <source>Chapters</source>
        <translation>章节</translation>
    </message>
</context>
<context>
    <name>ql::OperationModel</name>
    <message>
        <source>Noise over signal of the operation&apos;s output in the fully quantized model: mean over the evaluation samples of Σ(float − quantized)² / Σ float², over all elements.</source>
        <translation>全部量化时算子输出的噪声与信号之比：对所有元素计算 Σ(浮点 − 量化)² / Σ 浮点²，再对评估样本取平均。</translation>
    </message>
    <message>
        <source>Noise over signal at the worst graph output with only this operation quantized.</source>
        <translation>只量化该算子时，最差网络输出处的噪声与信号之比。</translation>
    </message>
    <message>
        <source>Signal over noise against the baseline run; positive is better.</source>
        <translation>信噪比相对基线运行的变化；正值为好。</translation>
    </message>
    <message>
        <source>Cosine between the float and the quantized output, mean over the samples.</source>
        <translation>浮点输出与量化输出的余弦，对样本取平均。</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Graphwise</source>
        <translation>全图</translation>
    </message>
    <message>
        <source>Layerwise</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>Δ baseline</source>
        <translation>Δ 基线</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>Why there</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Signal over quantization noise of the operation&apos;s output in the fully quantized model, in decibels: −10 log₁₀ of the graphwise noise over signal.</source>
        <translation>完全量化的模型中该算子输出的信号与量化噪声之比（分贝）：全图噪信比的 −10 log₁₀。</translation>
    </message>
    <message>
        <source>Signal over noise at the worst graph output with only this operation quantized, in decibels.</source>
        <translation>仅量化此算子时，最差的图输出的信噪比（分贝）。</translation>
    </message>
    <message>
        <source>Graphwise noise</source>
        <translation>全图噪声</translation>
    </message>
    <message>
        <source>Layerwise noise</source>
        <translation>逐层噪声</translation>
    </message>
</context>
<context>
    <name>ql::ParamEditor</name>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设定</translation>
    </message>
    <message>
        <source>Range: %1 to %2</source>
        <translation>范围：%1 至 %2</translation>
    </message>
    <message>
        <source>Unit: %1</source>
        <translation>单位：%1</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>默认值：%1</translation>
    </message>
    <message>
        <source>No parameters.</source>
        <translation>没有参数。</translation>
    </message>
</context>
<context>
    <name>ql::PassModel</name>
    <message>
        <source>The engine knows no such pass.</source>
        <translation>引擎没有这个步骤。</translation>
    </message>
    <message>
        <source>It changes the float graph and runs before the quantization passes above it, whatever its place here.</source>
        <translation>它修改浮点图，无论排在哪里都会先于上面的量化步骤执行。</translation>
    </message>
    <message>
        <source>It reads scales that &apos;%1&apos; finds later.</source>
        <translation>它读取的缩放要到后面的“%1”才得到。</translation>
    </message>
    <message>
        <source>It reads scales that &apos;%1&apos; would find.</source>
        <translation>它读取的缩放应由“%1”得到。</translation>
    </message>
    <message>
        <source>It joins slots that have been calibrated one by one already.</source>
        <translation>它要合并的位置已经逐个校准过了。</translation>
    </message>
    <message>
        <source>It has run just before with the same parameters.</source>
        <translation>它刚刚以相同的参数运行过。</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Turn on %1</source>
        <translation>启用 %1</translation>
    </message>
    <message>
        <source>Turn off %1</source>
        <translation>停用 %1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s)</source>
        <translation>
            <numerusform>%n 处改动</numerusform>
        </translation>
    </message>
    <message>
        <source>Signal over noise of the worst output with what is quantized up to this pass, on the evaluation samples; below it, what this pass changed.</source>
        <translation>到此步骤为止已量化部分下最差输出的信噪比（评估样本）；其下为此步骤带来的变化。</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>Output after it</source>
        <translation>其后的输出</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>By it</source>
        <translation>由它带来</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>启用</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
</context>
<context>
    <name>ql::PipelinePanel</name>
    <message>
        <source>Pass pipeline</source>
        <translation>处理流程</translation>
    </message>
    <message>
        <source>Add a pass behind the current one</source>
        <translation>在当前步骤之后添加</translation>
    </message>
    <message>
        <source>Move up (Alt+Up)</source>
        <translation>上移 (Alt+Up)</translation>
    </message>
    <message>
        <source>Move down (Alt+Down)</source>
        <translation>下移 (Alt+Down)</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Remove (Delete)</source>
        <translation>移除 (Delete)</translation>
    </message>
    <message>
        <source>Back to the platform&apos;s pipeline</source>
        <translation>恢复平台的处理流程</translation>
    </message>
    <message>
        <source>changed for this recipe</source>
        <translation>已为此配方修改</translation>
    </message>
    <message>
        <source>%1 default</source>
        <translation>%1 默认流程</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>The platform&apos;s pipeline</source>
        <translation>平台的处理流程</translation>
    </message>
    <message>
        <source>On the float graph</source>
        <translation>作用于浮点图</translation>
    </message>
    <message>
        <source>On the quantization</source>
        <translation>作用于量化</translation>
    </message>
    <message>
        <source>On the format</source>
        <translation>作用于格式</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>+ Add</source>
        <translation>+ 添加</translation>
    </message>
    <message>
        <source>Pipelines</source>
        <translation>流程</translation>
    </message>
    <message>
        <source>Save this pipeline under a name, or take a saved one</source>
        <translation>将此流程命名保存，或使用已保存的流程</translation>
    </message>
    <message numerus="yes">
        <source>in %n operation(s)</source>
        <translation>
            <numerusform>涉及 %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>output after it %1</source>
        <translation>其后输出 %1</translation>
    </message>
    <message>
        <source>%1 dB by it</source>
        <translation>由它带来 %1 dB</translation>
    </message>
    <message>
        <source>Marked in the graph. &lt;a href=&quot;clear&quot;&gt;Clear&lt;/a&gt;</source>
        <translation>已在图中标记。&lt;a href=&quot;clear&quot;&gt;清除&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Save pipeline</source>
        <translation>保存流程</translation>
    </message>
    <message>
        <source>Pipeline %1</source>
        <translation>流程 %1</translation>
    </message>
    <message>
        <source>Save this pipeline as…</source>
        <translation>将此流程另存为…</translation>
    </message>
    <message>
        <source>Name of the pipeline</source>
        <translation>流程名称</translation>
    </message>
    <message>
        <source>Measure the output after each pass</source>
        <translation>测量每个步骤之后的输出</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
</context>
<context>
    <name>ql::PlatformDialog</name>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>Sets</source>
        <translation>设定</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>此平台</translation>
    </message>
    <message>
        <source>There</source>
        <translation>另一平台</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Operations that differ</source>
        <translation>有差异的算子</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Use for this model</source>
        <translation>用于此模型</translation>
    </message>
    <message>
        <source>Platforms</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>Definition as JSON</source>
        <translation>JSON 形式的定义</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>标识</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>Quantable types</source>
        <translation>可量化类型</translation>
    </message>
    <message>
        <source>Fused activations</source>
        <translation>融合的激活</translation>
    </message>
    <message>
        <source>Passive types</source>
        <translation>被动类型</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Exporters</source>
        <translation>导出器</translation>
    </message>
    <message>
        <source>Rules, later ones win</source>
        <translation>规则，后者优先</translation>
    </message>
    <message>
        <source>Changed in the JSON beside; “-” is a pass that is off.</source>
        <translation>在旁边的 JSON 中修改；“-”表示停用的步骤。</translation>
    </message>
    <message>
        <source>On this model, against</source>
        <translation>在此模型上，对比</translation>
    </message>
    <message>
        <source>Definition</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Compare on this model</source>
        <translation>在此模型上比较</translation>
    </message>
    <message>
        <source>Copy as…</source>
        <translation>复制为…</translation>
    </message>
    <message>
        <source>Copy platform</source>
        <translation>复制平台</translation>
    </message>
    <message>
        <source>Id of the copy, one word</source>
        <translation>副本的标识，一个词</translation>
    </message>
    <message>
        <source>Platform %1</source>
        <translation>平台 %1</translation>
    </message>
    <message>
        <source>Built in: copy it to change it.</source>
        <translation>内置平台：复制后可修改。</translation>
    </message>
    <message>
        <source>The definition is right.</source>
        <translation>定义正确。</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <source>%1 (copy of %2)</source>
        <translation>%1（%2 的副本）</translation>
    </message>
    <message>
        <source>Rule %1: this is no JSON: %2</source>
        <translation>规则 %1：不是 JSON：%2</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message>
        <source>the rules set it otherwise</source>
        <translation>规则的设定不同</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) differ between %1 and %2.</source>
        <translation>
            <numerusform>%1 与 %2 之间有 %n 个算子不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>%1 %2 per channel</source>
        <translation>%1 %2 逐通道</translation>
    </message>
</context>
<context>
    <name>ql::ProblemModel</name>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>处理办法</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>Told by a run before the last edit: F5 runs again, then it is looked for again.</source>
        <translation>来自上次修改之前的运行：按 F5 重新运行，之后会再次查找。</translation>
    </message>
</context>
<context>
    <name>ql::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Nothing deserves attention.</source>
        <translation>没有需要注意的问题。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>More remedies</source>
        <translation>更多办法</translation>
    </message>
    <message>
        <source>The run goes on. What deserves attention is told when it has ended.</source>
        <translation>正在运行。结束后，值得注意的问题会列在这里。</translation>
    </message>
    <message>
        <source>Nothing was measured yet. F5 runs the model and tells what deserves attention.</source>
        <translation>尚未测量。按 F5 运行模型，值得注意的问题会列在这里。</translation>
    </message>
</context>
<context>
    <name>ql::RunModel</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Output SQNR</source>
        <translation>输出 SQNR</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>Run %1 on %2, %3 s, %4
Recipe %5
%6</source>
        <translation>运行 %1，平台 %2，%3 秒，%4
配方 %5
%6</translation>
    </message>
</context>
<context>
    <name>ql::RunsPanel</name>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Compare with this run (baseline)</source>
        <translation>与此次运行比较（设为基线）</translation>
    </message>
    <message>
        <source>Go back to this recipe</source>
        <translation>回到此配方</translation>
    </message>
    <message>
        <source>Recipe of run %1</source>
        <translation>第 %1 次运行的配方</translation>
    </message>
    <message>
        <source>Compare all runs…</source>
        <translation>比较所有运行…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Every run is kept here, also when the program starts again.</source>
        <translation>每次运行都保存在这里，程序重启后仍在。</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>备注…</translation>
    </message>
    <message>
        <source>Delete this run</source>
        <translation>删除此运行</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Note of run %1</source>
        <translation>运行 %1 的备注</translation>
    </message>
</context>
<context>
    <name>ql::ScaleGroupCard</name>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s) share one scale</source>
        <translation>
            <numerusform>%n 处共用一个缩放</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n slot(s) share %1</source>
        <translation>
            <numerusform>%n 处共用 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>Scale group</source>
        <translation>缩放组</translation>
    </message>
    <message>
        <source>select all</source>
        <translation>全部选中</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more</source>
        <translation>
            <numerusform>……还有 %n 处</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::StartPage</name>
    <message>
        <source>See why a network gets worse in low precision, fix it, and export it.</source>
        <translation>看清网络在低精度下为何变差，修好它，再导出。</translation>
    </message>
    <message>
        <source>Open a model or recipe…</source>
        <translation>打开模型或配方…</translation>
    </message>
    <message>
        <source>Try the sample</source>
        <translation>试用示例</translation>
    </message>
    <message>
        <source>…or drop a model, a recipe or a folder of data here.</source>
        <translation>……或将模型、配方或数据文件夹拖到这里。</translation>
    </message>
    <message>
        <source>1  Open and attach data</source>
        <translation>1  打开并附上数据</translation>
    </message>
    <message>
        <source>2  Run</source>
        <translation>2  运行</translation>
    </message>
    <message>
        <source>3  Fix and export</source>
        <translation>3  修正并导出</translation>
    </message>
    <message>
        <source>Open an ONNX or Caffe model, choose the platform, and drop a folder of pictures or arrays to calibrate on.</source>
        <translation>打开 ONNX 或 Caffe 模型，选择平台，再拖入用于校准的图片或数组文件夹。</translation>
    </message>
    <message>
        <source>F5 quantizes and measures: the graph and the bars show where the error comes from. [ and ] go through the worst operations.</source>
        <translation>按 F5 量化并测量：计算图和柱形图显示误差来自哪里。用 [ 和 ] 依次查看最差的算子。</translation>
    </message>
    <message>
        <source>Change bits, scales or passes in the inspector, send an operation to FP32 with Q, compare with the baseline, and write the file for your runtime with Ctrl+E.</source>
        <translation>在检查器中修改位宽、缩放或步骤，用 Q 将算子改为 FP32，与基线比较，再用 Ctrl+E 写出运行时所需的文件。</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Nothing yet.</source>
        <translation>暂无。</translation>
    </message>
</context>
</TS>
