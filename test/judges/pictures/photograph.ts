import sharp from "sharp";

/** Written wherever a camera writes metadata. */
export const CAMERA = "Judged Camera 5000";
export const TAKEN = "2026:06:21 18:04:05";

/** A picture with the detail of a photograph and all metadata of a camera. */
export async function photograph(width: number, height: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3);
  let seed = 1;
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)];
    seed = (seed * 1_103_515_245 + 12_345) >>> 0;
    const noise = (seed / 2 ** 32 - 0.5) * 14;
    const shape = 60 * Math.sin(x / 300) + 40 * Math.cos(y / 170 + x / 900);
    const light = 128 + shape + 25 * Math.sin((x * y) / 90_000) + noise;
    pixels.set([clamp(light + 20 * Math.sin(y / 60)), clamp(light * 0.8 + 30)], at);
    pixels[at + 2] = clamp(255 - light);
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .withExif({
      IFD0: { Make: CAMERA, Model: CAMERA, DateTime: TAKEN, Copyright: "Jane Doe" },
      IFD2: { DateTimeOriginal: TAKEN },
      IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 12/1 29/1" },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${CAMERA} --></x:xmpmeta>`)
    .jpeg({ quality: 92 })
    .toBuffer();
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}
