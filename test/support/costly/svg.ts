import { type CostlyText, numbered, repeated } from "./pieces.ts";

function picture(inner: CostlyText, definitions = ""): CostlyText {
  return (characters) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">${definitions}${inner(characters)}</svg>`;
}

/** Each level shows the one before it ten times. A level takes about 200 characters. */
function nested(level: (number: number, before: string) => string, last: string): CostlyText {
  return (characters) => {
    const levels = Math.min(90, Math.max(1, Math.floor(Math.log2(characters)) - 8));
    const definitions = Array.from({ length: levels }, (_, at) => level(at, `#p${at - 1}`));
    return `<defs>${definitions.join("")}</defs>${last.replace("#p", `#p${levels - 1}`)}`;
  };
}

const WHOLE = 'width="100" height="100"';

/** Pictures that may take long to clean or to paint. */
export const COSTLY_SVG: Readonly<Record<string, CostlyText>> = {
  "many elements": picture(repeated('<rect width="3" height="3"/>')),
  "a long path": picture((size) => `<path d="M0 0${repeated("l1 1-1 1")(size)}" stroke="red"/>`),
  "nested uses": picture(
    nested(
      (at, before) => `<g id="p${at}"><rect ${WHOLE}/>${`<use href="${before}"/>`.repeat(10)}</g>`,
      '<use href="#p"/>',
    ),
  ),
  "many uses": picture(repeated('<use href="#a"/>'), '<defs><path id="a" d="M0 0h9"/></defs>'),
  "uses in a row": picture(numbered((at) => `<g id="p${at}"><use href="#p${at + 1}"/></g>`)),
  "nested patterns": picture(
    nested(
      (at, before) =>
        `<pattern id="p${at}" width="9" height="9">${`<rect ${WHOLE} fill="url(${before})"/>`.repeat(10)}</pattern>`,
      `<rect ${WHOLE} fill="url(#p)"/>`,
    ),
  ),
  "small tiles": picture(
    repeated(`<rect ${WHOLE} fill="url(#a)"/>`),
    '<pattern id="a" width=".01" height=".01"><path d="M0 0h9v9"/></pattern>',
  ),
  "nested masks": picture(
    nested(
      (at, before) =>
        `<mask id="p${at}">${`<rect ${WHOLE} mask="url(${before})"/>`.repeat(10)}</mask>`,
      `<rect ${WHOLE} mask="url(#p)"/>`,
    ),
  ),
  "many masks": picture(
    repeated(`<rect ${WHOLE} mask="url(#a)"/>`),
    `<mask id="a"><rect ${WHOLE} fill="white"/></mask>`,
  ),
  "many clips": picture(
    repeated(`<rect ${WHOLE} clip-path="url(#a)"/>`),
    '<clipPath id="a"><circle r="50"/></clipPath>',
  ),
  "many blurs": picture(
    repeated(`<rect ${WHOLE} filter="url(#a)"/>`),
    '<filter id="a"><feGaussianBlur stdDeviation="20"/></filter>',
  ),
  "a chain of filters": picture(
    (size) => `<filter id="a">${repeated("<feTurbulence/>")(size)}</filter><rect ${WHOLE}/>`,
    `<rect ${WHOLE} filter="url(#a)"/>`,
  ),
  "a wide filter": picture(
    (size) => `<filter id="a"><feMorphology radius="${size / 1000}"/></filter>`,
    `<rect ${WHOLE} filter="url(#a)"/>`,
  ),
  "many layers": picture(repeated(`<g opacity=".5"><path d="M0 0h9"/><rect ${WHOLE}/></g>`)),
  "many blends": picture(
    repeated(`<g style="mix-blend-mode:multiply"><path d="M0 0h9"/><rect ${WHOLE}/></g>`),
  ),
  "many markers": picture(
    (size) => `<path d="M0 0${repeated("l1 1")(size)}" marker-mid="url(#a)"/>`,
    `<marker id="a">${'<rect width="1" height="1"/>'.repeat(20)}</marker>`,
  ),
  "short dashes": picture(repeated('<path d="M0 0H1000" stroke="red" stroke-dasharray=".01"/>')),
  "many gradients": picture(
    repeated(`<rect ${WHOLE} fill="url(#a)"/>`),
    '<radialGradient id="a"><stop offset="0"/><stop offset="1" stop-color="red"/></radialGradient>',
  ),
  "styles that refer": picture(
    repeated('<rect class="a" width="9" height="9"/>'),
    `<style>.a{mask:url(#m)}</style><mask id="m"><rect ${WHOLE}/></mask>`,
  ),
  "many rules": picture(
    (size) =>
      `<style>${numbered((at) => `.a${at} > g ~ rect{fill:red}`)(size / 2)}</style>${repeated("<g><rect/></g>")(size / 2)}`,
  ),
  "unclosed elements": picture(repeated("<g>")),
  "unclosed comments in styles": picture((size) => `<style>${repeated("/*")(size)}</style>`),
  "a long style": picture((size) => `<rect style="${repeated("fill:red;")(size)}"/>`),
  "much text": picture((size) => `<text>${repeated("word ")(size)}</text>`),
};
