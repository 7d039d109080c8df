// Every kind of bad input through the real program: exit code 2, one message that names file, operation or tensor, says
// what was expected, what came and what to do, and nothing written, complete or partial.
#include "tests/support/cli_program.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/ops/full.h>
#include <QtTest>
#include <sys/prctl.h>
#include <unistd.h>

using namespace ql;
namespace fs = std::filesystem;

namespace {

/// A .npy file of version 1.0 with this header dictionary.
std::string npy(std::string header, const std::string &data)
{
    header.resize((header.size() + 10 + 63) / 64 * 64 + 64 - 11, ' ');
    header += '\n';
    const std::string length{char(header.size() & 0xff), char(header.size() >> 8)};
    return std::string("\x93NUMPY\x01\x00", 8) + length + header + data;
}

/// "T/" as the start of a path: the folder of the test, whose own name may end with a T.
const QRegularExpression testFolder("(?<![A-Za-z0-9])T/");

} // namespace

class TestBadInput : public QObject, private test::CliProgram
{
    Q_OBJECT

private:
    /// M: residual.onnx, D: its data, N/ and O/ our bad and good models, C/ the corpus' negative files, T/ the test's
    /// folder.
    QStringList expanded(const QString &arguments) const
    {
        QStringList out = arguments.split(' ', Qt::SkipEmptyParts);
        for (QString &argument : out) {
            argument.replace("%20", " ");
            if (argument == "M") argument = QL_TEST_DATA "/models/residual.onnx";
            if (argument == "D") argument = "T/good.npz";
            argument.replace(testFolder, QString::fromStdString(m_folder.string()) + "/");
            if (argument.startsWith("N/")) argument.replace(0, 1, QL_TEST_DATA "/models/negative");
            if (argument.startsWith("O/")) argument.replace(0, 1, QL_TEST_DATA "/models");
            if (argument.startsWith("C/")) argument.replace(0, 1, QL_CORPUS "/negative");
        }
        return out;
    }

    static std::string picture(const char *name) { return readFile(fs::path(QL_TEST_DATA "/pictures") / name); }
    void makeFiles() const;

    /// Names and sizes of all files except the cache, which is not an output.
    std::map<std::string, std::uintmax_t> files() const
    {
        std::map<std::string, std::uintmax_t> out;
        for (const auto &entry : fs::recursive_directory_iterator(m_folder)) {
            const std::string name = entry.path().lexically_relative(m_folder).string();
            if (!name.starts_with("cache")) out[name] = entry.is_regular_file() ? entry.file_size() : 0;
        }
        return out;
    }
    void check(const Outcome &outcome, const QStringList &words) const
    {
        QVERIFY2(!outcome.crashed, outcome.err.constData());
        QVERIFY2(outcome.code == 2, (QByteArray::number(outcome.code) + ": " + outcome.err).constData());
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
        QVERIFY2(outcome.err.count("error: ") == 1, outcome.err.constData());
        for (QString word : words) {
            word.replace(testFolder, QString::fromStdString(m_folder.string()) + "/");
            QVERIFY2(QString::fromUtf8(outcome.err).contains(word),
                     qPrintable("without \"" + word + "\": " + QString::fromUtf8(outcome.err)));
        }
    }
    static void outputs()
    {
        QTest::addColumn<QString>("arguments"); ///< FOLDER: folder of the output
        QTest::addColumn<QString>("file");      ///< that the message names
        const auto row = [](const char *name, const char *arguments, const char *file) {
            QTest::newRow(name) << arguments << file;
        };
        row("JSON report", "run M --calib D --quiet --json FOLDER/r.json", "r.json");
        row("HTML report", "run M --calib D --quiet --report FOLDER/r.html", "r.html");
        row("recipe", "run M --calib D --quiet --save-recipe FOLDER/r.quantloupe", "r.quantloupe");
        row("ONNX", "run M --calib D --quiet --export onnx_qdq:FOLDER/q.onnx", "q.onnx");
        row("native", "run M --calib D --quiet --export native:FOLDER/q.qln", "q.qln");
        row("inspection", "inspect M --json FOLDER/i.json", "i.json");
        row("inference", "infer M --in D --quiet --out FOLDER/o.npz", "o.npz");
    }

private Q_SLOTS:
    void init()
    {
        makeFolder();
        makeFiles();
    }

