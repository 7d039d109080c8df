"""ONNX Runtime, for driver.py."""
import onnxruntime as ort

LEVELS = {"all": ort.GraphOptimizationLevel.ORT_ENABLE_ALL, "extended": ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
          "basic": ort.GraphOptimizationLevel.ORT_ENABLE_BASIC, "off": ort.GraphOptimizationLevel.ORT_DISABLE_ALL}


def version():
    return ort.__version__


class Model:
    def __init__(self, file, options, _first):
        ort.set_default_logger_severity(3)
        session = ort.SessionOptions()
        session.graph_optimization_level = LEVELS[options["optimizations"]]
        session.intra_op_num_threads = options["threads"]
        if not options["fuse_qdq"]:
            session.add_session_config_entry("session.disable_quant_qdq", "1")
        if options["precise_sums"]:
            session.add_session_config_entry("session.x64quantprecision", "1")
        self.session = ort.InferenceSession(file, session, providers=["CPUExecutionProvider"])
        self.inputs = [i.name for i in self.session.get_inputs()]
        self.outputs = [o.name for o in self.session.get_outputs()]

    def run(self, names, feed):
        return self.session.run(names, feed)
