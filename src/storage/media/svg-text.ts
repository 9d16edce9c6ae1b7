const DECLARED_ENCODING = /^<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{2,40})/;
const DECLARATION_BYTES_MAX = 300;

/**
 * Decodes an SVG as UTF-8, or else in the encoding that it declares (XML 1.0, 4.3.3), such as the ISO 8859-1
 * of some drawing programs.
 */
export function decodeSvgText(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return declaredDecoder(bytes).decode(bytes);
  }
}

function declaredDecoder(bytes: Buffer): TextDecoder {
  const declaration = bytes.toString("latin1", 0, DECLARATION_BYTES_MAX);
  const [, label = "utf-8"] = DECLARED_ENCODING.exec(declaration) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