    void refusedModels_data();
    void refusedModels() { refused(); }
    void refusedData_data();
    void refusedData() { refused(); }
    void refusedRequests_data();
    void refusedRequests() { refused(); }
    void readOnlyFolder_data() { outputs(); }
    void readOnlyFolder();
    void fullDisk_data() { outputs(); }
    void fullDisk();
    void goodInputIsAccepted();

private:
    void refused();
};

void TestBadInput::makeFiles() const
{
    const at::Tensor good = test::spread({4, 3, 8, 8});
    arrays("good.npz", {{"x", good}});
    arrays("shape.npz", {{"x", test::spread({4, 3, 9, 9})}});
    arrays("rank.npz", {{"x", test::spread({4, 3})}});
    arrays("channels.npz", {{"x", test::spread({4, 8, 8, 3})}});
    arrays("name.npz", {{"input", good}});
    arrays("none.npz", {{"x", at::full({0, 3, 8, 8}, 0.0)}});
    arrays("labels.npz", {{"x", good}, {"labels", at::full({3}, 1, at::kLong)}});
    arrays("two.npz", {{"a", test::spread({2, 2, 1, 3, 4})}, {"b", test::spread({3, 5, 4, 6})}});
    arrays("one_of_two.npz", {{"a", test::spread({2, 2, 1, 3, 4})}});
    arrays("half.npz", {{"x", at::full({4, 2}, 0.5)}});
    test::OnnxModel numbers; // an integer input
    numbers.input("x", {1, 2}, onnx::TensorProto::INT64);
    numbers.output("y");
    onnx::NodeProto *cast = numbers.node("Cast", "cast", {"x"}, {"f"});
    numbers.attribute(cast, "to", onnx::AttributeProto::INT)->set_i(onnx::TensorProto::FLOAT);
    numbers.node("Relu", "relu", {"f"}, {"y"});
    numbers.save(m_folder / "numbers.onnx");
    arrays("one.npz", {{"x", test::spread({1, 5})}});
    const std::string archive = readFile(m_folder / "good.npz");
    write("cut.npz", archive.substr(0, archive.size() / 2));
    std::string flipped = archive;
    flipped[flipped.size() / 2] = char(flipped[flipped.size() / 2] ^ 1);
    write("flipped.npz", flipped);
    write("text.npz", "these are no arrays");
    write("words.npy", npy("{'descr': '<U3', 'fortran_order': False, 'shape': (4,), }", std::string(48, 'a')));
    write("objects.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (4,), }", "\x80\x03]q"));
    write("records.npy",
          npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4,), }", std::string(16, 'a')));
    write("short.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3, 8, 8), }", std::string(100, 'a')));
    write("huge.npy", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999, 99999999, 99999999), }", "a"));
    write("header.npy", "\x93NUMPY\x01");
    write("data.csv", "1,2,3\n");
    for (const char *name : {"empty", "notes", "pictures", "cut", "text", "raw", "listed", "out", "a.onnx"})
        fs::create_directory(m_folder / name);
    write("notes/readme.md", "no samples here");
    write("pictures/a.png", picture("wide.png"));
    write("cut/a.jpg", picture("high.jpg").substr(0, 900));
    write("text/a.png", "this is no picture");
    write("raw/a.bin", std::string(100, 'a'));
    write("listed/a.png", picture("wide.png"));
    write("listed/labels.txt", "a.png cat\n");
    write("manifest.json", R"({"samples": [{"file": "nowhere.png"}]})");
    write("manifest_number.json", R"({"samples": [{"file": 5}]})");
    fs::create_directory(m_folder / "link");
    fs::create_symlink("gone.npy", m_folder / "link" / "a.npy");
    write("named.json", R"({"samples": [{"file": "good.npz"}]})");
    for (const char *name : {"external_data.onnx", "external_data.bin"})
        fs::copy_file(fs::path(QL_TEST_DATA "/models") / name, m_folder / name);
    write("manifest_key.json", R"({"samples": [{"fil": "pictures/a.png"}]})");
    write("manifest_cut.json", R"({"samples": [)");
    const auto recipe = [&](const char *name, const std::string &rest) {
        write(name, "{\"format\": \"quantloupe-recipe/1\",\n\"model\": {\"path\": \"" QL_TEST_DATA
                    "/models/residual.onnx\"},\n\"calibration\": {\"path\": \"good.npz\"}" +
                        rest);
    };
    recipe("key.quantloupe", ",\n\"platfrom\": \"RKNN_INT8\"}");
    recipe("inner.quantloupe", ",\n\"evaluation\": {\"sampels\": 3}}");
    recipe("type.quantloupe", ",\n\"threads\": \"two\"}");
    recipe("range.quantloupe", ",\n\"evaluation\": {\"samples\": -3}}");
    recipe("comma.quantloupe", "\n\"threads\": 2}");
    recipe("twice.quantloupe", ",\n\"threads\": 2,\n\"threads\": 3}");
    recipe("pass.quantloupe", ",\n\"passes\": [\"calibrat\"]}");
    recipe("parameter.quantloupe", ",\n\"passes\": [{\"id\": \"calibrate\", \"params\": {\"observr\": \"kl\"}}]}");
    recipe("rule.quantloupe", ",\n\"overrides\": [{\"match\": {\"op\": \"conv1\"}, \"set\": {\"bits\": 77}}]}");
    recipe("observer.quantloupe",
           ",\n\"overrides\": [{\"match\": {\"role\": \"bias\"}, \"set\": {\"observer\": \"minmx\"}}]}");
    recipe("place.quantloupe", ",\n\"dispatch\": [{\"op\": \"conv1\", \"platform\": \"FP23\"}]}");
    recipe("model.quantloupe", "}");
    write("version.quantloupe", "{\"format\": \"quantloupe-recipe/99\"}");
    write("no_model.quantloupe", "{\"format\": \"quantloupe-recipe/1\"}");
    fs::create_directories(m_folder / "xdg/quantloupe/platforms");
    write("xdg/quantloupe/platforms/mine.json",
          "{\"id\": \"MINE\", \"title\": \"Mine\",\n\"extends\": \"TRT_INT8\",\n\"rules\": [{\"set\": {\"bit\": 8}}]}");
    const std::string same = "{\"id\": \"SAME\", \"title\": \"Same\",\n\"extends\": \"TRT_INT8\"}";
    write("xdg/quantloupe/platforms/same_one.json", same);
    write("xdg/quantloupe/platforms/same_two.json", same);
}

