"""Calibration data for the corpus models: one .npz per model, arrays named as the graph inputs, leading axis = samples.

The photos of a corpus folder are taken evenly spaced in name order, so that every class of a sorted folder occurs. Decoding and
resizing are Pillow's (bilinear), arithmetic is float32; the arrays are what both tools read, so neither tool's own
preprocessing takes part in a comparison.
"""
from pathlib import Path

import numpy as np
from PIL import Image

MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)


def spread(files, count):
    """`count` of `files`, evenly spaced; all of them when there are fewer."""
    return files if len(files) <= count else [files[i * len(files) // count] for i in range(count)]


def photos(folder, count):
    files = spread(sorted(p for p in Path(folder).iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png")), count)
    return [Image.open(p).convert("RGB") for p in files]


def chw(array):
    return np.ascontiguousarray(np.asarray(array, np.float32).transpose(2, 0, 1))


def rgb(image):
    return np.asarray(image, np.float32)


def crop_centre(image, side):
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return image.crop((left, top, left + side, top + side))


def stretch(image, width, height):
    return image.resize((width, height), Image.BILINEAR)


def letterbox(image, side, pad, centre):
    """Fits the photo in a square of `side` and fills the rest with `pad`: on the right and bottom, or on all sides."""
    ratio = min(side / image.width, side / image.height)
    width, height = max(1, int(image.width * ratio)), max(1, int(image.height * ratio))
    canvas = np.full((side, side, 3), pad, np.float32)
    left, top = ((side - width) // 2, (side - height) // 2) if centre else (0, 0)
    canvas[top : top + height, left : left + width] = rgb(stretch(image, width, height))
    return canvas


def imagenet(image):
    return chw((rgb(image) / np.float32(255) - MEAN) / STD)


def text_crops(folder, count):
    """Strips of the text photos, four times as wide as high: the shape of a text line."""
    images, crops = photos(folder, count), []
    for turn in range(-(-count // max(1, len(images)))):
        for image in images:
            height = image.width // 4
            top = (turn + 1) * (image.height - height) // (turn + 2)
            crops.append(image.crop((0, max(0, top), image.width, max(0, top) + height)))
    return crops[:count]


def text_pages(folder, count):
    """The text photos, then their middle three quarters until there are enough."""
    images = photos(folder, count)
    middles = [i.crop((i.width // 8, i.height // 8, i.width * 7 // 8, i.height * 7 // 8)) for i in images]
    return (images + middles)[:count]


# name -> (graph input, folder with the photos, photos of the folder, sample of a photo)
SPECS = {
    "squeezenet1.1": ("data", "data_imagenet", photos, lambda i: imagenet(crop_centre(i, 224))),
    "mobilenetv2_backbone": ("data", "data_imagenet", photos, lambda i: imagenet(crop_centre(i, 224))),
    "resnet50v2_backbone": ("data", "data_imagenet", photos, lambda i: imagenet(crop_centre(i, 224))),
    "resnet20_cifar10": ("input", "data_cifar10", photos, imagenet),
    "ultraface_rfb320": ("input", "data_coco/images", photos,
                         lambda i: chw((rgb(stretch(i, 320, 240)) - np.float32(127)) / np.float32(128))),
    "yolox_nano": ("images", "data_coco/images", photos, lambda i: chw(letterbox(i, 416, 114, False)[:, :, ::-1])),
    "deeplabv3_dm05": ("sub_7", "data_coco/images", photos,
                       lambda i: letterbox(i, 257, 127.5, False) / np.float32(127.5) - np.float32(1)),
    "ppocr_mobile2_cls": ("x", "data_text", text_crops,
                          lambda i: chw((rgb(stretch(i, 192, 48)) / np.float32(255) - np.float32(0.5)) / np.float32(0.5))),
    "ppocr_v3_det": ("x", "data_text", text_pages,
                     lambda i: chw((rgb(stretch(i, 544, 512))[:, :, ::-1] / np.float32(255) - MEAN) / STD)),
    "super_resolution": ("input", "data_imagenet", photos, lambda i: np.asarray(
        crop_centre(i, 224).convert("YCbCr"), np.float32)[None, :, :, 0] / np.float32(255)),
    "sci_lowlight": ("input", "data_coco/images", photos, lambda i: chw(
        np.float32(0.4) * (rgb(stretch(i, 320, 240)) / np.float32(255)) ** np.float32(2.5))),
    "tbefn_lowlight": ("Placeholder", "data_coco/images", photos, lambda i: chw(
        np.float32(0.4) * (rgb(stretch(i, 320, 240)) / np.float32(255)) ** np.float32(2.5))),
    "fast_style_transfer": ("input", "data_coco/images", photos, lambda i: chw(rgb(stretch(i, 540, 540)))),
}


def make(corpus, name, samples):
    """@returns {graph input: float32 array [samples, ...]} of a corpus model."""
    variable, folder, pick, convert = SPECS[name]
    return {variable: np.ascontiguousarray(np.stack([convert(i) for i in pick(Path(corpus) / folder, samples)]), np.float32)}


def write(corpus, target, samples, names=None):
    """Writes `target`/<model>.npz for the named models (all of them by default). @returns the paths."""
    paths = []
    Path(target).mkdir(parents=True, exist_ok=True)
    for name in names or SPECS:
        path = Path(target) / f"{name}.npz"
        np.savez(path, **make(corpus, name, samples))
        paths.append(path)
    return paths
