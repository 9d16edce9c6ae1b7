type NamePatterns = readonly (readonly [pattern: RegExp, name: string])[];

/** The order matters, because `User-Agent` headers also contain the names of other browsers. */
const BROWSER_PATTERNS: NamePatterns = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEM_PATTERNS: NamePatterns = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/**
 * The names of browser and system in a `User-Agent` header; the whole header if no name is
 * recognised.
 */
export function deviceName(userAgent: string): string {
  const names = [BROWSER_PATTERNS, SYSTEM_PATTERNS].flatMap((known) => {
    const found = known.find(([pattern]) => pattern.test(userAgent));
    return found === undefined ? [] : [found[1]];
  });
  return names.length === 0 ? userAgent : names.join(" · ");
}
