// Strings: operators around text networks. Case is changed for ASCII letters only. Source: ONNX Cast-13,
// StringConcat-20, StringNormalizer-10, StringSplit-20, TfIdfVectorizer-9; operators that move values accept strings,
// too.
#include "core/exec/text.h"

#include "core/base/strings.h"
#include "core/exec/opaque.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/broadcast_tensors.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace ql {

at::Tensor numbersFromText(const at::Tensor &strings, at::ScalarType type, const Operation &op)
{
    at::Tensor out = at::zeros(strings.sizes(), at::TensorOptions(at::kDouble));
    at::Tensor whole = at::zeros(strings.sizes(), at::TensorOptions(at::kLong));
    const auto &texts = stringsOf(strings);
    const bool integral = at::isIntegralType(type, true);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const char *begin = texts[i].c_str();
        char *end = nullptr;
        if (integral)
            whole.data_ptr<std::int64_t>()[i] = std::strtoll(begin, &end, 10);
        else
            out.data_ptr<double>()[i] = std::strtod(begin, &end); // accepts nan and inf in any case
        if (texts[i].empty() || *end != '\0')
            throw Error(ErrorKind::Kernel, QL_TEXT("Cast: '%1' is not a number").with(texts[i]), op.name);
    }
    return (integral ? whole : out).to(type);
}

template <class T>
static std::string shortest(T value)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
    char buffer[64];
    const auto [end, code] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return std::string(buffer, end);
}

at::Tensor textFromNumbers(const at::Tensor &numbers)
{
    std::vector<std::string> texts;
    const at::Tensor flat = numbers.contiguous().view({-1});
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
        if (flat.scalar_type() == at::kDouble)
            texts.push_back(shortest(flat.data_ptr<double>()[i]));
        else if (at::isFloatingType(flat.scalar_type()))
            texts.push_back(shortest(flat[i].item().toFloat()));
        else if (flat.scalar_type() == at::kBool)
            texts.push_back(flat[i].item().toBool() ? "1" : "0");
        else
            texts.push_back(std::to_string(flat[i].item().toLong()));
    }
    return makeStrings(std::move(texts), numbers.sizes().vec());
}

std::vector<at::Tensor> moveStrings(const KernelEntry &kernel, const KernelContext &context, Inputs inputs)
{
    std::vector<std::string> known{""};
    for (const at::Tensor &input : inputs)
        if (isStrings(input)) known.insert(known.end(), stringsOf(input).begin(), stringsOf(input).end());
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    std::vector<at::Tensor> places(inputs.begin(), inputs.end());
    for (at::Tensor &input : places) {
        if (!isStrings(input)) continue;
        std::vector<std::int64_t> found;
        for (const std::string &text : stringsOf(input))
            found.push_back(std::lower_bound(known.begin(), known.end(), text) - known.begin());
        input = at::tensor(found, at::TensorOptions(at::kLong)).reshape(input.sizes());
    }
    std::vector<at::Tensor> outputs = kernel.run(context, places);
    const std::size_t count = kernel.strings == StringOutputs::None    ? 0
                              : kernel.strings == StringOutputs::First ? std::min<std::size_t>(1, outputs.size())
                                                                       : outputs.size();
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<std::string> texts;
        for (const std::int64_t place : toInts(outputs[i])) texts.push_back(known[std::size_t(place)]);
        outputs[i] = makeStrings(std::move(texts), outputs[i].sizes().vec());
    }
    return outputs;
}