static void addColumns()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QStringList>("words");
}

static void row(const char *name, const QString &arguments, const QStringList &words)
{
    QTest::newRow(name) << arguments << words;
}

void TestBadInput::refusedModels_data()
{
    addColumns();
    const auto model = [&](const char *file, const QStringList &words) {
        row(file, QString("run N/%1 --calib D").arg(file), QStringList{file} + words);
    };
    // Errors found only during execution: no data is needed for that.
    const auto executed = [&](const char *file, const QStringList &words) {
        row(file, QString("inspect N/%1 --json T/out/i.json").arg(file), QStringList{file} + words);
    };
    const QString again = "xport the model again", tool = "written by a faulty tool; export the model again";
    row("no such file", "run T/nowhere.onnx --calib D",
        {"T/nowhere.onnx", "the file does not exist", "Check the path"});
    row("another ending", "run T/numbers.onx --calib D",
        {"T/numbers.onx", "the file does not exist. Did you mean 'numbers.onnx'?"});
    row("in no folder", "run T/nowhere/a.onnx --calib D", {"the folder T/nowhere does not exist"});
    row("a folder", "run T/empty --calib D", {"T/empty", "got a folder", "Check the path"});
    row("a folder with the right ending", "run T/a.onnx --calib D", {"T/a.onnx", "expected a"});
    row("unknown ending", "run T/data.csv --calib D", {"T/data.csv", "'.csv'", "Known: "});
    model("empty.onnx", {"expected an ONNX model, found an empty file", "download it again"});
    model("wrong_magic.onnx", {"found an image", "Open the model"});
    model("text.onnx", {"found a text file", "Export the network to ONNX"});
    model("truncated.onnx", {"truncated or damaged", "170 bytes", "remaining 76", "download it again"});
    model("only_ir_version.onnx", {"holds no graph", "download it again"});
    model("cyclic.onnx", {"op 'conv'", "cycle", "conv, relu, add", "must be acyclic"});
    model("self_loop.onnx", {"op 'relu'", "cycle", "must be acyclic"});
    model("duplicate_outputs.onnx", {"op 'neg'", "tensor 'y'", "two nodes, also by 'relu'", tool});
    model("duplicate_initializers.onnx", {"tensor 'w'", "two initialisers have the same name", tool});
    model("missing_initializer.onnx", {"op 'conv'", "tensor 'w'", "nothing provides the tensor", tool});
    model("missing_output.onnx", {"tensor 'nowhere'", "no node writes this graph output", tool});
    model("nan_weight.onnx", {"op 'conv'", "tensor 'w'", "1 of 6 values are NaN", "another checkpoint"});
    model("inf_weight.onnx", {"op 'conv'", "tensor 'w'", "1 infinite", "another checkpoint"});
    const QString below = "must be inside the model's folder", beside = "nothing outside the model's folder is read";
    model("external_escape.onnx", {"tensor 'w'", below, "'../external_data.bin'", beside});
    model("external_escape_nested.onnx", {"tensor 'w'", below, "'sub/../../external_data.bin'", beside});
    model("external_absolute.onnx", {"tensor 'w'", below, "'/etc/hostname'", beside});
    model("external_missing.onnx", {"tensor 'w'", "'not_there.bin'", "Copy it next to the model"});
    model("external_no_location.onnx", {"tensor 'w'", "no file is specified", again});
    model("external_too_short.onnx",
          {"tensor 'w'", "24 bytes at offset 0", "has 16 bytes", "Copy the data file again"});
    model("external_offset_behind_end.onnx", {"tensor 'w'", "24 bytes at offset 4096", "has 16 bytes", "Copy"});
    model("external_length_huge.onnx", {"tensor 'w'", "need 24 bytes", "1152921504606846976", again});
    model("external_negative_offset.onnx", {"tensor 'w'", "a number >= 0", "'-8'", again});
    model("external_length_wrong.onnx", {"tensor 'w'", "need 24 bytes", "length of 12", again});
    model("huge_dims.onnx", {"tensor 'w'", "[1048576,1048576,1048576]", "are invalid", again});
    model("overflow_dims.onnx", {"tensor 'w'", "[4294967296,4294967296,1,1]", again});
    model("negative_dims.onnx", {"tensor 'w'", "[2,-3,1,1]", again});
    model("data_size_mismatch.onnx", {"tensor 'w'", "need 32 bytes, the file has 24", again});
    model("typed_count_mismatch.onnx", {"tensor 'w'", "needs 6 entries in float_data, the file has 5", again});
    model("unknown_data_type.onnx", {"tensor 'w'", "data type number 99", "opset 21 or older"});
    model("huge_input.onnx", {"tensor 'x'", "more than 4294967296 elements", "--input-shape"});
    model("unsupported_ops.onnx", {"operations that cannot be executed: 2", "'relu' (Frobnicate",
                                   "'pool' (com.example.F", "Export the model without them"});
    model("opset_99.onnx", {"'conv' (Conv, opset 99)", "implemented for opset 1 to 28", "with opset 21 or older"});
    model("opset_3.onnx", {"opset 3 is older", "supported one, 6", "export it with opset 13"});
    model("no_opset.onnx", {"op 'conv'", "which opset", "Add an opset import"});
    model("deep_nesting.onnx", {"more than 16 levels deep", "Flatten the control flow"});
    model("missing_required_input.onnx", {"op 'conv'", "Conv of opset 13 takes 2 to 3 inputs, not 1", tool});
    executed("huge_constant.onnx", {"op 'fill'", "more than 2147483648 elements", "Use a smaller input"});
    executed("weight_shape_mismatch.onnx", {"op 'conv'", "input has 3 channels, the weight needs 2", again});
    executed("attribute_type.onnx", {"op 'conv'", "'strides'", "string", again});
    executed("zero_strides.onnx", {"op 'conv'", "must be positive", again});
    executed("zero_group.onnx", {"op 'conv'", "group 0", again});
    if (!fs::exists(QL_CORPUS "/negative")) return;
    row("corpus: LFS pointer", "run C/git_lfs_pointer.onnx --calib D",
        {"git_lfs_pointer.onnx", "found a Git LFS pointer", "git lfs pull"});
    row("corpus: web page", "run C/html_page_named.onnx --calib D",
        {"html_page_named.onnx", "found a web page", "Download the file itself"});
    row("corpus: truncated model", "run C/truncated_yolox_nano.onnx --calib D",
        {"truncated_yolox_nano.onnx", "truncated or damaged", "3660064 bytes", "remaining 2196033", "again"});
    row("corpus: truncated weights", "run C/truncated_slim320.caffemodel --calib D",
        {"truncated_slim320.caffemodel", "truncated or damaged", "of 518748", "Copy or download"});
}

