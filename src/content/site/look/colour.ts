/** A colour in OKLab, where equal distances look about equal. */
interface Lab {
  lightness: number;
  a: number;
  b: number;
}

/** Colours are `#rrggbb` in lower case. */
export type Colour = string;

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrastRatio(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** Mixes two colours; `share`, from 0 to 1, is the weight of the second. */
export function mixColours(colour: Colour, other: Colour, share: number): Colour {
  const firstLab = toLab(colour);
  const secondLab = toLab(other);
  const between = (x: number, y: number) => x + (y - x) * share;
  return fromLab({
    lightness: between(firstLab.lightness, secondLab.lightness),
    a: between(firstLab.a, secondLab.a),
    b: between(firstLab.b, secondLab.b),
  });
}

/** A colour of the same hue with this lightness, from 0 to 1; its chroma is at most `chromaMax`. */
export function withLightness(colour: Colour, lightness: number, chromaMax = 1): Colour {
  const { a, b } = toLab(colour);
  const chroma = Math.hypot(a, b);
  const scale = chroma > chromaMax ? chromaMax / chroma : 1;
  return fromLab({ lightness, a: a * scale, b: b * scale });
}

export function isDark(colour: Colour): boolean {
  return toLab(colour).lightness < 0.5;
}

const SEARCH_STEPS = 200;

/**
 * Returns the colour if it contrasts enough with every background. Otherwise returns the closest colour of
 * the same hue that does. If there is none, returns black or white.
 */
export function ensureLegibleColour(
  colour: Colour,
  backgrounds: readonly Colour[],
  ratio: number,
): Colour {
  const passes = (candidate: Colour) =>
    backgrounds.every((background) => contrastRatio(candidate, background) >= ratio);
  if (passes(colour)) return colour;
  const { lightness } = toLab(colour);
  for (let step = 1; step <= SEARCH_STEPS; step += 1) {
    for (const direction of [-1, 1]) {
      const shifted = lightness + (direction * step) / SEARCH_STEPS;
      if (shifted < 0 || shifted > 1) continue;
      const candidate = withLightness(colour, shifted);
      if (passes(candidate)) return candidate;
    }
  }
  return passes("#000000") ? "#000000" : "#ffffff";
}

function linearChannels(colour: Colour): [red: number, green: number, blue: number] {
  const rgb = Number.parseInt(colour.slice(1), 16);
  return [linearLight(rgb >> 16), linearLight((rgb >> 8) & 255), linearLight(rgb & 255)];
}

function linearLight(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function lightToByte(light: number): number {
  const clipped = Math.min(1, Math.max(0, light));
  const value = clipped <= 0.0031308 ? clipped * 12.92 : 1.055 * clipped ** (1 / 2.4) - 0.055;
  return Math.round(value * 255);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = linearChannels(colour);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The formulas are from https://bottosson.github.io/posts/oklab/. */
function toLab(colour: Colour): Lab {
  const [red, green, blue] = linearChannels(colour);
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  };
}

/** Converts a colour to sRGB. A colour outside the sRGB gamut is clipped. */
function fromLab({ lightness, a, b }: Lab): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const bytes = [
    lightToByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    lightToByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    lightToByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