namespace {

std::string upper(std::string text)
{
    for (char &c : text)
        if (c >= 'a' && c <= 'z') c = char(c - 'a' + 'A');
    return text;
}

/// Drops stop words, then changes case. Nothing left: one empty string.
std::vector<at::Tensor> stringNormalizer(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const bool sensitive = op.intAttribute("is_case_sensitive", 0) != 0;
    const std::string action = op.stringAttribute("case_change_action", "NONE");
    std::set<std::string> stop;
    for (const std::string &word : op.stringsAttribute("stopwords")) stop.insert(sensitive ? word : lower(word));
    std::vector<std::string> kept;
    for (const std::string &word : stringsOf(x)) {
        if (stop.contains(sensitive ? word : lower(word))) continue;
        kept.push_back(action == "LOWER" ? lower(word) : action == "UPPER" ? upper(word) : word);
    }
    if (kept.empty()) kept.emplace_back();
    const auto count = std::int64_t(kept.size());
    return {makeStrings(std::move(kept),
                        x.dim() == 2 ? std::vector<std::int64_t>{1, count} : std::vector<std::int64_t>{count})};
}

/// Counts of the n-grams of a pool in each row of x, with up to max_skip_count items skipped between two items of a
/// gram.
template <class T>
at::Tensor countGrams(const Operation &op, const std::vector<T> &pool, const std::vector<T> &items,
                      const std::vector<std::int64_t> &shape)
{
    const std::vector<std::int64_t> starts = op.intsAttribute("ngram_counts");
    const std::vector<std::int64_t> columns = op.intsAttribute("ngram_indexes");
    const std::int64_t shortestGram = op.intAttribute("min_gram_length", 1);
    const std::int64_t longestGram = op.intAttribute("max_gram_length", 1);
    const std::int64_t skips = op.intAttribute("max_skip_count", 0);
    const auto bad = [&](const Text &what) {
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: %2").with(op.type, what), op.name);
    };
    if (columns.empty() || *std::min_element(columns.begin(), columns.end()) < 0)
        bad(QL_TEXT("ngram_indexes is empty or has negative entries"));
    const std::int64_t width = *std::max_element(columns.begin(), columns.end()) + 1;
    if (width > (std::int64_t{1} << 24)) bad(QL_TEXT("ngram_indexes needs more than 2^24 columns"));

    // gram -> its ordinal in the pool
    std::map<std::vector<T>, std::size_t> known;
    std::size_t ordinal = 0;
    for (std::size_t n = 0; n < starts.size(); ++n) {
        const std::int64_t begin = starts[n];
        const std::int64_t end = n + 1 < starts.size() ? starts[n + 1] : std::int64_t(pool.size());
        const auto length = std::int64_t(n) + 1;
        if (begin < 0 || end < begin || end > std::int64_t(pool.size()) || (end - begin) % length != 0)
            bad(QL_TEXT("ngram_counts does not match the pool"));
        for (std::int64_t at = begin; at < end; at += length, ++ordinal) {
            if (ordinal >= columns.size()) bad(QL_TEXT("ngram_indexes has fewer entries than the pool has n-grams"));
            if (length >= shortestGram && length <= longestGram)
                known.emplace(std::vector<T>(pool.begin() + at, pool.begin() + at + length), ordinal);
        }
    }
    const std::string mode = op.stringAttribute("mode", "TF");
    const std::vector<double> weights = op.floatsAttribute("weights");
    const std::int64_t rows = shape.size() == 2 ? shape[0] : 1;
    const std::int64_t length = shape.back();
    at::Tensor out = at::zeros({rows, width}, at::TensorOptions(at::kFloat));
    std::vector<double> weightOf(std::size_t(width), 1);
    for (std::size_t i = 0; i < weights.size() && i < columns.size(); ++i)
        weightOf[std::size_t(columns[i])] = weights[i];
    for (std::int64_t row = 0; row < rows; ++row) {
        float *counts = out.data_ptr<float>() + row * width;
        for (std::int64_t n = shortestGram; n <= longestGram; ++n) {
            for (std::int64_t step = 1; step <= (n == 1 ? 1 : skips + 1); ++step) {
                for (std::int64_t at = 0; at + (n - 1) * step < length; ++at) {
                    std::vector<T> gram;
                    for (std::int64_t k = 0; k < n; ++k)
                        gram.push_back(items[std::size_t(row * length + at + k * step)]);
                    const auto it = known.find(gram);
                    if (it != known.end()) counts[columns[it->second]] += 1;
                }
            }
        }
        for (std::int64_t c = 0; c < width; ++c) {
            if (mode == "IDF") counts[c] = counts[c] > 0 ? float(weightOf[std::size_t(c)]) : 0;
            if (mode == "TFIDF") counts[c] = float(counts[c] * weightOf[std::size_t(c)]);
        }
    }
    return shape.size() == 2 ? out : out.reshape({width});
}

std::vector<at::Tensor> tfIdfVectorizer(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    if (x.dim() != 1 && x.dim() != 2)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: expected [C] or [N, C], got rank %2").with(op.type, x.dim()),
                    op.name);
    const std::vector<std::int64_t> shape = x.sizes().vec();
    if (isStrings(x)) return {countGrams(op, op.stringsAttribute("pool_strings"), stringsOf(x), shape)};
    return {countGrams(op, op.intsAttribute("pool_int64s"), toInts(x), shape)};
}

