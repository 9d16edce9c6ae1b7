declare module "wawoff2/decompress.js" {
  /** Converts a WOFF2 font to TrueType. */
  const decompress: (font: Uint8Array) => Promise<Uint8Array>;
  export = decompress;
}
