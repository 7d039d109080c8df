"""The metrics of the models' users, computed from outputs on labelled data."""
import numpy as np
from PIL import Image


def top1(scores, pictures, labels):
    best = scores.reshape(len(scores), -1).argmax(1)
    return float((best == np.asarray(labels)).mean())


def next_token_loss(logits, tokens):
    """Mean of -log p(next token), in nats."""
    logits = logits.reshape(*tokens.shape, -1).astype(np.float64)
    logits -= logits.max(-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(-1, keepdims=True))
    return float(-np.take_along_axis(log_p[:, :-1], tokens[:, 1:, None].astype(np.int64), 2).mean())


# The 20 classes of Pascal VOC, in the order of the model's outputs behind the background, as numbers of COCO's categories
VOC_IN_COCO = (5, 2, 16, 9, 44, 6, 3, 17, 62, 21, 67, 18, 19, 4, 1, 64, 20, 63, 7, 72)


def mean_iou(scores, pictures):
    """Over the classes that occur; everything that VOC does not name is background. The mask goes through the photo's letterbox."""
    voc = np.zeros(256, np.uint8)
    voc[list(VOC_IN_COCO)] = np.arange(1, 21)
    together, either = np.zeros(21), np.zeros(21)
    side = scores.shape[1]
    for score, picture in zip(scores, pictures):
        mask_file = picture.parent.parent / "masks" / f"{picture.stem}.png"
        if not mask_file.exists():
            continue
        mask = Image.open(mask_file) # class indices, also where it has a palette
        ratio = min(side / mask.width, side / mask.height)
        width, height = max(1, int(mask.width * ratio)), max(1, int(mask.height * ratio))
        top, left = (side - height) // 2, (side - width) // 2
        want = np.full((side, side), 255, np.uint8)
        want[top : top + height, left : left + width] = voc[np.asarray(mask.resize((width, height), Image.NEAREST))]
        got = score.argmax(-1)
        for c in range(21):
            is_c, said_c, counts = want == c, got == c, want != 255
            together[c] += (is_c & said_c).sum()
            either[c] += ((is_c | said_c) & counts).sum() if is_c.any() or said_c.any() else 0
    present = either > 0
    return float((together[present] / either[present]).mean())


def yolox_boxes(output, side=416):
    """Rows (x0, y0, x1, y1) and class scores of the raw output [cells, 85]: each cell's box is an offset from its place."""
    centres, strides = [], []
    for stride in (8, 16, 32):
        n = side // stride
        ys, xs = np.mgrid[:n, :n]
        centres.append(np.stack([xs, ys], -1).reshape(-1, 2))
        strides.append(np.full((n * n, 1), stride))
    centres, strides = np.concatenate(centres), np.concatenate(strides)
    middle = (output[:, :2] + centres) * strides
    size = np.exp(output[:, 2:4]) * strides
    return np.concatenate([middle - size / 2, middle + size / 2], 1), output[:, 4:5] * output[:, 5:]


def overlap(box, boxes):
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    inter = np.clip(high - low, 0, None).prod(1)
    area = lambda b: (b[..., 2] - b[..., 0]) * (b[..., 3] - b[..., 1])
    return inter / np.maximum(area(box) + area(boxes) - inter, 1e-9)


def detections(boxes, scores, at_least=0.01, same=0.65):
    """Per class, without those that overlap a better one. @returns (class, score, box)"""
    found = []
    for c in np.flatnonzero(scores.max(0) > at_least):
        rows = np.flatnonzero(scores[:, c] > at_least)
        rows = rows[np.argsort(-scores[rows, c], kind="stable")]
        while len(rows):
            best, rows = rows[0], rows[1:]
            found.append((c, scores[best, c], boxes[best]))
            rows = rows[overlap(boxes[best], boxes[rows]) < same]
    return found


def ap50(outputs, pictures):
    """Mean over the classes in the data of the average precision at overlap 0.5, precision at 101 levels of recall."""
    hits, wanted = {}, {}
    for output, picture in zip(outputs, pictures):
        width, height = Image.open(picture).size
        ratio = min(416 / width, 416 / height)
        truth = []
        label_file = picture.parent.parent / "labels" / f"{picture.stem}.txt"
        for line in label_file.read_text().splitlines() if label_file.exists() else []:
            c, x, y, w, h = (float(v) for v in line.split()[:5])
            box = np.array([x - w / 2, y - h / 2, x + w / 2, y + h / 2]) * [width, height, width, height] * ratio
            truth.append([int(c), box, False])
            wanted[int(c)] = wanted.get(int(c), 0) + 1
        for c, score, box in sorted(detections(*yolox_boxes(output)), key=lambda d: -d[1]):
            same = [t for t in truth if t[0] == c and not t[2]]
            overlaps = overlap(box, np.array([t[1] for t in same])) if same else np.zeros(0)
            hit = len(same) > 0 and overlaps.max() >= 0.5
            if hit:
                same[int(overlaps.argmax())][2] = True
            hits.setdefault(c, []).append((score, hit))
    averages = []
    for c, total in wanted.items():
        rows = sorted(hits.get(c, []), key=lambda r: -r[0])
        right = np.cumsum([r[1] for r in rows]) if rows else np.zeros(0)
        recall, precision = right / total, right / np.arange(1, len(rows) + 1)
        averages.append(np.mean([precision[recall >= level].max(initial=0) for level in np.linspace(0, 1, 101)]))
    return float(np.mean(averages))