/// Joined element by element, broadcast.
std::vector<at::Tensor> stringConcat(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &a = requiredInput(context, inputs, 0), &b = requiredInput(context, inputs, 1);
    // The position of each of the two texts of a result
    const auto places = [](const at::Tensor &x) {
        return at::arange(x.numel(), at::TensorOptions(at::kLong)).reshape(x.sizes());
    };
    checkBroadcast(context.op, places(a), places(b));
    const std::vector<at::Tensor> both = at::broadcast_tensors({places(a), places(b)});
    const at::Tensor left = both[0].contiguous(), right = both[1].contiguous();
    std::vector<std::string> texts;
    for (std::int64_t i = 0; i < left.numel(); ++i)
        texts.push_back(stringsOf(a)[std::size_t(left.data_ptr<std::int64_t>()[i])] +
                        stringsOf(b)[std::size_t(right.data_ptr<std::int64_t>()[i])]);
    return {makeStrings(std::move(texts), left.sizes().vec())};
}

/// The words of one text. An empty delimiter: runs of white space, ignored at the ends. At most most splits.
std::vector<std::string> wordsOf(const std::string &text, const std::string &delimiter, std::size_t most)
{
    std::vector<std::string> words;
    constexpr const char *space = " \t\n\v\f\r";
    if (!delimiter.empty()) {
        if (text.empty()) return words;
        std::size_t from = 0;
        for (std::size_t to; words.size() < most && (to = text.find(delimiter, from)) != std::string::npos;
             from = to + delimiter.size())
            words.push_back(text.substr(from, to - from));
        words.push_back(text.substr(from));
        return words;
    }
    const std::size_t last = text.find_last_not_of(space);
    std::size_t from = text.find_first_not_of(space);
    while (from != std::string::npos) {
        const std::size_t to = words.size() < most ? text.find_first_of(space, from) : std::string::npos;
        words.push_back(text.substr(from, std::min(to, last + 1) - from));
        from = to == std::string::npos ? to : text.find_first_not_of(space, to);
    }
    return words;
}

/// Outputs: the words along a new last axis, padded with empty ones; the number of words of each text.
std::vector<at::Tensor> stringSplit(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::string delimiter = op.stringAttribute("delimiter", "");
    const std::int64_t most = op.intAttribute("maxsplit", std::numeric_limits<std::int64_t>::max());
    std::vector<std::vector<std::string>> split;
    std::size_t longest = 0;
    at::Tensor counts = at::zeros(x.sizes(), at::TensorOptions(at::kLong));
    for (const std::string &text : stringsOf(x)) {
        split.push_back(wordsOf(text, delimiter, std::size_t(std::max<std::int64_t>(most, 0))));
        longest = std::max(longest, split.back().size());
        counts.data_ptr<std::int64_t>()[split.size() - 1] = std::int64_t(split.back().size());
    }
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.push_back(std::int64_t(longest));
    checkElements(op, shape, sizeof(std::string));
    std::vector<std::string> words;
    for (std::vector<std::string> &row : split) {
        row.resize(longest);
        std::move(row.begin(), row.end(), std::back_inserter(words));
    }
    return {makeStrings(std::move(words), shape), counts};
}

const KernelRegistrar concatenation{{"StringConcat"},
                                    {.run = stringConcat, .minOpset = 20, .family = "text", .takesShortFloats = true}};
const KernelRegistrar splitting{{"StringSplit"},
                                {.run = stringSplit, .minOpset = 20, .family = "text", .takesShortFloats = true},
                                {.shapes = {.dependsOnValues = true}}};
const KernelRegistrar normalizer{{"StringNormalizer"},
                                 {.run = stringNormalizer,
                                  .minOpset = 10,
                                  .family = "text",
                                  .refusal = acceptsOnly({{"case_change_action", {"NONE", "LOWER", "UPPER"}}}),
                                  .takesShortFloats = true}};
const KernelRegistrar vectorizer{{"TfIdfVectorizer"},
                                 {.run = tfIdfVectorizer,
                                  .minOpset = 9,
                                  .family = "text",
                                  .refusal = acceptsOnly({{"mode", {"TF", "IDF", "TFIDF"}}}),
                                  .takesShortFloats = true}};

} // namespace

} // namespace ql
