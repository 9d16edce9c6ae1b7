/**
 * Elements that draw or describe (SVG 2). None of these elements is a link, runs a script, animates, or
 * loads another file.
 */
export const SVG_ELEMENTS: ReadonlySet<string> = new Set([
  ..."svg g defs symbol use title desc style".split(" "),
  ..."path rect circle ellipse line polyline polygon image".split(" "),
  ..."text tspan textPath".split(" "),
  ..."linearGradient radialGradient stop pattern clipPath mask marker filter".split(" "),
  ..."feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix".split(" "),
  ..."feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood".split(" "),
  ..."feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode".split(" "),
  ..."feMorphology feOffset fePointLight feSpecularLighting feSpotLight".split(" "),
  ..."feTile feTurbulence".split(" "),
]);

/** Elements that are removed although their children are kept. */
export const SVG_UNWRAPPED_ELEMENTS: ReadonlySet<string> = new Set(["a", "switch"]);

/**
 * Whether an element is private metadata of a drawing program. Such elements are removed without a
 * notice.
 */
export function isEditorMetadata(name: string): boolean {
  return name === "metadata" || /^(?:sodipodi|inkscape|rdf|cc|dc|i|x|serif|sketch):/.test(name);
}

/** Style properties, allowed as attributes and in style sheets. */
export const SVG_PROPERTIES: ReadonlySet<string> = new Set([
  ..."alignment-baseline baseline-shift clip-path clip-rule color".split(" "),
  ..."color-interpolation color-interpolation-filters direction display".split(" "),
  ..."dominant-baseline fill fill-opacity fill-rule filter flood-color".split(" "),
  ..."flood-opacity font font-family font-size font-size-adjust font-stretch".split(" "),
  ..."font-style font-variant font-weight image-rendering isolation".split(" "),
  ..."letter-spacing lighting-color marker marker-end marker-mid marker-start".split(" "),
  ..."mask mix-blend-mode opacity overflow paint-order shape-rendering".split(" "),
  ..."stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset".split(" "),
  ..."stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity".split(" "),
  ..."stroke-width text-anchor text-decoration text-rendering transform".split(" "),
  ..."transform-origin unicode-bidi vector-effect visibility white-space".split(" "),
  ..."word-spacing writing-mode".split(" "),
]);

/** Attributes with positions, sizes and other plain values. */
export const SVG_ATTRIBUTES: ReadonlySet<string> = new Set([
  ..."id class lang xml:lang xml:space version viewBox preserveAspectRatio".split(" "),
  ..."x y x1 x2 y1 y2 cx cy r rx ry fx fy fr dx dy d points width height".split(" "),
  ..."rotate textLength lengthAdjust startOffset method spacing side pathLength".split(" "),
  ..."gradientUnits gradientTransform spreadMethod offset patternUnits".split(" "),
  ..."patternContentUnits patternTransform clipPathUnits maskUnits".split(" "),
  ..."maskContentUnits markerHeight markerUnits markerWidth orient refX refY".split(" "),
  ..."filterUnits primitiveUnits in in2 result type values tableValues slope".split(" "),
  ..."intercept amplitude exponent mode operator k1 k2 k3 k4 order".split(" "),
  ..."kernelMatrix divisor bias targetX targetY edgeMode preserveAlpha".split(" "),
  ..."surfaceScale diffuseConstant specularConstant specularExponent scale".split(" "),
  ..."xChannelSelector yChannelSelector stdDeviation radius azimuth elevation".split(" "),
  ..."pointsAtX pointsAtY pointsAtZ z limitingConeAngle baseFrequency".split(" "),
  ..."numOctaves seed stitchTiles role aria-label aria-hidden".split(" "),
  ...SVG_PROPERTIES,
]);

/** The only functions a value may call, besides `url` with a local reference. */
export const SVG_FUNCTIONS: ReadonlySet<string> = new Set([
  ..."rgb rgba hsl hsla matrix translate translatex translatey scale scalex".split(" "),
  ..."scaley rotate skewx skewy".split(" "),
]);
