"""The corpus models: the data for calibration and evaluation of each, as given on the command line."""
import json
from pathlib import Path

IMAGENET = "mean .485,.456,.406; std .229,.224,.225"
PHOTO_224 = f"rgb; crop 224; scale 1/255; {IMAGENET}"
DARK = "rgb; stretch 320x240; scale 1/255; gamma 2.5; scale 0.4"
FACES = "rgb; stretch 320x240; mean 127; std 128"

# name -> folder of the data (None: the recorded inputs), preprocessing, metric if there are labels
MODELS = {
    "squeezenet1.1": ("data_imagenet", PHOTO_224, "top-1"),
    "squeezenet1.1_caffe": ("data_imagenet", PHOTO_224, "top-1"),
    "mobilenetv2_backbone": ("data_imagenet", PHOTO_224, None),
    "resnet50v2_backbone": ("data_imagenet", PHOTO_224, None),
    "resnet20_cifar10": ("data_cifar10", f"rgb; scale 1/255; {IMAGENET}", "top-1"),
    "yolox_nano": ("data_coco/images", "bgr; letterbox 416 pad 114", "AP50"),
    "deeplabv3_dm05": ("data_coco/images", "rgb; letterbox 257 pad 127.5 center; scale 1/127.5; shift -1; layout nhwc", "mIoU"),
    "stories260k": ("data_tokens/stories260k_tokens.npy", "", "loss"),
    "super_resolution": ("data_imagenet", "y; crop 224; scale 1/255", None),
    "fast_style_transfer": ("data_coco/images", "rgb; stretch 540x540", None),
    "tbefn_lowlight": ("data_coco/images", DARK, None),
    "sci_lowlight": ("data_coco/images", DARK, None),
    "ppocr_v3_det": ("data_text", f"bgr; stretch 544x512; scale 1/255; {IMAGENET}", None),
    "ppocr_mobile2_cls": ("data_text", "bgr; stretch 192x48; scale 1/127.5; shift -1", None),
    "ultraface_rfb320": ("data_coco/images", FACES, None),
    "ultraface_rfb320_caffe": ("data_coco/images", FACES, None),
    "wechat_qr_detect_caffe": ("data_coco/images", "gray; stretch 384x384; scale 1/255", None),
    "minifasnet_v2": ("data_coco/images", "bgr; stretch 80x80", None),
    "silero_vad_16k_op15": (None, "", None),
    "gtcrn_simple": (None, "", None),
}


def model_file(corpus, name):
    """The file that the command line opens; the weights of a Caffe net are next to it."""
    onnx = corpus / name / f"{name}.onnx"
    return onnx if onnx.exists() else corpus / name / f"{name}.prototxt"


def spread(items):
    """The items in another order, such that any first n are spread over all: the order of reversed bits."""
    width = max(1, (len(items) - 1).bit_length())
    order = sorted(range(1 << width), key=lambda i: int(format(i, f"0{width}b")[::-1], 2))
    return [items[i] for i in order if i < len(items)]


def write_manifest(folder, target):
    """Every image of the folder, spread, with its label if there is one. @returns the images in that order"""
    labels = {}
    if (folder / "labels.txt").exists():
        for line in (folder / "labels.txt").read_text().splitlines():
            picture, label = line.rsplit(" ", 1)
            labels[picture] = int(label)
    elif "cifar" in folder.name:
        labels = {p.name: int(p.name.split("_")[0]) for p in folder.glob("*.jpg")}
    pictures = spread(sorted(p for p in folder.iterdir() if p.suffix.lower() in (".jpg", ".png")))
    samples = [{"file": str(p.resolve())} | ({"label": labels[p.name]} if p.name in labels else {}) for p in pictures]
    target.write_text(json.dumps({"samples": samples}))
    return pictures
