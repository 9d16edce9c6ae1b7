import { Parser } from "htmlparser2";
import { AppError } from "../../errors.ts";
import {
  isEditorMetadata,
  SVG_ATTRIBUTES,
  SVG_ELEMENTS,
  SVG_UNWRAPPED_ELEMENTS,
} from "./svg-allowed.ts";
import { SvgPaintingCost } from "./svg-cost.ts";
import { svgSize } from "./svg-size.ts";
import {
  isHarmlessSvgValue,
  isLocalReference,
  isRasterDataUrl,
  sanitizeStyleDeclarations,
  sanitizeStyleSheet,
} from "./svg-values.ts";

export interface SanitizedSvg {
  /** Serialized from the parsed tree, and therefore always well-formed. */
  svg: string;
  /** In pixels; null if neither the declared size nor the `viewBox` is usable. */
  width: number | null;
  height: number | null;
  /** Names of removed elements and attributes, up to `NAMES_REPORTED_MAX`. */
  removedNames: readonly string[];
}

const ELEMENTS_MAX = 50_000;
const DEPTH_MAX = 100;
const NAMES_REPORTED_MAX = 10;

/**
 * Reduces an SVG to known elements and attributes, without external references. Returns null if the
 * text is not an SVG.
 * @throws {AppError} `invalid` when it declares entities, is too large, or would take too long to
 * paint.
 */
export function sanitizeSvg(text: string): SanitizedSvg | null {
  const writer = new SvgWriter();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => writer.open(name, attributes),
      ontext: (content) => writer.text(content),
      onclosetag: () => writer.close(),
      onprocessinginstruction: (_name, data) => refuseEntities(data),
    },
    { xmlMode: true },
  );
  parser.end(text);
  return writer.result();
}

function refuseEntities(declaration: string): void {
  if (!/^!doctype/i.test(declaration) || !declaration.includes("[")) return;
  throw new AppError("invalid", {
    en: "The SVG declares entities in its DOCTYPE; save it again as plain SVG",
    de: "Das SVG enthält eigene Entities im DOCTYPE: Speichern Sie es noch einmal als einfaches SVG",
  });
}

type Treatment = "written" | "unwrapped" | "left_out";

class SvgWriter {
  readonly #pieces: string[] = [];
  readonly #open: { name: string; treatment: Treatment }[] = [];
  readonly #removedNames = new Set<string>();
  readonly #cost = new SvgPaintingCost();
  #root: Readonly<Record<string, string>> | null = null;
  #elements = 0;
  #styles: string[] = [];

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#elements += 1;
    if (this.#elements > ELEMENTS_MAX || this.#open.length >= DEPTH_MAX) {
      throw new AppError("invalid", {
        en: "The SVG has too many elements; save it as PNG or WebP instead",
        de: "Das SVG hat zu viele Elemente: Speichern Sie es stattdessen als PNG oder WebP",
      });
    }
    const treatment = this.#treatmentOf(name);
    if (treatment === "written" && name !== "style") {
      this.#cost.open(name, attributes);
      const isRoot = this.#root === null;
      this.#root ??= attributes;
      this.#pieces.push(
        `<${name}${isRoot ? SVG_NAMESPACES : ""}${this.#attributes(name, attributes)}>`,
      );
    }
    this.#open.push({ name, treatment });
  }

  text(content: string): void {
    const parent = this.#open.at(-1);
    if (parent === undefined || parent.treatment === "left_out") return;
    if (parent.name === "style") this.#styles.push(content);
    else {
      this.#cost.text(content);
      this.#pieces.push(escaped(content));
    }
  }

  close(): void {
    const closed = this.#open.pop();
    if (closed?.treatment !== "written") return;
    if (closed.name !== "style") this.#cost.close();
    this.#pieces.push(closed.name === "style" ? this.#style() : `</${closed.name}>`);
  }

  result(): SanitizedSvg | null {
    if (this.#root === null) return null;
    this.#cost.requirePaintable();
    const removedNames = [...this.#removedNames].slice(0, NAMES_REPORTED_MAX);
    return { svg: `${this.#pieces.join("")}\n`, ...svgSize(this.#root), removedNames };
  }

  #treatmentOf(name: string): Treatment {
    const parent = this.#open.at(-1);
    // Accepts only the first root, because XML allows only one.
    const isRoot = parent === undefined && this.#root === null && name === "svg";
    if (isRoot) return "written";
    if (parent === undefined || parent.treatment === "left_out") return "left_out";
    if (SVG_UNWRAPPED_ELEMENTS.has(name)) return "unwrapped";
    if (SVG_ELEMENTS.has(name)) return "written";
    if (!isEditorMetadata(name)) this.#reportRemoved(name);
    return "left_out";
  }

  #style(): string {
    const css = sanitizeStyleSheet(this.#styles.join(""));
    this.#styles = [];
    if (css === null) this.#reportRemoved("style");
    else this.#cost.style(css);
    return css === null ? "" : `<style>${escaped(css)}</style>`;
  }

  #attributes(element: string, attributes: Readonly<Record<string, string>>): string {
    return Object.entries(attributes)
      .map(([name, value]) => {
        const allowed = allowedValue(element, name, value);
        if (allowed !== null) return ` ${name}="${escaped(allowed)}"`;
        const isNoise = name.startsWith("xmlns") || isEditorMetadata(name);
        if (!isNoise && name !== "style") this.#reportRemoved(name);
        return "";
      })
      .join("");
  }

  #reportRemoved(name: string): void {
    if (/^[\w:.-]{1,40}$/.test(name)) this.#removedNames.add(name);
  }
}

const SVG_NAMESPACES =
  ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

/** Returns null if the attribute is not allowed. */
function allowedValue(element: string, name: string, value: string): string | null {
  if (name === "href" || name === "xlink:href") {
    const isKept = element === "image" ? isRasterDataUrl(value) : isLocalReference(value);
    return isKept ? value.trim() : null;
  }
  if (name === "style") return sanitizeStyleDeclarations(value) || null;
  if (!SVG_ATTRIBUTES.has(name)) return null;
  return TEXT_ATTRIBUTES.has(name) || isHarmlessSvgValue(value) ? value : null;
}

/** Attributes that contain names or text, so that any value is safe. */
const TEXT_ATTRIBUTES: ReadonlySet<string> = new Set(["aria-label", "id", "class"]);

function escaped(text: string): string {
  return text
    .replaceAll(NOT_XML, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Characters that XML forbids, even as references (XML 1.0, 2.2). */
const NOT_XML = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;
