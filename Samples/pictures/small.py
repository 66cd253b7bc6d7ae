"""Makes a picture as large as a page on the web shows it: small.py PICTURE WIDTH OUT."""
import sys

from PIL import Image

source, width, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
picture = Image.open(source).convert("RGB")
picture = picture.resize((width, picture.height * width // picture.width), Image.Resampling.LANCZOS)
if out.endswith(".png"):
    picture = picture.quantize(64, dither=Image.Dither.NONE)
picture.save(out, quality=82, optimize=True, dpi=(72, 72))