void TestBadInput::refusedData_data()
{
    addColumns();
    const auto data = [&](const char *name, const char *file, const QStringList &words) {
        row(name, QString("run M --calib T/%1").arg(file), QStringList{QString("T/%1").arg(file)} + words);
    };
    const QString forms = "Give a .npz or .npy file";
    data("no such file", "nowhere.npz", {"the data does not exist", forms});
    data("empty folder", "empty", {"holds no samples", forms});
    data("folder without samples", "notes", {"holds no samples (found readme.md)", "Images are .jpg, .png"});
    data("other kind of file", "data.csv", {"data of this kind is not supported", forms});
    const QString shapes = "stacked along the leading axis";
    data("wrong shape", "shape.npz", {"tensor 'x'", "expects samples of 3x8x8", "is 3x9x9", shapes});
    data("wrong rank", "rank.npz", {"tensor 'x'", "expects samples of 3x8x8", "is 3.", shapes});
    data("channels last", "channels.npz",
         {"tensor 'x'", "expects samples of 3x8x8", "is 8x8x3: perhaps channels last (NHWC)", "Transpose the samples"});
    data("wrong name", "name.npz", {"reads input 'x'", "no array of that name", "Arrays in the file: input"});
    data("no samples", "none.npz", {"hold no samples", "at least one"});
    data("other number of labels", "labels.npz", {"3 labels for 4 samples", "one label for each sample"});
    data("truncated archive", "cut.npz", {"zip", "numpy.savez"});
    data("damaged archive", "flipped.npz", {"'x'", "rite it again"});
    data("text as archive", "text.npz", {"zip", "numpy.savez"});
    data("words", "words.npy", {"expected an array of numbers", "'<U3'", "array.astype"});
    data("objects", "objects.npy", {"expected an array of numbers", "'|O'", "array.astype"});
    data("records", "records.npy", {"expected an array of numbers, got records", "Save each field"});
    data("truncated array", "short.npy", {"4x3x8x8 float32 = 3072 bytes, but 100 follow", "write it again"});
    data("huge array", "huge.npy", {"99999999x99999999x99999999 does not fit in memory", "rite it again"});
    data("cut header", "header.npy", {"expected a NumPy array", "numpy.save"});
    data("picture of another size", "pictures", {"tensor 'x'", "expects samples of 3x8x8", "is 3x47x61", "resize"});
    data("truncated picture", "cut", {"a.jpg", "truncated", "remove it from the data"});
    data("text as picture", "text", {"a.png", "expected an image", "remove it from the data"});
    data("raw file of another size", "raw", {"a.bin", "expected 768 bytes", "got 100", "float32"});
    data("label that is no number", "listed", {"labels.txt", "expected a class index", "'cat'"});
    data("manifest: no such picture", "manifest.json", {"sample 0", "nowhere.png", "does not exist", "The form is"});
    data("manifest: unknown key", "manifest_key.json", {"sample 0", "'fil'", "Did you mean 'file'", "The form is"});
    data("manifest: a number for a file", "manifest_number.json",
         {"sample 0", "path of a file", "got 5", "The form is"});
    data("a link to nothing", "link", {"link/a.npy", "the link points to a missing file: gone.npy", "Remove the link"});
    data("manifest: cut off", "manifest_cut.json", {"not JSON", "The form is"});
    row("one array for two inputs", "run O/matmul_two_inputs.onnx --calib T/one_of_two.npz",
        {"one_of_two.npz", "reads input 'b'", "Inputs of the model: a, b"});
    row("one file for two inputs", "run O/matmul_two_inputs.onnx --calib T/short.npy",
        {"short.npy", "a .npy file holds one input, the model has 2: a, b", "Save a .npz"});
    row("different numbers of samples", "run O/matmul_two_inputs.onnx --calib T/two.npz",
        {"two.npz", "different numbers of samples", "2 and 3"});
    row("fractions for whole numbers", "run T/numbers.onnx --calib T/half.npz",
        {"half.npz", "'x'", "type int64", "float32", "0.5", "Save the array as int64"});
    row("less than a batch", "run O/dropout_opset13.onnx --calib T/one.npz",
        {"one.npz", "batches of 2 samples, the data has only 1", "at least one complete batch"});
    row("none", "run M", {"calibration data", "--calib"});
    row("bad evaluation", "run M --calib D --eval T/empty", {"T/empty", "holds no samples", forms});
    row("infer: no such data", "infer M --in T/nowhere.npz --out T/out/o.npz",
        {"nowhere.npz", "does not exist", forms});
    row("infer: wrong shape", "infer M --in T/shape.npz --out T/out/o.npz", {"shape.npz", "3x8x8", "3x9x9", shapes});
    row("infer: over the data", "infer M --in T/good.npz --out T/good.npz",
        {"good.npz", "overwrite a file that is read"});
    row("infer: over the data, by another name", "infer M --in T/good.npz --out T/out/../good.npz",
        {"good.npz", "overwrite a file that is read", "another path"});
    row("inspect: over the recipe", "inspect T/model.quantloupe --json T/model.quantloupe",
        {"model.quantloupe", "overwrite a file that is read"});
    row("infer: unknown tensor", "infer M --in D --out T/out/o.npz --tensors r9", {"'r9'", "Did you mean"});
}

