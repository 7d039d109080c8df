#include "core/pass/format_pipeline.h"

namespace ql {

std::vector<std::string> defaultFormatPipeline()
{
    return {
        "constants_to_parameters", // first: all others look for parameters
        "compute_in_float32",      // before everything that computes with parameters or removes redundant Casts
        "remove_identity", // before the fusions, which match direct neighbours (Conv -> Dropout -> BN), and before the
                           // split: an Identity on a parameter hides that the parameter is shared
        "fold_weights",    // before the fusions, which change weights that are parameters
        "split_shared_parameters", // before the fusions, so that they can replace values in place
        "format_broadcast",        // before fuse_bias_add, which looks at the shape of the operand
        "fuse_bias_add",           // before fuse_batchnorm: Conv -> Add -> BN becomes one Conv
        "fuse_batchnorm",
        "batchnorm_to_conv", // the rest after fuse_batchnorm
        "format_slice", "format_clip", "format_pad", "format_resize",
        "hoist_body_weights", // after the fusions, which change weights in bodies
        "delete_isolated",    // last: also removes the parameters that fusions left unused
    };
}

} // namespace ql
