"""OpenCV's dnn module on the CPU, for driver.py."""
import cv2
import numpy as np
import onnx


def version():
    return cv2.__version__


def layer_names(graph):
    """The layer that computes a tensor, by OpenCV's rule; graph outputs are layers of their own name."""
    names = {}
    for node in graph.node:
        for i, tensor in enumerate(node.output):
            if i == 0:
                names[tensor] = f"onnx_node!{node.name}" if node.name else f"onnx_node_output_0!{tensor}"
    return names | {o.name: o.name for o in graph.output}


class Model:
    def __init__(self, file, options, _first):
        cv2.setNumThreads(options["threads"])
        model = onnx.load(file)
        inferred = onnx.shape_inference.infer_shapes(model).graph
        shapes = {v.name: v for v in [*inferred.value_info, *inferred.output]}
        for output in model.graph.output:  # OpenCV needs the shapes of outputs
            if output.name in shapes:
                output.CopyFrom(shapes[output.name])
        graph = model.graph
        values = {i.name for i in graph.initializer}
        self.inputs = [i.name for i in graph.input if i.name not in values]
        self.outputs = [o.name for o in graph.output]
        self.layers = layer_names(graph)
        self.net = cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8))
        self.net.enableWinograd(options["winograd"])
        self.net.enableFusion(options["fusion"])

    def run(self, names, feed):
        for name in self.inputs:
            self.net.setInput(feed[name], name)
        return self.net.forward([self.layers[n] for n in names])
