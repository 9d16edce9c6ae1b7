declare module "wawoff2/decompress.js" {
  /** A WOFF2 font as TrueType. */
  const decompress: (font: Uint8Array) => Promise<Uint8Array>;
  export = decompress;
}
