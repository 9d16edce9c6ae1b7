import sharp, { type OverlayOptions } from "sharp";
import {
  SHARE_PICTURE_HEIGHT,
  SHARE_PICTURE_WIDTH,
} from "../../../content/media/share-pictures.ts";
import { serveTasks } from "../../../work/serve-tasks.ts";
import { FONT_FAMILIES, unpackFonts } from "./share-fonts.ts";
import {
  type SharePictureResult,
  type SharePictureTask,
  sharePictureTaskSchema,
} from "./share-task.ts";

const BYTES_MAX = 512 * 1024 * 1024;
const MARGIN_PIXELS = 80;
const LINE_WIDTH = SHARE_PICTURE_WIDTH - 2 * MARGIN_PIXELS;
/** Font sizes to try, in pixels, largest first. */
const TEXT_SIZES = [76, 66, 58, 51, 45, 40, 35, 31, 27, 24];
const CAUTION_SIZES = [44, 36, 28, 22];
const SOURCE_SIZES = [32, 28, 24, 20];
const SITE_SIZES = [28, 22, 18];
const TEXT_HEIGHT = 330;
const CAUTION_HEIGHT = 56;
const CAUTION_GAP = 40;
const SOURCE_HEIGHT = 90;
const SITE_HEIGHT = 40;
/** Matches a visible character. The drawing library throws for a text without one. */
const VISIBLE_CHARACTER = /[^\p{Default_Ignorable_Code_Point}\s]/u;

sharp.cache(false);
sharp.concurrency(1);

serveTasks(async (message) => await draw(sharePictureTaskSchema.parse(message)), {
  bytesMax: BYTES_MAX,
});

interface TextToDraw {
  text: string;
  colour: string;
  language: string;
  sizes: readonly number[];
  heightMax: number;
}

interface DrawnText {
  pixels: Buffer;
  width: number;
  height: number;
}

/**
 * Draws the text in the middle, a warning above the text, its source below, and the site's name at
 * the bottom.
 */
async function draw({ fonts, file, card }: SharePictureTask): Promise<SharePictureResult> {
  await unpackFonts(fonts);
  const { language, ink, soft, accent } = card;
  const caution =
    card.caution === ""
      ? null
      : await drawText({
          ...{ text: card.caution, colour: card.bad, language },
          ...{ sizes: CAUTION_SIZES, heightMax: CAUTION_HEIGHT },
        });
  const cautionHeight = caution === null ? 0 : caution.height + CAUTION_GAP;
  const text = await drawText({
    ...{ text: card.text, colour: ink, language },
    ...{ sizes: TEXT_SIZES, heightMax: TEXT_HEIGHT - cautionHeight },
  });
  const source =
    card.source === ""
      ? null
      : await drawText({
          ...{ text: card.source, colour: soft, language },
          ...{ sizes: SOURCE_SIZES, heightMax: SOURCE_HEIGHT },
        });
  const site = await drawText({
    ...{ text: card.site, colour: accent, language },
    ...{ sizes: SITE_SIZES, heightMax: SITE_HEIGHT },
  });
  const top = MARGIN_PIXELS + Math.round((TEXT_HEIGHT - cautionHeight - text.height) / 2);
  const textTop = top + cautionHeight;
  const placed = [
    ...(caution === null ? [] : [placedAt(caution, top, language)]),
    placedAt(text, textTop, language),
    ...(source === null ? [] : [placedAt(source, textTop + text.height + 44, language)]),
    placedAt(site, SHARE_PICTURE_HEIGHT - 40 - site.height, language),
  ];
  const bar = `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_PICTURE_WIDTH}" height="${SHARE_PICTURE_HEIGHT}"><rect width="${SHARE_PICTURE_WIDTH}" height="14" fill="${accent}"/></svg>`;
  const canvas = {
    width: SHARE_PICTURE_WIDTH,
    height: SHARE_PICTURE_HEIGHT,
    background: card.paper,
  };
  await sharp({ create: { ...canvas, channels: 3 } })
    .composite([{ input: Buffer.from(bar) }, ...placed.map(({ overlay }) => overlay)])
    .png({ compressionLevel: 6 })
    .toFile(file);
  return { boxes: placed.map(({ box }) => box) };
}

/**
 * Draws a text in the largest size that fits. Shortens the text if even the smallest size is too
 * large.
 */
async function drawText({ text, sizes, heightMax, ...style }: TextToDraw): Promise<DrawnText> {
  for (const size of sizes) {
    if (cannotFit(text, size, heightMax) && size !== sizes.at(-1)) continue;
    const drawn = await drawAtSize(VISIBLE_CHARACTER.test(text) ? text : "…", size, style);
    // Checks the width too, because some long sequences of combining marks are never broken into
    // lines.
    if (drawn.height <= heightMax && drawn.width <= LINE_WIDTH) return drawn;
  }
  const shortened = [...text].slice(0, Math.floor([...text].length * 0.8)).join("");
  return await drawText({
    text: `${shortened.trimEnd()}…`,
    sizes: sizes.slice(-1),
    heightMax,
    ...style,
  });
}

/**
 * Whether the text would need too many lines even if all its letters were narrow. Drawing can then
 * be skipped.
 */
function cannotFit(text: string, size: number, heightMax: number): boolean {
  const lines = Math.ceil(([...text].length * size * 0.36) / LINE_WIDTH);
  return lines * size > heightMax;
}

async function drawAtSize(
  text: string,
  size: number,
  { colour, language }: Pick<TextToDraw, "colour" | "language">,
): Promise<DrawnText> {
  const markup = `<span foreground="${colour}" lang="${escaped(language)}">${escaped(text)}</span>`;
  const { data, info } = await sharp({
    text: {
      ...{ text: markup, font: `${FONT_FAMILIES} ${size}`, dpi: 72, rgba: true },
      ...{ width: LINE_WIDTH, wrap: "word-char", spacing: Math.round(size / 5) },
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

/** Aligns the text to the side at which lines begin in the text's language. */
function placedAt({ pixels, width, height }: DrawnText, top: number, language: string) {
  const isRightToLeft = /^(?:ar|he|fa|ur|yi)\b/.test(language);
  const left = isRightToLeft ? SHARE_PICTURE_WIDTH - MARGIN_PIXELS - width : MARGIN_PIXELS;
  const raw = { width, height, channels: 4 } as const;
  const overlay: OverlayOptions = { input: pixels, raw, left, top };
  return { overlay, box: { left, top, width, height } };
}

function escaped(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, (character) => (character === "\n" ? "\n" : " "))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
