// Named lists of steps, for the menu of the data dialog and `quantloupe-cli preprocess-presets`.
#include "core/io/preprocess.h"

namespace ql {

const std::vector<api::CatalogueItem> &Preprocess::presets()
{
    static const std::vector<api::CatalogueItem> items{
        {"imagenet",
         QL_TEXT("ImageNet"),
         QL_TEXT("Classifiers of torchvision and timm: the centre of the image, normalized by the ImageNet mean and "
                 "standard deviation."),
         {},
         "rgb; resize 256 short; crop 224; scale 1/255; mean .485,.456,.406; std .229,.224,.225"},
        {"yolo",
         QL_TEXT("YOLO"),
         QL_TEXT("Detectors of the YOLO family: the whole image with grey padding, values from 0 to 1."),
         {},
         "rgb; letterbox 224 pad 114 center; scale 1/255"},
        {"signed",
         QL_TEXT("-1 to 1"),
         QL_TEXT("The image stretched to the input, values from -1 to 1 (TensorFlow, diffusion models)."),
         {},
         "rgb; stretch 224x224; scale 1/127.5; shift -1"},
        {"bytes",
         QL_TEXT("0 to 255"),
         QL_TEXT("The image stretched to the input, values as decoded: the model normalizes them itself."),
         {},
         "rgb; stretch 224x224"}};
    return items;
}

} // namespace ql