void TestBadInput::refusedRequests_data()
{
    addColumns();
    row("platform", "run M --calib D --platform TRT_INT9", {"'TRT_INT9'", "Did you mean 'TRT_INT8'?", "Known: "});
    row("platform of the user with a mistake", "run M --calib D --platform MINE",
        {"'MINE'", "mine.json", "line 3", "'bit'", "Did you mean 'bits'"});
    row("dispatcher", "run M --calib D --dispatcher alin", {"'alin'", "Did you mean 'allin'?"});
    row("observer", "run M --calib D --observer minmx", {"'minmx'", "Did you mean 'minmax'?"});
    row("analysis", "run M --calib D --analyse layrwise", {"'layrwise'", "Did you mean 'layerwise'?"});
    row("output of an analysis", "run M --calib D --analyse graphwise,layerwise:seconds=3:outputs=r9+nowhere",
        {"analysis 'layerwise': no operation computes a tensor 'r9'", "Did you mean", "Its tensors: "});
    row("format", "run M --calib D --export onnx_qdg:T/out/q.onnx", {"'onnx_qdg'", "Did you mean 'onnx_qdq'?"});
    row("device", "run M --calib D --device cuda", {"cuda", "--device cpu"});
    row("input shape", "run M --calib D --input-shape y=1x3x8x8", {"'y'", "not a graph input", "Graph inputs: x"});
    row("preprocessing", "run M --calib T/pictures --preprocess rgb;%20resiz%208x8",
        {"'resiz'", "Did you mean 'resize'?"});
    row("condition", "run M --calib D --fail-if output.sqnr<20", {"output.sqnr<20", "sqnr_db"});
    row("field", "run M --calib D --set calibration.sampels=3", {"'calibration.sampels'", "Did you mean 'samples'?"});
    row("recipe: typo in a key", "run T/key.quantloupe",
        {"T/key.quantloupe", "line 4", "unknown key 'platfrom'", "Did you mean 'platform'?"});
    row("recipe: typo in an inner key", "run T/inner.quantloupe",
        {"T/inner.quantloupe", "line 4", "evaluation", "'sampels'", "Did you mean 'samples'?"});
    row("recipe: wrong type", "run T/type.quantloupe", {"T/type.quantloupe", "line 4", "threads", "\"two\""});
    row("recipe: out of range", "run T/range.quantloupe", {"T/range.quantloupe", "line 4", "evaluation.samples", "-3"});
    row("recipe: missing comma", "run T/comma.quantloupe", {"T/comma.quantloupe", "line 4"});
    row("recipe: a key twice", "run T/twice.quantloupe", {"T/twice.quantloupe", "line 5", "threads"});
    row("recipe: unknown pass", "run T/pass.quantloupe",
        {"T/pass.quantloupe", "line 4", "'calibrat'", "Did you mean 'calibrate'?"});
    row("recipe: unknown parameter", "run T/parameter.quantloupe",
        {"T/parameter.quantloupe", "line 4", "passes[0].params", "'observr'", "Did you mean 'observer'?"});
    row("recipe: unknown observer", "run T/observer.quantloupe",
        {"T/observer.quantloupe", "line 4", "overrides[0].set.observer", "'minmx'", "Did you mean 'minmax'?"});
    row("recipe: impossible override", "run T/rule.quantloupe", {"overrides", "bits", "77"});
    row("recipe: unknown platform in the table", "run T/place.quantloupe", {"'FP23'", "Did you mean 'FP32'?"});
    row("recipe: newer version", "run T/version.quantloupe", {"T/version.quantloupe", "quantloupe-recipe/99"});
    row("recipe: no model", "run T/no_model.quantloupe",
        {"T/no_model.quantloupe", "line 1", "the key 'model' is missing"});
    row("recipe: no such file", "run T/nowhere.quantloupe",
        {"T/nowhere.quantloupe", "the file does not exist", "Check the path"});
    row("a platform of two files", "run M --calib D --platform SAMES",
        {"same_two.json", "line 1", "'SAME' is also the id of the platform in", "same_one.json"});
    row("over a sample", "run M --calib T/pictures --json T/pictures/a.png", {"a.png", "read as a sample of"});
    row("beside samples", "infer M --in T/pictures --out T/pictures/o.npz", {"o.npz", "read as a sample of"});
    row("over a file of the manifest", "run M --calib T/named.json --report T/good.npz",
        {"good.npz", "overwrite a file that is read"});
    row("over weights beside the model", "run T/external_data.onnx --calib D --json T/external_data.bin",
        {"external_data.bin", "overwrite a file that is read"});
    row("over the recipe", "run T/model.quantloupe --json T/model.quantloupe",
        {"model.quantloupe", "overwrite a file that is read"});
    row("weights of a model that has them inside", "run M --weights T/good.npz --calib D",
        {"good.npz would not be read", "Remove --weights"});
    row("axis that a tensor lacks",
        "run M --calib D --set overrides=[{\"match\":{},\"set\":{\"granularity\":\"axis%207\"}}]",
        {"override", "granularity 'axis 7'", "axes", "Count the axes from 0"});
    row("a cache that is no folder", "run M --calib D --cache T/good.npz", {"good.npz", "cannot use the cache folder"});
    row("a shape twice", "run M --calib D --input-shape x=1x3x8x8 --input-shape x=2x3x8x8",
        {"--input-shape", "one shape per input"});
    row("a platform parameter twice", "run M --calib D --platform-param bits=4 --platform-param bits=8",
        {"--platform-param", "bits=8", "one value of 'bits'"});
    row("a parameter of an analysis twice", "run M --calib D --analyse layerwise:seconds=3:seconds=9",
        {"--analyse", "one value of 'seconds'"});
    row("recipe that could not be read again", "run M --calib D --save-recipe T/out/r.yaml",
        {"--save-recipe: recipes end in .quantloupe or .json; '", "r.yaml' could not be read as one again"});
    row("HTML in a JSON file", "run M --calib D --report T/out/r.json", {"the report is HTML", "--json T/out/r.json"});
    row("output in a missing folder", "run M --calib D --json T/no/r.json", {"T/no", "does not exist"});
    row("output is a folder", "run M --calib D --report T/empty", {"T/empty", "folder"});
    row("output below a file", "run M --calib D --save-recipe T/good.npz/r.json", {"good.npz"});
}

