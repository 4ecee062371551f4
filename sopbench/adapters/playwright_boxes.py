"""Numbered boxes drawn on a screenshot."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

_COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#e65100", "#6a1b9a", "#00695c")
_FONT_SIZE = 14
_QUALITY = 70


@dataclass(frozen=True)
class Boxed:
    """A number and its box: left, top, right, bottom in CSS pixels of what is in sight."""

    number: int
    box: tuple[float, float, float, float]


def in_sight(number: int, box: Mapping[str, float], frames: Sequence[Mapping[str, float]]) -> Boxed | None:
    """The part of the box that the frames around it show; None when there is none."""
    left, top, right, bottom = _edges(box)
    for frame in frames:
        frame_left, frame_top, frame_right, frame_bottom = _edges(frame)
        left, top = max(left, frame_left), max(top, frame_top)
        right, bottom = min(right, frame_right), min(bottom, frame_bottom)
    return Boxed(number, (left, top, right, bottom)) if left < right and top < bottom else None


def draw(picture: bytes, boxes: Sequence[Boxed], width: float) -> bytes:
    """The picture as JPEG, with the boxes in it; ``width`` is that of the picture in CSS pixels."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    scale = image.width / width
    canvas = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=_FONT_SIZE * scale)
    for place, boxed in enumerate(boxes):
        left, top, right, bottom = (edge * scale for edge in boxed.box)
        if left < image.width and top < image.height and right > 0 and bottom > 0:
            _draw_one(canvas, font, (left, top, right, bottom), str(boxed.number), _COLOURS[place % len(_COLOURS)])
    written = io.BytesIO()
    image.save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()


def _draw_one(
    canvas: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    box: tuple[float, float, float, float],
    number: str,
    colour: str,
) -> None:
    """The number stands above the box, or inside it where there is no room."""
    left, top, _, _ = box
    canvas.rectangle(box, outline=colour, width=2)
    _, _, wide, high = canvas.textbbox((0, 0), number, font=font)
    x = max(left, 0)
    y = top - high - 4 if top > high + 4 else max(top, 0)
    canvas.rectangle((x, y, x + wide + 6, y + high + 4), fill=colour)
    canvas.text((x + 3, y + 1), number, fill="white", font=font)


def _edges(box: Mapping[str, float]) -> tuple[float, float, float, float]:
    return box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]
