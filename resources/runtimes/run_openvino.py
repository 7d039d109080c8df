"""OpenVINO's CPU plug-in, for driver.py."""
import openvino


def version():
    return openvino.__version__.split("-")[0]


class Model:
    def __init__(self, file, options, _first):
        settings = {"INFERENCE_NUM_THREADS": options["threads"]}
        if options["precision"] != "default":
            settings["INFERENCE_PRECISION_HINT"] = options["precision"]
        if options["dynamic_quantization"] == "off":
            settings["DYNAMIC_QUANTIZATION_GROUP_SIZE"] = "0"
        core = openvino.Core()
        model = core.read_model(file)
        self.inputs = [i.any_name for i in model.inputs]
        self.outputs = [o.any_name for o in model.outputs]
        self.compiled = core.compile_model(model, "CPU", settings)

    def run(self, names, feed):
        results = self.compiled(feed)
        return [results[self.compiled.output(name)] for name in names]