void TestBadInput::refused()
{
    QFETCH(QString, arguments);
    QFETCH(QStringList, words);
    QStringList all = expanded(arguments);
    // Every kind of output is requested, so that none is written.
    if (all[0] == "run") {
        for (const char *output : {"--json T/out/r.json", "--report T/out/r.html", "--save-recipe T/out/r.quantloupe",
                                   "--export native:T/out/m.qln", "--export onnx_qdq:T/out/m.onnx"}) {
            const QStringList option = expanded(output);
            if (!all.contains(option[0]) || option[0] == "--export") all += option;
        }
        all += "--quiet";
    }
    const auto before = files();
    const Outcome outcome = run(all);
    check(outcome, words);
    if (QTest::currentTestFailed()) return;
    QVERIFY(files() == before);
}

void TestBadInput::readOnlyFolder()
{
    QFETCH(QString, arguments);
    QFETCH(QString, file);
    const fs::path locked = m_folder / "locked";
    fs::create_directory(locked);
    fs::permissions(locked, fs::perms::owner_read | fs::perms::owner_exec);
    arguments.replace("FOLDER", QString::fromStdString(locked.string()));
    // Root may write everywhere as long as it has CAP_DAC_OVERRIDE (number 1): the program is started without it.
    const bool isRoot = ::geteuid() == 0;
    const auto asUser = [isRoot] {
        if (isRoot) ::prctl(PR_CAPBSET_DROP, 1, 0, 0, 0);
    };
    const Outcome probe = start("/usr/bin/touch", {QString::fromStdString((locked / "probe").string())}, asUser);
    if (probe.code == 0) QSKIP("the folder cannot be made read-only for this user");
    const Outcome outcome = start(program, expanded(arguments), asUser);
    check(outcome, {QString::fromStdString(locked.string()), "ermission denied", "folder", "permissions"});
    QVERIFY(fs::is_empty(locked));
}

