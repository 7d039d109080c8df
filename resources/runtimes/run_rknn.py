"""The simulator of Rockchip's RKNN toolkit, for driver.py."""
import importlib.metadata

import onnx
from rknn.api import RKNN


def version():
    return importlib.metadata.version("rknn-toolkit2")


def require(code, what):
    if code != 0:
        raise SystemExit(f"RKNN toolkit: {what} failed with code {code}; its messages are above")


class Model:
    def __init__(self, file, options, first):
        graph = onnx.load(file, load_external_data=False).graph
        values = {i.name for i in graph.initializer}
        self.inputs = [i.name for i in graph.input if i.name not in values]
        self.outputs = [o.name for o in graph.output]
        if missing := [n for n in self.inputs if n not in first]:
            raise SystemExit(f"the file has inputs that the recipe's model does not have: {', '.join(missing)}")
        self.rknn = RKNN(verbose=False)
        self.rknn.config(target_platform=options["target"], optimization_level=int(options["optimization_level"]))
        shapes = [list(first[n].shape) for n in self.inputs]
        require(self.rknn.load_onnx(model=file, inputs=self.inputs, input_size_list=shapes), "loading the file")
        require(self.rknn.build(do_quantization=False), "building the model")
        require(self.rknn.init_runtime(), "starting the simulator")

    def run(self, names, feed):
        results = self.rknn.inference(inputs=[feed[n] for n in self.inputs],
                                      data_format=["nchw"] * len(self.inputs))
        by_name = dict(zip(self.outputs, results))
        return [by_name[n] for n in names]
