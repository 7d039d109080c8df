"""AIMET's simulation of quantization on the CPU, for driver.py: the float ONNX file with the encodings next to it, as QNN
reads them."""
import importlib.metadata
import pathlib

import onnx
from aimet_onnx import quantsim


def version():
    return importlib.metadata.version("aimet-onnx")


class Model:
    def __init__(self, file, options, first):
        encodings = pathlib.Path(file).with_suffix(".encodings")
        if not encodings.exists():
            raise SystemExit(f"the scales are missing: {encodings.name} must be next to the file (export "
                             "'aimet_encodings' or 'qnn_encodings')")
        model = onnx.load(file)
        values = {i.name for i in model.graph.initializer}
        self.inputs = [i.name for i in model.graph.input if i.name not in values]
        self.outputs = [o.name for o in model.graph.output]
        with quantsim._apply_constraints(options["constraints"]):  # pylint: disable=protected-access
            # Without HTP's rules, AIMET takes no care of the lower limit of a Relu: what the Relu reads would get the
            # scale of its result, also if others read it
            self.simulation = quantsim.QuantizationSimModel(
                model, dummy_input={n: first[n] for n in self.inputs if n in first},
                config_file="htp_v81" if options["constraints"] else None,
                session_options_kwargs={"intra_op_num_threads": options["threads"]})
        # What AIMET would quantize by its own rules gives way to the file
        quantsim.load_encodings_to_sim(self.simulation, str(encodings), strict=False)

    def run(self, names, feed):
        by_name = dict(zip(self.outputs, self.simulation.session.run(None, feed)))
        return [by_name[n] for n in names]
