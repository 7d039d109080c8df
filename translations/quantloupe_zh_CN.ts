<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>Consent</name>
    <message>
        <source>If you trust it, tick the box below the command on this page.</source>
        <translation>如果您信任它，请勾选此页面命令下方的选项。</translation>
    </message>
</context>
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
        <source>Bias correction</source>
        <translation>偏置校正</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>校准</translation>
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
        <source>MetaX Gemm split</source>
        <translation>MetaX Gemm 拆分</translation>
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
        <source>Parameter quantization</source>
        <translation>参数量化</translation>
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
        <source>Truncate at a tensor</source>
        <translation>在张量处截断</translation>
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
        <source>shape or index arithmetic</source>
        <translation>形状或索引运算</translation>
    </message>
    <message>
        <source>Check &apos;scale&apos;, &apos;mean&apos; and &apos;std&apos;.</source>
        <translation>请检查 &apos;scale&apos;、&apos;mean&apos; 和 &apos;std&apos;。</translation>
    </message>
    <message>
        <source>Before: float biases. After: each is the nearest multiple of input scale x weight scale, which an integer runtime adds as int32; the simulator then computes what the runtime does.</source>
        <translation>之前：偏置为浮点。之后：每个偏置取最接近的“输入系数 × 权重系数”的整数倍，整数运行时以 int32 相加；模拟器的计算与运行时一致。</translation>
    </message>
    <message>
        <source>no operation is quantized on %1</source>
        <translation>在 %1 上没有任何算子被量化</translation>
    </message>
    <message>
        <source>value range, scale range</source>
        <translation>值的范围，缩放系数的范围</translation>
    </message>
    <message>
        <source>Use the float model it was made from.</source>
        <translation>请提供生成它的浮点模型。</translation>
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
        <source>Parameters are rounded to their grid; activations are not quantized in this file.</source>
        <translation>参数已取整到各自的网格；此文件中激活值没有量化。</translation>
    </message>
    <message>
        <source>Activations of &apos;%1&apos; are quantized per channel to fewer codes than their type holds: QuantizeLinear saturates later than the simulator.</source>
        <translation>“%1”的激活值逐通道量化，所用编码少于其类型的容量：QuantizeLinear 饱和得比模拟晚。</translation>
    </message>
    <message>
        <source>The scheme of most papers: only the input, weight and bias of Conv, ConvTranspose and Gemm are quantized, results are float32; asymmetric activations, symmetric weights, all per tensor.</source>
        <translation>多数论文的方案：只量化 Conv、ConvTranspose 和 Gemm 的输入、权重和偏置，结果为 float32；激活非对称，权重对称，均为逐张量。</translation>
    </message>
    <message>
        <source>ONNX Runtime with QuantizeLinear/DequantizeLinear nodes: symmetric activations per tensor, Conv and Gemm weights per output channel, bias in float32. Operators that only move values are also quantized.</source>
        <translation>带 QuantizeLinear/DequantizeLinear 节点的 ONNX Runtime：激活对称、逐张量，Conv 和 Gemm 的权重逐输出通道，偏置为 float32。只搬移数值的算子也量化。</translation>
    </message>
    <message>
        <source>NVIDIA TensorRT 8 and later through explicit Quantize/Dequantize nodes: symmetric activations per tensor, weights per output channel, bias in float32.</source>
        <translation>NVIDIA TensorRT 8 及以上，通过显式的 Quantize/Dequantize 节点：激活对称、逐张量，权重逐输出通道，偏置为 float32。</translation>
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
        <source>Number of batches to use; 0: as many as for calibration.</source>
        <translation>使用的批次数；0：与校准相同。</translation>
    </message>
    <message>
        <source>Also observe activations that already have a scale.</source>
        <translation>已有自己缩放系数的激活也重新观察。</translation>
    </message>
    <message>
        <source>1: across activations and poolings. 2: also across Add and Sub.</source>
        <translation>1：跨过激活和池化。2：也跨过 Add 和 Sub。</translation>
    </message>
    <message>
        <source>Also change the rounding of weights and other constants.</source>
        <translation>也改变权重和其他常量的取整方式。</translation>
    </message>
    <message>
        <source>Use the product of weight and input scale for biases.</source>
        <translation>偏置的缩放系数取权重与输入缩放系数之积。</translation>
    </message>
    <message>
        <source>Use the scale of Clip&apos;s input for its limits.</source>
        <translation>Clip 的界限取其输入的缩放系数。</translation>
    </message>
    <message>
        <source>Use the scale of Pad&apos;s input for its value.</source>
        <translation>Pad 的值取其输入的缩放系数。</translation>
    </message>
    <message>
        <source>Whether exporters write the scales of Clip limits.</source>
        <translation>导出时是否写出 Clip 界限的缩放系数。</translation>
    </message>
    <message>
        <source>Whether exporters write the scale of the Pad value.</source>
        <translation>导出时是否写出 Pad 值的缩放系数。</translation>
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
        <translation>只搬移数值的算子保持其输入的缩放系数。</translation>
    </message>
    <message>
        <source>Which operations only move values; empty: MaxPool, GlobalMaxPool, Reshape, Flatten, Identity, Pad, Split, Transpose, Interp, Squeeze, Unsqueeze.</source>
        <translation>哪些算子只搬移数值；空：MaxPool、GlobalMaxPool、Reshape、Flatten、Identity、Pad、Split、Transpose、Interp、Squeeze、Unsqueeze。</translation>
    </message>
    <message>
        <source>Tensor at which the network ends.</source>
        <translation>网络在此张量处结束（名称）</translation>
    </message>
    <message>
        <source>make the tensor a graph output</source>
        <translation>将该张量设为图的输出</translation>
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
    <message>
        <source>pass %1: %2</source>
        <translation>处理步骤 %1：%2</translation>
    </message>
    <message>
        <source>platform file refused: %1: %2</source>
        <translation>平台文件被拒绝：%1：%2</translation>
    </message>
    <message>
        <source>cannot read the file: %1</source>
        <translation>无法读取文件：%1</translation>
    </message>
    <message>
        <source>cannot read the file</source>
        <translation>无法读取文件</translation>
    </message>
    <message>
        <source>Check the permissions of the file and its folders.</source>
        <translation>请检查文件及其文件夹的权限。</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>请检查路径。</translation>
    </message>
    <message>
        <source>reading the file failed</source>
        <translation>读取文件失败</translation>
    </message>
    <message>
        <source>cannot write the file: %1</source>
        <translation>无法写入文件：%1</translation>
    </message>
    <message>
        <source>Known: %1.</source>
        <translation>可用的有：%1。</translation>
    </message>
    <message>
        <source>The file must be JSON: check commas, quotes and brackets near that line.</source>
        <translation>文件必须是 JSON：请检查该行附近的逗号、引号和括号。</translation>
    </message>
    <message>
        <source>must be an object, got %1</source>
        <translation>必须是对象，实际为 %1</translation>
    </message>
    <message>
        <source>must be an object</source>
        <translation>必须是对象</translation>
    </message>
    <message>
        <source>unknown key &apos;%1&apos;.</source>
        <translation>未知的键“%1”。</translation>
    </message>
    <message>
        <source>the key &apos;%1&apos; is missing</source>
        <translation>缺少键“%1”</translation>
    </message>
    <message>
        <source>must be a list, got %1</source>
        <translation>必须是列表，实际为 %1</translation>
    </message>
    <message>
        <source>must be true or false, got %1</source>
        <translation>必须是 true 或 false，实际为 %1</translation>
    </message>
    <message>
        <source>must be a number, got %1</source>
        <translation>必须是数字，实际为 %1</translation>
    </message>
    <message>
        <source>the recipe has no field &apos;%1&apos;.</source>
        <translation>配方没有字段“%1”。</translation>
    </message>
    <message>
        <source>expected &quot;%1&quot;, got &quot;%2&quot;</source>
        <translation>应为 &quot;%1&quot;，实际为 &quot;%2&quot;</translation>
    </message>
    <message>
        <source>This recipe was made for another version of the program.</source>
        <translation>此配方是为本程序的其他版本制作的。</translation>
    </message>
    <message>
        <source>Save the array as %1.</source>
        <translation>请将数组保存为 %1。</translation>
    </message>
    <message>
        <source>the inputs &apos;%1&apos; and &apos;%2&apos; have different batch sizes: %3 and %4</source>
        <translation>输入“%1”与“%2”的批次大小不同：%3 和 %4</translation>
    </message>
    <message>
        <source>the model&apos;s batch size is 0</source>
        <translation>模型的批次大小为 0</translation>
    </message>
    <message>
        <source>input &apos;%1&apos; takes batches of %2 samples, but input &apos;%3&apos; is given in its full shape for each sample</source>
        <translation>输入“%1”按每批 %2 个样本读取，而输入“%3”为每个样本提供了完整形状</translation>
    </message>
    <message>
        <source>cannot read the data: %1</source>
        <translation>无法读取数据：%1</translation>
    </message>
    <message>
        <source>Give at least one complete batch, or change the model&apos;s batch size.</source>
        <translation>请至少提供一个完整的批次，或更改模型的批次大小。</translation>
    </message>
    <message>
        <source>the last %1 of %2 samples do not fill a batch of %3 and are not used</source>
        <translation>%2 个样本中的最后 %1 个不足一批（每批 %3 个），不会使用</translation>
    </message>
    <message>
        <source>Use a multiple of the model&apos;s batch size.</source>
        <translation>请使用模型批次大小的整数倍。</translation>
    </message>
    <message>
        <source>%1 of %2 samples have no label, so accuracy is not computed</source>
        <translation>%2 个样本中有 %1 个没有标签，因此不计算准确率</translation>
    </message>
    <message>
        <source>damaged JPEG: %1</source>
        <translation>JPEG 已损坏：%1</translation>
    </message>
    <message>
        <source>the JPEG is truncated</source>
        <translation>JPEG 不完整</translation>
    </message>
    <message>
        <source>reading failed: %1</source>
        <translation>读取失败：%1</translation>
    </message>
    <message>
        <source>unexpected end of file</source>
        <translation>文件过早结束</translation>
    </message>
    <message>
        <source>The file is damaged: write it again.</source>
        <translation>文件已损坏：请重新生成。</translation>
    </message>
    <message>
        <source>Save each field as a separate array.</source>
        <translation>请将每个字段保存为单独的数组。</translation>
    </message>
    <message>
        <source>Save it as bool, int8 to int64, uint8 to uint64, float16, float32 or float64 (array.astype(...)).</source>
        <translation>请将其保存为 bool、int8 至 int64、uint8 至 uint64、float16、float32 或 float64（array.astype(...)）。</translation>
    </message>
    <message>
        <source>Write it with numpy.save or numpy.savez.</source>
        <translation>请用 numpy.save 或 numpy.savez 写出。</translation>
    </message>
    <message>
        <source>The file is truncated or damaged: write it again.</source>
        <translation>文件不完整或已损坏：请重新生成。</translation>
    </message>
    <message>
        <source>array &apos;%1&apos; cannot be read: %2</source>
        <translation>无法读取数组“%1”：%2</translation>
    </message>
    <message>
        <source>it is encrypted</source>
        <translation>已加密</translation>
    </message>
    <message>
        <source>the data is truncated</source>
        <translation>数据过早结束</translation>
    </message>
    <message>
        <source>it is longer than the archive&apos;s directory states</source>
        <translation>比压缩包目录中声明的更长</translation>
    </message>
    <message>
        <source>expected a NumPy archive (.npz): %1</source>
        <translation>应为 NumPy 压缩包（.npz）：%1</translation>
    </message>
    <message>
        <source>Write it with numpy.savez.</source>
        <translation>请用 numpy.savez 写出。</translation>
    </message>
    <message>
        <source>no array &apos;%1&apos; in the file.</source>
        <translation>文件中没有数组“%1”。</translation>
    </message>
    <message>
        <source>It has: %1.</source>
        <translation>其中有：%1。</translation>
    </message>
    <message>
        <source>the preprocessing &quot;%1&quot; was applied to the arrays of &apos;%2&apos;</source>
        <translation>预处理“%1”已用于“%2”的数组</translation>
    </message>
    <message>
        <source>the arrays have different numbers of samples (leading axis): %1 and %2</source>
        <translation>各数组的样本数（首轴）不同：%1 和 %2</translation>
    </message>
    <message>
        <source>the arrays hold no samples</source>
        <translation>数组中没有样本</translation>
    </message>
    <message>
        <source>Give at least one sample along the leading axis.</source>
        <translation>请沿首轴至少提供一个样本。</translation>
    </message>
    <message>
        <source>there are %1 labels for %2 samples</source>
        <translation>%2 个样本有 %1 个标签</translation>
    </message>
    <message>
        <source>Give one label for each sample, or none.</source>
        <translation>请为每个样本提供一个标签，或都不提供。</translation>
    </message>
    <message>
        <source>Save a .npz with one array for each input.</source>
        <translation>请保存为 .npz，每个输入一个数组。</translation>
    </message>
    <message>
        <source>the model reads input &apos;%1&apos;, the file has no array of that name.</source>
        <translation>模型读取输入“%1”，而文件中没有该名称的数组。</translation>
    </message>
    <message>
        <source>Arrays in the file: %1. Inputs of the model: %2.</source>
        <translation>文件中的数组：%1。模型的输入：%2。</translation>
    </message>
    <message>
        <source>Arrays in the file: %1.</source>
        <translation>文件中的数组：%1。</translation>
    </message>
    <message>
        <source>arrays that the model does not read are ignored: %1</source>
        <translation>忽略模型不读取的数组：%1</translation>
    </message>
    <message>
        <source>expected &apos;labels&apos; to be a list of class indices: one integer per sample</source>
        <translation>&apos;labels&apos; 应为类别编号的列表：每个样本一个整数</translation>
    </message>
    <message>
        <source>entry %1 of &apos;labels&apos; must be a class index (0, 1, 2 ...), got %2</source>
        <translation>&apos;labels&apos; 的第 %1 项必须是类别编号（0、1、2……），实际为 %2</translation>
    </message>
    <message>
        <source>a .bin file needs an input of known shape, this one is unknown</source>
        <translation>.bin 文件需要形状已知的输入，而此输入的形状未知</translation>
    </message>
    <message>
        <source>a .bin file needs an input of known shape, this one is %1</source>
        <translation>.bin 文件需要形状已知的输入，而此输入为 %1</translation>
    </message>
    <message>
        <source>the folders of the inputs hold different numbers of samples: %1 for &apos;%2&apos;, %3 for &apos;%4&apos;</source>
        <translation>各输入的文件夹中样本数不同：“%2”有 %1 个，“%4”有 %3 个</translation>
    </message>
    <message>
        <source>Every sample needs a file in each of the folders; they are matched in the order of their names.</source>
        <translation>每个样本在各文件夹中都要有一个文件；它们按名称的顺序对应。</translation>
    </message>
    <message>
        <source>the model has %1 inputs (%2), this file can hold only one of them</source>
        <translation>模型有 %1 个输入（%2），此文件只能容纳其中一个</translation>
    </message>
    <message>
        <source>Save .npz files with one array per input, or make one subfolder per input.</source>
        <translation>请保存为 .npz 文件（每个输入一个数组），或为每个输入建一个子文件夹。</translation>
    </message>
    <message>
        <source>the data does not exist.</source>
        <translation>数据不存在。</translation>
    </message>
    <message>
        <source>data of this kind is not supported</source>
        <translation>无法读取此类数据</translation>
    </message>
    <message>
        <source>the model has no inputs, so there is nothing to feed</source>
        <translation>模型没有输入，因此无需数据</translation>
    </message>
    <message>
        <source>manifest: %1</source>
        <translation>清单文件：%1</translation>
    </message>
    <message>
        <source>not JSON: %1</source>
        <translation>不是 JSON：%1</translation>
    </message>
    <message>
        <source>expected an object with the list &apos;samples&apos;</source>
        <translation>应为含有列表 &apos;samples&apos; 的对象</translation>
    </message>
    <message>
        <source>&apos;preprocess&apos; must be text</source>
        <translation>&apos;preprocess&apos; 必须是文本</translation>
    </message>
    <message>
        <source>&apos;samples&apos; is empty</source>
        <translation>&apos;samples&apos; 是空的</translation>
    </message>
    <message>
        <source>preprocessing step &apos;%1&apos;: %2</source>
        <translation>预处理步骤“%1”：%2</translation>
    </message>
    <message>
        <source>expected one of %1, got &apos;%2&apos;.</source>
        <translation>应为以下之一：%1；实际为“%2”。</translation>
    </message>
    <message>
        <source>expected a size such as 224 or 320x240 (width x height), got &apos;%1&apos;</source>
        <translation>应为尺寸，例如 224 或 320x240（宽 x 高），实际为“%1”</translation>
    </message>
    <message>
        <source>expected 1 or 3 numbers, got %1 in &apos;%2&apos;</source>
        <translation>应为 1 个或 3 个数字，“%2”中有 %1 个</translation>
    </message>
    <message>
        <source>expected a number, got &apos;%1&apos;</source>
        <translation>应为数字，实际为“%1”</translation>
    </message>
    <message>
        <source>the result would have %1 pixels</source>
        <translation>结果的像素将为 %1</translation>
    </message>
    <message>
        <source>expected a factor such as 1/255</source>
        <translation>应为系数，例如 1/255</translation>
    </message>
    <message>
        <source>division by zero</source>
        <translation>除以零</translation>
    </message>
    <message>
        <source>expected two limits such as 0,1</source>
        <translation>应为两个界限，例如 0,1</translation>
    </message>
    <message>
        <source>the lower limit is above the upper one</source>
        <translation>下限大于上限</translation>
    </message>
    <message>
        <source>unknown step &apos;%1&apos;.</source>
        <translation>未知的步骤“%1”。</translation>
    </message>
    <message>
        <source>no importer for files ending in &apos;%1&apos;</source>
        <translation>无法导入以“%1”结尾的文件</translation>
    </message>
    <message>
        <source>expected a model file, found a folder</source>
        <translation>应为模型文件，却是文件夹</translation>
    </message>
    <message>
        <source>Graph inputs: %1.</source>
        <translation>图的输入：%1。</translation>
    </message>
    <message>
        <source>the input shape given has %1 dimensions, the model declares %2</source>
        <translation>指定的输入形状有 %1 维，而模型声明为 %2</translation>
    </message>
    <message>
        <source>Give one size per dimension; -1 keeps a dimension as it is.</source>
        <translation>请为每一维指定大小；-1 表示保持该维不变。</translation>
    </message>
    <message>
        <source>the input shape given has a dimension of %1</source>
        <translation>指定的输入形状中有一维为 %1</translation>
    </message>
    <message>
        <source>Sizes are at least 1; -1 keeps a dimension as it is.</source>
        <translation>大小至少为 1；-1 表示保持该维不变。</translation>
    </message>
    <message>
        <source>dimension %1 is declared as %2 and run as %3</source>
        <translation>第 %1 维声明为 %2，运行时为 %3</translation>
    </message>
    <message>
        <source>the native file is damaged: %1</source>
        <translation>原生格式文件已损坏：%1</translation>
    </message>
    <message>
        <source>Export it again.</source>
        <translation>请重新导出。</translation>
    </message>
    <message>
        <source>domain &apos;%1&apos; is imported in versions %2 and %3</source>
        <translation>域“%1”同时以版本 %2 和 %3 导入</translation>
    </message>
    <message>
        <source>Export the model with one opset.</source>
        <translation>请用同一个 opset 导出模型。</translation>
    </message>
    <message>
        <source>The file is damaged or was written by a faulty tool; export the model again.</source>
        <translation>文件已损坏，或由有缺陷的工具写出；请重新导出模型。</translation>
    </message>
    <message>
        <source>The file was written by a faulty tool; export the model again.</source>
        <translation>文件由有缺陷的工具写出；请重新导出模型。</translation>
    </message>
    <message>
        <source>Export the model again.</source>
        <translation>请重新导出模型。</translation>
    </message>
    <message>
        <source>The file is damaged; export the model again.</source>
        <translation>文件已损坏；请重新导出模型。</translation>
    </message>
    <message>
        <source>the graph has two inputs of the same name</source>
        <translation>图有两个同名的输入</translation>
    </message>
    <message>
        <source>no node writes this graph output</source>
        <translation>没有节点写出图的这个输出</translation>
    </message>
    <message>
        <source>an initialiser has no name</source>
        <translation>有初始值没有名称</translation>
    </message>
    <message>
        <source>two initialisers have the same name</source>
        <translation>有两个初始值同名</translation>
    </message>
    <message>
        <source>the computation uses a tensor of strings</source>
        <translation>有字符串张量参与计算</translation>
    </message>
    <message>
        <source>a tensor has an empty name</source>
        <translation>有张量的名称为空</translation>
    </message>
    <message>
        <source>the model has more than %1 nodes</source>
        <translation>模型的节点超过 %1 个</translation>
    </message>
    <message>
        <source>the model has more than %1 nodes, attributes, tensors and names</source>
        <translation>模型的节点、属性、张量和名称超过 %1 个</translation>
    </message>
    <message>
        <source>Split the model.</source>
        <translation>请拆分模型。</translation>
    </message>
    <message>
        <source>a node has no operator type</source>
        <translation>有节点没有算子类型</translation>
    </message>
    <message>
        <source>the file does not say which opset it uses</source>
        <translation>文件没有说明使用哪个 opset</translation>
    </message>
    <message>
        <source>Add an opset import for ai.onnx, or export the model again.</source>
        <translation>请加入 ai.onnx 的 opset 导入，或重新导出模型。</translation>
    </message>
    <message>
        <source>domain &apos;%1&apos; is used but not imported; version 1 is assumed</source>
        <translation>使用了域“%1”却没有导入；按版本 1 处理</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; refers to a function&apos;s attribute outside a function</source>
        <translation>属性“%1”在函数之外引用了函数的属性</translation>
    </message>
    <message>
        <source>the node has two attributes &apos;%1&apos;</source>
        <translation>节点有两个属性“%1”</translation>
    </message>
    <message>
        <source>the node writes a graph input</source>
        <translation>节点写入了图的输入</translation>
    </message>
    <message>
        <source>the tensor is written by two nodes, also by &apos;%1&apos;</source>
        <translation>该张量由两个节点写出，另一个是“%1”</translation>
    </message>
    <message>
        <source>the node writes a tensor that has an initialiser</source>
        <translation>节点写入了已有初始值的张量</translation>
    </message>
    <message>
        <source>the node writes the tensor twice</source>
        <translation>节点两次写出该张量</translation>
    </message>
    <message>
        <source>%1 has no attribute &apos;%2&apos; in opset %3</source>
        <translation>opset %3 的 %1 没有属性“%2”</translation>
    </message>
    <message>
        <source>It has no effect; if results look wrong, export the model again.</source>
        <translation>它不起作用；如果结果不对，请重新导出模型。</translation>
    </message>
    <message>
        <source>Inline the functions when exporting.</source>
        <translation>导出时请内联这些函数。</translation>
    </message>
    <message>
        <source>the node has more inputs or outputs than function &apos;%1&apos;</source>
        <translation>节点的输入或输出多于函数“%1”</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; has a kind that is not supported (number %2)</source>
        <translation>不支持属性“%1”的种类（编号 %2）</translation>
    </message>
    <message>
        <source>the file has %1 bytes, an ONNX file can have at most %2</source>
        <translation>文件有 %1 字节，ONNX 文件至多 %2 字节</translation>
    </message>
    <message>
        <source>Save the model with external data.</source>
        <translation>请将模型保存为带外部数据的形式。</translation>
    </message>
    <message>
        <source>the ONNX file is damaged: it cannot be parsed</source>
        <translation>ONNX 文件已损坏：无法解析</translation>
    </message>
    <message>
        <source>Copy or download it again, or export the model again.</source>
        <translation>请重新复制或下载，或重新导出模型。</translation>
    </message>
    <message>
        <source>IR version %1 is newer than %2, the newest supported version</source>
        <translation>IR 版本 %1 比已知的最新版本 %2 更新</translation>
    </message>
    <message>
        <source>If results look wrong, export the model with an older IR version.</source>
        <translation>如果结果不对，请用较早的 IR 版本导出模型。</translation>
    </message>
    <message>
        <source>Convert the model with onnx.version_converter, or export it again.</source>
        <translation>请用 onnx.version_converter 转换模型，或重新导出。</translation>
    </message>
    <message>
        <source>opset %1 is newer than %2, the newest supported opset</source>
        <translation>opset %1 比已知的最新版本 %2 更新</translation>
    </message>
    <message>
        <source>Convert the model with onnx.version_converter, or export it with opset 13.</source>
        <translation>请用 onnx.version_converter 转换模型，或用 opset 13 导出。</translation>
    </message>
    <message>
        <source>the graph has no outputs</source>
        <translation>图没有输出</translation>
    </message>
    <message>
        <source>the graph input has the shape %1, more than %2 elements</source>
        <translation>图的输入形状为 %1，超过 %2 个元素</translation>
    </message>
    <message>
        <source>Training has diverged, or the file is damaged: use another checkpoint.</source>
        <translation>训练已发散，或文件已损坏：请使用其他检查点。</translation>
    </message>
    <message>
        <source>expected an ONNX model, found %1</source>
        <translation>应为 ONNX 模型，实际是：%1</translation>
    </message>
    <message>
        <source>an empty file</source>
        <translation>空文件</translation>
    </message>
    <message>
        <source>Copy or download it again.</source>
        <translation>请重新复制或下载。</translation>
    </message>
    <message>
        <source>Run &apos;git lfs pull&apos; in its repository, or download the real file.</source>
        <translation>请在其仓库中运行 git lfs pull，或下载真正的文件。</translation>
    </message>
    <message>
        <source>a zip archive (a PyTorch checkpoint, or a packed download)</source>
        <translation>zip 压缩包（PyTorch 检查点，或打包的下载文件）</translation>
    </message>
    <message>
        <source>Unpack it if it holds a model; a PyTorch checkpoint needs torch.onnx.export.</source>
        <translation>如果其中有模型，请解压；PyTorch 检查点需用 torch.onnx.export 导出。</translation>
    </message>
    <message>
        <source>a Python pickle (an old PyTorch checkpoint)</source>
        <translation>Python pickle（旧式 PyTorch 检查点）</translation>
    </message>
    <message>
        <source>Export it with torch.onnx.export.</source>
        <translation>请用 torch.onnx.export 导出。</translation>
    </message>
    <message>
        <source>a TensorFlow Lite model</source>
        <translation>TensorFlow Lite 模型</translation>
    </message>
    <message>
        <source>Convert it, for example with tf2onnx.</source>
        <translation>请转换，例如用 tf2onnx。</translation>
    </message>
    <message>
        <source>an ONNX Runtime (.ort) model</source>
        <translation>ONNX Runtime（.ort）模型</translation>
    </message>
    <message>
        <source>Open the .onnx file that it was made from.</source>
        <translation>请打开生成它的 .onnx 文件。</translation>
    </message>
    <message>
        <source>an HDF5 file (Keras)</source>
        <translation>HDF5 文件（Keras）</translation>
    </message>
    <message>
        <source>a compressed file</source>
        <translation>压缩文件</translation>
    </message>
    <message>
        <source>Unpack it first.</source>
        <translation>请先解压。</translation>
    </message>
    <message>
        <source>a NumPy array</source>
        <translation>NumPy 数组</translation>
    </message>
    <message>
        <source>Open the model here; arrays are calibration data.</source>
        <translation>此处应打开模型；数组是校准数据。</translation>
    </message>
    <message>
        <source>an NCNN parameter file</source>
        <translation>NCNN 参数文件</translation>
    </message>
    <message>
        <source>Open the model that it was made from.</source>
        <translation>请打开生成它的模型。</translation>
    </message>
    <message>
        <source>a PDF document</source>
        <translation>PDF 文档</translation>
    </message>
    <message>
        <source>Download the file itself; the page&apos;s address is not the file&apos;s.</source>
        <translation>请下载文件本身；网页的地址不是文件的地址。</translation>
    </message>
    <message>
        <source>a safetensors file (weights without a network)</source>
        <translation>safetensors 文件（只有权重，没有网络）</translation>
    </message>
    <message>
        <source>Export the network to ONNX and open that file.</source>
        <translation>请将网络导出为 ONNX，再打开该文件。</translation>
    </message>
    <message>
        <source>a web page (HTML)</source>
        <translation>网页（HTML）</translation>
    </message>
    <message>
        <source>an XML file</source>
        <translation>XML 文件</translation>
    </message>
    <message>
        <source>a Caffe model</source>
        <translation>Caffe 模型</translation>
    </message>
    <message>
        <source>Open the .prototxt and give the .caffemodel as weights.</source>
        <translation>请打开 .prototxt，并将 .caffemodel 指定为权重。</translation>
    </message>
    <message>
        <source>a text file</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>expected an ONNX model, but the file holds no graph (%1 bytes)</source>
        <translation>应为 ONNX 模型，但文件中没有图（%1 字节）</translation>
    </message>
    <message>
        <source>Flatten the control flow when exporting.</source>
        <translation>导出时请展开控制流。</translation>
    </message>
    <message>
        <source>input %1 is missing: %2 needs its &apos;%3&apos;</source>
        <translation>缺少输入 %1：%2 需要“%3”</translation>
    </message>
    <message>
        <source>%1 needs the attribute &apos;%2&apos;, which is missing</source>
        <translation>%1 需要属性“%2”，但它缺失</translation>
    </message>
    <message>
        <source>the external data file &apos;%1&apos; cannot be found: %2</source>
        <translation>找不到外部数据文件“%1”：%2</translation>
    </message>
    <message>
        <source>external data &apos;%1&apos; is not a regular file</source>
        <translation>外部数据“%1”不是普通文件</translation>
    </message>
    <message>
        <source>the size of &apos;%1&apos; cannot be read: %2</source>
        <translation>无法读取“%1”的大小：%2</translation>
    </message>
    <message>
        <source>%1 of the external data must be a number &gt;= 0, found &apos;%2&apos;</source>
        <translation>外部数据的 %1 必须是不小于 0 的数，实际为“%2”</translation>
    </message>
    <message>
        <source>type and shape %1 need %2 bytes, external data &apos;%3&apos; has a length of %4</source>
        <translation>类型和形状 %1 需要 %2 字节，外部数据“%3”的长度为 %4</translation>
    </message>
    <message>
        <source>%1 bytes at offset %2 are expected in &apos;%3&apos;, which has %4 bytes</source>
        <translation>“%3”中应在偏移 %2 处有 %1 字节，而文件只有 %4 字节</translation>
    </message>
    <message>
        <source>the tensors together claim more than twice the size of &apos;%1&apos;</source>
        <translation>各张量合计需要的数据超过“%1”大小的两倍</translation>
    </message>
    <message>
        <source>cannot read external data</source>
        <translation>无法读取外部数据</translation>
    </message>
    <message>
        <source>data type number %1 is unknown</source>
        <translation>未知的数据类型编号 %1</translation>
    </message>
    <message>
        <source>Export the model with opset 21 or older.</source>
        <translation>请用 opset 21 或更早的版本导出模型。</translation>
    </message>
    <message>
        <source>tensors in segments are not supported</source>
        <translation>不支持分段的张量</translation>
    </message>
    <message>
        <source>type %1 and shape %2 need %3 bytes, the file has %4</source>
        <translation>类型 %1 和形状 %2 需要 %3 字节，文件中有 %4 字节</translation>
    </message>
    <message>
        <source>shape %1 needs %2 entries in %3, the file has %4</source>
        <translation>形状 %1 在 %3 中需要 %2 项，文件中有 %4 项</translation>
    </message>
    <message>
        <source>value %1 does not fit in %2</source>
        <translation>值 %1 超出 %2 的范围</translation>
    </message>
    <message>
        <source>Export the model with dense weights.</source>
        <translation>请用稠密的权重导出模型。</translation>
    </message>
    <message>
        <source>an index of the sparse tensor is outside its shape</source>
        <translation>稀疏张量的下标超出其形状</translation>
    </message>
    <message>
        <source>the model has %1 bytes, an ONNX file can have at most %2</source>
        <translation>模型有 %1 字节，ONNX 文件至多 %2 字节</translation>
    </message>
    <message>
        <source>Write its parameters as external data.</source>
        <translation>请将其参数写为外部数据。</translation>
    </message>
    <message>
        <source>the layer has rules to include it and rules to exclude it</source>
        <translation>该层既有 include 规则又有 exclude 规则</translation>
    </message>
    <message>
        <source>the net has no layers for phase TEST</source>
        <translation>网络没有 TEST 阶段的层</translation>
    </message>
    <message>
        <source>Give the prototxt of the network (not the solver&apos;s).</source>
        <translation>请提供网络的 prototxt（而不是求解器的）。</translation>
    </message>
    <message>
        <source>an input has no name</source>
        <translation>有输入没有名称</translation>
    </message>
    <message>
        <source>the net has two inputs of the same name</source>
        <translation>网络有两个同名的输入</translation>
    </message>
    <message>
        <source>Give every input a unique name.</source>
        <translation>请为每个输入取不同的名称。</translation>
    </message>
    <message>
        <source>the layer reads a blob that no input or layer before it writes.</source>
        <translation>该层读取的 blob 没有任何输入或在其之前的层写出。</translation>
    </message>
    <message>
        <source>no layer reads this input; it was left out</source>
        <translation>没有层读取此输入；已去掉</translation>
    </message>
    <message>
        <source>the input has the shape %1, more than %2 elements</source>
        <translation>输入的形状为 %1，超过 %2 个元素</translation>
    </message>
    <message>
        <source>it does not write &apos;%1&apos;, which other layers read</source>
        <translation>它没有写出其他层要读取的“%1”</translation>
    </message>
    <message>
        <source>Correct the layer in the prototxt.</source>
        <translation>请在 prototxt 中更正该层。</translation>
    </message>
    <message>
        <source>the net computes nothing: every blob is read by another layer or dropped</source>
        <translation>网络什么也不计算：每个 blob 都被其他层读取或丢弃</translation>
    </message>
    <message>
        <source>Give the prototxt of the deployed network.</source>
        <translation>请提供部署用网络的 prototxt。</translation>
    </message>
    <message>
        <source>the file has %1 bytes, a Caffe file can have at most %2</source>
        <translation>文件有 %1 字节，Caffe 文件至多 %2 字节</translation>
    </message>
    <message>
        <source>Split the net.</source>
        <translation>请拆分网络。</translation>
    </message>
    <message>
        <source>expected a Caffe file, found %1</source>
        <translation>应为 Caffe 文件，实际是：%1</translation>
    </message>
    <message>
        <source>a Git LFS pointer</source>
        <translation>Git LFS 指针</translation>
    </message>
    <message>
        <source>Download the file itself, not the page that shows it.</source>
        <translation>请下载文件本身，而不是显示它的网页。</translation>
    </message>
    <message>
        <source>an HDF5 file</source>
        <translation>HDF5 文件</translation>
    </message>
    <message>
        <source>Save the weights as a .caffemodel (snapshot_format: BINARYPROTO).</source>
        <translation>请将权重保存为 .caffemodel（snapshot_format: BINARYPROTO）。</translation>
    </message>
    <message>
        <source>The file is damaged; copy or export it again.</source>
        <translation>文件已损坏；请重新复制或导出。</translation>
    </message>
    <message>
        <source>the text has %1 bytes, more than %2</source>
        <translation>文本有 %1 字节，超过 %2</translation>
    </message>
    <message>
        <source>Save the weights in the binary form.</source>
        <translation>请以二进制形式保存权重。</translation>
    </message>
    <message>
        <source>the text of the net cannot be read: %1</source>
        <translation>无法读取网络的文本：%1</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Correct that line; the fields are those of Caffe&apos;s prototxt.</source>
        <translation>请更正该行；字段应为 Caffe 的 prototxt 字段。</translation>
    </message>
    <message>
        <source>line %1: the field &apos;%2&apos; is not known and was skipped</source>
        <translation>第 %1 行：未知的字段“%2”，已跳过</translation>
    </message>
    <message>
        <source>Copy or download the file again.</source>
        <translation>请重新复制或下载文件。</translation>
    </message>
    <message>
        <source>the Caffe file is damaged: it cannot be parsed</source>
        <translation>Caffe 文件已损坏：无法解析</translation>
    </message>
    <message>
        <source>the file has more than %1 layers, blobs and names</source>
        <translation>文件的层、blob 和名称超过 %1 个</translation>
    </message>
    <message>
        <source>a blob of shape %1 needs %2 values, the file holds %3</source>
        <translation>形状为 %1 的 blob 需要 %2 个值，文件中有 %3 个</translation>
    </message>
    <message>
        <source>%1 of %2 values of a blob are NaN or infinite</source>
        <translation>某 blob 的 %2 个值中有 %1 个为 NaN 或无穷</translation>
    </message>
    <message>
        <source>the net has more than %1 layers or %2 bottoms and tops</source>
        <translation>网络超过 %1 个层，或超过 %2 个 bottom 和 top</translation>
    </message>
    <message>
        <source>Give the .caffemodel of the net.</source>
        <translation>请提供该网络的 .caffemodel。</translation>
    </message>
    <message>
        <source>Write the padding into the layer itself.</source>
        <translation>请将填充写入该层本身。</translation>
    </message>
    <message>
        <source>Write all layers in one form.</source>
        <translation>请用同一种形式书写所有层。</translation>
    </message>
    <message>
        <source>it needs %1 bottoms and has %2</source>
        <translation>它需要 %1 个 bottom，实际有 %2 个</translation>
    </message>
    <message>
        <source>axis %1 is outside a blob of %2 axes</source>
        <translation>轴 %1 超出有 %2 个轴的 blob</translation>
    </message>
    <message>
        <source>The weights belong to another version of the net: give those that were trained with this prototxt.</source>
        <translation>权重属于网络的另一版本：请提供与此 prototxt 一起训练的权重。</translation>
    </message>
    <message>
        <source>its result would have the shape %1, more than %2 elements</source>
        <translation>其结果的形状将为 %1，超过 %2 个元素</translation>
    </message>
    <message>
        <source>its result would have the shape %1</source>
        <translation>其结果的形状将为 %1</translation>
    </message>
    <message>
        <source>a blob of %1 cannot become %2: the numbers of elements differ</source>
        <translation>形状为 %1 的 blob 不能变为 %2：元素个数不同</translation>
    </message>
    <message>
        <source>elements %1 to %2 are outside axis %3 of %4</source>
        <translation>元素 %1 到 %2 超出 %4 的轴 %3</translation>
    </message>
    <message>
        <source>its bottom is %1, it needs channels on axis 1</source>
        <translation>其 bottom 为 %1，而轴 1 上需要有通道</translation>
    </message>
    <message>
        <source>its bottoms are %1 and %2, they must be equal</source>
        <translation>其 bottom 为 %1 和 %2，它们必须相同</translation>
    </message>
    <message>
        <source>group %1 does not divide %2 channels and %3 outputs</source>
        <translation>分组数 %1 不能整除 %2 个通道和 %3 个输出</translation>
    </message>
    <message>
        <source>group %1 does not divide the channels of %2</source>
        <translation>分组数 %1 不能整除 %2 的通道数</translation>
    </message>
    <message>
        <source>a kernel of %1 does not fit into %2</source>
        <translation>%1 的卷积核放不进 %2</translation>
    </message>
    <message>
        <source>kernel %1, stride %2 and pad %3 do not fit %4 (the padding must be smaller than the kernel)</source>
        <translation>核 %1、步长 %2、填充 %3 与 %4 不匹配（填充必须小于核）</translation>
    </message>
    <message>
        <source>Give a larger input, or correct kernel and pad.</source>
        <translation>请提供更大的输入，或更正核与填充。</translation>
    </message>
    <message>
        <source>Give a larger input, or correct the layer.</source>
        <translation>请提供更大的输入，或更正该层。</translation>
    </message>
    <message>
        <source>Reduce the network&apos;s input size.</source>
        <translation>请为网络指定较小的输入。</translation>
    </message>
    <message>
        <source>num_output is missing</source>
        <translation>缺少 num_output</translation>
    </message>
    <message>
        <source>global pooling has no mask</source>
        <translation>全局池化没有掩码</translation>
    </message>
    <message>
        <source>Set round_mode: FLOOR.</source>
        <translation>请设定 round_mode: FLOOR。</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; of %2 has an unexpected kind: %3</source>
        <translation>%2 的属性“%1”种类不符：%3</translation>
    </message>
    <message>
        <source>the graph has a cycle through or before: %1 (%2 operations cannot be ordered)</source>
        <translation>图中有环，经过或位于以下算子之前：%1（有 %2 个算子无法排序）</translation>
    </message>
    <message>
        <source>Export the model again; an ONNX graph must be acyclic.</source>
        <translation>请重新导出模型；ONNX 图不能有环。</translation>
    </message>
    <message>
        <source>two tensors have the same name</source>
        <translation>有两个张量同名</translation>
    </message>
    <message>
        <source>two operations have the same name</source>
        <translation>有两个算子同名</translation>
    </message>
    <message>
        <source>the tensor is written by two operations, also by &apos;%1&apos;</source>
        <translation>该张量由两个算子写出，另一个是“%1”</translation>
    </message>
    <message>
        <source>an operation writes a tensor that has a constant value</source>
        <translation>有算子写入了值为常量的张量</translation>
    </message>
    <message>
        <source>more than %1 candidates for a pattern in the graph</source>
        <translation>图中某个模式的候选超过 %1 个</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a built-in platform</source>
        <translation>“%1”是内置平台</translation>
    </message>
    <message>
        <source>Choose another id, or remove one of the files.</source>
        <translation>请选择其他标识，或删除其中一个文件。</translation>
    </message>
    <message>
        <source>unknown platform &apos;%1&apos;.</source>
        <translation>未知的平台“%1”。</translation>
    </message>
    <message>
        <source>must not be empty</source>
        <translation>不能为空</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is listed twice</source>
        <translation>“%1”列出了两次</translation>
    </message>
    <message>
        <source>an id is one word of letters, digits, &apos;_&apos;, &apos;-&apos; and &apos;.&apos;, got &apos;%1&apos;</source>
        <translation>标识是由字母、数字、&apos;_&apos;、&apos;-&apos; 和 &apos;.&apos; 组成的一个词，实际为“%1”</translation>
    </message>
    <message>
        <source>the rule sets nothing</source>
        <translation>规则没有设定任何内容</translation>
    </message>
    <message>
        <source>the override sets nothing</source>
        <translation>覆盖设定没有设定任何内容</translation>
    </message>
    <message>
        <source>there is no platform &apos;%1&apos; to extend.</source>
        <translation>没有可继承的平台“%1”。</translation>
    </message>
    <message>
        <source>a platform cannot extend itself</source>
        <translation>平台不能继承自身</translation>
    </message>
    <message>
        <source>Leave the key out to match every type.</source>
        <translation>去掉此键即可匹配所有类型。</translation>
    </message>
    <message>
        <source>must name a dispatcher</source>
        <translation>必须指定调度器</translation>
    </message>
    <message>
        <source>must name an observer</source>
        <translation>必须指定观察器</translation>
    </message>
    <message>
        <source>must be &quot;float&quot; or &quot;integer&quot;, got &apos;%1&apos;</source>
        <translation>必须是 &quot;float&quot; 或 &quot;integer&quot;，实际为“%1”</translation>
    </message>
    <message>
        <source>unknown granularity &apos;%1&apos;.</source>
        <translation>未知的粒度“%1”。</translation>
    </message>
    <message>
        <source>quant_min and quant_max must be given together</source>
        <translation>quant_min 和 quant_max 必须同时给出</translation>
    </message>
    <message>
        <source>a scale must be above 0</source>
        <translation>缩放系数必须大于 0</translation>
    </message>
    <message>
        <source>scale has %1 entries, zero_point %2</source>
        <translation>scale 有 %1 项，zero_point 有 %2 项</translation>
    </message>
    <message>
        <source>scale has %1 entries, axis %2 has %3</source>
        <translation>scale 有 %1 项，而轴 %2 有 %3 项</translation>
    </message>
    <message>
        <source>the lowest value must be below the highest</source>
        <translation>最小值必须小于最大值</translation>
    </message>
    <message>
        <source>give either scale or range</source>
        <translation>scale 和 range 只能给出一个</translation>
    </message>
    <message>
        <source>Write &apos;axis N&apos; instead.</source>
        <translation>请改写为 &apos;axis N&apos;。</translation>
    </message>
    <message>
        <source>granularity &apos;axis %1&apos; but the tensor has %2 axes</source>
        <translation>粒度为 &apos;axis %1&apos;，但张量只有 %2 个轴</translation>
    </message>
    <message>
        <source>Count the axes from 0, or let the rule match only tensors that have this axis.</source>
        <translation>轴从 0 开始计数；或让规则只匹配有此轴的张量。</translation>
    </message>
    <message>
        <source>the rules of platform %1 contradict each other: %2</source>
        <translation>平台 %1 的规则互相矛盾：%2</translation>
    </message>
    <message>
        <source>Check names, types and role; &apos;inspect&apos; lists which operations are quantized.</source>
        <translation>请检查名称、类型和角色；“inspect” 会列出哪些算子被量化。</translation>
    </message>
    <message>
        <source>Write the override for the tensor that owns the scale.</source>
        <translation>请为拥有该缩放系数的张量编写覆盖。</translation>
    </message>
    <message>
        <source>Give one scale, or one scale per channel.</source>
        <translation>请给出一个缩放系数，或每个通道一个。</translation>
    </message>
    <message>
        <source>zero_point must be 0 because the config is symmetric</source>
        <translation>配置为对称，因此 zero_point 必须为 0</translation>
    </message>
    <message>
        <source>Set symmetric to false as well.</source>
        <translation>请同时将 symmetric 设为 false。</translation>
    </message>
    <message>
        <source>Choose one of these, or set bits, quant_min and quant_max as well.</source>
        <translation>请在此范围内选择，或同时设定 bits、quant_min 和 quant_max。</translation>
    </message>
    <message>
        <source>Give a power of two, or set power_of_two to false as well.</source>
        <translation>请给出 2 的幂，或同时将 power_of_two 设为 false。</translation>
    </message>
    <message>
        <source>needs op (a name or shell pattern) or types</source>
        <translation>需要 op（名称或通配模式）或 types</translation>
    </message>
    <message>
        <source>Check the name, pattern or type; &apos;inspect&apos; lists all operations.</source>
        <translation>请检查名称、模式或类型；“inspect” 会列出所有算子。</translation>
    </message>
    <message>
        <source>reads the size of a graph input or parameter</source>
        <translation>读取图的输入或参数的大小</translation>
    </message>
    <message>
        <source>linked to shapes or indices at %1</source>
        <translation>在 %1 处与形状或索引相连</translation>
    </message>
    <message>
        <source>follows its producer %1</source>
        <translation>跟随产生其输入的 %1</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>Give all inputs and the output of this operation the same bits and one scale per tensor.</source>
        <translation>请使此算子的所有输入和输出位宽相同，并逐张量量化。</translation>
    </message>
    <message>
        <source>the calibration data contains no samples</source>
        <translation>校准数据不含样本</translation>
    </message>
    <message>
        <source>calibration needs data, and none was given</source>
        <translation>校准需要数据，但没有提供</translation>
    </message>
    <message>
        <source>Export the model with opset 11 or newer.</source>
        <translation>请用 opset 11 或更新的版本导出模型。</translation>
    </message>
    <message>
        <source>Fix the input shape of the model.</source>
        <translation>请固定模型的输入形状。</translation>
    </message>
    <message>
        <source>the BatchNormalization is not constant per channel</source>
        <translation>BatchNormalization 不是逐通道常量</translation>
    </message>
    <message>
        <source>its weight is not a parameter</source>
        <translation>其权重不是参数</translation>
    </message>
    <message>
        <source>its bias is not one constant per channel</source>
        <translation>其偏置不是逐通道常量</translation>
    </message>
    <message>
        <source>the numbers of channels differ</source>
        <translation>通道数不同</translation>
    </message>
    <message>
        <source>including_act needs calibration data, and none was given</source>
        <translation>including_act 需要校准数据，但没有提供</translation>
    </message>
    <message>
        <source>Gemm was not split: its input is transposed, or weight or bias is not constant</source>
        <translation>Gemm 没有拆分：其输入被转置，或权重或偏置不是常量</translation>
    </message>
    <message>
        <source>Export the model with a Linear layer of constant weights, or dispatch it to FP32.</source>
        <translation>请用权重为常量的 Linear 层导出模型，或将其改为 FP32。</translation>
    </message>
    <message>
        <source>Resize was &apos;%1&apos;, &apos;%2&apos; and is now &apos;nearest&apos;, &apos;half_pixel&apos;</source>
        <translation>Resize 原为 &apos;%1&apos;、&apos;%2&apos;，现为 &apos;nearest&apos;、&apos;half_pixel&apos;</translation>
    </message>
    <message>
        <source>Train or fine-tune the model with nearest interpolation if accuracy suffers.</source>
        <translation>如果准确率下降，请用最近邻插值训练或微调模型。</translation>
    </message>
    <message>
        <source>left in float32: %1</source>
        <translation>保持 float32：%1</translation>
    </message>
    <message>
        <source>the tensor was never computed</source>
        <translation>该张量从未被计算</translation>
    </message>
    <message>
        <source>every value was %1 in the calibration data</source>
        <translation>在校准数据中所有值都是 %1</translation>
    </message>
    <message>
        <source>If these outliers matter, calibrate this tensor with minmax or a higher percentile.</source>
        <translation>如果这些离群值重要，请用 minmax 或更高的百分位校准该张量。</translation>
    </message>
    <message>
        <source>the bias stays in float32: %1</source>
        <translation>偏置保持 float32：%1</translation>
    </message>
    <message>
        <source>Quantize input and weight, or configure the bias as fp32.</source>
        <translation>请量化输入和权重，或将偏置配置为 fp32。</translation>
    </message>
    <message>
        <source>it is computed at run time</source>
        <translation>它在运行时计算</translation>
    </message>
    <message>
        <source>Configure the bias as fp32.</source>
        <translation>请将偏置配置为 fp32。</translation>
    </message>
    <message>
        <source>the input has one scale per channel</source>
        <translation>输入逐通道量化</translation>
    </message>
    <message>
        <source>Quantize the input per tensor.</source>
        <translation>请将输入逐张量量化。</translation>
    </message>
    <message>
        <source>it has %1 values, the weight %2 scales</source>
        <translation>它有 %1 个值，而权重有 %2 个缩放系数</translation>
    </message>
    <message>
        <source>Quantize the weight along its output channels.</source>
        <translation>请将权重沿输出通道量化。</translation>
    </message>
    <message>
        <source>Dispatch both to the same platform, or accept that the tensor between them is quantized.</source>
        <translation>请将两者调度到同一平台，或接受它们之间的张量被量化。</translation>
    </message>
    <message>
        <source>Set mark_as_output.</source>
        <translation>请设定 mark_as_output。</translation>
    </message>
    <message>
        <source>expected the name of a computed tensor, got &apos;%1&apos;</source>
        <translation>应为由计算得到的张量的名称，实际为“%1”</translation>
    </message>
    <message>
        <source>Check the calibration data, or leave this tensor in float32.</source>
        <translation>请检查校准数据，或让该张量保持 float32。</translation>
    </message>
    <message>
        <source>the observed range is infinite</source>
        <translation>观察到的范围为无穷</translation>
    </message>
    <message>
        <source>Find the operation that produces infinities, or leave this tensor in float32.</source>
        <translation>请找出产生无穷值的算子，或让该张量保持 float32。</translation>
    </message>
    <message>
        <source>the channel axis had %1 entries in one batch and %2 in another</source>
        <translation>通道轴在一批中有 %1 项，在另一批中有 %2 项</translation>
    </message>
    <message>
        <source>observer &apos;kl&apos; needs at least 2^(bits-1) = %1 histogram bins, got %2</source>
        <translation>观察器 &apos;kl&apos; 至少需要 2^(bits-1) = %1 个直方图区间，实际为 %2</translation>
    </message>
    <message>
        <source>observer &apos;mse&apos; needs at least as many histogram bins as levels (%1), got %2</source>
        <translation>观察器 &apos;mse&apos; 的直方图区间至少应与级数（%1）相同，实际为 %2</translation>
    </message>
    <message>
        <source>Raise histogram_bins, or use minmax or percentile for this many bits.</source>
        <translation>请增大 histogram_bins，或在此位宽下改用 minmax 或 percentile。</translation>
    </message>
    <message>
        <source>Use one of: %1.</source>
        <translation>请使用以下之一：%1。</translation>
    </message>
    <message>
        <source>isotone_axis %1 is outside a tensor of rank %2</source>
        <translation>isotone_axis %1 超出维数为 %2 的张量</translation>
    </message>
    <message>
        <source>device: expected cpu, cuda or cuda:N, got &apos;%1&apos;</source>
        <translation>设备：应为 cpu、cuda 或 cuda:N，实际为“%1”</translation>
    </message>
    <message>
        <source>Use a smaller batch or input size.</source>
        <translation>请使用较小的批次或输入大小。</translation>
    </message>
    <message>
        <source>device &apos;%1&apos;: no CUDA device is found on this machine</source>
        <translation>设备“%1”：本机没有找到 CUDA 设备</translation>
    </message>
    <message>
        <source>device &apos;%1&apos; cannot run this program&apos;s kernels: %2</source>
        <translation>设备“%1”无法运行本程序的内核：%2</translation>
    </message>
    <message>
        <source>device &apos;%1&apos;: LibTorch %2 has no CUDA</source>
        <translation>设备“%1”：LibTorch %2 不支持 CUDA</translation>
    </message>
    <message>
        <source>device &apos;%1&apos; is not available: this program is built with LibTorch %2 for the CPU</source>
        <translation>设备“%1”不可用：本程序是用 CPU 版的 LibTorch %2 构建的</translation>
    </message>
    <message>
        <source>bits must be 2..32, got %1</source>
        <translation>bits 必须为 2..32，实际为 %1</translation>
    </message>
    <message>
        <source>exponent_bits must be 0..8, got %1</source>
        <translation>exponent_bits 必须为 0..8，实际为 %1</translation>
    </message>
    <message>
        <source>a float of %1 bits cannot have %2 exponent bits</source>
        <translation>%1 位的浮点数不能有 %2 位指数</translation>
    </message>
    <message>
        <source>quant_min %1 must be below quant_max %2</source>
        <translation>quant_min %1 必须小于 quant_max %2</translation>
    </message>
    <message>
        <source>range %1..%2 has more codes than %3 bits hold</source>
        <translation>范围 %1..%2 的编码数超过 %3 位的容量</translation>
    </message>
    <message>
        <source>channel_axis must be 0 or more</source>
        <translation>channel_axis 必须不小于 0</translation>
    </message>
    <message>
        <source>percentile must be 0.5..1</source>
        <translation>percentile 必须为 0.5..1</translation>
    </message>
    <message>
        <source>scale and zero_point differ in length</source>
        <translation>scale 与 zero_point 的长度不同</translation>
    </message>
    <message>
        <source>the scale of a slot in state &apos;%1&apos; cannot be set</source>
        <translation>处于状态 &apos;%1&apos; 的位置不能设定缩放系数</translation>
    </message>
    <message>
        <source>a per-tensor config has %1 scales, expected 1</source>
        <translation>逐张量的配置有 %1 个缩放系数，应为 1 个</translation>
    </message>
    <message>
        <source>quantization needs float32, got %1</source>
        <translation>量化需要 float32，实际为 %1</translation>
    </message>
    <message>
        <source>Create it or choose another.</source>
        <translation>请创建它或选择其他文件夹。</translation>
    </message>
    <message>
        <source>the export target is a folder</source>
        <translation>导出目标是文件夹</translation>
    </message>
    <message>
        <source>Give a file name.</source>
        <translation>请指定文件名。</translation>
    </message>
    <message>
        <source>QuantizeLinear cannot write activations of %1 bits</source>
        <translation>QuantizeLinear 不能写出 %1 位的激活值</translation>
    </message>
    <message>
        <source>Use at most 16 bits for activations.</source>
        <translation>激活值请至多使用 16 位。</translation>
    </message>
    <message>
        <source>Formats for this platform: %1.</source>
        <translation>此平台的格式：%1。</translation>
    </message>
    <message>
        <source>analysis &apos;%1&apos; needs evaluation data and there is none</source>
        <translation>分析 &apos;%1&apos; 需要评估数据，但没有提供</translation>
    </message>
    <message>
        <source>there is a label %1, the output has %2 entries</source>
        <translation>有标签 %1，而输出只有 %2 项</translation>
    </message>
    <message>
        <source>every value is %1</source>
        <translation>所有值都是 %1</translation>
    </message>
    <message>
        <source>Check path and preprocessing.</source>
        <translation>请检查路径和预处理。</translation>
    </message>
    <message>
        <source>there are no samples</source>
        <translation>没有样本</translation>
    </message>
    <message>
        <source>Set model.path.</source>
        <translation>请设定 model.path。</translation>
    </message>
    <message>
        <source>the model file is not the one that the recipe was made for (its sha256 differs)</source>
        <translation>模型文件不是制作此配方时的那个（sha256 不同）</translation>
    </message>
    <message>
        <source>Use the original file, or clear model.sha256 in the recipe.</source>
        <translation>请使用原来的文件，或清除配方中的 model.sha256。</translation>
    </message>
    <message>
        <source>pass &apos;%1&apos; needs calibration data and there is none</source>
        <translation>处理步骤 &apos;%1&apos; 需要校准数据，但没有提供</translation>
    </message>
    <message>
        <source>the operator is not implemented</source>
        <translation>该算子尚未实现</translation>
    </message>
    <message>
        <source>implemented for opset %1 to %2</source>
        <translation>仅实现了 opset %1 至 %2</translation>
    </message>
    <message>
        <source>Export the model with opset 21 or older, and without operators that are not implemented.</source>
        <translation>请用 opset 21 或更早的版本导出模型，并且不含尚未实现的算子。</translation>
    </message>
    <message>
        <source>Export the model in float32, or convert it before quantizing.</source>
        <translation>请以 float32 导出模型，或在量化前转换。</translation>
    </message>
    <message>
        <source>Add &apos;%1&apos; to the passes.</source>
        <translation>请将 &apos;%1&apos; 加入处理流程。</translation>
    </message>
    <message>
        <source>Results are correct; this only costs time.</source>
        <translation>结果没有问题；只是更费时间。</translation>
    </message>
    <message>
        <source>Set XDG_DATA_HOME or HOME.</source>
        <translation>请设定 XDG_DATA_HOME 或 HOME。</translation>
    </message>
    <message>
        <source>unknown request &apos;%1&apos;.</source>
        <translation>未知的请求“%1”。</translation>
    </message>
    <message>
        <source>Export the model with other operators, or cut these parts off.</source>
        <translation>请用其他算子导出模型，或截去这些部分。</translation>
    </message>
    <message>
        <source>the data has no array for this graph input</source>
        <translation>数据中没有图的这个输入的数组</translation>
    </message>
    <message>
        <source>expected %1 tensors, got %2</source>
        <translation>应有 %1 个张量，实际有 %2 个</translation>
    </message>
    <message>
        <source>expected shape %1, got %2</source>
        <translation>形状应为 %1，实际为 %2</translation>
    </message>
    <message>
        <source>%1 failed on the device: %2</source>
        <translation>%1 在设备上失败：%2</translation>
    </message>
    <message>
        <source>%1 cannot be computed from its inputs %2: %3</source>
        <translation>%1 无法由其输入 %2 计算：%3</translation>
    </message>
    <message>
        <source>this data type is not implemented</source>
        <translation>尚未实现此数据类型</translation>
    </message>
    <message>
        <source>the data types differ</source>
        <translation>数据类型不同</translation>
    </message>
    <message>
        <source>the inner sizes differ</source>
        <translation>内侧大小不同</translation>
    </message>
    <message>
        <source>the numbers of elements differ</source>
        <translation>元素个数不同</translation>
    </message>
    <message>
        <source>sizes do not broadcast</source>
        <translation>大小无法广播</translation>
    </message>
    <message>
        <source>an index is out of range</source>
        <translation>下标超出范围</translation>
    </message>
    <message>
        <source>input has %1 channels, the weight needs %2 (group %3)</source>
        <translation>输入有 %1 个通道，而权重需要 %2 个（分组 %3）</translation>
    </message>
    <message>
        <source>kernel_shape differs from the weight&apos;s shape</source>
        <translation>kernel_shape 与权重的形状不同</translation>
    </message>
    <message>
        <source>strides and dilations must be positive</source>
        <translation>strides 和 dilations 必须为正</translation>
    </message>
    <message>
        <source>auto_pad is &apos;%1&apos;, expected NOTSET, SAME_UPPER, SAME_LOWER or VALID</source>
        <translation>auto_pad 为 &apos;%1&apos;，应为 NOTSET、SAME_UPPER、SAME_LOWER 或 VALID</translation>
    </message>
    <message>
        <source>%1 has %2 entries, expected %3</source>
        <translation>%1 有 %2 项，应为 %3 项</translation>
    </message>
    <message>
        <source>activation &apos;%1&apos; is not implemented</source>
        <translation>尚未实现激活函数 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>Quantize to int8, uint8, int16 or uint16.</source>
        <translation>请量化为 int8、uint8、int16 或 uint16。</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>expected %1, got %2</source>
        <translation>应为 %1，实际为 %2</translation>
    </message>
    <message>
        <source>preprocessing step %1 &apos;%2&apos; at column %3: %4</source>
        <translation>预处理第 %1 步“%2”，第 %3 列：%4</translation>
    </message>
    <message>
        <source>initial</source>
        <translation>初始</translation>
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
        <source>fp32</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>Channels blue, green, red, as OpenCV reads them.</source>
        <translation>通道为蓝、绿、红，与 OpenCV 的读取顺序相同。</translation>
    </message>
    <message>
        <source>Fills with V (0) up to that size, or up to the next multiples of M.</source>
        <translation>用 V（0）填充到该尺寸，或填充到 M 的下一个倍数。</translation>
    </message>
    <message>
        <source>Mirrors left and right, or top and bottom.</source>
        <translation>左右或上下镜像。</translation>
    </message>
    <message>
        <source>Multiplies by F, or by A and divides by B (1/255).</source>
        <translation>乘以 F，或乘以 A 再除以 B（1/255）。</translation>
    </message>
    <message>
        <source>Raises to the power of G.</source>
        <translation>取 G 次幂。</translation>
    </message>
    <message>
        <source>Limits the values.</source>
        <translation>限制取值范围。</translation>
    </message>
    <message>
        <source>Scale 1 for float formats.</source>
        <translation>浮点格式使用缩放系数 1。</translation>
    </message>
    <message>
        <source>Floating-point search</source>
        <translation>浮点搜索</translation>
    </message>
    <message>
        <source>For float formats: the best of the scales 1/128, 1/32, 1/8, 1, 4, 16, 64 by mean squared error.</source>
        <translation>用于浮点格式：按均方误差从 1/128、1/32、1/8、1、4、16、64 中选出最佳缩放系数。</translation>
    </message>
    <message>
        <source>Order-preserving</source>
        <translation>保序</translation>
    </message>
    <message>
        <source>Keeps the largest value along an axis distinguishable from the second largest, for class scores where only the winner matters.</source>
        <translation>使沿某轴的最大值与次大值可以区分，用于只关心胜出者的类别分数。</translation>
    </message>
    <message>
        <source>Kullback-Leibler divergence</source>
        <translation>KL 散度</translation>
    </message>
    <message>
        <source>Minimum and maximum</source>
        <translation>最小值和最大值</translation>
    </message>
    <message>
        <source>The range is the smallest and the largest value seen, so nothing saturates; one outlier widens every step.</source>
        <translation>范围为所见的最小值和最大值，因此不会饱和；一个离群值就会加宽每一步。</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>均方误差</translation>
    </message>
    <message>
        <source>Percentile</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>Lower bound of the scale.</source>
        <translation>缩放系数的下限。</translation>
    </message>
    <message>
        <source>Bins of the histogram of |x|.</source>
        <translation>|x| 直方图的区间数。</translation>
    </message>
    <message>
        <source>Bins of the histogram.</source>
        <translation>直方图的区间数。</translation>
    </message>
    <message>
        <source>The axis along which values compete.</source>
        <translation>取值相互竞争的轴。</translation>
    </message>
    <message>
        <source>Fraction of the values inside each limit.</source>
        <translation>低于上限且高于下限的取值所占的比例。</translation>
    </message>
    <message>
        <source>activation ranges</source>
        <translation>激活的范围</translation>
    </message>
    <message>
        <source>calibration</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>calibration, histograms</source>
        <translation>校准，直方图</translation>
    </message>
    <message>
        <source>details</source>
        <translation>细节</translation>
    </message>
    <message>
        <source>graphwise error</source>
        <translation>全图误差</translation>
    </message>
    <message>
        <source>import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>infer</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>output error</source>
        <translation>输出误差</translation>
    </message>
    <message>
        <source>preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>ranges</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>bias correction</source>
        <translation>偏置校正</translation>
    </message>
    <message>
        <source>layerwise equalization</source>
        <translation>逐层均衡</translation>
    </message>
    <message>
        <source>passes</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Add the pass &apos;%1&apos;: they become parameters, and are quantized as weights.</source>
        <translation>将 &apos;%1&apos; 加入处理流程：它们将成为参数，并按权重量化。</translation>
    </message>
    <message>
        <source>Fold constants</source>
        <translation>折叠常量</translation>
    </message>
    <message>
        <source>Choose another id.</source>
        <translation>请换一个标识。</translation>
    </message>
    <message>
        <source>Remove the file by hand.</source>
        <translation>请手动删除该文件。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; extends &apos;%2&apos;</source>
        <translation>%1 扩展自 %2</translation>
    </message>
    <message>
        <source>Change or delete &apos;%1&apos; first.</source>
        <translation>请先修改或删除 %1。</translation>
    </message>
    <message>
        <source>cannot remove %1: %2</source>
        <translation>无法删除 %1：%2</translation>
    </message>
    <message>
        <source>%1 bits are not implemented</source>
        <translation>未实现 %1 位</translation>
    </message>
    <message>
        <source>%1 spatial axes are not implemented</source>
        <translation>未实现 %1 个空间轴</translation>
    </message>
    <message>
        <source>a shared buffer of past and present is not implemented</source>
        <translation>未实现 past 与 present 共用的缓冲区</translation>
    </message>
    <message>
        <source>g_idx is not implemented</source>
        <translation>未实现 g_idx</translation>
    </message>
    <message>
        <source>sparse_value is not implemented</source>
        <translation>未实现 sparse_value</translation>
    </message>
    <message>
        <source>do_rotary is not implemented</source>
        <translation>未实现 do_rotary</translation>
    </message>
    <message>
        <source>Choose another id, or move the file away.</source>
        <translation>请换一个标识，或移走该文件。</translation>
    </message>
    <message>
        <source>attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>位宽</translation>
    </message>
    <message>
        <source>dynamic</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>exponent bits</source>
        <translation>指数位</translation>
    </message>
    <message>
        <source>granularity</source>
        <translation>粒度</translation>
    </message>
    <message>
        <source>histogram bins</source>
        <translation>直方图区间数</translation>
    </message>
    <message>
        <source>index</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>index from</source>
        <translation>起始序号</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>输入数</translation>
    </message>
    <message>
        <source>is parameter</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>isotone axis</source>
        <translation>保序轴</translation>
    </message>
    <message>
        <source>min scale</source>
        <translation>最小缩放系数</translation>
    </message>
    <message>
        <source>percentile</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>platform</source>
        <translation>平台</translation>
    </message>
    <message>
        <source>power of two</source>
        <translation>2 的幂</translation>
    </message>
    <message>
        <source>quant max</source>
        <translation>最大编码</translation>
    </message>
    <message>
        <source>quant min</source>
        <translation>最小编码</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>rounding</source>
        <translation>取整</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>symmetric</source>
        <translation>对称</translation>
    </message>
    <message>
        <source>visibility</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>zero point</source>
        <translation>零点</translation>
    </message>
    <message>
        <source>%1 of %2 values are infinite</source>
        <translation>%2 个值中有 %1 个为无穷大</translation>
    </message>
    <message>
        <source>These are never quantized. Match another tensor.</source>
        <translation>它们从不量化。请匹配其他张量。</translation>
    </message>
    <message>
        <source>Choose another folder, or change its permissions.</source>
        <translation>请选择其他文件夹，或更改其权限。</translation>
    </message>
    <message>
        <source>every slot</source>
        <translation>所有张量位</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>results in float32</source>
        <translation>结果为 float32</translation>
    </message>
    <message>
        <source>weight per output channel</source>
        <translation>权重逐输出通道</translation>
    </message>
    <message>
        <source>bias in float32</source>
        <translation>偏置为 float32</translation>
    </message>
    <message>
        <source>scale and shift of a layer norm in float32</source>
        <translation>层归一化的缩放与偏移为 float32</translation>
    </message>
    <message>
        <source>bias and masks of attention in float32</source>
        <translation>注意力的偏置与掩码为 float32</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>逐张量</translation>
    </message>
    <message>
        <source>output channel</source>
        <translation>逐输出通道</translation>
    </message>
    <message>
        <source>half even</source>
        <translation>半数取偶</translation>
    </message>
    <message>
        <source>half up</source>
        <translation>半数向上</translation>
    </message>
    <message>
        <source>half down</source>
        <translation>半数向下</translation>
    </message>
    <message>
        <source>half towards zero</source>
        <translation>半数向零</translation>
    </message>
    <message>
        <source>half away from zero</source>
        <translation>半数远离零</translation>
    </message>
    <message>
        <source>to near int</source>
        <translation>取最近整数</translation>
    </message>
    <message>
        <source>role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Values and channels of operations</source>
        <translation>算子的数值与通道</translation>
    </message>
    <message>
        <source>Names or patterns of the operations.</source>
        <translation>算子的名称或模式。</translation>
    </message>
    <message>
        <source>Graphwise error</source>
        <translation>全图误差</translation>
    </message>
    <message>
        <source>Layerwise error</source>
        <translation>逐层误差</translation>
    </message>
    <message>
        <source>Output error</source>
        <translation>输出误差</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Distribution of float and quantized weights, with the range of every channel.</source>
        <translation>浮点权重与量化权重的分布，以及每个通道的范围。</translation>
    </message>
    <message>
        <source>Ranges of activations</source>
        <translation>激活值的范围</translation>
    </message>
    <message>
        <source>Tensor statistics</source>
        <translation>张量统计</translation>
    </message>
    <message>
        <source>Distribution of float, quantized and noise values of every input and output of quantized operations.</source>
        <translation>量化算子每个输入和输出的浮点值、量化值与噪声的分布。</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Names or patterns of tensors; empty: the graph outputs.</source>
        <translation>张量的名称或模式；留空为图的输出。</translation>
    </message>
    <message>
        <source>ImageNet</source>
        <translation>ImageNet</translation>
    </message>
    <message>
        <source>YOLO</source>
        <translation>YOLO</translation>
    </message>
    <message>
        <source>-1 to 1</source>
        <translation>-1 到 1</translation>
    </message>
    <message>
        <source>0 to 255</source>
        <translation>0 到 255</translation>
    </message>
    <message>
        <source>The image stretched to the input, values from -1 to 1 (TensorFlow, diffusion models).</source>
        <translation>图像拉伸到输入尺寸，取值 -1 到 1（TensorFlow、扩散模型）。</translation>
    </message>
    <message>
        <source>The image stretched to the input, values as decoded: the model normalizes them itself.</source>
        <translation>图像拉伸到输入尺寸，保持解码后的值：由模型自行归一化。</translation>
    </message>
    <message>
        <source>Quantizing only this operation adds %1 % noise to the output (%2 dB).</source>
        <translation>仅量化此算子就给输出带来 %1 % 的噪声（%2 dB）。</translation>
    </message>
    <message>
        <source>Try: %1.</source>
        <translation>可尝试：%1。</translation>
    </message>
    <message>
        <source>FP32 for this operation</source>
        <translation>此算子用 FP32</translation>
    </message>
    <message>
        <source>FP32 for these operations</source>
        <translation>这些算子用 FP32</translation>
    </message>
    <message>
        <source>FP32 for its consumers</source>
        <translation>读取它的算子用 FP32</translation>
    </message>
    <message>
        <source>per-channel weights</source>
        <translation>逐通道权重</translation>
    </message>
    <message>
        <source>equalizing it with its neighbour</source>
        <translation>与相邻层均衡</translation>
    </message>
    <message>
        <source>equalizing it with its neighbours</source>
        <translation>与相邻各层均衡</translation>
    </message>
    <message>
        <source>another observer</source>
        <translation>其他观察器</translation>
    </message>
    <message>
        <source>a platform with more bits</source>
        <translation>位数更多的平台</translation>
    </message>
    <message>
        <source>Accuracy drops by %1 points</source>
        <translation>准确率下降 %1 个百分点</translation>
    </message>
    <message>
        <source>Output SQNR is only %1 dB</source>
        <translation>输出 SQNR 仅 %1 dB</translation>
    </message>
    <message>
        <source>%1, but no single operation explains it (%2 measured): small errors accumulate.</source>
        <translation>%1，但没有哪个算子能单独解释（测量了 %2 个）：小误差在累积。</translation>
    </message>
    <message>
        <source>%1: errors of several operations accumulate (%2 measured), the largest of them %3.</source>
        <translation>%1：多个算子的误差在累积（测量了 %2 个），其中最大的是 %3。</translation>
    </message>
    <message>
        <source>The largest channel of its weight is %1 times the median, but all %2 channels share one scale.</source>
        <translation>其权重最大的通道是中位数的 %1 倍，而全部 %2 个通道共用一个缩放系数。</translation>
    </message>
    <message>
        <source>The largest channel of its output is %1 times the median, but all %2 channels share one scale.</source>
        <translation>其输出最大的通道是中位数的 %1 倍，而全部 %2 个通道共用一个缩放系数。</translation>
    </message>
    <message>
        <source>Check the data and the operation that computes it; every result after it is invalid.</source>
        <translation>请检查数据以及计算它的算子；其后的所有结果都无效。</translation>
    </message>
    <message>
        <source>%1 % of its values are clipped %2.</source>
        <translation>其 %1 % 的值被截断%2。</translation>
    </message>
    <message>
        <source>%1 % of the values of its input &apos;%2&apos; are clipped %3.</source>
        <translation>其输入 &apos;%2&apos; 的 %1 % 的值被截断%3。</translation>
    </message>
    <message>
        <source>They carry no information and could be pruned; run more samples to see whether they ever change.</source>
        <translation>它们不携带信息，可以剪掉；用更多样本运行可知它们是否会变化。</translation>
    </message>
    <message>
        <source>Its operands share one scale but reach %1 and %2: the smaller one uses about %3 of 256 codes.</source>
        <translation>其操作数共用一个缩放系数，但分别达到 %1 和 %2：较小者只用到 256 个码中的约 %3 个。</translation>
    </message>
    <message>
        <source>Give each operand its own scale (a parameter of the pass Alignment), or run this operation in FP32.</source>
        <translation>让每个操作数使用自己的缩放系数（Alignment 遍的参数），或让此算子用 FP32。</translation>
    </message>
    <message>
        <source>Inspect the distribution of this tensor; check the calibration data.</source>
        <translation>请查看该张量的分布，并检查校准数据。</translation>
    </message>
    <message>
        <source>Layerwise error is most of this run: measuring %1 operations takes as long as %2 passes over %3 batches.</source>
        <translation>逐层误差占本次运行的大部分时间：测量 %1 个算子相当于对 %3 个批次做 %2 遍前向计算。</translation>
    </message>
    <message>
        <source>Try: fewer samples for it (often enough to rank operations), or no layerwise analysis until the other settings are final.</source>
        <translation>可尝试：为它使用较少样本（通常足以给算子排序），或在其他设置确定之前不做逐层分析。</translation>
    </message>
    <message>
        <source>Give data with %1 or %2.</source>
        <translation>请用 %1 或 %2 提供数据。</translation>
    </message>
    <message>
        <source>analysis &apos;variables&apos;: no tensor is called &apos;%1&apos;.</source>
        <translation>分析 &apos;variables&apos;：没有名为“%1”的张量。</translation>
    </message>
    <message>
        <source>line %1: duplicate key &apos;%2&apos;, first used in line %3</source>
        <translation>第 %1 行：键“%2”重复，首次出现在第 %3 行</translation>
    </message>
    <message>
        <source>Remove one of them.</source>
        <translation>请删除其中一个。</translation>
    </message>
    <message>
        <source>line %1: more than 200 nested levels</source>
        <translation>第 %1 行：嵌套超过 200 层</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>must be a string in quotes, got %1</source>
        <translation>应为带引号的字符串，实际为 %1</translation>
    </message>
    <message>
        <source>must be an integer, got %1</source>
        <translation>应为整数，实际为 %1</translation>
    </message>
    <message>
        <source>must be from %1 to %2, got %3</source>
        <translation>应在 %1 到 %2 之间，实际为 %3</translation>
    </message>
    <message>
        <source>unknown value &apos;%1&apos;.</source>
        <translation>未知的值“%1”。</translation>
    </message>
    <message>
        <source>a message of %1 bytes is too long</source>
        <translation>消息过长：%1 字节</translation>
    </message>
    <message>
        <source>expected a message of at most %1 bytes, got %2</source>
        <translation>消息最多应为 %1 字节，实际为 %2 字节</translation>
    </message>
    <message>
        <source>expected a message (a CBOR object), got %1 other bytes</source>
        <translation>应为消息（CBOR 对象），实际为其他的 %1 字节</translation>
    </message>
    <message>
        <source>%1: parameter &apos;%2&apos; must be of type %3, got %4</source>
        <translation>%1：参数“%2”的类型应为 %3，实际为 %4</translation>
    </message>
    <message>
        <source>%1: parameter &apos;%2&apos; must be at least %3, got %4</source>
        <translation>%1：参数“%2”不得小于 %3，实际为 %4</translation>
    </message>
    <message>
        <source>%1: parameter &apos;%2&apos; must be at most %3, got %4</source>
        <translation>%1：参数“%2”不得大于 %3，实际为 %4</translation>
    </message>
    <message>
        <source>%1: parameter &apos;%2&apos; must be one of %3; got %4.</source>
        <translation>%1：参数“%2”应为以下之一：%3；实际为 %4。</translation>
    </message>
    <message>
        <source>%1: parameters must be a JSON object</source>
        <translation>%1：参数应为 JSON 对象</translation>
    </message>
    <message>
        <source>%1 has no parameter &apos;%2&apos;.</source>
        <translation>%1 没有参数“%2”。</translation>
    </message>
    <message>
        <source>It has no parameters.</source>
        <translation>它没有参数。</translation>
    </message>
    <message>
        <source>--set %1: expected JSON, got &apos;%2&apos;</source>
        <translation>--set %1：应为 JSON，实际为“%2”</translation>
    </message>
    <message>
        <source>Names and strings need double quotes: %1.</source>
        <translation>名称和字符串需要双引号：%1。</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>no such file or folder</source>
        <translation>没有此文件或文件夹</translation>
    </message>
    <message>
        <source>no space left on the disk</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>read-only file system</source>
        <translation>文件系统为只读</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
    <message>
        <source>the link points to a missing file: %1</source>
        <translation>链接指向不存在的文件：%1</translation>
    </message>
    <message>
        <source>Remove the link or restore the file.</source>
        <translation>请删除该链接，或恢复文件。</translation>
    </message>
    <message>
        <source>the file does not exist.</source>
        <translation>文件不存在。</translation>
    </message>
    <message>
        <source>the folder %1 does not exist.</source>
        <translation>文件夹 %1 不存在。</translation>
    </message>
    <message>
        <source>expected a file, got a folder</source>
        <translation>应为文件，实际为文件夹</translation>
    </message>
    <message>
        <source>not a regular file: a pipe or device cannot be read twice</source>
        <translation>不是普通文件：管道或设备不能读取两次</translation>
    </message>
    <message>
        <source>Copy its contents to a file.</source>
        <translation>请将其内容复制到文件中。</translation>
    </message>
    <message>
        <source>It is not a regular file: check its reader, or write to another file.</source>
        <translation>它不是普通文件：请检查其读取方，或写入其他文件。</translation>
    </message>
    <message>
        <source>Check that the folder exists and is writable, and that the disk is not full.</source>
        <translation>请检查文件夹是否存在且可写，以及磁盘是否已满。</translation>
    </message>
    <message>
        <source>unknown %1 &apos;%2&apos;</source>
        <translation>未知的 %1“%2”</translation>
    </message>
    <message>
        <source>there is no embedded resource &apos;%1&apos;.</source>
        <translation>没有内置资源“%1”。</translation>
    </message>
    <message>
        <source>Did you mean %1?</source>
        <translation>您是否指 %1？</translation>
    </message>
    <message>
        <source>%1: key and value are missing</source>
        <translation>%1：缺少 key 和 value</translation>
    </message>
    <message>
        <source>classical machine learning is out of scope</source>
        <translation>不支持传统机器学习</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2, %3)</source>
        <translation>“%1”（%2，%3）</translation>
    </message>
    <message>
        <source>%1: the body &apos;%2&apos; is missing</source>
        <translation>%1：缺少子图“%2”</translation>
    </message>
    <message>
        <source>%1: the body &apos;%2&apos; has %3 inputs, the operation gives %4</source>
        <translation>%1：子图“%2”有 %3 个输入，而算子给出 %4 个</translation>
    </message>
    <message>
        <source>%1: a scan output changes its shape from one iteration to the next</source>
        <translation>%1：某个 scan 输出的形状在各次迭代之间发生变化</translation>
    </message>
    <message>
        <source>%1: the condition has %2 elements, expected one</source>
        <translation>%1：条件有 %2 个元素，应为 1 个</translation>
    </message>
    <message>
        <source>Scan: the body has fewer outputs than states</source>
        <translation>Scan：子图的输出少于状态</translation>
    </message>
    <message>
        <source>Scan: sequence %1 has length %2, expected %3</source>
        <translation>Scan：序列 %1 的长度为 %2，应为 %3</translation>
    </message>
    <message>
        <source>SequenceMap: the sequences differ in length</source>
        <translation>SequenceMap：各序列的长度不同</translation>
    </message>
    <message>
        <source>%1: the kernel (extent %2) does not fit into axis %3 of size %4 with padding %5</source>
        <translation>%1：核（跨度 %2）放不进大小为 %4、填充为 %5 的轴 %3</translation>
    </message>
    <message>
        <source>%1: expected float32 input, got %2</source>
        <translation>%1：输入应为 float32，实际为 %2</translation>
    </message>
    <message>
        <source>DetectionOutput: expected location [N, P * %1], confidence [N, P * %2], prior [1, 2, P * 4]</source>
        <translation>DetectionOutput：应为 location [N, P * %1]、confidence [N, P * %2]、prior [1, 2, P * 4]</translation>
    </message>
    <message>
        <source>Einsum: no input</source>
        <translation>Einsum：没有输入</translation>
    </message>
    <message>
        <source>BitShift: direction must be LEFT or RIGHT, found &apos;%1&apos;</source>
        <translation>BitShift：direction 应为 LEFT 或 RIGHT，实际为“%1”</translation>
    </message>
    <message>
        <source>%1: expected ids [N, S]</source>
        <translation>%1：ids 应为 [N, S]</translation>
    </message>
    <message>
        <source>MatMulNBits: N, K and block_size must be 1 or more</source>
        <translation>MatMulNBits：N、K 和 block_size 不得小于 1</translation>
    </message>
    <message>
        <source>Constant: it has no value</source>
        <translation>Constant：没有值</translation>
    </message>
    <message>
        <source>Range: the step is 0</source>
        <translation>Range：步长为 0</translation>
    </message>
    <message>
        <source>%1: an index is outside the axis of size %2</source>
        <translation>%1：索引超出大小为 %2 的轴</translation>
    </message>
    <message>
        <source>data type number %1 is not implemented</source>
        <translation>未实现编号为 %1 的数据类型</translation>
    </message>
    <message>
        <source>%1: expected [N, C, spatial...], got rank %2</source>
        <translation>%1：应为 [N, C, spatial...]，实际为 %2 维</translation>
    </message>
    <message>
        <source>%1: expected [N, C, H, W], got rank %2</source>
        <translation>%1：应为 [N, C, H, W]，实际为 %2 维</translation>
    </message>
    <message>
        <source>%1: the kernel does not fit into the input</source>
        <translation>%1：核放不进输入</translation>
    </message>
    <message>
        <source>%1: axis %2 is outside a tensor of rank %3</source>
        <translation>%1：轴 %2 超出 %3 维张量的范围</translation>
    </message>
    <message>
        <source>%1: a dimension of the result is %2</source>
        <translation>%1：结果的某个维度为 %2</translation>
    </message>
    <message>
        <source>%1: the result %2 would have more than 2147483648 elements</source>
        <translation>%1：结果 %2 将超过 2147483648 个元素</translation>
    </message>
    <message>
        <source>Use a smaller input or batch size.</source>
        <translation>请使用较小的输入或批次大小。</translation>
    </message>
    <message>
        <source>%1: data type %2 is not implemented</source>
        <translation>%1：未实现数据类型 %2</translation>
    </message>
    <message>
        <source>%1: input %2 is missing</source>
        <translation>%1：缺少输入 %2</translation>
    </message>
    <message>
        <source>Reshape: the shape is missing</source>
        <translation>Reshape：缺少形状</translation>
    </message>
    <message>
        <source>Flatten: axis %1 is outside rank %2</source>
        <translation>Flatten：轴 %1 超出维数 %2</translation>
    </message>
    <message>
        <source>%1: an axis is given twice</source>
        <translation>%1：某个轴给出了两次</translation>
    </message>
    <message>
        <source>Squeeze: axis %1 has size %2, expected 1</source>
        <translation>Squeeze：轴 %1 的大小为 %2，应为 1</translation>
    </message>
    <message>
        <source>Unsqueeze: the axes are missing</source>
        <translation>Unsqueeze：缺少 axes</translation>
    </message>
    <message>
        <source>Concat: no input</source>
        <translation>Concat：没有输入</translation>
    </message>
    <message>
        <source>Slice: starts and ends are missing or differ in length</source>
        <translation>Slice：缺少 starts 和 ends，或两者长度不同</translation>
    </message>
    <message>
        <source>Slice: axes or steps differ in length from starts</source>
        <translation>Slice：axes 或 steps 的长度与 starts 不同</translation>
    </message>
    <message>
        <source>Slice: a step is 0</source>
        <translation>Slice：某个步长为 0</translation>
    </message>
    <message>
        <source>Pad: the pads are missing</source>
        <translation>Pad：缺少 pads</translation>
    </message>
    <message>
        <source>Pad: %1 pads for %2 axes</source>
        <translation>Pad：%2 个轴却有 %1 个填充值</translation>
    </message>
    <message>
        <source>Pad: mode &apos;%1&apos; needs a non-empty axis</source>
        <translation>Pad：模式“%1”要求轴不为空</translation>
    </message>
    <message>
        <source>Tile: %1 repeats for a tensor of rank %2</source>
        <translation>Tile：%2 维张量却有 %1 个重复次数</translation>
    </message>
    <message>
        <source>ExpandDims: %1 axes, expected one</source>
        <translation>ExpandDims：有 %1 个轴，应为 1 个</translation>
    </message>
    <message>
        <source>Gemm: expected matrices, got ranks %1 and %2</source>
        <translation>Gemm：应为矩阵，实际为 %1 维和 %2 维</translation>
    </message>
    <message>
        <source>Gemm: inner sizes differ: %1 and %2</source>
        <translation>Gemm：内侧维度不同：%1 和 %2</translation>
    </message>
    <message>
        <source>LRN: expected [N, C, spatial...]</source>
        <translation>LRN：应为 [N, C, spatial...]</translation>
    </message>
    <message>
        <source>expected a sequence of tensors, found another value</source>
        <translation>应为张量序列，实际为其他值</translation>
    </message>
    <message>
        <source>%1 strings do not fill a shape of %2 elements</source>
        <translation>%1 个字符串不足以填满有 %2 个元素的形状</translation>
    </message>
    <message>
        <source>expected strings, found another value</source>
        <translation>应为字符串，实际为其他值</translation>
    </message>
    <message>
        <source>%1: auto_pad is &apos;%2&apos;, expected NOTSET, SAME_UPPER, SAME_LOWER or VALID</source>
        <translation>%1：auto_pad 为“%2”，应为 NOTSET、SAME_UPPER、SAME_LOWER 或 VALID</translation>
    </message>
    <message>
        <source>%1: kernel_shape, strides and dilations must be positive</source>
        <translation>%1：kernel_shape、strides 和 dilations 必须为正数</translation>
    </message>
    <message>
        <source>%1: the kernel does not fit into axis %2 of size %3</source>
        <translation>%1：核放不进大小为 %3 的轴 %2</translation>
    </message>
    <message>
        <source>Check the operation&apos;s attributes and inputs, and the input shapes (%1); or export the model again.</source>
        <translation>请检查该算子的属性和输入，以及输入形状（%1）；或重新导出模型。</translation>
    </message>
    <message>
        <source>%1: output %2 is not computed</source>
        <translation>%1：未计算输出 %2</translation>
    </message>
    <message>
        <source>Preprocess the data to this shape, or fix a dynamic shape with %1.</source>
        <translation>请将数据预处理为该形状，或用 %1 固定动态形状。</translation>
    </message>
    <message>
        <source>%1: codes of type %2 are not implemented</source>
        <translation>%1：未实现类型为 %2 的编码</translation>
    </message>
    <message>
        <source>%1: scales for blocks of %2 do not cover axis %3 of size %4</source>
        <translation>%1：块大小为 %2 的缩放系数未覆盖大小为 %4 的轴 %3</translation>
    </message>
    <message>
        <source>%1: scale or zero point has %2 entries, axis %3 has %4</source>
        <translation>%1：缩放系数或零点有 %2 项，而轴 %3 有 %4 项</translation>
    </message>
    <message>
        <source>%1: output_dtype %2 is not implemented</source>
        <translation>%1：未实现 output_dtype %2</translation>
    </message>
    <message>
        <source>QLinearConcat: no input</source>
        <translation>QLinearConcat：没有输入</translation>
    </message>
    <message>
        <source>Multinomial: expected [N, classes]</source>
        <translation>Multinomial：应为 [N, classes]</translation>
    </message>
    <message>
        <source>X, W and R must have rank 3</source>
        <translation>X、W 和 R 必须是 3 维</translation>
    </message>
    <message>
        <source>hidden_size differs from the shape of R</source>
        <translation>hidden_size 与 R 的形状不一致</translation>
    </message>
    <message>
        <source>sequence_lens has an entry outside 0..%1</source>
        <translation>sequence_lens 中有一项不在 0..%1 之内</translation>
    </message>
    <message>
        <source>%1: %2 scales for %3 axes</source>
        <translation>%1：%3 个轴却有 %2 个缩放比例</translation>
    </message>
    <message>
        <source>%1: %2 sizes for %3 axes</source>
        <translation>%1：%3 个轴却有 %2 个尺寸</translation>
    </message>
    <message>
        <source>%1: scale %2 is not usable</source>
        <translation>%1：缩放比例 %2 不可用</translation>
    </message>
    <message>
        <source>%1: axis %2 would have size %3</source>
        <translation>%1：轴 %2 的大小将为 %3</translation>
    </message>
    <message>
        <source>%1: an index is outside dimension %2 of size %3</source>
        <translation>%1：索引超出大小为 %3 的维度 %2</translation>
    </message>
    <message>
        <source>ScatterND: indices are a scalar</source>
        <translation>ScatterND：indices 是标量</translation>
    </message>
    <message>
        <source>%1: an index is outside an axis of size %2</source>
        <translation>%1：索引超出大小为 %2 的轴</translation>
    </message>
    <message>
        <source>OneHot: values must be [off, on]</source>
        <translation>OneHot：values 应为 [off, on]</translation>
    </message>
    <message>
        <source>ReverseSequence: batch_axis and time_axis must be 0 and 1 or 1 and 0</source>
        <translation>ReverseSequence：batch_axis 和 time_axis 必须是 0 和 1，或 1 和 0</translation>
    </message>
    <message>
        <source>Trilu: expected matrices</source>
        <translation>Trilu：应为矩阵</translation>
    </message>
    <message>
        <source>EyeLike: expected a matrix</source>
        <translation>EyeLike：应为矩阵</translation>
    </message>
    <message>
        <source>SequenceErase: the sequence is empty</source>
        <translation>SequenceErase：序列为空</translation>
    </message>
    <message>
        <source>SplitToSequence: split must be positive</source>
        <translation>SplitToSequence：split 必须为正数</translation>
    </message>
    <message>
        <source>ConcatFromSequence: the sequence is empty</source>
        <translation>ConcatFromSequence：序列为空</translation>
    </message>
    <message>
        <source>OptionalGetElement: the optional is empty</source>
        <translation>OptionalGetElement：可选值为空</translation>
    </message>
    <message>
        <source>%1: the last axis must hold 1 or 2 numbers (real, imaginary)</source>
        <translation>%1：最后一个轴必须有 1 个或 2 个数（实部、虚部）</translation>
    </message>
    <message>
        <source>%1: transforms of length %2 are not implemented, the limit is 16384</source>
        <translation>%1：未实现长度为 %2 的变换，上限为 16384</translation>
    </message>
    <message>
        <source>MelWeightMatrix: the sizes must be positive</source>
        <translation>MelWeightMatrix：各尺寸必须为正数</translation>
    </message>
    <message>
        <source>Cast: &apos;%1&apos; is not a number</source>
        <translation>Cast：“%1”不是数字</translation>
    </message>
    <message>
        <source>%1: expected [C] or [N, C], got rank %2</source>
        <translation>%1：应为 [C] 或 [N, C]，实际为 %2 维</translation>
    </message>
    <message>
        <source>NonMaxSuppression: expected boxes [N, B, 4] and scores [N, C, B]</source>
        <translation>NonMaxSuppression：应为 boxes [N, B, 4] 和 scores [N, C, B]</translation>
    </message>
    <message>
        <source>%1: expected X [N, C, H, W], rois [R, 4], batch indices [R]</source>
        <translation>%1：应为 X [N, C, H, W]、rois [R, 4]、batch indices [R]</translation>
    </message>
    <message>
        <source>%1: a batch index is outside the batch</source>
        <translation>%1：批次索引超出批次范围</translation>
    </message>
    <message>
        <source>%1: a region is too large to sample</source>
        <translation>%1：某个区域过大，无法采样</translation>
    </message>
    <message>
        <source>%1: expected rois [R, 5]</source>
        <translation>%1：rois 应为 [R, 5]</translation>
    </message>
    <message>
        <source>MaxRoiPool: expected X [N, C, H, W], rois [R, 5], two pooled sizes</source>
        <translation>MaxRoiPool：应为 X [N, C, H, W]、rois [R, 5] 和两个池化尺寸</translation>
    </message>
    <message>
        <source>MaxRoiPool: a batch index is outside the batch</source>
        <translation>MaxRoiPool：批次索引超出批次范围</translation>
    </message>
    <message>
        <source>DeformConv: only two spatial axes are implemented</source>
        <translation>DeformConv：只实现了两个空间轴</translation>
    </message>
    <message>
        <source>MaxUnpool: output_shape is smaller than the pooled area</source>
        <translation>MaxUnpool：output_shape 小于池化区域</translation>
    </message>
    <message>
        <source>MaxUnpool: an index is outside the result</source>
        <translation>MaxUnpool：索引超出结果范围</translation>
    </message>
    <message>
        <source>CenterCropPad: shape and axes differ in length</source>
        <translation>CenterCropPad：shape 与 axes 长度不同</translation>
    </message>
    <message>
        <source>Col2Im: %1</source>
        <translation>Col2Im：%1</translation>
    </message>
    <message>
        <source>sizes, strides and dilations must be positive, pads 0 or more</source>
        <translation>尺寸、strides 和 dilations 必须为正数，pads 不得为负数</translation>
    </message>
    <message>
        <source>expected [N, C * %1, %2]</source>
        <translation>应为 [N, C * %1, %2]</translation>
    </message>
    <message>
        <source>export &apos;%1&apos;: the model is not calibrated: %2 tensors of %3 operations have no scale</source>
        <translation>导出“%1”：模型未校准：%3 个算子的 %2 个张量没有缩放系数</translation>
    </message>
    <message>
        <source>Give calibration data and the passes &apos;%1&apos; and &apos;%2&apos;, or set the parameter &apos;uncalibrated&apos; of the export (%3).</source>
        <translation>请提供校准数据以及处理步骤“%1”和“%2”，或设置导出参数 &apos;uncalibrated&apos;（%3）。</translation>
    </message>
    <message>
        <source>Fix the input shape with %1.</source>
        <translation>请用 %1 固定输入形状。</translation>
    </message>
    <message>
        <source>%1 is still in its old form; run the formatting passes first</source>
        <translation>%1 仍为旧形式；请先运行格式化处理步骤</translation>
    </message>
    <message>
        <source>Give the .prototxt, and the .caffemodel with %1.</source>
        <translation>请提供 .prototxt，并用 %1 提供 .caffemodel。</translation>
    </message>
    <message>
        <source>Caffe</source>
        <translation>Caffe</translation>
    </message>
    <message>
        <source>%1: blob %2 has the shape %3, the layer needs %4</source>
        <translation>%1：blob %2 的形状为 %3，该层需要 %4</translation>
    </message>
    <message>
        <source>Reduce the network&apos;s input size with %1.</source>
        <translation>请用 %1 为网络设定较小的输入。</translation>
    </message>
    <message>
        <source>%1_h and %2_w need two spatial axes</source>
        <translation>%1_h 和 %2_w 需要两个空间轴</translation>
    </message>
    <message>
        <source>it has %1 values of %2 for %3 spatial axes</source>
        <translation>%3 个空间轴却有 %1 个 %2 值</translation>
    </message>
    <message>
        <source>kernel %1, stride %2, dilation %3, pad %4: kernel, stride and dilation must be positive</source>
        <translation>核 %1、步长 %2、膨胀 %3、填充 %4：核、步长和膨胀必须为正数</translation>
    </message>
    <message>
        <source>a bilinear filler needs a square kernel</source>
        <translation>bilinear filler 需要方形的核</translation>
    </message>
    <message>
        <source>it needs one top for each bottom</source>
        <translation>每个 bottom 都需要一个 top</translation>
    </message>
    <message>
        <source>axis %1 is not 1</source>
        <translation>轴 %1 不是 1</translation>
    </message>
    <message>
        <source>aspect ratios must be positive</source>
        <translation>宽高比必须为正数</translation>
    </message>
    <message>
        <source>min_size is missing</source>
        <translation>缺少 min_size</translation>
    </message>
    <message>
        <source>it has %1 values of max_size for %2 of min_size</source>
        <translation>有 %1 个 max_size 值，却有 %2 个 min_size 值</translation>
    </message>
    <message>
        <source>sizes must be positive, and each max_size larger than its min_size</source>
        <translation>尺寸必须为正数，且每个 max_size 必须大于对应的 min_size</translation>
    </message>
    <message>
        <source>its bottom is %1, it needs [N, C, H, W]</source>
        <translation>其 bottom 为 %1，应为 [N, C, H, W]</translation>
    </message>
    <message>
        <source>its second bottom is %1, it needs [N, C, H, W]</source>
        <translation>其第二个 bottom 为 %1，应为 [N, C, H, W]</translation>
    </message>
    <message>
        <source>nms_threshold must not be negative, eta must be in (0, 1]</source>
        <translation>nms_threshold 不得为负数，eta 必须在 (0, 1] 之内</translation>
    </message>
    <message>
        <source>the base must be positive, or -1 for e</source>
        <translation>底数必须为正数，或用 -1 表示 e</translation>
    </message>
    <message>
        <source>the base must be positive and not 1, or -1 for e</source>
        <translation>底数必须为正数且不为 1，或用 -1 表示 e</translation>
    </message>
    <message>
        <source>min or max is missing</source>
        <translation>缺少 min 或 max</translation>
    </message>
    <message>
        <source>num_axes %1 from axis %2 is outside %3</source>
        <translation>从轴 %2 起的 num_axes %1 超出 %3</translation>
    </message>
    <message>
        <source>local_size %1 must be odd</source>
        <translation>local_size %1 必须为奇数</translation>
    </message>
    <message>
        <source>it has %1 slice points for %2 tops</source>
        <translation>%2 个 top 却有 %1 个 slice_point</translation>
    </message>
    <message>
        <source>a size of %1 is neither positive nor 0 or -1</source>
        <translation>大小 %1 既不是正数，也不是 0 或 -1</translation>
    </message>
    <message>
        <source>two sizes are -1</source>
        <translation>有两个大小为 -1</translation>
    </message>
    <message>
        <source>it has %1 offsets for %2 axes</source>
        <translation>%2 个轴却有 %1 个 offset</translation>
    </message>
    <message>
        <source>tiles must be positive</source>
        <translation>tiles 必须为正数</translation>
    </message>
    <message>
        <source>top_k %1 is outside %2</source>
        <translation>top_k %1 超出 %2</translation>
    </message>
    <message>
        <source>its bottoms are %1 and %2; it needs [N, C, H, W], [R, 5], pooled_h and pooled_w</source>
        <translation>其 bottom 为 %1 和 %2；应为 [N, C, H, W] 和 [R, 5]，并需要 pooled_h 和 pooled_w</translation>
    </message>
    <message>
        <source>its result would be %1</source>
        <translation>其结果将为 %1</translation>
    </message>
    <message>
        <source>pad_beg and pad_end leave nothing of %1</source>
        <translation>pad_beg 和 pad_end 使 %1 没有任何剩余</translation>
    </message>
    <message>
        <source>its second bottom is %1</source>
        <translation>其第二个 bottom 为 %1</translation>
    </message>
    <message>
        <source>zoom_factor and shrink_factor must be positive</source>
        <translation>zoom_factor 和 shrink_factor 必须为正数</translation>
    </message>
    <message>
        <source>the scale must be positive</source>
        <translation>缩放比例必须为正数</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation>（文件 %1）</translation>
    </message>
    <message>
        <source>Softmax</source>
        <translation>Softmax</translation>
    </message>
    <message>
        <source>Sigmoid</source>
        <translation>Sigmoid</translation>
    </message>
    <message>
        <source>Write an input_shape, or give one with %1.</source>
        <translation>请写出 input_shape，或用 %1 给出。</translation>
    </message>
    <message>
        <source>Write input_param { shape { ... } }, or give the sizes with %1.</source>
        <translation>请写出 input_param { shape { ... } }，或用 %1 给出尺寸。</translation>
    </message>
    <message>
        <source>A layer of type %1 reads a database: replace it with an Input layer, or give the sizes it delivers with %2.</source>
        <translation>类型为 %1 的层读取数据库：请将其替换为 Input 层，或用 %2 给出它输出的尺寸。</translation>
    </message>
    <message>
        <source>two layers write this blob%1</source>
        <translation>有两个层写入此 blob%1</translation>
    </message>
    <message>
        <source>, which is an input of the net</source>
        <translation>，而它是网络的输入</translation>
    </message>
    <message>
        <source>; the other one is &apos;%1&apos;</source>
        <translation>；另一个是“%1”</translation>
    </message>
    <message>
        <source>Give a smaller shape with %1.</source>
        <translation>请用 %1 给出较小的形状。</translation>
    </message>
    <message>
        <source>  &apos;%1&apos; %2</source>
        <translation>  “%1” %2</translation>
    </message>
    <message>
        <source>the Caffe file is truncated or damaged: %1 at byte %2 of %3</source>
        <translation>Caffe 文件被截断或损坏：%3 字节中的第 %2 字节处，%1</translation>
    </message>
    <message>
        <source>truncated number</source>
        <translation>数字不完整</translation>
    </message>
    <message>
        <source>number with too many bytes</source>
        <translation>数字的字节过多</translation>
    </message>
    <message>
        <source>an invalid field</source>
        <translation>无效的字段</translation>
    </message>
    <message>
        <source>invalid field type</source>
        <translation>无效的字段类型</translation>
    </message>
    <message>
        <source>a field of %1 bytes does not fit in the remaining %2</source>
        <translation>%1 字节的字段超出剩余的 %2 字节</translation>
    </message>
    <message>
        <source>all %1 samples that are used are of class %2</source>
        <translation>所用的 %1 个样本全部属于类别 %2</translation>
    </message>
    <message>
        <source>Remove such samples: results that depend on them are undefined.</source>
        <translation>请移除这类样本：依赖它们的结果没有定义。</translation>
    </message>
    <message>
        <source>%1 models include their weights; %2 would not be read</source>
        <translation>%1 模型已包含权重；不会读取 %2</translation>
    </message>
    <message>
        <source>Remove %1.</source>
        <translation>请移除 %1。</translation>
    </message>
    <message>
        <source>its structure cannot be read</source>
        <translation>无法读取其结构</translation>
    </message>
    <message>
        <source>the number %1 is too large</source>
        <translation>数字 %1 过大</translation>
    </message>
    <message>
        <source>unknown element type %1</source>
        <translation>未知的元素类型 %1</translation>
    </message>
    <message>
        <source>a tensor&apos;s shape is not usable</source>
        <translation>某个张量的形状不可用</translation>
    </message>
    <message>
        <source>unknown attribute kind %1</source>
        <translation>未知的属性类型 %1</translation>
    </message>
    <message>
        <source>a dimension is negative</source>
        <translation>某个维度为负数</translation>
    </message>
    <message>
        <source>an unknown visibility</source>
        <translation>未知的 visibility</translation>
    </message>
    <message>
        <source>a scale is not a positive number</source>
        <translation>某个缩放系数不是正数</translation>
    </message>
    <message>
        <source>scale and zero point differ in length</source>
        <translation>缩放系数与零点的长度不同</translation>
    </message>
    <message>
        <source>a link to a tensor that does not exist</source>
        <translation>连接指向不存在的张量</translation>
    </message>
    <message>
        <source>this is not a native Quantloupe file</source>
        <translation>这不是 Quantloupe 原生格式的文件</translation>
    </message>
    <message>
        <source>Export one with --export native:FILE.</source>
        <translation>请用 --export native:FILE 导出一个。</translation>
    </message>
    <message>
        <source>Use a newer program.</source>
        <translation>请使用更新版本的程序。</translation>
    </message>
    <message>
        <source>unknown key &apos;%1&apos;</source>
        <translation>未知的键“%1”</translation>
    </message>
    <message>
        <source>expected the keys descr, fortran_order and shape</source>
        <translation>应有键 descr、fortran_order 和 shape</translation>
    </message>
    <message>
        <source>%1: damaged array header: %2</source>
        <translation>%1：数组头损坏：%2</translation>
    </message>
    <message>
        <source>expected &apos;%1&apos; at byte %2</source>
        <translation>字节 %2 处应为“%1”</translation>
    </message>
    <message>
        <source>a quote is not closed</source>
        <translation>引号未闭合</translation>
    </message>
    <message>
        <source>fortran_order is neither True nor False</source>
        <translation>fortran_order 既不是 True 也不是 False</translation>
    </message>
    <message>
        <source>%1: expected an array of numbers, got records with fields</source>
        <translation>%1：应为数值数组，实际为含字段的记录</translation>
    </message>
    <message>
        <source>element type &apos;%1&apos;</source>
        <translation>元素类型“%1”</translation>
    </message>
    <message>
        <source>%1: expected an array of numbers, got element type &apos;%2&apos;</source>
        <translation>%1：应为数值数组，实际元素类型为“%2”</translation>
    </message>
    <message>
        <source>a dimension is too large</source>
        <translation>某个维度过大</translation>
    </message>
    <message>
        <source>a dimension is not a number</source>
        <translation>某个维度不是数字</translation>
    </message>
    <message>
        <source>more than 32 dimensions</source>
        <translation>超过 32 个维度</translation>
    </message>
    <message>
        <source>the size %1 does not fit in memory</source>
        <translation>大小 %1 超出内存容量</translation>
    </message>
    <message>
        <source>%1: the value %2 does not fit in a signed 64-bit integer</source>
        <translation>%1：值 %2 超出有符号 64 位整数的范围</translation>
    </message>
    <message>
        <source>%1: expected NumPy format version 1, 2 or 3, got %2</source>
        <translation>%1：NumPy 格式版本应为 1、2 或 3，实际为 %2</translation>
    </message>
    <message>
        <source>%1: the array header is cut off</source>
        <translation>%1：数组头不完整</translation>
    </message>
    <message>
        <source>%1: the header says %2 %3 = %4 bytes, but %5 follow</source>
        <translation>%1：数组头声明 %2 %3 = %4 字节，但其后有 %5 字节</translation>
    </message>
    <message>
        <source>%1: %2 %3 is more than 2 GiB in one piece</source>
        <translation>%1：%2 %3 单个超过 2 GiB</translation>
    </message>
    <message>
        <source>no NumPy type for this tensor</source>
        <translation>此张量没有对应的 NumPy 类型</translation>
    </message>
    <message>
        <source>ONNX has no element type for this tensor</source>
        <translation>此张量没有对应的 ONNX 元素类型</translation>
    </message>
    <message>
        <source>ONNX</source>
        <translation>ONNX</translation>
    </message>
    <message>
        <source>ONNX models of IR 3 to 14 and opset 6 to 28, with external data below the model&apos;s folder.</source>
        <translation>IR 3 到 14、opset 6 到 28 的 ONNX 模型，外部数据位于模型所在文件夹之下。</translation>
    </message>
    <message>
        <source>the ONNX file is truncated or damaged: %1 at byte %2 of %3</source>
        <translation>ONNX 文件被截断或损坏：%3 字节中的第 %2 字节处，%1</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; has no graph</source>
        <translation>属性“%1”没有子图</translation>
    </message>
    <message>
        <source>a number of pixels</source>
        <translation>像素数</translation>
    </message>
    <message>
        <source>a factor such as 1/255</source>
        <translation>系数，例如 1/255</translation>
    </message>
    <message>
        <source>two limits such as 0,1</source>
        <translation>两个界限，例如 0,1</translation>
    </message>
    <message>
        <source>`quantloupe-cli preprocess` lists the steps; an example: &quot;rgb; resize 256 short; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225; layout nchw&quot;.</source>
        <translation>`quantloupe-cli preprocess` 会列出各个步骤；示例：&quot;rgb; resize 256 short; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225; layout nchw&quot;。</translation>
    </message>
    <message>
        <source>expected %1</source>
        <translation>应为 %1</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>以下之一：%1</translation>
    </message>
    <message>
        <source>expected %1 from %2 to %3, got &apos;%4&apos;</source>
        <translation>应为 %1，范围 %2 到 %3，实际为“%4”</translation>
    </message>
    <message>
        <source>a size such as 224 or 320x240 (width x height)</source>
        <translation>尺寸，例如 224 或 320x240（宽 x 高）</translation>
    </message>
    <message>
        <source>a size in pixels</source>
        <translation>以像素为单位的尺寸</translation>
    </message>
    <message>
        <source>a number, or three with commas</source>
        <translation>一个数字，或以逗号分隔的三个数字</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>%1: expected a class index (0, 1, 2 ...), got &apos;%2&apos;</source>
        <translation>%1：应为类别编号（0、1、2 ...），实际为“%2”</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Fix it with %1, or save .npy files.</source>
        <translation>请用 %1 固定形状，或保存为 .npy 文件。</translation>
    </message>
    <message>
        <source>expected %1 bytes (one sample of %2 %3), got %4</source>
        <translation>应为 %1 字节（一个 %2 %3 样本），实际为 %4 字节</translation>
    </message>
    <message>
        <source>%1: expected &quot;filename class&quot;, got &apos;%2&apos;</source>
        <translation>%1：应为 &quot;filename class&quot;，实际为“%2”</translation>
    </message>
    <message>
        <source>the folder holds no samples%1</source>
        <translation>文件夹中没有样本%1</translation>
    </message>
    <message>
        <source>%1unknown key &apos;%2&apos;.</source>
        <translation>%1未知的键“%2”。</translation>
    </message>
    <message>
        <source>%1expected an object</source>
        <translation>%1应为对象</translation>
    </message>
    <message>
        <source>%1&apos;file&apos; or &apos;files&apos;, not both</source>
        <translation>%1只能使用 &apos;file&apos; 或 &apos;files&apos; 之一</translation>
    </message>
    <message>
        <source>%1expected the path of a file for &apos;%2&apos;, got %3</source>
        <translation>%1“%2”应为文件路径，实际为 %3</translation>
    </message>
    <message>
        <source>%1no file for input &apos;%2&apos;</source>
        <translation>%1没有用于输入“%2”的文件</translation>
    </message>
    <message>
        <source>%1one file for %2 inputs must be a .npz</source>
        <translation>%1用于 %2 个输入的单个文件必须是 .npz</translation>
    </message>
    <message>
        <source>%1&apos;%2&apos; does not exist.</source>
        <translation>%1“%2”不存在。</translation>
    </message>
    <message>
        <source>%1&apos;label&apos; must be a class index (0, 1, 2 ...)</source>
        <translation>%1&apos;label&apos; 应为类别编号（0、1、2 ...）</translation>
    </message>
    <message>
        <source>no operation with id %1</source>
        <translation>没有 id 为 %1 的算子</translation>
    </message>
    <message>
        <source>no variable with id %1</source>
        <translation>没有 id 为 %1 的变量</translation>
    </message>
    <message>
        <source>a variable needs a name</source>
        <translation>变量需要名称</translation>
    </message>
    <message>
        <source>an operation needs a name</source>
        <translation>算子需要名称</translation>
    </message>
    <message>
        <source>the tensor already has a producer</source>
        <translation>该张量已有产生者</translation>
    </message>
    <message>
        <source>the tensor is still linked</source>
        <translation>该张量仍有连接</translation>
    </message>
    <message>
        <source>an id is out of range</source>
        <translation>id 超出范围</translation>
    </message>
    <message>
        <source>graph is inconsistent: %1</source>
        <translation>图不一致：%1</translation>
    </message>
    <message>
        <source>operation was not found by name</source>
        <translation>按名称找不到该算子</translation>
    </message>
    <message>
        <source>input %1 does not exist</source>
        <translation>输入 %1 不存在</translation>
    </message>
    <message>
        <source>output %1 does not exist</source>
        <translation>输出 %1 不存在</translation>
    </message>
    <message>
        <source>output does not know its producer</source>
        <translation>输出未记录其产生者</translation>
    </message>
    <message>
        <source>a use is listed twice</source>
        <translation>某个使用记录出现两次</translation>
    </message>
    <message>
        <source>tensor was not found by name</source>
        <translation>按名称找不到该张量</translation>
    </message>
    <message>
        <source>producer does not exist</source>
        <translation>产生者不存在</translation>
    </message>
    <message>
        <source>the producer does not write the tensor</source>
        <translation>产生者没有写出该张量</translation>
    </message>
    <message>
        <source>tensor has a value and a producer</source>
        <translation>张量既有值又有产生者</translation>
    </message>
    <message>
        <source>an input does not know its consumer</source>
        <translation>某个输入未记录其使用者</translation>
    </message>
    <message>
        <source>graph input or output does not exist</source>
        <translation>图的输入或输出不存在</translation>
    </message>
    <message>
        <source>a pattern must be acyclic</source>
        <translation>模式不能有环</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Clips where the quantized histogram differs least from the float one. Symmetric; reads the data twice.</source>
        <translation>在量化直方图与浮点直方图差异最小处截断。对称；需读取数据两遍。</translation>
    </message>
    <message>
        <source>Searches the range with the smallest estimated rounding and clipping error. Reads the data twice.</source>
        <translation>搜索估计的取整误差与截断误差最小的范围。需读取数据两遍。</translation>
    </message>
    <message>
        <source>a floating format</source>
        <translation>浮点格式</translation>
    </message>
    <message>
        <source>an integer format</source>
        <translation>整数格式</translation>
    </message>
    <message>
        <source>a config with one scale per channel</source>
        <translation>逐通道缩放系数的配置</translation>
    </message>
    <message>
        <source>an asymmetric config</source>
        <translation>非对称的配置</translation>
    </message>
    <message>
        <source>statistics of a tensor: %1</source>
        <translation>张量的统计：%1</translation>
    </message>
    <message>
        <source>Ignores the outermost values.</source>
        <translation>忽略最外侧的值。</translation>
    </message>
    <message>
        <source>Give calibration data (%1).</source>
        <translation>请提供校准数据（%1）。</translation>
    </message>
    <message>
        <source>Compute in float32</source>
        <translation>以 float32 计算</translation>
    </message>
    <message>
        <source>Before: tensors in float16 or bfloat16. After: tensors in float32, with a Cast after each graph input and before each graph output.</source>
        <translation>之前：张量为 float16 或 bfloat16。之后：张量为 float32，每个图输入之后和每个图输出之前各有一个 Cast。</translation>
    </message>
    <message>
        <source>Give calibration data (%1), or set including_act to false.</source>
        <translation>请提供校准数据（%1），或将 including_act 设为 false。</translation>
    </message>
    <message>
        <source>the tensor is %1, not float32</source>
        <translation>该张量为 %1，而不是 float32</translation>
    </message>
    <message>
        <source>channel axis %1 is out of range for a tensor of rank %2</source>
        <translation>通道轴 %1 超出 %2 维张量的范围</translation>
    </message>
    <message>
        <source>Quantize this tensor per tensor, or choose one of its axes.</source>
        <translation>请对此张量逐张量量化，或选择它的某个轴。</translation>
    </message>
    <message>
        <source>NaN values left out of the statistics: %1</source>
        <translation>统计时忽略了 %1 个 NaN 值</translation>
    </message>
    <message>
        <source>Find the operation that produces them; targets do not define how they treat NaN.</source>
        <translation>请找出产生它们的算子；目标平台没有定义如何处理 NaN。</translation>
    </message>
    <message>
        <source>Check that the data reaches this part of the network and is preprocessed as in training.</source>
        <translation>请检查数据是否到达网络的这一部分，以及预处理是否与训练时一致。</translation>
    </message>
    <message>
        <source>values range from %1 to %2, but the scale represents only %3 to %4</source>
        <translation>值的范围为 %1 到 %2，但缩放系数只能表示 %3 到 %4</translation>
    </message>
    <message>
        <source>not fused with %1 &apos;%2&apos;: they run on different platforms (%3, %4)</source>
        <translation>未与 %1“%2”融合：两者运行在不同的平台上（%3、%4）</translation>
    </message>
    <message>
        <source>there is no platform &apos;%1&apos;</source>
        <translation>没有平台“%1”</translation>
    </message>
    <message>
        <source>%1 matches no tensor of a quantized operation.</source>
        <translation>%1 没有匹配任何量化算子的张量。</translation>
    </message>
    <message>
        <source>scale has %1 entries, expected %2</source>
        <translation>缩放系数有 %1 项，应为 %2</translation>
    </message>
    <message>
        <source>1 or %1, the size of axis %2</source>
        <translation>1 或 %1（轴 %2 的大小）</translation>
    </message>
    <message>
        <source>1: the tensor has one scale</source>
        <translation>1：该张量只有一个缩放系数</translation>
    </message>
    <message>
        <source>%1 matches only sizes, axes, indices and tensors that are not float32.</source>
        <translation>%1 只匹配到尺寸、轴、索引以及非 float32 的张量。</translation>
    </message>
    <message>
        <source>%1 has no effect: the tensor is rounded by the scale of %2.</source>
        <translation>%1 不起作用：该张量按 %2 的缩放系数取整。</translation>
    </message>
    <message>
        <source>the tensor is not quantized</source>
        <translation>该张量没有量化</translation>
    </message>
    <message>
        <source>the tensor is already rounded (baked)</source>
        <translation>该张量已经取整（固化）</translation>
    </message>
    <message>
        <source>the tensor takes its scale from %1</source>
        <translation>该张量的缩放系数来自 %1</translation>
    </message>
    <message>
        <source>%1 fixes no scale: %2.</source>
        <translation>%1 没有固定任何缩放系数：%2。</translation>
    </message>
    <message>
        <source>Aggressive</source>
        <translation>激进</translation>
    </message>
    <message>
        <source>All in</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Conservative</source>
        <translation>保守</translation>
    </message>
    <message>
        <source>Perseus</source>
        <translation>Perseus</translation>
    </message>
    <message>
        <source>Pointwise</source>
        <translation>逐点</translation>
    </message>
    <message>
        <source>PPLNN</source>
        <translation>PPLNN</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>输入 %1</translation>
    </message>
    <message>
        <source>the %1 input</source>
        <translation>%1 输入</translation>
    </message>
    <message>
        <source>feeds %1 of %2</source>
        <translation>为 %2 的 %1 提供数据</translation>
    </message>
    <message>
        <source>must be [lowest, highest] value</source>
        <translation>应为 [最小值, 最大值]</translation>
    </message>
    <message>
        <source>no kernels for device %1</source>
        <translation>没有用于设备 %1 的内核</translation>
    </message>
    <message>
        <source>Run again with %1; if that works, report this.</source>
        <translation>请用 %1 重新运行；若能成功，请报告此问题。</translation>
    </message>
    <message>
        <source>Use %1; or build for CUDA: scripts/get-libtorch FOLDER, then cmake --preset gpu -DCMAKE_PREFIX_PATH=FOLDER/torch.</source>
        <translation>请使用 %1；或构建 CUDA 版本：先运行 scripts/get-libtorch FOLDER，再运行 cmake --preset gpu -DCMAKE_PREFIX_PATH=FOLDER/torch。</translation>
    </message>
    <message>
        <source>Use %2, or cuda:0 to cuda:%1.</source>
        <translation>请使用 %2，或 cuda:0 到 cuda:%1。</translation>
    </message>
    <message>
        <source>the slot has no quantization config; configure the operation first</source>
        <translation>该张量位没有量化配置；请先配置该算子</translation>
    </message>
    <message>
        <source>a slot cannot take its scale from itself</source>
        <translation>张量位不能沿用自身的缩放系数</translation>
    </message>
    <message>
        <source>two slots would take their scale from each other (cycle of scale sharing)</source>
        <translation>两个张量位将互相沿用缩放系数（缩放系数共用成环）</translation>
    </message>
    <message>
        <source>a slot cannot be overlapped by itself</source>
        <translation>张量位不能与自身重叠</translation>
    </message>
    <message>
        <source>two slots would overlap each other (cycle of scale sharing)</source>
        <translation>两个张量位将互相重叠（缩放系数共用成环）</translation>
    </message>
    <message>
        <source>a quantization config belongs to no operation</source>
        <translation>某个量化配置不属于任何算子</translation>
    </message>
    <message>
        <source>a quantization config belongs to no slot</source>
        <translation>某个量化配置不属于任何张量位</translation>
    </message>
    <message>
        <source>a config takes its scale from a slot without config</source>
        <translation>某个配置沿用了没有配置的张量位的缩放系数</translation>
    </message>
    <message>
        <source>scale sharing has a cycle</source>
        <translation>缩放系数共用成环</translation>
    </message>
    <message>
        <source>no size (rank %1)</source>
        <translation>没有大小（维数 %1）</translation>
    </message>
    <message>
        <source>the slot has no quantization config</source>
        <translation>该张量位没有量化配置</translation>
    </message>
    <message>
        <source>only static linear configs have integer codes</source>
        <translation>只有静态线性配置有整数编码</translation>
    </message>
    <message>
        <source>unknown %1 &apos;%2&apos;.</source>
        <translation>未知的 %1“%2”。</translation>
    </message>
    <message>
        <source>export %1</source>
        <translation>导出 %1</translation>
    </message>
    <message>
        <source>fall</source>
        <translation>递减</translation>
    </message>
    <message>
        <source>rise</source>
        <translation>递增</translation>
    </message>
    <message>
        <source>RGB</source>
        <translation>RGB</translation>
    </message>
    <message>
        <source>BGR</source>
        <translation>BGR</translation>
    </message>
    <message>
        <source>expected a number after the operator, got &apos;%1&apos;</source>
        <translation>运算符之后应为数字，实际为“%1”</translation>
    </message>
    <message>
        <source>Write it like 20, 1e-3 or 5%.</source>
        <translation>请写成 20、1e-3 或 5% 的形式。</translation>
    </message>
    <message>
        <source>expected WHAT OPERATOR NUMBER, got no operator</source>
        <translation>应为 WHAT OPERATOR NUMBER（对象、运算符、数值），但没有运算符</translation>
    </message>
    <message>
        <source>Write it like output.sqnr_db&lt;20; operators are &lt; &lt;= &gt; &gt;= == !=.</source>
        <translation>请写成 output.sqnr_db&lt;20 的形式；运算符有 &lt; &lt;= &gt; &gt;= == !=。</translation>
    </message>
    <message>
        <source>unknown operator &apos;%1&apos;</source>
        <translation>未知的运算符“%1”</translation>
    </message>
    <message>
        <source>Operators are &lt; &lt;= &gt; &gt;= == !=.</source>
        <translation>运算符有 &lt; &lt;= &gt; &gt;= == !=。</translation>
    </message>
    <message>
        <source>unknown word &apos;%1&apos;</source>
        <translation>未知的词“%1”</translation>
    </message>
    <message>
        <source>the name has no closing ]</source>
        <translation>名称缺少结尾的 ]</translation>
    </message>
    <message>
        <source>Write it like output[logits].mse&gt;1e-3.</source>
        <translation>请写成 output[logits].mse&gt;1e-3 的形式。</translation>
    </message>
    <message>
        <source>the name is empty</source>
        <translation>名称为空</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is a single number: it takes no names and no &apos;all&apos;</source>
        <translation>“%1”是单个数值，没有名称，也没有 &apos;all&apos;</translation>
    </message>
    <message>
        <source>Write it like %1%2&gt;0.</source>
        <translation>请写成 %1%2&gt;0 的形式。</translation>
    </message>
    <message>
        <source>.error</source>
        <translation>.error</translation>
    </message>
    <message>
        <source>expected a field like .noise_ratio, got &apos;%1&apos;</source>
        <translation>应为 .noise_ratio 这样的字段，实际为“%1”</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no fields</source>
        <translation>“%1”没有字段</translation>
    </message>
    <message>
        <source>Write %1&gt;60.</source>
        <translation>请写成 %1&gt;60。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; needs a field</source>
        <translation>“%1”需要字段</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no field &apos;%2&apos;</source>
        <translation>“%1”没有字段“%2”</translation>
    </message>
    <message>
        <source>the report has no %1 errors</source>
        <translation>报告中没有 %1 误差</translation>
    </message>
    <message>
        <source>Give evaluation data, and add outputs to --analyse.</source>
        <translation>请提供评估数据，并在 --analyse 中加入 outputs。</translation>
    </message>
    <message>
        <source>Add %1 to --analyse.</source>
        <translation>请在 --analyse 中加入 %1。</translation>
    </message>
    <message>
        <source>no %1 is named &apos;%2&apos;</source>
        <translation>没有名为“%2”的 %1</translation>
    </message>
    <message>
        <source>There are %1; the report lists them under %2.</source>
        <translation>共有 %1 个；报告将它们列在 %2 下。</translation>
    </message>
    <message>
        <source>the output would be read as a sample of %1</source>
        <translation>该输出会被当作 %1 的样本读取</translation>
    </message>
    <message>
        <source>Write it to another folder.</source>
        <translation>请写入其他文件夹。</translation>
    </message>
    <message>
        <source>the output would overwrite a file that is read</source>
        <translation>该输出会覆盖要读取的文件</translation>
    </message>
    <message>
        <source>Choose another path.</source>
        <translation>请为其指定单独的路径。</translation>
    </message>
    <message>
        <source>%1; also %2 more: %3</source>
        <translation>%1；另有 %2 个：%3</translation>
    </message>
    <message>
        <source>Write reports with run --json FILE.</source>
        <translation>请用 run --json FILE 写出报告。</translation>
    </message>
    <message>
        <source>%1 of %2 evaluation samples were also used for calibration</source>
        <translation>%2 个评估样本中有 %1 个也用于校准</translation>
    </message>
    <message>
        <source>the optional value is empty: there is no array to write</source>
        <translation>可选值为空：没有可写出的数组</translation>
    </message>
    <message>
        <source>the model has no tensor &apos;%1&apos;.</source>
        <translation>模型没有张量“%1”。</translation>
    </message>
    <message>
        <source>Only neural networks are quantized. Run the model as it is, or export only the network in it.</source>
        <translation>只能量化神经网络。请按原样运行模型，或只导出其中的网络。</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 以及另外 %2 个</translation>
    </message>
    <message>
        <source>  %1 (%2, opset %3): %4</source>
        <translation>  %1（%2，opset %3）：%4</translation>
    </message>
    <message>
        <source>passes[%1] &apos;%2&apos;: %3</source>
        <translation>passes[%1]“%2”：%3</translation>
    </message>
    <message>
        <source>Use a smaller %1, a smaller batch or fewer tensors, or a machine with more memory.</source>
        <translation>请减小 %1、减小批次或减少张量，或使用内存更大的机器。</translation>
    </message>
    <message>
        <source>an exception of an unknown type</source>
        <translation>未知类型的异常</translation>
    </message>
    <message>
        <source>Academic INT4</source>
        <translation>学术 INT4</translation>
    </message>
    <message>
        <source>Academic INT8</source>
        <translation>学术 INT8</translation>
    </message>
    <message>
        <source>ncnn INT8</source>
        <translation>ncnn INT8</translation>
    </message>
    <message>
        <source>NXP INT8</source>
        <translation>NXP INT8</translation>
    </message>
    <message>
        <source>ONNX Runtime</source>
        <translation>ONNX Runtime</translation>
    </message>
    <message>
        <source>OpenVINO INT8</source>
        <translation>OpenVINO INT8</translation>
    </message>
    <message>
        <source>PPL CUDA INT8</source>
        <translation>PPL CUDA INT8</translation>
    </message>
    <message>
        <source>RKNN INT8</source>
        <translation>RKNN INT8</translation>
    </message>
    <message>
        <source>Tengine INT8</source>
        <translation>Tengine INT8</translation>
    </message>
    <message>
        <source>TensorRT INT8</source>
        <translation>TensorRT INT8</translation>
    </message>
    <message>
        <source>%3: no error in %1 of %2 rows (infinite SQNR)</source>
        <translation>%3 的 %2 行中有 %1 行完全没有误差：其 SQNR 为无穷大</translation>
    </message>
    <message>
        <source>%1 must be an object</source>
        <translation>%1 应为对象</translation>
    </message>
    <message>
        <source>%1 has no &apos;%2&apos;</source>
        <translation>%1 没有“%2”</translation>
    </message>
    <message>
        <source>%1 must be %2, got %3</source>
        <translation>%1 应为 %2，实际为 %3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2 %)</source>
        <translation>“%1”（%2 %）</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>largest |value| of each channel</source>
        <translation>各通道的最大 |值|</translation>
    </message>
    <message>
        <source>%1 of the %2 float values of its input &apos;%3&apos; are NaN or infinite.</source>
        <translation>其输入“%3”的 %2 个浮点值中有 %1 个为 NaN 或无穷大。</translation>
    </message>
    <message>
        <source>%1 of its %2 float values are NaN or infinite.</source>
        <translation>其 %2 个浮点值中有 %1 个为 NaN 或无穷大。</translation>
    </message>
    <message>
        <source>%1 of its %2 channels never change on these samples.</source>
        <translation>其 %2 个通道中有 %1 个在这些样本上从不变化。</translation>
    </message>
    <message>
        <source>largest |value| of each operand</source>
        <translation>各操作数的最大 |值|</translation>
    </message>
    <message>
        <source>They hold integers; test output.equal_share instead.</source>
        <translation>它们是整数；请改为测试 output.equal_share。</translation>
    </message>
    <message>
        <source>analysis &apos;details&apos;: no operations are listed</source>
        <translation>分析“details”：未列出任何算子</translation>
    </message>
    <message>
        <source>List operations: --set &apos;analyses.details.operations=[&quot;stem&quot;]&apos;.</source>
        <translation>请列出算子：--set &apos;analyses.details.operations=[&quot;stem&quot;]&apos;。</translation>
    </message>
    <message>
        <source>Evenly sampled pairs of float and quantized values, and minimum, quartiles and maximum of every channel, for each input, parameter and output of the selected operations.</source>
        <translation>对指定算子的每个输入、参数和输出：均匀抽取的浮点值与量化值对，以及每个通道的最小值、四分位数和最大值。</translation>
    </message>
    <message>
        <source>Maximum number of value pairs per tensor.</source>
        <translation>每个张量的数值对数上限。</translation>
    </message>
    <message>
        <source>accuracy not reported: labels do not match the float32 output (%1)</source>
        <translation>不报告准确率：标签与 float32 输出不符（%1）</translation>
    </message>
    <message>
        <source>If the output holds class scores, check preprocessing and the order of the labels.</source>
        <translation>如果输出是类别得分，请检查预处理和标签的次序。</translation>
    </message>
    <message>
        <source>Error of every quantized operation&apos;s output with the whole model quantized: the error accumulated up to this operation.</source>
        <translation>整个模型量化时每个量化算子输出的误差：到该算子为止累积的误差。</translation>
    </message>
    <message>
        <source>Error of the graph outputs with the whole model quantized, and accuracy if the data has labels.</source>
        <translation>整个模型量化时图输出的误差；数据带标签时还有准确率。</translation>
    </message>
    <message>
        <source>Smallest and largest float value of every activation, the share of values that are outside the quantized range or not finite, channels that never change, and operands of Add and Concat side by side.</source>
        <translation>每个激活值在浮点下的最小值和最大值、超出量化范围或非有限值所占的比例、从不变化的通道，以及 Add 和 Concat 各操作数的对照。</translation>
    </message>
    <message>
        <source>Histograms of 512 bins instead of 64, the number of zeros, and every distinct value if there are at most 256.</source>
        <translation>直方图用 512 个区间而非 64 个，并给出零值的个数；不同的数值不多于 256 个时逐个列出。</translation>
    </message>
    <message>
        <source>Names or patterns of the operations to inspect; empty: all that do arithmetic.</source>
        <translation>要查看的算子的名称或模式；留空为所有做运算的算子。</translation>
    </message>
    <message>
        <source>Distribution of selected tensors.</source>
        <translation>指定张量的分布。</translation>
    </message>
    <message>
        <source>Names or patterns of the operations to inspect; empty: all.</source>
        <translation>要查看的算子的名称或模式；留空为全部。</translation>
    </message>
    <message>
        <source>%3: %1 of %2 rows cannot be measured because float32 values are all zero, NaN or infinite</source>
        <translation>%3 的 %2 行中有 %1 行无法测量：其 float32 值全为零，或有值为 NaN 或无穷大</translation>
    </message>
    <message>
        <source>Keep &apos;%1&apos; in FP32, or give it more bits: its rounded value, often zero, has no defined result there.</source>
        <translation>让“%1”保持 FP32，或增加其位宽：其取整后的值（往往为零）在该处没有定义的结果。</translation>
    </message>
    <message>
        <source>It changes the float graph and runs before &apos;%1&apos;, regardless of its position here.</source>
        <translation>它修改浮点图，无论排在哪里都会先于“%1”执行。</translation>
    </message>
    <message>
        <source>It reads scales that &apos;%1&apos; sets later.</source>
        <translation>它读取的缩放系数要到后面的“%1”才设定。</translation>
    </message>
    <message>
        <source>It reads scales that &apos;%1&apos; would set.</source>
        <translation>它读取的缩放系数应由“%1”设定。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; runs later and changes its result.</source>
        <translation>“%1”在其后运行，会改变它的结果。</translation>
    </message>
    <message>
        <source>It merges slots that have already been calibrated separately.</source>
        <translation>它要合并的位置已经逐个校准过了。</translation>
    </message>
    <message>
        <source>It has just run with the same parameters.</source>
        <translation>它刚刚以相同的参数运行过。</translation>
    </message>
    <message>
        <source>not a valid text: %1</source>
        <translation>不是有效的文本：%1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a string</source>
        <translation>“%1”不是字符串</translation>
    </message>
    <message>
        <source>%1: the mask must have one length per sequence</source>
        <translation>%1：掩码应为每个序列给出一个长度</translation>
    </message>
    <message>
        <source>%1: the mask covers %2 keys, expected %3</source>
        <translation>%1：掩码覆盖 %2 个键，应为 %3 个</translation>
    </message>
    <message>
        <source>%1: the hidden size is not divisible by num_heads</source>
        <translation>%1：隐藏维度不能被 num_heads 整除</translation>
    </message>
    <message>
        <source>%1: qkv_hidden_sizes do not match the weights</source>
        <translation>%1：qkv_hidden_sizes 与权重不匹配</translation>
    </message>
    <message>
        <source>%1: the caches rotate %2 elements, but a head has only %3</source>
        <translation>%1：缓存旋转 %2 个元素，而一个头只有 %3 个</translation>
    </message>
    <message>
        <source>Attention: the mask covers %1 keys, expected %2</source>
        <translation>Attention：掩码覆盖 %1 个键，应为 %2 个</translation>
    </message>
    <message>
        <source>Attention: %1 query heads do not match %2 key heads and %3 value heads</source>
        <translation>Attention：%1 个 query 头与 %2 个 key 头、%3 个 value 头不匹配</translation>
    </message>
    <message>
        <source>the tensor has no value: it is neither computed nor constant nor fed</source>
        <translation>该张量没有值：既不是计算得到，也不是常量，也没有输入</translation>
    </message>
    <message>
        <source>Loop: the body has fewer outputs than loop-carried values</source>
        <translation>Loop：子图的输出少于循环携带的值</translation>
    </message>
    <message>
        <source>Scan: axes and directions do not match the number of sequences</source>
        <translation>Scan：axes 和 directions 与序列数不匹配</translation>
    </message>
    <message>
        <source>Scan: num_scan_inputs does not match the inputs</source>
        <translation>Scan：num_scan_inputs 与输入不匹配</translation>
    </message>
    <message>
        <source>input of rank %1 and weight of rank %2; both must be [N, C, spatial...] of the same rank</source>
        <translation>输入为 %1 维，权重为 %2 维；两者都应为维数相同的 [N, C, spatial...]</translation>
    </message>
    <message>
        <source>%1 is &apos;%2&apos;; implemented: %3</source>
        <translation>%1 为“%2”，已实现的有：%3</translation>
    </message>
    <message>
        <source>%1: the result %2 needs %3 MiB, but %4 MiB are available</source>
        <translation>%1：结果 %2 需要 %3 MiB，可用的只有 %4 MiB</translation>
    </message>
    <message>
        <source>Reshape: dimension %1 cannot be copied from an input of rank %2</source>
        <translation>Reshape：无法从 %2 维的输入复制维度 %1</translation>
    </message>
    <message>
        <source>Split: the parts do not match axis %1 of size %2</source>
        <translation>Split：各部分与大小为 %2 的轴 %1 不匹配</translation>
    </message>
    <message>
        <source>DepthToSpace: the number of channels is not divisible by blocksize squared</source>
        <translation>DepthToSpace：通道数不能被 blocksize 的平方整除</translation>
    </message>
    <message>
        <source>SpaceToDepth: height and width are not divisible by blocksize</source>
        <translation>SpaceToDepth：高和宽不能被 blocksize 整除</translation>
    </message>
    <message>
        <source>%1: the ranks of input and target do not match</source>
        <translation>%1：输入与目标的维数不匹配</translation>
    </message>
    <message>
        <source>InstanceNormalization: scale and bias must have one entry per channel of [N, C, ...], not %1</source>
        <translation>InstanceNormalization：scale 和 bias 应为 [N, C, ...] 的每个通道各有一项，而不是 %1</translation>
    </message>
    <message>
        <source>GroupNormalization: the number of channels is not divisible by num_groups</source>
        <translation>GroupNormalization：通道数不能被 num_groups 整除</translation>
    </message>
    <message>
        <source>%1: kernel_shape, strides, dilations or pads do not match an input of rank %2</source>
        <translation>%1：kernel_shape、strides、dilations 或 pads 与 %2 维的输入不匹配</translation>
    </message>
    <message>
        <source>sizes differ along an axis that is not concatenated</source>
        <translation>在不拼接的轴上大小不同</translation>
    </message>
    <message>
        <source>an axis is out of range</source>
        <translation>轴超出维数范围</translation>
    </message>
    <message>
        <source>input shapes or attributes are incompatible</source>
        <translation>输入形状或属性不兼容</translation>
    </message>
    <message>
        <source>not enough memory for the result of %1 with inputs %2</source>
        <translation>内存不足以保存 %1 的结果，其输入为 %2</translation>
    </message>
    <message>
        <source>Run again with %1 to see what is wrong with the model or the data. The device stays unusable until this program ends.</source>
        <translation>请用 %1 重新运行，以查明模型或数据的问题。在本程序结束之前，该设备无法使用。</translation>
    </message>
    <message>
        <source>%1, for sample %2</source>
        <translation>%1，样本为 %2</translation>
    </message>
    <message>
        <source>the number of activations does not match the number of directions</source>
        <translation>激活函数的个数与方向数不匹配</translation>
    </message>
    <message>
        <source>unknown direction &apos;%1&apos;</source>
        <translation>未知的方向“%1”</translation>
    </message>
    <message>
        <source>the shapes are incompatible: %1</source>
        <translation>形状不兼容：%1</translation>
    </message>
    <message>
        <source>the shape of B does not match</source>
        <translation>B 的形状不匹配</translation>
    </message>
    <message>
        <source>sequence_lens must have one entry per sequence</source>
        <translation>sequence_lens 应为每个序列各有一项</translation>
    </message>
    <message>
        <source>%1: index tuples of length %2 are too long for a tensor of rank %3</source>
        <translation>%1：长度为 %2 的索引元组对 %3 维张量过长</translation>
    </message>
    <message>
        <source>GatherND: batch_dims does not match the shapes of data and indices</source>
        <translation>GatherND：batch_dims 与 data 和 indices 的形状不匹配</translation>
    </message>
    <message>
        <source>ScatterND: the indices need %2 updates, got %1</source>
        <translation>ScatterND：按 indices 应有 %2 个 updates，实际为 %1 个</translation>
    </message>
    <message>
        <source>%1: the shapes of indices and updates do not match</source>
        <translation>%1：indices 与 updates 的形状不匹配</translation>
    </message>
    <message>
        <source>TopK: k is %1, but axis %2 has size %3</source>
        <translation>TopK：k 为 %1，而轴 %2 的大小为 %3</translation>
    </message>
    <message>
        <source>%1: position %2 is outside a sequence of length %3</source>
        <translation>%1：位置 %2 超出长度为 %3 的序列</translation>
    </message>
    <message>
        <source>SplitToSequence: the parts do not match axis %1 of size %2</source>
        <translation>SplitToSequence：各部分与大小为 %2 的轴 %1 不匹配</translation>
    </message>
    <message>
        <source>DFT: the axis must not be the component axis (real, imaginary)</source>
        <translation>DFT：axis 不能是分量（实部、虚部）所在的轴</translation>
    </message>
    <message>
        <source>DFT: the inverse of a one-sided spectrum for length %1 needs %2 complex bins, got %3</source>
        <translation>DFT：长度为 %1 的单边谱逆变换需要 %2 个复数频点，实际为 %3 个</translation>
    </message>
    <message>
        <source>STFT: signal, frame_step, window and frame_length are incompatible</source>
        <translation>STFT：signal、frame_step、window 和 frame_length 不兼容</translation>
    </message>
    <message>
        <source>ngram_indexes is empty or has negative entries</source>
        <translation>ngram_indexes 为空或含有负数</translation>
    </message>
    <message>
        <source>ngram_indexes needs more than 2^24 columns</source>
        <translation>ngram_indexes 需要超过 2^24 列</translation>
    </message>
    <message>
        <source>ngram_counts does not match the pool</source>
        <translation>ngram_counts 与 pool 不匹配</translation>
    </message>
    <message>
        <source>ngram_indexes has fewer entries than the pool has n-grams</source>
        <translation>ngram_indexes 的项数少于 pool 中的 n-gram 数</translation>
    </message>
    <message>
        <source>DeformConv: the shapes of X, W, offset and mask are incompatible</source>
        <translation>DeformConv：X、W、offset 和 mask 的形状不兼容</translation>
    </message>
    <message>
        <source>MaxUnpool: kernel_shape, strides or pads do not match the input</source>
        <translation>MaxUnpool：kernel_shape、strides 或 pads 与输入不匹配</translation>
    </message>
    <message>
        <source>image_shape, block_shape, pads, strides and dilations are incompatible</source>
        <translation>image_shape、block_shape、pads、strides 和 dilations 互不兼容</translation>
    </message>
    <message>
        <source>a block is larger than the padded image</source>
        <translation>块大于填充后的图像</translation>
    </message>
    <message>
        <source>the export folder does not exist</source>
        <translation>导出文件夹不存在</translation>
    </message>
    <message>
        <source>the export folder is not writable</source>
        <translation>导出文件夹不可写</translation>
    </message>
    <message>
        <source>Write the file even if tensors are not calibrated; they stay in float32.</source>
        <translation>即使有张量未校准也写出文件；这些张量保持 float32。</translation>
    </message>
    <message>
        <source>The file has operators of domain &apos;caffe&apos; (%1): a runtime needs a plug-in for them; otherwise cut the model before them.</source>
        <translation>文件含有 caffe 域的算子（%1）：运行时需要相应插件，否则请在它们之前截断模型。</translation>
    </message>
    <message>
        <source>Some biases are float, as simulated, but ONNX Runtime&apos;s optimizer rounds them to int32. To match the simulation, add the pass %1, or set the session option session.disable_quant_qdq to 1.</source>
        <translation>部分偏置为浮点，与模拟一致，但 ONNX Runtime 的优化器会将其取整为 int32。要与模拟一致，请添加处理步骤 %1，或将会话选项 session.disable_quant_qdq 设为 1。</translation>
    </message>
    <message>
        <source>QuantizeLinear rounds half to even; the simulator rounds activations %1, so values exactly between two steps may differ by one step at each operation, and by more downstream.</source>
        <translation>QuantizeLinear 按“半数取偶”取整；模拟器中激活值的取整方式为 %1，因此恰在两级中间的值在每个算子处可能相差一级，在下游相差更多。</translation>
    </message>
    <message>
        <source>two weight files are given, but no definition of the net</source>
        <translation>给出了两个权重文件，却没有网络的定义</translation>
    </message>
    <message>
        <source>there is no .prototxt next to the weights; the definition stored in them is used, which is that of the net during training</source>
        <translation>权重旁边没有 .prototxt；使用权重文件中的定义，即训练时的网络</translation>
    </message>
    <message>
        <source>Put the .prototxt of the deployed net next to it, under the same name.</source>
        <translation>请将部署用的 .prototxt 以相同的名称放在旁边。</translation>
    </message>
    <message>
        <source>Caffe nets: a prototxt with its caffemodel, in the current layer format or one of the two older ones. The weights file is found by name next to the prototxt, and vice versa.</source>
        <translation>Caffe 网络：prototxt 及其 caffemodel，支持当前的层格式和两种旧格式。权重文件按名称在 prototxt 所在文件夹中查找，反之亦然。</translation>
    </message>
    <message>
        <source>blobs of %1 and %2 are incompatible</source>
        <translation>形状为 %1 和 %2 的 blob 不兼容</translation>
    </message>
    <message>
        <source>its filler would create an empty or too large blob: %1</source>
        <translation>其 filler 将生成空的或过大的 blob：%1</translation>
    </message>
    <message>
        <source>its bottom is %1, only one to three spatial axes are supported</source>
        <translation>其 bottom 为 %1，只支持一到三个空间轴</translation>
    </message>
    <message>
        <source>its bottoms %1 and %2 are incompatible</source>
        <translation>其 bottom 为 %1 和 %2，不兼容</translation>
    </message>
    <message>
        <source>it has %1 variances, expected 1 or 4</source>
        <translation>有 %1 个 variance，应为 1 个或 4 个</translation>
    </message>
    <message>
        <source>it would create %1 boxes for each cell of %2</source>
        <translation>将为 %2 的每个位置生成 %1 个框</translation>
    </message>
    <message>
        <source>its bottoms %1, %2 and %3 do not match %4 classes and %5 boxes</source>
        <translation>其 bottom %1、%2 和 %3 与 %4 个类别、%5 个框不匹配</translation>
    </message>
    <message>
        <source>it has %1 values of coeff; only SUM takes them, one for each of its %2 bottoms</source>
        <translation>有 %1 个 coeff 值；只有 SUM 使用它们，%2 个 bottom 各一个</translation>
    </message>
    <message>
        <source>its bottoms are %1, %2 and %3; it needs one [N, C] and two [N, C, ...]</source>
        <translation>其 bottom 为 %1、%2 和 %3；应为一个 [N, C] 和两个 [N, C, ...]</translation>
    </message>
    <message>
        <source>use_global_stats is false: mean and variance are those of the current batch, as the layer specifies</source>
        <translation>use_global_stats 为 false：按该层的设定，均值和方差取自当前批次</translation>
    </message>
    <message>
        <source>Remove use_global_stats to use the learned statistics.</source>
        <translation>如要使用训练得到的统计量，请去掉 use_global_stats。</translation>
    </message>
    <message>
        <source>it has %1 blobs, expected mean, variance and their factor</source>
        <translation>有 %1 个 blob，应为均值、方差及其系数</translation>
    </message>
    <message>
        <source>a blob of %1 does not match %3 from axis %2 on</source>
        <translation>形状为 %1 的 blob 与 %3 从轴 %2 起的各轴不匹配</translation>
    </message>
    <message>
        <source>bottoms of %1 and %2 cannot be concatenated along axis %3</source>
        <translation>形状为 %1 和 %2 的 bottom 不能沿轴 %3 拼接</translation>
    </message>
    <message>
        <source>axis %1 of %2 cannot be split into %3 equal parts</source>
        <translation>%2 的轴 %1 不能切成相等的 %3 份</translation>
    </message>
    <message>
        <source>its slice points are not increasing, or exceed %1</source>
        <translation>其 slice_point 不是递增的，或超出 %1</translation>
    </message>
    <message>
        <source>a size of 0 refers to an axis that %1 does not have</source>
        <translation>大小为 0 表示沿用某个轴，但 %1 没有该轴</translation>
    </message>
    <message>
        <source>a blob of %1 gives no integer size for the axis that is -1</source>
        <translation>由形状为 %1 的 blob 无法得出 -1 所在轴的整数大小</translation>
    </message>
    <message>
        <source>end_axis is before axis</source>
        <translation>end_axis 在 axis 之前</translation>
    </message>
    <message>
        <source>the order lists an axis twice, or one that %1 does not have</source>
        <translation>order 中有重复的轴，或有 %1 没有的轴</translation>
    </message>
    <message>
        <source>STOCHASTIC pooling is for training only</source>
        <translation>STOCHASTIC 池化仅用于训练</translation>
    </message>
    <message>
        <source>with a stride of %1, windows of %2 start outside %3</source>
        <translation>步长为 %1 时，大小为 %2 的窗口会从 %3 之外开始</translation>
    </message>
    <message>
        <source>pad_beg and pad_end can only crop (must not be positive)</source>
        <translation>pad_beg 和 pad_end 只能裁剪（不得为正数）</translation>
    </message>
    <message>
        <source>its second bottom must be the mask of a MAX Pooling and have the size of the first</source>
        <translation>其第二个 bottom 必须是 MAX 池化的掩码，且大小与第一个相同</translation>
    </message>
    <message>
        <source>it would write %1, but the mask belongs to a blob of %2</source>
        <translation>它将写出 %1，但掩码属于形状为 %2 的 blob</translation>
    </message>
    <message>
        <source>Replace these layers, or remove them from the net.</source>
        <translation>请替换这些层，或将它们从网络中去掉。</translation>
    </message>
    <message>
        <source>Specify the .caffemodel with %1, or put it next to the prototxt under the same name.</source>
        <translation>请用 %1 指定 .caffemodel，或将其以相同名称放在 prototxt 旁边。</translation>
    </message>
    <message>
        <source>Give the weights that were trained with this prototxt; layers are matched to weights by name.</source>
        <translation>请提供与此 prototxt 一起训练的权重；各层按名称与权重对应。</translation>
    </message>
    <message>
        <source>Keep only one of them.</source>
        <translation>请只保留其一。</translation>
    </message>
    <message>
        <source>%1 compares with labels; the network has %2 instead</source>
        <translation>%1 与标签比较；网络中以 %2 代替</translation>
    </message>
    <message>
        <source>%1 is for training only and was left out</source>
        <translation>%1 仅用于训练，已去掉</translation>
    </message>
    <message>
        <source>`quantloupe-cli importers caffe` lists the supported types; cut the net before these layers.</source>
        <translation>`quantloupe-cli importers caffe` 列出支持的类型；请在这些层之前截断网络。</translation>
    </message>
    <message>
        <source>Correct the bottom; layers must be listed in the order in which they are computed.</source>
        <translation>请更正 bottom；各层必须按计算顺序排列。</translation>
    </message>
    <message>
        <source>Rename one of the tops; an in-place layer uses the same blob as its bottom.</source>
        <translation>请为其中一个 top 换名；原地计算的层应以同一个 blob 作为 bottom。</translation>
    </message>
    <message>
        <source>the net does not specify the size of this input</source>
        <translation>网络没有说明此输入的大小</translation>
    </message>
    <message>
        <source>the layer reads a database; the blob became an input of %1</source>
        <translation>该层读取数据库；该 blob 已成为形状为 %1 的输入</translation>
    </message>
    <message>
        <source>If these sizes are wrong, give others with %1. Move the layer&apos;s preprocessing (mean, scale) to %2.</source>
        <translation>若这些尺寸有误，请用 %1 另行给出。请将该层的预处理（mean、scale）移到 %2。</translation>
    </message>
    <message>
        <source>Run `git lfs pull` in the repository that the file comes from.</source>
        <translation>请在该文件所属的仓库中运行 `git lfs pull`。</translation>
    </message>
    <message>
        <source>line %1: messages are nested more than %2 levels deep</source>
        <translation>第 %1 行：消息嵌套超过 %2 层</translation>
    </message>
    <message>
        <source>Check that the layer works as intended without it.</source>
        <translation>请确认没有该字段时该层仍能正确工作。</translation>
    </message>
    <message>
        <source>a blob has the invalid shape %1</source>
        <translation>有 blob 的形状 %1 无效</translation>
    </message>
    <message>
        <source>a blob has values of type %1, expected 0 to 2 (double, float, half)</source>
        <translation>blob 的数值类型为 %1，应为 0 到 2（double、float、half）</translation>
    </message>
    <message>
        <source>expected Caffe weights, but the file (%1 bytes) contains no layers</source>
        <translation>应为 Caffe 权重，但该文件（%1 字节）中没有层</translation>
    </message>
    <message>
        <source>a padding layer comes before a layer of type &apos;%1&apos;, but only convolution and pooling can absorb it</source>
        <translation>填充层位于“%1”类型的层之前，但只有卷积和池化可以吸收填充</translation>
    </message>
    <message>
        <source>the net has both &apos;layer&apos; fields and &apos;layers&apos; fields of the older form</source>
        <translation>网络既有字段 &apos;layer&apos; 又有旧式字段 &apos;layers&apos;</translation>
    </message>
    <message>
        <source>sample %1: the input is of type %2, but the data is %3 and contains the value %4</source>
        <translation>样本 %1：输入的类型为 %2，但数据为 %3，且其中有值 %4</translation>
    </message>
    <message>
        <source>Transpose the samples to the layout of the input; for images, use the step &apos;layout&apos; of %1.</source>
        <translation>请将样本转置为输入的布局；图像请使用 %1 的 &apos;layout&apos; 步骤。</translation>
    </message>
    <message>
        <source>Save all samples in the same form: each as one entry of the batch.</source>
        <translation>请用同一种形式保存所有样本：每个样本是批次中的一个条目。</translation>
    </message>
    <message>
        <source>Use the same number for all samples of a batch.</source>
        <translation>请让同一批次的所有样本使用相同的数。</translation>
    </message>
    <message>
        <source>Supply the unbatched input in its full shape for each sample.</source>
        <translation>不按批次划分的那个输入，请为每个样本提供完整形状。</translation>
    </message>
    <message>
        <source>the model takes batches of %1 samples, the data has only %2</source>
        <translation>模型每批读取 %1 个样本，数据只有 %2 个</translation>
    </message>
    <message>
        <source>%1 samples were requested, but the data has only %2</source>
        <translation>要求 %1 个样本，但数据只有 %2 个</translation>
    </message>
    <message>
        <source>Give more data, or request fewer samples.</source>
        <translation>请提供更多数据，或减少样本数。</translation>
    </message>
    <message>
        <source>Use more samples, draw them evenly (%1), or list the ones to use in a manifest (docs/recipe.md).</source>
        <translation>请使用更多样本、均匀抽取（%1），或在清单文件中列出要使用的样本（docs/recipe.md）。</translation>
    </message>
    <message>
        <source>Convert it to PNG or JPEG, or remove it from the data.</source>
        <translation>请将其转换为 PNG 或 JPEG，或从数据中去掉。</translation>
    </message>
    <message>
        <source>expected an image of at most 100 million pixels, got %1x%2</source>
        <translation>图像最多应为 1 亿像素，实际为 %1x%2</translation>
    </message>
    <message>
        <source>damaged header of a PPM or PGM image</source>
        <translation>PPM 或 PGM 图片的文件头已损坏</translation>
    </message>
    <message>
        <source>the image is truncated</source>
        <translation>图片不完整</translation>
    </message>
    <message>
        <source>expected an image (JPEG, PNG, BMP, PPM or PGM), found other content</source>
        <translation>应为图片（JPEG、PNG、BMP、PPM 或 PGM），实际内容不是</translation>
    </message>
    <message>
        <source>damaged image: %1</source>
        <translation>图片已损坏：%1</translation>
    </message>
    <message>
        <source>the image file is empty</source>
        <translation>图片文件是空的</translation>
    </message>
    <message>
        <source>an input shape is given for &apos;%1&apos;, which is not a graph input.</source>
        <translation>为“%1”指定了输入形状，但它不是图的输入。</translation>
    </message>
    <message>
        <source>If an operation rejects the new shape, the model has hard-coded sizes.</source>
        <translation>如果有算子拒绝新的形状，说明模型中写死了大小。</translation>
    </message>
    <message>
        <source>values are nested too deeply</source>
        <translation>值的嵌套过深</translation>
    </message>
    <message>
        <source>expected an integer, got %1</source>
        <translation>应为整数，实际为 %1</translation>
    </message>
    <message>
        <source>a tensor&apos;s data does not match its shape</source>
        <translation>某个张量的数据与其形状不匹配</translation>
    </message>
    <message>
        <source>an attribute must have one value of one kind</source>
        <translation>一个属性只能有一种类型的一个值</translation>
    </message>
    <message>
        <source>this program cannot read this version of the native format</source>
        <translation>本程序无法读取此版本的原生格式</translation>
    </message>
    <message>
        <source>Files written by the exporter of the same name. `infer` runs them quantized as they are; `run` uses their float graph.</source>
        <translation>由同名导出器写出的文件。`infer` 按原样以量化方式运行；`run` 使用其浮点图。</translation>
    </message>
    <message>
        <source>expected a quoted string</source>
        <translation>应为带引号的字符串</translation>
    </message>
    <message>
        <source>%1: expected a NumPy array (.npy), but it does not start like one</source>
        <translation>%1：应为 NumPy 数组（.npy），但文件开头不符</translation>
    </message>
    <message>
        <source>%1: the array header is cut off or invalid</source>
        <translation>%1：数组头不完整或无效</translation>
    </message>
    <message>
        <source>duplicate node name; later nodes get a number</source>
        <translation>节点名称重复；后面的节点加上编号</translation>
    </message>
    <message>
        <source>Computing with strings is not supported; cut the model where they are used.</source>
        <translation>不支持字符串计算；请在使用它们之处截断模型。</translation>
    </message>
    <message>
        <source>nothing provides the tensor: it is not a graph input or an initialiser, and no node writes it.</source>
        <translation>没有任何来源提供该张量：它不是图的输入，不是初始值，也没有节点写出它。</translation>
    </message>
    <message>
        <source>a body reads an input that the caller omits</source>
        <translation>子图读取了调用处省略的输入</translation>
    </message>
    <message>
        <source>function calls are nested more than %1 levels deep</source>
        <translation>函数调用嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>Optional and sequence types are not supported.</source>
        <translation>不支持可选类型和序列类型。</translation>
    </message>
    <message>
        <source>IR version %1 is older than the oldest supported one, %2</source>
        <translation>IR 版本 %1 过旧，支持的最早版本为 %2</translation>
    </message>
    <message>
        <source>If operators are rejected, export the model with opset %1 or older.</source>
        <translation>如果有算子被拒绝，请用 opset %1 或更早的版本导出模型。</translation>
    </message>
    <message>
        <source>opset %1 is older than the oldest supported one, %2</source>
        <translation>opset %1 过旧，支持的最早版本为 %2</translation>
    </message>
    <message>
        <source>This is normal for masks and for the initial value of a maximum; otherwise the file is damaged.</source>
        <translation>对掩码和求最大值的初始值而言这是正常的；否则文件已损坏。</translation>
    </message>
    <message>
        <source>a Git LFS pointer instead of the actual file</source>
        <translation>Git LFS 指针，而不是实际的文件</translation>
    </message>
    <message>
        <source>an image</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Open the model here; images are calibration data.</source>
        <translation>此处应打开模型；图片是校准数据。</translation>
    </message>
    <message>
        <source>The file may be truncated; copy or download it again.</source>
        <translation>文件可能不完整；请重新复制或下载。</translation>
    </message>
    <message>
        <source>expected an ONNX model, but the file (%1 bytes) is not one</source>
        <translation>应为 ONNX 模型，但该文件（%1 字节）不是</translation>
    </message>
    <message>
        <source>graphs are nested more than %1 levels deep (bodies of If, Loop or Scan)</source>
        <translation>图嵌套超过 %1 层（If、Loop 或 Scan 的子图）</translation>
    </message>
    <message>
        <source>the tensor&apos;s data is in another file, but no file is specified</source>
        <translation>张量的数据在另一个文件中，但没有指明文件</translation>
    </message>
    <message>
        <source>Put the data file next to the model; nothing outside the model&apos;s folder is read.</source>
        <translation>请将数据文件放在模型旁边；不读取模型文件夹之外的内容。</translation>
    </message>
    <message>
        <source>external data must be inside the model&apos;s folder, found &apos;%1&apos;</source>
        <translation>外部数据必须位于模型的文件夹内，实际为“%1”</translation>
    </message>
    <message>
        <source>Copy it next to the model.</source>
        <translation>请将其复制到模型旁边。</translation>
    </message>
    <message>
        <source>external data must be inside the model&apos;s folder, &apos;%1&apos; resolves to %2</source>
        <translation>外部数据必须位于模型的文件夹内，“%1”却指向 %2</translation>
    </message>
    <message>
        <source>Copy the data file next to the model.</source>
        <translation>请将数据文件复制到模型旁边。</translation>
    </message>
    <message>
        <source>Copy the data file again; it belongs to another model or is truncated.</source>
        <translation>请重新复制数据文件；它属于另一个模型，或不完整。</translation>
    </message>
    <message>
        <source>type %1 is stored as %2</source>
        <translation>类型 %1 按 %2 保存</translation>
    </message>
    <message>
        <source>the dimensions %1 are invalid</source>
        <translation>维度 %1 无效</translation>
    </message>
    <message>
        <source>the dimensions of the sparse tensor are invalid</source>
        <translation>稀疏张量的维度无效</translation>
    </message>
    <message>
        <source>the sparse tensor has %1 elements, too many to store densely</source>
        <translation>稀疏张量有 %1 个元素，过多而无法按稠密形式保存</translation>
    </message>
    <message>
        <source>values and indices of the sparse tensor do not match</source>
        <translation>稀疏张量的值与索引不匹配</translation>
    </message>
    <message>
        <source>shape %1 does not match the %2 strings of the tensor</source>
        <translation>形状 %1 与张量的 %2 个字符串不匹配</translation>
    </message>
    <message>
        <source>%1 has the form of opset %2, but the file would declare opset %3</source>
        <translation>%1 为 opset %2 的形式，但文件将声明 opset %3</translation>
    </message>
    <message>
        <source>Convert the graph to one opset before writing it.</source>
        <translation>请先将图统一到一个 opset，再写出。</translation>
    </message>
    <message>
        <source>the image has %1 pixels, fewer than %2 (resize it first)</source>
        <translation>图片的像素为 %1，小于 %2（请先缩放）</translation>
    </message>
    <message>
        <source>the image has %1 pixels, more than %2 (resize or crop it first)</source>
        <translation>图片的像素为 %1，大于 %2（请先缩放或裁剪）</translation>
    </message>
    <message>
        <source>got %1 numbers for %2 channels</source>
        <translation>%2 个通道却有 %1 个数字</translation>
    </message>
    <message>
        <source>Channels red, green, blue (the order after decoding); a grey image gets three equal ones.</source>
        <translation>通道为红、绿、蓝（解码后的顺序）；灰度图得到三个相同的通道。</translation>
    </message>
    <message>
        <source>Scales: shorter side to N, longer side to N, or longer side to at most N; the aspect ratio is kept. N alone means NxN and, like width x height, changes the aspect ratio. multiple rounds both sides to multiples of M.</source>
        <translation>缩放：短边到 N、长边到 N，或长边至多 N；保持宽高比。单独的 N 表示 NxN，与 宽x高 一样会改变宽高比。multiple 将两边取整为 M 的倍数。</translation>
    </message>
    <message>
        <source>Scales to width x height, regardless of the aspect ratio.</source>
        <translation>缩放到 宽x高，不考虑宽高比。</translation>
    </message>
    <message>
        <source>Crops that many pixels from the centre (or the top left corner).</source>
        <translation>从中心（或左上角）裁出这么多像素。</translation>
    </message>
    <message>
        <source>Scales the image into the box, keeps the aspect ratio and fills the rest with V (0): on the right and bottom, or on all sides with center.</source>
        <translation>保持宽高比缩放到框内，其余部分填充 V（0）：在右侧和下方，使用 center 时在四周。</translation>
    </message>
    <message>
        <source>Rotates clockwise.</source>
        <translation>顺时针旋转。</translation>
    </message>
    <message>
        <source>Subtracts one value for all channels, or one per channel.</source>
        <translation>减去给定值：所有通道共用一个，或逐通道给出。</translation>
    </message>
    <message>
        <source>Divides by one value for all channels, or one per channel.</source>
        <translation>除以给定值：所有通道共用一个，或逐通道给出。</translation>
    </message>
    <message>
        <source>Adds one value for all channels, or one per channel.</source>
        <translation>加上给定值：所有通道共用一个，或逐通道给出。</translation>
    </message>
    <message>
        <source>Axis order of the sample: channels, height, width (default), or channels last.</source>
        <translation>样本的维度顺序：通道、高、宽（默认），或通道在最后。</translation>
    </message>
    <message>
        <source>unexpected &apos;%1&apos;; the form is: %2</source>
        <translation>多出了“%1”；格式为：%2</translation>
    </message>
    <message>
        <source>Classifiers of torchvision and timm: the centre of the image, normalized by the ImageNet mean and standard deviation.</source>
        <translation>torchvision 和 timm 的分类器：取图像中心，按 ImageNet 的均值和标准差归一化。</translation>
    </message>
    <message>
        <source>Detectors of the YOLO family: the whole image with grey padding, values from 0 to 1.</source>
        <translation>YOLO 系列检测器：整幅图像加灰色填充，取值 0 到 1。</translation>
    </message>
    <message>
        <source>preprocessing expects images: height x width, with 1 or 3 channels first or last; a sample has the shape %1</source>
        <translation>预处理需要图片：高 x 宽，1 个或 3 个通道在最前或最后；而样本的形状为 %1</translation>
    </message>
    <message>
        <source>Omit the preprocessing if the array already holds the model&apos;s inputs.</source>
        <translation>如果数组已是模型的输入，请去掉预处理。</translation>
    </message>
    <message>
        <source>If they are already the model&apos;s inputs, omit the preprocessing.</source>
        <translation>如果它们已经是模型的输入，请去掉预处理。</translation>
    </message>
    <message>
        <source>Give every array the same number of entries along its leading axis, or give one array per input in the shape that the model reads.</source>
        <translation>请让每个数组首轴的条目数相同，或为每个输入给出一个与模型输入形状一致的数组。</translation>
    </message>
    <message>
        <source>a .npy file holds one input, the model has %1: %2</source>
        <translation>一个 .npy 文件只含一个输入，而模型有 %1 个：%2</translation>
    </message>
    <message>
        <source>Omit samples without a class.</source>
        <translation>请去掉没有类别的样本。</translation>
    </message>
    <message>
        <source>Write only the values of one sample, or save .npy files.</source>
        <translation>请只写入一个样本的数值，或保存为 .npy 文件。</translation>
    </message>
    <message>
        <source>%1 files are not samples and were ignored: %2%3</source>
        <translation>%1 个文件不是样本，已忽略：%2%3</translation>
    </message>
    <message>
        <source>Name the subfolders after the inputs (/ and : become _), or put the samples of a single input directly into the folder; classes come from labels.txt (one filename and class per line), not from subfolders.</source>
        <translation>请按输入命名子文件夹（/ 和 : 改为 _），或将单个输入的样本直接放入该文件夹；类别由 labels.txt（每行一个文件名和类别）给出，而不是由子文件夹给出。</translation>
    </message>
    <message>
        <source> (found %1)</source>
        <translation>（找到 %1）</translation>
    </message>
    <message>
        <source>Images are .jpg, .png, .bmp, .ppm or .pgm.</source>
        <translation>图片格式为 .jpg、.png、.bmp、.ppm 或 .pgm。</translation>
    </message>
    <message>
        <source>%1&apos;%2&apos; is not an image, .npy, .npz or .bin file</source>
        <translation>%1“%2”不是图像，也不是 .npy、.npz 或 .bin 文件</translation>
    </message>
    <message>
        <source>Export the model so that the tensors that receive data become graph inputs; values that are stored in the model (initialisers) take no data.</source>
        <translation>请在导出模型时将数据对应的张量设为输入；存储在模型中的值（初始值）不读取数据。</translation>
    </message>
    <message>
        <source>a use is not an input</source>
        <translation>某个使用记录不是输入</translation>
    </message>
    <message>
        <source>more than %1 paths between operations of the graph</source>
        <translation>图中算子之间的路径超过 %1 条</translation>
    </message>
    <message>
        <source>a pattern has an edge to a node that does not exist</source>
        <translation>模式中有一条边指向不存在的节点</translation>
    </message>
    <message>
        <source>a two-phase observer was queried after its first phase</source>
        <translation>两阶段观察器在第一阶段之后就被查询结果</translation>
    </message>
    <message>
        <source>observer &apos;%1&apos; does not support %2</source>
        <translation>观察器“%1”不支持 %2</translation>
    </message>
    <message>
        <source>How the percentile is computed: over all calibration batches together (samples), or per batch and then averaged (batches).</source>
        <translation>百分位的计算方式：对所有校准批次合并计算（samples），或逐批计算后取平均（batches）。</translation>
    </message>
    <message>
        <source>its fixed scale is replaced by the shared scale of &apos;%1&apos;</source>
        <translation>其固定的缩放系数被“%1”的共用缩放系数取代</translation>
    </message>
    <message>
        <source>Fix the scale of only one of the two, or exclude this operation type from the pass.</source>
        <translation>只固定二者之一的缩放系数，或让该处理步骤不处理这类算子。</translation>
    </message>
    <message>
        <source>not aligned: its codes are %1, those of the tensor whose scale it should share are %2</source>
        <translation>没有对齐：其编码为 %1，而应与之共用缩放系数的张量的编码为 %2</translation>
    </message>
    <message>
        <source>Before: each input of an Add or Concat has its own scale. After: they share one, as required by targets that add or concatenate integers.</source>
        <translation>之前：Add 或 Concat 的各输入有自己的缩放系数。之后：它们共用一个，以满足按整数相加或拼接的目标平台的要求。</translation>
    </message>
    <message>
        <source>Scale that the inputs of Add, Sub and Sum share.</source>
        <translation>Add、Sub 和 Sum 的输入共用的缩放系数。</translation>
    </message>
    <message>
        <source>Scale that the inputs of Concat share.</source>
        <translation>Concat 的输入共用的缩放系数。</translation>
    </message>
    <message>
        <source>Which side of an average pooling provides the scale.</source>
        <translation>平均池化由哪一侧提供缩放系数。</translation>
    </message>
    <message>
        <source>Which side of a Resize provides the scale.</source>
        <translation>Resize 由哪一侧提供缩放系数。</translation>
    </message>
    <message>
        <source>Apply the shared scale to a producer even if other operations read its output.</source>
        <translation>即使还有其他算子读取其输出，也将共用的缩放系数用于产生者。</translation>
    </message>
    <message>
        <source>Before: a BatchNormalization that does not follow a Conv. After: a depthwise 1x1 Conv for images, Mul and Add for data of other ranks.</source>
        <translation>之前：不跟在 Conv 之后的 BatchNormalization。之后：图像用逐深度 1x1 Conv，其他维数的数据用 Mul 和 Add。</translation>
    </message>
    <message>
        <source>Before: quantization shifts the mean output of a layer. After: its bias compensates for the shift if that brings the block&apos;s output closer to the float network&apos;s.</source>
        <translation>之前：量化使层的平均输出偏移。之后：若能使该块的输出更接近浮点网络，则由偏置抵消这一偏移。</translation>
    </message>
    <message>
        <source>Before: activations have no scale. After: each has the scale that its observer derived from the calibration data.</source>
        <translation>之前：激活值没有缩放系数。之后：各自拥有观察器由校准数据得到的缩放系数。</translation>
    </message>
    <message>
        <source>Observer for all activations; empty: the platform&apos;s choice for each.</source>
        <translation>所有激活的观察器；空：平台为各个激活所选的。</translation>
    </message>
    <message>
        <source>How the percentile is computed: over all calibration batches together (samples), or per batch and then averaged (batches). default: as set by the platform and overrides, otherwise samples.</source>
        <translation>百分位的计算方式：对所有校准批次合并计算（samples），或逐批计算后取平均（batches）。default：按平台和覆盖设定，否则为 samples。</translation>
    </message>
    <message>
        <source>the model has tensors in float16 or bfloat16: it is computed in float32, but its inputs and outputs keep their types</source>
        <translation>模型含有 float16 或 bfloat16 张量：以 float32 计算，但其输入和输出保持原类型</translation>
    </message>
    <message>
        <source>Before: operations whose results are never read. After: they and their parameters are removed.</source>
        <translation>之前：存在结果无人读取的算子。之后：它们及其参数被删除。</translation>
    </message>
    <message>
        <source>Before: operations compute a weight from parameters. After: the weight is a parameter, and is quantized as one. The results of the network do not change.</source>
        <translation>之前：由若干算子从参数计算出权重。之后：权重成为参数，并按权重量化。网络的计算结果不变。</translation>
    </message>
    <message>
        <source>format_resize: it enlarges some axes and shrinks others, or its scales are computed; newer opsets cannot express which pixels it reads, so it is unchanged</source>
        <translation>format_resize：它放大一些轴又缩小另一些轴，或其缩放比例由计算得到；新的 opset 无法表达它读取哪些像素，因此保持不变</translation>
    </message>
    <message>
        <source>Unify Resize and Upsample</source>
        <translation>统一 Resize 与 Upsample</translation>
    </message>
    <message>
        <source>Before: Resize of opset 10 or Upsample. After: an equivalent Resize of opset 11 (asymmetric, the same pixels).</source>
        <translation>之前：opset 10 的 Resize 或 Upsample。之后：等价的 opset 11 Resize（asymmetric，像素相同）。</translation>
    </message>
    <message>
        <source>%1: the rank of its data is unknown, so it is unchanged</source>
        <translation>%1：数据的维数未知，因此保持不变</translation>
    </message>
    <message>
        <source>its data input is another tensor</source>
        <translation>其数据输入是另一个张量</translation>
    </message>
    <message>
        <source>fuse_batchnorm: &apos;%1&apos; remains a separate operation: %2</source>
        <translation>fuse_batchnorm：“%1”仍为独立的算子：%2</translation>
    </message>
    <message>
        <source>Before: neighbouring layers whose channels have very different ranges. After: ranges are balanced between them, so one scale per tensor fits all channels; the float result is the same.</source>
        <translation>之前：相邻层各通道的范围相差悬殊。之后：范围在层间得到均衡，使每张量一个缩放系数即适合所有通道；浮点结果不变。</translation>
    </message>
    <message>
        <source>Number of passes over all pairs; neighbouring pairs affect each other.</source>
        <translation>所有层对处理多少遍；相连的层对会互相影响。</translation>
    </message>
    <message>
        <source>Channels are skipped if their largest weights before and after add up to less than this.</source>
        <translation>前后最大权重之和小于此值的通道不处理。</translation>
    </message>
    <message>
        <source>Include biases in the range of a channel.</source>
        <translation>通道的范围计入偏置。</translation>
    </message>
    <message>
        <source>Weight of biases if they are included.</source>
        <translation>偏置计入时的权重。</translation>
    </message>
    <message>
        <source>Include activations in the range of a channel; needs calibration data.</source>
        <translation>通道的范围计入激活；需要校准数据。</translation>
    </message>
    <message>
        <source>Weight of activations if they are included.</source>
        <translation>激活计入时的权重。</translation>
    </message>
    <message>
        <source>Only pairs whose first layer is one of these (names, * and ? allowed); empty: all.</source>
        <translation>只处理前一层为这些层之一的层对（名称，可用 * 和 ?）；空：全部。</translation>
    </message>
    <message>
        <source>split from Gemm &apos;%1&apos;</source>
        <translation>由 Gemm “%1”拆分而来</translation>
    </message>
    <message>
        <source>Before: Gemm. After: MatMul and Add, which MetaX&apos;s compiler accepts.</source>
        <translation>之前：Gemm。之后：MetaX 编译器可接受的 MatMul 和 Add。</translation>
    </message>
    <message>
        <source>Before: Resize of any mode. After: nearest, half_pixel, as NXP&apos;s compiler requires. Changes the network&apos;s result.</source>
        <translation>之前：任意模式的 Resize。之后：NXP 编译器要求的 nearest、half_pixel。会改变网络结果。</translation>
    </message>
    <message>
        <source>Keep its type: set the state of this config to fp32.</source>
        <translation>请保持其类型：将此配置的状态设为 fp32。</translation>
    </message>
    <message>
        <source>Before: weights have no scale. After: each has the scale that its observer derived.</source>
        <translation>之前：权重没有缩放系数。之后：各自拥有其观察器给出的缩放系数。</translation>
    </message>
    <message>
        <source>Observer for all parameters; empty: the platform&apos;s choice for each.</source>
        <translation>所有参数的观察器；空：平台为各个参数所选的。</translation>
    </message>
    <message>
        <source>should inherit its scale, but there is none to inherit: it stays in float32</source>
        <translation>应继承缩放系数，但没有可继承的：保持 float32</translation>
    </message>
    <message>
        <source>Check why the tensor whose scale it should inherit was not calibrated.</source>
        <translation>请检查应提供缩放系数的张量为何没有校准。</translation>
    </message>
    <message>
        <source>Fuse Relu and Clip into any operation before them.</source>
        <translation>将 Relu 和 Clip 融入其前的任何算子。</translation>
    </message>
    <message>
        <source>Before: an operation that passes its input on unchanged. After: its consumers read that input directly.</source>
        <translation>之前：有算子原样传递输入。之后：其使用者直接读取该输入。</translation>
    </message>
    <message>
        <source>the bias exceeds the range of int32 in steps of input scale x weight scale: it is not rounded, and an integer runtime cannot represent it</source>
        <translation>偏置以“输入缩放系数 × 权重缩放系数”为步长时超出 int32 的范围：没有取整，整数运行时也无法表示</translation>
    </message>
    <message>
        <source>Give the input or the weight a larger scale, or dispatch the operation to FP32.</source>
        <translation>请增大输入或权重的缩放系数，或将该算子调度到 FP32。</translation>
    </message>
    <message>
        <source>Biases on the int32 grid</source>
        <translation>偏置取 int32 网格</translation>
    </message>
    <message>
        <source>Before: several operations read one parameter. After: each reads its own copy.</source>
        <translation>之前：多个算子读取同一参数。之后：各自读取自己的副本。</translation>
    </message>
    <message>
        <source>truncating at tensor &apos;%1&apos; leaves no graph output</source>
        <translation>在张量“%1”处截断后没有剩下图的输出</translation>
    </message>
    <message>
        <source>Before: operations follow a tensor. After: the network ends there, and the tensor is an output.</source>
        <translation>之前：张量之后还有算子。之后：网络到此结束，该张量成为输出。</translation>
    </message>
    <message>
        <source>Only your own platforms can be renamed or deleted.</source>
        <translation>只有自定义的平台可以重命名或删除。</translation>
    </message>
    <message>
        <source>the file of &apos;%1&apos; is not in the folder of user platforms: %2</source>
        <translation>“%1”的文件不在自定义平台的文件夹中：%2</translation>
    </message>
    <message>
        <source>Choose another id; &quot;extends&quot; inherits its settings.</source>
        <translation>请选择其他标识；用 &quot;extends&quot; 可继承其设置。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is also the id of the platform in %2</source>
        <translation>“%1”也是 %2 中平台的标识</translation>
    </message>
    <message>
        <source>zero_point %1 is outside the codes %2 to %3</source>
        <translation>zero_point %1 超出编码范围 %2 到 %3</translation>
    </message>
    <message>
        <source>scale %1 is not a power of two, but the config requires one</source>
        <translation>scale %1 不是配置所要求的 2 的幂</translation>
    </message>
    <message>
        <source>the id %1 is reserved for operations that are not quantized</source>
        <translation>标识 %1 保留给不量化的算子</translation>
    </message>
    <message>
        <source>must list at least one operator type</source>
        <translation>必须至少列出一个算子类型</translation>
    </message>
    <message>
        <source>values of a compute operation reach it</source>
        <translation>计算算子的值到达此处</translation>
    </message>
    <message>
        <source>no values of a compute operation reach it</source>
        <translation>没有计算算子的值到达此处</translation>
    </message>
    <message>
        <source>Quantizes every quantizable operation that values of a compute operation reach, including those downstream of operations that the platform cannot quantize. Operations adjacent to shape arithmetic are excluded.</source>
        <translation>量化计算算子的值所能到达的每个可量化算子，包括位于平台不能量化的算子下游的算子。与形状运算相邻的算子除外。</translation>
    </message>
    <message>
        <source>type %1 is quantizable on %2</source>
        <translation>在 %2 上 %1 类型可量化</translation>
    </message>
    <message>
        <source>type %1 is not quantizable on %2</source>
        <translation>在 %2 上 %1 类型不可量化</translation>
    </message>
    <message>
        <source>Quantizes every operation of a quantizable type anywhere in the graph, including shape arithmetic.</source>
        <translation>量化图中任何位置的每个可量化类型的算子，包括形状运算。</translation>
    </message>
    <message>
        <source>Quantizes compute operations and the quantizable operations after them, up to the next operation that the platform cannot quantize. Shape and index arithmetic is excluded.</source>
        <translation>量化计算算子及其后的可量化算子，直到下一个平台不能量化的算子。形状与索引运算除外。</translation>
    </message>
    <message>
        <source>its values are linked both to compute operation %1 and to shapes or indices at %2</source>
        <translation>其值既与计算算子 %1 相连，又在 %2 处与形状或索引相连</translation>
    </message>
    <message>
        <source>compute operation %1</source>
        <translation>计算算子 %1</translation>
    </message>
    <message>
        <source>linked by values to compute operation %1</source>
        <translation>通过数值与计算算子 %1 相连</translation>
    </message>
    <message>
        <source>not linked to a compute operation</source>
        <translation>没有与计算算子相连</translation>
    </message>
    <message>
        <source>Quantizes every operation connected to a compute operation by values, upstream and downstream; operations also connected to shapes or indices stay in float32.</source>
        <translation>量化上下游中通过数值与计算算子相连的每个算子；同时与形状或索引相连的算子保持 float32。</translation>
    </message>
    <message>
        <source>pointwise quantizes only compute operations</source>
        <translation>pointwise 只量化计算算子</translation>
    </message>
    <message>
        <source>Quantizes every compute operation of a quantizable type and nothing else. Shape and index arithmetic is excluded.</source>
        <translation>只量化可量化类型的计算算子。形状与索引运算除外。</translation>
    </message>
    <message>
        <source>not in a chain of quantizable operations from one Conv to another</source>
        <translation>不在两个 Conv 之间的可量化算子段上</translation>
    </message>
    <message>
        <source>Quantizes chains of quantizable operations from one Conv to the next; heads, tails and chains with another operation in between stay in float32.</source>
        <translation>量化从一个 Conv 到下一个 Conv 之间的可量化算子段；首尾以及中间夹有其他算子的段保持 float32。</translation>
    </message>
    <message>
        <source>compute operation %1 ends the graph and no quantizable operations lead to it from another compute operation</source>
        <translation>计算算子 %1 位于图的末端，且没有可量化算子从其他计算算子通向它</translation>
    </message>
    <message>
        <source>the results of compute operation %1 are used only as shapes or indices</source>
        <translation>计算算子 %1 的结果仅用作形状或索引</translation>
    </message>
    <message>
        <source>before the first compute operation: nothing to gain</source>
        <translation>位于首个计算算子之前：没有收益</translation>
    </message>
    <message>
        <source>no compute operation upstream: nothing to gain</source>
        <translation>上游没有计算算子：没有收益</translation>
    </message>
    <message>
        <source>downstream of %1, which %2 does not quantize: float32 until the next compute operation</source>
        <translation>位于 %1 的下游，而 %2 不量化它：到下一个计算算子为止均为 float32</translation>
    </message>
    <message>
        <source>its values reach neither a quantizable operation nor the end of the graph</source>
        <translation>其值既不到达可量化算子，也不到达图的末端</translation>
    </message>
    <message>
        <source>compute operation %1 between quantizable operations</source>
        <translation>位于可量化算子之间的计算算子 %1</translation>
    </message>
    <message>
        <source>quantizable %1 downstream of compute operation %2</source>
        <translation>计算算子 %2 下游的可量化 %1</translation>
    </message>
    <message>
        <source>upstream of the shape or index arithmetic of %1</source>
        <translation>位于 %1 的形状或索引运算的上游</translation>
    </message>
    <message>
        <source>must be a number or text</source>
        <translation>必须是数字或文本</translation>
    </message>
    <message>
        <source>must be a number, a string, a list of these, or {&quot;all&quot;: value}</source>
        <translation>应为数字、字符串、它们的列表，或 {&quot;all&quot;: value}</translation>
    </message>
    <message>
        <source>zero_point requires a scale</source>
        <translation>zero_point 需要同时给出缩放系数</translation>
    </message>
    <message>
        <source>%1: not enough memory on the device</source>
        <translation>%1：设备内存不足</translation>
    </message>
    <message>
        <source>Use %2; or check that nvidia-smi lists a device, that its driver is new enough for CUDA %1, and that CUDA_VISIBLE_DEVICES does not hide it.</source>
        <translation>请使用 %2；或检查 nvidia-smi 是否列出设备、其驱动是否足以支持 CUDA %1，以及 CUDA_VISIBLE_DEVICES 是否将其隐藏。</translation>
    </message>
    <message>
        <source>Use %1; or build with -DTORCH_CUDA_ARCH_LIST=X.Y, the GPU&apos;s compute capability.</source>
        <translation>请使用 %1；或以 -DTORCH_CUDA_ARCH_LIST=X.Y 构建，X.Y 为 GPU 的计算能力。</translation>
    </message>
    <message>
        <source>floating-point formats are symmetric</source>
        <translation>浮点格式必须对称</translation>
    </message>
    <message>
        <source>Window and engine versions differ.</source>
        <translation>窗口与引擎的版本不同。</translation>
    </message>
    <message>
        <source>the user&apos;s platform folder is unknown</source>
        <translation>用户平台文件夹未知</translation>
    </message>
    <message>
        <source>platform &apos;%1&apos; already exists</source>
        <translation>已有名为“%1”的平台</translation>
    </message>
    <message>
        <source>a file of this name already exists; it belongs to another platform or is invalid</source>
        <translation>已有同名文件：它属于另一个平台，或内容有误</translation>
    </message>
    <message>
        <source>the means %1 as in %2 images, but the channels are in the order %3</source>
        <translation>均值的次序（%1）与 %2 图片一致，但通道次序为 %3</translation>
    </message>
    <message>
        <source>Give the means in the order blue, green, red, or remove &apos;bgr&apos;.</source>
        <translation>请按蓝、绿、红的次序给出均值，或去掉 &apos;bgr&apos;。</translation>
    </message>
    <message>
        <source>Give the means in the order red, green, blue, or put &apos;bgr&apos; first.</source>
        <translation>请按红、绿、蓝的次序给出均值，或在最前面加上 &apos;bgr&apos;。</translation>
    </message>
    <message>
        <source>every value is between %1 and %2, far from 0</source>
        <translation>所有值都在 %1 到 %2 之间，远离 0</translation>
    </message>
    <message>
        <source>&apos;scale&apos; and &apos;mean&apos; do not match: give the means of the values after &apos;scale&apos;.</source>
        <translation>&apos;scale&apos; 与 &apos;mean&apos; 不匹配：均值应按 &apos;scale&apos; 之后的值给出。</translation>
    </message>
    <message>
        <source>the values range from 0 to 255: they are not scaled</source>
        <translation>值的范围为 0 至 255：没有经过缩放</translation>
    </message>
    <message>
        <source>Correct if the model was trained on such values; otherwise add &apos;scale 1/255&apos;, and &apos;mean&apos; and &apos;std&apos;.</source>
        <translation>若模型就是用这样的值训练的，则没有问题；否则请添加 &apos;scale 1/255&apos; 以及 &apos;mean&apos; 和 &apos;std&apos;。</translation>
    </message>
    <message>
        <source>the largest value is %1: the data may be scaled twice</source>
        <translation>最大值为 %1：数据可能缩放了两次</translation>
    </message>
    <message>
        <source>values reach %1, far beyond the range of images</source>
        <translation>值达到 %1，远超图片的取值范围</translation>
    </message>
    <message>
        <source>Check the data type of the arrays and &apos;scale&apos;, &apos;mean&apos; and &apos;std&apos;.</source>
        <translation>请检查数组的数据类型以及 &apos;scale&apos;、&apos;mean&apos; 和 &apos;std&apos;。</translation>
    </message>
    <message>
        <source>the values range from %1 to %2</source>
        <translation>值的范围为 %1 至 %2</translation>
    </message>
    <message>
        <source>Correct for models that subtract a mean from values of 0 to 255; otherwise put &apos;scale 1/255&apos; before &apos;mean&apos;.</source>
        <translation>若模型的输入是 0 至 255 的值减去均值，则没有问题；否则请在 &apos;mean&apos; 之前加上 &apos;scale 1/255&apos;。</translation>
    </message>
    <message>
        <source>samples are read in byte order of their names: &apos;%1&apos; follows &apos;%2&apos;</source>
        <translation>样本按名称的字节顺序读取：&apos;%1&apos; 在 &apos;%2&apos; 之后</translation>
    </message>
    <message>
        <source>Another tool may read other samples first; names with leading zeros sort the same everywhere.</source>
        <translation>其他工具最先读取的样本可能不同；名称加上前导零后，各处的次序一致。</translation>
    </message>
    <message>
        <source>Only %1 % of the integers in output &apos;%2&apos; match the float result</source>
        <translation>输出“%2”中只有 %1 % 的整数与浮点结果一致</translation>
    </message>
    <message>
        <source>(samples: %1): they range from %2 to %3, its scale covers %4 to %5</source>
        <translation>（样本数：%1）：取值范围为 %2 到 %3，其缩放系数覆盖 %4 到 %5</translation>
    </message>
    <message>
        <source>Omit the brackets to test all of them.</source>
        <translation>省略方括号即表示全部。</translation>
    </message>
    <message>
        <source>the report has no metric: the evaluation data has no labels, or they do not match the output</source>
        <translation>报告中没有指标：评估数据没有标签，或标签与输出不匹配</translation>
    </message>
    <message>
        <source>Add labels to the data and outputs to --analyse, check the reported problems, or test output.sqnr_db instead.</source>
        <translation>请为数据添加标签，并在 --analyse 中加入 outputs；或查看报告的问题；或改为测试 output.sqnr_db。</translation>
    </message>
    <message>
        <source>no output has the field %1</source>
        <translation>没有输出含有字段 %1</translation>
    </message>
    <message>
        <source>Only integer outputs have it; test output.sqnr_db instead.</source>
        <translation>只有整数输出才有该字段；请改为测试 output.sqnr_db。</translation>
    </message>
    <message>
        <source>the recipe specifies no model</source>
        <translation>配方没有指定模型</translation>
    </message>
    <message>
        <source>Give data with %1 (a folder of images, .npz, .npy ...).</source>
        <translation>请用 %1 提供数据（图像文件夹、.npz、.npy 等）。</translation>
    </message>
    <message>
        <source>the file is not a report: expected &quot;schema&quot;: &quot;quantloupe-report/1&quot;, got %1</source>
        <translation>该文件不是报告：应为 &quot;schema&quot;: &quot;quantloupe-report/1&quot;，实际为 %1</translation>
    </message>
    <message>
        <source>export &apos;%1&apos; is not a format for %2: its runtime may not read the file, or may not compute what was simulated</source>
        <translation>导出 &apos;%1&apos; 不是 %2 的格式：其运行时可能无法读取该文件，或计算结果与模拟不同</translation>
    </message>
    <message>
        <source>Measure errors on other data (%1): errors on calibration samples are too low.</source>
        <translation>请在其他数据（%1）上测量误差：校准样本上的误差会偏低。</translation>
    </message>
    <message>
        <source>the tensor is %1 for the first sample and %2 for sample %3: one array cannot hold both</source>
        <translation>该张量在第一个样本中为 %1，在样本 %3 中为 %2：一个数组无法同时存放</translation>
    </message>
    <message>
        <source>Give one sample at a time, or select other tensors with --tensors.</source>
        <translation>请每次只提供一个样本，或用 --tensors 选择其他张量。</translation>
    </message>
    <message>
        <source>the tensor holds strings, which cannot be written</source>
        <translation>该张量存放的是字符串，无法写出</translation>
    </message>
    <message>
        <source>Select other tensors with --tensors.</source>
        <translation>请用 --tensors 选择其他张量。</translation>
    </message>
    <message>
        <source>the sequences of sample %1 differ in length from those of the first sample: arrays cannot hold both</source>
        <translation>样本 %1 的序列长度与第一个样本不同：数组无法同时存放</translation>
    </message>
    <message>
        <source>the model is already quantized: it has %1; its own rounding is treated as part of the float model</source>
        <translation>模型已经量化：含有 %1；它自身的取整被当作浮点模型的一部分</translation>
    </message>
    <message>
        <source>Add &apos;%1&apos; before it, or remove it.</source>
        <translation>请在其前面加入 &apos;%1&apos;，或将其去掉。</translation>
    </message>
    <message>
        <source>Move it after &apos;%1&apos;.</source>
        <translation>请将其移到 &apos;%1&apos; 之后。</translation>
    </message>
    <message>
        <source>Move it before &apos;%1&apos;.</source>
        <translation>请将其移到 &apos;%1&apos; 之前。</translation>
    </message>
    <message>
        <source>&apos;inspect&apos; shows the reason for each operation; choose another platform or dispatcher.</source>
        <translation>“inspect” 会显示每个算子的原因；请选择其他平台或调度器。</translation>
    </message>
    <message>
        <source>Check these operations for other problems.</source>
        <translation>请检查这些算子的其他问题。</translation>
    </message>
    <message>
        <source>layerwise error</source>
        <translation>逐层误差</translation>
    </message>
    <message>
        <source>Also quantize with the scales that an operation inherits from a neighbour: its inputs, and the output of the activation that it is fused with.</source>
        <translation>同时用算子从相邻算子继承的缩放系数量化：其输入，以及与之融合的激活的输出。</translation>
    </message>
    <message>
        <source>Number of evaluation samples to use; 0: all of them.</source>
        <translation>使用的评估样本数；0 表示全部。</translation>
    </message>
    <message>
        <source>Academic mixed precision</source>
        <translation>学术混合精度</translation>
    </message>
    <message>
        <source>Like ACADEMIC_INT8; operations dispatched to ACADEMIC_INT4 get 4-bit inputs and weights.</source>
        <translation>与 ACADEMIC_INT8 相同；调度到 ACADEMIC_INT4 的操作使用 4 位输入和权重。</translation>
    </message>
    <message>
        <source>Ascend INT8</source>
        <translation>昇腾 INT8</translation>
    </message>
    <message>
        <source>Huawei Ascend: asymmetric unsigned activations per tensor, symmetric weights per output channel (Gemm: per tensor), bias in float32; inputs and outputs of each layer are quantized on their own.</source>
        <translation>华为昇腾：激活为无符号非对称、逐张量，权重对称、逐输出通道（Gemm 逐张量），偏置为 float32；各层的输入和输出分别量化。</translation>
    </message>
    <message>
        <source>symmetric weight</source>
        <translation>对称权重</translation>
    </message>
    <message>
        <source>convolution weight per output channel</source>
        <translation>卷积权重逐输出通道</translation>
    </message>
    <message>
        <source>Extension template</source>
        <translation>扩展模板</translation>
    </message>
    <message>
        <source>A template to copy: symmetric 8-bit activations and weights per tensor, 30-bit Conv bias with the scale of weight times input.</source>
        <translation>供复制的模板：激活和权重为 8 位对称、逐张量，Conv 偏置 30 位，缩放系数为权重与输入之积。</translation>
    </message>
    <message>
        <source>Conv weight</source>
        <translation>Conv 权重</translation>
    </message>
    <message>
        <source>30-bit Conv bias</source>
        <translation>30 位 Conv 偏置</translation>
    </message>
    <message>
        <source>FPGA INT8</source>
        <translation>FPGA INT8</translation>
    </message>
    <message>
        <source>FPGA accelerators: symmetric with scales that are powers of two, all per tensor, 30-bit bias with the scale of weight times input, weights and biases equalized between layers.</source>
        <translation>FPGA 加速器：对称，缩放系数为 2 的幂，全部逐张量，偏置 30 位，缩放系数为权重与输入之积；层间均衡权重和偏置。</translation>
    </message>
    <message>
        <source>30-bit bias</source>
        <translation>30 位偏置</translation>
    </message>
    <message>
        <source>Graphcore FP8</source>
        <translation>Graphcore FP8</translation>
    </message>
    <message>
        <source>Graphcore IPUs: FP8 E4M3 with scales that are powers of two, weights per output channel, bias in float32.</source>
        <translation>Graphcore IPU：FP8 E4M3，缩放系数为 2 的幂，权重逐输出通道，偏置为 float32。</translation>
    </message>
    <message>
        <source>MetaX INT8 per channel</source>
        <translation>沐曦 INT8 逐通道</translation>
    </message>
    <message>
        <source>MetaX GPUs, weights per output channel: symmetric without -128, 30-bit Conv bias with the scale of weight times input; every Gemm becomes MatMul and Add.</source>
        <translation>沐曦 GPU，权重逐输出通道：对称，不用 -128，Conv 偏置 30 位，缩放系数为权重与输入之积；所有 Gemm 变为 MatMul 和 Add。</translation>
    </message>
    <message>
        <source>30-bit Conv bias per output channel</source>
        <translation>30 位 Conv 偏置，逐输出通道</translation>
    </message>
    <message>
        <source>MetaX INT8 per tensor</source>
        <translation>沐曦 INT8 逐张量</translation>
    </message>
    <message>
        <source>MetaX GPUs, weights per tensor: asymmetric unsigned activations and weights, Conv bias in float32, weights equalized between layers; every Gemm becomes MatMul and Add.</source>
        <translation>沐曦 GPU，权重逐张量：激活和权重为无符号非对称，Conv 偏置为 float32，层间均衡权重；所有 Gemm 变为 MatMul 和 Add。</translation>
    </message>
    <message>
        <source>Conv bias in float32</source>
        <translation>Conv 偏置为 float32</translation>
    </message>
    <message>
        <source>MNN INT8</source>
        <translation>MNN INT8</translation>
    </message>
    <message>
        <source>Conv weight per output channel</source>
        <translation>Conv 权重逐输出通道</translation>
    </message>
    <message>
        <source>PPL CUDA INT4</source>
        <translation>PPL CUDA INT4</translation>
    </message>
    <message>
        <source>Like PPL_CUDA_INT8, but with 4-bit activations and weights; the bias keeps its 32 bits.</source>
        <translation>与 PPL_CUDA_INT8 相同，但激活和权重为 4 位；偏置仍为 32 位。</translation>
    </message>
    <message>
        <source>PPL CUDA mixed precision</source>
        <translation>PPL CUDA 混合精度</translation>
    </message>
    <message>
        <source>Like PPL_CUDA_INT8; operations dispatched to PPL_CUDA_INT4 get 4-bit inputs, weights and outputs.</source>
        <translation>与 PPL_CUDA_INT8 相同；调度到 PPL_CUDA_INT4 的操作使用 4 位输入、权重和输出。</translation>
    </message>
    <message>
        <source>PPL DSP INT8</source>
        <translation>PPL DSP INT8</translation>
    </message>
    <message>
        <source>OpenPPL on Hexagon DSPs: asymmetric unsigned activations and weights per tensor, 30-bit bias with the scale of weight times input, weights equalized between layers.</source>
        <translation>Hexagon DSP 上的 OpenPPL：激活和权重为无符号非对称、逐张量，偏置 30 位，缩放系数为权重与输入之积，层间均衡权重。</translation>
    </message>
    <message>
        <source>limits of Clip with the scale of its input</source>
        <translation>Clip 的上下限使用其输入的缩放系数</translation>
    </message>
    <message>
        <source>PPL DSP TI INT8</source>
        <translation>PPL DSP TI INT8</translation>
    </message>
    <message>
        <source>OpenPPL on TI DSPs: symmetric activations per tensor, weights per output channel, bias in float32, weights equalized between layers.</source>
        <translation>TI DSP 上的 OpenPPL：激活对称、逐张量，权重逐输出通道，偏置为 float32，层间均衡权重。</translation>
    </message>
    <message>
        <source>QNN DSP INT8</source>
        <translation>QNN DSP INT8</translation>
    </message>
    <message>
        <source>RKNN INT8 per channel</source>
        <translation>RKNN INT8 逐通道</translation>
    </message>
    <message>
        <source>Rockchip RKNN, per-channel scheme: asymmetric unsigned activations, symmetric Conv and MatMul weights per output channel without -128, 30-bit Conv bias; Gemm weights and biases are unsigned 8-bit.</source>
        <translation>瑞芯微 RKNN 逐通道方案：激活为无符号非对称，Conv 和 MatMul 的权重对称、逐输出通道，不用 -128，Conv 偏置 30 位；Gemm 的权重和偏置为 8 位无符号。</translation>
    </message>
    <message>
        <source>Gemm weight and bias as activations</source>
        <translation>Gemm 的权重和偏置与激活相同</translation>
    </message>
    <message>
        <source>SNPE INT8</source>
        <translation>SNPE INT8</translation>
    </message>
    <message>
        <source>Qualcomm SNPE: the scheme of PPL_DSP_INT8.</source>
        <translation>高通 SNPE：方案与 PPL_DSP_INT8 相同。</translation>
    </message>
    <message>
        <source>TensorRT FP8</source>
        <translation>TensorRT FP8</translation>
    </message>
    <message>
        <source>NVIDIA TensorRT 10 on Ada and Hopper GPUs: FP8 E4M3 inputs and weights of convolutions and matrix products, weights per output channel, bias and results in float32.</source>
        <translation>Ada 和 Hopper GPU 上的 NVIDIA TensorRT 10：卷积和矩阵乘的输入和权重为 FP8 E4M3，权重逐输出通道，偏置和结果为 float32。</translation>
    </message>
    <message>
        <source>results of computing operations in float32</source>
        <translation>计算操作的结果为 float32</translation>
    </message>
    <message>
        <source>TensorRT INT8, inputs only</source>
        <translation>TensorRT INT8（仅输入）</translation>
    </message>
    <message>
        <source>TensorRT INT8 with float32 results: only inputs and weights of convolutions, matrix products and average poolings are quantized.</source>
        <translation>结果为 float32 的 TensorRT INT8：只量化卷积、矩阵乘和平均池化的输入和权重。</translation>
    </message>
    <message>
        <source>4 bits</source>
        <translation>4 位</translation>
    </message>
    <message>
        <source>Table (CSV)</source>
        <translation>表格（CSV）</translation>
    </message>
    <message>
        <source>Every config of every slot as a table for spreadsheets.</source>
        <translation>每个槽位的全部配置，供电子表格使用。</translation>
    </message>
    <message>
        <source>AIMET encodings</source>
        <translation>AIMET 编码</translation>
    </message>
    <message>
        <source>ONNX model with AIMET&apos;s encodings, version 1.0.0.</source>
        <translation>ONNX 模型及 AIMET 编码（1.0.0 版）。</translation>
    </message>
    <message>
        <source>export &apos;ascend_record&apos;: %1</source>
        <translation>导出 &apos;ascend_record&apos;：%1</translation>
    </message>
    <message>
        <source>Quantize for ASC_INT8, or run this operation in FP32.</source>
        <translation>按 ASC_INT8 量化，或让该操作以 FP32 运行。</translation>
    </message>
    <message>
        <source>the input must have 2 or 4 dimensions</source>
        <translation>输入必须是 2 维或 4 维</translation>
    </message>
    <message>
        <source>the input must have 8 bits and one scale</source>
        <translation>输入必须是 8 位且只有一个缩放系数</translation>
    </message>
    <message>
        <source>the weight must be quantized symmetrically</source>
        <translation>权重必须对称量化</translation>
    </message>
    <message>
        <source>Ascend record</source>
        <translation>昇腾记录文件</translation>
    </message>
    <message>
        <source>ONNX model with the record of scales that Ascend&apos;s AMCT reads.</source>
        <translation>ONNX 模型及昇腾 AMCT 读取的缩放系数记录。</translation>
    </message>
    <message>
        <source>MNN scales</source>
        <translation>MNN 缩放系数</translation>
    </message>
    <message>
        <source>ONNX model with MNN&apos;s JSON of input and output scales.</source>
        <translation>ONNX 模型及 MNN 的输入、输出缩放系数 JSON。</translation>
    </message>
    <message>
        <source>not in the table: ncnn needs symmetric scales of 8 bits or fewer, one for the input, and constant weights</source>
        <translation>未写入表中：ncnn 需要不超过 8 位的对称缩放系数、单一的输入缩放系数和常量权重</translation>
    </message>
    <message>
        <source>Quantize for NCNN_INT8.</source>
        <translation>按 NCNN_INT8 量化。</translation>
    </message>
    <message>
        <source>export &apos;ncnn_table&apos;: no layer of the model fits the table</source>
        <translation>导出 &apos;ncnn_table&apos;：模型中没有可写入表的层</translation>
    </message>
    <message>
        <source>Convert the model with onnx2ncnn, which keeps the names of layers, then run ncnn2int8 with the table.</source>
        <translation>用 onnx2ncnn 转换模型（保留层名），再用该表运行 ncnn2int8。</translation>
    </message>
    <message>
        <source>ncnn table</source>
        <translation>ncnn 表</translation>
    </message>
    <message>
        <source>ONNX model with the calibration table that ncnn2int8 reads.</source>
        <translation>ONNX 模型及 ncnn2int8 读取的校准表。</translation>
    </message>
    <message>
        <source>ONNX Runtime overrides</source>
        <translation>ONNX Runtime 覆盖项</translation>
    </message>
    <message>
        <source>ONNX model with the TensorQuantOverrides that ONNX Runtime&apos;s quantize_static() takes.</source>
        <translation>ONNX 模型及 ONNX Runtime 的 quantize_static() 接受的 TensorQuantOverrides。</translation>
    </message>
    <message>
        <source>OpenPPL</source>
        <translation>OpenPPL</translation>
    </message>
    <message>
        <source>ONNX model with OpenPPL&apos;s JSON of scales and data types.</source>
        <translation>ONNX 模型及 OpenPPL 的缩放系数与数据类型 JSON。</translation>
    </message>
    <message>
        <source>PPQ configuration</source>
        <translation>PPQ 配置</translation>
    </message>
    <message>
        <source>ONNX model with rounded parameters and PPQ&apos;s JSON of every config, dispatch and scale.</source>
        <translation>参数已取整的 ONNX 模型，及 PPQ 的全部配置、调度和缩放系数 JSON。</translation>
    </message>
    <message>
        <source>QNN encodings</source>
        <translation>QNN 编码</translation>
    </message>
    <message>
        <source>ONNX model with the encodings that QNN&apos;s converter takes by --quantization_overrides.</source>
        <translation>ONNX 模型及 QNN 转换器通过 --quantization_overrides 读取的编码。</translation>
    </message>
    <message>
        <source>SNPE ranges</source>
        <translation>SNPE 范围</translation>
    </message>
    <message>
        <source>ONNX model with the smallest and largest value of each tensor.</source>
        <translation>ONNX 模型及每个张量的最小值和最大值。</translation>
    </message>
    <message>
        <source>cannot be written: %1</source>
        <translation>无法写入：%1</translation>
    </message>
    <message>
        <source>Tengine</source>
        <translation>Tengine</translation>
    </message>
    <message>
        <source>ONNX model with Tengine&apos;s table of scales and zero points.</source>
        <translation>ONNX 模型及 Tengine 的缩放系数与零点表。</translation>
    </message>
    <message>
        <source>no range in the TensorRT file: it is not symmetric, 8 bits, -128 to 127, per tensor</source>
        <translation>TensorRT 文件中没有它的范围：它不是对称、8 位、-128 到 127、逐张量</translation>
    </message>
    <message>
        <source>Quantize for TRT_INT8, or remove the override of this tensor.</source>
        <translation>按 TRT_INT8 量化，或删除该张量的覆盖项。</translation>
    </message>
    <message>
        <source>TensorRT ranges</source>
        <translation>TensorRT 范围</translation>
    </message>
    <message>
        <source>ONNX model with the dynamic range of each activation (JSON), the weights, and a script that builds an INT8 engine, for TensorRT 8 to 10.</source>
        <translation>ONNX 模型，附各激活的动态范围（JSON）、权重，以及构建 INT8 引擎的脚本，用于 TensorRT 8 到 10。</translation>
    </message>
    <message>
        <source>always</source>
        <translation>总是</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>internal</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>percentile over</source>
        <translation>百分位取自</translation>
    </message>
    <message>
        <source>quantized parameters</source>
        <translation>量化后的参数</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>to input</source>
        <translation>对齐到输入</translation>
    </message>
    <message>
        <source>to large</source>
        <translation>对齐到最大者</translation>
    </message>
    <message>
        <source>to output</source>
        <translation>对齐到输出</translation>
    </message>
    <message>
        <source>uncalibrated</source>
        <translation>允许未校准</translation>
    </message>
    <message>
        <source>when active</source>
        <translation>生效时</translation>
    </message>
    <message>
        <source>%1 (shorter with %2)</source>
        <translation>%1（用 %2 可缩短）</translation>
    </message>
    <message>
        <source>%1: expected [N, spatial..., C], got rank %2</source>
        <translation>%1：应为 [N, 空间..., C]，实际秩为 %2</translation>
    </message>
    <message>
        <source>%1, but no single operation with weights explains it (%2 of %3 quantized operations measured).</source>
        <translation>%1，但没有单个带权重的算子能解释它（已测量 %3 个量化算子中的 %2 个）。</translation>
    </message>
    <message>
        <source>no class index matches its label in %1 samples</source>
        <translation>%1 个样本中没有一个类别索引与标签一致</translation>
    </message>
    <message>
        <source>listed as a graph output more than once; read once</source>
        <translation>多次列为图输出，只读取一次</translation>
    </message>
    <message>
        <source>%1 has an unknown member &apos;%2&apos;</source>
        <translation>%1 有未知的成员“%2”</translation>
    </message>
    <message>
        <source>expected a hello with protocol %1, got a message of type &apos;%2&apos;</source>
        <translation>期望收到协议 %1 的 hello，收到的消息类型为“%2”</translation>
    </message>
    <message>
        <source>the other side speaks protocol %1, this one %2</source>
        <translation>对方使用协议 %1，本程序使用协议 %2</translation>
    </message>
    <message>
        <source>operator %1: stays in float32</source>
        <translation>算子 %1：保持 float32</translation>
    </message>
    <message>
        <source>operator %1: shape or index</source>
        <translation>算子 %1：形状或索引</translation>
    </message>
    <message>
        <source>tensor of type %1</source>
        <translation>类型为 %1 的张量</translation>
    </message>
    <message>
        <source>platform %1: rule %2</source>
        <translation>平台 %1：规则 %2</translation>
    </message>
    <message>
        <source>platform %1: rule %2 (%3)</source>
        <translation>平台 %1：规则 %2（%3）</translation>
    </message>
    <message>
        <source>pass %1</source>
        <translation>处理步骤 %1</translation>
    </message>
    <message>
        <source>integer division by 0</source>
        <translation>整数除以 0</translation>
    </message>
    <message>
        <source>sizes %1 and %2 of axis %3 do not broadcast</source>
        <translation>轴 %3 的大小 %1 与 %2 无法广播</translation>
    </message>
    <message>
        <source>a product needs at least one axis</source>
        <translation>乘积至少需要一个轴</translation>
    </message>
    <message>
        <source>the inner sizes %1 and %2 differ</source>
        <translation>内侧大小 %1 与 %2 不同</translation>
    </message>
    <message>
        <source>export &apos;%1&apos;</source>
        <translation>导出“%1”</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 个或更多</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 of opset %2 takes 1 output, not %4</source>
        <translation>opset %2 的 %1 应有 1 个输出，实际为 %4 个</translation>
    </message>
    <message>
        <source>%1 of opset %2 takes 1 input, not %4</source>
        <translation>opset %2 的 %1 应有 1 个输入，实际为 %4 个</translation>
    </message>
    <message>
        <source>%1 of opset %2 takes %3 outputs, not %4</source>
        <translation>opset %2 的 %1 的输出数应为 %3，实际为 %4</translation>
    </message>
    <message>
        <source>%1 of opset %2 takes %3 inputs, not %4</source>
        <translation>opset %2 的 %1 的输入数应为 %3，实际为 %4</translation>
    </message>
    <message>
        <source>%1..%2 per channel</source>
        <translation>%1..%2（逐通道）</translation>
    </message>
    <message>
        <source>%1..%2</source>
        <translation>%1..%2</translation>
    </message>
    <message>
        <source>the input has no scale</source>
        <translation>输入没有缩放系数</translation>
    </message>
    <message>
        <source>the weight has no scale</source>
        <translation>权重没有缩放系数</translation>
    </message>
    <message>
        <source>overrides[%1]: %2</source>
        <translation>overrides[%1]：%2</translation>
    </message>
    <message>
        <source>output %1 of &apos;%2&apos;</source>
        <translation>“%2”的输出 %1</translation>
    </message>
    <message>
        <source>input %1 of &apos;%2&apos;</source>
        <translation>“%2”的输入 %1</translation>
    </message>
    <message>
        <source>dispatch[%1]: dispatch override &apos;%2&apos; matches no operation.</source>
        <translation>dispatch[%1]：调度覆盖设定“%2”没有匹配任何算子。</translation>
    </message>
    <message>
        <source>granularity &apos;output_channel&apos; is defined for weights, biases and outputs of compute operations, not for %1 of %2</source>
        <translation>粒度 &apos;output_channel&apos; 只适用于计算算子的权重、偏置和输出，不适用于 %2 的%1</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>the cache folder %1 cannot be used (%2); results are not kept for the next run</source>
        <translation>无法使用缓存文件夹 %1（%2）；结果不会保留到下次运行</translation>
    </message>
    <message>
        <source>removed a damaged cache entry (%1); its stage is recomputed</source>
        <translation>已删除损坏的缓存条目（%1）；对应阶段将重新计算</translation>
    </message>
    <message>
        <source>cannot write the cache (%1); results are not kept for the next run</source>
        <translation>无法写入缓存（%1）；结果不会保留到下次运行</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos;</source>
        <translation>%1“%2”</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另有 %1 个</translation>
    </message>
    <message>
        <source>tensor %1 %2</source>
        <translation>张量 %1 %2</translation>
    </message>
    <message>
        <source>subgraph of %1 operations</source>
        <translation>含 %1 个算子的子图</translation>
    </message>
    <message>
        <source>pass &apos;%1&apos;</source>
        <translation>处理步骤“%1”</translation>
    </message>
    <message>
        <source>analysis &apos;%1&apos;</source>
        <translation>分析“%1”</translation>
    </message>
    <message>
        <source>Its tensors: %1.</source>
        <translation>其张量：%1。</translation>
    </message>
    <message>
        <source>Its tensors: %1, and %2 more: `quantloupe-cli inspect MODEL --json -` lists them.</source>
        <translation>其张量：%1，另有 %2 个：用 `quantloupe-cli inspect MODEL --json -` 列出。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>计算算子</translation>
    </message>
    <message>
        <source>fine</source>
        <translation>精细</translation>
    </message>
    <message>
        <source>names</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>operations</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>数值对</translation>
    </message>
    <message>
        <source>shared scales</source>
        <translation>共用缩放系数</translation>
    </message>
    <message>
        <source>Error at the graph outputs with only one operation quantized: shows the cost of each operation alone. For class indices, the error is measured at the scores. A scale inherited from a neighbour counts as the neighbour&apos;s error.</source>
        <translation>只量化一个算子时图输出的误差：显示每个算子单独造成的精度损失。输出为类别索引时，误差在得分处测量。算子沿用相邻算子的缩放系数时，误差计入该相邻算子。</translation>
    </message>
    <message>
        <source>fixed shapes</source>
        <translation>固定形状</translation>
    </message>
    <message>
        <source>foreign operators</source>
        <translation>外来算子</translation>
    </message>
    <message>
        <source>not a legal value of the parameter &apos;%1&apos;</source>
        <translation>不是参数“%1”的合法取值</translation>
    </message>
    <message>
        <source>the platform has no parameter &apos;%1&apos;.</source>
        <translation>该平台没有参数“%1”。</translation>
    </message>
    <message>
        <source>Declare it in &quot;params&quot;.</source>
        <translation>请在“params”中声明。</translation>
    </message>
    <message>
        <source>platform &apos;%1&apos;</source>
        <translation>平台“%1”</translation>
    </message>
    <message>
        <source>preset &apos;%1&apos;</source>
        <translation>预设“%1”</translation>
    </message>
    <message>
        <source>preset &apos;%1&apos;: this version has no pass &apos;%2&apos;, which is left out</source>
        <translation>预设“%1”：此版本没有处理步骤“%2”，已略去</translation>
    </message>
    <message>
        <source>%1 has no gradient: nothing before it can be trained</source>
        <translation>%1 没有梯度：它之前的部分都无法训练</translation>
    </message>
    <message>
        <source>Write the input shapes given for this run (%1) into the file; off: the file keeps the model&apos;s open sizes.</source>
        <translation>将本次运行指定的输入形状（%1）写入文件；关闭时，文件保留模型的可变尺寸。</translation>
    </message>
    <message>
        <source>Write operators that ONNX does not have, such as Caffe&apos;s DetectionOutput; a runtime needs a plug-in for them.</source>
        <translation>写出 ONNX 没有的算子，例如 Caffe 的 DetectionOutput；运行时需要相应的插件。</translation>
    </message>
    <message>
        <source>Exp, Mul and Add to decode the boxes, NonMaxSuppression and GatherND to select them</source>
        <translation>用 Exp、Mul 和 Add 解码检测框，用 NonMaxSuppression 和 GatherND 选择检测框</translation>
    </message>
    <message>
        <source>a constant, because it depends only on the input shape</source>
        <translation>常量，因为它只取决于输入形状</translation>
    </message>
    <message>
        <source>LpNormalization and Mul</source>
        <translation>LpNormalization 和 Mul</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1（代替 %2）</translation>
    </message>
    <message>
        <source>Cut the model before them, or write them for a runtime with a plug-in (the export&apos;s parameter &apos;%1&apos;, %2).</source>
        <translation>请在这些算子之前截断模型，或者为带有插件的运行时写出它们（导出参数“%1”，%2）。</translation>
    </message>
    <message>
        <source>ONNX has no operator %1: no runtime could load the file</source>
        <translation>ONNX 没有算子 %1：任何运行时都无法加载该文件</translation>
    </message>
    <message>
        <source>ONNX has %1.</source>
        <translation>ONNX 提供 %1。</translation>
    </message>
    <message>
        <source>%1 over several axes of a tensor of unknown rank cannot be written in opset 13</source>
        <translation>对秩未知的张量在多个轴上计算的 %1 无法以 opset 13 写出</translation>
    </message>
    <message>
        <source>the ONNX library refuses the model: %1</source>
        <translation>ONNX 库拒绝该模型：%1</translation>
    </message>
    <message>
        <source>the parameters of the file are in another file: it cannot be cut</source>
        <translation>该文件的参数存放在另一个文件中，无法切分</translation>
    </message>
    <message>
        <source>random data &quot;%1&quot;: &apos;%2&apos;: %3</source>
        <translation>随机数据“%1”：“%2”：%3</translation>
    </message>
    <message>
        <source>The form is %1: the number of samples, seed=N, and the values: range=LOW..HIGH, or normal=MEAN..DEVIATION; for one input only: NAME.range=LOW..HIGH.</source>
        <translation>格式为 %1：样本数、seed=N 以及取值：range=最小值..最大值，或 normal=均值..标准差；只用于一个输入：NAME.range=最小值..最大值。</translation>
    </message>
    <message>
        <source>expected two numbers such as -1..1</source>
        <translation>应为两个数，例如 -1..1</translation>
    </message>
    <message>
        <source>the lowest value must not be above the highest</source>
        <translation>最小值不能大于最大值</translation>
    </message>
    <message>
        <source>a standard deviation must not be negative</source>
        <translation>标准差不能为负</translation>
    </message>
    <message>
        <source>random data &quot;%1&quot;: the model has no input &apos;%2&apos;.</source>
        <translation>随机数据“%1”：模型没有输入“%2”。</translation>
    </message>
    <message>
        <source>Inputs of the model: %1.</source>
        <translation>模型的输入：%1。</translation>
    </message>
    <message>
        <source>the data is random: ranges and errors show nothing about real data</source>
        <translation>数据是随机的：取值范围和误差不能说明真实数据的情况</translation>
    </message>
    <message>
        <source>Use real samples before trusting any number.</source>
        <translation>在采信任何数值之前，请使用真实样本。</translation>
    </message>
    <message>
        <source>the range holds no integer</source>
        <translation>该范围内没有整数</translation>
    </message>
    <message>
        <source>random data needs inputs of known shape, this one is %1</source>
        <translation>随机数据要求输入的形状已知，而该输入为 %1</translation>
    </message>
    <message>
        <source>Fix it with %1.</source>
        <translation>请用 %1 确定。</translation>
    </message>
    <message>
        <source>the input holds no values</source>
        <translation>该输入不含任何数值</translation>
    </message>
    <message>
        <source>given twice</source>
        <translation>重复给出</translation>
    </message>
    <message>
        <source>must be from 1 to %1</source>
        <translation>必须在 1 到 %1 之间</translation>
    </message>
    <message>
        <source>unknown.</source>
        <translation>未知。</translation>
    </message>
    <message>
        <source>Give a .npz or .npy file, a folder of images, .npy, .npz or .bin files, a folder with one subfolder per input, a manifest .json, or random:N.</source>
        <translation>请给出 .npz 或 .npy 文件、图片或 .npy、.npz、.bin 文件的文件夹、每个输入一个子文件夹的文件夹、清单文件 .json，或 random:N。</translation>
    </message>
    <message>
        <source>Adaptive rounding (AdaRound)</source>
        <translation>自适应舍入（AdaRound）</translation>
    </message>
    <message>
        <source>Before: every weight is rounded to the nearest grid point. After: each is rounded up or down so that the block&apos;s output is close to the float network&apos;s.</source>
        <translation>之前：每个权重都舍入到最近的格点。之后：每个权重向上或向下舍入，使块的输出接近浮点网络。</translation>
    </message>
    <message>
        <source>Learning rate of roundings.</source>
        <translation>舍入的学习率。</translation>
    </message>
    <message>
        <source>Learning rate of biases; 0: not trained.</source>
        <translation>偏置的学习率；0：不训练。</translation>
    </message>
    <message>
        <source>Weight of the term in the loss that drives roundings to up or down.</source>
        <translation>损失中促使舍入趋向向上或向下的那一项的权重。</translation>
    </message>
    <message>
        <source>Bias tuning</source>
        <translation>偏置微调</translation>
    </message>
    <message>
        <source>Before: biases are those of the float network. After: they are trained so that each block&apos;s output is close to the float network&apos;s.</source>
        <translation>之前：偏置与浮点网络相同。之后：训练偏置，使每个块的输出接近浮点网络。</translation>
    </message>
    <message>
        <source>Learning rate of biases.</source>
        <translation>偏置的学习率。</translation>
    </message>
    <message>
        <source>Blockwise reconstruction (BRECQ)</source>
        <translation>分块重建（BRECQ）</translation>
    </message>
    <message>
        <source>Before: scales come from observers, weights are rounded to nearest. After: roundings of weights and scales of activations are trained together for each block.</source>
        <translation>之前：缩放系数来自观察器，权重舍入到最近的格点。之后：逐块同时训练权重的舍入和激活的缩放系数。</translation>
    </message>
    <message>
        <source>Learning rate of scales, relative to their first value; 0: not trained.</source>
        <translation>缩放系数的学习率，相对于其初始值；0：不训练。</translation>
    </message>
    <message>
        <source>Probability that the value of an activation stays in float in a step (QDrop).</source>
        <translation>每一步中激活值保持浮点的概率（QDrop）。</translation>
    </message>
    <message>
        <source>Learned step size (LSQ)</source>
        <translation>学习步长（LSQ）</translation>
    </message>
    <message>
        <source>Before: scales come from observers, one tensor at a time. After: scales, and weights with them, are trained so that each block&apos;s output is close to the float network&apos;s.</source>
        <translation>之前：缩放系数由观察器逐个张量得出。之后：训练缩放系数（以及权重），使每个块的输出接近浮点网络。</translation>
    </message>
    <message>
        <source>Also train weights and biases; otherwise only scales.</source>
        <translation>同时训练权重和偏置；否则只训练缩放系数。</translation>
    </message>
    <message>
        <source>One scale for moved values</source>
        <translation>被移动的值共用一个缩放系数</translation>
    </message>
    <message>
        <source>Before: the input and the output of a Transpose, Reshape or Slice have two scales. After: they share the larger one, because runtimes merge the two.</source>
        <translation>之前：Transpose、Reshape 或 Slice 的输入和输出有两个缩放系数。之后：两者共用较大的一个，因为运行时会将两者合并。</translation>
    </message>
    <message>
        <source>Round tuning</source>
        <translation>舍入微调</translation>
    </message>
    <message>
        <source>Before: every weight is rounded to the nearest grid point. After: weights near the middle of two grid points are rounded to the one that suits the block.</source>
        <translation>之前：每个权重都舍入到最近的格点。之后：靠近两个格点中间的权重舍入到更适合该块的那一个。</translation>
    </message>
    <message>
        <source>Scale search</source>
        <translation>缩放系数搜索</translation>
    </message>
    <message>
        <source>Before: each scale suits its own tensor. After: each is multiplied by the factor with which its block&apos;s output is closest to the float network&apos;s.</source>
        <translation>之前：每个缩放系数只适合自己的张量。之后：每个缩放系数乘以使其所在块的输出最接近浮点网络的系数。</translation>
    </message>
    <message>
        <source>Number of factors to try above 1, and as many below.</source>
        <translation>大于 1 的候选系数个数，小于 1 的同样多。</translation>
    </message>
    <message>
        <source>Largest factor; the smallest is 1 divided by it.</source>
        <translation>最大的系数；最小的系数是它的倒数。</translation>
    </message>
    <message>
        <source>Its scales and weights are those before training.</source>
        <translation>其缩放系数和权重保持训练之前的值。</translation>
    </message>
    <message>
        <source>Train the whole network as one block, by the error of its outputs.</source>
        <translation>把整个网络作为一个块，按其输出的误差训练。</translation>
    </message>
    <message>
        <source>Share of the calibration samples held out from training; the error on them decides what is kept. 0: all samples serve both purposes.</source>
        <translation>校准样本中不用于训练的比例：由这部分上的误差决定保留哪个结果。0：所有样本同时用于两者。</translation>
    </message>
    <message>
        <source>Steps of the optimizer for each block.</source>
        <translation>每个块的优化步数。</translation>
    </message>
    <message>
        <source>Number of samples for each step.</source>
        <translation>每一步的样本数。</translation>
    </message>
    <message>
        <source>Stop a block after that many tests without progress (ten tests are planned); 0: never.</source>
        <translation>连续这么多次检验没有进展就停止该块（共计划十次检验）；0：从不停止。</translation>
    </message>
    <message>
        <source>Seed of the random order of samples. The same seed gives the same result.</source>
        <translation>样本随机顺序的种子。相同的种子给出相同的结果。</translation>
    </message>
    <message>
        <source>platform &apos;%1&apos; of the recipe: %2</source>
        <translation>配方中的平台“%1”：%2</translation>
    </message>
    <message>
        <source>the model cannot be cut at &apos;%1&apos;: the tensor is constant</source>
        <translation>不能在“%1”处截断模型：该张量是常量</translation>
    </message>
    <message>
        <source>Name tensors that operations compute.</source>
        <translation>请指定由算子计算的张量。</translation>
    </message>
    <message>
        <source>the model cannot be cut at &apos;%1&apos;: it has no tensor of that name.</source>
        <translation>不能在“%1”处截断模型：模型没有该名称的张量。</translation>
    </message>
    <message>
        <source>the model cannot be cut before its unsupported operations: nothing would be left</source>
        <translation>不能在不支持的算子之前截断模型：将没有任何内容剩下</translation>
    </message>
    <message>
        <source>the model is cut: %1 of %2 operations are left out (%3); its outputs are %4</source>
        <translation>模型已截断：%2 个算子中略去了 %1 个（%3）；输出为 %4</translation>
    </message>
    <message>
        <source>the model cannot start at &apos;%1&apos;: its outputs do not depend on this tensor</source>
        <translation>模型不能从“%1”开始：其输出不依赖该张量</translation>
    </message>
    <message>
        <source>no operation is left between the cut points</source>
        <translation>截断点之间没有算子</translation>
    </message>
    <message>
        <source>Choose outputs that are computed from the inputs.</source>
        <translation>请选择由这些输入计算得到的输出。</translation>
    </message>
    <message>
        <source>%1 (%2) is not converted: %3</source>
        <translation>%1（%2）未转换：%3</translation>
    </message>
    <message>
        <source>this version has no pass &apos;%1&apos;</source>
        <translation>此版本没有处理步骤“%1”</translation>
    </message>
    <message>
        <source>%1 is not converted: %2</source>
        <translation>%1 未转换：%2</translation>
    </message>
    <message>
        <source>PPQ does not read it</source>
        <translation>PPQ 不读取它</translation>
    </message>
    <message>
        <source>there is no preset &apos;%1&apos;.</source>
        <translation>没有预设“%1”。</translation>
    </message>
    <message>
        <source>preset &apos;%1&apos;: expected NAME=VALUE, got &apos;%2&apos;</source>
        <translation>预设“%1”：应为 NAME=VALUE，实际为“%2”</translation>
    </message>
    <message>
        <source>Export the model without them, or leave them out with %1.</source>
        <translation>请导出不含这些算子的模型，或用 %1 略去它们。</translation>
    </message>
    <message>
        <source>The file is not the one that the recipe exports as &apos;%1&apos;: %2 of %3 parameters are missing or differ, such as %4.</source>
        <translation>该文件不是此配方以“%1”导出的文件：%3 个参数中有 %2 个缺失或不同，例如 %4。</translation>
    </message>
    <message>
        <source>runtime &apos;%1&apos;</source>
        <translation>运行时“%1”</translation>
    </message>
    <message>
        <source>the runtime &apos;%1&apos; does not run &apos;%2&apos; files</source>
        <translation>运行时“%1”不能运行“%2”文件</translation>
    </message>
    <message>
        <source>It runs: %1. `quantloupe-cli runtimes` lists the others.</source>
        <translation>它能运行：%1。其他运行时见 `quantloupe-cli runtimes`。</translation>
    </message>
    <message>
        <source>the runtime &apos;%1&apos; was not found (%2)</source>
        <translation>未找到运行时“%1”（%2）</translation>
    </message>
    <message>
        <source>Run `quantloupe-cli runtimes install %1`, or name an interpreter that has it with %2 or QUANTLOUPE_PYTHON.</source>
        <translation>请运行 `quantloupe-cli runtimes install %1`，或用 %2 或 QUANTLOUPE_PYTHON 指定装有它的解释器。</translation>
    </message>
    <message>
        <source>the recipe names no data: there is nothing to run</source>
        <translation>配方没有指定数据：没有可运行的内容</translation>
    </message>
    <message>
        <source>Give it calibration or evaluation data.</source>
        <translation>请提供校准数据或评估数据。</translation>
    </message>
    <message>
        <source>training: read data</source>
        <translation>训练：读取数据</translation>
    </message>
    <message>
        <source>Free space in the folder for temporary files, or use fewer samples.</source>
        <translation>请在临时文件夹中腾出空间，或减少样本数。</translation>
    </message>
    <message>
        <source>training: block %1 of %2</source>
        <translation>训练：第 %1 块，共 %2 块</translation>
    </message>
    <message>
        <source>the block from &apos;%1&apos; to &apos;%2&apos; is not trained: %3</source>
        <translation>从“%1”到“%2”的块未被训练：%3</translation>
    </message>
    <message>
        <source>the recipe rounds it with the scale %1, the file contains no quantize operation for it</source>
        <translation>配方以 scale %1 对其取整，而文件中没有对应的量化算子</translation>
    </message>
    <message>
        <source>its scale is %1 in the file and %2 in the recipe</source>
        <translation>其 scale 在文件中为 %1，在配方中为 %2</translation>
    </message>
    <message>
        <source>its zero point is %1 in the file and %2 in the recipe</source>
        <translation>其零点在文件中为 %1，在配方中为 %2</translation>
    </message>
    <message>
        <source>the runtime does not round it: %1 of %2 differing elements equal the simulator&apos;s value before rounding</source>
        <translation>运行时没有对其取整：%2 个不同的元素中有 %1 个等于模拟器取整前的值</translation>
    </message>
    <message>
        <source>the runtime only clamps it to the range of its codes: %1 of %2 differing elements equal the simulator&apos;s value before rounding, clamped</source>
        <translation>运行时只将其截断到编码范围内：%2 个不同的元素中有 %1 个等于模拟器取整前的值截断后的结果</translation>
    </message>
    <message>
        <source>rounding &apos;%1&apos; gives the runtime&apos;s codes at %2 of %3 differing elements</source>
        <translation>采用取整方式“%1”，%3 个不同的元素中有 %2 个得到运行时的编码</translation>
    </message>
    <message>
        <source>exact ties: rounding &apos;%1&apos; gives the runtime&apos;s codes at %2 of %3 differing elements</source>
        <translation>恰好处于中点：采用取整方式“%1”，%3 个不同的元素中有 %2 个得到运行时的编码</translation>
    </message>
    <message>
        <source>the %1 differing elements are one step apart, and the simulator&apos;s values before rounding are within %2 steps of the boundary between two codes: sums of another order or precision</source>
        <translation>%1 个不同的元素相差一个步长，且模拟器取整前的值距两个编码的边界不超过 %2 个步长：求和顺序或精度不同</translation>
    </message>
    <message>
        <source>%1 with &apos;%2&apos; = %3 gives the runtime&apos;s codes at %4 of %5 differing elements</source>
        <translation>%1 取“%2”= %3 时，%5 个不同的元素中有 %4 个得到运行时的编码</translation>
    </message>
    <message>
        <source>a float operation: %1 elements differ by more than %2 of the largest magnitude, the largest difference is %3 of it</source>
        <translation>浮点算子：%1 个元素的差超过最大幅值的 %2，最大差为其 %3</translation>
    </message>
    <message>
        <source>%1 elements differ, %2 of them at ties, by up to %3 steps; none of the known causes gives the runtime&apos;s values</source>
        <translation>%1 个元素不同，其中 %2 个处于中点，最大相差 %3 个步长；已知的原因都不能得到运行时的值</translation>
    </message>
    <message>
        <source>all %1 differing elements are one step apart, and the simulator&apos;s values before rounding are within %2 steps of the boundary between two codes</source>
        <translation>全部 %1 个不同的元素相差一个步长，且模拟器取整前的值距两个编码的边界不超过 %2 个步长</translation>
    </message>
    <message>
        <source>cannot create a temporary folder: %1</source>
        <translation>无法创建临时文件夹：%1</translation>
    </message>
    <message>
        <source>cannot start &apos;%1&apos;: %2</source>
        <translation>无法启动“%1”：%2</translation>
    </message>
    <message>
        <source>Replace operations between quantize and dequantize nodes by integer ones; off: session.disable_quant_qdq.</source>
        <translation>将量化与反量化节点之间的算子替换为整数算子；关闭：session.disable_quant_qdq。</translation>
    </message>
    <message>
        <source>Threads of an operation.</source>
        <translation>单个算子的线程数。</translation>
    </message>
    <message>
        <source>The CPU plug-in of OpenVINO. Its default for float operations on recent processors is bfloat16; here it is float32 unless an option says otherwise.</source>
        <translation>OpenVINO 的 CPU 插件。在较新的处理器上，它的浮点算子默认使用 bfloat16；此处除非另设选项，均使用 float32。</translation>
    </message>
    <message>
        <source>INFERENCE_PRECISION_HINT; default: the plug-in&apos;s own choice.</source>
        <translation>INFERENCE_PRECISION_HINT；default：由插件自行选择。</translation>
    </message>
    <message>
        <source>there is no folder to install into: neither XDG_CACHE_HOME nor HOME is set</source>
        <translation>没有可安装的文件夹：XDG_CACHE_HOME 和 HOME 均未设置</translation>
    </message>
    <message>
        <source>cannot create the folder: %1</source>
        <translation>无法创建文件夹：%1</translation>
    </message>
    <message>
        <source>cannot install %1: %2</source>
        <translation>无法安装 %1：%2</translation>
    </message>
    <message>
        <source>pip needs the Python package registry: check the network and pip&apos;s configuration. Or install %1 yourself and name the interpreter with %2.</source>
        <translation>pip 需要访问 Python 软件包仓库：请检查网络和 pip 的配置。也可自行安装 %1，并用 %2 指定解释器。</translation>
    </message>
    <message>
        <source>create the environment</source>
        <translation>创建环境</translation>
    </message>
    <message>
        <source>install the packages</source>
        <translation>安装软件包</translation>
    </message>
    <message>
        <source>cannot rename: %1</source>
        <translation>无法重命名：%1</translation>
    </message>
    <message>
        <source>It must write a .npz file with one array per output, named as the output.</source>
        <translation>它必须写出一个 .npz 文件，每个输出对应一个同名数组。</translation>
    </message>
    <message>
        <source>it printed nothing</source>
        <translation>没有任何输出</translation>
    </message>
    <message>
        <source>%1 did not end within %2 s and was stopped; its last output: %3</source>
        <translation>%1 在 %2 秒内没有结束，已被终止；其最后输出：%3</translation>
    </message>
    <message>
        <source>Allow more time with %1, or use fewer samples.</source>
        <translation>请用 %1 放宽时间限制，或减少样本。</translation>
    </message>
    <message>
        <source>%1 ran out of memory (limit: %2 MiB)</source>
        <translation>%1 内存不足（限制：%2 MiB）</translation>
    </message>
    <message>
        <source>Allow more with %1, or use fewer samples.</source>
        <translation>请用 %1 放宽限制，或减少样本。</translation>
    </message>
    <message>
        <source>%1 crashed (%2): %3</source>
        <translation>%1 崩溃（%2）：%3</translation>
    </message>
    <message>
        <source>This is a bug of the runtime, or the file is damaged. Try other options of the runtime: `quantloupe-cli runtimes` lists them.</source>
        <translation>这是运行时的缺陷，或文件已损坏。请尝试运行时的其他选项，见 `quantloupe-cli runtimes`。</translation>
    </message>
    <message>
        <source>%1 failed with exit code %2: %3</source>
        <translation>%1 失败，退出码 %2：%3</translation>
    </message>
    <message>
        <source>the command must contain %1</source>
        <translation>命令必须包含 %1</translation>
    </message>
    <message>
        <source>{model}, {in} and {out} become the names of the exported file, of the .npz of inputs and of the .npz of outputs to write.</source>
        <translation>{model}、{in} 和 {out} 将替换为导出文件、输入 .npz 和待写输出 .npz 的文件名。</translation>
    </message>
    <message>
        <source>the file starts a program: %1</source>
        <translation>该文件会启动程序：%1</translation>
    </message>
    <message>
        <source>If you trust it, allow it with %1.</source>
        <translation>如果信任它，请用 %1 允许。</translation>
    </message>
    <message>
        <source>run the command</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>Your command</source>
        <translation>自定义命令</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>the tensor is %1 in the runtime and %2 in the simulator</source>
        <translation>该张量在运行时中为 %1，在模拟器中为 %2</translation>
    </message>
    <message>
        <source>Check that the file was exported from this recipe.</source>
        <translation>请检查该文件是否由此配方导出。</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Only outputs are compared: files of this format cannot be cut.</source>
        <translation>只比较输出：此格式的文件无法切分。</translation>
    </message>
    <message>
        <source>The model cannot be run with inner tensors as outputs (%1), so it is cut at each tensor in turn, up to the first divergence.</source>
        <translation>将内部张量作为输出时模型无法运行（%1），因此依次在每个张量处切分模型，直到第一处分歧。</translation>
    </message>
    <message>
        <source>weight per tensor</source>
        <translation>权重逐张量</translation>
    </message>
    <message>
        <source>Bits of activations and weights.</source>
        <translation>激活和权重的位数。</translation>
    </message>
    <message>
        <source>Ranges are symmetric; otherwise all codes are unsigned and have a zero point.</source>
        <translation>范围对称；否则所有编码为无符号数并带零点。</translation>
    </message>
    <message>
        <source>Weights have a scale for each output channel; otherwise one for the tensor.</source>
        <translation>权重的每个输出通道有各自的缩放系数；否则整个张量共用一个。</translation>
    </message>
    <message>
        <source>Academic</source>
        <translation>学术</translation>
    </message>
    <message>
        <source>Ascend</source>
        <translation>昇腾</translation>
    </message>
    <message>
        <source>For ASC_INT8: no fusion and no alignment.</source>
        <translation>用于 ASC_INT8：不融合、不对齐。</translation>
    </message>
    <message>
        <source>First try</source>
        <translation>首次尝试</translation>
    </message>
    <message>
        <source>Observer of activations, such as percentile, kl or mse.</source>
        <translation>激活的观察器，例如 percentile、kl 或 mse。</translation>
    </message>
    <message>
        <source>Equalize channel ranges before quantization.</source>
        <translation>量化之前均衡各通道的取值范围。</translation>
    </message>
    <message>
        <source>Train scales and weights after calibration.</source>
        <translation>校准之后训练缩放系数和权重。</translation>
    </message>
    <message>
        <source>Steps of training for each block.</source>
        <translation>每个块的训练步数。</translation>
    </message>
    <message>
        <source>Learning rate of the weights.</source>
        <translation>权重的学习率。</translation>
    </message>
    <message>
        <source>Names of operations that stay in float32.</source>
        <translation>保持 float32 的算子名称。</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>DSP</source>
        <translation>DSP</translation>
    </message>
    <message>
        <source>For platforms with one scale per tensor, such as PPL_DSP_INT8 and SNPE_INT8: channel ranges are equalized first.</source>
        <translation>用于每个张量一个缩放系数的平台，如 PPL_DSP_INT8 和 SNPE_INT8：先均衡各通道的取值范围。</translation>
    </message>
    <message>
        <source>FPGA</source>
        <translation>FPGA</translation>
    </message>
    <message>
        <source>For FPGA_INT8: channel ranges are equalized first, biases included.</source>
        <translation>用于 FPGA_INT8：先均衡各通道的取值范围，包括偏置。</translation>
    </message>
    <message>
        <source>MetaX per tensor</source>
        <translation>MetaX 逐张量</translation>
    </message>
    <message>
        <source>For METAX_INT8_T: channel ranges are equalized first.</source>
        <translation>用于 METAX_INT8_T：先均衡各通道的取值范围。</translation>
    </message>
    <message>
        <source>MNN</source>
        <translation>MNN</translation>
    </message>
    <message>
        <source>ncnn</source>
        <translation>ncnn</translation>
    </message>
    <message>
        <source>For NCNN_INT8: no fusion and no alignment.</source>
        <translation>用于 NCNN_INT8：不融合、不对齐。</translation>
    </message>
    <message>
        <source>NXP</source>
        <translation>NXP</translation>
    </message>
    <message>
        <source>OpenPPL CUDA</source>
        <translation>OpenPPL CUDA</translation>
    </message>
    <message>
        <source>TensorRT</source>
        <translation>TensorRT</translation>
    </message>
    <message>
        <source>batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>bias rate</source>
        <translation>偏置学习率</translation>
    </message>
    <message>
        <source>candidates</source>
        <translation>候选数</translation>
    </message>
    <message>
        <source>drop</source>
        <translation>丢弃率</translation>
    </message>
    <message>
        <source>held out</source>
        <translation>留出比例</translation>
    </message>
    <message>
        <source>patience</source>
        <translation>容忍步数</translation>
    </message>
    <message>
        <source>penalty</source>
        <translation>惩罚系数</translation>
    </message>
    <message>
        <source>per channel</source>
        <translation>按通道</translation>
    </message>
    <message>
        <source>rounding rate</source>
        <translation>舍入学习率</translation>
    </message>
    <message>
        <source>scale rate</source>
        <translation>缩放系数学习率</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>weight rate</source>
        <translation>权重学习率</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>whole graph</source>
        <translation>整个图</translation>
    </message>
    <message>
        <source>widest</source>
        <translation>最大倍数</translation>
    </message>
    <message>
        <source>Nothing was written. Declared shapes and attributes that contradict the model&apos;s operators are copied from it: correct them there, or report the model if the ONNX checker accepts it.</source>
        <translation>未写出任何内容。声明的形状和属性若与模型的算子矛盾，会从模型照抄：请在模型中更正；如果 ONNX 检查器接受该模型，请报告该模型。</translation>
    </message>
    <message>
        <source>optimizations</source>
        <translation>优化</translation>
    </message>
    <message>
        <source>fuse qdq</source>
        <translation>融合 QDQ</translation>
    </message>
    <message>
        <source>precise sums</source>
        <translation>精确求和</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>tie on a code border</source>
        <translation>恰在两个编码的边界</translation>
    </message>
    <message>
        <source>encoding missing or ignored</source>
        <translation>编码缺失或被忽略</translation>
    </message>
    <message>
        <source>other rounding</source>
        <translation>取整方式不同</translation>
    </message>
    <message>
        <source>fused or moved operation</source>
        <translation>算子被融合或移动</translation>
    </message>
    <message>
        <source>layout or resize rule</source>
        <translation>布局或缩放规则</translation>
    </message>
    <message>
        <source>saturating sums</source>
        <translation>求和饱和</translation>
    </message>
    <message>
        <source>float kernel</source>
        <translation>浮点内核</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>intermediate outputs</source>
        <translation>中间输出</translation>
    </message>
    <message>
        <source>cuts</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>search %1</source>
        <translation>查找 %1</translation>
    </message>
    <message>
        <source>the runtime &apos;%1&apos; cannot be installed from here</source>
        <translation>无法在此安装运行时“%1”</translation>
    </message>
    <message>
        <source>the runtime &apos;%1&apos; was installed, but does not start: %2</source>
        <translation>运行时“%1”已安装，但无法启动：%2</translation>
    </message>
    <message>
        <source>winograd</source>
        <translation>Winograd</translation>
    </message>
    <message>
        <source>fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Compute 3x3 convolutions by Winograd&apos;s method.</source>
        <translation>用 Winograd 方法计算 3x3 卷积。</translation>
    </message>
    <message>
        <source>Fuse layers.</source>
        <translation>融合各层。</translation>
    </message>
    <message>
        <source>Rockchip&apos;s RKNN toolkit builds the file as it is quantized and runs it in its simulator of the NPU. For Linux on x86 and Arm.</source>
        <translation>瑞芯微的 RKNN 工具按文件的量化方式构建，并在其 NPU 模拟器中运行。适用于 x86 和 Arm 的 Linux。</translation>
    </message>
    <message>
        <source>The processor.</source>
        <translation>处理器。</translation>
    </message>
    <message>
        <source>packing</source>
        <translation>紧凑布局</translation>
    </message>
    <message>
        <source>Alibaba&apos;s MNN on the CPU. The ONNX file is converted with the scales of the JSON file next to it: MNN quantizes only convolutions.</source>
        <translation>阿里巴巴 MNN（CPU）。用同目录 JSON 文件中的缩放系数转换 ONNX 文件：MNN 只量化卷积。</translation>
    </message>
    <message>
        <source>Tencent&apos;s ncnn on the CPU. The ONNX file is converted with pnnx and gets the scales of the table next to it, as ncnn2int8 does.</source>
        <translation>腾讯 ncnn（CPU）。用 pnnx 转换 ONNX 文件，并像 ncnn2int8 一样写入同目录表格中的缩放系数。</translation>
    </message>
    <message>
        <source>Number of iterations, each of which moves the channels of a group one step closer.</source>
        <translation>每组通道向彼此靠近一步的次数。</translation>
    </message>
    <message>
        <source>Activation equalization</source>
        <translation>激活均衡</translation>
    </message>
    <message>
        <source>Before: activations whose channels have very different ranges. After: the layers before and after them scale each channel towards the mean range; the float result is the same.</source>
        <translation>之前：激活的各通道范围相差很大。之后：前后的层把每个通道缩放到接近平均范围；浮点结果不变。</translation>
    </message>
    <message>
        <source>channel split</source>
        <translation>通道拆分</translation>
    </message>
    <message>
        <source>Number of rounds in which channels are chosen; a copied channel can be split again.</source>
        <translation>选择通道的次数；通道的副本可以再次拆分。</translation>
    </message>
    <message>
        <source>Channels are split if their largest weights before and after are both at least this.</source>
        <translation>如果通道前后的最大权重都不小于该值，则拆分该通道。</translation>
    </message>
    <message>
        <source>Channel split</source>
        <translation>通道拆分</translation>
    </message>
    <message>
        <source>Before: a channel with large weights before and after it. After: two copies of it with smaller weights; the float result is the same, and the layers are larger.</source>
        <translation>之前：前后权重都很大的通道。之后：该通道的两个副本，权重更小；浮点结果不变，层会变大。</translation>
    </message>
    <message>
        <source>Fuse Gelu</source>
        <translation>融合 Gelu</translation>
    </message>
    <message>
        <source>Before: Erf or Tanh and the products around it that exporters write for Gelu. After: one Gelu.</source>
        <translation>之前：导出工具为 Gelu 写出的 Erf 或 Tanh 及其周围的乘法。之后：一个 Gelu。</translation>
    </message>
    <message>
        <source>Fuse layer normalization</source>
        <translation>融合层归一化</translation>
    </message>
    <message>
        <source>variables: the model has no tensor &apos;%1&apos;</source>
        <translation>variables：模型没有张量“%1”</translation>
    </message>
    <message>
        <source>Name tensors of the model.</source>
        <translation>请填写模型中的张量名称。</translation>
    </message>
    <message>
        <source>Name the output of an operation that has its own scale.</source>
        <translation>请填写拥有自己的 scale 的算子的输出。</translation>
    </message>
    <message>
        <source>variables: no operation computes &apos;%1&apos;</source>
        <translation>variables：没有算子计算“%1”</translation>
    </message>
    <message>
        <source>variables: &apos;%1&apos; does not have its own scale</source>
        <translation>variables：“%1”没有自己的 scale</translation>
    </message>
    <message>
        <source>variables: &apos;%1&apos; has several scales, a floating format or the scale of another tensor</source>
        <translation>variables：“%1”有多个 scale、使用浮点格式，或使用其他张量的 scale</translation>
    </message>
    <message>
        <source>Isotone calibration</source>
        <translation>保序校准</translation>
    </message>
    <message>
        <source>Before: class scores are calibrated with the platform&apos;s observers. After: they are calibrated with the observer isotone, so the largest score stays the largest after rounding.</source>
        <translation>之前：由平台的观察器校准类别得分。之后：由观察器 isotone 校准，使最大的得分在舍入后仍然最大。</translation>
    </message>
    <message>
        <source>Tensors with one score per class; empty: the outputs of Softmax.</source>
        <translation>每个类别一个得分的张量；空：Softmax 的输出。</translation>
    </message>
    <message>
        <source>The axis of the classes in these tensors; negative: from the end.</source>
        <translation>这些张量中类别所在的轴；负数：从末尾数起。</translation>
    </message>
    <message>
        <source>interested_layers is empty: no layer to factorize</source>
        <translation>interested_layers 为空：没有要分解的层</translation>
    </message>
    <message>
        <source>Name layers in interested_layers (* and ? allowed).</source>
        <translation>请在 interested_layers 中填写层名（可用 * 和 ?）。</translation>
    </message>
    <message>
        <source>interested_layers: no layer is called &apos;%1&apos;</source>
        <translation>interested_layers：没有名为“%1”的层</translation>
    </message>
    <message>
        <source>Name layers of the model (* and ? allowed).</source>
        <translation>请填写模型中的层名（可用 * 和 ?）。</translation>
    </message>
    <message>
        <source>matrix factorization</source>
        <translation>矩阵分解</translation>
    </message>
    <message>
        <source>%1 was not factorized: it is not a Gemm, or a Conv with a 1x1 kernel and without groups, that has float32 weights as a parameter</source>
        <translation>%1 未分解：它不是以 float32 权重为参数的 Gemm，也不是不分组的 1x1 Conv</translation>
    </message>
    <message>
        <source>Remove it from interested_layers.</source>
        <translation>请将其从 interested_layers 中移除。</translation>
    </message>
    <message>
        <source>split from &apos;%1&apos;</source>
        <translation>由“%1”拆分而来</translation>
    </message>
    <message>
        <source>Matrix factorization</source>
        <translation>矩阵分解</translation>
    </message>
    <message>
        <source>Before: one layer. After: two layers whose product it is, with smaller and more even ranges of weights, by the singular values.</source>
        <translation>之前：一层。之后：按奇异值分成乘积相同的两层，权重范围更小、更均匀。</translation>
    </message>
    <message>
        <source>The layers to factorize (names, * and ? allowed); required.</source>
        <translation>要分解的层（名称，可用 * 和 ?）；必填。</translation>
    </message>
    <message>
        <source>svd: the float result is the same. training: weights are also made smaller, which changes it.</source>
        <translation>svd：浮点结果不变。training：还会减小权重，因而改变浮点结果。</translation>
    </message>
    <message>
        <source>Number of channels between the two layers; 0: as many as the product needs. Fewer change the float result.</source>
        <translation>两层之间的通道数；0：乘积所需的数量。更少会改变浮点结果。</translation>
    </message>
    <message>
        <source>NXP fusion</source>
        <translation>NXP 融合</translation>
    </message>
    <message>
        <source>Before: Conv or Add and its Relu, and the inputs of a Concat, are quantized each. After: only the output of Relu or Concat is quantized.</source>
        <translation>之前：Conv 或 Add 与其 Relu、以及 Concat 的各输入分别量化。之后：只量化 Relu 或 Concat 的输出。</translation>
    </message>
    <message>
        <source>%1 was not split: %2</source>
        <translation>%1 未拆分：%2</translation>
    </message>
    <message>
        <source>Fix the input shapes of the model (%1), or raise max_steps.</source>
        <translation>请固定模型的输入形状（%1），或增大 max_steps。</translation>
    </message>
    <message>
        <source>It stays one operation, which most platforms compute in float32.</source>
        <translation>它仍是一个算子，大多数平台以 float32 计算。</translation>
    </message>
    <message>
        <source>its weights are not float32 parameters</source>
        <translation>其权重不是 float32 参数</translation>
    </message>
    <message>
        <source>its sequences have different lengths</source>
        <translation>其各序列的长度不同</translation>
    </message>
    <message>
        <source>it has peepholes</source>
        <translation>它带有 peephole 连接</translation>
    </message>
    <message>
        <source>it has other activations than the default</source>
        <translation>它使用了非默认的激活函数</translation>
    </message>
    <message>
        <source>it clips its gates</source>
        <translation>它对门做截断</translation>
    </message>
    <message>
        <source>its batch comes first (layout 1)</source>
        <translation>其批次在最前（layout 1）</translation>
    </message>
    <message>
        <source>the length of its sequences is not known</source>
        <translation>其序列长度未知</translation>
    </message>
    <message>
        <source>its sequences have %1 steps, more than max_steps (%2)</source>
        <translation>其序列有 %1 步，超过 max_steps（%2）</translation>
    </message>
    <message>
        <source>GRU and LSTM split</source>
        <translation>GRU 与 LSTM 拆分</translation>
    </message>
    <message>
        <source>Before: GRU, LSTM. After: Gemm, Sigmoid, Tanh, Mul and Add of each step, which platforms can quantize; the float result is the same.</source>
        <translation>之前：GRU、LSTM。之后：每一步的 Gemm、Sigmoid、Tanh、Mul 和 Add，平台可以量化它们；浮点结果不变。</translation>
    </message>
    <message>
        <source>Longer sequences are left unchanged: each step adds about 20 operations.</source>
        <translation>更长的序列保持不变：每一步约增加 20 个算子。</translation>
    </message>
    <message>
        <source>SSD equalization</source>
        <translation>SSD 均衡</translation>
    </message>
    <message>
        <source>First give both layers of each pair the same largest weight, by one factor.</source>
        <translation>先用一个系数使每对中两层的最大权重相同。</translation>
    </message>
    <message>
        <source>Before: neighbouring layers whose channels have very different ranges. After: they are scaled by the rule that reduces the measured quantization error of the two most, if one does; the float result is the same.</source>
        <translation>之前：相邻层各通道范围相差很大。之后：按使这两层实测量化误差下降最多的规则缩放（如有）；浮点结果不变。</translation>
    </message>
    <message>
        <source>interested_layers is empty: no layer to split</source>
        <translation>interested_layers 为空：没有要拆分的层</translation>
    </message>
    <message>
        <source>%1 was not split: its weights are not a float32 parameter of a Conv, ConvTranspose, Gemm or MatMul</source>
        <translation>%1 未拆分：其权重不是 Conv、ConvTranspose、Gemm 或 MatMul 的 float32 参数</translation>
    </message>
    <message>
        <source>Weight split</source>
        <translation>权重拆分</translation>
    </message>
    <message>
        <source>Before: a layer with a few large weights. After: two layers that share them and are added; the float result is the same, and the layer costs twice as much.</source>
        <translation>之前：含少量大权重的层。之后：两层分担这些权重并相加；浮点结果不变，该层的计算量加倍。</translation>
    </message>
    <message>
        <source>The layers to split (names, * and ? allowed); required.</source>
        <translation>要拆分的层（名称，可用 * 和 ?）；必填。</translation>
    </message>
    <message>
        <source>Weights larger than this are distributed over both layers.</source>
        <translation>大于该值的权重分配到两层。</translation>
    </message>
    <message>
        <source>balance: half of each weight in each layer. random: a random part of it.</source>
        <translation>balance：每层各占一半权重。random：随机的一部分。</translation>
    </message>
    <message>
        <source>Seed of the random parts. The same seed gives the same result.</source>
        <translation>随机部分的种子。相同的种子得到相同的结果。</translation>
    </message>
    <message>
        <source>analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>layerwise errors (operations: %1, float passes: %2, batches: %3)</source>
        <translation>逐层误差（算子：%1，浮点前向：%2 遍，批次：%3）</translation>
    </message>
    <message>
        <source>export format</source>
        <translation>导出格式</translation>
    </message>
    <message>
        <source>export &apos;%1&apos;: the format has one scale per tensor</source>
        <translation>导出“%1”：该格式每个张量只有一个缩放系数</translation>
    </message>
    <message>
        <source>Quantize for %1.</source>
        <translation>按 %1 量化。</translation>
    </message>
    <message>
        <source>array &apos;%1&apos;</source>
        <translation>数组“%1”</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>处理步骤</translation>
    </message>
    <message>
        <source>dispatcher</source>
        <translation>调度器</translation>
    </message>
    <message>
        <source>your own limits for its range</source>
        <translation>自行设定其范围的上下限</translation>
    </message>
    <message>
        <source>%1 (+%2 dB)</source>
        <translation>%1（+%2 dB）</translation>
    </message>
    <message>
        <source>%1 (+%2 points)</source>
        <translation>%1（+%2 个百分点）</translation>
    </message>
    <message>
        <source>No gain: %1.</source>
        <translation>没有改善：%1。</translation>
    </message>
    <message>
        <source>%1: the passes have no &apos;%2&apos;</source>
        <translation>%1：处理流程中没有“%2”</translation>
    </message>
    <message>
        <source>Number of problems whose remedies are tried, the worst ones.</source>
        <translation>试用其补救措施的问题个数，从最严重的开始。</translation>
    </message>
    <message>
        <source>remedy %1 of %2</source>
        <translation>补救措施 %1/%2</translation>
    </message>
    <message>
        <source>Gains of remedies</source>
        <translation>补救措施的收益</translation>
    </message>
    <message>
        <source>runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>%1 succeeded, but its reply cannot be read: %2</source>
        <translation>%1 正常结束，但无法读取其回复：%2</translation>
    </message>
    <message>
        <source>%1 succeeded, but its results cannot be read: %2</source>
        <translation>%1 正常结束，但无法读取其结果：%2</translation>
    </message>
    <message>
        <source>%1 returned no tensor &apos;%2&apos;</source>
        <translation>%1 没有给出张量“%2”</translation>
    </message>
    <message>
        <source>It returned: %1. Check that the file and the recipe belong to the same model.</source>
        <translation>它给出了：%1。请检查文件与配方是否属于同一模型。</translation>
    </message>
    <message>
        <source>Check that the file is for this runtime and belongs to the recipe&apos;s model.</source>
        <translation>请检查该文件是否适用于此运行时，且属于配方的模型。</translation>
    </message>
    <message>
        <source>%1 succeeded, but wrote no %2</source>
        <translation>%1 正常结束，但没有写出 %2</translation>
    </message>
    <message>
        <source>Runs your own program, on this machine or on a board over ssh. A JSON file names it: {&quot;command&quot;: [&quot;./run&quot;, &quot;{model}&quot;, &quot;{in}&quot;, &quot;{out}&quot;]}. It gets a .npz of inputs and writes a .npz of outputs, once per batch.</source>
        <translation>运行您自己的程序，可在本机或通过 ssh 在开发板上运行。由 JSON 文件指定：{&quot;command&quot;: [&quot;./run&quot;, &quot;{model}&quot;, &quot;{in}&quot;, &quot;{out}&quot;]}。每个批次运行一次：读取输入 .npz，写出输出 .npz。</translation>
    </message>
    <message>
        <source>Only outputs are compared: no inner tensor of the file has the name of a tensor in the model.</source>
        <translation>只比较输出：文件的内部张量与模型没有同名者。</translation>
    </message>
    <message>
        <source>With inner tensors as outputs, the runtime computes a different &apos;%1&apos;, because it fuses operations differently. So the model is cut at each tensor in turn, up to the first divergence.</source>
        <translation>将内部张量作为输出时，运行时算出的“%1”不同：其融合方式发生了变化。因此依次在每个张量处切分模型，直到第一处分歧。</translation>
    </message>
    <message>
        <source>Like ACADEMIC_INT8, but with 4-bit inputs and weights; the bias keeps its 30 bits.</source>
        <translation>同 ACADEMIC_INT8，但输入和权重为 4 位；偏置仍为 30 位。</translation>
    </message>
    <message>
        <source>4-bit input</source>
        <translation>4 位输入</translation>
    </message>
    <message>
        <source>4-bit weight</source>
        <translation>4 位权重</translation>
    </message>
    <message>
        <source>Tencent ncnn: only the inputs and weights of Conv and Gemm are quantized, results are float32. 3x3 convolutions with stride 1 run as Winograd with 6-bit weights.</source>
        <translation>腾讯 ncnn：只量化 Conv 和 Gemm 的输入和权重，结果为 float32。步长为 1 的 3x3 卷积以 Winograd 和 6 位权重运行。</translation>
    </message>
    <message>
        <source>6-bit weight of a 3x3 Winograd Conv</source>
        <translation>3x3 Winograd 卷积的 6 位权重</translation>
    </message>
    <message>
        <source>NXP accelerators: symmetric with power-of-two scales, weights per output channel, 30-bit bias whose scale is weight scale x input scale; every Resize becomes nearest, half pixel.</source>
        <translation>NXP 加速器：对称，缩放系数为 2 的幂，权重逐输出通道，偏置 30 位，缩放系数为权重与输入之积；所有 Resize 变为 nearest、half pixel。</translation>
    </message>
    <message>
        <source>30-bit bias per output channel</source>
        <translation>30 位偏置，逐输出通道</translation>
    </message>
    <message>
        <source>OpenPPL on CUDA: symmetric activations per tensor, weights per output channel, 32-bit bias whose scale is weight scale x input scale.</source>
        <translation>CUDA 上的 OpenPPL：激活对称、逐张量，权重逐输出通道，偏置 32 位，缩放系数为权重与输入之积。</translation>
    </message>
    <message>
        <source>32-bit bias per output channel</source>
        <translation>32 位偏置，逐输出通道</translation>
    </message>
    <message>
        <source>Rockchip RKNN, per-tensor scheme: asymmetric unsigned activations and weights, 32-bit bias whose scale is weight scale x input scale.</source>
        <translation>瑞芯微 RKNN，逐张量方案：激活和权重为无符号非对称，偏置 32 位，缩放系数为权重与输入之积。</translation>
    </message>
    <message>
        <source>32-bit bias</source>
        <translation>32 位偏置</translation>
    </message>
    <message>
        <source>OPEN AI LAB Tengine: asymmetric unsigned activations and weights per tensor, 30-bit bias whose scale is weight scale x input scale.</source>
        <translation>OPEN AI LAB Tengine：激活和权重为无符号非对称、逐张量，偏置 30 位，缩放系数为权重与输入之积。</translation>
    </message>
    <message>
        <source>For ACADEMIC_INT8 and its variants: no fusion and no alignment, so that both sides of a tensor are quantized.</source>
        <translation>用于 ACADEMIC_INT8 及其变体：不融合、不对齐，因此张量的两侧都量化。</translation>
    </message>
    <message>
        <source>The default pipeline with equalization and training of the scales: a good start if you do not know which passes to choose.</source>
        <translation>默认流程，加上均衡和缩放系数的训练：不知道选哪些步骤时的好起点。</translation>
    </message>
    <message>
        <source>Fusion, alignment, calibration; the float network does not change.</source>
        <translation>融合、对齐、校准；浮点网络不变。</translation>
    </message>
    <message>
        <source>The default pipeline, for MNN_INT8.</source>
        <translation>默认流程，用于 MNN_INT8。</translation>
    </message>
    <message>
        <source>The default pipeline, for NXP_INT8.</source>
        <translation>默认流程，用于 NXP_INT8。</translation>
    </message>
    <message>
        <source>The default pipeline, for PPL_CUDA_INT8.</source>
        <translation>默认流程，用于 PPL_CUDA_INT8。</translation>
    </message>
    <message>
        <source>The default pipeline, for TRT_INT8.</source>
        <translation>默认流程，用于 TRT_INT8。</translation>
    </message>
    <message>
        <source>problems</source>
        <translation>问题数</translation>
    </message>
    <message>
        <source>this is not a plug-in: it has no description</source>
        <translation>这不是插件：没有描述信息</translation>
    </message>
    <message>
        <source>One source of a plug-in must contain QL_PLUGIN(name, version, meaning): docs/plugins.md.</source>
        <translation>插件的一个源文件必须包含 QL_PLUGIN(name, version, meaning)：见 docs/plugins.md。</translation>
    </message>
    <message>
        <source>the plug-in was built for %1, this is %2</source>
        <translation>该插件是为 %1 构建的，当前为 %2</translation>
    </message>
    <message>
        <source>the plug-in cannot be loaded: %1</source>
        <translation>无法加载插件：%1</translation>
    </message>
    <message>
        <source>Give it another id, and load each plug-in only once.</source>
        <translation>请换一个 id，并且每个插件只加载一次。</translation>
    </message>
    <message>
        <source>the plug-in has no function quantloupePlugin()</source>
        <translation>插件没有函数 quantloupePlugin()</translation>
    </message>
    <message>
        <source>the plug-in crashed while it was loaded, and is left out</source>
        <translation>该插件在加载时崩溃，已跳过</translation>
    </message>
    <message>
        <source>Replace the file; it is tried again when it has changed.</source>
        <translation>请替换该文件；文件变化后会重新尝试加载。</translation>
    </message>
    <message>
        <source>the user&apos;s data folder is unknown</source>
        <translation>用户数据文件夹未知</translation>
    </message>
    <message>
        <source>Write only .npz archives to standard output, for example with numpy.savez(sys.stdout.buffer, x=samples), and messages to standard error.</source>
        <translation>标准输出只能写入 .npz 归档，例如使用 numpy.savez(sys.stdout.buffer, x=samples)；消息请写到标准错误。</translation>
    </message>
    <message>
        <source>%1; it wrote to standard error: %2</source>
        <translation>%1；其标准错误输出：%2</translation>
    </message>
    <message>
        <source>expected a .npz archive, got &apos;%1&apos;</source>
        <translation>应为 .npz 归档，实际为“%1”</translation>
    </message>
    <message>
        <source>an archive has more than 4 GiB</source>
        <translation>某个归档超过 4 GiB</translation>
    </message>
    <message>
        <source>cannot create a temporary file: %1</source>
        <translation>无法创建临时文件：%1</translation>
    </message>
    <message>
        <source>cannot store the samples of the program: %1</source>
        <translation>无法保存程序提供的样本：%1</translation>
    </message>
    <message>
        <source>Set TMPDIR to a folder with more space, or use fewer samples with %1.</source>
        <translation>请将 TMPDIR 设为空间更大的文件夹，或用 %1 减少样本。</translation>
    </message>
    <message>
        <source>If it needs that long, set &quot;seconds&quot; in the manifest.</source>
        <translation>如果确实需要这么长时间，请在清单中设置 &quot;seconds&quot;。</translation>
    </message>
    <message>
        <source>%1 ended in the middle of archive %2</source>
        <translation>%1 在第 %2 个归档中途结束</translation>
    </message>
    <message>
        <source>%1 wrote nothing</source>
        <translation>%1 没有任何输出</translation>
    </message>
    <message>
        <source>%1 wrote other samples than the first time: archive %2 differs</source>
        <translation>%1 写出的样本与第一次不同：第 %2 个归档有差异</translation>
    </message>
    <message>
        <source>Give its random numbers a fixed seed: results must be repeatable.</source>
        <translation>请为其随机数设置固定种子：结果必须可重复。</translation>
    </message>
    <message>
        <source>archive %1: %2</source>
        <translation>归档 %1：%2</translation>
    </message>
    <message>
        <source>&apos;command&apos; is empty</source>
        <translation>“command”为空</translation>
    </message>
    <message>
        <source>&apos;seconds&apos; must be above 0</source>
        <translation>“seconds”必须大于 0</translation>
    </message>
    <message>
        <source>The form is {&quot;samples&quot;: [{&quot;file&quot;: &quot;a.png&quot;, &quot;label&quot;: 3}], &quot;preprocess&quot;: &quot;...&quot;}; with several inputs {&quot;files&quot;: {&quot;input&quot;: &quot;a.npy&quot;}}; for a program that writes samples {&quot;command&quot;: [&quot;python3&quot;, &quot;loader.py&quot;]}.</source>
        <translation>格式为 {&quot;samples&quot;: [{&quot;file&quot;: &quot;a.png&quot;, &quot;label&quot;: 3}], &quot;preprocess&quot;: &quot;...&quot;}；有多个输入时为 {&quot;files&quot;: {&quot;input&quot;: &quot;a.npy&quot;}}；由程序写出样本时为 {&quot;command&quot;: [&quot;python3&quot;, &quot;loader.py&quot;]}。</translation>
    </message>
    <message>
        <source>platform refused: %1: %2</source>
        <translation>平台被拒绝：%1：%2</translation>
    </message>
    <message>
        <source>it is a plug-in</source>
        <translation>它是插件</translation>
    </message>
    <message>
        <source>without this plug-in, the recipe&apos;s %1 cannot be used: %2</source>
        <translation>没有此插件，配方中的 %1 无法使用：%2</translation>
    </message>
    <message>
        <source>%1 reads codes with scale %2 and zero point %3 that were written with %4 and %5</source>
        <translation>%1 以缩放系数 %2 和零点 %3 读取编码，而它们是以 %4 和 %5 写入的</translation>
    </message>
    <message>
        <source>The codes are used as numbers, or the file is damaged: use the float model.</source>
        <translation>编码被当作数值使用，或文件已损坏：请使用浮点模型。</translation>
    </message>
    <message>
        <source>the bias of %1 is computed at run time</source>
        <translation>%1 的偏置在运行时计算</translation>
    </message>
    <message>
        <source>Dequantize the model</source>
        <translation>反量化模型</translation>
    </message>
    <message>
        <source>Before: a quantized model, with QuantizeLinear, DequantizeLinear and operators on codes. After: the float model in it, with its rounded weights.</source>
        <translation>之前：已量化的模型，含 QuantizeLinear、DequantizeLinear 和对编码运算的算子。之后：其中的浮点模型，权重为取整后的值。</translation>
    </message>
    <message>
        <source>the file rounds this tensor several times; only the last one is kept</source>
        <translation>文件对该张量多次取整；只保留最后一次</translation>
    </message>
    <message>
        <source>Fixed scales</source>
        <translation>固定缩放系数</translation>
    </message>
    <message>
        <source>Before: activations have no scale. After: those with a scale fixed by an override use it, without any data; others stay in float32.</source>
        <translation>之前：激活值没有缩放系数。之后：各自使用覆盖规则固定的缩放系数，不需要数据；其余保持 float32。</translation>
    </message>
    <message>
        <source>%1 of %2 is computed at run time</source>
        <translation>%2 的%1在运行时计算</translation>
    </message>
    <message>
        <source>Scales and zero points must be constants.</source>
        <translation>缩放系数和零点必须是常量。</translation>
    </message>
    <message>
        <source>%1 has no scale</source>
        <translation>%1 没有缩放系数</translation>
    </message>
    <message>
        <source>the scale</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>a scale of %1 is %2, expected a positive number</source>
        <translation>%1 的一个缩放系数为 %2，应为正数</translation>
    </message>
    <message>
        <source>The file is damaged, or its tool did not calibrate this tensor.</source>
        <translation>文件已损坏，或其工具没有校准该张量。</translation>
    </message>
    <message>
        <source>the zero point</source>
        <translation>零点</translation>
    </message>
    <message>
        <source>%1 has %2 scales and %3 zero points</source>
        <translation>%1 有 %2 个缩放系数和 %3 个零点</translation>
    </message>
    <message>
        <source>%1 has %2 scales, which do not fit its axis</source>
        <translation>%1 有 %2 个缩放系数，与其轴不符</translation>
    </message>
    <message>
        <source>expected a file with encodings, found a folder</source>
        <translation>需要含编码的文件，却是文件夹</translation>
    </message>
    <message>
        <source>unknown format: no encodings that can be imported</source>
        <translation>未知格式：没有可导入的编码</translation>
    </message>
    <message>
        <source>Known formats: %1.</source>
        <translation>已知格式：%1。</translation>
    </message>
    <message>
        <source>must have an encoding per tensor or per channel</source>
        <translation>必须为每个张量或每个通道给出编码</translation>
    </message>
    <message>
        <source>must have as many scales as offsets, got %1 and %2</source>
        <translation>缩放系数与偏移的个数必须相同，得到 %1 和 %2</translation>
    </message>
    <message>
        <source>the model is not quantized: it has no scales to import</source>
        <translation>模型未量化：没有可导入的缩放系数</translation>
    </message>
    <message>
        <source>Quantize a float model with %1.</source>
        <translation>请用 %1 量化浮点模型。</translation>
    </message>
    <message>
        <source>Quantized ONNX models</source>
        <translation>已量化的 ONNX 模型</translation>
    </message>
    <message>
        <source>floating-point formats cannot be imported</source>
        <translation>不能导入浮点格式</translation>
    </message>
    <message>
        <source>Import the integer tensors only, or quantize the model again.</source>
        <translation>请只导入整数张量，或重新量化模型。</translation>
    </message>
    <message>
        <source>must be positive</source>
        <translation>必须为正数</translation>
    </message>
    <message>
        <source>must have as many scales as zero points, got %1 and %2</source>
        <translation>缩放系数与零点的个数必须相同，得到 %1 和 %2</translation>
    </message>
    <message>
        <source>PPQ&apos;s JSON of every config and scale, next to a float model.</source>
        <translation>PPQ 的 JSON，含所有配置和缩放系数，配合浮点模型。</translation>
    </message>
    <message>
        <source>JSON with the dynamic range of each activation, next to a float model.</source>
        <translation>含每个激活值动态范围的 JSON，配合浮点模型。</translation>
    </message>
    <message>
        <source>the file has %1 scales for a tensor with another number of output channels</source>
        <translation>文件给出 %1 个缩放系数，与张量的输出通道数不符</translation>
    </message>
    <message>
        <source>Use the model that the encodings were made for.</source>
        <translation>请使用生成这些编码时的模型。</translation>
    </message>
    <message>
        <source>the model has no tensor &apos;%1&apos;; %2 of %3 tensors with encodings are in it</source>
        <translation>模型没有张量“%1”；%3 个有编码的张量中有 %2 个在模型中</translation>
    </message>
    <message>
        <source>these are encodings of another model: %1</source>
        <translation>这些是另一个模型的编码：%1</translation>
    </message>
    <message>
        <source>the file contains encodings, but no model</source>
        <translation>文件只有编码，没有模型</translation>
    </message>
    <message>
        <source>Give the float model with %1.</source>
        <translation>请用 %1 给出浮点模型。</translation>
    </message>
    <message>
        <source>Import without %1 to use the file&apos;s, such as trained or equalized ones.</source>
        <translation>不带 %1 导入即可使用文件中的权重，例如训练过或均衡过的权重。</translation>
    </message>
    <message>
        <source>%1 with computed scales, or an unknown number of channels, cannot be written in opset 21</source>
        <translation>缩放系数由计算得出或通道数未知的 %1 不能以 opset 21 写出</translation>
    </message>
    <message>
        <source>Store parameters of 4 bits or fewer as INT4 and UINT4 (opset 21), two in a byte; off: as 8-bit integers, which every runtime reads.</source>
        <translation>将 4 位及以下的参数存为 INT4 和 UINT4（opset 21），每字节两个；关闭：存为所有运行时都能读取的 8 位整数。</translation>
    </message>
    <message>
        <source>OpenVINO Q/DQ</source>
        <translation>OpenVINO Q/DQ</translation>
    </message>
    <message>
        <source>TensorRT Q/DQ</source>
        <translation>TensorRT Q/DQ</translation>
    </message>
    <message>
        <source>ONNX with QuantizeLinear / DequantizeLinear, also after weights, which are stored as floats rounded to their grid: explicit quantization of TensorRT 8 and later.</source>
        <translation>含 QuantizeLinear / DequantizeLinear 的 ONNX，权重之后也有；权重存为舍入到网格的浮点数：用于 TensorRT 8 及以后版本的显式量化。</translation>
    </message>
    <message>
        <source>QuantizeLinear has no float type with %1 bits, %2 of them for the exponent, up to %3</source>
        <translation>QuantizeLinear 没有 %1 位（其中指数 %2 位）、最大值 %3 的浮点类型</translation>
    </message>
    <message>
        <source>ONNX Runtime loads FP8 only with the session option session.disable_quant_qdq set to 1, and computes in float32.</source>
        <translation>ONNX Runtime 只有将会话选项 session.disable_quant_qdq 设为 1 才能加载 FP8，并以 float32 计算。</translation>
    </message>
    <message>
        <source>ONNX computes a scale at run time only for unsigned 8-bit codes, or for symmetric ones, and not per channel</source>
        <translation>ONNX 只能为无符号 8 位编码或对称编码在运行时计算缩放系数，且不能逐通道</translation>
    </message>
    <message>
        <source>Use 8 bits with codes from 0 to 255, or symmetric ones, and one scale per tensor; or set dynamic to false.</source>
        <translation>请使用 0 到 255 的 8 位编码或对称编码，每个张量一个缩放系数；或将 dynamic 设为 false。</translation>
    </message>
    <message>
        <source>Ascend AMCT</source>
        <translation>昇腾 AMCT</translation>
    </message>
    <message>
        <source>Conv has a weight of 4 or 5 dimensions</source>
        <translation>Conv 的权重为 4 维或 5 维</translation>
    </message>
    <message>
        <source>Run these operations in FP32.</source>
        <translation>让这些算子以 FP32 运行。</translation>
    </message>
    <message>
        <source>ConvTranspose has a weight of 4 dimensions</source>
        <translation>ConvTranspose 的权重为 4 维</translation>
    </message>
    <message>
        <source>ConvTranspose has no dilation</source>
        <translation>ConvTranspose 没有空洞（dilation）</translation>
    </message>
    <message>
        <source>Gemm does not transpose its input (transA)</source>
        <translation>Gemm 不转置其输入（transA）</translation>
    </message>
    <message>
        <source>inputs have 8 bits and one scale per tensor</source>
        <translation>输入为 8 位，每个张量一个缩放系数</translation>
    </message>
    <message>
        <source>Quantize for ASC_INT8, or run these operations in FP32.</source>
        <translation>请针对 ASC_INT8 量化，或让这些算子以 FP32 运行。</translation>
    </message>
    <message>
        <source>inputs have 2 or 4 dimensions</source>
        <translation>输入为 2 维或 4 维</translation>
    </message>
    <message>
        <source>weights are symmetric</source>
        <translation>权重为对称量化</translation>
    </message>
    <message>
        <source>codes are symmetric, from -127 to 127</source>
        <translation>编码对称，从 -127 到 127</translation>
    </message>
    <message>
        <source>Quantize for MNN_INT8.</source>
        <translation>请针对 MNN_INT8 量化。</translation>
    </message>
    <message>
        <source>activations have one scale per tensor</source>
        <translation>激活每个张量一个缩放系数</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; for activations.</source>
        <translation>激活请使用粒度 &apos;tensor&apos;。</translation>
    </message>
    <message>
        <source>only convolutions have scales</source>
        <translation>只有卷积有缩放系数</translation>
    </message>
    <message>
        <source>Run these operations in FP32: MNN does, so the simulation would differ.</source>
        <translation>让这些算子以 FP32 运行：MNN 就是如此，否则仿真与之不同。</translation>
    </message>
    <message>
        <source>the table has scales of convolutions and inner products only</source>
        <translation>表中只有卷积和全连接的缩放系数</translation>
    </message>
    <message>
        <source>Run these operations in FP32: ncnn does, so the simulation would differ.</source>
        <translation>让这些算子以 FP32 运行：ncnn 就是如此，否则仿真与之不同。</translation>
    </message>
    <message>
        <source>codes are symmetric, without -128</source>
        <translation>编码对称，不含 -128</translation>
    </message>
    <message>
        <source>inputs have one scale per tensor</source>
        <translation>输入每个张量一个缩放系数</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; for inputs.</source>
        <translation>输入请使用粒度 &apos;tensor&apos;。</translation>
    </message>
    <message>
        <source>activations have 8 bits or fewer</source>
        <translation>激活不超过 8 位</translation>
    </message>
    <message>
        <source>Integer kernels exist for 8 bits; these operations are computed in float32.</source>
        <translation>整数内核只支持 8 位；这些算子以 float32 计算。</translation>
    </message>
    <message>
        <source>inputs and outputs of layers have one scale per tensor</source>
        <translation>层的输入和输出每个张量一个缩放系数</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; for activations; these operations are computed in float32 otherwise.</source>
        <translation>激活请使用粒度 &apos;tensor&apos;；否则这些算子以 float32 计算。</translation>
    </message>
    <message>
        <source>weights with a scale per output channel are symmetric</source>
        <translation>每个输出通道一个缩放系数的权重为对称量化</translation>
    </message>
    <message>
        <source>Quantize these weights symmetrically, or with one scale per tensor.</source>
        <translation>请对称量化这些权重，或每个张量用一个缩放系数。</translation>
    </message>
    <message>
        <source>OpenVINO</source>
        <translation>OpenVINO</translation>
    </message>
    <message>
        <source>activations are int8 (-128 or -127 to 127) or uint8 (0 to 255)</source>
        <translation>激活为 int8（-128 或 -127 到 127）或 uint8（0 到 255）</translation>
    </message>
    <message>
        <source>Use 8 bits for these tensors; OpenVINO computes the operations in float otherwise.</source>
        <translation>这些张量请使用 8 位；否则 OpenVINO 以浮点计算这些算子。</translation>
    </message>
    <message>
        <source>weights are int8 or uint8</source>
        <translation>权重为 int8 或 uint8</translation>
    </message>
    <message>
        <source>Use 8 bits for these weights; OpenVINO computes the operations in float otherwise.</source>
        <translation>这些权重请使用 8 位；否则 OpenVINO 以浮点计算这些算子。</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; for these inputs.</source>
        <translation>这些输入请使用粒度 &apos;tensor&apos;。</translation>
    </message>
    <message>
        <source>codes are symmetric, with zero point 0</source>
        <translation>编码对称，零点为 0</translation>
    </message>
    <message>
        <source>Quantize these tensors symmetrically: set the platform parameter &apos;symmetric&apos;, or remove the override.</source>
        <translation>请对称量化这些张量：设置平台参数 &apos;symmetric&apos;，或移除覆盖设定。</translation>
    </message>
    <message>
        <source>activations are INT8 or FP8 E4M3</source>
        <translation>激活为 INT8 或 FP8 E4M3</translation>
    </message>
    <message>
        <source>Use 8 bits for these tensors, or run the operations in FP32.</source>
        <translation>这些张量请使用 8 位，或让这些算子以 FP32 运行。</translation>
    </message>
    <message>
        <source>weights are INT8, INT4 or FP8 E4M3</source>
        <translation>权重为 INT8、INT4 或 FP8 E4M3</translation>
    </message>
    <message>
        <source>Use 8 or 4 bits for these weights.</source>
        <translation>这些权重请使用 8 位或 4 位。</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; for activations; only weights may have a scale per output channel.</source>
        <translation>激活请使用粒度 &apos;tensor&apos;；只有权重可以每个输出通道一个缩放系数。</translation>
    </message>
    <message>
        <source>scales are constants</source>
        <translation>缩放系数为常量</translation>
    </message>
    <message>
        <source>Set dynamic to false and calibrate.</source>
        <translation>请将 dynamic 设为 false 并校准。</translation>
    </message>
    <message>
        <source>Parameters are rounded to their grid; scales are in the JSON. The net has a batch size of 1 if the model leaves it open.</source>
        <translation>参数已舍入到各自的网格；缩放系数在 JSON 中。如果模型的批大小不固定，网络的批大小为 1。</translation>
    </message>
    <message>
        <source>Caffe net</source>
        <translation>Caffe 网络</translation>
    </message>
    <message>
        <source>A prototxt and a caffemodel with rounded parameters, and PPQ&apos;s JSON of every config, dispatch and scale.</source>
        <translation>含舍入后参数的 prototxt 和 caffemodel，以及 PPQ 的 JSON：所有量化配置、调度和缩放系数。</translation>
    </message>
    <message>
        <source>export &apos;model_explorer&apos;: errors were not measured: there is no evaluation data, or no analysis &apos;%1&apos;</source>
        <translation>导出 &apos;model_explorer&apos;：没有测量误差：没有评估数据，或没有分析 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>Give evaluation data and add the analysis.</source>
        <translation>请提供评估数据并添加该分析。</translation>
    </message>
    <message>
        <source>Open the original model in Model Explorer and load this file as custom node data.</source>
        <translation>请在 Model Explorer 中打开原模型，并将此文件作为自定义节点数据载入。</translation>
    </message>
    <message>
        <source>Model Explorer node data</source>
        <translation>Model Explorer 节点数据</translation>
    </message>
    <message>
        <source>The measured error of each operation as numbers and colors in Google&apos;s Model Explorer.</source>
        <translation>在 Google 的 Model Explorer 中以数值和颜色显示各算子测得的误差。</translation>
    </message>
    <message>
        <source>graphwise: the error accumulated up to each operation; layerwise: the error at the outputs if only this operation is quantized.</source>
        <translation>graphwise：到各算子为止累积的误差；layerwise：只量化该算子时输出的误差。</translation>
    </message>
    <message>
        <source>no range in the NXP file: it is not symmetric, or has several scales</source>
        <translation>NXP 文件中没有范围：它不是对称量化，或有多个缩放系数</translation>
    </message>
    <message>
        <source>Quantize for NXP_INT8, or remove the override of this tensor.</source>
        <translation>请针对 NXP_INT8 量化，或移除该张量的覆盖设定。</translation>
    </message>
    <message>
        <source>NXP ONNX</source>
        <translation>NXP ONNX</translation>
    </message>
    <message>
        <source>ONNX model with rounded parameters and the range of each activation as two scalar inputs with values.</source>
        <translation>含舍入后参数的 ONNX 模型，每个激活的范围为两个带值的标量输入。</translation>
    </message>
    <message>
        <source>Caffe has no layer for this %1: %2</source>
        <translation>Caffe 没有对应此 %1 的层：%2</translation>
    </message>
    <message>
        <source>Export another format, or cut the model before this operation.</source>
        <translation>请导出其他格式，或在此算子之前截断模型。</translation>
    </message>
    <message>
        <source>input %1 is not constant</source>
        <translation>输入 %1 不是常量</translation>
    </message>
    <message>
        <source>the shape of &apos;%1&apos; is unknown</source>
        <translation>&apos;%1&apos; 的形状未知</translation>
    </message>
    <message>
        <source>input %1 is missing</source>
        <translation>缺少输入 %1</translation>
    </message>
    <message>
        <source>a Caffe net needs the shape of every input</source>
        <translation>Caffe 网络需要每个输入的形状</translation>
    </message>
    <message>
        <source>the operator is not supported</source>
        <translation>不支持该算子类型</translation>
    </message>
    <message>
        <source>its slope is not constant</source>
        <translation>其斜率不是常量</translation>
    </message>
    <message>
        <source>one slope per channel</source>
        <translation>应为每个通道一个斜率</translation>
    </message>
    <message>
        <source>its limits are not constant</source>
        <translation>其上下限不是常量</translation>
    </message>
    <message>
        <source>its constant extends the tensor</source>
        <translation>其常量会扩展张量</translation>
    </message>
    <message>
        <source>its constant has neither one value nor one per channel</source>
        <translation>其常量既不是单个值，也不是每个通道一个值</translation>
    </message>
    <message>
        <source>its first input is constant</source>
        <translation>其第一个输入是常量</translation>
    </message>
    <message>
        <source>its inputs have different shapes</source>
        <translation>其输入形状不同</translation>
    </message>
    <message>
        <source>input %1 is constant</source>
        <translation>输入 %1 是常量</translation>
    </message>
    <message>
        <source>its divisor is not constant</source>
        <translation>其除数不是常量</translation>
    </message>
    <message>
        <source>its exponent is not one constant</source>
        <translation>其指数不是单个常量</translation>
    </message>
    <message>
        <source>it works on several axes together</source>
        <translation>它同时作用于多个轴</translation>
    </message>
    <message>
        <source>it has a step of %1</source>
        <translation>其步长为 %1</translation>
    </message>
    <message>
        <source>its result is empty</source>
        <translation>其结果为空</translation>
    </message>
    <message>
        <source>its axes are not the last ones</source>
        <translation>其轴不是最后的轴</translation>
    </message>
    <message>
        <source>it reduces the batch</source>
        <translation>它对批维度归约</translation>
    </message>
    <message>
        <source>auto_pad is %1</source>
        <translation>auto_pad 为 %1</translation>
    </message>
    <message>
        <source>the padding is not symmetric</source>
        <translation>填充不对称</translation>
    </message>
    <message>
        <source>its weight is not constant</source>
        <translation>其权重不是常量</translation>
    </message>
    <message>
        <source>it has an output padding or shape</source>
        <translation>它有输出填充或输出形状</translation>
    </message>
    <message>
        <source>it has transA, alpha or beta</source>
        <translation>它有 transA、alpha 或 beta</translation>
    </message>
    <message>
        <source>it needs two spatial axes, and one output</source>
        <translation>需要两个空间轴和一个输出</translation>
    </message>
    <message>
        <source>it has dilations</source>
        <translation>它有空洞（dilations）</translation>
    </message>
    <message>
        <source>its padding gives another number of windows in Caffe</source>
        <translation>其填充在 Caffe 中得到不同的窗口数</translation>
    </message>
    <message>
        <source>its averages do not count the padding as Caffe does</source>
        <translation>其平均值计入填充的方式与 Caffe 不同</translation>
    </message>
    <message>
        <source>it needs two spatial axes</source>
        <translation>需要两个空间轴</translation>
    </message>
    <message>
        <source>mode %1 and %2 are not bilinear with aligned corners, or nearest by an integer</source>
        <translation>模式 %1 和 %2 既不是角点对齐的双线性，也不是整数倍的最近邻</translation>
    </message>
    <message>
        <source>the file rounds it with the scale %1, the recipe does not round it</source>
        <translation>文件按缩放系数 %1 取整，配方不取整</translation>
    </message>
    <message>
        <source>Fuse activations</source>
        <translation>融合激活函数</translation>
    </message>
    <message>
        <source>noise of each tensor</source>
        <translation>各张量的噪声</translation>
    </message>
    <message>
        <source>Before: a tensor is quantized by its producer and again by each consumer. After: only by the producer, if both use the same grid; only by the consumers, if all of them have a scale for each channel.</source>
        <translation>之前：张量由产生者量化一次，又由每个使用者再量化一次。之后：若两者的网格相同，只由产生者量化；若所有使用者都逐通道有缩放系数，只由使用者量化。</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos;: %3</source>
        <translation>%1 &apos;%2&apos;：%3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be a goal</source>
        <translation>“%1”不能作为目标</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is known only as a goal of `tune`</source>
        <translation>“%1”只能作为 `tune` 的目标</translation>
    </message>
    <message>
        <source>there is no report to compare with</source>
        <translation>没有可比较的报告</translation>
    </message>
    <message>
        <source>Give the report of an earlier run with %1.</source>
        <translation>请用 %1 给出先前一次运行的报告。</translation>
    </message>
    <message>
        <source>the baseline has no output in common with this run</source>
        <translation>基线与本次运行没有共同的输出</translation>
    </message>
    <message>
        <source>Give the report of a run of the same model that measured its outputs.</source>
        <translation>请给出同一模型、测量过输出的一次运行的报告。</translation>
    </message>
    <message>
        <source>{outputs} becomes the name of the .npz of outputs, {samples} that of a list of the samples&apos; names.</source>
        <translation>{outputs} 会被替换为输出的 .npz 文件名，{samples} 会被替换为样本名列表的文件名。</translation>
    </message>
    <message>
        <source>the metric command printed no number</source>
        <translation>指标命令没有打印数字</translation>
    </message>
    <message>
        <source>It must print the value, such as 0.731, on a separate line.</source>
        <translation>它必须在单独一行打印数值，例如 0.731。</translation>
    </message>
    <message>
        <source>the budget is zero: nothing can be tried</source>
        <translation>预算为零：无法尝试任何修改</translation>
    </message>
    <message>
        <source>Write it like %1.</source>
        <translation>请写成 %1 的形式。</translation>
    </message>
    <message>
        <source>the recipe as it is</source>
        <translation>未修改的配方</translation>
    </message>
    <message>
        <source>the locks leave nothing that may change</source>
        <translation>锁定之后没有任何可以修改的内容</translation>
    </message>
    <message>
        <source>Every quantized operation is kept or in float: remove a lock.</source>
        <translation>每个量化算子都被保持不变或为浮点：请去掉一个锁定。</translation>
    </message>
    <message>
        <source>ranking tensors</source>
        <translation>张量排序</translation>
    </message>
    <message>
        <source>range of &apos;%1&apos;</source>
        <translation>“%1”的范围</translation>
    </message>
    <message>
        <source>goals of the best recipe</source>
        <translation>最佳配方的目标</translation>
    </message>
    <message>
        <source>ranking &apos;%1&apos;</source>
        <translation>评估“%1”</translation>
    </message>
    <message>
        <source>confirming the best recipe</source>
        <translation>确认最佳配方</translation>
    </message>
    <message>
        <source>The budget ran out before all changes were tried: a larger one may help.</source>
        <translation>尚未尝试所有修改，预算就已用完：更大的预算可能有帮助。</translation>
    </message>
    <message>
        <source>a search needs data to measure on, and none was given</source>
        <translation>搜索需要用于测量的数据，但没有给出</translation>
    </message>
    <message>
        <source>Give data with %1.</source>
        <translation>请用 %1 给出数据。</translation>
    </message>
    <message>
        <source>the journal belongs to a search with another recipe, data or seed</source>
        <translation>该日志属于使用另一配方、数据或种子的搜索</translation>
    </message>
    <message>
        <source>Omit %1 to start again.</source>
        <translation>去掉 %1 即可重新开始。</translation>
    </message>
    <message>
        <source>cannot write the journal</source>
        <translation>无法写入日志</translation>
    </message>
    <message>
        <source>%1: expected PATTERN=int8, =float or =keep, got &apos;%2&apos;</source>
        <translation>%1：应为 模式=int8、=float 或 =keep，实际为“%2”</translation>
    </message>
    <message>
        <source>Write it like &apos;head_*=int8&apos;.</source>
        <translation>请写成 &apos;head_*=int8&apos; 的形式。</translation>
    </message>
    <message>
        <source>%1: no operation is named &apos;%2&apos;</source>
        <translation>%1：没有名为“%2”的算子</translation>
    </message>
    <message>
        <source>observer %1 for all activations</source>
        <translation>所有激活使用观察器 %1</translation>
    </message>
    <message>
        <source>observer %1 for &apos;%2&apos;</source>
        <translation>“%2”使用观察器 %1</translation>
    </message>
    <message>
        <source>range %1 to %2 for &apos;%3&apos;</source>
        <translation>“%3”的范围为 %1 到 %2</translation>
    </message>
    <message>
        <source>%1 switched on</source>
        <translation>启用 %1</translation>
    </message>
    <message>
        <source>a scale per channel at the inputs of depthwise convolutions</source>
        <translation>深度卷积的输入逐通道有缩放系数</translation>
    </message>
    <message>
        <source>asymmetric activations</source>
        <translation>激活非对称</translation>
    </message>
    <message>
        <source>float32 for %1</source>
        <translation>%1 使用 float32</translation>
    </message>
    <message>
        <source>input of a depthwise convolution per channel</source>
        <translation>深度卷积的输入逐通道</translation>
    </message>
    <message>
        <source>Activations are unsigned and have a zero point.</source>
        <translation>激活为无符号数，并有零点。</translation>
    </message>
    <message>
        <source>The input of a depthwise convolution has a scale for each channel; otherwise one for the tensor, as in PPQ.</source>
        <translation>深度卷积的输入逐通道有缩放系数；否则整个张量一个缩放系数，与 PPQ 相同。</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>误差</translation>
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
        <source>axis</source>
        <translation>轴</translation>
    </message>
    <message>
        <source>balance</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>channel ratio</source>
        <translation>通道比例</translation>
    </message>
    <message>
        <source>depthwise per channel</source>
        <translation>深度卷积逐通道</translation>
    </message>
    <message>
        <source>growth</source>
        <translation>增长</translation>
    </message>
    <message>
        <source>layer norm</source>
        <translation>层归一化</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>loss threshold</source>
        <translation>损失阈值</translation>
    </message>
    <message>
        <source>max steps</source>
        <translation>最大步数</translation>
    </message>
    <message>
        <source>method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>秩</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>scale format</source>
        <translation>缩放系数格式</translation>
    </message>
    <message>
        <source>codebook</source>
        <translation>码本</translation>
    </message>
    <message>
        <source>weight format</source>
        <translation>权重格式</translation>
    </message>
    <message>
        <source>weight group</source>
        <translation>权重分组</translation>
    </message>
    <message>
        <source>damping</source>
        <translation>阻尼</translation>
    </message>
    <message>
        <source>strength</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>trials</source>
        <translation>尝试次数</translation>
    </message>
    <message>
        <source>insert</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>this format has no scales for groups of channels</source>
        <translation>该格式没有按通道分组的缩放系数</translation>
    </message>
    <message>
        <source>Choose the granularity output_channel, or an ONNX or native file.</source>
        <translation>请选择粒度 output_channel，或者 ONNX 文件或原生文件。</translation>
    </message>
    <message>
        <source>no matrix has scales per group of 16, 32, 64 ... input channels</source>
        <translation>没有矩阵按 16、32、64 …… 个输入通道分组设置缩放系数</translation>
    </message>
    <message>
        <source>Set the granularity of weights of MatMul and Gemm to &apos;group 32&apos; and their bits to 4 or 8, as the platform WEIGHT_ONLY does.</source>
        <translation>请像平台 WEIGHT_ONLY 那样，将 MatMul 和 Gemm 权重的粒度设为“group 32”，位数设为 4 或 8。</translation>
    </message>
    <message>
        <source>%1 quantized operations are written with rounded float parameters.</source>
        <translation>%1 个量化运算以舍入后的浮点参数写入。</translation>
    </message>
    <message>
        <source>ONNX with MatMulNBits</source>
        <translation>含 MatMulNBits 的 ONNX</translation>
    </message>
    <message>
        <source>QuantizeLinear has no codebooks such as %1</source>
        <translation>QuantizeLinear 没有 %1 这样的码本</translation>
    </message>
    <message>
        <source>a codebook</source>
        <translation>码本</translation>
    </message>
    <message>
        <source>AWQ</source>
        <translation>AWQ（激活感知的权重缩放）</translation>
    </message>
    <message>
        <source>Before: all input channels of MatMul and Gemm weights are rounded alike. After: channels with large activations are scaled up and rounded more finely; the float result is the same.</source>
        <translation>之前：MatMul 和 Gemm 权重的所有输入通道以同样方式舍入。之后：激活大的通道被放大，舍入更精细；浮点结果不变。</translation>
    </message>
    <message>
        <source>Exponents to try for each input.</source>
        <translation>每个输入尝试的指数个数。</translation>
    </message>
    <message>
        <source>GPTQ</source>
        <translation>GPTQ（带误差补偿的舍入）</translation>
    </message>
    <message>
        <source>Share of the mean squared input that is added to each channel; more is more robust with few samples.</source>
        <translation>加到每个通道上的输入均方值的比例；样本少时，较大的值更稳健。</translation>
    </message>
    <message>
        <source>rotation of the input of quantized weights</source>
        <translation>量化权重的输入的旋转</translation>
    </message>
    <message>
        <source>Hadamard rotation</source>
        <translation>Hadamard 旋转</translation>
    </message>
    <message>
        <source>Before: outliers in a few channels of inputs and weights of MatMul and Gemm. After: both are rotated, which spreads outliers over all channels; the float result is the same.</source>
        <translation>之前：MatMul 和 Gemm 的输入与权重的少数通道中有离群值。之后：两者都被旋转，离群值分散到所有通道；浮点结果不变。</translation>
    </message>
    <message>
        <source>%1 needs calibration data, and none was given</source>
        <translation>%1 需要校准数据，但没有给出</translation>
    </message>
    <message>
        <source>SmoothQuant</source>
        <translation>SmoothQuant（平滑激活）</translation>
    </message>
    <message>
        <source>How much of the difference between channels moves into the weights.</source>
        <translation>通道间差异移入权重的程度。</translation>
    </message>
    <message>
        <source>1 or %1, the number of groups</source>
        <translation>1 或 %1（组数）</translation>
    </message>
    <message>
        <source>the input channels of this weight of %1 are unknown</source>
        <translation>%1 的这个权重的输入通道未知</translation>
    </message>
    <message>
        <source>groups along axis %1, but the tensor has %2 axes</source>
        <translation>沿轴 %1 分组，但张量有 %2 个轴</translation>
    </message>
    <message>
        <source>scale has %1 entries, which is not the number of groups of %2 along axis %3</source>
        <translation>缩放系数有 %1 项，与沿轴 %3 每 %2 个一组的组数不符</translation>
    </message>
    <message>
        <source>group_size must be 2 or more and needs a channel_axis, got %1</source>
        <translation>group_size 必须至少为 2 并且需要 channel_axis，得到 %1</translation>
    </message>
    <message>
        <source>Weights only</source>
        <translation>仅权重</translation>
    </message>
    <message>
        <source>everything in float</source>
        <translation>全部为浮点</translation>
    </message>
    <message>
        <source>weight in groups</source>
        <translation>权重分组</translation>
    </message>
    <message>
        <source>8-bit integers</source>
        <translation>8 位整数</translation>
    </message>
    <message>
        <source>4-bit integers</source>
        <translation>4 位整数</translation>
    </message>
    <message>
        <source>3-bit integers</source>
        <translation>3 位整数</translation>
    </message>
    <message>
        <source>FP8 E4M3</source>
        <translation>FP8 E4M3 浮点</translation>
    </message>
    <message>
        <source>NormalFloat 4</source>
        <translation>NormalFloat 4 正态浮点</translation>
    </message>
    <message>
        <source>MXFP8 E4M3</source>
        <translation>MXFP8 E4M3 微缩放格式</translation>
    </message>
    <message>
        <source>MXFP6 E2M3</source>
        <translation>MXFP6 E2M3 微缩放格式</translation>
    </message>
    <message>
        <source>MXFP4 E2M1</source>
        <translation>MXFP4 E2M1 微缩放格式</translation>
    </message>
    <message>
        <source>NVFP4</source>
        <translation>NVFP4 分组浮点</translation>
    </message>
    <message>
        <source>Number format of weights. The formats mx... fix the groups at 32 and nvfp4 at 16.</source>
        <translation>权重的数字格式。mx... 格式固定每组 32 个，nvfp4 固定 16 个。</translation>
    </message>
    <message>
        <source>Input channels per scale; 0: one scale per output channel.</source>
        <translation>每个缩放系数对应的输入通道数；0：每个输出通道一个缩放系数。</translation>
    </message>
    <message>
        <source>Integer codes are symmetric; otherwise they are unsigned and each group has a zero point.</source>
        <translation>整数编码是对称的；否则为无符号，每组有一个零点。</translation>
    </message>
    <message>
        <source>Insert a MatMul if no matrix before the input can absorb the rotation; off: leave these inputs unchanged.</source>
        <translation>如果输入之前没有矩阵可以吸收旋转，则插入一个 MatMul；关闭：这些输入保持不变。</translation>
    </message>
    <message>
        <source>Seed of the random signs.</source>
        <translation>随机符号的种子。</translation>
    </message>
    <message>
        <source>Before: inputs of MatMul and Gemm with outliers in a few channels. After: part of these ranges is in the weights; the float result is the same.</source>
        <translation>之前：MatMul 和 Gemm 的输入在少数通道中有离群值。之后：这些范围的一部分移入权重；浮点结果不变。</translation>
    </message>
    <message>
        <source>Learning rate of weights and biases for weights of 8 bits, doubled for each bit less; 0: not trained.</source>
        <translation>权重和偏置的学习率（按 8 位权重计，每少一位加倍）；0：不训练。</translation>
    </message>
    <message>
        <source>no input of the network is an image (four axes), so there are no variants of it; train with the parameter augment = 0</source>
        <translation>网络没有图像输入（四个轴），因此无法生成变体；请以参数 augment = 0 进行训练</translation>
    </message>
    <message>
        <source>unknown kernel: %1</source>
        <translation>未知的内核：%1</translation>
    </message>
    <message>
        <source>Activations that are not fused stay in float.</source>
        <translation>未融合的激活保持浮点。</translation>
    </message>
    <message>
        <source>Kernels of the runtime</source>
        <translation>运行时内核</translation>
    </message>
    <message>
        <source>Before: float32 sums of dequantized values; every quantized tensor is rounded. After: the simulator adds and rounds as the runtime&apos;s kernels do. Exported files do not change.</source>
        <translation>之前：对反量化的值以 float32 求和；每个量化张量都取整。之后：模拟器按运行时内核的方式求和与取整。导出的文件不变。</translation>
    </message>
    <message>
        <source>The output of a Conv that only an Add reads, which the runtime computes in the kernel of the Conv: rounded, only clamped to its range, or exact.</source>
        <translation>只被一个 Add 读取的 Conv 输出，运行时在该 Conv 的内核中一并计算 Add：取整、仅限制到其范围，或保持精确。</translation>
    </message>
    <message>
        <source>the runtime adds pairs of products of neighbouring channels in 16 bits, as processors without VNNI instructions do: with sums saturated this way, the simulator gives the runtime&apos;s codes at %1 of %2 differing elements</source>
        <translation>运行时将相邻通道的成对乘积以 16 位相加，没有 VNNI 指令的处理器就是如此：按这种饱和求和，模拟器在 %2 个不同元素中的 %1 个上得到运行时的编码</translation>
    </message>
    <message>
        <source>Intel OpenVINO on CPU: symmetric activations per tensor, the input of a depthwise convolution per channel, weights per output channel, bias in float32.</source>
        <translation>Intel OpenVINO（CPU）：激活对称、逐张量，深度卷积的输入逐通道，权重逐输出通道，偏置为 float32。</translation>
    </message>
    <message>
        <source>weights of 7 bits</source>
        <translation>7 位权重</translation>
    </message>
    <message>
        <source>Weights have 7 bits, so that sums of two products never exceed 16 bits. Needed on x86 processors without VNNI.</source>
        <translation>权重为 7 位，使两个乘积之和不超过 16 位。没有 VNNI 的 x86 处理器需要。</translation>
    </message>
    <message>
        <source>where the noise comes from</source>
        <translation>噪声的来源</translation>
    </message>
    <message>
        <source>Origin of the noise</source>
        <translation>噪声来源</translation>
    </message>
    <message>
        <source>For each operation: the noise that came in through each input, and the noise that it added; the noise of each sample; and how certain the numbers of the outputs are.</source>
        <translation>对每个算子：经各输入传入的噪声和自身增加的噪声；每个样本的噪声；以及输出数值的可信程度。</translation>
    </message>
    <message>
        <source>Number of evaluation samples to use.</source>
        <translation>使用的评估样本数。</translation>
    </message>
    <message>
        <source>a metric needs the name of each sample: batches of at most 8, and names without commas</source>
        <translation>指标需要每个样本的名称：每批最多 8 个，名称中不能有逗号</translation>
    </message>
    <message>
        <source>the metric %1 was not computed: no sample has a label</source>
        <translation>未计算指标 %1：没有样本带标签</translation>
    </message>
    <message>
        <source>Labels are matched to samples by name: choose labels for this data.</source>
        <translation>标签按样本名称查找：请选择与这些数据对应的标签。</translation>
    </message>
    <message>
        <source>With a limit, every quantized operation is ranked by an estimate first and measured from the top; those left over keep the estimate. 0: no limit.</source>
        <translation>设置时限时，先按估计值对所有量化算子排序，再从最大的开始测量；未测量的保留估计值。0：不限时。</translation>
    </message>
    <message>
        <source>Noise of each tensor</source>
        <translation>各张量的噪声</translation>
    </message>
    <message>
        <source>The noise that rounding each tensor or parameter alone adds to the outputs. One backward pass per sample estimates all of them; the worst ones are then measured.</source>
        <translation>单独量化每个张量或参数给输出增加的噪声。每个样本一次反向传播即可估计全部，然后测量其中最大的几个。</translation>
    </message>
    <message>
        <source>Number of tensors that are measured, the worst ones.</source>
        <translation>测量的张量个数，取噪声最大的。</translation>
    </message>
    <message>
        <source>Steps that labels can follow: resize, stretch, crop, letterbox, pad.</source>
        <translation>标签可以跟随的步骤：resize、stretch、crop、letterbox、pad。</translation>
    </message>
    <message>
        <source>Rounding &apos;%1&apos; alone adds %2 % noise to the outputs, %3 % of what all tensors add.</source>
        <translation>单独量化“%1”就给输出增加 %2 % 的噪声，占所有张量所增噪声的 %3 %。</translation>
    </message>
    <message>
        <source>%1 %2 % of its values are clipped.</source>
        <translation>%1其数值有 %2 % 被截断。</translation>
    </message>
    <message>
        <source>there is no table of times</source>
        <translation>没有耗时表</translation>
    </message>
    <message>
        <source>Give the times of operations with %1.</source>
        <translation>用 %1 给出算子的耗时。</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>labels are given, but no metric uses them</source>
        <translation>给出了标签，但没有使用它们的指标</translation>
    </message>
    <message>
        <source>metric &apos;%1&apos;</source>
        <translation>指标“%1”</translation>
    </message>
    <message>
        <source>the metric %1 needs labels</source>
        <translation>指标 %1 需要标签</translation>
    </message>
    <message>
        <source>Give a file or folder with %1.</source>
        <translation>用 %1 给出文件或文件夹。</translation>
    </message>
    <message>
        <source>not a COCO file of objects: %1</source>
        <translation>不是 COCO 目标文件：%1</translation>
    </message>
    <message>
        <source>It needs images, annotations and categories.</source>
        <translation>它需要 images、annotations 和 categories。</translation>
    </message>
    <message>
        <source>the image &apos;%1&apos;, whose size the labels need, was not found</source>
        <translation>找不到图像“%1”，标签需要它的尺寸</translation>
    </message>
    <message>
        <source>Use a folder of images or a manifest as data, or labels that name the sizes (COCO).</source>
        <translation>请以图像文件夹或清单作为数据，或使用带尺寸的标签（COCO）。</translation>
    </message>
    <message>
        <source>there are no labels in it</source>
        <translation>其中没有标签</translation>
    </message>
    <message>
        <source>Boxes with a lower score are left out.</source>
        <translation>分数更低的框不计。</translation>
    </message>
    <message>
        <source>Boxes of a class that overlap more are one object.</source>
        <translation>同类中重叠超过此值的框视为同一目标。</translation>
    </message>
    <message>
        <source>Sizes of the cells of a yolox head, in pixels.</source>
        <translation>yolox 头各层单元格的大小，以像素计。</translation>
    </message>
    <message>
        <source>AP50</source>
        <translation>AP50</translation>
    </message>
    <message>
        <source>Average precision of a detector at overlap 0.5. Labels: a COCO json file or a folder of YOLO text files.</source>
        <translation>检测器在重叠 0.5 时的平均精度。标签：COCO json 文件或 YOLO 文本文件的文件夹。</translation>
    </message>
    <message>
        <source>AP50:95</source>
        <translation>AP50:95</translation>
    </message>
    <message>
        <source>Average precision of a detector, mean over overlaps 0.5 to 0.95. Labels: a COCO json file or a folder of YOLO text files.</source>
        <translation>检测器的平均精度，对重叠 0.5 到 0.95 取平均。标签：COCO json 文件或 YOLO 文本文件的文件夹。</translation>
    </message>
    <message>
        <source>Top-k accuracy</source>
        <translation>Top-k 准确率</translation>
    </message>
    <message>
        <source>Share of samples whose class is among the k best of the first output. Labels: lines of file name and class.</source>
        <translation>类别位于第一个输出前 k 名之内的样本比例。标签：每行一个文件名和类别。</translation>
    </message>
    <message>
        <source>How many of the best classes count.</source>
        <translation>计入前多少个类别。</translation>
    </message>
    <message>
        <source>[%1]</source>
        <translation>[%1]</translation>
    </message>
    <message>
        <source>the outputs %1 do not look like those of a known detector</source>
        <translation>输出 %1 不像已知检测器的输出</translation>
    </message>
    <message>
        <source>Name it with the parameter head: yolox, yolo, yolov8, ssd or nms.</source>
        <translation>用参数 head 指明：yolox、yolo、yolov8、ssd 或 nms。</translation>
    </message>
    <message>
        <source>the output has %1 boxes, the strides give %2 cells</source>
        <translation>输出有 %1 个框，而步长给出 %2 个单元格</translation>
    </message>
    <message>
        <source>Set the parameter strides of the metric.</source>
        <translation>请设置指标的参数 strides。</translation>
    </message>
    <message>
        <source>the first output must be an image of class scores or classes</source>
        <translation>第一个输出必须是类别分数或类别的图像</translation>
    </message>
    <message>
        <source>expected a folder of masks</source>
        <translation>应为掩码文件夹</translation>
    </message>
    <message>
        <source>Mean IoU</source>
        <translation>平均交并比</translation>
    </message>
    <message>
        <source>Intersection over union of a segmentation, mean over the classes that occur. Labels: a folder of masks, grey images of class numbers; 255 is ignored.</source>
        <translation>分割的交并比，对出现的类别取平均。标签：掩码文件夹，以类别编号为灰度值的图像；忽略 255。</translation>
    </message>
    <message>
        <source>The value in masks of each class of the model, in their order: 0,5,2. Empty: the same numbers.</source>
        <translation>模型各类别在掩码中的值，按顺序：0,5,2。空：编号相同。</translation>
    </message>
    <message>
        <source>What other values mean: the first class, or pixels that are ignored.</source>
        <translation>其他值的含义：第一个类别，或忽略的像素。</translation>
    </message>
    <message>
        <source>the first output must have scores [samples, steps, characters], or indices</source>
        <translation>第一个输出必须是分数 [样本, 步, 字符] 或索引</translation>
    </message>
    <message>
        <source>the metric needs the characters of the model</source>
        <translation>该指标需要模型的字符表</translation>
    </message>
    <message>
        <source>Set the parameter characters to a text file with one character per line, in the order of the outputs.</source>
        <translation>请将参数 characters 设为文本文件，每行一个字符，按输出的顺序。</translation>
    </message>
    <message>
        <source>Text file with one character per line, in the order of the outputs, without the blank; relative to the labels.</source>
        <translation>每行一个字符的文本文件，按输出的顺序，不含空白符；路径相对于标签。</translation>
    </message>
    <message>
        <source>Index of the blank.</source>
        <translation>空白符的索引。</translation>
    </message>
    <message>
        <source>Character error rate</source>
        <translation>字符错误率</translation>
    </message>
    <message>
        <source>Wrong, missing and added characters of recognized text, as a share of those in the labels. Labels: lines of name and text.</source>
        <translation>识别文本中错误、缺失和多余的字符占标签字符的比例。标签：每行一个名称和文本。</translation>
    </message>
    <message>
        <source>Word error rate</source>
        <translation>词错误率</translation>
    </message>
    <message>
        <source>Wrong, missing and added words of recognized text, as a share of those in the labels. Labels: lines of name and text.</source>
        <translation>识别文本中错误、缺失和多余的词占标签词数的比例。标签：每行一个名称和文本。</translation>
    </message>
    <message>
        <source>the metric needs an input of tokens [samples, steps] and scores [samples, steps, tokens] as the first output</source>
        <translation>该指标需要词元输入 [样本, 步]，且第一个输出为分数 [样本, 步, 词元]</translation>
    </message>
    <message>
        <source>Next-token loss</source>
        <translation>下一词元损失</translation>
    </message>
    <message>
        <source>Mean of -log p of the next token of the input, in nats.</source>
        <translation>输入中下一词元的 -log p 的平均值，单位为 nat。</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Exponential of the mean of -log p of the next token of the input.</source>
        <translation>输入中下一词元的 -log p 平均值的指数。</translation>
    </message>
    <message>
        <source>the time of &apos;%1&apos; is negative</source>
        <translation>“%1”的耗时为负</translation>
    </message>
    <message>
        <source>A table has operations and types.</source>
        <translation>耗时表包含 operations 和 types。</translation>
    </message>
    <message>
        <source>not a table of times: %1</source>
        <translation>不是耗时表：%1</translation>
    </message>
    <message>
        <source>the table of times names no operation and no type of this model</source>
        <translation>耗时表中没有此模型的任何算子或类型</translation>
    </message>
    <message>
        <source>Store the weights of float layers as float16, ncnn&apos;s default.</source>
        <translation>浮点层的权重以 float16 保存，即 ncnn 的默认方式。</translation>
    </message>
    <message>
        <source>inputs of compute operations, except depthwise ones, have one scale per tensor</source>
        <translation>计算算子（深度卷积除外）的输入每个张量一个缩放系数</translation>
    </message>
    <message>
        <source>the metric command</source>
        <translation>度量命令</translation>
    </message>
    <message>
        <source>Not tried: %1.</source>
        <translation>未试用：%1。</translation>
    </message>
    <message>
        <source>Try them all: %1.</source>
        <translation>全部试用：%1。</translation>
    </message>
    <message>
        <source>the command</source>
        <translation>该命令</translation>
    </message>
    <message>
        <source>only fused</source>
        <translation>仅融合的操作</translation>
    </message>
    <message>
        <source>whole tensors</source>
        <translation>整个张量</translation>
    </message>
    <message>
        <source>addend</source>
        <translation>加数</translation>
    </message>
    <message>
        <source>rounded</source>
        <translation>舍入</translation>
    </message>
    <message>
        <source>clamped</source>
        <translation>限幅</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>sums</source>
        <translation>求和</translation>
    </message>
    <message>
        <source>float</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>saturating pairs</source>
        <translation>成对饱和</translation>
    </message>
    <message>
        <source>reduced weights</source>
        <translation>缩减位宽的权重</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测数量</translation>
    </message>
    <message>
        <source>Fuse attention</source>
        <translation>融合注意力</translation>
    </message>
    <message>
        <source>Before: the two products of an attention with its scale, mask and Softmax between them. After: one Attention.</source>
        <translation>之前：注意力的两个矩阵乘法，以及其间的缩放、掩码和 Softmax。之后：一个 Attention。</translation>
    </message>
    <message>
        <source>Fuse Add and layer normalization</source>
        <translation>融合 Add 与层归一化</translation>
    </message>
    <message>
        <source>Before: Add of two activations, then LayerNormalization. After: one SkipLayerNormalization, an operator of ONNX Runtime.</source>
        <translation>之前：两个激活相加，然后 LayerNormalization。之后：一个 SkipLayerNormalization（ONNX Runtime 的算子）。</translation>
    </message>
    <message>
        <source>Number of times scales and weights are refitted, one at a time with all others fixed.</source>
        <translation>在其他量保持不变的情况下，逐个重新拟合所有缩放系数和权重的次数。</translation>
    </message>
    <message>
        <source>dispatcher %1: %2</source>
        <translation>调度器 %1：%2</translation>
    </message>
    <message>
        <source>no platform for this operation</source>
        <translation>此算子没有分配平台</translation>
    </message>
    <message>
        <source>the largest entry matches the label in %1 of %2 samples, no more than chance among %3 entries</source>
        <translation>最大项与标签一致的样本有 %1 个（共 %2 个），不多于在 %3 项中随机猜中的数量</translation>
    </message>
    <message>
        <source>values that are NaN or infinite only when quantized: %1, starting at &apos;%2&apos; (%3)</source>
        <translation>仅在量化后为 NaN 或无穷大的值：%1 个，最先出现在“%2”（%3）</translation>
    </message>
    <message>
        <source>the name of a parameter has only lower-case letters, digits and &apos;_&apos;, got &apos;%1&apos;</source>
        <translation>参数名由小写字母、数字和“_”组成，实际为“%1”</translation>
    </message>
    <message>
        <source>the plug-in registers ids that already exist: %1</source>
        <translation>插件注册的标识已存在：%1</translation>
    </message>
    <message>
        <source>operations that cannot be executed: %1</source>
        <translation>无法执行的算子：%1</translation>
    </message>
    <message>
        <source>%1: %2; operations that differ: %3 (%4, &quot;%5&quot;)</source>
        <translation>%1：%2；不符合的算子：%3 个（%4，“%5”）</translation>
    </message>
    <message>
        <source>layers that cannot be imported: %1
%2</source>
        <translation>无法导入的层：%1 个
%2</translation>
    </message>
    <message>
        <source>layers without weights%2: %1 (%3)</source>
        <translation>没有权重的层%2：%1 个（%3）</translation>
    </message>
    <message>
        <source>layers of unknown types: %1
%2</source>
        <translation>类型未知的层：%1 个
%2</translation>
    </message>
    <message>
        <source>its second input is not a constant matrix</source>
        <translation>其第二个输入不是常量矩阵</translation>
    </message>
    <message>
        <source>labels with positions cannot follow the preprocessing step &apos;%1&apos;</source>
        <translation>带位置的标签无法跟随预处理步骤“%1”</translation>
    </message>
    <message>
        <source>the folder holds no samples, only subfolders: %1; expected samples, or one subfolder for each input: %2.</source>
        <translation>文件夹中没有样本，只有子文件夹：%1；应有样本，或每个输入一个子文件夹：%2。</translation>
    </message>
    <message>
        <source>subfolders were ignored: %1</source>
        <translation>已忽略子文件夹：%1</translation>
    </message>
    <message>
        <source>device &apos;%1&apos; does not exist; number of CUDA devices: %2</source>
        <translation>设备“%1”不存在；CUDA 设备数：%2</translation>
    </message>
    <message>
        <source>operations that run on the CPU, so that their data is copied from and to %2: %1 (%3; %4)</source>
        <translation>在 CPU 上运行、数据需要与 %2 来回复制的算子：%1 个（%3；%4）</translation>
    </message>
    <message>
        <source>tensors with encodings that are not in the formatted model, because they were between operations that are fused: %1</source>
        <translation>有编码但不在格式化后模型中的张量（位于被融合的算子之间）：%1 个</translation>
    </message>
    <message>
        <source>weights whose codes differ between the model and the file: %1; the recipe uses the model&apos;s</source>
        <translation>模型与文件中编码不同的权重：%1 个；配方使用模型的权重</translation>
    </message>
    <message>
        <source>no input of the network takes images</source>
        <translation>网络没有图像输入</translation>
    </message>
    <message>
        <source>Layout of boxes in the outputs: yolox: offsets in each cell; yolo: x, y, width, height, objectness, classes; yolov8: the same without objectness, boxes along the last axis; ssd: corners and class scores; nms: objects after suppression.</source>
        <translation>输出中框的形式：yolox：各单元格内的偏移；yolo：x、y、宽、高、目标置信度、类别；yolov8：同上但无目标置信度，框沿最后一轴；ssd：角点和类别分数；nms：经抑制后的目标。</translation>
    </message>
    <message>
        <source>tensors in %2 are not quantized, only those in float32 are; number of operations: %1</source>
        <translation>%2 张量没有量化，只量化 float32 张量；涉及 %1 个算子</translation>
    </message>
    <message>
        <source>temporary file for training data: %1: %2</source>
        <translation>训练数据的临时文件：%1：%2</translation>
    </message>
    <message>
        <source>the runtime fuses &apos;%1&apos; into this operation and clamps &apos;%2&apos; between them without rounding it: computed this way, the simulator gives the runtime&apos;s codes at %3 of %4 differing elements (%5)</source>
        <translation>运行时将“%1”融合到此算子中，两者之间的“%2”只截断而不取整：按此计算，模拟器在 %4 个不同的元素中有 %3 个得到运行时的编码（%5）</translation>
    </message>
    <message>
        <source>the runtime fuses &apos;%1&apos; into this operation and does not round &apos;%2&apos; between them: computed this way, the simulator gives the runtime&apos;s codes at %3 of %4 differing elements (%5)</source>
        <translation>运行时将“%1”融合到此算子中，两者之间的“%2”不取整：按此计算，模拟器在 %4 个不同的元素中有 %3 个得到运行时的编码（%5）</translation>
    </message>
    <message>
        <source>Weights out of bodies</source>
        <translation>把权重移出子图</translation>
    </message>
    <message>
        <source>Before: a body of If, Loop or Scan owns a weight. After: it reads a parameter of the outer graph, which can be quantized.</source>
        <translation>之前：If、Loop 或 Scan 的子图拥有权重。之后：子图读取外层图的参数,该参数可以量化。</translation>
    </message>
    <message>
        <source>no weights of quantizable operations in its bodies</source>
        <translation>其子图中没有可量化算子的权重</translation>
    </message>
    <message>
        <source>weights in its bodies: %1</source>
        <translation>其子图中的权重:%1</translation>
    </message>
    <message>
        <source>line %1: expected &quot;tensor: 3c010a14&quot;, the bits of a positive scale in hexadecimal digits</source>
        <translation>第 %1 行:应为 &quot;tensor: 3c010a14&quot;,即正的缩放系数的比特,以十六进制表示</translation>
    </message>
    <message>
        <source>The file is damaged or was changed: calibrate again.</source>
        <translation>文件已损坏或被修改:请重新校准。</translation>
    </message>
    <message>
        <source>TensorRT calibration cache</source>
        <translation>TensorRT 校准缓存</translation>
    </message>
    <message>
        <source>Text with the scale of each activation, as TensorRT&apos;s calibrators write it, next to a float model.</source>
        <translation>TensorRT 校准器写出的文本,包含每个激活的缩放系数,与浮点模型放在一起。</translation>
    </message>
    <message>
        <source>weights have 8 bits</source>
        <translation>权重为 8 位</translation>
    </message>
    <message>
        <source>Use 8 bits for these weights, or run the operations in FP32.</source>
        <translation>对这些权重使用 8 位,或让这些算子以 FP32 运行。</translation>
    </message>
    <message>
        <source>Gemm has one scale for its weight</source>
        <translation>Gemm 的权重只有一个缩放系数</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; for these weights: only convolutions may have a scale per output channel.</source>
        <translation>对这些权重使用粒度 &apos;tensor&apos;:只有卷积可以每个输出通道一个缩放系数。</translation>
    </message>
    <message>
        <source>weights W and R of a recurrence per gate and state</source>
        <translation>循环算子的权重 W 和 R 按门和状态分别量化</translation>
    </message>
    <message>
        <source>weights that are computed from constants are quantized like activations (operations: %1)</source>
        <translation>由常量计算得出的权重按激活值量化（算子：%1 个）</translation>
    </message>
    <message>
        <source>parameters have no scale and are not quantized: %1 (operations: %2)</source>
        <translation>没有缩放系数、未量化的参数：%1 个（算子：%2 个）</translation>
    </message>
    <message>
        <source>inputs and outputs have no scale and are not quantized: %1 (operations: %2)</source>
        <translation>没有缩放系数、未量化的输入和输出：%1 个（算子：%2 个）</translation>
    </message>
    <message>
        <source>ONNX with QuantizeLinear / DequantizeLinear for OpenVINO: each with an axis, as older versions require, and unsigned codes, because version 2026.4 loses scales of signed ones.</source>
        <translation>面向 OpenVINO 的带 QuantizeLinear / DequantizeLinear 的 ONNX：每个节点都带 axis（旧版本需要），并使用无符号码，因为 2026.4 版本会丢失有符号码的 scale。</translation>
    </message>
    <message>
        <source>Codes 0 to 255 whose zero point would be 128 get 127 or 129: RKNN&apos;s toolkit rounds those with 128 again.</source>
        <translation>零点为 128 的 0 到 255 的码改用 127 或 129：RKNN 工具包会对零点为 128 的码再次取整。</translation>
    </message>
    <message>
        <source>computes on codes what %1 quantizes</source>
        <translation>以整数码计算 %1 所量化的张量</translation>
    </message>
    <message>
        <source>computes on codes what %1 reads quantized</source>
        <translation>以整数码计算 %1 以量化形式读取的张量</translation>
    </message>
    <message>
        <source>An element-wise operation on tensors with scales is quantized, too, if a Conv, Gemm or MatMul reads its result quantized.</source>
        <translation>如果 Conv、Gemm 或 MatMul 以量化形式读取逐元素运算的结果，而其各输入都有 scale，则该运算也被量化。</translation>
    </message>
    <message>
        <source>Its output is not rounded by the runtime, which computes its reader in the same kernel.</source>
        <translation>运行时不对其输出取整，而是在同一内核中计算其后的算子。</translation>
    </message>
    <message>
        <source>Its output is only limited to the range of its codes by the runtime, not rounded.</source>
        <translation>运行时只把其输出限制在码的范围内，不取整。</translation>
    </message>
    <message>
        <source>the runtime rounds it to multiples of %1 instead of %2: this explains %3 of %4 differing elements</source>
        <translation>运行时将其取整为 %1 的倍数，而不是 %2 的倍数：%4 个不同元素中有 %3 个如此</translation>
    </message>
    <message>
        <source>&apos;%1&apos; rounds %2 elements of it to other codes: the values in the runtime and in the simulator agree within the tolerance and are within %3 steps of the boundary between two codes</source>
        <translation>“%1”把其中 %2 个元素取整为其他码：运行时与模拟器中的值在容差内一致，且距两个码的边界不超过 %3 步</translation>
    </message>
    <message>
        <source>Use packed layouts, ncnn&apos;s default. On x86, packed depthwise layers multiply by an approximation of the reciprocal of their scales.</source>
        <translation>使用打包布局（ncnn 的默认设置）。在 x86 上，打包的 depthwise 层乘以其 scale 倒数的近似值。</translation>
    </message>
    <message>
        <source>%1 inner tensors do not exist in the runtime, which fuses operations.</source>
        <translation>%1 个内部张量在运行时中不存在，因为它融合了运算。</translation>
    </message>
    <message>
        <source>In the model cut at &apos;%1&apos;, the runtime computes &apos;%2&apos; differently than in the model cut there.</source>
        <translation>在“%1”处截断的模型中，运行时计算“%2”的方式与在该处截断的模型不同。</translation>
    </message>
    <message>
        <source>a scale for each channel of these inputs</source>
        <translation>这些输入的每个通道各用一个缩放系数</translation>
    </message>
    <message>
        <source>FP32 for the depthwise convolution, which takes few multiplications</source>
        <translation>让该深度卷积以 FP32 运行（它的乘法很少）</translation>
    </message>
    <message>
        <source>Channels of the input of the depthwise convolution &apos;%1&apos; differ by a factor of %2 (largest / median), but all %3 share one scale.</source>
        <translation>深度卷积“%1”的输入通道相差 %2 倍（最大值 / 中位数），但全部 %3 个通道共用一个缩放系数。</translation>
    </message>
    <message>
        <source>Start the program by hand: it reads a .npz of outputs and prints a number.</source>
        <translation>请手动启动该程序：它读取输出的 .npz 并打印一个数。</translation>
    </message>
    <message>
        <source>The first of them: %1.</source>
        <translation>其中最先的是：%1。</translation>
    </message>
    <message>
        <source>The locks forbid all changes that would remove more noise.</source>
        <translation>锁定禁止了所有能进一步减少噪声的更改。</translation>
    </message>
    <message>
        <source>Operations with weights in float32: %1, for example %2.</source>
        <translation>以 float32 运行的带权重算子：%1 个，例如 %2。</translation>
    </message>
    <message>
        <source>the metric %1 found no label for any of %2 samples</source>
        <translation>指标 %1 没有为 %2 个样本中的任何一个找到标签</translation>
    </message>
    <message>
        <source>Labels belong to samples of the same file name, such as &apos;%1&apos;. Check --labels and the kind of the metric.</source>
        <translation>标签属于同名的样本文件，例如“%1”。请检查 --labels 和指标类型。</translation>
    </message>
    <message>
        <source>no rounding of %1</source>
        <translation>不量化 %1</translation>
    </message>
    <message>
        <source>float32 for %1, no rounding of %2</source>
        <translation>%1 使用 float32，不量化 %2</translation>
    </message>
    <message>
        <source>observer %1 for all weights</source>
        <translation>所有权重使用观察器 %1</translation>
    </message>
    <message>
        <source>Share of the error of earlier layers that each matrix corrects. A larger share fits the calibration samples better and other samples worse.</source>
        <translation>每个矩阵所校正的前面各层误差的比例；越大越贴合校准样本，对其他样本则越差。</translation>
    </message>
    <message>
        <source>correction</source>
        <translation>修正</translation>
    </message>
    <message>
        <source>rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>avoid middle</source>
        <translation>避开中点</translation>
    </message>
    <message>
        <source>activation equalization</source>
        <translation>激活均衡</translation>
    </message>
    <message>
        <source>First search scales with smaller rounding errors for weights of 3 to 7 bits.</source>
        <translation>先为 3 到 7 位的权重搜索舍入误差更小的缩放系数。</translation>
    </message>
    <message>
        <source>refine scales</source>
        <translation>优化缩放系数</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>the model cannot be cut at &apos;%1&apos;: this tensor is in a body of &apos;%2&apos;</source>
        <translation>不能在“%1”处截断模型：该张量位于“%2”的子图中</translation>
    </message>
    <message>
        <source>Cut at the operation with the body instead: %1.</source>
        <translation>请改为在含有该子图的算子处截断：%1。</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>classes</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>outputs: blocks are trained by the squared error of their outputs. classes: then the whole network is trained to predict the float network&apos;s classes (axis 1 of its outputs).</source>
        <translation>outputs：各块按其输出的平方误差训练。classes：之后再训练整个网络，使其预测浮点网络的类别（其输出的轴 1）。</translation>
    </message>
    <message>
        <source>no output of the network has classes along axis 1; train with the loss &apos;outputs&apos;</source>
        <translation>网络没有任何输出在轴 1 上含有类别；请用损失 outputs 训练</translation>
    </message>
    <message>
        <source>range and normal exclude each other</source>
        <translation>range 与 normal 互斥</translation>
    </message>
    <message>
        <source>One .onnx file that ONNX Runtime, OpenVINO and TensorRT read; it computes what the simulator computes.</source>
        <translation>一个 ONNX Runtime、OpenVINO 和 TensorRT 都能读取的 .onnx 文件；其计算结果与模拟器一致。</translation>
    </message>
    <message>
        <source>Store 8-bit weights of layers in integer arithmetic as unsigned codes around 128. With signed ones, ONNX Runtime&apos;s sums saturate on x86 processors without VNNI unless session.x64quantprecision is 1.</source>
        <translation>将采用整数运算的层的 8 位权重存为以 128 为中心的无符号编码。若用带符号编码，在没有 VNNI 的 x86 处理器上，除非 session.x64quantprecision 为 1，否则 ONNX Runtime 的求和会饱和。</translation>
    </message>
    <message>
        <source>Set session.x64quantprecision: on x86 processors without VNNI, sums of two products with signed weights saturate otherwise.</source>
        <translation>设置 session.x64quantprecision：否则在没有 VNNI 的 x86 处理器上，带符号权重的两个乘积之和会饱和。</translation>
    </message>
    <message>
        <source>FP32 for every Softmax with a mask and for the mask&apos;s Add</source>
        <translation>所有带掩码的 Softmax 及其掩码的 Add 用 FP32</translation>
    </message>
    <message>
        <source>Its step is %1, too coarse for Softmax: the values of a mask stretch its range.</source>
        <translation>其步长为 %1，对 Softmax 过于粗糙：掩码的值撑大了其范围。</translation>
    </message>
    <message>
        <source>the model takes batches of %1 samples: %2 are used instead of %3</source>
        <translation>模型每批读取 %1 个样本：使用 %2 而非 %3</translation>
    </message>
    <message>
        <source>measuring operations without weights as well</source>
        <translation>同时测量不带权重的算子</translation>
    </message>
    <message>
        <source>Tried %1 of the %2 remedies of the worst problem, to keep the run short.</source>
        <translation>最严重问题的 %2 种补救措施中试用了 %1 种，以免运行时间过长。</translation>
    </message>
    <message>
        <source>Allowed: tensor, output_channel, axis N, group N.</source>
        <translation>允许的有：tensor、output_channel、axis N、group N。</translation>
    </message>
    <message>
        <source>expected an integer of at least 0</source>
        <translation>应为不小于 0 的整数</translation>
    </message>
    <message>
        <source>no values were observed: the tensor was empty</source>
        <translation>没有观察到任何数值：该张量为空</translation>
    </message>
    <message>
        <source>no values were observed: the tensor or one of its channels was all NaN</source>
        <translation>没有观察到任何数值：该张量或其某个通道全为 NaN</translation>
    </message>
    <message>
        <source>no values were observed: the tensor was empty or all NaN in every batch</source>
        <translation>没有观察到任何数值：该张量在每一批中都为空或全为 NaN</translation>
    </message>
    <message>
        <source>Factor by which a channel is scaled in each iteration.</source>
        <translation>每次迭代中通道的缩放倍数。</translation>
    </message>
    <message>
        <source>Largest factor by which a channel is scaled in total.</source>
        <translation>通道的最大总缩放倍数。</translation>
    </message>
    <message>
        <source>Channels that a layer may gain, as a fraction of those that it has.</source>
        <translation>一层最多可增加的通道数，占原有通道数的比例。</translation>
    </message>
    <message>
        <source>Smaller channel ranges count as this fraction of the largest one.</source>
        <translation>范围小于最大范围的这一比例的通道，按该比例计算。</translation>
    </message>
    <message>
        <source>A pair is scaled only if its error falls below this fraction of its previous error.</source>
        <translation>只有当误差降到之前误差的这一比例以下时，才缩放该层对。</translation>
    </message>
    <message>
        <source>Allowed: cpu; cuda, the first GPU; cuda:1, the second one.</source>
        <translation>允许：cpu；cuda，即第一块 GPU；cuda:1，即第二块 GPU。</translation>
    </message>
    <message>
        <source>%1 bits for %2</source>
        <translation>%2 使用 %1 位</translation>
    </message>
    <message>
        <source>%1, %2 steps</source>
        <translation>%1，%2 步</translation>
    </message>
    <message>
        <source>recurrences in float32</source>
        <translation>循环算子保持 float32</translation>
    </message>
    <message>
        <source>LSTM, GRU and RNN are quantized; otherwise they run in float32.</source>
        <translation>量化 LSTM、GRU 和 RNN；否则它们以 float32 运行。</translation>
    </message>
    <message>
        <source>activations of 16 bits</source>
        <translation>16 位激活</translation>
    </message>
    <message>
        <source>Activations have 16 bits; weights keep 8.</source>
        <translation>激活使用 16 位；权重仍为 8 位。</translation>
    </message>
    <message>
        <source>noise of each sample</source>
        <translation>每个样本的噪声</translation>
    </message>
    <message>
        <source>recurrent</source>
        <translation>循环算子</translation>
    </message>
    <message>
        <source>unsigned weights</source>
        <translation>无符号权重</translation>
    </message>
    <message>
        <source>wide activations</source>
        <translation>宽激活</translation>
    </message>
    <message>
        <source>augment</source>
        <translation>增广</translation>
    </message>
    <message>
        <source>the shapes of cache, update and write indices do not match</source>
        <translation>缓存、更新和写入索引的形状不匹配</translation>
    </message>
    <message>
        <source>%1 entries at index %2 do not fit into a cache of %3</source>
        <translation>索引 %2 处的 %1 个条目放不进大小为 %3 的缓存</translation>
    </message>
    <message>
        <source>int4</source>
        <translation>INT4</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出形式</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>first class</source>
        <translation>首个类别</translation>
    </message>
    <message>
        <source>strides</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他值</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>字符表</translation>
    </message>
    <message>
        <source>blank</source>
        <translation>空白符</translation>
    </message>
    <message>
        <source>resize</source>
        <translation>Resize</translation>
    </message>
    <message>
        <source>pad</source>
        <translation>Pad</translation>
    </message>
    <message>
        <source>swish</source>
        <translation>Swish</translation>
    </message>
    <message>
        <source>mish</source>
        <translation>Mish</translation>
    </message>
    <message>
        <source>fp16</source>
        <translation>FP16</translation>
    </message>
    <message>
        <source>equalization</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>finetune</source>
        <translation>微调</translation>
    </message>
    <message>
        <source>finetune steps</source>
        <translation>微调步数</translation>
    </message>
    <message>
        <source>finetune rate</source>
        <translation>微调学习率</translation>
    </message>
    <message>
        <source>float operations</source>
        <translation>浮点运算</translation>
    </message>
    <message>
        <source>Matrices that multiply float tensors are restored to float in every run, as simulated. ONNX Runtime would round the float tensors to 8 bits otherwise; the format %1 avoids both.</source>
        <translation>与浮点张量相乘的矩阵在每次运行时都还原为浮点数，与模拟一致。否则 ONNX Runtime 会把这些浮点张量舍入到 8 位；格式 %1 可避免这两点。</translation>
    </message>
    <message>
        <source>the recipe starts a program: %1</source>
        <translation>配方会启动程序：%1</translation>
    </message>
    <message>
        <source>name its JSON file: --runtime FILE.json, or write &quot;runtime&quot;: {&quot;command&quot;: [...]} in the recipe</source>
        <translation>请指定其 JSON 文件：--runtime FILE.json，或在配方中写入 &quot;runtime&quot;: {&quot;command&quot;: [...]}</translation>
    </message>
    <message>
        <source>its bodies run on the CPU</source>
        <translation>其子图在 CPU 上运行</translation>
    </message>
    <message>
        <source>its integer arithmetic follows the order of the CPU kernel</source>
        <translation>其整数运算按 CPU 内核的顺序进行</translation>
    </message>
    <message>
        <source>it has no kernel for the device</source>
        <translation>没有用于该设备的内核</translation>
    </message>
    <message>
        <source>LibTorch cannot run it on the device</source>
        <translation>LibTorch 无法在该设备上运行它</translation>
    </message>
    <message>
        <source>it follows the formula of the runtime&apos;s CPU kernel</source>
        <translation>它按运行时 CPU 内核的公式计算</translation>
    </message>
    <message>
        <source>sums that saturate are computed on the CPU</source>
        <translation>会饱和的求和在 CPU 上计算</translation>
    </message>
    <message>
        <source>channels last (NHWC)</source>
        <translation>通道在最后（NHWC）</translation>
    </message>
    <message>
        <source>channels first (NCHW)</source>
        <translation>通道在最前（NCHW）</translation>
    </message>
    <message>
        <source>%1 of %2 values are NaN and %3 infinite</source>
        <translation>%2 个值中有 %1 个为 NaN，%3 个为无穷大</translation>
    </message>
    <message>
        <source>messages nested too deeply</source>
        <translation>消息嵌套过深</translation>
    </message>
    <message>
        <source>observer &apos;%1&apos;</source>
        <translation>观察器“%1”</translation>
    </message>
    <message>
        <source>(%1)</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>Name the tensors to cut at with %1.</source>
        <translation>请用 %1 指定截断处的张量。</translation>
    </message>
    <message>
        <source>%1: &apos;%2&apos; has no effect, because the observer of the tensors does not use it: %3</source>
        <translation>%1：“%2”不起作用，因为这些张量的观察器不使用它：%3</translation>
    </message>
    <message>
        <source>Remove it, or choose an observer that uses it: %1.</source>
        <translation>请将其删除，或选择使用它的观察器：%1。</translation>
    </message>
    <message>
        <source>pass &apos;%1&apos; is left out: there is no calibration data</source>
        <translation>已略去处理步骤“%1”：没有校准数据</translation>
    </message>
    <message>
        <source>%3: %1 of %2 rows cannot be measured because a quantized value is NaN or infinite</source>
        <translation>%3 的 %2 行中有 %1 行无法测量：量化后的值为 NaN 或无穷大</translation>
    </message>
    <message>
        <source>%1 with operands of unknown rank cannot be written in opset 7 or later</source>
        <translation>操作数的秩未知时，%1 无法写成 opset 7 或更高版本</translation>
    </message>
    <message>
        <source>Operands that broadcast from the last axis</source>
        <translation>操作数从最后一个轴开始广播</translation>
    </message>
    <message>
        <source>Before: an operation of opset 6 or older whose second operand aligns with the axis that an attribute names. After: the operand ends with axes of size 1, as in newer opsets.</source>
        <translation>之前：opset 6 或更早的运算，其第二个操作数与属性指定的轴对齐。之后：操作数自身的轴之后补上大小为 1 的轴，与较新的 opset 相同。</translation>
    </message>
    <message>
        <source>Before: weights of Conv, MatMul and Gemm are rounded to the nearest grid point. After: they are rounded channel by channel, and the following channels compensate for the error at the output.</source>
        <translation>之前：Conv、MatMul 和 Gemm 的权重舍入到最近的格点。之后：逐通道舍入，后续通道补偿输出端的误差。</translation>
    </message>
    <message>
        <source>No change was tried: measuring the goals takes %1 s of the budget of %2 s. Give more time, or fewer samples.</source>
        <translation>没有尝试任何改动：测量目标就需要 %1 秒，而预算为 %2 秒。请给更多时间，或减少样本。</translation>
    </message>
    <message>
        <source>%1, %2 calibration samples</source>
        <translation>%1，%2 个校准样本</translation>
    </message>
    <message>
        <source>the metric command printed %1</source>
        <translation>指标命令打印了 %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; rounds &apos;%2&apos;, %3 of whose elements are within %4 steps of the border of two codes: with the other code, the simulator gives the runtime&apos;s codes at %5 of %6 differing elements; %7 are ties themselves</source>
        <translation>“%1”对“%2”取整，其中 %3 个元素距两个码的边界不超过 %4 步：取另一个码时，仿真器在 %6 个不同元素中的 %5 个上给出运行时的码；另有 %7 个本身就在边界上</translation>
    </message>
    <message>
        <source>Run the command in the folder of the manifest to see what is wrong with it.</source>
        <translation>请在清单所在的文件夹中运行该命令，查看问题所在。</translation>
    </message>
    <message>
        <source>%1 crashed: %2; archives written before: %3</source>
        <translation>%1 崩溃：%2；此前写出的归档数：%3</translation>
    </message>
    <message>
        <source>%1 failed with exit code %2; archives written before: %3</source>
        <translation>%1 失败，退出码 %2；此前写出的归档数：%3</translation>
    </message>
    <message>
        <source>at most %1 (no sample has changed)</source>
        <translation>至多 %1（没有样本改变）</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>Drop of the metric in points, with 95 % intervals: %1 on the samples that were searched, %2 on the others. A smaller difference needs more labelled samples.</source>
        <translation>指标下降的百分点（95 % 区间）：用于搜索的样本上为 %1，其余样本上为 %2。更小的差异需要更多带标签的样本。</translation>
    </message>
    <message>
        <source>It holds %1 samples: give this file instead of its folder, where each file is one sample.</source>
        <translation>它包含 %1 个样本：请指定此文件而不是其文件夹；文件夹中的每个文件是一个样本。</translation>
    </message>
    <message>
        <source>A rule of the platform or the recipe names the operator type &apos;%1&apos;, which does not exist.</source>
        <translation>平台或配方的某条规则使用了不存在的算子类型“%1”。</translation>
    </message>
    <message>
        <source>Correct the name, or load the plug-in that has the operator.</source>
        <translation>请更正名称，或加载包含该算子的插件。</translation>
    </message>
    <message>
        <source>Choose one with %1: %2.</source>
        <translation>请用 %1 选择一个：%2。</translation>
    </message>
    <message>
        <source>comparing with earlier recipes</source>
        <translation>正在与之前的配方比较</translation>
    </message>
    <message>
        <source>The error at the outputs is undefined, because they contain NaN or infinite values: no change can be compared with another. Run the analysis graphwise, which names the operation.</source>
        <translation>输出含有 NaN 或无穷大值，因此误差无定义，各项更改无法比较。请运行 graphwise 分析，它会指出是哪个算子。</translation>
    </message>
    <message>
        <source>the data has few samples (%1); up to %2 would be used</source>
        <translation>数据样本较少（%1 个）；最多会使用 %2 个</translation>
    </message>
    <message>
        <source>%1 All operations together add %2 %.</source>
        <translation>%1所有算子合计增加 %2 %。</translation>
    </message>
    <message>
        <source>two files of the export would be called &apos;%1&apos;</source>
        <translation>导出的两个文件会同名：“%1”</translation>
    </message>
    <message>
        <source>%1 for a batch of %2</source>
        <translation>%1（批次为 %2）</translation>
    </message>
    <message>
        <source>accuracy not reported: the output is %1, not a row of class scores for each sample</source>
        <translation>未报告准确率：输出为 %1，而不是每个样本一行类别分数</translation>
    </message>
    <message>
        <source>Class scores need the batch as their first axis; for other outputs, choose a metric (%1).</source>
        <translation>类别分数须以批次为首轴；其他输出请选择指标（%1）。</translation>
    </message>
    <message>
        <source>The metric %1 changes from %2 to %3</source>
        <translation>指标 %1 从 %2 变为 %3</translation>
    </message>
    <message>
        <source>The metric %1 rises by %2 points</source>
        <translation>指标 %1 上升 %2 个百分点</translation>
    </message>
    <message>
        <source>The metric %1 drops by %2 points</source>
        <translation>指标 %1 下降 %2 个百分点</translation>
    </message>
    <message>
        <source>%1 (95 % interval): %2 samples are too few to confirm it.</source>
        <translation>%1（95 % 区间）：%2 个样本太少，无法确认。</translation>
    </message>
    <message>
        <source>Evaluate more labelled samples (%1).</source>
        <translation>请评估更多带标签的样本（%1）。</translation>
    </message>
    <message>
        <source>the input expects samples of %1 (its shape is %2), but sample %3 is %4</source>
        <translation>输入需要形状为 %1 的样本（其形状为 %2），但样本 %3 为 %4</translation>
    </message>
    <message>
        <source>%1: perhaps %2</source>
        <translation>%1：可能是 %2</translation>
    </message>
    <message>
        <source>%1: width and height are swapped</source>
        <translation>%1：宽和高颠倒了</translation>
    </message>
    <message>
        <source>Swap the sizes in %1: its steps take width x height.</source>
        <translation>请交换 %1 中的尺寸：各步骤的顺序是宽 x 高。</translation>
    </message>
    <message>
        <source>Give samples in the shape of the input, stacked along the leading axis; prepare images with %1 (resize, stretch, crop, layout); or fix unknown dimensions with %2.</source>
        <translation>请按输入的形状给出样本，并沿首轴排列；或用 %1 处理图像（resize、stretch、crop、layout）；或用 %2 固定未知的维度。</translation>
    </message>
    <message>
        <source>sample &apos;%1&apos; is a complete batch (%2), but the first sample is a single entry</source>
        <translation>样本“%1”自成一批（%2），而第一个样本是单个条目</translation>
    </message>
    <message>
        <source>the input takes one number per batch, but samples &apos;%1&apos; and &apos;%2&apos; of the same batch have different numbers</source>
        <translation>该输入每个批次只取一个数，但同一批次的样本“%1”和“%2”的数不同</translation>
    </message>
    <message>
        <source>samples of one batch must have the same shape; &apos;%1&apos; is %2, others are %3</source>
        <translation>同一批次的样本必须形状一致；“%1”为 %2，其他为 %3</translation>
    </message>
    <message>
        <source>Label every sample that is used: with a line such as &quot;%1 3&quot; in labels.txt, or &apos;label&apos; in a manifest.</source>
        <translation>请为每个使用的样本加上标签：在 labels.txt 中写一行，例如“%1 3”，或在清单中写 &apos;label&apos;。</translation>
    </message>
    <message>
        <source>NaN or infinite values in the data: %1, first in sample &apos;%2&apos;</source>
        <translation>数据中有 %1 个 NaN 或无穷大的值，首次出现在样本“%2”</translation>
    </message>
    <message>
        <source>One channel: 0.299 red + 0.587 green + 0.114 blue; also written &apos;y&apos;.</source>
        <translation>单通道：0.299 红 + 0.587 绿 + 0.114 蓝；也可写作 &apos;y&apos;。</translation>
    </message>
    <message>
        <source>Write a filename and its class number on each line, such as &quot;cat_01.jpg 3&quot;.</source>
        <translation>请每行写一个文件名及其类别编号，例如“cat_01.jpg 3”。</translation>
    </message>
    <message>
        <source>Correct %1 (in a recipe: %2); `quantloupe-cli inspect MODEL --json -` lists all tensors.</source>
        <translation>请更正 %1（在配方中：%2）；`quantloupe-cli inspect MODEL --json -` 列出所有张量。</translation>
    </message>
    <message>
        <source>Remove it from %1 (in a recipe: %2), or choose outputs after it.</source>
        <translation>请将其从 %1（在配方中：%2）中移除，或选择它之后的输出。</translation>
    </message>
    <message>
        <source>no errors were measured: there is no evaluation data</source>
        <translation>未测量误差：没有评估数据</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>The target is the model file, and the names of the other files differ only in their extensions: choose a target that ends in &apos;.onnx&apos;, or &apos;.prototxt&apos; for Caffe.</source>
        <translation>目标是模型文件，其他文件的名称只有扩展名不同：请选择以 &apos;.onnx&apos; 结尾的目标，Caffe 则以 &apos;.prototxt&apos; 结尾。</translation>
    </message>
    <message>
        <source>About %1 % of the noise would be removed if %2 % of the multiplications ran in float32 (changes: %3).</source>
        <translation>若 %2 % 的乘法以 float32 运行，约可消除 %1 % 的噪声（更改数：%3）。</translation>
    </message>
    <message>
        <source>Passes and platform parameters were not tried: they change the whole model, and locks keep parts of it unchanged.</source>
        <translation>没有尝试 pass 和平台参数：它们会改变整个模型，而锁定要求其中一部分保持不变。</translation>
    </message>
    <message>
        <source>the unchanged recipe</source>
        <translation>未更改的配方</translation>
    </message>
    <message>
        <source>the runtime rounds &apos;%2&apos;, upstream of &apos;%1&apos;, instead of &apos;%1&apos;: simulated like this, %3 of %4 differing elements are equal</source>
        <translation>运行时对“%1”上游的“%2”舍入，而不对“%1”舍入：这样舍入后，%4 个不同元素中有 %3 个相等</translation>
    </message>
    <message>
        <source>The runtime&apos;s results differ between sessions with the same file and inputs, so no simulation can agree with all of them.</source>
        <translation>对于同样的文件和输入，运行时在不同会话中的结果不同，因此没有一种仿真能与所有会话一致。</translation>
    </message>
    <message>
        <source>recording ranges</source>
        <translation>正在记录数值范围</translation>
    </message>
    <message>
        <source>Record ranges</source>
        <translation>记录数值范围</translation>
    </message>
    <message>
        <source>Before: files have scales. After: they also have the range of each channel of each layer&apos;s output in the calibration data, which TI&apos;s DSPs need. Scales do not change.</source>
        <translation>之前：文件只含 scale。之后：文件还含校准数据中每个层输出的每个通道的数值范围，TI 的 DSP 需要它们。scale 不变。</translation>
    </message>
    <message>
        <source>ranges of activations</source>
        <translation>激活的取值范围</translation>
    </message>
    <message>
        <source>No problems found, but no analysis has measured errors or ranges.</source>
        <translation>未发现问题，但没有分析测量误差或取值范围。</translation>
    </message>
    <message>
        <source>No problems found in what was measured: %1.</source>
        <translation>在已测量的内容中未发现问题：%1。</translation>
    </message>
    <message>
        <source>field &apos;%1&apos; has two origins</source>
        <translation>字段“%1”有两个来源</translation>
    </message>
    <message>
        <source>field &apos;%1&apos; has no origin</source>
        <translation>字段“%1”没有来源</translation>
    </message>
    <message>
        <source>field &apos;%1&apos; is missing</source>
        <translation>缺少字段“%1”</translation>
    </message>
    <message>
        <source>severity</source>
        <translation>严重程度</translation>
    </message>
    <message>
        <source>field</source>
        <translation>字段</translation>
    </message>
    <message>
        <source>origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Store quantized parameters as integers or FP8 followed by a DequantizeLinear, and in other formats (FP4, FP6, NF4) as codes that look up their values in a table; off: as rounded floats.</source>
        <translation>以整数或 FP8 存储量化的参数，后接 DequantizeLinear；其他格式（FP4、FP6、NF4）存为编码，在表中查出其数值。关：存为取整后的浮点数。</translation>
    </message>
    <message>
        <source>For activations, choose FP8 E4M3 (up to 448) or E5M2 (up to 57344), integer bits, or the native format.</source>
        <translation>激活值请选择 FP8 E4M3（最大 448）或 E5M2（最大 57344）、整数位数，或原生格式。</translation>
    </message>
    <message>
        <source>Weights are computed from constants. Add the pass &apos;%1&apos;, which turns them into parameters.</source>
        <translation>权重由常量计算得出。请添加 pass“%1”，它会将其变为参数。</translation>
    </message>
    <message>
        <source>Give %1 and %2 as for the baseline, and check the reported problems.</source>
        <translation>请像基线那样给出 %1 和 %2，并检查报告的问题。</translation>
    </message>
    <message>
        <source>No operation that could still move to float32 would remove more noise.</source>
        <translation>尚可改用 float32 的算子都无法再消除更多噪声。</translation>
    </message>
    <message>
        <source>the file is not the journal of a search</source>
        <translation>该文件不是搜索的日志</translation>
    </message>
    <message>
        <source>On this platform, bodies of If, Loop and Scan run in float32. Choose one that quantizes their weights, such as %1, or export the model without them, for example by tracing it with the condition fixed.</source>
        <translation>在此平台上，If、Loop 和 Scan 的子图以 float32 运行。请选择会量化其权重的平台，例如 %1，或导出不含它们的模型，例如在固定条件的情况下进行 trace。</translation>
    </message>
    <message>
        <source>%1; %2 % of the noise comes from the tensors that are reported separately.</source>
        <translation>%1；%2 % 的噪声来自另行报告的张量。</translation>
    </message>
    <message>
        <source>OpenPPL net for DSPs</source>
        <translation>用于 DSP 的 OpenPPL 网络</translation>
    </message>
    <message>
        <source>A Caffe net (prototxt and caffemodel) with rounded parameters whose layers have the ranges of weights, inputs and outputs, and PPQ&apos;s JSON.</source>
        <translation>Caffe 网络（prototxt 和 caffemodel），参数已舍入，各层带有权重、输入和输出的范围；另有 PPQ 的 JSON。</translation>
    </message>
    <message>
        <source>With the loss classes: steps of the whole network; 0: as many as of a block.</source>
        <translation>损失为 classes 时：整个网络的步数；0：与一个块相同。</translation>
    </message>
    <message>
        <source>With the loss classes: number of samples for each step of the whole network.</source>
        <translation>损失为 classes 时：整个网络每一步的样本数。</translation>
    </message>
    <message>
        <source>class steps</source>
        <translation>分类步数</translation>
    </message>
    <message>
        <source>class batch</source>
        <translation>分类批大小</translation>
    </message>
    <message>
        <source>No calibration sample was held out from training, so other samples may have become worse.</source>
        <translation>没有从训练中留出任何校准样本，因此其他样本可能变差。</translation>
    </message>
    <message>
        <source>Only %1 calibration samples were held out from training to decide what is kept; others may have become worse.</source>
        <translation>只从训练中留出了 %1 个校准样本来决定保留什么；其他样本可能变差。</translation>
    </message>
    <message>
        <source>Calibrate with at least %1 samples.</source>
        <translation>请至少用 %1 个样本校准。</translation>
    </message>
    <message>
        <source>For images: how many variants of each sample are also trained on, mirrored and moved at random. 0: none.</source>
        <translation>用于图像：每个样本另有多少个随机镜像和平移的变体参与训练。0：没有。</translation>
    </message>
    <message>
        <source>analysis &apos;layerwise&apos;: no operation computes a tensor &apos;%1&apos;.</source>
        <translation>分析 layerwise：没有算子计算张量 &apos;%1&apos;。</translation>
    </message>
    <message>
        <source>analysis &apos;layerwise&apos;: &apos;%1&apos; is an input or a parameter, not a result of an operation.</source>
        <translation>分析 layerwise：&apos;%1&apos; 是输入或参数，不是算子的结果。</translation>
    </message>
    <message>
        <source>analysis &apos;layerwise&apos;: &apos;%1&apos; holds integers, whose error means nothing.</source>
        <translation>分析 layerwise：&apos;%1&apos; 是整数，其误差没有意义。</translation>
    </message>
    <message>
        <source>Names of the tensors to measure the error at; operations that do not reach them are left out. Empty: the graph outputs.</source>
        <translation>在这些张量处测量误差；到不了它们的算子不参与测量。留空：图的输出。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; (%2)</source>
        <translation>&apos;%1&apos;（%2）</translation>
    </message>
    <message>
        <source>FP32 for these depthwise convolutions, which take few multiplications</source>
        <translation>这些深度卷积用 FP32（它们的乘法很少）</translation>
    </message>
    <message>
        <source>Channels of the inputs of %1 depthwise convolutions differ by a factor of up to %2 (largest / median), but each input has one scale: %3.</source>
        <translation>%1 个深度卷积的输入，各通道相差最多 %2 倍（最大 / 中位数），而每个输入只有一个缩放系数：%3。</translation>
    </message>
    <message>
        <source>The recipe that the search started with is the result: on the other half of the data, the best one found is not better.</source>
        <translation>结果是搜索开始时的配方：在另一半数据上，搜索找到的最佳配方并不更好。</translation>
    </message>
    <message>
        <source>Masked scores in float32</source>
        <translation>加掩码的分数保持 float32</translation>
    </message>
    <message>
        <source>Before: a mask of -10,000 gives the attention scores that it is added to next to no codes. After: the mask, the sum and the input of Softmax are in float32.</source>
        <translation>之前：-10,000 的掩码使与之相加的注意力分数几乎没有可用的码。之后：掩码、和以及 Softmax 的输入保持 float32。</translation>
    </message>
    <message>
        <source>Smallest step of the sum that counts as too coarse for Softmax.</source>
        <translation>和的步长从此值起视为对 Softmax 过粗。</translation>
    </message>
    <message>
        <source>the runtime computes it in float16</source>
        <translation>运行时以 float16 计算它</translation>
    </message>
    <message>
        <source>Sums of products. integer: of codes, exact. saturating_pairs: likewise, but pairs of products are added in 16 bits with saturation, as on x86 processors without VNNI. ncnn, mnn: bit for bit as these runtimes. rknn: of values, with the scales that RKNN&apos;s toolkit reads, in the order of ONNX Runtime, which it calls.</source>
        <translation>乘积之和。integer：对编码求和，精确。saturating_pairs：相同，但成对的乘积以 16 位饱和相加，如没有 VNNI 的 x86 处理器。ncnn、mnn：与这些运行时逐位一致。rknn：对数值求和，采用 RKNN 工具包读取的缩放系数，并按其调用的 ONNX Runtime 的顺序相加。</translation>
    </message>
    <message>
        <source>As in the configuration of the toolkit, whose default is 3. It suggests 2 for files that are quantized: 3 gives the result of an AveragePool the scale of its input, does not round a Conv before an Add, and computes some Conv after Concat in float16.</source>
        <translation>与工具包的配置相同，其默认值为 3。对于已量化的文件，工具包建议使用 2：3 会让 AveragePool 的结果采用其输入的缩放系数，不对 Add 之前的 Conv 取整，并以 float16 计算 Concat 之后的某些 Conv。</translation>
    </message>
    <message>
        <source>optimization level</source>
        <translation>优化级别</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>SQNR in dB of the noisiest output that goals are about, with 95 % intervals: %1 on the samples that were searched, %2 on the others. More samples make it more certain.</source>
        <translation>目标所涉及的噪声最大的输出的 SQNR（dB）及 95 % 区间：搜索所用样本为 %1，其余样本为 %2。样本越多越可靠。</translation>
    </message>
    <message>
        <source>QuantizeLinear and DequantizeLinear operations that stay in the float model: %1. Their codes are used as numbers, in blocks, or with scales that are negative or computed at run time</source>
        <translation>保留在浮点模型中的 QuantizeLinear 和 DequantizeLinear：%1。它们的编码被当作数值、按块使用，或其比例为负或在运行时计算</translation>
    </message>
    <message>
        <source>Activations are observed with weights of fewer bits in float, since passes that train or round them bring activations back to their float ranges. 0: with all weights rounded.</source>
        <translation>观测激活值时，位数更少的权重保持浮点，因为训练权重或选择其舍入方向的处理会使激活值恢复到浮点时的范围。0：所有权重都先舍入。</translation>
    </message>
    <message>
        <source>float weights below</source>
        <translation>低于此位数的权重保持浮点</translation>
    </message>
    <message>
        <source>evaluation data: %1</source>
        <translation>评估数据：%1</translation>
    </message>
    <message>
        <source>the element type of the input is not known: the random data is float32</source>
        <translation>输入的元素类型未知：随机数据采用 float32</translation>
    </message>
    <message>
        <source>Give data in a file if it has another type.</source>
        <translation>如果是其他类型，请通过文件提供数据。</translation>
    </message>
    <message>
        <source>random data needs inputs of known shape</source>
        <translation>随机数据要求输入的形状已知</translation>
    </message>
    <message>
        <source>Give it with %1, or data in a file.</source>
        <translation>请用 %1 给出形状，或通过文件提供数据。</translation>
    </message>
    <message>
        <source>16-bit floats are no platform here: dispatch operations to FP32 (float32), or set bits to 16 and exponent_bits to 5 (float16) or 8 (bfloat16) in an override, with the observer constant.</source>
        <translation>16 位浮点在此不是平台：请把算子分派到 FP32（float32），或在覆盖规则中将 bits 设为 16、exponent_bits 设为 5（float16）或 8（bfloat16），并使用观察器 constant。</translation>
    </message>
    <message>
        <source>%1: operation &apos;%2&apos;</source>
        <translation>%1：算子“%2”</translation>
    </message>
    <message>
        <source>unknown platform</source>
        <translation>未知平台</translation>
    </message>
    <message>
        <source>%1 (%2): 16-bit floats become float32</source>
        <translation>%1（%2）：16 位浮点改为 float32</translation>
    </message>
    <message>
        <source>Alibaba MNN: convolutions, with the Relu or Relu6 that MNN runs in their kernel, and each Add, Sub, Mul, Div, Min, Max or mean that MNN computes on codes are quantized; symmetric activations per tensor without -128, weights per output channel, bias in float32.</source>
        <translation>阿里巴巴 MNN：量化卷积（连同 MNN 在其内核中执行的 Relu 或 Relu6），以及 MNN 直接在编码上计算的 Add、Sub、Mul、Div、Min、Max 或均值；激活值按张量对称量化，不使用 -128，权重按输出通道量化，偏置为 float32。</translation>
    </message>
    <message>
        <source>%1 completed no archive for %2 s and was stopped; archives written before: %3</source>
        <translation>%1 在 %2 秒内没有写完任何归档，已被停止；此前写出的归档数：%3</translation>
    </message>
    <message>
        <source>k is %1, but the output has only %2 classes</source>
        <translation>k 为 %1，但输出只有 %2 个类别</translation>
    </message>
    <message>
        <source>Choose a smaller k.</source>
        <translation>请选择更小的 k。</translation>
    </message>
    <message>
        <source>line %1: expected a file name and the number of its class, got &apos;%2&apos;</source>
        <translation>第 %1 行：应为文件名及其类别编号，得到的是 &apos;%2&apos;</translation>
    </message>
    <message>
        <source>Replace names of classes by their indices in the output, which count from 0.</source>
        <translation>请把类别名称替换为其在输出中的序号（从 0 开始）。</translation>
    </message>
    <message>
        <source>only GRU and LSTM can be split</source>
        <translation>只有 GRU 和 LSTM 可以拆分</translation>
    </message>
    <message>
        <source>no recipe can meet it: %1 is at most %2</source>
        <translation>没有配方能满足它：%1 最大为 %2</translation>
    </message>
    <message>
        <source>Choose a lower limit.</source>
        <translation>请选择更低的限值。</translation>
    </message>
    <message>
        <source>no recipe can meet it: %1 is at least %2</source>
        <translation>没有配方能满足它：%1 最小为 %2</translation>
    </message>
    <message>
        <source>Choose a higher limit.</source>
        <translation>请选择更高的限值。</translation>
    </message>
    <message>
        <source>&apos;%1&apos;: %2.</source>
        <translation>&apos;%1&apos;：%2。</translation>
    </message>
    <message>
        <source>Recurrent operations that %1 computes in float32: %2 (%3).</source>
        <translation>%1 以 float32 计算的循环算子：%2 个（%3）。</translation>
    </message>
    <message>
        <source>Split them into Gemm, Sigmoid, Tanh, Mul and Add, which can be quantized: switch on the pass %1.</source>
        <translation>把它们拆分为可量化的 Gemm、Sigmoid、Tanh、Mul 和 Add：启用处理步骤 %1。</translation>
    </message>
    <message>
        <source>They cannot be split. %1</source>
        <translation>它们无法拆分。%1</translation>
    </message>
    <message>
        <source>passes[%1] &apos;%2&apos;: it cannot be switched off. Every model is formatted before it is quantized, and the float result stays the same.</source>
        <translation>passes[%1] &apos;%2&apos;：无法关闭。每个模型在量化前都会被规范化，浮点结果不变。</translation>
    </message>
    <message>
        <source>Remove it from the passes.</source>
        <translation>请将其从处理步骤中移除。</translation>
    </message>
    <message>
        <source>There is only one batch of data, so nothing was confirmed on other data: the goals were tested on the samples that were searched.</source>
        <translation>数据只有一个批次，因此没有用其他数据确认：目标是在搜索所用的样本上检验的。</translation>
    </message>
    <message>
        <source>MNN mean format</source>
        <translation>MNN 均值格式</translation>
    </message>
    <message>
        <source>Before: a GlobalAveragePool whose result a Conv reads, which MNN can compute on codes of the result. After: a ReduceMean, which it computes in float.</source>
        <translation>之前：GlobalAveragePool 的结果由 Conv 读取，MNN 可能用结果的编码来计算它。之后：改为 ReduceMean，MNN 以浮点计算它。</translation>
    </message>
    <message>
        <source>another observer for all activations</source>
        <translation>所有激活换用其他观察器</translation>
    </message>
    <message>
        <source>Runs the model with each remedy of the worst problems and lists first the one that improves the output most. Each takes a calibration and an evaluation. Without this analysis, a run that measures layerwise errors tries as many as add at most about 15 % to its time, on at most 32 batches.</source>
        <translation>用最严重问题的每种补救办法各运行一次模型，并把最能改善输出的办法排在最前。每种办法需要一次校准和一次评估。不做此分析时，测量逐层误差的运行会在最多 32 个批次上尝试这些办法，所增加的时间不超过约 15 %。</translation>
    </message>
    <message>
        <source>Number of evaluation samples to use: of twice as many, spread evenly, those with most noise at the outputs.</source>
        <translation>使用的评估样本数：从均匀选取的两倍数量的样本中，取输出噪声最大的那些。</translation>
    </message>
    <message>
        <source>an exception without a message</source>
        <translation>没有说明的异常</translation>
    </message>
    <message>
        <source>it has no gradient</source>
        <translation>它没有梯度</translation>
    </message>
    <message>
        <source>%1: an exception of an unknown type</source>
        <translation>%1：未知类型的异常</translation>
    </message>
    <message>
        <source>importer &apos;%1&apos;</source>
        <translation>导入程序“%1”</translation>
    </message>
    <message>
        <source>dispatcher %1</source>
        <translation>调度器 %1</translation>
    </message>
    <message>
        <source>%1 has no gradient: upstream of it, this is not trained: %2</source>
        <translation>%1 没有梯度：其上游以下部分不参与训练：%2</translation>
    </message>
    <message>
        <source>observer &apos;%1&apos; returned %2 scales</source>
        <translation>观察器 &apos;%1&apos; 返回了 %2 个缩放系数</translation>
    </message>
    <message>
        <source>observer &apos;%1&apos; returned a scale of %2</source>
        <translation>观察器 &apos;%1&apos; 返回的缩放系数为 %2</translation>
    </message>
    <message>
        <source>MNN float format</source>
        <translation>MNN 浮点格式</translation>
    </message>
    <message>
        <source>Before: a MaxPool, a Resize or a Concat to which MNN would pass on the scale of the Conv that reads it. After: a Max with the lowest float32 in between, so that it stays in float.</source>
        <translation>之前：MaxPool、Resize 或 Concat，MNN 会把读取其结果的 Conv 的缩放系数传给它。之后：中间有一个与最小 float32 取最大值的 Max，使它保持浮点。</translation>
    </message>
    <message>
        <source>values that reach bodies</source>
        <translation>到达子图的数值</translation>
    </message>
    <message>
        <source>The body &apos;%1&apos; does not run on the calibration data: only its weights are quantized.</source>
        <translation>子图“%1”在校准数据上没有运行：只量化了其中的权重。</translation>
    </message>
    <message>
        <source>Add samples for which it runs.</source>
        <translation>添加会运行它的样本。</translation>
    </message>
    <message>
        <source>Bodies</source>
        <translation>子图</translation>
    </message>
    <message>
        <source>Before: only the weights of bodies of If, Loop and Scan are quantized. After: their activations, too, calibrated on the values that reach each body.</source>
        <translation>之前：If、Loop 和 Scan 的子图只量化权重。之后：激活也量化，并按到达每个子图的数值校准。</translation>
    </message>
    <message>
        <source>Fuse x * Tanh(Softplus(x)) even if Softplus and Tanh run in float.</source>
        <translation>即使 Softplus 和 Tanh 以浮点运行，也融合 x * Tanh(Softplus(x))。</translation>
    </message>
    <message>
        <source>float inside</source>
        <translation>内部浮点</translation>
    </message>
    <message>
        <source>compute operation %1 in a body</source>
        <translation>子图中的计算算子 %1</translation>
    </message>
    <message>
        <source>computes the state of a loop</source>
        <translation>计算循环的状态</translation>
    </message>
    <message>
        <source>the outputs %1 are not those of the detector that the parameter head of the metric names</source>
        <translation>输出 %1 不属于指标的参数 head 所指定的检测器</translation>
    </message>
    <message>
        <source>Without it, known detectors are recognized by the shapes of their outputs.</source>
        <translation>不写该参数时，按输出的形状识别已知的检测器。</translation>
    </message>
    <message>
        <source>Before: Mish, HardSwish, Swish with a factor (quick Gelu) or Softmax as several operations. After: one operation.</source>
        <translation>之前：由多个算子组成的 Mish、HardSwish、带系数的 Swish（快速 Gelu）或 Softmax。之后：一个算子。</translation>
    </message>
    <message>
        <source>Before: the means, squares and quotient of a normalization. After: one LayerNormalization, or RMSNormalization without a mean; between two Transpose if it is over channels.</source>
        <translation>之前：归一化的均值、平方和除法。之后：一个 LayerNormalization，没有均值时是 RMSNormalization；沿通道归一化时位于两个 Transpose 之间。</translation>
    </message>
    <message>
        <source>It is part of the plug-in &apos;%1&apos; (%2).</source>
        <translation>它属于插件“%1”（%2）。</translation>
    </message>
    <message>
        <source>no file was written</source>
        <translation>没有写出文件</translation>
    </message>
    <message>
        <source>the file was not written</source>
        <translation>该文件没有写出</translation>
    </message>
    <message>
        <source>no operation computes the output &apos;%1&apos; of the graph</source>
        <translation>没有算子计算图的输出“%1”</translation>
    </message>
    <message>
        <source>must be of type %1, got %2</source>
        <translation>类型必须是 %1，实际为 %2</translation>
    </message>
    <message>
        <source>%1 elements have other codes, but none if computed from the runtime&apos;s own tensors upstream, which agree within the tolerance: rounding errors of float operations add up and cross the border of two codes</source>
        <translation>%1 个元素的编码不同，但由运行时自己的上游张量（在容差内一致）计算时全部相同：浮点运算的舍入误差累积，越过了两个编码的边界</translation>
    </message>
    <message>
        <source>the program has written more than half of the free space of %1; archives written: %2</source>
        <translation>程序写入的内容已超过 %1 可用空间的一半；已写入的归档数：%2</translation>
    </message>
    <message>
        <source>It must end after its last sample. Set TMPDIR to a folder with more space, or use fewer samples with %1.</source>
        <translation>程序必须在写完最后一个样本后结束。请将 TMPDIR 设为空间更大的文件夹，或用 %1 减少样本数。</translation>
    </message>
    <message>
        <source>Give the program and its arguments: [&quot;python3&quot;, &quot;loader.py&quot;].</source>
        <translation>请写出程序及其参数：[&quot;python3&quot;, &quot;loader.py&quot;]。</translation>
    </message>
    <message>
        <source>%1, because the metric is %2 in float32</source>
        <translation>%1，因为该指标在 float32 下为 %2</translation>
    </message>
    <message>
        <source>observer &apos;%1&apos; returned %2 zero points for %3 scales</source>
        <translation>观察器 &apos;%1&apos; 返回了 %2 个零点，而缩放系数有 %3 个</translation>
    </message>
    <message>
        <source>observer &apos;%1&apos; returned a zero point of %2</source>
        <translation>观察器 &apos;%1&apos; 返回的零点为 %2</translation>
    </message>
    <message>
        <source>no operation computes &apos;%1&apos;, which &apos;%2&apos; reads</source>
        <translation>没有算子计算 &apos;%2&apos; 所读取的 &apos;%1&apos;</translation>
    </message>
    <message>
        <source>a tensor with one scale has %1</source>
        <translation>应只有一个缩放系数的张量有 %1 个</translation>
    </message>
    <message>
        <source>a scale of %1</source>
        <translation>缩放系数为 %1</translation>
    </message>
    <message>
        <source>The operation of that name reads %1.</source>
        <translation>同名的算子读取 %1。</translation>
    </message>
    <message>
        <source>The operation of that name writes %1.</source>
        <translation>同名的算子写出 %1。</translation>
    </message>
    <message>
        <source>cannot be written: there is a folder of that name</source>
        <translation>无法写入：已有同名的文件夹</translation>
    </message>
    <message>
        <source>Choose another folder, or remove that one.</source>
        <translation>请选择其他文件夹，或删除该文件夹。</translation>
    </message>
    <message>
        <source>a Resize of opset 10 whose scales are not known here, or that enlarges some axes and shrinks others, cannot be written in opset %1</source>
        <translation>opset 10 的 Resize 若其缩放比例在此处未知，或放大某些轴而缩小另一些轴，则无法写入 opset %1</translation>
    </message>
    <message>
        <source>%1 did not answer within %2 s</source>
        <translation>%1 在 %2 秒内没有响应</translation>
    </message>
    <message>
        <source>OpenCV&apos;s dnn module on the CPU. It computes in float32 and rounds where an ONNX file has quantize operations, or the JSON next to a Caffe net has scales.</source>
        <translation>CPU 上的 OpenCV dnn 模块。它以 float32 计算，并在 ONNX 文件含有量化算子处、或 Caffe 网络旁的 JSON 给出缩放系数处舍入。</translation>
    </message>
    <message>
        <source>export &apos;mnn_json&apos;: no layer of the model has scales in MNN</source>
        <translation>导出 &apos;mnn_json&apos;：模型中没有在 MNN 里带缩放系数的层</translation>
    </message>
    <message>
        <source>Quantize for MNN_INT8, which quantizes Conv; MNN computes other layers in float.</source>
        <translation>请为 MNN_INT8 量化，它量化 Conv；其他层由 MNN 以浮点计算。</translation>
    </message>
    <message>
        <source>export &apos;%1&apos;: its file separates words by spaces, so the name &apos;%2&apos; cannot be written</source>
        <translation>导出 &apos;%1&apos;：其文件以空格分隔各词，因此无法写入名称 &apos;%2&apos;</translation>
    </message>
    <message>
        <source>Rename it in the model.</source>
        <translation>请在模型中将其重命名。</translation>
    </message>
    <message>
        <source>%1 elements are infinite or not a number in the runtime, but not in the simulator</source>
        <translation>%1 个元素在运行时中为无穷大或非数值，而在模拟器中不是</translation>
    </message>
    <message>
        <source>Conv has one or two spatial axes</source>
        <translation>Conv 有一个或两个空间轴</translation>
    </message>
    <message>
        <source>Cut the model, or compute this operation outside of MNN.</source>
        <translation>请切分模型，或在 MNN 之外计算该算子。</translation>
    </message>
    <message>
        <source>the values do not fit into float32</source>
        <translation>这些值超出 float32 的范围</translation>
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
        <source>%1 (off)</source>
        <translation>%1（关闭）</translation>
    </message>
    <message>
        <source>other names</source>
        <translation>其他名称</translation>
    </message>
    <message>
        <source>quantized types</source>
        <translation>量化的算子类型</translation>
    </message>
    <message>
        <source>rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>fused activations</source>
        <translation>融合的激活</translation>
    </message>
    <message>
        <source>exporters</source>
        <translation>导出格式</translation>
    </message>
    <message>
        <source>needs data</source>
        <translation>需要数据</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>非对称</translation>
    </message>
    <message>
        <source>integer formats</source>
        <translation>整数格式</translation>
    </message>
    <message>
        <source>floating formats</source>
        <translation>浮点格式</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>takes --weights</source>
        <translation>接受 --weights</translation>
    </message>
    <message>
        <source>family</source>
        <translation>算子族</translation>
    </message>
    <message>
        <source>domain</source>
        <translation>域</translation>
    </message>
    <message>
        <source>versions</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>there are no texts in &apos;%1&apos;</source>
        <translation>没有“%1”的文本</translation>
    </message>
    <message>
        <source>%1: unknown id &apos;%2&apos;.</source>
        <translation>%1：未知标识“%2”。</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1 (%2), default %3</source>
        <translation>%1（%2），默认 %3</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1, from %2</source>
        <translation>%1，从 %2 起</translation>
    </message>
    <message>
        <source>%1, to %2</source>
        <translation>%1，至多 %2</translation>
    </message>
    <message>
        <source>%1: blocks whose errors became smaller, but not clearly those of the network&apos;s outputs, so that they are unchanged: %2.</source>
        <translation>%1：误差变小、但网络输出的误差没有明确变小因而保持不变的块：%2。</translation>
    </message>
    <message>
        <source>More steps or more calibration samples may give a clearer gain.</source>
        <translation>更多步数或更多校准样本可能带来更明确的改善。</translation>
    </message>
    <message>
        <source>layerwise: %1 of %2 operations were not measured within the limit of time. They cannot be estimated, because an operation has no gradient.</source>
        <translation>逐层：有时间限制，%2 个算子中有 %1 个未测量；由于有算子没有梯度，无法估计它们。</translation>
    </message>
    <message>
        <source>Give the analysis more time, or omit the limit.</source>
        <translation>请给该分析更多时间，或取消时间限制。</translation>
    </message>
    <message>
        <source>the plug-in has no name</source>
        <translation>插件没有名称</translation>
    </message>
    <message>
        <source>a plug-in called &apos;%1&apos; is already loaded: %2</source>
        <translation>已加载名为“%1”的插件：%2</translation>
    </message>
    <message>
        <source>the plug-in registers an empty id: %1</source>
        <translation>插件注册了空标识：%1</translation>
    </message>
    <message>
        <source>it wrote into the values of &apos;%1&apos;</source>
        <translation>它改写了“%1”的值</translation>
    </message>
    <message>
        <source>Values are shared with the float network: set a new tensor with Graph::setValue() or in QuantPlan::parameterValues.</source>
        <translation>这些值与浮点网络共用：请用 Graph::setValue() 或在 QuantPlan::parameterValues 中设置新的张量。</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos;: the recipe has %3, and the locks %4 keep operations with %5 % of the multiplications in float32</source>
        <translation>%1 “%2”：配方的值为 %3，锁定 %4 使占乘法 %5 % 的算子保持 float32</translation>
    </message>
    <message>
        <source>Remove locks, or choose another limit.</source>
        <translation>请移除锁定，或选择其他限值。</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos;: the recipe has %3, and no change of a search lowers this cost</source>
        <translation>%1 “%2”：配方的值为 %3，搜索的任何改动都不会降低该成本</translation>
    </message>
    <message>
        <source>Choose a platform or a recipe with fewer bits, a smaller model, or another limit.</source>
        <translation>请选择位数更少的平台或配方、更小的模型，或其他限值。</translation>
    </message>
    <message>
        <source>The recipe that the search started with does not meet %1, and no change lowers it enough: choose a platform or a recipe with fewer bits, or a smaller model.</source>
        <translation>搜索的初始配方未达到 %1，而任何改动都不能使其足够低：请选择位数更少的平台或配方，或更小的模型。</translation>
    </message>
    <message>
        <source>%1 bits for the weights of %2</source>
        <translation>%2 的权重使用 %1 位</translation>
    </message>
    <message>
        <source>back from float32 or more bits: %1</source>
        <translation>从 float32 或更多位恢复：%1</translation>
    </message>
    <message>
        <source>%1 found nothing to train.</source>
        <translation>%1 没有可训练的内容。</translation>
    </message>
    <message>
        <source>It needs quantized operations with free scales, or with weights or biases that it trains.</source>
        <translation>它需要量化的算子，且缩放系数未固定，或带有可训练的权重或偏置。</translation>
    </message>
    <message>
        <source>%1 wrote into its input &apos;%2&apos;</source>
        <translation>%1 改写了自己的输入“%2”</translation>
    </message>
    <message>
        <source>Others read the same tensor: a kernel has to return new ones.</source>
        <translation>其他算子读取同一张量：内核必须返回新的张量。</translation>
    </message>
    <message>
        <source>MatMulNBits stores integers of 4 or 8 bits, but these weights have a floating format</source>
        <translation>MatMulNBits 存储 4 位或 8 位整数，但这些权重是浮点格式</translation>
    </message>
    <message>
        <source>Choose an integer format, such as %1, or another export format, such as onnx_qdq.</source>
        <translation>请选择整数格式（如 %1），或其他导出格式（如 onnx_qdq）。</translation>
    </message>
    <message>
        <source>QuantizeLinear and DequantizeLinear around operations (ONNX Runtime, NNCF, exports of quantization-aware training), operators on codes such as QLinearConv, or matrices in blocks (MatMulNBits).</source>
        <translation>算子两侧的 QuantizeLinear 和 DequantizeLinear（ONNX Runtime、NNCF、量化感知训练的导出）、QLinearConv 等对编码运算的算子，或分块矩阵（MatMulNBits）。</translation>
    </message>
    <message>
        <source>Fold weights</source>
        <translation>折叠权重</translation>
    </message>
    <message>
        <source>Before: operations compute a weight from float parameters. After: the weight is a parameter.</source>
        <translation>之前：一些算子由浮点参数计算权重。之后：该权重是参数。</translation>
    </message>
    <message>
        <source>DYNAMIC_QUANTIZATION_GROUP_SIZE: off sets it to 0; default: the plug-in&apos;s own choice, which rounds float inputs of matrix products again, in groups.</source>
        <translation>DYNAMIC_QUANTIZATION_GROUP_SIZE：off 设为 0；default：由插件自行选择，它会把矩阵乘的浮点输入按组再次舍入。</translation>
    </message>
    <message>
        <source>dynamic quantization</source>
        <translation>动态量化</translation>
    </message>
    <message>
        <source>constants of the file changed</source>
        <translation>文件中的常量被改动</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is %2 in the file and %3 in the recipe</source>
        <translation>“%1”在文件中为 %2，在配方中为 %3</translation>
    </message>
    <message>
        <source>%2 of %3 elements of &apos;%1&apos; differ from the recipe&apos;s</source>
        <translation>“%1”的 %3 个元素中有 %2 个与配方不同</translation>
    </message>
    <message>
        <source>the file was changed, or exported from another recipe: %1</source>
        <translation>文件被改动过，或由另一个配方导出：%1</translation>
    </message>
    <message>
        <source>Bodies with fixed scales</source>
        <translation>使用固定缩放系数的子图</translation>
    </message>
    <message>
        <source>Before: only the weights of bodies of If, Loop and Scan are quantized. After: activations in them that have a scale fixed by an override use it, without any data.</source>
        <translation>之前：If、Loop 和 Scan 的子图中只有权重被量化。之后：其中由覆盖项固定了缩放系数的激活使用该系数，无需任何数据。</translation>
    </message>
    <message>
        <source>what the file quantizes in bodies of If, Loop and Scan stays in float32: the platform does not quantize bodies</source>
        <translation>文件在 If、Loop 和 Scan 的子图中量化的部分保持 float32：该平台不量化子图</translation>
    </message>
    <message>
        <source>The budget of %1 s ended before the goals were measured on all samples. Give more time, or fewer samples.</source>
        <translation>%1 秒的预算在所有样本上测完目标之前已用完。请给更多时间，或减少样本。</translation>
    </message>
    <message>
        <source>the plug-in registers entries without a function: %1</source>
        <translation>插件注册了没有函数的条目：%1</translation>
    </message>
    <message>
        <source>it set values of &apos;%1&apos; to NaN</source>
        <translation>它将“%1”的值设为 NaN</translation>
    </message>
    <message>
        <source>it set values of &apos;%1&apos; to infinity</source>
        <translation>它将“%1”的值设为无穷大</translation>
    </message>
    <message>
        <source>no output or inner tensor of the model is named &apos;%1&apos;</source>
        <translation>模型没有名为“%1”的输出或内部张量</translation>
    </message>
    <message>
        <source>passes have removed the tensor &apos;%1&apos;, which a goal is about</source>
        <translation>目标所指的张量“%1”已被处理步骤移除</translation>
    </message>
    <message>
        <source>Name another tensor, or switch the pass off.</source>
        <translation>请指定其他张量，或关闭该步骤。</translation>
    </message>
    <message>
        <source>%1 improved %2 of %3 blocks.</source>
        <translation>%1 改进了 %3 个块中的 %2 个。</translation>
    </message>
    <message>
        <source>On the calibration samples that were held out, the divergence of the network&apos;s classes was %1 and is %2.</source>
        <translation>在留出的校准样本上，网络类别的散度从 %1 变为 %2。</translation>
    </message>
    <message>
        <source>On the calibration samples, all of which were trained on, the divergence of the network&apos;s classes was %1 and is %2.</source>
        <translation>在校准样本（全部参与了训练）上，网络类别的散度从 %1 变为 %2。</translation>
    </message>
    <message>
        <source>On the calibration samples that were held out, the network&apos;s SQNR was %1 dB and is %2 dB.</source>
        <translation>在留出的校准样本上，网络的 SQNR 从 %1 dB 变为 %2 dB。</translation>
    </message>
    <message>
        <source>On the calibration samples, all of which were trained on, the network&apos;s SQNR was %1 dB and is %2 dB.</source>
        <translation>在校准样本（全部参与了训练）上，网络的 SQNR 从 %1 dB 变为 %2 dB。</translation>
    </message>
    <message>
        <source>Remove Identity, Dropout and the like</source>
        <translation>移除 Identity、Dropout 等</translation>
    </message>
    <message>
        <source>computing: operations with weights, where most of the error starts, are measured, the others are estimated; all: every quantized operation is measured, at several times the cost.</source>
        <translation>computing：测量带权重的算子，误差大多源于此，其余的只估计；all：测量每个量化算子，耗时数倍。</translation>
    </message>
    <message>
        <source>Write the fields of PPQ&apos;s exporter: &quot;offset&quot; is the zero point, which QNN and AIMET take with the opposite sign.</source>
        <translation>按 PPQ 导出器的字段写入：“offset”为零点，而 QNN 和 AIMET 取其相反数。</translation>
    </message>
    <message>
        <source>as ppq</source>
        <translation>按 PPQ 的写法</translation>
    </message>
    <message>
        <source>Qualcomm&apos;s AIMET simulates the float ONNX file with the encodings next to it, as QNN reads them; for lack of QNN itself.</source>
        <translation>高通的 AIMET 按旁边的编码文件模拟浮点 ONNX 文件，与 QNN 的读法相同；用于没有 QNN 的场合。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; rounds &apos;%2&apos;, %3 of whose elements are within %4 steps of the border of two codes: with the rounding &apos;%5&apos; there, the simulator gives the runtime&apos;s codes at %6 of %7 differing elements</source>
        <translation>“%1”对“%2”取整，其中 %3 个元素距两个码的边界不超过 %4 步：在该处改用取整方式“%5”后，模拟器在 %7 个不同元素中的 %6 个得到运行时的码</translation>
    </message>
    <message>
        <source>AIMET</source>
        <translation>AIMET</translation>
    </message>
    <message>
        <source>the time limit of %1 s was reached before &apos;%2&apos; had started: %3</source>
        <translation>在“%2”启动之前已达到 %1 秒的时间限制：%3</translation>
    </message>
    <message>
        <source>Allow more time with %1.</source>
        <translation>请用 %1 放宽时间限制。</translation>
    </message>
    <message>
        <source>the form of an imported model; always runs</source>
        <translation>导入模型的形式；总是运行</translation>
    </message>
    <message>
        <source>the float network, before it is quantized</source>
        <translation>量化之前的浮点网络</translation>
    </message>
    <message>
        <source>how tensors are quantized</source>
        <translation>张量的量化方式</translation>
    </message>
    <message>
        <source>edits</source>
        <translation>编辑的内容</translation>
    </message>
    <message>
        <source>%1; to install it: %2</source>
        <translation>%1；安装命令：%2</translation>
    </message>
    <message>
        <source>found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>version %1, %2</source>
        <translation>版本 %1，%2</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>packages</source>
        <translation>软件包</translation>
    </message>
    <message>
        <source>options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>any</source>
        <translation>任意</translation>
    </message>
    <message>
        <source>version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>training: blocks already trained by a run that was stopped: %1</source>
        <translation>训练：此前停止的运行已训练的块：%1</translation>
    </message>
    <message>
        <source>The search was cancelled.</source>
        <translation>搜索已取消。</translation>
    </message>
    <message>
        <source>An internal error ended the search.</source>
        <translation>内部错误终止了搜索。</translation>
    </message>
    <message>
        <source>the first output has %1 images for %2 samples</source>
        <translation>第一个输出有 %1 幅图像，而样本有 %2 个</translation>
    </message>
    <message>
        <source>in a body without quantized operations</source>
        <translation>位于没有量化算子的子图中</translation>
    </message>
    <message>
        <source>Number of the model&apos;s first class in the labels; -1 if that is the background.</source>
        <translation>标签中模型第一个类别的编号；若该类别为背景，则为 -1。</translation>
    </message>
    <message>
        <source>the metric %1 counts %2 of %3 samples: the others have no label</source>
        <translation>指标 %1 只统计了 %3 个样本中的 %2 个：其余样本没有标签</translation>
    </message>
    <message>
        <source>The metric counts %1 of %2 samples that were searched: the others have no label.</source>
        <translation>在参与搜索的 %2 个样本中，指标只统计了 %1 个：其余样本没有标签。</translation>
    </message>
    <message>
        <source>The metric counts %1 of %2 samples that were not searched: the others have no label.</source>
        <translation>在未参与搜索的 %2 个样本中，指标只统计了 %1 个：其余样本没有标签。</translation>
    </message>
    <message>
        <source>layers of the model that the file does not have: %1; they run in float32</source>
        <translation>模型中有而文件中没有的层：%1 个；它们以 float32 运行</translation>
    </message>
    <message>
        <source>Use the model that the file was made from.</source>
        <translation>请使用生成该文件的模型。</translation>
    </message>
    <message>
        <source>Correct the kernel, or the rule that is registered with it.</source>
        <translation>请修正该内核，或与它一起注册的规则。</translation>
    </message>
    <message>
        <source>%1 returned %2, its type rule says %3</source>
        <translation>%1 返回 %2，而其类型规则为 %3</translation>
    </message>
    <message>
        <source>%1 returned a result of rank %2, its rank rule says %3</source>
        <translation>%1 返回 %2 维的结果，而其维数规则为 %3</translation>
    </message>
    <message>
        <source>%1 returned a result of %2, its size rule says %3</source>
        <translation>%1 返回大小为 %2 的结果，而其大小规则为 %3</translation>
    </message>
    <message>
        <source>expected class, x, y, width and height, or class and corners x, y, got &apos;%1&apos;</source>
        <translation>应为类别、x、y、宽和高，或类别和各角的 x、y，得到“%1”</translation>
    </message>
    <message>
        <source>Give the input and the result of AveragePool, Concat, Relu, Resize and some others one scale, as QNN&apos;s HTP does, whatever the file says.</source>
        <translation>不论文件如何规定，让 AveragePool、Concat、Relu、Resize 等算子的输入和结果共用一个缩放系数，与 QNN 的 HTP 相同。</translation>
    </message>
    <message>
        <source>constraints</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>export &apos;%1&apos;: the format cannot express an activation with a scale per group that is computed at run time</source>
        <translation>导出“%1”：该格式无法表示在运行时按组计算缩放系数的激活</translation>
    </message>
    <message>
        <source>a constant with a scale per group cannot be dynamic</source>
        <translation>按组有缩放系数的常量不能是动态的</translation>
    </message>
    <message>
        <source>an activation with a scale per group must be dynamic</source>
        <translation>按组有缩放系数的激活必须是动态的</translation>
    </message>
    <message>
        <source>Set dynamic to false for constants.</source>
        <translation>对常量把 dynamic 设为 false。</translation>
    </message>
    <message>
        <source>Set dynamic to true: its scales are computed at run time.</source>
        <translation>把 dynamic 设为 true：其缩放系数在运行时计算。</translation>
    </message>
    <message>
        <source>Let the rule match only weights, {&quot;role&quot;: &quot;weight&quot;, &quot;is_parameter&quot;: true}, or inputs of such products: {&quot;types&quot;: [&quot;MatMul&quot;], &quot;role&quot;: &quot;input&quot;}.</source>
        <translation>让规则只匹配权重 {&quot;role&quot;: &quot;weight&quot;, &quot;is_parameter&quot;: true}，或这类乘积的输入：{&quot;types&quot;: [&quot;MatMul&quot;], &quot;role&quot;: &quot;input&quot;}。</translation>
    </message>
    <message>
        <source>the shape of %1 of %2 must be known to divide it into groups</source>
        <translation>%2 的%1 的形状必须已知才能分组</translation>
    </message>
    <message>
        <source>granularity &apos;group N&apos; is defined for constant weights and for inputs of MatMul, Gemm, and Conv without groups of channels, not for %1 of %2</source>
        <translation>粒度“group N”只对常量权重以及 MatMul、Gemm 和不分通道组的 Conv 的输入有定义，不适用于 %2 的%1</translation>
    </message>
    <message>
        <source>floating-point formats can be dynamic only with a scale per group</source>
        <translation>浮点格式只有在每组一个缩放系数时才能是动态的</translation>
    </message>
    <message>
        <source>codebook %1 needs 4 bits, no exponent bits, and a symmetric config that is static or has a scale per group</source>
        <translation>码本 %1 需要 4 位、没有指数位，且配置对称，并为静态或每组一个缩放系数</translation>
    </message>
    <message>
        <source>scale_format e8m0 needs a symmetric config that is static or has a scale per group</source>
        <translation>scale_format e8m0 需要对称的配置，且为静态或每组一个缩放系数</translation>
    </message>
    <message>
        <source>scale_format e4m3 needs a scale per group, or a static one per channel, and no power_of_two</source>
        <translation>scale_format e4m3 需要每组一个缩放系数，或每个通道一个静态缩放系数，且不能设 power_of_two</translation>
    </message>
    <message>
        <source>Language models and other transformers: the weights of MatMul and Gemm in few bits, with one scale per group of input channels; activations in float32, or in few bits with scales per group that are computed at run time. ONNX Runtime runs INT4 and INT8 weights as MatMulNBits.</source>
        <translation>语言模型和其他 Transformer：MatMul 和 Gemm 的权重用少量位表示，每组输入通道一个缩放系数；激活为 float32，或用少量位表示、按组的缩放系数在运行时计算。ONNX Runtime 以 MatMulNBits 运行 INT4 和 INT8 权重。</translation>
    </message>
    <message>
        <source>left operand of a product</source>
        <translation>乘积的左操作数</translation>
    </message>
    <message>
        <source>right operand of a product, such as keys</source>
        <translation>乘积的右操作数，例如键</translation>
    </message>
    <message>
        <source>activations in float</source>
        <translation>浮点激活</translation>
    </message>
    <message>
        <source>activations: 8-bit integers</source>
        <translation>激活：8 位整数</translation>
    </message>
    <message>
        <source>activations: 4-bit integers</source>
        <translation>激活：4 位整数</translation>
    </message>
    <message>
        <source>activations: FP8 E4M3</source>
        <translation>激活：FP8 E4M3</translation>
    </message>
    <message>
        <source>activations: MXFP8 E4M3</source>
        <translation>激活：MXFP8 E4M3</translation>
    </message>
    <message>
        <source>activations: MXFP6 E2M3</source>
        <translation>激活：MXFP6 E2M3</translation>
    </message>
    <message>
        <source>activations: MXFP4 E2M1</source>
        <translation>激活：MXFP4 E2M1</translation>
    </message>
    <message>
        <source>activations: NVFP4</source>
        <translation>激活：NVFP4</translation>
    </message>
    <message>
        <source>activation format</source>
        <translation>激活格式</translation>
    </message>
    <message>
        <source>Number format of the activations that MatMul and Gemm multiply, with scales per group that are computed at run time. The formats mx... fix the groups at 32 and nvfp4 at 16.</source>
        <translation>MatMul 和 Gemm 所乘激活的数值格式，按组的缩放系数在运行时计算。mx... 格式把组固定为 32，nvfp4 固定为 16。</translation>
    </message>
    <message>
        <source>activation group</source>
        <translation>激活组</translation>
    </message>
    <message>
        <source>Build it again, with the headers of this engine.</source>
        <translation>请用此引擎的头文件重新构建。</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not the key of a program</source>
        <translation>“%1”不是程序的校验值</translation>
    </message>
    <message>
        <source>Entries of an activation per scale, along the axis that the product sums over.</source>
        <translation>沿乘积求和的轴，每个缩放系数对应的激活元素数。</translation>
    </message>
    <message>
        <source>a pixel is %1, numbers of classes are at most 255</source>
        <translation>有像素的值为 %1，而类别编号最大为 255</translation>
    </message>
    <message>
        <source>a mask must be a grey image of class numbers, or have a palette</source>
        <translation>掩码必须是以类别编号为灰度值的图像，或带调色板的图像</translation>
    </message>
    <message>
        <source>Replace its colors by the numbers of classes.</source>
        <translation>请将其颜色替换为类别编号。</translation>
    </message>
    <message>
        <source>line %1: &apos;%2&apos; has class %3 and, in a line before it, %4</source>
        <translation>第 %1 行：“%2” 的类别为 %3，而在前面的一行中为 %4</translation>
    </message>
    <message>
        <source>Give samples different file names: folders and extensions do not count.</source>
        <translation>请为样本使用不同的文件名：文件夹和扩展名不计。</translation>
    </message>
    <message>
        <source>Of an output with one channel that has no class numbers: larger values are class 1. For scores before a Sigmoid it is 0.</source>
        <translation>用于只有一个通道且不是类别编号的输出：更大的值为类别 1。对于 Sigmoid 之前的分数应为 0。</translation>
    </message>
    <message>
        <source>threshold</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>%1 &apos;%2&apos;: the recipe has %3, and no change of a search raises it; more than 8 bits: %4</source>
        <translation>%1 “%2”：配方的值为 %3，搜索的任何更改都不会提高它；超过 8 位的算子：%4</translation>
    </message>
    <message>
        <source>Choose another limit, or a platform or recipe that quantizes these operations: &apos;inspect&apos; shows why they are not.</source>
        <translation>请选择其他限值，或选择会量化这些算子的平台或配方：“inspect” 显示它们未被量化的原因。</translation>
    </message>
    <message>
        <source>the baseline has the metric %1 of output &apos;%2&apos;, but this run does not</source>
        <translation>基线有输出 “%2” 的指标 %1，而这次运行没有</translation>
    </message>
    <message>
        <source>Leave activations in float32 (state fp32; of WEIGHT_ONLY: activation_format float32), give them one scale per tensor, or export to &apos;onnx_qdq&apos; or &apos;native&apos;.</source>
        <translation>让激活保持 float32（state 设为 fp32；对 WEIGHT_ONLY：activation_format 设为 float32），或每个张量只用一个缩放系数，或导出为 &apos;onnx_qdq&apos; 或 &apos;native&apos;。</translation>
    </message>
    <message>
        <source>Choose such a format for activations, or export to &apos;native&apos;.</source>
        <translation>请为激活选择这样的格式，或导出为 &apos;native&apos;。</translation>
    </message>
    <message>
        <source>groups need an axis of known size</source>
        <translation>分组需要一个大小已知的轴</translation>
    </message>
    <message>
        <source>activations: 8 bits without -128</source>
        <translation>激活：8 位，不含 -128</translation>
    </message>
    <message>
        <source>activations: 4 bits without -8</source>
        <translation>激活：4 位，不含 -8</translation>
    </message>
    <message>
        <source>Other operations whose input and output the target gives one scale, such as AveragePool and Resize.</source>
        <translation>目标平台使其输入和输出共用一个缩放系数的其他算子，例如 AveragePool 和 Resize。</translation>
    </message>
    <message>
        <source>Qualcomm AI Engine Direct (QNN) on Hexagon DSPs: the scheme of PPL_DSP_INT8, but the input and the output of AveragePool, Resize and operations that only move values share one scale.</source>
        <translation>Hexagon DSP 上的 Qualcomm AI Engine Direct (QNN)：采用 PPL_DSP_INT8 的方案，但 AveragePool、Resize 以及只移动数值的算子的输入和输出共用一个缩放系数。</translation>
    </message>
    <message>
        <source>more types</source>
        <translation>更多类型</translation>
    </message>
    <message>
        <source>damaged PNG: %1</source>
        <translation>PNG 已损坏：%1</translation>
    </message>
    <message>
        <source>%1: sequence %2 has %3 earlier and %4 new entries, the past has %5, the cache %6</source>
        <translation>%1：序列 %2 有 %3 个先前条目和 %4 个新条目，past 有 %5 个，缓存有 %6 个</translation>
    </message>
    <message>
        <source>%1: num_heads (%2) is not divisible by kv_num_heads (%3)</source>
        <translation>%1：num_heads（%2）不能被 kv_num_heads（%3）整除</translation>
    </message>
    <message>
        <source>%1: seqlens_k needs an entry per sequence, and total_sequence_length at least %2</source>
        <translation>%1：seqlens_k 须为每个序列提供一个值，total_sequence_length 至少为 %2</translation>
    </message>
    <message>
        <source>the scores as output (qk_output) are not implemented</source>
        <translation>未实现分数输出（qk_output）</translation>
    </message>
    <message>
        <source>caches of codes (%1) are not implemented</source>
        <translation>未实现编码缓存（%1）</translation>
    </message>
    <message>
        <source>%1: expected a block_size of 1 or more, two different axes, and scales of the rank of the codes</source>
        <translation>%1：block_size 须至少为 1，两个轴须不同，且缩放系数的维数须与编码相同</translation>
    </message>
    <message>
        <source>%1: %2 scales for %3 codes in blocks of %4</source>
        <translation>%1：%2 个缩放系数对应 %3 个编码（每块 %4 个）</translation>
    </message>
    <message>
        <source>error: %1</source>
        <translation>错误：%1</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>警告：%1</translation>
    </message>
    <message>
        <source>remark: %1</source>
        <translation>提示：%1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message>
        <source>note: %1</source>
        <translation>说明：%1</translation>
    </message>
    <message>
        <source>  try %1</source>
        <translation>  可以试试 %1</translation>
    </message>
    <message>
        <source>... and %1 more; --json FILE lists all</source>
        <translation>……另有 %1 条；--json FILE 列出全部</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>wrote %1 (%2)</source>
        <translation>已写入 %1（%2）</translation>
    </message>
    <message>
        <source>wrote %1: %2</source>
        <translation>已写入 %1：%2</translation>
    </message>
    <message>
        <source>internal error: %1</source>
        <translation>内部错误：%1</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>no plug-ins: put them into %1, or name one with --plugin</source>
        <translation>没有插件：请放入 %1，或用 --plugin 指定</translation>
    </message>
    <message>
        <source>%1 has the best recipe so far; --resume continues the search.</source>
        <translation>%1 中是目前最好的配方；--resume 可继续搜索。</translation>
    </message>
    <message>
        <source>%1 has the best recipe so far.</source>
        <translation>%1 中是目前最好的配方。</translation>
    </message>
    <message>
        <source>installed %1 %2: %3</source>
        <translation>已安装 %1 %2：%3</translation>
    </message>
    <message>
        <source>op &apos;%1&apos;, tensor &apos;%2&apos;: %3</source>
        <translation>算子“%1”，张量“%2”：%3</translation>
    </message>
    <message>
        <source>op &apos;%1&apos;: %2</source>
        <translation>算子“%1”：%2</translation>
    </message>
    <message>
        <source>tensor &apos;%1&apos;: %2</source>
        <translation>张量“%1”：%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Activations with fixed scales are not quantized in this file.</source>
        <translation>该文件不对具有固定缩放系数的激活进行量化。</translation>
    </message>
    <message>
        <source>the file has activations of bodies of If, Loop and Scan in float32, but this one has a scale per group that is computed at run time</source>
        <translation>该文件中 If、Loop 和 Scan 子图的激活为 float32，但此激活的每组缩放系数在运行时计算</translation>
    </message>
    <message>
        <source>Leave it in float32 (state fp32), or export to &apos;onnx_qdq&apos;.</source>
        <translation>将其保留为 float32（状态 fp32），或导出为“onnx_qdq”。</translation>
    </message>
    <message>
        <source>For language models in ONNX Runtime: matrices of 4 or 8 bits with scales per group stay packed; activations are float32, or rounded to 8 bits in the same groups.</source>
        <translation>用于 ONNX Runtime 中的语言模型：按组设置缩放系数的 4 位或 8 位矩阵保持打包；激活为 float32，或按相同的分组舍入为 8 位。</translation>
    </message>
    <message>
        <source>groups of activations become ONNX nodes only if they are rounded half to even, without power_of_two and codebook</source>
        <translation>激活的分组只有在向最近偶数舍入且不使用 power_of_two 和 codebook 时才能写为 ONNX 节点</translation>
    </message>
    <message>
        <source>cannot write a PNG: %1</source>
        <translation>无法写入 PNG：%1</translation>
    </message>
    <message>
        <source>the zero point %1 is outside the codes %2 to %3</source>
        <translation>零点 %1 不在码 %2 到 %3 之内</translation>
    </message>
    <message>
        <source>must have as many entries as the lists around it</source>
        <translation>元素个数必须与相邻列表相同</translation>
    </message>
    <message>
        <source>is too far from zero for this scale</source>
        <translation>相对缩放系数离零太远</translation>
    </message>
    <message>
        <source>must have a scale per channel, and an integer per block of each</source>
        <translation>每个通道必须有一个缩放系数，每个通道的每个块必须有一个整数</translation>
    </message>
    <message>
        <source>must have as many blocks in every channel</source>
        <translation>各通道的块数必须相同</translation>
    </message>
    <message>
        <source>only integers of 2 to 32 bits can be imported, such as int8 or uint16</source>
        <translation>只能导入 2 到 32 位的整数，例如 int8 或 uint16</translation>
    </message>
    <message>
        <source>must be an axis of &apos;x&apos;</source>
        <translation>必须是“x”的一个轴</translation>
    </message>
    <message>
        <source>Versions 0.6.1, 1.0 and 2.x, next to a float model.</source>
        <translation>0.6.1、1.0 和 2.x 版，配合浮点模型。</translation>
    </message>
    <message>
        <source>ncnn computes it in float32 unless it has two spatial axes</source>
        <translation>ncnn 以 float32 计算：它没有两个空间轴</translation>
    </message>
    <message>
        <source>Cuts that the runtime refused, which are left out: %1; the first one at &apos;%2&apos;: %3</source>
        <translation>运行时拒绝、因而略去的切分：%1；第一个在“%2”处：%3</translation>
    </message>
    <message>
        <source>Quantize for NCNN_INT8, which quantizes Gemm and Conv with two spatial axes; ncnn computes other layers in float.</source>
        <translation>请为 NCNN_INT8 量化：它量化 Gemm 和有两个空间轴的 Conv；其他层 ncnn 以浮点计算。</translation>
    </message>
    <message>
        <source>Tensors that add most noise to the outputs (~ estimated)</source>
        <translation>给输出带来最多噪声的张量（~ 为估计值）</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>未定义</translation>
    </message>
    <message>
        <source>&apos;%1&apos; of &apos;%2&apos;: %3</source>
        <translation>“%2”的“%1”：%3</translation>
    </message>
    <message>
        <source>SQNR of &apos;%1&apos; is between %2 and %3 (95 %, bootstrap over %4 samples); worst sample: %5</source>
        <translation>“%1”的 SQNR 在 %2 与 %3 之间（95 %，对 %4 个样本自助抽样）；最差的样本：%5</translation>
    </message>
    <message>
        <source>%1 of &apos;%2&apos;: float %3, quantized %4 (%5)</source>
        <translation>“%2”的 %1：浮点 %3，量化 %4（%5）</translation>
    </message>
    <message>
        <source>1 operation</source>
        <translation>1 个算子</translation>
    </message>
    <message>
        <source>%1 operations</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>%1, %2 stages (%3 from the cache), %4 s, %5 MiB</source>
        <translation>%1，%2 个阶段（%3 个来自缓存），%4 秒，%5 MiB</translation>
    </message>
    <message>
        <source>Also adjust biases: the mean of each output stays that of the float network, and roundings only have to keep what differs between inputs.</source>
        <translation>同时调整偏置：每个输出的均值与浮点网络保持一致，舍入只需保持各输入之间的差异。</translation>
    </message>
    <message>
        <source>biases</source>
        <translation>调整偏置</translation>
    </message>
    <message>
        <source>%1 equal</source>
        <translation>%1 相等</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个百分点</translation>
    </message>
    <message>
        <source>%1, 1 sample</source>
        <translation>%1，1 个样本</translation>
    </message>
    <message>
        <source>%1, %2 samples</source>
        <translation>%1，%2 个样本</translation>
    </message>
    <message>
        <source>%1 (~ estimated)</source>
        <translation>%1（~ 为估计值）</translation>
    </message>
    <message>
        <source>… and %1 more with less noise</source>
        <translation>……另有 %1 个噪声更小</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>partial: %1</source>
        <translation>部分：%1</translation>
    </message>
    <message>
        <source>%1, versions %2, %3</source>
        <translation>%1，版本 %2，%3</translation>
    </message>
    <message>
        <source>The CPU execution provider of ONNX Runtime. If it optimizes, it fuses quantized layers and computes them in integers.</source>
        <translation>ONNX Runtime 的 CPU 执行提供程序。启用优化时，会融合量化层并以整数计算。</translation>
    </message>
    <message>
        <source>The optimizer&apos;s level; off: the file&apos;s operations one by one. auto: off for platforms that compute in floats between rounded tensors, which integer kernels do not; otherwise all.</source>
        <translation>优化器级别；off：逐个执行文件中的算子。auto：对于在取整后的张量之间以浮点计算的平台为 off（整数内核的计算方式不同），否则为 all。</translation>
    </message>
    <message>
        <source>the file has no encodings of any tensor</source>
        <translation>该文件不含任何张量的编码</translation>
    </message>
    <message>
        <source>Check that its tool calibrated the model.</source>
        <translation>请检查生成它的工具是否校准了模型。</translation>
    </message>
    <message>
        <source>Resize has one or two spatial axes</source>
        <translation>Resize 有一个或两个空间轴</translation>
    </message>
    <message>
        <source>GridSample has the mode bilinear or nearest</source>
        <translation>GridSample 的模式为 bilinear 或 nearest</translation>
    </message>
    <message>
        <source>GridSample has the mode linear or nearest</source>
        <translation>GridSample 的模式为 linear 或 nearest</translation>
    </message>
    <message>
        <source>no ScatterND</source>
        <translation>没有 ScatterND</translation>
    </message>
    <message>
        <source>ncnn has a layer for each operation</source>
        <translation>ncnn 对每个算子都有对应的层</translation>
    </message>
    <message>
        <source>Cut the model, or compute these operations outside of ncnn.</source>
        <translation>请切分模型，或在 ncnn 之外计算这些算子。</translation>
    </message>
    <message>
        <source>tensors have four axes or fewer, next to that of samples</source>
        <translation>除样本轴外，张量至多有四个轴</translation>
    </message>
    <message>
        <source>Gather takes one entry</source>
        <translation>Gather 只取一个元素</translation>
    </message>
    <message>
        <source>Use Slice and Concat, or compute these operations outside of ncnn.</source>
        <translation>请使用 Slice 和 Concat，或在 ncnn 之外计算这些算子。</translation>
    </message>
    <message>
        <source>ReduceSum has its axes as an attribute</source>
        <translation>ReduceSum 的轴是属性</translation>
    </message>
    <message>
        <source>Use ReduceMean and Mul, or a file of opset 11 or 12.</source>
        <translation>请使用 ReduceMean 和 Mul，或 opset 11、12 的文件。</translation>
    </message>
    <message>
        <source>AveragePool does not count its padding, or has no ceil_mode</source>
        <translation>AveragePool 不计入填充，或没有 ceil_mode</translation>
    </message>
    <message>
        <source>Set count_include_pad or ceil_mode to 0.</source>
        <translation>请将 count_include_pad 或 ceil_mode 设为 0。</translation>
    </message>
    <message>
        <source>weights of Conv have one scale per tensor or output channel</source>
        <translation>Conv 的权重每个张量或每个输出通道有一个缩放系数</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; or &apos;output_channel&apos; for these weights; the operations are computed in float32 otherwise.</source>
        <translation>请对这些权重使用粒度 &apos;tensor&apos; 或 &apos;output_channel&apos;；否则这些算子以 float32 计算。</translation>
    </message>
    <message>
        <source>weights in INT4 are those of MatMul and Gemm</source>
        <translation>INT4 权重属于 MatMul 和 Gemm</translation>
    </message>
    <message>
        <source>Use 8 bits for these weights.</source>
        <translation>请对这些权重使用 8 位。</translation>
    </message>
    <message>
        <source>the ONNX parser knows each operation</source>
        <translation>ONNX 解析器认识每个算子</translation>
    </message>
    <message>
        <source>Add a plug-in to TensorRT, or cut the model.</source>
        <translation>请为 TensorRT 添加插件，或切分模型。</translation>
    </message>
    <message>
        <source>Resize to the nearest pixel does not round up</source>
        <translation>取最近像素的 Resize 不向上取整</translation>
    </message>
    <message>
        <source>Resize to the nearest pixel is asymmetric and rounds down</source>
        <translation>取最近像素的 Resize 使用 asymmetric 并向下取整</translation>
    </message>
    <message>
        <source>Use another mode, or compute these operations outside of ncnn.</source>
        <translation>请使用其他模式，或在 ncnn 之外计算这些算子。</translation>
    </message>
    <message>
        <source>Resize that interpolates is not asymmetric</source>
        <translation>插值的 Resize 不使用 asymmetric</translation>
    </message>
    <message>
        <source>unknown shape</source>
        <translation>形状未知</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>标量</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>remedy</source>
        <translation>办法</translation>
    </message>
    <message>
        <source>%1, opset %2</source>
        <translation>%1，opset %2</translation>
    </message>
    <message>
        <source>%1, opset %2, by %3</source>
        <translation>%1，opset %2，由 %3 生成</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1 weights in 1 parameter</source>
        <translation>1 个参数中有 %1 个权重</translation>
    </message>
    <message>
        <source>%1 weights in %2 parameters</source>
        <translation>%2 个参数中有 %1 个权重</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>规模</translation>
    </message>
    <message>
        <source>%1 after formatting (BatchNormalization, Constant, Identity and others are folded)</source>
        <translation>规整后 %1（BatchNormalization、Constant、Identity 等已折叠）</translation>
    </message>
    <message>
        <source>%1 run on %2</source>
        <translation>%1 个在 %2 上运行</translation>
    </message>
    <message>
        <source>Dispatch</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>%1 for %2: %3</source>
        <translation>%1，用于 %2：%3</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Shapes that depend on open sizes of the model are unknown: fix them with</source>
        <translation>依赖模型未定尺寸的形状未知，请这样固定：</translation>
    </message>
    <message>
        <source>... %1 more: %2</source>
        <translation>…… 另有 %1 个：%2</translation>
    </message>
    <message>
        <source>Every operation is supported.</source>
        <translation>所有算子均受支持。</translation>
    </message>
    <message>
        <source>Not supported:</source>
        <translation>不支持：</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 dB</source>
        <translation>%1 dB</translation>
    </message>
    <message>
        <source>SQNR %1</source>
        <translation>SQNR %1</translation>
    </message>
    <message>
        <source>classes diverge by %1 nats</source>
        <translation>类别散度 %1 nat</translation>
    </message>
    <message>
        <source>metric %1 % (float %2 %)</source>
        <translation>指标 %1 %（浮点 %2 %）</translation>
    </message>
    <message>
        <source>Tensors that cause most of the noise:</source>
        <translation>造成大部分噪声的张量：</translation>
    </message>
    <message>
        <source>Start: %1</source>
        <translation>起点：%1</translation>
    </message>
    <message>
        <source>%1; confirmed on other data: %2</source>
        <translation>%1；在其他数据上确认：%2</translation>
    </message>
    <message>
        <source>Best:  %1</source>
        <translation>最佳：%1</translation>
    </message>
    <message>
        <source>trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>kept change</source>
        <translation>保留的修改</translation>
    </message>
    <message>
        <source>met</source>
        <translation>已达到</translation>
    </message>
    <message>
        <source>not met</source>
        <translation>未达到</translation>
    </message>
    <message>
        <source>goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>searched</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>confirmed</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>%1 trials, %2 s</source>
        <translation>%1 次试验，%2 秒</translation>
    </message>
    <message>
        <source>operator &apos;%1&apos;</source>
        <translation>算子类型“%1”</translation>
    </message>
    <message>
        <source>no difference</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>1 difference</source>
        <translation>1 处差异</translation>
    </message>
    <message>
        <source>%1 differences</source>
        <translation>%1 处差异</translation>
    </message>
    <message>
        <source>only in B</source>
        <translation>仅在 B 中</translation>
    </message>
    <message>
        <source>only in A</source>
        <translation>仅在 A 中</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>%1: %2 better, %3 worse, %4 equal</source>
        <translation>%1：%2 个变好，%3 个变差，%4 个相同</translation>
    </message>
    <message>
        <source>%1, %2 in only one report</source>
        <translation>%1，%2 个只在一份报告中</translation>
    </message>
    <message>
        <source>noise A</source>
        <translation>A 的噪声</translation>
    </message>
    <message>
        <source>noise B</source>
        <translation>B 的噪声</translation>
    </message>
    <message>
        <source>… and %1 more with smaller changes</source>
        <translation>……另有 %1 个变化更小</translation>
    </message>
    <message>
        <source>Model and tool</source>
        <translation>模型与工具</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1: float %2, quantized A %3, B %4</source>
        <translation>%1：浮点 %2，量化 A %3，B %4</translation>
    </message>
    <message>
        <source>Layerwise</source>
        <translation>逐层</translation>
    </message>
    <message>
        <source>Graphwise</source>
        <translation>全图</translation>
    </message>
    <message>
        <source>preset &apos;%1&apos;: parameter &apos;%2&apos; is given twice</source>
        <translation>预设“%1”：参数“%2”给出了两次</translation>
    </message>
    <message>
        <source>Separate the entries of a list by &apos;+&apos;.</source>
        <translation>列表的各项以“+”分隔。</translation>
    </message>
    <message>
        <source>it was not created</source>
        <translation>未被创建</translation>
    </message>
    <message>
        <source>its id() is &apos;%1&apos;</source>
        <translation>其 id() 为“%1”</translation>
    </message>
    <message>
        <source>the file was exported for the unknown platform &apos;%1&apos;; it is read for %2</source>
        <translation>该文件是为未知平台“%1”导出的；现按 %2 读取</translation>
    </message>
    <message>
        <source>Add the platform, or choose another one with %1.</source>
        <translation>请添加该平台，或用 %1 选择其他平台。</translation>
    </message>
    <message>
        <source>List deployment targets</source>
        <translation>列出部署目标</translation>
    </message>
    <message>
        <source>List passes, which edit the graph or its quantization</source>
        <translation>列出编辑图或其量化方式的步骤</translation>
    </message>
    <message>
        <source>List observers, which determine ranges during calibration</source>
        <translation>列出校准时确定范围的观察器</translation>
    </message>
    <message>
        <source>List export formats</source>
        <translation>列出导出格式</translation>
    </message>
    <message>
        <source>List import formats</source>
        <translation>列出导入格式</translation>
    </message>
    <message>
        <source>List supported operators</source>
        <translation>列出支持的算子</translation>
    </message>
    <message>
        <source>List dispatchers, which decide what is quantized</source>
        <translation>列出决定量化哪些算子的调度器</translation>
    </message>
    <message>
        <source>List metrics, for --metric</source>
        <translation>列出用于 --metric 的指标</translation>
    </message>
    <message>
        <source>List analyses, for --analyse</source>
        <translation>列出用于 --analyse 的分析</translation>
    </message>
    <message>
        <source>List preprocessing steps, for --preprocess</source>
        <translation>列出用于 --preprocess 的预处理步骤</translation>
    </message>
    <message>
        <source>List common preprocessing pipelines, for --preprocess</source>
        <translation>列出用于 --preprocess 的常用预处理流程</translation>
    </message>
    <message>
        <source>List preset pipelines, for --preset</source>
        <translation>列出用于 --preset 的预设流程</translation>
    </message>
    <message>
        <source>Positionals</source>
        <translation>位置参数</translation>
    </message>
    <message>
        <source>Usage</source>
        <translation>用法</translation>
    </message>
    <message>
        <source>Subcommands</source>
        <translation>子命令</translation>
    </message>
    <message>
        <source>Catalogues</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>%1 (required)</source>
        <translation>%1（必需）</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Folder of the stage cache (default ~/.cache/quantloupe)</source>
        <translation>阶段缓存的文件夹（默认 ~/.cache/quantloupe）</translation>
    </message>
    <message>
        <source>Do not use the stage cache</source>
        <translation>不使用阶段缓存</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Show this entry with its parameters</source>
        <translation>显示此条目及其参数</translation>
    </message>
    <message>
        <source>Write JSON to FILE (- for standard output)</source>
        <translation>将 JSON 写入 FILE（- 表示标准输出）</translation>
    </message>
    <message>
        <source>Read scales, zero points and bits of a quantized model as a recipe that fixes them</source>
        <translation>读取已量化模型的缩放系数、零点和位数，生成固定这些值的配方</translation>
    </message>
    <message>
        <source>Quantized model (.onnx), or encodings of another tool</source>
        <translation>已量化的模型（.onnx），或其他工具的编码文件</translation>
    </message>
    <message>
        <source>The float model, against which errors are measured (default: the float model in FILE)</source>
        <translation>用于衡量误差的浮点模型（默认：FILE 中的浮点模型）</translation>
    </message>
    <message>
        <source>Write the recipe to FILE (- for standard output)</source>
        <translation>将配方写入 FILE（- 表示标准输出）</translation>
    </message>
    <message>
        <source>Run a forward pass: arrays in, arrays out</source>
        <translation>执行一次前向计算：输入数组，输出数组</translation>
    </message>
    <message>
        <source>Inputs: arrays named as the graph inputs, samples along the leading axis, already preprocessed (a recipe&apos;s preprocessing applies to images only); or any data PATH of `run`</source>
        <translation>输入：以图的输入命名的数组，第一维为样本，已经预处理（配方的预处理只用于图像）；或 `run` 接受的任何数据 PATH</translation>
    </message>
    <message>
        <source>File for the outputs (or the tensors of --tensors), one array per name</source>
        <translation>输出（或 --tensors 的张量）的文件，每个名称一个数组</translation>
    </message>
    <message>
        <source>Run in float32 even if SOURCE is a recipe</source>
        <translation>即使 SOURCE 是配方也以 float32 运行</translation>
    </message>
    <message>
        <source>Write these tensors instead of the outputs</source>
        <translation>写出这些张量，而不是输出</translation>
    </message>
    <message>
        <source>Print errors only: no progress, no notes</source>
        <translation>只显示错误：不显示进度和提示</translation>
    </message>
    <message>
        <source>Show graph, shapes, parameters and dispatch with reasons; needs no data</source>
        <translation>显示图、形状、参数以及调度和原因；不需要数据</translation>
    </message>
    <message>
        <source>List every operation, not only the first 200</source>
        <translation>列出全部算子，而不只是前 200 个</translation>
    </message>
    <message>
        <source>Compare two reports: recipe differences, then errors op by op</source>
        <translation>比较两份报告：先是配方的差异，然后逐算子比较误差</translation>
    </message>
    <message>
        <source>Report (JSON) of the first run</source>
        <translation>第一次运行的报告（JSON）</translation>
    </message>
    <message>
        <source>Report (JSON) of the second run</source>
        <translation>第二次运行的报告（JSON）</translation>
    </message>
    <message>
        <source>Maximum rows per table, 0 for all (default 20)</source>
        <translation>每个表的最多行数，0 表示全部（默认 20）</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Print this help and exit</source>
        <translation>显示此帮助并退出</translation>
    </message>
    <message>
        <source>Print the version and exit</source>
        <translation>显示版本并退出</translation>
    </message>
    <message>
        <source>Language of messages and descriptions: en, zh_CN (default: of the environment)</source>
        <translation>消息和说明的语言：en、zh_CN（默认：由环境决定）</translation>
    </message>
    <message>
        <source>Quantloupe: find out why a network loses accuracy in low precision, and fix it.</source>
        <translation>Quantloupe：找出网络在低精度下损失精度的原因，并加以修复。</translation>
    </message>
    <message>
        <source>Start with:
  quantloupe-cli inspect model.onnx                      show the model and what would be quantized
  quantloupe-cli platforms                               list the targets
  quantloupe-cli run model.onnx --calib photos --preprocess &quot;rgb; resize 224x224; scale 1/255&quot; \
      --platform TRT_INT8 --report report.html           quantize, measure, report
  quantloupe-cli COMMAND --help                          show the options of a command</source>
        <translation>入门：
  quantloupe-cli inspect model.onnx                      显示模型以及将被量化的内容
  quantloupe-cli platforms                               列出目标平台
  quantloupe-cli run model.onnx --calib photos --preprocess &quot;rgb; resize 224x224; scale 1/255&quot; \
      --platform TRT_INT8 --report report.html           量化、测量、写报告
  quantloupe-cli COMMAND --help                          显示命令的选项</translation>
    </message>
    <message>
        <source>List loaded plug-ins and what they register</source>
        <translation>列出已加载的插件及其注册的内容</translation>
    </message>
    <message>
        <source>Load this one, too (repeatable)</source>
        <translation>同时加载此插件（可重复）</translation>
    </message>
    <message>
        <source>A model (.onnx ...) or a recipe (.quantloupe)</source>
        <translation>模型（.onnx 等）或配方（.quantloupe）</translation>
    </message>
    <message>
        <source>Weights file, for formats with separate weights</source>
        <translation>权重文件，用于权重单独存放的格式</translation>
    </message>
    <message>
        <source>Fix an open input shape: data=1x3x224x224, ? keeps a dimension (repeatable)</source>
        <translation>固定未定的输入形状：data=1x3x224x224，? 保留该维（可重复）</translation>
    </message>
    <message>
        <source>Cut the model: start at these tensors instead of its inputs</source>
        <translation>截取模型：从这些张量开始，而不是从模型的输入</translation>
    </message>
    <message>
        <source>Cut the model: end at these tensors instead of its outputs</source>
        <translation>截取模型：到这些张量为止，而不是到模型的输出</translation>
    </message>
    <message>
        <source>Cut the model before its first unsupported operations</source>
        <translation>在首批不支持的算子之前截断模型</translation>
    </message>
    <message>
        <source>The recipe (.quantloupe) that the file was exported from</source>
        <translation>导出该文件所用的配方（.quantloupe）</translation>
    </message>
    <message>
        <source>Any field of the recipe: calibration.samples=64, passes.ID.NAME=VALUE and passes.ID.enabled=true, see `passes` (repeatable)</source>
        <translation>配方的任意字段：calibration.samples=64、passes.ID.NAME=VALUE 和 passes.ID.enabled=true，见 `passes`（可重复）</translation>
    </message>
    <message>
        <source>Load a plug-in, see `plugins` (repeatable)</source>
        <translation>加载插件，见 `plugins`（可重复）</translation>
    </message>
    <message>
        <source>Allow the recipe and its manifests to start programs and load plug-ins</source>
        <translation>允许配方及其清单启动程序、加载插件</translation>
    </message>
    <message>
        <source>Target, see `platforms` (default TRT_INT8); or your own, a platform file (docs/platform-format.md)</source>
        <translation>目标平台，见 `platforms`（默认 TRT_INT8）；或您自己的平台文件（docs/platform-format.md）</translation>
    </message>
    <message>
        <source>A parameter of the target: bits=4, see `platforms ID` (repeatable)</source>
        <translation>目标平台的参数：bits=4，见 `platforms ID`（可重复）</translation>
    </message>
    <message>
        <source>A preset pipeline, see `presets`: dsp, or with parameters beginner:calibration=kl,finetune=false</source>
        <translation>预设流程，见 `presets`：dsp，或带参数 beginner:calibration=kl,finetune=false</translation>
    </message>
    <message>
        <source>How operations are assigned to the platform, see `dispatchers`</source>
        <translation>如何将算子分配到平台，见 `dispatchers`</translation>
    </message>
    <message>
        <source>cpu, cuda or cuda:N (default cpu)</source>
        <translation>cpu、cuda 或 cuda:N（默认 cpu）</translation>
    </message>
    <message>
        <source>CPU threads (default 0: OMP_NUM_THREADS if set, otherwise one per core)</source>
        <translation>CPU 线程数（默认 0：若设置了 OMP_NUM_THREADS 则用其值，否则每核一个）</translation>
    </message>
    <message>
        <source>Calibration data: .npz, .npy, a folder of images or arrays, a folder per input, a manifest, or random:N,seed=1,range=-1..1 for a first look without data</source>
        <translation>校准数据：.npz、.npy、图像或数组的文件夹、每个输入一个文件夹、清单，或 random:N,seed=1,range=-1..1（没有数据时的初步查看）</translation>
    </message>
    <message>
        <source>Calibrate on N samples (default 32)</source>
        <translation>用 N 个样本校准（默认 32）</translation>
    </message>
    <message>
        <source>If the data has more samples: even (default) draws them evenly over the data, first uses the first ones</source>
        <translation>数据的样本更多时：even（默认）在数据中均匀抽取，first 使用最前面的样本</translation>
    </message>
    <message>
        <source>Seed for drawing samples (default 0)</source>
        <translation>抽取样本的随机种子（默认 0）</translation>
    </message>
    <message>
        <source>How images become inputs: &quot;rgb; resize 256 short; crop 224; scale 1/255; mean ...; std ...&quot;, see `preprocess`</source>
        <translation>图像如何变为输入：&quot;rgb; resize 256 short; crop 224; scale 1/255; mean ...; std ...&quot;，见 `preprocess`</translation>
    </message>
    <message>
        <source>How activation ranges are chosen, see `observers`</source>
        <translation>如何选择激活的范围，见 `observers`</translation>
    </message>
    <message>
        <source>Data for measuring errors (default: the calibration data)</source>
        <translation>用于测量误差的数据（默认：校准数据）</translation>
    </message>
    <message>
        <source>Measure on N samples (default 8)</source>
        <translation>用 N 个样本测量（默认 8）</translation>
    </message>
    <message>
        <source>How outputs are judged: ap50, ap, miou, topk, cer, wer, loss, perplexity, with parameters as in ap50:head=yolox (default: top-1, if the data has classes); for tune also a JSON file {&quot;command&quot;: [...]}: a program that reads {outputs} (.npz) and {samples} (a name per line) and prints a number, the larger the better</source>
        <translation>如何评价输出：ap50、ap、miou、topk、cer、wer、loss、perplexity，参数写作 ap50:head=yolox（默认：数据有类别时为 top-1）；tune 还接受 JSON 文件 {&quot;command&quot;: [...]}：读取 {outputs}（.npz）和 {samples}（每行一个名称）并输出一个数的程序，数值越大越好</translation>
    </message>
    <message>
        <source>Labels of the evaluation data for --metric: a COCO json file or a folder of YOLO text files (ap50, ap), a folder of masks (miou), a text file with a line per sample (topk, cer, wer)</source>
        <translation>--metric 所用的评估数据标签：COCO json 文件或 YOLO 文本文件夹（ap50、ap）、掩码文件夹（miou）、每个样本一行的文本文件（topk、cer、wer）</translation>
    </message>
    <message>
        <source>Comma-separated: graphwise, layerwise, remedies, statistics, parameters, ranges, outputs, see `analyses`, with parameters as in layerwise:seconds=30:outputs=a+b; or none: only quantize and export (default graphwise,layerwise)</source>
        <translation>以逗号分隔：graphwise、layerwise、remedies、statistics、parameters、ranges、outputs，见 `analyses`，参数写作 layerwise:seconds=30:outputs=a+b；或 none：只量化和导出（默认 graphwise,layerwise）</translation>
    </message>
    <message>
        <source>Write the quantized model, see `exporters` (repeatable)</source>
        <translation>写出量化后的模型，见 `exporters`（可重复）</translation>
    </message>
    <message>
        <source>Export even if tensors are not calibrated; they stay in float32</source>
        <translation>即使有张量未校准也导出；它们保持 float32</translation>
    </message>
    <message>
        <source>Write the sizes of --input-shape into exported models, which keep open sizes otherwise</source>
        <translation>将 --input-shape 的尺寸写入导出的模型；否则保留未定的尺寸</translation>
    </message>
    <message>
        <source>Export operators that ONNX does not have, for runtimes with a plug-in</source>
        <translation>导出 ONNX 没有的算子，用于带插件的运行时</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Quantize a model, measure the error, write reports and files</source>
        <translation>量化模型，测量误差，写出报告和文件</translation>
    </message>
    <message>
        <source>Write the report as JSON (- for standard output)</source>
        <translation>以 JSON 写出报告（- 表示标准输出）</translation>
    </message>
    <message>
        <source>Write the report as a single HTML file</source>
        <translation>将报告写为单个 HTML 文件</translation>
    </message>
    <message>
        <source>Write the recipe as run, with all defaults</source>
        <translation>写出实际运行的配方，包含全部默认值</translation>
    </message>
    <message>
        <source>Exit with code 1 if this holds: output.sqnr_db&lt;20, any.graphwise.noise_ratio&gt;0.1, metric.drop&gt;1% (points) (repeatable)</source>
        <translation>条件成立时以退出码 1 结束：output.sqnr_db&lt;20、any.graphwise.noise_ratio&gt;0.1、metric.drop&gt;1%（百分点）（可重复）</translation>
    </message>
    <message>
        <source>JSON report of another run to compare with: --fail-if &quot;regression&gt;0.5%&quot;</source>
        <translation>用于比较的另一次运行的 JSON 报告：--fail-if &quot;regression&gt;0.5%&quot;</translation>
    </message>
    <message>
        <source>Write the outcome of each --fail-if as JUnit XML, for CI systems</source>
        <translation>将每个 --fail-if 的结果写为 JUnit XML，供 CI 系统使用</translation>
    </message>
    <message>
        <source>Write a summary as Markdown, for a pull request</source>
        <translation>以 Markdown 写出摘要，供拉取请求使用</translation>
    </message>
    <message>
        <source>Memory limit in MiB for activations: the layerwise analysis recomputes those that do not fit, training keeps them in a temporary file (default: half of the free memory; training: a quarter)</source>
        <translation>激活的内存上限（MiB）：逐层分析会重新计算放不下的激活，训练将其存放在临时文件中（默认：空闲内存的一半；训练：四分之一）</translation>
    </message>
    <message>
        <source>Print errors only: no progress, results or notes</source>
        <translation>只显示错误：不显示进度、结果和提示</translation>
    </message>
    <message>
        <source>Run the engine for the window: framed messages on stdin and stdout</source>
        <translation>为窗口运行引擎：通过标准输入和标准输出传递分帧消息</translation>
    </message>
    <message>
        <source>Convert PPQ&apos;s settings (JSON) to a recipe; lists members that have no equivalent</source>
        <translation>将 PPQ 的设置（JSON）转换为配方；列出没有对应项的成员</translation>
    </message>
    <message>
        <source>PPQ&apos;s QuantizationSetting as JSON, or its setting for beginners</source>
        <translation>JSON 格式的 PPQ QuantizationSetting，或其初学者设置</translation>
    </message>
    <message>
        <source>Target, see `platforms` (default: the file&apos;s, otherwise TRT_INT8)</source>
        <translation>目标平台，见 `platforms`（默认：文件中的平台，否则 TRT_INT8）</translation>
    </message>
    <message>
        <source>The model of the recipe</source>
        <translation>配方的模型</translation>
    </message>
    <message>
        <source>Write the recipe to FILE (default: standard output)</source>
        <translation>将配方写入 FILE（默认：标准输出）</translation>
    </message>
    <message>
        <source>Search for a recipe that meets goals of accuracy and cost</source>
        <translation>搜索满足精度和成本目标的配方</translation>
    </message>
    <message>
        <source>A condition to meet, the most important first: metric.drop&lt;1%, output.sqnr_db&gt;30, int8.macs&gt;90%, cost.mac_bits&lt;10 (repeatable)</source>
        <translation>要满足的条件，最重要的在前：metric.drop&lt;1%、output.sqnr_db&gt;30、int8.macs&gt;90%、cost.mac_bits&lt;10（可重复）</translation>
    </message>
    <message>
        <source>Time for the search: 90s, 15min, 2h (default 10min)</source>
        <translation>搜索的时间：90s、15min、2h（默认 10min）</translation>
    </message>
    <message>
        <source>Try at most N recipes: a budget that does not depend on the machine</source>
        <translation>最多尝试 N 个配方：不依赖于机器的预算</translation>
    </message>
    <message>
        <source>What may not change: &apos;head_*=int8&apos; stays quantized, =float runs in float32, =keep is left as it is (repeatable)</source>
        <translation>不可更改的内容：&apos;head_*=int8&apos; 保持量化，=float 以 float32 运行，=keep 保持原样（可重复）</translation>
    </message>
    <message>
        <source>Continue an interrupted search from its journal, with the same options</source>
        <translation>以相同的选项从日志继续被中断的搜索</translation>
    </message>
    <message>
        <source>File of the measurements, for --resume (default: that of --save-recipe, with .journal)</source>
        <translation>供 --resume 使用的测量文件（默认：--save-recipe 的文件名加 .journal）</translation>
    </message>
    <message>
        <source>JSON file with the times of operations on the target, for goals about cost.time and the front: {&quot;types&quot;: {&quot;Conv&quot;: {&quot;int8&quot;: 0.2, &quot;float&quot;: 0.7}}, &quot;operations&quot;: {&quot;conv1&quot;: 0.4}}</source>
        <translation>目标设备上各算子耗时的 JSON 文件，用于 cost.time 目标和前沿：{&quot;types&quot;: {&quot;Conv&quot;: {&quot;int8&quot;: 0.2, &quot;float&quot;: 0.7}}, &quot;operations&quot;: {&quot;conv1&quot;: 0.4}}</translation>
    </message>
    <message>
        <source>Write the best recipe; also while the search runs</source>
        <translation>写出最佳配方；搜索期间也会写出</translation>
    </message>
    <message>
        <source>Write goals, trials and the best recipe as JSON (- for standard output)</source>
        <translation>以 JSON 写出目标、尝试和最佳配方（- 表示标准输出）</translation>
    </message>
    <message>
        <source>Run the best recipe and write its report as HTML</source>
        <translation>运行最佳配方并将其报告写为 HTML</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Run an exported file in its runtime and compare it with the simulation</source>
        <translation>在对应的运行时中运行导出的文件，并与仿真比较</translation>
    </message>
    <message>
        <source>The exported file</source>
        <translation>导出的文件</translation>
    </message>
    <message>
        <source>The runtime, see `runtimes`, or a JSON file {&quot;command&quot;: [...]} (default: the command of the recipe if it has one, otherwise onnxruntime)</source>
        <translation>运行时，见 `runtimes`，或 JSON 文件 {&quot;command&quot;: [...]}（默认：配方有命令时用该命令，否则 onnxruntime）</translation>
    </message>
    <message>
        <source>Option of the runtime, see `runtimes ID` (repeatable)</source>
        <translation>运行时的选项，见 `runtimes ID`（可重复）</translation>
    </message>
    <message>
        <source>Required share of elements within one step (default 0.9999)</source>
        <translation>误差不超过一个步长的元素所需的比例（默认 0.9999）</translation>
    </message>
    <message>
        <source>Compare the outputs only, no inner tensors</source>
        <translation>只比较输出，不比较内部张量</translation>
    </message>
    <message>
        <source>Write the result as JSON (- for standard output)</source>
        <translation>以 JSON 写出结果（- 表示标准输出）</translation>
    </message>
    <message>
        <source>Python interpreter that has the runtime</source>
        <translation>装有该运行时的 Python 解释器</translation>
    </message>
    <message>
        <source>Seconds for one start of the runtime (default 600)</source>
        <translation>运行时每次启动的秒数上限（默认 600）</translation>
    </message>
    <message>
        <source>Address space of the runtime (default: unlimited)</source>
        <translation>运行时的地址空间（默认：不限）</translation>
    </message>
    <message>
        <source>List the runtimes that `verify` can use, or install one</source>
        <translation>列出 `verify` 可用的运行时，或安装一个</translation>
    </message>
    <message>
        <source>Show this runtime with its options; or: install ID</source>
        <translation>显示此运行时及其选项；或：install ID</translation>
    </message>
    <message>
        <source>Python interpreter to search</source>
        <translation>要查找的 Python 解释器</translation>
    </message>
    <message>
        <source>Files:</source>
        <translation>文件：</translation>
    </message>
    <message>
        <source>A recipe and a native file (.qln) run quantized unless --fp32; another model runs in float unless --calib is given.</source>
        <translation>配方和本地格式文件（.qln）以量化方式运行，除非指定 --fp32；其他模型以浮点运行，除非指定 --calib。</translation>
    </message>
    <message>
        <source>Output arrays have the samples along the leading axis, like the inputs: inputs (20,3,224,224) give outputs (20,1000), inputs (20,1,3,224,224) give (20,1,1000). An output without a batch axis always gets a leading axis (an LSTM state (2,1,128) for 4 samples: (4,2,1,128)).</source>
        <translation>输出数组与输入一样，第一维为样本：输入 (20,3,224,224) 得到输出 (20,1000)，输入 (20,1,3,224,224) 得到 (20,1,1000)。没有批次维的输出总会增加第一维（4 个样本的 LSTM 状态 (2,1,128)：(4,2,1,128)）。</translation>
    </message>
    <message>
        <source>Exit codes: 0 the model can run; 1 it has unsupported operators (the JSON is still complete); 2 bad input or usage; 3 internal error; 130 cancelled.</source>
        <translation>退出码：0 模型可以运行；1 有不支持的算子（JSON 仍然完整）；2 输入或用法有误；3 内部错误；130 已取消。</translation>
    </message>
    <message>
        <source>Exit codes: 0 success; 1 a --fail-if condition held; 2 bad input or usage; 3 internal error; 130 cancelled.</source>
        <translation>退出码：0 成功；1 某个 --fail-if 条件成立；2 输入或用法有误；3 内部错误；130 已取消。</translation>
    </message>
    <message>
        <source>Started by the window; on another machine: ssh host quantloupe-cli serve</source>
        <translation>由窗口启动；在另一台机器上：ssh host quantloupe-cli serve</translation>
    </message>
    <message>
        <source>What each member becomes: docs/ppq-settings.md.</source>
        <translation>各成员转换成什么：docs/ppq-settings.md。</translation>
    </message>
    <message>
        <source>The evaluation data is split in two by --seed: one part is searched, the best recipe is confirmed on the other.</source>
        <translation>评估数据按 --seed 分为两部分：一部分用于搜索，另一部分用于确认最佳配方。</translation>
    </message>
    <message>
        <source>Exit codes: 0 goals met; 1 not met (the best recipe is written all the same); 2 bad input or usage; 3 internal error; 130 cancelled.</source>
        <translation>退出码：0 目标达成；1 未达成（仍会写出最佳配方）；2 输入或用法有误；3 内部错误；130 已取消。</translation>
    </message>
    <message>
        <source>Exit codes: 0 all outputs agree; 1 they do not; 2 bad input, or the runtime is missing; 3 internal error; 130 cancelled.</source>
        <translation>退出码：0 所有输出一致；1 不一致；2 输入有误或缺少运行时；3 内部错误；130 已取消。</translation>
    </message>
    <message>
        <source>Target, see `platforms` (default: the one that the file names, or the usual one)</source>
        <translation>目标平台，见 `platforms`（默认：文件中写明的平台，或该类文件通常的平台）</translation>
    </message>
    <message>
        <source>Noise (noise_ratio)</source>
        <translation>噪声（noise_ratio）</translation>
    </message>
    <message>
        <source>Mean over samples of Σ(%1 − %2)² ∕ Σ%1²: the power of the error relative to the power of the signal. 0 is perfect, 100 % means that the error is as strong as the signal. Rule of thumb: above 10 % at an output, accuracy usually suffers; the dashed line in the charts marks it.</source>
        <translation>Σ(%1 − %2)² ∕ Σ%1² 在各样本上的平均值：误差功率相对于信号功率。0 为完美，100 % 表示误差与信号一样强。经验法则：输出处超过 10 % 时精度通常会下降；图中的虚线标出该值。</translation>
    </message>
    <message>
        <source>SQNR (sqnr_db)</source>
        <translation>SQNR（sqnr_db）</translation>
    </message>
    <message>
        <source>Signal to quantization noise ratio, −10 log₁₀(noise), in decibels; higher is better. 10 dB is 10 % noise, 20 dB is 1 %, 40 dB is 0.01 %. “exact” means no noise at all.</source>
        <translation>信号与量化噪声之比，−10 log₁₀(噪声)，单位为分贝；越高越好。10 dB 即 10 % 噪声，20 dB 即 1 %，40 dB 即 0.01 %。“精确”表示没有任何噪声。</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>余弦相似度</translation>
    </message>
    <message>
        <source>Mean over samples of the cosine of the angle between %1 and %2 as vectors: 1 is the same direction. It is insensitive to errors of scale.</source>
        <translation>将 %1 与 %2 视为向量时夹角余弦在各样本上的平均值：1 表示方向相同。它对整体缩放的误差不敏感。</translation>
    </message>
    <message>
        <source>MSE, max |error|</source>
        <translation>均方误差、最大 |误差|</translation>
    </message>
    <message>
        <source>Mean over samples of the mean of (%1 − %2)², and the largest |%1 − %2| of any element: absolute, in the units of the tensor.</source>
        <translation>(%1 − %2)² 的均值在各样本上的平均值，以及所有元素中最大的 |%1 − %2|：绝对值，单位与张量相同。</translation>
    </message>
    <message>
        <source>The whole model is quantized and the output of each quantized op is compared: the error accumulated from the inputs up to this op. It shows where the error is.</source>
        <translation>整个模型量化，比较每个量化算子的输出：从输入到该算子累积的误差。它显示误差在哪里。</translation>
    </message>
    <message>
        <source>Only this one op is quantized, the others stay float, and the graph outputs are compared (the worst one counts). It shows which op causes the error: candidates for another observer, per-channel scales, equalization or float.</source>
        <translation>只量化这一个算子，其余保持浮点，比较图的输出（取最差的一个）。它显示哪个算子造成误差：可考虑换用其他观察器、逐通道缩放系数、均衡化或浮点。</translation>
    </message>
    <message>
        <source>NaN or infinity was involved (a signal without power, an overflow). See Problems for the cause.</source>
        <translation>出现了 NaN 或无穷大（没有功率的信号、溢出）。原因见“问题”。</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Eight steps on a logarithmic scale of noise: %1</source>
        <translation>噪声对数刻度上的八级：%1</translation>
    </message>
    <message>
        <source>Scale, zero point</source>
        <translation>缩放系数、零点</translation>
    </message>
    <message>
        <source>A value %1 is stored as clamp(round(%1 ∕ scale) + zero point, range). For a tensor with one scale per channel, the table shows smallest … largest and their number.</source>
        <translation>值 %1 存储为 clamp(round(%1 ∕ 缩放系数) + 零点, 范围)。若张量的每个通道各有一个缩放系数，表中显示最小 … 最大值及其个数。</translation>
    </message>
    <message>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>%1 quantizes with its own scale. %2 uses a scale derived from others (a bias). %3 is rounded by another slot, its root: fused away, or already quantized. %4 parameter values are stored already rounded. %5 is not quantized. %6 has no scale yet: calibration did not reach it.</source>
        <translation>%1 用自身的缩放系数量化。%2 使用由其他缩放系数导出的缩放系数（偏置）。%3 由另一个槽位（其根）舍入：已被融合，或已经量化。%4 参数值以舍入后的形式存储。%5 不量化。%6 尚无缩放系数：校准没有到达它。</translation>
    </message>
    <message>
        <source>Distributions</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>Density of the values on a logarithmic scale over five decades. Mean, standard deviation, skewness and excess kurtosis (0 for a normal distribution) are those of all values. Dashed lines are the clip limits; values outside are clipped.</source>
        <translation>值的密度，对数刻度，跨五个数量级。均值、标准差、偏度和超额峰度（正态分布为 0）基于所有值。虚线为截断界限；界限之外的值被截断。</translation>
    </message>
    <message>
        <source>Definitions</source>
        <translation>定义</translation>
    </message>
    <message>
        <source>Every measure compares the quantized model (%1) with the float model (%2) on the same samples, sample by sample, over all elements of a tensor; nothing is subsampled.</source>
        <translation>所有度量都在相同样本上逐样本比较量化模型（%1）与浮点模型（%2），涵盖张量的所有元素，不做子采样。</translation>
    </message>
    <message>
        <source>Every number on this page is reproducible: model and recipe are identified by their SHA-256, and the same recipe, model and data give the same numbers.</source>
        <translation>本页的每个数字都可复现：模型和配方由其 SHA-256 标识，相同的配方、模型和数据得到相同的数字。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Std</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Skewness</source>
        <translation>偏度</translation>
    </message>
    <message>
        <source>Kurtosis</source>
        <translation>峰度</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>Quantized</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>noise %1</source>
        <translation>噪声 %1</translation>
    </message>
    <message>
        <source>step %1 · range %2 … %3</source>
        <translation>步长 %1 · 范围 %2 … %3</translation>
    </message>
    <message>
        <source>≈ %1 clipped</source>
        <translation>≈ %1 被截断</translation>
    </message>
    <message>
        <source>The report contains no histogram.</source>
        <translation>报告不含直方图。</translation>
    </message>
    <message>
        <source>distribution of float and quantized values</source>
        <translation>浮点值和量化值的分布</translation>
    </message>
    <message>
        <source>quantized</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>clip limits</source>
        <translation>截断界限</translation>
    </message>
    <message>
        <source>distribution of the noise</source>
        <translation>噪声的分布</translation>
    </message>
    <message>
        <source>noise = quantized − float</source>
        <translation>噪声 = 量化 − 浮点</translation>
    </message>
    <message>
        <source>%1, the %2 with the most noise are plotted</source>
        <translation>%1，绘出噪声最大的 %2 个</translation>
    </message>
    <message>
        <source>Show %1 more</source>
        <translation>再显示 %1 个</translation>
    </message>
    <message>
        <source>Show only the worst</source>
        <translation>只显示最差的</translation>
    </message>
    <message>
        <source>Inputs and outputs of quantized ops</source>
        <translation>量化算子的输入和输出</translation>
    </message>
    <message>
        <source>cosine %1</source>
        <translation>余弦相似度 %1</translation>
    </message>
    <message>
        <source>%1, operations in execution order</source>
        <translation>%1，算子按执行顺序</translation>
    </message>
    <message>
        <source>operations in execution order · %1 above 10 %</source>
        <translation>算子按执行顺序 · %1超过 10 %</translation>
    </message>
    <message>
        <source>Not measured: the analysis %1 was not requested (%2).</source>
        <translation>未测量：未请求分析 %1（%2）。</translation>
    </message>
    <message>
        <source>Nothing could be measured.</source>
        <translation>没有可测量的内容。</translation>
    </message>
    <message>
        <source>No op is quantized: nothing to compare.</source>
        <translation>没有算子被量化：无可比较。</translation>
    </message>
    <message>
        <source>Max |error|</source>
        <translation>最大 |误差|</translation>
    </message>
    <message>
        <source>Search op or type</source>
        <translation>搜索算子或类型</translation>
    </message>
    <message>
        <source>sorted by error</source>
        <translation>按误差排序</translation>
    </message>
    <message>
        <source>execution order</source>
        <translation>执行顺序</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>noise, logarithmic</source>
        <translation>噪声，对数刻度</translation>
    </message>
    <message>
        <source>of the fully quantized model</source>
        <translation>完全量化的模型</translation>
    </message>
    <message>
        <source>The report contains no output errors.</source>
        <translation>报告不含输出误差。</translation>
    </message>
    <message>
        <source>Equal integers</source>
        <translation>相同整数</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Metric, float → quantized</source>
        <translation>指标，浮点 → 量化</translation>
    </message>
    <message>
        <source>Output errors were not measured.</source>
        <translation>未测量输出误差。</translation>
    </message>
    <message>
        <source>Quantization does not change the outputs.</source>
        <translation>量化不改变输出。</translation>
    </message>
    <message>
        <source>Quantization does not change the output.</source>
        <translation>量化不改变输出。</translation>
    </message>
    <message>
        <source>At the worst of %1 outputs, %2,</source>
        <translation>在 %1 个输出中最差的 %2 处，</translation>
    </message>
    <message>
        <source>At the output %1</source>
        <translation>在输出 %1 处，</translation>
    </message>
    <message>
        <source>%1 %2 of the integers match the float result.</source>
        <translation>%1%2 的整数与浮点结果一致。</translation>
    </message>
    <message>
        <source>%1 the error is undefined: see Problems.</source>
        <translation>%1误差未定义：见“问题”。</translation>
    </message>
    <message>
        <source>%1 quantization noise is %2 of the signal%3: above 10 %, accuracy usually suffers.</source>
        <translation>%1量化噪声为信号的 %2%3：超过 10 % 时精度通常会下降。</translation>
    </message>
    <message>
        <source>%1 quantization noise is %2 of the signal%3.</source>
        <translation>%1量化噪声为信号的 %2%3。</translation>
    </message>
    <message>
        <source>Quantizing only %1 adds the most noise to the outputs.</source>
        <translation>只量化 %1 时，给输出带来的噪声最大。</translation>
    </message>
    <message>
        <source>Quantizing only %1 adds the most noise to the outputs; next %2.</source>
        <translation>只量化 %1 时，给输出带来的噪声最大；其次是 %2。</translation>
    </message>
    <message>
        <source>Quantizing only %1 adds the most noise to the outputs; next %2 and %3.</source>
        <translation>只量化 %1 时，给输出带来的噪声最大；其次是 %2 和 %3。</translation>
    </message>
    <message>
        <source>%1: %2 float, %3 quantized (%4).</source>
        <translation>%1：浮点 %2，量化 %3（%4）。</translation>
    </message>
    <message>
        <source>The run reports %1: check these first.</source>
        <translation>本次运行报告了 %1：请先检查。</translation>
    </message>
    <message>
        <source>worst output</source>
        <translation>最差输出</translation>
    </message>
    <message>
        <source>equal integers at the %1</source>
        <translation>%1处的相同整数</translation>
    </message>
    <message>
        <source>SQNR at the %1</source>
        <translation>%1处的 SQNR</translation>
    </message>
    <message>
        <source>noise at the %1</source>
        <translation>%1处的噪声</translation>
    </message>
    <message>
        <source>cosine at the %1</source>
        <translation>%1处的余弦相似度</translation>
    </message>
    <message>
        <source>%1, float → quantized: %2</source>
        <translation>%1，浮点 → 量化：%2</translation>
    </message>
    <message>
        <source>ops are quantized</source>
        <translation>个算子被量化</translation>
    </message>
    <message>
        <source>problem</source>
        <translation>个问题</translation>
    </message>
    <message>
        <source>Quantloupe report</source>
        <translation>Quantloupe 报告</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>切换浅色与深色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>on</source>
        <translation>于</translation>
    </message>
    <message>
        <source>%1 evaluated</source>
        <translation>评估了 %1</translation>
    </message>
    <message>
        <source>%1 thread</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>recipe %1</source>
        <translation>配方 %1</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>op %1</source>
        <translation>算子 %1</translation>
    </message>
    <message>
        <source>tensor %1</source>
        <translation>张量 %1</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Show all %1</source>
        <translation>显示全部 %1</translation>
    </message>
    <message>
        <source>Show only the first %1</source>
        <translation>只显示前 %1 个</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>The noise that rounding this tensor alone adds to the outputs. ≈ is estimated by one backward pass per sample, the others are measured.</source>
        <translation>只舍入该张量时给输出带来的噪声。≈ 表示由每个样本一次反向传播估计，其余为测量值。</translation>
    </message>
    <message>
        <source>noise of each operation and sample</source>
        <translation>每个算子和样本的噪声</translation>
    </message>
    <message>
        <source>Noise of each operation (rows) and sample (columns)</source>
        <translation>每个算子（行）和样本（列）的噪声</translation>
    </message>
    <message>
        <source>Samples with most noise at the outputs</source>
        <translation>输出噪声最大的样本</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1: SQNR between %2 and %3 (95 %), worst sample %4</source>
        <translation>%1：SQNR 在 %2 与 %3 之间（95 %），最差样本 %4</translation>
    </message>
    <message>
        <source>accuracy changes by %1 to %2 points</source>
        <translation>精度变化 %1 到 %2 个百分点</translation>
    </message>
    <message>
        <source>with only activations rounded %1</source>
        <translation>只舍入激活时 %1</translation>
    </message>
    <message>
        <source>with only weights rounded %1</source>
        <translation>只舍入权重时 %1</translation>
    </message>
    <message>
        <source>with only biases rounded %1</source>
        <translation>只舍入偏置时 %1</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Came in through</source>
        <translation>传入自</translation>
    </message>
    <message>
        <source>Noise in the result of each operation of the quantized model: what its own rounding adds, and what comes in through each input. Measured on %1.</source>
        <translation>量化模型中每个算子结果的噪声：自身舍入新增的，以及经每个输入传入的。在 %1上测量。</translation>
    </message>
    <message>
        <source>unnamed model</source>
        <translation>未命名模型</translation>
    </message>
    <message>
        <source>all elements</source>
        <translation>所有元素</translation>
    </message>
    <message>
        <source>%1 combination</source>
        <translation>%1 种组合</translation>
    </message>
    <message>
        <source>%1 combinations</source>
        <translation>%1 种组合</translation>
    </message>
    <message>
        <source>%1 error</source>
        <translation>%1 个错误</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 个错误</translation>
    </message>
    <message>
        <source>%1 op</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>%1 ops</source>
        <translation>%1 个算子</translation>
    </message>
    <message>
        <source>%1 output</source>
        <translation>%1 个输出</translation>
    </message>
    <message>
        <source>%1 outputs</source>
        <translation>%1 个输出</translation>
    </message>
    <message>
        <source>%1 problem</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>%1 sample</source>
        <translation>%1 个样本</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 个样本</translation>
    </message>
    <message>
        <source>%1 slot</source>
        <translation>%1 个槽位</translation>
    </message>
    <message>
        <source>%1 slots</source>
        <translation>%1 个槽位</translation>
    </message>
    <message>
        <source>%1 tensor</source>
        <translation>%1 个张量</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 个张量</translation>
    </message>
    <message>
        <source>%1 warning</source>
        <translation>%1 个警告</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 个警告</translation>
    </message>
    <message>
        <source>complete, with all defaults</source>
        <translation>完整，包括所有默认值</translation>
    </message>
    <message>
        <source>Save it as a .quantloupe file and run it again: the same recipe, model and data give the same numbers.</source>
        <translation>将其保存为 .quantloupe 文件后可再次运行：相同的配方、模型和数据得到相同的数字。</translation>
    </message>
    <message>
        <source>Copy recipe</source>
        <translation>复制配方</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Configs</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Copy failed</source>
        <translation>复制失败</translation>
    </message>
    <message>
        <source>Which op causes the error: only this op is quantized; measured at the graph outputs.</source>
        <translation>哪个算子造成误差：只量化该算子，在图的输出处测量。</translation>
    </message>
    <message>
        <source>Where the error is: the whole model is quantized; measured at the output of each op.</source>
        <translation>误差在哪里：整个模型量化，在每个算子的输出处测量。</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>en</source>
        <translation>zh-CN</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>章节</translation>
    </message>
    <message>
        <source>Written by %1 from a report with schema %2.</source>
        <translation>由 %1 根据模式为 %2 的报告写成。</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>复制为 CSV</translation>
    </message>
    <message>
        <source>%1, %2 undefined</source>
        <translation>%1，%2 个未定义</translation>
    </message>
    <message>
        <source>groups of %1, axis %2</source>
        <translation>每组 %1 个，轴 %2</translation>
    </message>
    <message>
        <source>per channel, axis %1</source>
        <translation>逐通道，轴 %1</translation>
    </message>
    <message>
        <source>per tensor</source>
        <translation>逐张量</translation>
    </message>
    <message>
        <source>power of 2</source>
        <translation>2 的幂</translation>
    </message>
    <message>
        <source>scales in %1</source>
        <translation>缩放系数为 %1</translation>
    </message>
    <message>
        <source>Who set what: %1 of rules, passes and overrides</source>
        <translation>由谁设置：规则、步骤和覆盖的 %1</translation>
    </message>
    <message>
        <source>This platform quantizes no slot of this model.</source>
        <translation>该平台不量化此模型的任何槽位。</translation>
    </message>
    <message>
        <source>Search: conv1 output active per channel …</source>
        <translation>搜索：conv1 output active 逐通道 …</translation>
    </message>
    <message>
        <source>Variable</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Granularity</source>
        <translation>粒度</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>Zero point</source>
        <translation>零点</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>舍入</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>观察器</translation>
    </message>
    <message>
        <source>Scale shared with</source>
        <translation>共享缩放系数</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>设置者</translation>
    </message>
    <message>
        <source>%1 in execution order</source>
        <translation>%1，按执行顺序</translation>
    </message>
    <message>
        <source>The graph is empty.</source>
        <translation>图是空的。</translation>
    </message>
    <message>
        <source>%1 float</source>
        <translation>%1 个浮点</translation>
    </message>
    <message>
        <source>Search name, type, platform, reason, tensor</source>
        <translation>搜索名称、类型、平台、原因、张量</translation>
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
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>%1, at most %2</source>
        <translation>%1，最多 %2</translation>
    </message>
    <message>
        <source>whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>the calibration data</source>
        <translation>校准数据</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>from cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>computed</source>
        <translation>已计算</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>GridSample does not reflect at the border</source>
        <translation>GridSample 不在边界处反射</translation>
    </message>
    <message>
        <source>Use the padding_mode zeros or border, or compute this operation outside of MNN.</source>
        <translation>使用 padding_mode zeros 或 border，或在 MNN 之外计算该操作。</translation>
    </message>
    <message>
        <source>LSTM, GRU and RNN run forward, or in both directions</source>
        <translation>LSTM、GRU 和 RNN 正向或双向运行</translation>
    </message>
    <message>
        <source>Reverse the sequence ahead of and after this operation, or compute it outside of MNN.</source>
        <translation>在该操作之前和之后反转序列，或在 MNN 之外计算它。</translation>
    </message>
    <message>
        <source>the remainder of a division has the sign of the divisor</source>
        <translation>除法余数的符号与除数相同</translation>
    </message>
    <message>
        <source>Check that no value is negative, or compute this operation outside of MNN.</source>
        <translation>检查没有负值，或在 MNN 之外计算该操作。</translation>
    </message>
    <message>
        <source>the converter knows each operation</source>
        <translation>转换器认识每个操作</translation>
    </message>
    <message>
        <source>Export the model with an opset lower than 18, which has InstanceNormalization, Mul and Add instead.</source>
        <translation>用低于 18 的 opset 导出模型，它以 InstanceNormalization、Mul 和 Add 代替。</translation>
    </message>
    <message>
        <source>weights in INT8 and FP8 have one scale per tensor or output channel</source>
        <translation>INT8 和 FP8 权重的缩放系数为每个张量或每个输出通道一个</translation>
    </message>
    <message>
        <source>Use the granularity &apos;tensor&apos; or &apos;output_channel&apos; for these weights.</source>
        <translation>对这些权重使用粒度 &apos;tensor&apos; 或 &apos;output_channel&apos;。</translation>
    </message>
    <message>
        <source>weights in INT4 have one scale per 64 or 128 entries</source>
        <translation>INT4 权重每 64 或 128 个元素一个缩放系数</translation>
    </message>
    <message>
        <source>Use the granularity &apos;group 64&apos; or &apos;group 128&apos; for these weights.</source>
        <translation>对这些权重使用粒度 &apos;group 64&apos; 或 &apos;group 128&apos;。</translation>
    </message>
</context>
<context>
    <name>EngineText</name>
    <message>
        <source>“Edit › Model inputs and device”</source>
        <translation>“编辑 › 模型输入与设备”</translation>
    </message>
    <message>
        <source>the steps of “Edit › Data”</source>
        <translation>“编辑 › 数据”中的步骤</translation>
    </message>
    <message>
        <source>“Edit › Data”</source>
        <translation>“编辑 › 数据”</translation>
    </message>
    <message>
        <source>the device “%1” (Edit › Model inputs and device)</source>
        <translation>设备“%1”（编辑 › 模型输入与设备）</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names</comment>
        <translation>、</translation>
    </message>
    <message>
        <source> </source>
        <comment>between sentences</comment>
        <translation> </translation>
    </message>
    <message>
        <source>; </source>
        <translation>；</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>.</source>
        <comment>at the end of a sentence</comment>
        <translation>。</translation>
    </message>
    <message>
        <source>“Edit › Plug-ins and programs”</source>
        <translation>“编辑 › 插件和程序”</translation>
    </message>
    <message>
        <source>“Tune › Goals”</source>
        <translation>“调优 › 目标”</translation>
    </message>
    <message>
        <source>“Tune › Locks”</source>
        <translation>“调优 › 锁定”</translation>
    </message>
    <message>
        <source>“Tune › Use earlier measurements”</source>
        <translation>“调优 › 使用先前的测量结果”</translation>
    </message>
    <message>
        <source>“Gains of remedies” among the analyses of “Recipe”</source>
        <translation>“配方”的分析“补救措施的收益”</translation>
    </message>
    <message>
        <source>“Edit › Data › Metric”</source>
        <translation>“编辑 › 数据 › 指标”</translation>
    </message>
    <message>
        <source>“Edit › Weights”</source>
        <translation>“编辑 › 权重”</translation>
    </message>
    <message>
        <source>“Edit › Cut the model”</source>
        <translation>“编辑 › 截断模型”</translation>
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
        <source>scale group</source>
        <translation>缩放组</translation>
    </message>
    <message>
        <source>Δ baseline</source>
        <translation>Δ 基线</translation>
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
        <source>Copy image</source>
        <translation>复制图片</translation>
    </message>
    <message>
        <source>Copy data</source>
        <translation>复制数据</translation>
    </message>
    <message>
        <source>Image (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Vector image (*.svg)</source>
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
        <source>inside %1 &apos;%2&apos;, whose bodies run in float32</source>
        <translation>位于 %1“%2”之内，其子图以浮点运行</translation>
    </message>
    <message>
        <source>inside %1 &apos;%2&apos;, whose bodies a run quantizes separately</source>
        <translation>位于 %1“%2”内，其子图由运行单独量化</translation>
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
    <name>SavedPipelines</name>
    <message>
        <source>the name is too long</source>
        <translation>名称过长</translation>
    </message>
    <message>
        <source>Use a shorter one.</source>
        <translation>请使用更短的名称。</translation>
    </message>
    <message>
        <source>must be &quot;%1&quot;</source>
        <translation>必须为“%1”</translation>
    </message>
</context>
<context>
    <name>SearchQuery</name>
    <message>
        <source>Not a regular expression: %1</source>
        <translation>不是正则表达式：%1</translation>
    </message>
    <message>
        <source>Not a number: %1</source>
        <translation>不是数字：%1</translation>
    </message>
    <message>
        <source>There is no number called %1; use one of: %2</source>
        <translation>没有名为 %1 的数值；可用的有 %2</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Find out why a network loses accuracy in low precision, and fix it.</source>
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
        <source>Run in FP32</source>
        <translation>改为 FP32</translation>
    </message>
    <message>
        <source>Per-channel weights</source>
        <translation>权重逐通道</translation>
    </message>
    <message>
        <source>Equalize layers</source>
        <translation>均衡各层</translation>
    </message>
    <message>
        <source>Change observer</source>
        <translation>换观察器</translation>
    </message>
    <message>
        <source>The operation runs in float32: it adds no error, but is slower, and the runtime must support it.</source>
        <translation>该算子以浮点计算：自身没有误差，但更慢，且运行时必须允许。</translation>
    </message>
    <message>
        <source>One scale per output channel of the weight. Costs nothing on targets that support it.</source>
        <translation>权重的每个输出通道一个缩放系数。只要运行时支持就没有代价。</translation>
    </message>
    <message>
        <source>Balances the weights of neighbouring layers channel by channel before quantizing; the float result does not change.</source>
        <translation>量化前在相邻层之间互相缩放通道；浮点网络的结果不变。</translation>
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
        <translation>没有共用缩放系数的算子</translation>
    </message>
    <message>
        <source>+ better</source>
        <translation>+ 更好</translation>
    </message>
    <message>
        <source>“%1” is already set.</source>
        <translation>“%1”已经设置。</translation>
    </message>
    <message>
        <source>Run consumers in FP32</source>
        <translation>读取者改为 FP32</translation>
    </message>
    <message>
        <source>Correct biases</source>
        <translation>偏置校正</translation>
    </message>
    <message>
        <source>The operations that read and round this tensor run in float32: slower, and the runtime must support it.</source>
        <translation>读取并取整该张量的算子以浮点计算：更慢，且运行时必须允许。</translation>
    </message>
    <message>
        <source>Compensates in the biases for the shift of the mean that rounding causes; uses the calibration data.</source>
        <translation>用校准数据在偏置中消除取整引起的均值偏移。</translation>
    </message>
    <message>
        <source>%1, order of rules: %2</source>
        <translation>%1 的规则顺序：%2</translation>
    </message>
    <message>
        <source>Observer %1</source>
        <translation>观察器 %1</translation>
    </message>
    <message>
        <source>Observer %1 for all tensors</source>
        <translation>全部用观察器 %1</translation>
    </message>
    <message>
        <source>known after a run</source>
        <translation>运行后可知</translation>
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
        <source>SOI: computes shapes</source>
        <translation>SOI：计算形状</translation>
    </message>
    <message numerus="yes">
        <source>%1 … (%n value(s))</source>
        <translation>
            <numerusform>%1 …（共 %n 个值）</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove the override</source>
        <translation>删除该覆盖项</translation>
    </message>
    <message>
        <source>Removes the rule from the recipe; nothing else changes.</source>
        <translation>从配方中去掉这条规则，其他不变。</translation>
    </message>
    <message>
        <source>Run these in FP32</source>
        <translation>这些用 FP32</translation>
    </message>
    <message>
        <source>Fewer samples</source>
        <translation>较少样本</translation>
    </message>
    <message>
        <source>The operations that add the most noise run in float32: slower, and the runtime must support it.</source>
        <translation>噪声最大的算子用浮点计算：更慢，且运行时必须允许。</translation>
    </message>
    <message>
        <source>Measures layerwise error on fewer samples: faster, and enough to rank the operations.</source>
        <translation>用较少样本测量逐层误差：更快，且足以给算子排序。</translation>
    </message>
    <message>
        <source>Only operations with weights</source>
        <translation>仅带权重的算子</translation>
    </message>
    <message>
        <source>Measure all operations</source>
        <translation>测量所有算子</translation>
    </message>
    <message>
        <source>Measures layerwise errors of operations with weights only, where most of the error starts.</source>
        <translation>只测量带权重算子的逐层误差，大部分误差源于它们。</translation>
    </message>
    <message>
        <source>Measures layerwise errors of operations without weights, too: takes several times as long.</source>
        <translation>也测量不带权重算子的逐层误差：耗时为数倍。</translation>
    </message>
    <message>
        <source>Per-channel inputs</source>
        <translation>输入逐通道量化</translation>
    </message>
    <message>
        <source>One scale per channel at the inputs of all depthwise convolutions, which the platform allows.</source>
        <translation>所有深度卷积的输入每个通道各用一个缩放系数，平台支持这种方式。</translation>
    </message>
    <message>
        <source>- worse</source>
        <translation>- 更差</translation>
    </message>
    <message>
        <source>every operation</source>
        <translation>所有算子</translation>
    </message>
    <message>
        <source>Split GRU and LSTM</source>
        <translation>拆分 GRU 和 LSTM</translation>
    </message>
    <message>
        <source>Replaces GRU and LSTM by Gemm, Sigmoid, Tanh, Mul and Add of each step, which the platform can quantize; the float result does not change.</source>
        <translation>把 GRU 和 LSTM 替换为每一步的 Gemm、Sigmoid、Tanh、Mul 和 Add，平台可以量化它们；浮点结果不变。</translation>
    </message>
    <message>
        <source>Uses another observer for this tensor: if mse, kl and minmax were tried, the best of them.</source>
        <translation>为此张量使用其他观察器：如果已试过 mse、kl 和 minmax，则使用其中最好的。</translation>
    </message>
    <message>
        <source>Uses another observer for all activations: if mse, kl and minmax were tried, the best of them.</source>
        <translation>为所有激活使用其他观察器：如果已试过 mse、kl 和 minmax，则使用其中最好的。</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏置</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
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
        <source>Space switches between graph and table, keeping the current operation</source>
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
        <source>Collapse %1</source>
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
        <source>Collapse the body of %1</source>
        <translation>折叠 %1 的内部</translation>
    </message>
    <message>
        <source>Show the body of %1</source>
        <translation>展开 %1 的内部</translation>
    </message>
    <message>
        <source>Expand %1</source>
        <translation>展开 %1</translation>
    </message>
    <message numerus="yes">
        <source>Collapse this region of %1 (%n operation(s))</source>
        <translation>
            <numerusform>折叠此 %1 区域（%n 个算子）</numerusform>
        </translation>
    </message>
    <message>
        <source>The model cannot be read: see the message above.</source>
        <translation>无法读取模型：请见上方的消息。</translation>
    </message>
    <message>
        <source>The engine is not running.</source>
        <translation>引擎没有运行。</translation>
    </message>
    <message>
        <source>The engine is starting…</source>
        <translation>引擎正在启动…</translation>
    </message>
    <message>
        <source>Table col&amp;umns</source>
        <translation>表格列(&amp;U)</translation>
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
    <message>
        <source>No command matches.</source>
        <translation>没有这样的命令。</translation>
    </message>
    <message>
        <source>report HTML deploy convert</source>
        <translation>报告 网页 部署 转换</translation>
    </message>
    <message>
        <source>zoom whole size</source>
        <translation>缩放 全图 大小</translation>
    </message>
    <message>
        <source>search filter</source>
        <translation>搜索 筛选</translation>
    </message>
    <message>
        <source>start calibrate quantize</source>
        <translation>开始 校准 量化</translation>
    </message>
    <message>
        <source>cancel abort</source>
        <translation>取消 中止</translation>
    </message>
    <message>
        <source>color overlay</source>
        <translation>颜色 着色</translation>
    </message>
    <message>
        <source>revert</source>
        <translation>撤回 恢复</translation>
    </message>
    <message>
        <source>difference report</source>
        <translation>差异 报告</translation>
    </message>
    <message>
        <source>settings preferences GPU CUDA threads shape</source>
        <translation>设置 首选项 显卡 线程 形状</translation>
    </message>
    <message>
        <source>target hardware chip</source>
        <translation>目标 硬件 芯片</translation>
    </message>
    <message>
        <source>panels windows</source>
        <translation>面板 窗口</translation>
    </message>
    <message>
        <source>dark light appearance</source>
        <translation>深色 浅色 外观</translation>
    </message>
    <message>
        <source>help documentation</source>
        <translation>帮助 文档</translation>
    </message>
    <message>
        <source>keys keyboard</source>
        <translation>按键 键盘</translation>
    </message>
    <message>
        <source>dataset images calibration preprocessing metric labels</source>
        <translation>数据集 图像 校准 预处理 指标 标签</translation>
    </message>
    <message>
        <source>quantized INT8 scales QDQ AIMET</source>
        <translation>量化模型 缩放系数</translation>
    </message>
    <message>
        <source>loss learn LSQ AdaRound</source>
        <translation>损失 学习</translation>
    </message>
    <message>
        <source>search optimize Pareto</source>
        <translation>搜索 优化</translation>
    </message>
    <message>
        <source>extension library</source>
        <translation>扩展 库</translation>
    </message>
    <message>
        <source>explain origin heat map provenance samples</source>
        <translation>解释 来源 热图 样本</translation>
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
        <source>Worst operation</source>
        <translation>最差的算子</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Edits since baseline</source>
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
        <source>Recipe differences</source>
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
        <source>Errors of the checked runs</source>
        <translation>已勾选运行的误差</translation>
    </message>
    <message>
        <source>Set as baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>Restore its recipe</source>
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
    <message>
        <source>Operations with the largest output error when only they are quantized.</source>
        <translation>单独量化时输出误差最大的算子。</translation>
    </message>
    <message>
        <source>Time of the whole run; cached stages count as 0.</source>
        <translation>整次运行所用；缓存中已有的阶段不占时间。</translation>
    </message>
    <message>
        <source>Recipe settings that differ from the baseline.</source>
        <translation>与基线不同的配方设置。</translation>
    </message>
    <message>
        <source>The recipes are the same, but the model, data or platform files have changed.</source>
        <translation>配方相同，但模型、数据或平台文件已更改。</translation>
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
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>quantized: has its own scale; passive: its scale is derived from others; overlapped: not rounded, because the next operation rounds; baked: values are already rounded; float: not quantized.</source>
        <translation>量化：有自己的缩放系数；被动：缩放系数由其他张量决定；重叠：此处不取整，由后面的算子完成；固化：数值已经取整；浮点：不量化。</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位宽</translation>
    </message>
    <message>
        <source>Number of bits per code. Also sets the range of codes.</source>
        <translation>编码的位宽，同时决定编码范围。</translation>
    </message>
    <message>
        <source>Codes are two integers, lowest … highest; got &apos;%1&apos;.</source>
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
        <translation>最低与最大编码。</translation>
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
        <source>Granularity</source>
        <translation>粒度</translation>
    </message>
    <message>
        <source>per tensor</source>
        <translation>逐张量</translation>
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
        <source>How the range is derived from the calibration data.</source>
        <translation>如何由校准数据得到取值范围。</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>Difference between adjacent codes, in float.</source>
        <translation>相邻两个编码的间距。</translation>
    </message>
    <message>
        <source>Zero point</source>
        <translation>零点</translation>
    </message>
    <message>
        <source>The code that represents 0.</source>
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
        <source>Float values of the lowest and the highest code. Values outside are clipped.</source>
        <translation>最低码与最高码代表的浮点值。超出的数值会被截断。</translation>
    </message>
    <message>
        <source>A scale is a float32 number above 0; got &apos;%1&apos;.</source>
        <translation>缩放系数必须是 float32 能表示的大于 0 的数；得到“%1”。</translation>
    </message>
    <message>
        <source>The zero point is 0 here, so each end determines the other: write %1 … %2, or set Symmetric to no.</source>
        <translation>这里零点为 0，一端由另一端决定：请写 %1 … %2，或把“对称”设为否。</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置%1</translation>
    </message>
    <message>
        <source>%1. Click to reset it.</source>
        <translation>%1。点击即可撤回。</translation>
    </message>
    <message>
        <source>%1 (observer %2)</source>
        <translation>%1（观察器 %2）</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Codes are integers or 8-bit floats (OCP).</source>
        <translation>编码为整数，或 8 位浮点数（OCP）。</translation>
    </message>
    <message>
        <source>The zero point is fixed and is not 0.</source>
        <translation>零点已固定，且不为 0。</translation>
    </message>
    <message>
        <source>One scale for the whole tensor, or one per output channel if the operation has them.</source>
        <translation>整个张量一个缩放系数，或者在算子有输出通道时每个输出通道一个。</translation>
    </message>
    <message>
        <source>A percentile is a number from 0.5 to 1; got &apos;%1&apos;.</source>
        <translation>百分位是 0.5 到 1 之间的数；输入的是“%1”。</translation>
    </message>
    <message>
        <source>Percentile</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>This scale is inherited from the tensor named below; change it there.</source>
        <translation>这是下方所列另一张量的缩放系数：请在那里修改。</translation>
    </message>
    <message>
        <source>from calibration</source>
        <translation>由校准得出</translation>
    </message>
    <message>
        <source>Scales must be powers of two here: use %1 or %2, or set Power of two to no.</source>
        <translation>此处缩放系数须为 2 的幂：%1 或 %2，或将“2 的幂”设为否。</translation>
    </message>
    <message>
        <source>Difference between adjacent codes: smallest and largest over the channels. A single number sets all channels.</source>
        <translation>相邻两个编码的间距：各通道的最小值与最大值。输入一个数即对所有通道生效。</translation>
    </message>
    <message>
        <source>low … high</source>
        <translation>下限 … 上限</translation>
    </message>
    <message>
        <source>Float values of the lowest and the highest code: the widest channel. A new value applies to all channels.</source>
        <translation>最低码与最高码代表的浮点值：取各通道中最宽的。此处写入的范围对所有通道生效。</translation>
    </message>
    <message>
        <source>Power of two</source>
        <translation>2 的幂</translation>
    </message>
    <message>
        <source>Scales are powers of two: the target shifts instead of multiplying.</source>
        <translation>缩放系数为 2 的幂：以移位代替乘法。</translation>
    </message>
    <message>
        <source>The scale is fixed and is not a power of two.</source>
        <translation>缩放系数已固定，且不是 2 的幂。</translation>
    </message>
    <message>
        <source>Dynamic</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>The scale is computed from each tensor at run time instead of by calibration.</source>
        <translation>缩放系数在网络运行时由每个张量得出，而不由校准得出。</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>when used</source>
        <translation>使用时</translation>
    </message>
    <message>
        <source>always</source>
        <translation>总是</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>Whether exporters write this scale: only if the tensor is rounded here, also if another slot rounds it, or never.</source>
        <translation>导出器是否写出它：在此处取整时、即使由其他位置代为取整时也写出，或从不写出。</translation>
    </message>
    <message>
        <source>Sizes, axes, indices and tensors that are not float32 are never quantized.</source>
        <translation>尺寸、轴、索引以及非 float32 的值从不量化。</translation>
    </message>
    <message>
        <source>you</source>
        <translation>您</translation>
    </message>
    <message>
        <source>No effect: the tensor is rounded with the scale of %1. Change it there.</source>
        <translation>不起作用：该张量按 %1 的缩放系数取整。请在那里设置。</translation>
    </message>
    <message>
        <source>another tensor</source>
        <translation>另一个张量</translation>
    </message>
    <message>
        <source>Rounded at</source>
        <translation>取整于</translation>
    </message>
    <message>
        <source>The tensor is rounded with the scale of %1; change the settings below there.</source>
        <translation>该张量按 %1 的缩放系数取整；下面各项请在那里修改。</translation>
    </message>
    <message>
        <source>half even</source>
        <translation>半数取偶</translation>
    </message>
    <message>
        <source>half up</source>
        <translation>半数向上</translation>
    </message>
    <message>
        <source>half down</source>
        <translation>半数向下</translation>
    </message>
    <message>
        <source>half towards zero</source>
        <translation>半数向零</translation>
    </message>
    <message>
        <source>half away from zero</source>
        <translation>半数远离零</translation>
    </message>
    <message>
        <source>to near int</source>
        <translation>取最近整数</translation>
    </message>
    <message>
        <source>up</source>
        <translation>向上</translation>
    </message>
    <message>
        <source>down</source>
        <translation>向下</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>Clip limits must be between -3e+38 and 3e+38; got &apos;%1&apos;.</source>
        <translation>截断范围的界限为 -3e+38 至 3e+38 的数；输入为“%1”。</translation>
    </message>
    <message>
        <source>A clip range must include 0, which needs a code: write %1 … %2.</source>
        <translation>截断范围须含 0，0 要有编码：请写 %1 … %2。</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Fraction of the values that is not clipped.</source>
        <translation>不被截断的数值所占比例。</translation>
    </message>
    <message>
        <source>Percentile over</source>
        <translation>百分位取自</translation>
    </message>
    <message>
        <source>all batches</source>
        <translation>全部批次</translation>
    </message>
    <message>
        <source>each batch, averaged</source>
        <translation>各批次的平均</translation>
    </message>
    <message>
        <source>Which values the percentile is computed over. Averaging over batches clips tensors with few values.</source>
        <translation>百分位取自哪些数值。取平均会截断数值较少的张量。</translation>
    </message>
    <message>
        <source>groups of %1, axis %2</source>
        <translation>每组 %1 个，轴 %2</translation>
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
        <source>Samples for ranges: a folder of images or arrays, a .npz, a .npy, a folder per input, or a manifest (JSON).</source>
        <translation>用来测量取值范围的数据：图片或数组的文件夹、.npz、.npy、每个输入一个文件夹，或清单文件（JSON）。</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Samples for errors; without a path, the calibration data.</source>
        <translation>用来测量误差的数据；不填路径时使用校准数据。</translation>
    </message>
    <message>
        <source>Discard the changes to the data?</source>
        <translation>放弃对数据的修改吗？</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
</context>
<context>
    <name>ql::DataPreview</name>
    <message>
        <source>The sample after each step</source>
        <translation>每一步之后的样本</translation>
    </message>
    <message>
        <source>Values of the sample, per channel</source>
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
        <source>Model input</source>
        <translation>模型的输入</translation>
    </message>
    <message>
        <source>Model input whose sample is shown</source>
        <translation>显示其样本的模型输入</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>as read</source>
        <translation>读入时</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> / %1</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>通道 %1</translation>
    </message>
    <message>
        <source>channel %1: mean %2, std %3</source>
        <translation>通道 %1：均值 %2，标准差 %3</translation>
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
    <message numerus="yes">
        <source>%n value(s) are not finite</source>
        <translation>
            <numerusform>%n 个值非有限</numerusform>
        </translation>
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
        <source>Preprocessing steps</source>
        <translation>预处理步骤</translation>
    </message>
    <message>
        <source>Drag to reorder, double-click to edit.</source>
        <translation>拖动可调整顺序，双击可修改。</translation>
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
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>The data has changed since the last run: different files, contents or order. Runs cannot be compared.</source>
        <translation>数据与上次不同：文件、内容或顺序已变，各次运行不可比较。</translation>
    </message>
    <message>
        <source>Using %1; data is one file or one folder.</source>
        <translation>采用 %1；数据是一个文件或一个文件夹。</translation>
    </message>
    <message>
        <source>Data files</source>
        <translation>数据文件</translation>
    </message>
    <message>
        <source>Data (%1);;All files (*)</source>
        <translation>数据 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Several files: using their folder, with every file in it as a sample.</source>
        <translation>多个文件：采用它们所在的文件夹，其中每个文件为一个样本。</translation>
    </message>
    <message>
        <source>Using the folder of %1, with every file in it as a sample.</source>
        <translation>采用 %1 所在的文件夹，其中每个文件为一个样本。</translation>
    </message>
    <message>
        <source>steps separated by semicolons, or choose a preset</source>
        <translation>以分号分隔的步骤，或选择预设</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Add a step after the current one</source>
        <translation>在当前步骤之后添加一步</translation>
    </message>
    <message>
        <source>Add resize %1, crop %2</source>
        <translation>添加 resize %1、crop %2</translation>
    </message>
    <message>
        <source>Add letterbox %1</source>
        <translation>添加 letterbox %1</translation>
    </message>
    <message>
        <source>drawn evenly</source>
        <translation>均匀抽取</translation>
    </message>
    <message>
        <source>first samples</source>
        <translation>最前面的样本</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>抽样</translation>
    </message>
    <message>
        <source>Which samples to use if the data has more.</source>
        <translation>数据中样本更多时使用哪些样本。</translation>
    </message>
    <message>
        <source>seed </source>
        <translation>种子 </translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>A different seed selects different samples.</source>
        <translation>换一个数会抽取另一组样本。</translation>
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
        <source>Select an operation</source>
        <translation>请选择一个算子</translation>
    </message>
    <message>
        <source>Press F5 to run first</source>
        <translation>请先按 F5 运行</translation>
    </message>
    <message>
        <source>No quantized tensors here</source>
        <translation>此处没有量化的张量</translation>
    </message>
    <message>
        <source>Edited: press F5 to run</source>
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
        <source>float value</source>
        <translation>浮点值</translation>
    </message>
    <message>
        <source>quantized value</source>
        <translation>量化后的值</translation>
    </message>
    <message numerus="yes">
        <source>%n value(s), evenly sampled</source>
        <translation>
            <numerusform>均匀抽取 %n 个值</numerusform>
        </translation>
    </message>
    <message>
        <source>largest / smallest channel: %1 ×</source>
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
        <source>Histogram of the float values, with the quantized values marked.</source>
        <translation>浮点值的直方图，以及量化值所在的位置。</translation>
    </message>
    <message>
        <source>One point per value: float against quantized.</source>
        <translation>每个点：一个浮点值及其量化后的值。</translation>
    </message>
    <message>
        <source>Minimum, quartiles and maximum of each channel; the amber lines are the limits of its scale.</source>
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
        <source>This tensor has no channel axis</source>
        <translation>此张量没有通道轴</translation>
    </message>
    <message>
        <source>step: difference between adjacent codes; clipped: float values outside the limits; dB: −10 log₁₀ of Σ(float − quantized)² / Σ float² of this tensor</source>
        <translation>步长：相邻两个编码的间距；截断：超出界限的浮点值；dB：此张量 Σ(浮点 − 量化)² / Σ 浮点² 的 −10 log₁₀</translation>
    </message>
    <message>
        <source>count</source>
        <translation>个数</translation>
    </message>
    <message>
        <source>Zoom: wheel, + and −. Pan: drag, or Left and Right. Full range: double-click or Home.
Clip limits: drag an amber line in “values”.</source>
        <translation>缩放：滚轮、+ 和 −。移动：拖动，或按左、右键。整个范围：双击或 Home。
截断界限：拖动数值图中的琥珀色线。</translation>
    </message>
    <message>
        <source>rounded at %1</source>
        <translation>在 %1 处取整</translation>
    </message>
    <message>
        <source>Go to %1, where this tensor is rounded; its limits can be dragged there.</source>
        <translation>转到 %1：该张量在那里取整，可在那里拖动其范围。</translation>
    </message>
    <message>
        <source>Available when the run has finished</source>
        <translation>运行结束后读取</translation>
    </message>
    <message>
        <source>Stopped; press F5 to read it</source>
        <translation>已停止；按 F5 读取</translation>
    </message>
    <message numerus="yes">
        <source>one scale for each of %n channel(s): see “channels”</source>
        <translation>
            <numerusform>%n 个通道各有缩放系数：见“通道”</numerusform>
        </translation>
    </message>
    <message>
        <source>≈ %1, estimated</source>
        <translation>≈ %1（估计）</translation>
    </message>
    <message>
        <source>Cannot be read:
%1</source>
        <translation>未能读取：
%1</translation>
    </message>
</context>
<context>
    <name>ql::Dock</name>
    <message>
        <source>Collapse to a tab</source>
        <translation>折叠为标签</translation>
    </message>
    <message>
        <source>Float, or dock again</source>
        <translation>浮动或重新停靠</translation>
    </message>
</context>
<context>
    <name>ql::DockEdge</name>
    <message>
        <source>Show %1</source>
        <translation>显示%1</translation>
    </message>
    <message>
        <source>Collapsed docks</source>
        <translation>已折叠的面板</translation>
    </message>
</context>
<context>
    <name>ql::Document</name>
    <message>
        <source>%1 is read-only.</source>
        <translation>%1 是只读文件。</translation>
    </message>
    <message>
        <source>The recipe reads %1.</source>
        <translation>%1 是配方要读取的文件。</translation>
    </message>
    <message>
        <source>Platform %1</source>
        <translation>平台 %1</translation>
    </message>
    <message>
        <source>The recipe now has the passes of %1; Undo restores your list.</source>
        <translation>处理步骤现在是 %1 自己的；撤销可恢复您的列表。</translation>
    </message>
</context>
<context>
    <name>ql::EngineClient</name>
    <message>
        <source>A new engine was started; finished stages are cached.</source>
        <translation>已启动新的引擎；已完成的阶段保存在缓存中。</translation>
    </message>
</context>
<context>
    <name>ql::EngineLink</name>
    <message>
        <source>The engine was killed by a signal or ran out of memory.</source>
        <translation>引擎被信号终止或内存不足。</translation>
    </message>
    <message>
        <source>The engine exited with code %1.</source>
        <translation>引擎已结束，退出码 %1。</translation>
    </message>
    <message>
        <source>The engine &apos;%1&apos; cannot be started.</source>
        <translation>无法启动引擎“%1”。</translation>
    </message>
    <message numerus="yes">
        <source>(%n byte(s) that are not text)</source>
        <translation>
            <numerusform>（%n 字节非文本内容）</numerusform>
        </translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a Quantloupe engine.</source>
        <translation>“%1” 不是 Quantloupe 的引擎。</translation>
    </message>
    <message>
        <source>The engine sent an invalid message: %1.</source>
        <translation>引擎发来的内容不是消息：%1。</translation>
    </message>
    <message>
        <source>The engine speaks protocol %1, this window %2: one of them is out of date.</source>
        <translation>引擎使用协议 %1，此窗口使用协议 %2：其中之一版本较旧。</translation>
    </message>
</context>
<context>
    <name>ql::EngineRequests</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Distribution of %1</source>
        <translation>%1 的分布</translation>
    </message>
    <message>
        <source>Activation ranges, for Problems</source>
        <translation>激活值的范围，用于问题列表</translation>
    </message>
    <message>
        <source>Output after each pass</source>
        <translation>每个步骤之后的输出</translation>
    </message>
    <message>
        <source>Nothing changed: run %1 again, in %2 s.</source>
        <translation>没有任何改变：重新运行第 %1 次，用时 %2 秒。</translation>
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
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Search for a better recipe</source>
        <translation>搜索更好的配方</translation>
    </message>
    <message>
        <source>Origin of the noise</source>
        <translation>噪声来源</translation>
    </message>
    <message>
        <source>Importing encodings</source>
        <translation>正在导入编码</translation>
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
        <source>Error of each operation&apos;s output with the whole model quantized: the error accumulated up to this operation.</source>
        <translation>全部量化时每个算子输出处的误差：到此处累积了多少。</translation>
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
        <source>Press F5 to measure the error of each operation</source>
        <translation>按 F5 运行后显示每个算子的误差</translation>
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
        <source>Δ baseline</source>
        <translation>Δ 基线</translation>
    </message>
    <message>
        <source>Change in SQNR from the baseline run, in dB; positive is better.</source>
        <translation>相对基线运行的信噪比变化，单位分贝；正值为好。</translation>
    </message>
    <message>
        <source>Worst first instead of execution order</source>
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
    <message numerus="yes">
        <source>%n above %1 (%2)</source>
        <comment>operations</comment>
        <translation>
            <numerusform>%n 个高于 %1（%2）</numerusform>
        </translation>
    </message>
    <message>
        <source>Threshold: drag the dashed line, or press Up and Down (Shift: fine steps).
Zoom: wheel, + and −. Pan: drag. All bars: double-click or Home.</source>
        <translation>阈值：拖动虚线，或按上、下键（加 Shift 为小步）。
缩放：滚轮、+ 和 −。移动：拖动。全部：双击或 Home。</translation>
    </message>
    <message>
        <source>graphwise: %1</source>
        <translation>全图：%1</translation>
    </message>
    <message>
        <source>layerwise: %1</source>
        <translation>逐层：%1</translation>
    </message>
    <message>
        <source>dashed: %1</source>
        <translation>虚线：%1</translation>
    </message>
    <message>
        <source>change from baseline: %1</source>
        <translation>相对基线的变化：%1</translation>
    </message>
    <message>
        <source>In decibels: −10 log₁₀ of noise / signal.</source>
        <translation>以分贝计：−10 log₁₀(噪声 / 信号)。</translation>
    </message>
    <message>
        <source>The errors are not finite: see Problems</source>
        <translation>误差不是有限的数值：请看“问题”</translation>
    </message>
    <message>
        <source>Errors appear when the model has been read</source>
        <translation>模型读取后显示误差</translation>
    </message>
    <message>
        <source>≈ %1</source>
        <translation>≈ %1</translation>
    </message>
    <message>
        <source>Error at the graph outputs with only this operation quantized: the cost of this operation alone.</source>
        <translation>只量化该算子时网络输出处的误差：该算子单独造成的精度损失。</translation>
    </message>
    <message>
        <source>Δ SQNR, dB</source>
        <translation>Δ SQNR, dB</translation>
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
        <source>%1  (recommended for %2)</source>
        <translation>%1 （推荐用于 %2）</translation>
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
        <source>Start of the file</source>
        <translation>文件开头</translation>
    </message>
    <message>
        <source>Files to write</source>
        <translation>将写入</translation>
    </message>
    <message>
        <source>Everything the last run measured, in a single HTML file.</source>
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
        <source> (replaces the existing file)</source>
        <translation>（将替换现有文件）</translation>
    </message>
    <message>
        <source>HTML report</source>
        <translation>HTML 报告</translation>
    </message>
    <message>
        <source>Written files</source>
        <translation>已写入的文件</translation>
    </message>
    <message>
        <source>This is the recipe&apos;s own file. Choose another path.</source>
        <translation>这是配方文件本身。请选择其他文件。</translation>
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
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Wrote %1, %2, on the engine&apos;s machine.</source>
        <translation>已写出 %1，%2，位于引擎所在的机器上。</translation>
    </message>
    <message>
        <source>Path on the engine&apos;s machine, which writes the file</source>
        <translation>引擎所在机器上的路径，由引擎写出</translation>
    </message>
    <message>
        <source>%1 per channel</source>
        <translation>%1 逐通道</translation>
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
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Operations in the file</source>
        <translation>文件中的算子</translation>
    </message>
</context>
<context>
    <name>ql::GraphView</name>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>The dispatched graph. Arrow keys move along edges.</source>
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
    <message>
        <source>Operations with the same S number share one scale.</source>
        <translation>S 与编号相同的算子共用一个缩放系数。</translation>
    </message>
    <message>
        <source>A group is coloured by its worst operation.</source>
        <translation>分组按其中最差的算子着色。</translation>
    </message>
</context>
<context>
    <name>ql::HeatMap</name>
    <message>
        <source>Noise of each operation and sample</source>
        <translation>每个算子在每个样本上的噪声</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>样本</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>%1
%2: noise / signal %3</source>
        <translation>%1
%2：噪声/信号 %3</translation>
    </message>
</context>
<context>
    <name>ql::Inspector</name>
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
        <source>Scope of edits</source>
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
        <source>Restore default dispatch of %n operation(s)</source>
        <translation>
            <numerusform>恢复 %n 个算子的默认调度</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Dispatch %n operation(s) to %1</source>
        <translation>
            <numerusform>将 %n 个算子调度到 %1</numerusform>
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
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>dispatcher</source>
        <translation>调度器</translation>
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
        <source>Resets this slot to the platform&apos;s values: removes your settings for the operations in scope.</source>
        <translation>恢复为平台的设定：移除您在此范围内的设定。</translation>
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
        <source>Nothing is set for exactly this scope: under “Edits for”, choose the scope in which it was set, such as every operation of this type.</source>
        <translation>没有正好针对这些算子的设置：请在“修改范围”中选择当初设置时的范围，例如该类型的所有算子。</translation>
    </message>
    <message>
        <source>Restore default dispatch of %1</source>
        <translation>恢复 %1 的默认调度</translation>
    </message>
    <message>
        <source>Dispatch %1 to %2</source>
        <translation>将 %1 调度到 %2</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>A rule that also matches other operations sets their platform: choose a platform for these here, or undo the rule.</source>
        <translation>它们的平台由一条还匹配其他算子的规则设定：请在这里为它们选择平台，或撤销该规则。</translation>
    </message>
    <message>
        <source>No operation that matches the pattern has this slot.</source>
        <translation>该模式没有匹配到带有该位置的算子。</translation>
    </message>
    <message>
        <source>no such quantized tensor in %1</source>
        <translation>%1 中没有这样的量化张量</translation>
    </message>
    <message numerus="yes">
        <source>this tensor in %n of %1</source>
        <translation>
            <numerusform>其中 %n 个有此张量，共 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>you</source>
        <translation>您</translation>
    </message>
    <message>
        <source>%1 has no output channels. Exclude it.</source>
        <translation>%1 在此处没有输出通道。请将它排除。</translation>
    </message>
    <message>
        <source>The observer &apos;%1&apos; does not support %2 (needed by %3). Choose another observer or fewer operations.</source>
        <translation>观察器“%1”无法求出 %2 所需的缩放系数（%3）。请选择其他观察器,或减少算子。</translation>
    </message>
    <message>
        <source>floating-point codes</source>
        <translation>浮点编码</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>非对称</translation>
    </message>
    <message>
        <source>one scale per channel</source>
        <translation>每个通道一个</translation>
    </message>
    <message>
        <source>integer codes</source>
        <translation>整数编码</translation>
    </message>
    <message numerus="yes">
        <source>the scale group (%n slot(s))</source>
        <translation>
            <numerusform>缩放组（%n 个张量）</numerusform>
        </translation>
    </message>
    <message>
        <source>Part of the body of an If, Loop or Scan: %1.</source>
        <translation>If、Loop 或 Scan 子图的一部分：%1。</translation>
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
    <message>
        <source>MiB: memory used by the engine; left: estimated remaining time.</source>
        <translation>MiB：引擎占用的内存；剩余：根据进度和已用时间估计。</translation>
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
        <source>Save &amp;graph as image…</source>
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
        <source>Res&amp;tore default dispatch</source>
        <translation>恢复默认调度(&amp;T)</translation>
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
        <source>Runs after every edit; dashed bars are the values before the edit (Ctrl+L)</source>
        <translation>修改后立即重新计算受影响的部分；虚线条为修改前的数值 (Ctrl+L)</translation>
    </message>
    <message>
        <source>&amp;Compare runs…</source>
        <translation>比较运行(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;Previous worst operation</source>
        <translation>上一个最差算子(&amp;P)</translation>
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
        <source>Collapse s&amp;hape computation</source>
        <translation>折叠形状计算(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Docks</source>
        <translation>面板(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Reset docks</source>
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
        <source>Restart the program to change the language.</source>
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
        <source>&lt;b&gt;Quantloupe %1&lt;/b&gt;&lt;br&gt;Find out why a network loses accuracy in low precision, and fix it.&lt;br&gt;&lt;br&gt;Engine: %2</source>
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
        <source>Find operations</source>
        <translation>查找算子</translation>
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
        <source>Target that the model is quantized for</source>
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
        <source>dashed: previous run</source>
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
        <source>Up to date.</source>
        <translation>结果为最新。</translation>
    </message>
    <message>
        <source>Not run yet: press F5.</source>
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
        <source>Save the changes to %1?</source>
        <translation>保存对 %1 的修改吗？</translation>
    </message>
    <message>
        <source>Recover unsaved changes</source>
        <translation>恢复未保存的修改</translation>
    </message>
    <message>
        <source>The program ended before the changes to %1 were saved. Open them?</source>
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
Empty: the engine installed with this program.</source>
        <translation>启动引擎的命令，例如
ssh gpu-box quantloupe-cli serve
留空：使用随本程序安装的引擎。</translation>
    </message>
    <message numerus="yes">
        <source>Run %n operation(s) in FP32</source>
        <translation>
            <numerusform>将 %n 个算子改为 FP32</numerusform>
        </translation>
    </message>
    <message>
        <source>Restore default dispatch</source>
        <translation>恢复默认调度</translation>
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
        <source>Save graph as image…</source>
        <translation>将计算图保存为图片…</translation>
    </message>
    <message>
        <source>J, K, arrows</source>
        <translation>J、K、方向键</translation>
    </message>
    <message>
        <source>Move along an edge or to a neighbour (graph)</source>
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
        <source>The recipe file %1 was changed by another program.</source>
        <translation>配方 %1 已被其他程序修改。</translation>
    </message>
    <message>
        <source>Load it</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>The model file %1 has changed.</source>
        <translation>模型文件 %1 已更改。</translation>
    </message>
    <message>
        <source>The window still shows the old model.</source>
        <translation>窗口仍显示旧模型。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Opened %1; a window shows one model.</source>
        <translation>已打开 %1；一个窗口只显示一个模型。</translation>
    </message>
    <message>
        <source>C&amp;ollapse</source>
        <translation>折叠(&amp;O)</translation>
    </message>
    <message>
        <source>Collapse dispatch &amp;regions</source>
        <translation>折叠调度区域(&amp;R)</translation>
    </message>
    <message>
        <source>Collapse groups by name, depth %1</source>
        <translation>按名称折叠分组，第 %1 层</translation>
    </message>
    <message>
        <source>E&amp;xpand all groups</source>
        <translation>展开所有分组(&amp;U)</translation>
    </message>
    <message>
        <source>Enter, Backspace</source>
        <translation>回车、退格</translation>
    </message>
    <message>
        <source>Expand a group or show a body, collapse it again (graph)</source>
        <translation>展开分组或内部，再次折叠（图）</translation>
    </message>
    <message>
        <source>Platforms: view, edit, compare…</source>
        <translation>平台：查看、修改、比较…</translation>
    </message>
    <message>
        <source>stale: press F5 to run again</source>
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
        <source>Wrote %n file(s) to %1</source>
        <translation>
            <numerusform>已将 %n 个文件写入 %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) could not be written, the first one is %1</source>
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
        <source>vs  #%1 ▾</source>
        <translation>对比  #%1 ▾</translation>
    </message>
    <message>
        <source>Up to date. Measuring details for problems and passes…</source>
        <translation>结果为最新。正在为问题和处理步骤测量细节…</translation>
    </message>
    <message>
        <source>before the edit: output SQNR %1 dB</source>
        <translation>修改前：输出 SQNR %1 dB</translation>
    </message>
    <message>
        <source>&amp;Model inputs and device…</source>
        <translation>模型输入与设备(&amp;M)…</translation>
    </message>
    <message>
        <source>Path of a model on the engine&apos;s machine (%1). Data and export paths also refer to that machine; the recipe is saved on this one.</source>
        <translation>引擎所在机器（%1）上模型的路径。数据和导出文件也用那台机器上的路径；配方保存在本机。</translation>
    </message>
    <message>
        <source>Your changes are still open; save them under another name.</source>
        <translation>您的更改仍在；请以其他名称保存。</translation>
    </message>
    <message>
        <source>Your changes are kept and offered at the next start.</source>
        <translation>更改已保留，下次启动时会再次询问。</translation>
    </message>
    <message>
        <source>Results belong to an earlier recipe, model or data. Press F5 to update them.</source>
        <translation>结果属于较早的配方、模型或数据。按 F5 更新。</translation>
    </message>
    <message>
        <source>Data…</source>
        <translation>数据…</translation>
    </message>
    <message>
        <source>%1 is not a model, a recipe or data.</source>
        <translation>%1 不是模型、配方或数据。</translation>
    </message>
    <message>
        <source>The recipe file %1 was deleted or renamed.</source>
        <translation>配方文件 %1 已被删除或改名。</translation>
    </message>
    <message>
        <source>The recipe is still open; save it to write the file again.</source>
        <translation>配方仍处于打开状态；保存会重新写入文件。</translation>
    </message>
    <message>
        <source>The model file %1 was deleted or renamed.</source>
        <translation>模型文件 %1 已被删除或改名。</translation>
    </message>
    <message>
        <source>Results stay; running or exporting needs the file.</source>
        <translation>结果保留；运行或导出需要该文件。</translation>
    </message>
    <message>
        <source>Changed by another program</source>
        <translation>已被其他程序修改</translation>
    </message>
    <message>
        <source>Saving overwrites the other program&apos;s changes.</source>
        <translation>保存会覆盖其他程序写入的内容。</translation>
    </message>
    <message>
        <source>Overwrite it</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>output SQNR: %1</source>
        <translation>输出 SQNR：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Close &amp;document</source>
        <translation>关闭文档(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Weights…</source>
        <translation>权重(&amp;W)…</translation>
    </message>
    <message>
        <source>No weights</source>
        <translation>不使用权重文件</translation>
    </message>
    <message>
        <source>Weights…</source>
        <translation>权重…</translation>
    </message>
    <message>
        <source>Models and recipes (%1);;All files (*)</source>
        <translation>模型与配方 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Weights (*.caffemodel);;All files (*)</source>
        <translation>权重 (*.caffemodel);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Using %1; a model has one weights file.</source>
        <translation>采用 %1；一个模型只有一个权重文件。</translation>
    </message>
    <message>
        <source>%1 has changed on disk.</source>
        <translation>%1 在磁盘上已被更改。</translation>
    </message>
    <message>
        <source>Results were measured on the old version.</source>
        <translation>结果是在旧版本上测得的。</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Replace the layout &apos;%1&apos;?</source>
        <translation>替换布局“%1”？</translation>
    </message>
    <message>
        <source>Models are .onnx, .qln and .prototxt with its .caffemodel, recipes are .quantloupe; data is images, .npz, .npy, .bin, manifests (JSON) or folders of them.</source>
        <translation>模型为 .onnx、.qln 或带 .caffemodel 的 .prototxt，配方为 .quantloupe；数据为图片、.npz、.npy、.bin、清单（JSON）或存放它们的文件夹。</translation>
    </message>
    <message>
        <source>Engine…</source>
        <translation>引擎…</translation>
    </message>
    <message>
        <source>The engine has not answered yet: %1</source>
        <translation>引擎尚未应答：%1</translation>
    </message>
    <message>
        <source>It may be waiting for a password or for the network.</source>
        <translation>它可能在等待密码或网络。</translation>
    </message>
    <message>
        <source>%1 is not on this machine.</source>
        <translation>%1 不是本机的文件。</translation>
    </message>
    <message>
        <source>Download it, then open the file.</source>
        <translation>请先下载，再打开该文件。</translation>
    </message>
    <message>
        <source>Vector image (*.svg)</source>
        <translation>矢量图 (*.svg)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Image (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Words in the name or type; bits&lt;8, error&gt;0.1, layerwise&gt;1%, sqnr&lt;20, cosine&lt;0.99, delta&lt;0 (dB from baseline); type:Conv, platform:FP32, state:passive; /regular expression/; &quot;literal text&quot;</source>
        <translation>名称或类型中的词；bits&lt;8、error&gt;0.1、layerwise&gt;1%、sqnr&lt;20、cosine&lt;0.99、delta&lt;0（相对基线的 dB 数）；type:Conv、platform:FP32、state:passive；/正则表达式/；&quot;原文&quot;</translation>
    </message>
    <message>
        <source>M&amp;odel…</source>
        <translation>模型(&amp;O)…</translation>
    </message>
    <message>
        <source>Model…</source>
        <translation>模型…</translation>
    </message>
    <message>
        <source>The data %1 was deleted or renamed.</source>
        <translation>数据 %1 已被删除或改名。</translation>
    </message>
    <message>
        <source>Results stay; running needs the data.</source>
        <translation>结果保留；运行需要这些数据。</translation>
    </message>
    <message>
        <source>The last run failed; results are from an earlier run.</source>
        <translation>上次运行失败；所示结果是之前测得的。</translation>
    </message>
    <message>
        <source>The last run failed.</source>
        <translation>上次运行失败。</translation>
    </message>
    <message>
        <source>Path on the engine&apos;s machine</source>
        <translation>引擎所在机器上的路径</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Models (%1);;All files (*)</source>
        <translation>模型 (%1);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Use this file</source>
        <translation>采用此文件</translation>
    </message>
    <message>
        <source>The engine is reading the model…</source>
        <translation>引擎正在读取模型…</translation>
    </message>
    <message>
        <source>The model cannot be read.</source>
        <translation>无法读取模型。</translation>
    </message>
    <message>
        <source>It crashed several times in a row. Press F5 to try again; the log shows its output.</source>
        <translation>引擎已连续多次崩溃。按 F5 重试；日志中有其输出。</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>The engine is not running.</source>
        <translation>引擎没有运行。</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>语言：%1</translation>
    </message>
    <message>
        <source>Cancel asks again at the next start.</source>
        <translation>“取消”会在下次启动时再次询问。</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
    <message>
        <source>Open on the engine&apos;s mac&amp;hine…</source>
        <translation>打开引擎所在机器上的文件(&amp;H)…</translation>
    </message>
    <message>
        <source>Open the sa&amp;mple</source>
        <translation>打开示例(&amp;M)</translation>
    </message>
    <message>
        <source>Run s&amp;election in FP32</source>
        <translation>将选中算子以 FP32 运行(&amp;E)</translation>
    </message>
    <message>
        <source>P&amp;latforms…</source>
        <translation>平台(&amp;L)…</translation>
    </message>
    <message>
        <source>&amp;Next worst operation</source>
        <translation>下一个最差算子(&amp;N)</translation>
    </message>
    <message>
        <source>It restarts automatically. The recipe is unchanged and finished stages are cached: press F5 to run again.</source>
        <translation>引擎会自动重新启动。配方没有变化，已完成的阶段在缓存中：按 F5 重新运行。</translation>
    </message>
    <message>
        <source>earlier run: output SQNR %1 dB</source>
        <translation>较早的运行：输出 SQNR %1 dB</translation>
    </message>
    <message>
        <source>Collapse the bod&amp;ies of If, Loop and Scan</source>
        <translation>收起 If、Loop 和 Scan 的子图(&amp;I)</translation>
    </message>
    <message>
        <source>Reload recipe from disk</source>
        <translation>从磁盘重新载入配方</translation>
    </message>
    <message>
        <source>The open recipe is unchanged.</source>
        <translation>打开的配方保持不变。</translation>
    </message>
    <message>
        <source>Undo then restores your changes.</source>
        <translation>之后可用“撤销”恢复您的修改。</translation>
    </message>
    <message>
        <source>Left to r&amp;ight</source>
        <translation>从左到右(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Wrap into columns</source>
        <translation>折成多列(&amp;W)</translation>
    </message>
    <message>
        <source>%1 % of the output&apos;s integers equal float</source>
        <translation>输出整数中 %1 % 与浮点相等</translation>
    </message>
    <message>
        <source>All other settings are kept.</source>
        <translation>其他设置均保留。</translation>
    </message>
    <message>
        <source>Parameters of %1</source>
        <translation>%1 的参数</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Parameters…</source>
        <translation>参数…</translation>
    </message>
    <message>
        <source>&amp;Cut the model</source>
        <translation>截断模型(&amp;C)</translation>
    </message>
    <message>
        <source>Start at the selected operations</source>
        <translation>从所选算子开始</translation>
    </message>
    <message>
        <source>End at the selected operations</source>
        <translation>到所选算子为止</translation>
    </message>
    <message>
        <source>End before unsupported operations</source>
        <translation>在不支持的算子之前结束</translation>
    </message>
    <message>
        <source>Use the whole model</source>
        <translation>使用整个模型</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>It does not start until you allow it.</source>
        <translation>在您允许之前不会启动。</translation>
    </message>
    <message>
        <source>Allow…</source>
        <translation>允许…</translation>
    </message>
    <message>
        <source>Plu&amp;g-ins and programs…</source>
        <translation>插件和程序(&amp;G)…</translation>
    </message>
    <message>
        <source>find: Conv, error&gt;0.1</source>
        <translation>查找：Conv、error&gt;0.1</translation>
    </message>
    <message>
        <source>Lock for Tune</source>
        <translation>调优时锁定</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>调优</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Training %1/%2</source>
        <translation>训练 %1/%2</translation>
    </message>
    <message>
        <source>Plug-ins…</source>
        <translation>插件…</translation>
    </message>
    <message>
        <source>Import encodings</source>
        <translation>导入编码</translation>
    </message>
    <message>
        <source>Encodings and quantized models (*.json *.encodings *.onnx);;All files (*)</source>
        <translation>编码和量化模型 (*.json *.encodings *.onnx);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Import %1</source>
        <translation>导入 %1</translation>
    </message>
    <message>
        <source>%1 of %2 tensors with encodings are in the model; the platform is %3.</source>
        <translation>有编码的 %2 个张量中，模型里找到 %1 个；平台为 %3。</translation>
    </message>
    <message>
        <source>The recipe now has the scales of %1.</source>
        <translation>配方已采用 %1 的缩放系数。</translation>
    </message>
    <message>
        <source>&amp;Import encodings…</source>
        <translation>导入编码(&amp;I)…</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>Ne&amp;xt dock</source>
        <translation>下一个面板(&amp;X)</translation>
    </message>
    <message>
        <source>Pre&amp;vious dock</source>
        <translation>上一个面板(&amp;V)</translation>
    </message>
    <message>
        <source>This installation has no sample.</source>
        <translation>此安装不含示例。</translation>
    </message>
    <message>
        <source>Install Quantloupe again, or copy the folder resources/sample of its sources to %1.</source>
        <translation>请重新安装 Quantloupe，或把源代码中的文件夹 resources/sample 复制到 %1。</translation>
    </message>
    <message>
        <source>Show where its noise comes from</source>
        <translation>查看其噪声的来源</translation>
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
    <name>ql::MetricSide</name>
    <message>
        <source>How good the outputs are by the labels of the evaluation data, in float and quantized. Runs report it, and searches can have it as a goal.</source>
        <translation>按评估数据的标签衡量输出的好坏，浮点和量化各测一次。运行会给出结果，搜索可以把它作为目标。</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Top-1, if the data has classes</source>
        <translation>Top-1（数据带类别时）</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>file or folder of labels</source>
        <translation>标签文件或文件夹</translation>
    </message>
    <message>
        <source>The subfolders of the evaluation images, or an array of labels, are the classes. Without them, only errors against float are measured.</source>
        <translation>类别来自评估图像的子文件夹或标签数组。没有类别时，只测量相对浮点的误差。</translation>
    </message>
    <message>
        <source>The engine does not have this metric.</source>
        <translation>引擎没有这个指标。</translation>
    </message>
</context>
<context>
    <name>ql::OperationModel</name>
    <message>
        <source>Noise / signal of the operation&apos;s output with the whole model quantized: mean over the evaluation samples of Σ(float − quantized)² / Σ float², over all elements.</source>
        <translation>全部量化时算子输出的噪声与信号之比：对所有元素计算 Σ(浮点 − 量化)² / Σ 浮点²，再对评估样本取平均。</translation>
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
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Graphwise noise</source>
        <translation>全图噪声</translation>
    </message>
    <message>
        <source>Layerwise noise</source>
        <translation>逐层噪声</translation>
    </message>
    <message>
        <source>Lowest SQNR of the graph outputs in dB: −10 log₁₀ of Σ(float − quantized)² / Σ float², mean over the evaluation samples.</source>
        <translation>各图输出中最小的信噪比，单位分贝：−10 log₁₀ Σ(浮点 − 量化)² / Σ 浮点²，对评估样本取平均。</translation>
    </message>
    <message>
        <source>Fraction of evaluation samples whose largest output matches the label.</source>
        <translation>最大输出与标签一致的评估样本所占比例。</translation>
    </message>
    <message>
        <source>Change in SQNR from the baseline run in dB: −10 log₁₀ of noise / signal divided by that of the baseline; positive is better.</source>
        <translation>信噪比相对基线运行的变化（分贝）：当前噪信比除以基线噪信比，取 −10 log₁₀；正值为好。</translation>
    </message>
    <message numerus="yes">
        <source>%n evaluation sample(s) on %1</source>
        <translation>
            <numerusform>%n 个评估样本，设备 %1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, noise / signal %2</source>
        <translation>%1，噪声 / 信号 %2</translation>
    </message>
    <message>
        <source>Position in execution order</source>
        <translation>在执行顺序中的位置</translation>
    </message>
    <message>
        <source>SQNR of the operation&apos;s output with the whole model quantized, in dB: −10 log₁₀ of graphwise noise / signal, the mean over the evaluation samples of Σ(float − quantized)² / Σ float².</source>
        <translation>完全量化的模型中该算子输出的信号与量化噪声之比（分贝）：全图噪信比的 −10 log₁₀；噪信比为 Σ(浮点 − 量化)² / Σ 浮点² 对评估样本的平均。</translation>
    </message>
    <message>
        <source>SQNR at the worst graph output with only this operation quantized, in dB: −10 log₁₀ of layerwise noise / signal.</source>
        <translation>仅量化此算子时，最差的图输出的信噪比（分贝）：逐层噪信比的 −10 log₁₀。</translation>
    </message>
    <message>
        <source>Cosine similarity of float and quantized output, Σ float · quantized / √(Σ float² · Σ quantized²), mean over the samples.</source>
        <translation>浮点输出与量化输出的余弦，Σ 浮点·量化 / √(Σ 浮点² · Σ 量化²)，对样本取平均。</translation>
    </message>
    <message>
        <source>Noise / signal at the worst graph output with only this operation quantized. ≈ marks an estimate by a backward pass.</source>
        <translation>只量化该算子时，最差网络输出处的噪声与信号之比。≈ 表示由反向传播得到的估计值。</translation>
    </message>
</context>
<context>
    <name>ql::OriginPanel</name>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>自身新增</translation>
    </message>
    <message>
        <source>Came in through</source>
        <translation>来自输入</translation>
    </message>
    <message>
        <source>Origin of the noise</source>
        <translation>噪声来源</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Noise: noise / signal in the operation&apos;s result in the quantized network. Added: by its own rounding, with float inputs. Came in through: with only this input from the quantized network.</source>
        <translation>噪声：量化网络中该算子结果的噪声/信号。自身新增：输入为浮点时由自身舍入产生。来自输入：只有这个输入取自量化网络时的噪声。</translation>
    </message>
    <message>
        <source>Measures on the evaluation data what each operation adds and what it passes on.</source>
        <translation>用评估数据测量每个算子新增和传递的噪声。</translation>
    </message>
    <message>
        <source>Stops the measurement.</source>
        <translation>停止测量。</translation>
    </message>
    <message>
        <source>SQNR %1 to %2 (95 %)</source>
        <translation>SQNR %1 至 %2（95 %）</translation>
    </message>
    <message>
        <source>worst sample %1 with %2</source>
        <translation>最差样本 %1，%2</translation>
    </message>
    <message>
        <source>the metric changes by %1 to %2 points</source>
        <translation>指标变化 %1 至 %2 个百分点</translation>
    </message>
    <message>
        <source>noise %1, of which its own rounding adds %2; came in through %3</source>
        <translation>噪声 %1，其中自身舍入新增 %2；来自输入：%3</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>The recipe has changed since this was measured.</source>
        <translation>测量之后配方已更改。</translation>
    </message>
    <message>
        <source>Shows where the noise at the outputs comes from: what each operation adds by its own rounding, what comes in through its inputs, and which samples suffer most.</source>
        <translation>显示输出噪声的来源：每个算子自身舍入新增了多少，从输入带来了多少，以及哪些样本受影响最大。</translation>
    </message>
    <message>
        <source>Samples with most noise</source>
        <translation>噪声最大的样本</translation>
    </message>
    <message>
        <source>Samples with most noise at the outputs. A click marks one in the map.</source>
        <translation>输出噪声最大的样本。点击可在图中标出该样本。</translation>
    </message>
    <message>
        <source>activations %1</source>
        <translation>激活 %1</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>biases %1</source>
        <translation>偏置 %1</translation>
    </message>
    <message>
        <source>rounded alone: %1</source>
        <translation>单独舍入：%1</translation>
    </message>
</context>
<context>
    <name>ql::PaintedTable</name>
    <message numerus="yes">
        <source>%n more row(s): save as CSV for all</source>
        <translation>
            <numerusform>还有 %n 行：CSV 包含全部</numerusform>
        </translation>
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
    <message>
        <source>Expected an integer; got &apos;%1&apos;.</source>
        <translation>需要整数；得到“%1”。</translation>
    </message>
    <message>
        <source>Expected a number; got &apos;%1&apos;.</source>
        <translation>需要数字；得到“%1”。</translation>
    </message>
</context>
<context>
    <name>ql::ParetoPlot</name>
    <message>
        <source>Trials: cost against error</source>
        <translation>试验：成本与误差</translation>
    </message>
    <message>
        <source>noise / signal</source>
        <translation>噪声 / 信号</translation>
    </message>
    <message>
        <source>metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>weight bytes</source>
        <translation>权重字节数</translation>
    </message>
    <message>
        <source>trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>SQNR, dB</source>
        <translation>SQNR，dB</translation>
    </message>
    <message>
        <source>bits / MAC</source>
        <translation>位数/MAC</translation>
    </message>
    <message>
        <source>Filled: kept. Hollow: rejected. Line: trials of which none is both cheaper and better. Bar: 95 % interval of the metric.
Click a point, or press Left and Right, to choose a trial.</source>
        <translation>实心：保留。空心：舍弃。折线：没有其他试验既更省又更好的那些试验。竖线：指标的 95 % 区间。
点击一个点，或按左右方向键，选择试验。</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL 散度</translation>
    </message>
</context>
<context>
    <name>ql::PassModel</name>
    <message>
        <source>The engine has no such pass.</source>
        <translation>引擎没有这个步骤。</translation>
    </message>
    <message>
        <source>It changes the float graph and runs before the quantization passes, regardless of its position here.</source>
        <translation>它修改浮点图，无论排在哪里都会先于量化步骤执行。</translation>
    </message>
    <message>
        <source>It reads scales that &apos;%1&apos; sets later.</source>
        <translation>它读取的缩放系数要到后面的“%1”才得到。</translation>
    </message>
    <message>
        <source>It reads scales that &apos;%1&apos; would set.</source>
        <translation>它读取的缩放系数应由“%1”得到。</translation>
    </message>
    <message>
        <source>It merges slots that have already been calibrated separately.</source>
        <translation>它要合并的位置已经逐个校准过了。</translation>
    </message>
    <message>
        <source>It has just run with the same parameters.</source>
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
        <source>SQNR of the worst output with the model quantized up to this pass, on the evaluation samples; below it, the change due to this pass.</source>
        <translation>到此步骤为止已量化部分下最差输出的信噪比（评估样本）；其下为此步骤带来的变化。</translation>
    </message>
    <message>
        <source>Output SQNR</source>
        <translation>输出 SQNR</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
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
    <message>
        <source>&apos;%1&apos; runs later and changes its result.</source>
        <translation>它后面的“%1”会改变它处理过的内容。</translation>
    </message>
    <message>
        <source>It has no parameter &apos;%1&apos;.</source>
        <translation>它没有参数“%1”。</translation>
    </message>
    <message>
        <source>Its parameter &apos;%1&apos; cannot be %2.</source>
        <translation>其参数“%1”不能为 %2。</translation>
    </message>
    <message>
        <source>it supports only floating-point codes</source>
        <translation>它只支持浮点编码</translation>
    </message>
    <message>
        <source>it supports only integer codes</source>
        <translation>它只支持整数编码</translation>
    </message>
    <message>
        <source>only symmetric codes</source>
        <translation>仅支持对称</translation>
    </message>
    <message>
        <source>only one scale per tensor</source>
        <translation>每个张量仅一个缩放系数</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>The observer &apos;%1&apos; does not support %2: %3.</source>
        <translation>观察器“%1”无法按 %2 的要求求出缩放系数：%3。</translation>
    </message>
    <message>
        <source>From here on weights or activations are rounded: the loss is the cost of low precision, minus what earlier passes have saved.</source>
        <translation>从这里起，权重或激活开始取整：这里的损失是低精度本身的代价，已扣除前面各步骤所挽回的部分。</translation>
    </message>
</context>
<context>
    <name>ql::PipelinePanel</name>
    <message>
        <source>Pass pipeline</source>
        <translation>处理流程</translation>
    </message>
    <message>
        <source>Add a pass after the current one</source>
        <translation>在当前步骤之后添加</translation>
    </message>
    <message>
        <source>Restore the platform&apos;s pipeline</source>
        <translation>恢复平台的处理流程</translation>
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
        <source>Float graph</source>
        <translation>浮点图</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Pipelines</source>
        <translation>流程</translation>
    </message>
    <message numerus="yes">
        <source>in %n operation(s)</source>
        <translation>
            <numerusform>涉及 %n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>output SQNR %1</source>
        <translation>输出 SQNR %1</translation>
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
    <message>
        <source>before the edit: %1</source>
        <translation>修改之前：%1</translation>
    </message>
    <message>
        <source>Add a pass</source>
        <translation>添加步骤</translation>
    </message>
    <message>
        <source>Move the pass up</source>
        <translation>上移步骤</translation>
    </message>
    <message>
        <source>Move the pass down</source>
        <translation>下移步骤</translation>
    </message>
    <message>
        <source>Duplicate the pass</source>
        <translation>复制步骤</translation>
    </message>
    <message>
        <source>Remove the pass</source>
        <translation>移除步骤</translation>
    </message>
    <message>
        <source>change %1</source>
        <translation>变化 %1</translation>
    </message>
    <message>
        <source>Replace the saved pipeline &apos;%1&apos;?</source>
        <translation>替换已保存的流程“%1”？</translation>
    </message>
    <message>
        <source>Remove pipeline</source>
        <translation>删除流程</translation>
    </message>
    <message>
        <source>Remove the saved pipeline &apos;%1&apos;? This cannot be undone.</source>
        <translation>删除已保存的流程“%1”？此操作无法撤销。</translation>
    </message>
    <message>
        <source>pipeline of this recipe</source>
        <translation>此配方自有的流程</translation>
    </message>
    <message>
        <source>Order of the passes, saved pipelines</source>
        <translation>Pass 的顺序、已保存的流水线</translation>
    </message>
</context>
<context>
    <name>ql::PlatformComparison</name>
    <message>
        <source>Type</source>
        <translation>类型</translation>
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
        <source>Compare on this model with</source>
        <translation>在此模型上，对比</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>读取中…</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) differ between %1 and %2.</source>
        <translation>
            <numerusform>%1 与 %2 之间有 %n 个算子不同。</numerusform>
        </translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>算子</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s): %1 …</source>
        <translation>
            <numerusform>%n 个算子：%1 …</numerusform>
        </translation>
    </message>
    <message>
        <source>Worst SQNR of these operations in the last run on this platform; empty: not run yet</source>
        <translation>这些算子在此平台最近一次运行中最差的 SQNR；空：尚未运行</translation>
    </message>
    <message>
        <source>Error
%1</source>
        <translation>误差
%1</translation>
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
        <source>Quantizable types</source>
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
        <source>Exporters</source>
        <translation>导出器</translation>
    </message>
    <message>
        <source>Rules (later ones win)</source>
        <translation>规则，后者优先</translation>
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
        <source>Built-in: copy it to edit it.</source>
        <translation>内置平台：复制后可修改。</translation>
    </message>
    <message>
        <source>The definition is valid.</source>
        <translation>定义有效。</translation>
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
        <source>+ Add rule</source>
        <translation>+ 添加规则</translation>
    </message>
    <message>
        <source>Add a rule after the current one</source>
        <translation>在当前规则之后添加一条规则</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>保存对 %1 的修改吗？</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Move the rule up (Alt+Up)</source>
        <translation>上移规则 (Alt+Up)</translation>
    </message>
    <message>
        <source>Move the rule down (Alt+Down)</source>
        <translation>下移规则 (Alt+Down)</translation>
    </message>
    <message>
        <source>Remove the rule (Delete)</source>
        <translation>移除规则 (Delete)</translation>
    </message>
    <message>
        <source>Passes, in order</source>
        <translation>步骤，按顺序</translation>
    </message>
    <message>
        <source>Rename platform</source>
        <translation>重命名平台</translation>
    </message>
    <message>
        <source>New id, one word</source>
        <translation>新的标识，一个词</translation>
    </message>
    <message>
        <source>The recipe uses %1: choose another platform for the model before you delete this one.</source>
        <translation>配方正在使用 %1：请先为模型选择其他平台，再删除它。</translation>
    </message>
    <message>
        <source>Delete platform</source>
        <translation>删除平台</translation>
    </message>
    <message>
        <source>Delete the platform %1 and its file? This cannot be undone, and recipes that use it can no longer be run.</source>
        <translation>删除平台 %1 及其文件吗？此操作无法撤销，使用它的其他配方将无法再运行。</translation>
    </message>
    <message>
        <source>every slot</source>
        <translation>所有张量位</translation>
    </message>
    <message>
        <source>Platform %1 already exists: choose another id.</source>
        <translation>平台 %1 已存在：请选择另一个 ID。</translation>
    </message>
    <message>
        <source>Extends</source>
        <translation>继承自</translation>
    </message>
    <message>
        <source>Settings that are omitted here are inherited from this platform, and its rules apply first. Changes to it also affect this platform.</source>
        <translation>此处省略的设定继承自该平台，且其规则先生效。对它的修改也会影响本平台。</translation>
    </message>
    <message>
        <source>float</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>How the target computes quantized layers: in floating point, or with integer accumulators and fixed-point rescaling.</source>
        <translation>目标如何计算量化层：以浮点计算，或用整数累加器加定点重缩放。</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>算术</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Rules, after the %1 inherited from %2 (later ones win)</source>
        <translation>规则（在继承自 %2 的 %1 条之后，后者优先）</translation>
    </message>
</context>
<context>
    <name>ql::PlatformDifference</name>
    <message>
        <source>percentile</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>minimum scale</source>
        <translation>最小缩放系数</translation>
    </message>
    <message>
        <source>histogram bins</source>
        <translation>直方图格数</translation>
    </message>
    <message>
        <source>isotone axis</source>
        <translation>保序轴</translation>
    </message>
    <message>
        <source>from calibration</source>
        <translation>来自校准</translation>
    </message>
    <message>
        <source>exported when active</source>
        <translation>有效时导出</translation>
    </message>
    <message>
        <source>always exported</source>
        <translation>总是导出</translation>
    </message>
    <message>
        <source>not exported</source>
        <translation>不导出</translation>
    </message>
    <message>
        <source>float</source>
        <translation>浮点</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>位宽</translation>
    </message>
    <message>
        <source>%1 bits</source>
        <translation>%1 位</translation>
    </message>
    <message>
        <source>exponent</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>%1 exponent bits</source>
        <translation>%1 位指数</translation>
    </message>
    <message>
        <source>codes</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>codes %1 … %2</source>
        <translation>编码 %1 … %2</translation>
    </message>
    <message>
        <source>symmetry</source>
        <translation>对称性</translation>
    </message>
    <message>
        <source>symmetric</source>
        <translation>对称</translation>
    </message>
    <message>
        <source>asymmetric</source>
        <translation>非对称</translation>
    </message>
    <message>
        <source>power of two</source>
        <translation>2 的幂</translation>
    </message>
    <message>
        <source>power of two scale</source>
        <translation>缩放系数为 2 的幂</translation>
    </message>
    <message>
        <source>any scale</source>
        <translation>任意缩放系数</translation>
    </message>
    <message>
        <source>granularity</source>
        <translation>粒度</translation>
    </message>
    <message>
        <source>per channel, axis %1</source>
        <translation>逐通道，轴 %1</translation>
    </message>
    <message>
        <source>per tensor</source>
        <translation>逐张量</translation>
    </message>
    <message>
        <source>dynamic</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>static</source>
        <translation>静态</translation>
    </message>
    <message>
        <source>rounding</source>
        <translation>取整</translation>
    </message>
    <message>
        <source>rounding %1</source>
        <translation>取整 %1</translation>
    </message>
    <message>
        <source>observer</source>
        <translation>观察器</translation>
    </message>
    <message>
        <source>observer %1</source>
        <translation>观察器 %1</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放系数</translation>
    </message>
    <message>
        <source>scale %1</source>
        <translation>缩放系数 %1</translation>
    </message>
    <message>
        <source>export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>%1: %2 (%3) ↔ %4 (%5)</source>
        <translation>%1：%2（%3）↔ %4（%5）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 (rule %2)</source>
        <translation>%1（规则 %2）</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>percentile over %1</source>
        <translation>百分位取自 %1</translation>
    </message>
    <message>
        <source>For example: %1</source>
        <translation>例如：%1</translation>
    </message>
    <message>
        <source>groups of %1, axis %2</source>
        <translation>每组 %1 个，轴 %2</translation>
    </message>
    <message>
        <source>scale format</source>
        <translation>缩放系数格式</translation>
    </message>
    <message>
        <source>codebook</source>
        <translation>码本</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>ql::PlatformPasses</name>
    <message>
        <source>Passes of the platform</source>
        <translation>平台的步骤</translation>
    </message>
    <message>
        <source>+ Add pass</source>
        <translation>+ 添加步骤</translation>
    </message>
    <message>
        <source>Add a pass after the current one</source>
        <translation>在当前步骤之后添加</translation>
    </message>
    <message>
        <source>Move the pass up (Alt+Up)</source>
        <translation>上移步骤 (Alt+Up)</translation>
    </message>
    <message>
        <source>Move the pass down (Alt+Down)</source>
        <translation>下移步骤 (Alt+Down)</translation>
    </message>
    <message>
        <source>Remove the pass (Delete)</source>
        <translation>移除步骤 (Delete)</translation>
    </message>
</context>
<context>
    <name>ql::PluginsDialog</name>
    <message>
        <source>Plug-in</source>
        <translation>插件</translation>
    </message>
    <message>
        <source>Registers</source>
        <translation>注册内容</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Loaded plug-ins</source>
        <translation>已加载的插件</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Plug-ins and programs</source>
        <translation>插件和程序</translation>
    </message>
    <message>
        <source>A recipe can name plug-ins, and programs that provide samples. They can do anything that you can do. None is started until you allow it here; if its file changes, you must allow it again.</source>
        <translation>配方可以指定插件以及提供样本的程序。它们能做您能做的任何事情。在您于此处允许之前，它们都不会启动；如果文件发生变化，则必须再次允许。</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>已允许</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>未允许</translation>
    </message>
    <message>
        <source>Plug-ins and programs of the recipe</source>
        <translation>配方的插件和程序</translation>
    </message>
    <message>
        <source>Add plug-in…</source>
        <translation>添加插件…</translation>
    </message>
    <message>
        <source>Locate…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Chooses the file of a plug-in that is missing.</source>
        <translation>为缺失的插件选择文件。</translation>
    </message>
    <message>
        <source>Removes the selected plug-in from the recipe.</source>
        <translation>从配方中移除选中的插件。</translation>
    </message>
    <message>
        <source>Plug-ins and programs of this recipe</source>
        <translation>此配方的插件和程序</translation>
    </message>
    <message>
        <source>Add plug-in</source>
        <translation>添加插件</translation>
    </message>
    <message>
        <source>Locate %1</source>
        <translation>查找 %1</translation>
    </message>
    <message>
        <source>it is a plug-in</source>
        <translation>它是插件</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Path on the engine&apos;s machine</source>
        <translation>引擎所在机器上的路径</translation>
    </message>
    <message>
        <source>Plug-ins (*.so);;All files (*)</source>
        <translation>插件 (*.so);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Add plug-in %1</source>
        <translation>添加插件 %1</translation>
    </message>
    <message>
        <source>Locate plug-in %1</source>
        <translation>查找插件 %1</translation>
    </message>
    <message>
        <source>Remove plug-in %1</source>
        <translation>移除插件 %1</translation>
    </message>
    <message>
        <source>Allow all</source>
        <translation>全部允许</translation>
    </message>
</context>
<context>
    <name>ql::ProblemList</name>
    <message>
        <source>Not supported: %1</source>
        <translation>不支持：%1</translation>
    </message>
    <message>
        <source>Export the model with other operators, or cut this part off.</source>
        <translation>请用其他算子导出模型，或截去这一部分。</translation>
    </message>
    <message>
        <source>“%1” changed the output SQNR by %2 dB: from %3 to %4 dB.</source>
        <translation>“%1”使输出 SQNR 变化 %2 dB：从 %3 到 %4 dB。</translation>
    </message>
</context>
<context>
    <name>ql::ProblemModel</name>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Remedy</source>
        <translation>处理办法</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>From a run before the last edit: press F5 to check again.</source>
        <translation>来自上次修改之前的运行：按 F5 重新检查。</translation>
    </message>
</context>
<context>
    <name>ql::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>问题</translation>
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
        <source>Running. Problems appear here when the run has finished.</source>
        <translation>正在运行。运行结束后，问题会列在这里。</translation>
    </message>
    <message>
        <source>Press F5 to run the model; problems appear here.</source>
        <translation>按 F5 运行模型；问题会列在这里。</translation>
    </message>
    <message>
        <source>Remedies</source>
        <translation>补救办法</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个百分点</translation>
    </message>
    <message>
        <source>Tried: it changes the output SQNR by %1.</source>
        <translation>已试用：输出 SQNR 变化 %1。</translation>
    </message>
    <message>
        <source>Tried: it changes the equal integers of the output by %1.</source>
        <translation>已试用：输出中相等整数的比例变化 %1。</translation>
    </message>
</context>
<context>
    <name>ql::ProgramField</name>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Start its program</source>
        <translation>启动其程序</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>The file names a program that is started on the engine&apos;s machine. Allow it if you trust the file. It is remembered until the file or a script that it names changes.</source>
        <translation>该文件指定一个在引擎所在机器上启动的程序。信任该文件时才允许。在该文件或其指定的脚本更改之前会记住此选择。</translation>
    </message>
</context>
<context>
    <name>ql::RecipePanel</name>
    <message>
        <source>Dispatch</source>
        <translation>调度</translation>
    </message>
    <message>
        <source>Operations whose platform you set yourself. Later rules win.</source>
        <translation>由您指定平台的算子。后面的规则优先。</translation>
    </message>
    <message>
        <source>Overrides</source>
        <translation>覆盖设定</translation>
    </message>
    <message>
        <source>Your changes to tensor configs, applied after the platform&apos;s rules. Later overrides win.</source>
        <translation>您对张量设定的修改，在平台规则之后生效。后面的覆盖设定优先。</translation>
    </message>
    <message>
        <source>Analyses</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Measurements of each run. Graph outputs are always measured, unless the list is empty.</source>
        <translation>每次运行的测量项目。图的输出总会测量，除非列表为空。</translation>
    </message>
    <message>
        <source>Exports</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Files that each run writes.</source>
        <translation>运行时写出的文件。</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Entry</source>
        <translation>条目</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设定</translation>
    </message>
    <message>
        <source>Recipe lists</source>
        <translation>配方的列表</translation>
    </message>
    <message>
        <source>Add a rule, an analysis or an export</source>
        <translation>添加规则、分析或导出</translation>
    </message>
    <message>
        <source>Entry as JSON</source>
        <translation>条目的 JSON</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>应用</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>It matches nothing in this model.</source>
        <translation>在此模型中没有匹配任何对象。</translation>
    </message>
    <message numerus="yes">
        <source>It matches at most %n operation(s). Click to highlight them in the graph.</source>
        <translation>
            <numerusform>最多匹配 %n 个算子。点击可在图中标记。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>It matches %n operation(s). Click to highlight them in the graph.</source>
        <translation>
            <numerusform>匹配 %n 个算子。点击可在图中标记。</numerusform>
        </translation>
    </message>
    <message>
        <source>Dispatch rule</source>
        <translation>调度规则</translation>
    </message>
    <message>
        <source>Override</source>
        <translation>覆盖设定</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>分析</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>添加 %1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>This is not valid JSON: check for a missing quote, comma or brace.</source>
        <translation>这不是 JSON：请检查是否缺少引号、逗号或括号。</translation>
    </message>
    <message>
        <source>Edit %1</source>
        <translation>修改 %1</translation>
    </message>
    <message>
        <source>Add to the recipe</source>
        <translation>添加到配方</translation>
    </message>
    <message>
        <source>Move the recipe entry up</source>
        <translation>上移配方条目</translation>
    </message>
    <message>
        <source>Move the recipe entry down</source>
        <translation>下移配方条目</translation>
    </message>
    <message>
        <source>Remove the recipe entry</source>
        <translation>移除配方条目</translation>
    </message>
    <message>
        <source>Duplicate the recipe entry</source>
        <translation>复制一份配方条目</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Order of the entries</source>
        <translation>条目的顺序</translation>
    </message>
</context>
<context>
    <name>ql::RuleForm</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>A few words that identify the rule in reports.</source>
        <translation>几个词；报告用它来称呼该规则。</translation>
    </message>
    <message>
        <source>Matches slots that meet all of these conditions</source>
        <translation>匹配满足以下全部条件的张量位</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Operator types, separated by commas; empty: all.</source>
        <translation>算子类型，以逗号分隔；不填则为全部。</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Any of the checked roles; none checked: every slot.</source>
        <translation>所勾选的任意一种；都不勾选则为所有张量位。</translation>
    </message>
    <message>
        <source>Previous state</source>
        <translation>先前状态</translation>
    </message>
    <message>
        <source>The state before this rule: any of the checked ones.</source>
        <translation>此规则之前的状态：所勾选的任意一种。</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>Number of the input, or of the output if the role is output.</source>
        <translation>输入的序号；角色为输出时是输出的序号。</translation>
    </message>
    <message>
        <source>Index from</source>
        <translation>起始序号</translation>
    </message>
    <message>
        <source>This number and all higher ones.</source>
        <translation>该序号及其后的全部。</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入数</translation>
    </message>
    <message>
        <source>Number of inputs of the operation: 3, or 3+ for three or more.</source>
        <translation>算子的输入个数：3；或 3+，表示三个及以上。</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>常量</translation>
    </message>
    <message>
        <source>Whether the tensor has a constant value.</source>
        <translation>张量是否为常量。</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>As JSON: attribute to value, or to {&quot;all&quot;: value} for lists.</source>
        <translation>JSON 形式：属性对应值，列表可用 {&quot;all&quot;: 值}。</translation>
    </message>
    <message>
        <source>Sets on matching slots</source>
        <translation>在匹配处设定</translation>
    </message>
    <message>
        <source>Bits</source>
        <translation>位宽</translation>
    </message>
    <message>
        <source>Number of bits per code, 2 to 32. Also sets the range of codes.</source>
        <translation>编码的位宽，2 到 32，同时决定编码范围。</translation>
    </message>
    <message>
        <source>Symmetric</source>
        <translation>对称</translation>
    </message>
    <message>
        <source>Symmetric: the zero point is 0.</source>
        <translation>对称：零点为 0。</translation>
    </message>
    <message>
        <source>Lowest code</source>
        <translation>最小编码</translation>
    </message>
    <message>
        <source>Set together with the highest code.</source>
        <translation>与最大编码一起给出。</translation>
    </message>
    <message>
        <source>Highest code</source>
        <translation>最大编码</translation>
    </message>
    <message>
        <source>Set together with the lowest code.</source>
        <translation>与最小编码一起给出。</translation>
    </message>
    <message>
        <source>Granularity</source>
        <translation>粒度</translation>
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
        <source>Power of two</source>
        <translation>2 的幂</translation>
    </message>
    <message>
        <source>Scales are powers of two.</source>
        <translation>缩放系数为 2 的幂。</translation>
    </message>
    <message>
        <source>Exponent bits</source>
        <translation>指数位</translation>
    </message>
    <message>
        <source>Above 0: floating-point codes with this many exponent bits.</source>
        <translation>大于 0：具有该位数指数的浮点编码。</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>观察器</translation>
    </message>
    <message>
        <source>How the range is derived from the calibration data.</source>
        <translation>如何由校准数据得到取值范围。</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>initial: calibrated; passive: the scale is derived from others; fp32: not quantized.</source>
        <translation>initial：经校准；passive：缩放系数由其他张量得出；fp32：不量化。</translation>
    </message>
    <message>
        <source>Percentile</source>
        <translation>百分位</translation>
    </message>
    <message>
        <source>Observer parameter, 0.5 to 1.</source>
        <translation>观察器的选项，0.5 到 1。</translation>
    </message>
    <message>
        <source>Minimum scale</source>
        <translation>最小缩放系数</translation>
    </message>
    <message>
        <source>Observer parameter: lower bound of the scale.</source>
        <translation>观察器的选项：缩放系数不会小于它。</translation>
    </message>
    <message>
        <source>Histogram bins</source>
        <translation>直方图格数</translation>
    </message>
    <message>
        <source>Observer parameter.</source>
        <translation>观察器的选项。</translation>
    </message>
    <message>
        <source>Isotone axis</source>
        <translation>保序轴</translation>
    </message>
    <message>
        <source>Observer parameter: the axis of the classes.</source>
        <translation>观察器的选项：类别所在的轴。</translation>
    </message>
    <message>
        <source>Dynamic</source>
        <translation>动态</translation>
    </message>
    <message>
        <source>The scale is computed from each tensor at run time.</source>
        <translation>缩放系数在运行时由每个张量得出。</translation>
    </message>
    <message>
        <source>Exported</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Whether exporters write it.</source>
        <translation>导出器是否写出它。</translation>
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
        <source>Percentile over</source>
        <translation>百分位取自</translation>
    </message>
    <message>
        <source>Observer parameter: over the values of all batches, or per batch and averaged.</source>
        <translation>观察器的选项：全部批次的数值，或各批次的平均。</translation>
    </message>
    <message>
        <source>%1: “%2” is not a valid value.</source>
        <translation>%1：“%2”不是有效的值。</translation>
    </message>
    <message>
        <source>One scale for the whole tensor, one per output channel, one per entry of an axis, or one per group of input channels of a weight.</source>
        <translation>整个张量一个缩放系数、每个输出通道一个、沿某一轴各一个，或权重的每组输入通道一个。</translation>
    </message>
    <message>
        <source>Scale format</source>
        <translation>缩放系数格式</translation>
    </message>
    <message>
        <source>float32; e8m0: powers of two of the Microscaling formats; e4m3: FP8 times a scale per tensor.</source>
        <translation>float32；e8m0：Microscaling 格式的 2 的幂；e4m3：FP8 乘以每张量一个缩放系数。</translation>
    </message>
    <message>
        <source>Codebook</source>
        <translation>码本</translation>
    </message>
    <message>
        <source>nf4: codes select values of NormalFloat 4.</source>
        <translation>nf4：编码代表 NormalFloat 4 的值。</translation>
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
    <message>
        <source>Output SQNR %1</source>
        <translation>输出 SQNR %1</translation>
    </message>
    <message>
        <source>Accuracy %1 %, float %2 %</source>
        <translation>准确率 %1 %，浮点为 %2 %</translation>
    </message>
</context>
<context>
    <name>ql::RunsPanel</name>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Compare with this run (set as baseline)</source>
        <translation>与此次运行比较（设为基线）</translation>
    </message>
    <message>
        <source>Restore this recipe</source>
        <translation>回到此配方</translation>
    </message>
    <message>
        <source>Recipe of run %1</source>
        <translation>第 %1 次运行的配方</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Every run is kept here, also after a restart.</source>
        <translation>每次运行都保存在这里，程序重启后仍在。</translation>
    </message>
    <message>
        <source>Note…</source>
        <translation>备注…</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Note of run %1</source>
        <translation>运行 %1 的备注</translation>
    </message>
    <message>
        <source>Delete this run…</source>
        <translation>删除此次运行…</translation>
    </message>
    <message>
        <source>Delete the run</source>
        <translation>删除运行</translation>
    </message>
    <message>
        <source>Delete run #%1 with its recipe and report?</source>
        <translation>删除运行 #%1 及其配方和报告？</translation>
    </message>
    <message>
        <source>Compare runs…</source>
        <translation>比较运行…</translation>
    </message>
</context>
<context>
    <name>ql::ScaleGroupCard</name>
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
    <name>ql::SettingsDialog</name>
    <message>
        <source>Model inputs and device</source>
        <translation>模型输入与设备</translation>
    </message>
    <message>
        <source>Sizes that the model leaves open are taken from the data. To set them yourself, write them here: 1x3x224x224, with ? for sizes to keep.</source>
        <translation>模型未固定的尺寸取自数据。要自行指定，请在此填写：1x3x224x224，用 ? 表示保持不变。</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>New shape</source>
        <translation>新形状</translation>
    </message>
    <message>
        <source>Shapes of the model&apos;s inputs</source>
        <translation>模型输入的形状</translation>
    </message>
    <message>
        <source>Devices on the engine&apos;s machine: cpu, or a GPU by its number. Scales may differ in the last digits between devices.</source>
        <translation>引擎所在机器上的设备：cpu，或按编号的 GPU。不同设备上的缩放系数在末几位可能不同。</translation>
    </message>
    <message>
        <source>one per core</source>
        <translation>每个核心一个</translation>
    </message>
    <message>
        <source>CPU threads of the engine.</source>
        <translation>引擎在 CPU 上的线程数。</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>%1: “%2” is not a shape. Write sizes such as 1x3x224x224, with ? for sizes to keep.</source>
        <translation>%1：“%2”不是形状。请按 1x3x224x224 的形式填写尺寸，用 ? 表示保持不变。</translation>
    </message>
</context>
<context>
    <name>ql::StartPage</name>
    <message>
        <source>Find out why a network loses accuracy in low precision, fix it, and export it.</source>
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
        <source>Open an ONNX or Caffe model, choose a platform, and drop a folder of images or arrays for calibration.</source>
        <translation>打开 ONNX 或 Caffe 模型，选择平台，再拖入用于校准的图片或数组文件夹。</translation>
    </message>
    <message>
        <source>Press F5 to quantize and measure: the graph and the bars show where the error comes from. [ and ] step through the worst operations.</source>
        <translation>按 F5 量化并测量：计算图和柱形图显示误差来自哪里。用 [ 和 ] 依次查看最差的算子。</translation>
    </message>
    <message>
        <source>Change bits, scales or passes in the inspector, run an operation in FP32 with Q, compare with the baseline, and write the file for your runtime with Ctrl+E.</source>
        <translation>在检查器中修改位宽、缩放系数或步骤，用 Q 将算子改为 FP32，与基线比较，再用 Ctrl+E 写出运行时所需的文件。</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Nothing yet.</source>
        <translation>暂无。</translation>
    </message>
    <message>
        <source>…or drop a model or recipe here.</source>
        <translation>……或将模型或配方拖到这里。</translation>
    </message>
</context>
<context>
    <name>ql::Strip</name>
    <message>
        <source>More tools</source>
        <translation>更多工具</translation>
    </message>
</context>
<context>
    <name>ql::TrainingPanel</name>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>训练前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>训练后</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Trained blocks</source>
        <translation>已训练的块</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Errors are mean squared errors of the block&apos;s outputs on held-out calibration samples.</source>
        <translation>误差是块的输出在留出的校准样本上的均方误差。</translation>
    </message>
    <message>
        <source>Stops the run.</source>
        <translation>停止运行。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>training…</source>
        <translation>训练中…</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>已采用</translation>
    </message>
    <message>
        <source>went back</source>
        <translation>已还原</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n operation(s)</source>
        <translation>
            <numerusform>%1：%n 个算子</numerusform>
        </translation>
    </message>
    <message>
        <source>Training did not lower the error on held-out samples, or worsened the outputs: scales and weights are those before training.</source>
        <translation>训练没有降低留出样本上的误差，或使输出变差：缩放系数和权重为训练前的值。</translation>
    </message>
    <message>
        <source>block %1 of %2</source>
        <translation>第 %1 块，共 %2 块</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>剩余 %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n block(s) improved and were kept; the others are unchanged.</source>
        <translation>
            <numerusform>%n 个块中有 %1 个改进并采用，其余保持训练前的状态。</numerusform>
        </translation>
    </message>
    <message>
        <source>A pass of this recipe trains: run it (F5) to see its progress here.</source>
        <translation>此配方有训练步骤：运行（F5）后可在此查看进度。</translation>
    </message>
    <message>
        <source>No pass of this recipe trains. Training brings each block of operations closer to float: add a pass such as Learned step size to the pipeline.</source>
        <translation>此配方没有训练步骤。训练让每个算子块更接近浮点：在流程中启用或添加学习步长等步骤。</translation>
    </message>
    <message>
        <source>The run was stopped; these blocks were trained until then.</source>
        <translation>运行已停止；以下是停止前训练的块。</translation>
    </message>
    <message numerus="yes">
        <source>Training improved all %n block(s).</source>
        <translation>
            <numerusform>训练改进了全部 %n 个块。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ql::TrainingPlot</name>
    <message>
        <source>Error of each block during training</source>
        <translation>训练中每个块的误差</translation>
    </message>
    <message>
        <source>Line: loss of the steps. Points: error on held-out samples, which decides what is kept.
1 is the error before training. Click a block, or press Left and Right, to choose it.</source>
        <translation>线：各步的损失。点：留出样本上的误差，决定采用哪个状态。
1 为训练前的误差。单击某个块，或按左右方向键选择。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>held out</source>
        <translation>留出样本</translation>
    </message>
    <message>
        <source>block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>error / error before</source>
        <translation>误差/训练前误差</translation>
    </message>
</context>
<context>
    <name>ql::TuneForm</name>
    <message>
        <source>less than one point of accuracy lost (labelled data)</source>
        <translation>精度损失小于一个百分点（需要带标签的数据）</translation>
    </message>
    <message>
        <source>SQNR of every output above 30 dB</source>
        <translation>每个输出的 SQNR 高于 30 dB</translation>
    </message>
    <message>
        <source>cosine of every output above 0.99</source>
        <translation>每个输出的余弦相似度高于 0.99</translation>
    </message>
    <message>
        <source>more than 90 % of multiplications in 8 bits or fewer</source>
        <translation>90 % 以上的乘法不超过 8 位</translation>
    </message>
    <message>
        <source>fewer than 10 bits per multiplication, on average</source>
        <translation>每次乘法平均少于 10 位</translation>
    </message>
    <message>
        <source>less than 1 MB of weights</source>
        <translation>权重小于 1 MB</translation>
    </message>
    <message>
        <source>Use earlier measurements</source>
        <translation>使用先前的测量结果</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>时间预算</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>Most trials</source>
        <translation>最多试验次数</translation>
    </message>
    <message>
        <source>Recipes to try at most. Unlike a time, this does not depend on the machine.</source>
        <translation>最多尝试的配方数。与时间不同，它不取决于机器。</translation>
    </message>
    <message>
        <source>An interrupted search with the same recipe, goals and locks continues where it stopped.</source>
        <translation>配方、目标和锁定都相同时，中断的搜索会从停下的地方继续。</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Add a goal</source>
        <translation>添加目标</translation>
    </message>
    <message>
        <source>One goal per line, the most important first.</source>
        <translation>每行一个目标，最重要的在前。</translation>
    </message>
    <message>
        <source>Locks</source>
        <translation>锁定</translation>
    </message>
    <message>
        <source>Remove the selected locks (Delete)</source>
        <translation>移除所选锁定（Delete）</translation>
    </message>
    <message>
        <source>Operations that the search must not change, or not in every way. Lock them in the context menu of the graph or the table.</source>
        <translation>搜索不得更改或只能部分更改的算子。可在图或表格的右键菜单中锁定。</translation>
    </message>
    <message>
        <source>keep INT8</source>
        <translation>保持 INT8</translation>
    </message>
    <message>
        <source>keep float</source>
        <translation>保持浮点</translation>
    </message>
    <message>
        <source>never change</source>
        <translation>不作任何更改</translation>
    </message>
    <message>
        <source>JSON file of the metric</source>
        <translation>指标的 JSON 文件</translation>
    </message>
    <message>
        <source>A program that reads the outputs and prints a number, the larger the better: {&quot;command&quot;: [&quot;python3&quot;, &quot;score.py&quot;, &quot;{outputs}&quot;, &quot;{samples}&quot;]}. Goals about metric use it instead of labels.</source>
        <translation>读取输出并打印一个数（越大越好）的程序：{&quot;command&quot;: [&quot;python3&quot;, &quot;score.py&quot;, &quot;{outputs}&quot;, &quot;{samples}&quot;]}。关于 metric 的目标用它代替标签。</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
</context>
<context>
    <name>ql::TunePanel</name>
    <message>
        <source>Trial</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>SQNR</source>
        <translation>SQNR</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>增益</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>INT8</source>
        <translation>INT8</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>试验</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Mark in graph</source>
        <translation>在图中标记</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>搜索进度</translation>
    </message>
    <message>
        <source>Changes the recipe step by step, and keeps what brings the outputs closer to float.</source>
        <translation>逐步更改配方，保留使输出更接近浮点的更改。</translation>
    </message>
    <message>
        <source>Stops the search; the trials so far are kept.</source>
        <translation>停止搜索；已有的试验会保留。</translation>
    </message>
    <message>
        <source>Marks the operations that the chosen trial changes.</source>
        <translation>标记所选试验更改的算子。</translation>
    </message>
    <message>
        <source>Replaces the document&apos;s recipe with that of the chosen trial. Undo restores yours.</source>
        <translation>将所选试验的配方设为文档的配方。撤销可恢复原来的配方。</translation>
    </message>
    <message>
        <source>at most %1 left</source>
        <translation>最多还需 %1</translation>
    </message>
    <message>
        <source>%1 of %2 trials</source>
        <translation>%1/%2 次试验</translation>
    </message>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <translation>
            <numerusform>%n 次试验</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Adopt trial %1</source>
        <translation>采用试验 %1</translation>
    </message>
    <message>
        <source>%1 is met: %2 on the searched data, %3 on the other part.</source>
        <translation>%1 已达到：搜索所用数据上为 %2，其余数据上为 %3。</translation>
    </message>
    <message>
        <source>%1 is not met: %2 on the searched data, %3 on the other part.</source>
        <translation>%1 未达到：搜索所用数据上为 %2，其余数据上为 %3。</translation>
    </message>
    <message>
        <source>Most noise at the start: %1</source>
        <translation>开始时噪声最大：%1</translation>
    </message>
    <message>
        <source>%1 bits per multiplication</source>
        <translation>每次乘法 %1 位</translation>
    </message>
    <message>
        <source>%1 of multiplications in INT8</source>
        <translation>%1 的乘法为 INT8</translation>
    </message>
    <message>
        <source>metric %1, float %2</source>
        <translation>指标 %1，浮点 %2</translation>
    </message>
    <message>
        <source>Trial %1</source>
        <translation>试验 %1</translation>
    </message>
    <message>
        <source>The recipe has changed since this search began.</source>
        <translation>配方在此搜索开始后已更改。</translation>
    </message>
    <message>
        <source>Search for a recipe that meets your goals: observers, clip limits, passes and, if necessary, operations in float. Every trial appears here and can be adopted.</source>
        <translation>搜索达到目标的配方：观察器、截断范围、步骤，必要时让部分算子以浮点运行。每次试验都会显示在这里，并可采用。</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Shows goals, limits and locks.</source>
        <translation>显示目标、限制和锁定。</translation>
    </message>
    <message>
        <source>Trial %1: %2</source>
        <translation>试验 %1：%2</translation>
    </message>
    <message>
        <source>Chart and graph show the errors of this trial (run %1).</source>
        <translation>图表和计算图显示此试验的误差（运行 %1）。</translation>
    </message>
    <message>
        <source>drop %1 points</source>
        <translation>下降 %1 个百分点</translation>
    </message>
    <message>
        <source>drop %1 points: equal to float within the uncertainty</source>
        <translation>下降 %1 个百分点：在不确定度内与浮点相同</translation>
    </message>
    <message>
        <source>classes diverge by %1 nats</source>
        <translation>类别散度 %1 nat</translation>
    </message>
    <message>
        <source>Measuring the unchanged recipe…</source>
        <translation>正在测量未更改的配方…</translation>
    </message>
    <message>
        <source>%1 is met on the searched data (%2). There is no other data to confirm it.</source>
        <translation>%1 在搜索数据上已满足（%2）。没有其他数据可用于确认。</translation>
    </message>
</context>
<context>
    <name>ql::VerifyPanel</name>
    <message>
        <source>equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Mark in graph</source>
        <translation>在图中标记</translation>
    </message>
    <message>
        <source>Inner tensors</source>
        <translation>内部张量</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Within one step</source>
        <translation>一步以内</translation>
    </message>
    <message>
        <source>Worst steps</source>
        <translation>最大步数</translation>
    </message>
    <message>
        <source>Runtime / simulator</source>
        <translation>运行时 / 模拟器</translation>
    </message>
    <message>
        <source>Runtime / float</source>
        <translation>运行时 / 浮点</translation>
    </message>
    <message>
        <source>Simulator / float</source>
        <translation>模拟器 / 浮点</translation>
    </message>
    <message>
        <source>From equal inputs</source>
        <translation>输入相同时</translation>
    </message>
    <message>
        <source>Compared tensors</source>
        <translation>比较的张量</translation>
    </message>
    <message>
        <source>Runs the file in the runtime on the evaluation data.</source>
        <translation>在运行时中用评估数据运行该文件。</translation>
    </message>
    <message>
        <source>Stop (Shift+F5)</source>
        <translation>停止 (Shift+F5)</translation>
    </message>
    <message>
        <source>Marks the operations whose tensors differ from the simulation.</source>
        <translation>标记张量与模拟不同的算子。</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行时</translation>
    </message>
    <message>
        <source>Also compares the tensors between the operations, and finds the first that diverges.</source>
        <translation>同时比较算子之间的张量，并找出第一个不一致的张量。</translation>
    </message>
    <message>
        <source>installed, or python3</source>
        <translation>已安装的环境，或 python3</translation>
    </message>
    <message>
        <source>Interpreter that has the runtime.</source>
        <translation>装有该运行时的解释器。</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Exported file</source>
        <translation>导出的文件</translation>
    </message>
    <message>
        <source>JSON file of the command</source>
        <translation>命令的 JSON 文件</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>Python</source>
        <translation>Python</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Searching for runtimes…</source>
        <translation>正在查找运行时…</translation>
    </message>
    <message>
        <source>%1 (not found)</source>
        <translation>%1（未找到）</translation>
    </message>
    <message>
        <source>Not found. Install it, or name an interpreter that has it.</source>
        <translation>未找到。请安装，或指定装有它的解释器。</translation>
    </message>
    <message>
        <source>%1 differ, %2 ties</source>
        <translation>%1 个不同，%2 个在边界</translation>
    </message>
    <message>
        <source>%1 (output)</source>
        <translation>%1（输出）</translation>
    </message>
    <message>
        <source>%1 (tolerance)</source>
        <translation>%1（容差）</translation>
    </message>
    <message>
        <source>%1 elements, step %2</source>
        <translation>%1 个元素，步长 %2</translation>
    </message>
    <message>
        <source>%1 elements, not quantized</source>
        <translation>%1 个元素，未量化</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>The recipe has changed since this verification.</source>
        <translation>此次验证之后配方已更改。</translation>
    </message>
    <message numerus="yes">
        <source>%n sample(s)</source>
        <translation>
            <numerusform>%n 个样本</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 agrees: every output has %2 of its elements within one step.</source>
        <translation>%1 一致：每个输出有 %2 的元素在一步以内。</translation>
    </message>
    <message>
        <source>%1 does not agree: not every output has %2 of its elements within one step.</source>
        <translation>%1 不一致：并非每个输出都有 %2 的元素在一步以内。</translation>
    </message>
    <message numerus="yes">
        <source>%n inner tensor(s), by: %1.</source>
        <translation>
            <numerusform>%n 个内部张量，方式：%1。</numerusform>
        </translation>
    </message>
    <message>
        <source>Run an exported file in its runtime: every tensor is compared with the simulation and with float, and the first that diverges is named with its cause.</source>
        <translation>在运行时中运行导出的文件：逐个张量与模拟和浮点比较，并指出第一个不一致的张量及其原因。</translation>
    </message>
    <message>
        <source>Installs %1 with pip into a separate folder in the user&apos;s cache folder.</source>
        <translation>用 pip 将 %1 安装到用户缓存文件夹中的独立目录。</translation>
    </message>
    <message>
        <source>First divergence: tensor &lt;b&gt;%1&lt;/b&gt; of operation &lt;b&gt;%2&lt;/b&gt;. Cause: &lt;b&gt;%3&lt;/b&gt;: %4.</source>
        <translation>首个不一致：算子 &lt;b&gt;%2&lt;/b&gt; 的张量 &lt;b&gt;%1&lt;/b&gt;。原因：&lt;b&gt;%3&lt;/b&gt;：%4。</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Shows file, runtime and options.</source>
        <translation>显示文件、运行时和选项。</translation>
    </message>
    <message>
        <source>Start this program</source>
        <translation>启动此程序</translation>
    </message>
    <message>
        <source>Or its file</source>
        <translation>或其文件</translation>
    </message>
    <message>
        <source>A program that runs the file; the recipe keeps it. {model}: the file; {in}: inputs, .npz; {out}: the outputs that it writes, .npz. Words with spaces are put in double quotes.</source>
        <translation>运行该文件的程序，保存在配方中。{model}：该文件；{in}：输入（.npz）；{out}：由它写出的输出（.npz）。含空格的词放在双引号中。</translation>
    </message>
    <message>
        <source>Command of the runtime</source>
        <translation>运行时的命令</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>未定义</translation>
    </message>
    <message>
        <source>The program is started on the engine&apos;s machine. Allow it if you trust the recipe. It is remembered until the recipe&apos;s file or a script that it names changes.</source>
        <translation>程序在引擎所在的机器上启动。信任该配方时才允许。在配方文件或其指定的脚本更改之前会记住此选择。</translation>
    </message>
</context>
</TS>