void TestBadInput::fullDisk()
{
    QFETCH(QString, arguments);
    QFETCH(QString, file);
    // A file system of 4 KiB in a separate mount namespace; its contents are listed before it disappears.
    const QString disk = CliProgram::file("disk"), list = CliProgram::file("list");
    fs::create_directory(m_folder / "disk");
    arguments.replace("FOLDER", disk);
    const QString script = "mount -t tmpfs -o size=4k tmpfs " + disk + " && head -c 4096 /dev/zero > " + disk +
                           "/ballast || exit 77; \"$@\"; code=$?; ls -A " + disk + " > " + list + "; exit $code";
    const QStringList inside{"--mount", "--map-root-user", "/bin/sh", "-c", script, "sh", program};
    const Outcome outcome = start("/usr/bin/unshare", inside + expanded(arguments));
    if (outcome.crashed || !fs::exists(list.toStdString()))
        QSKIP("no file system can be mounted here: " + outcome.err.trimmed());
    check(outcome, {file, "no space left on the disk", "disk is not full"});
    QCOMPARE(readFile(list.toStdString()), std::string("ballast\n"));
}

/// The same call with good input works: the refusals above have the reasons that they name.
void TestBadInput::goodInputIsAccepted()
{
    const Outcome outcome =
        run(expanded("run M --calib D --json T/out/r.json --report T/out/r.html --export "
                     "onnx_qdq:T/out/m.onnx --export native:T/out/m.qln --save-recipe T/out/r.quantloupe -q"));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(std::distance(fs::directory_iterator(m_folder / "out"), fs::directory_iterator()), std::ptrdiff_t(5));
    const Outcome recipe = run(expanded("run T/model.quantloupe --quiet --json T/out/again.json"));
    QVERIFY2(recipe.code == 0, recipe.err.constData());
}

QL_TEST(TestBadInput)
#include "tst_bad_input.moc"
