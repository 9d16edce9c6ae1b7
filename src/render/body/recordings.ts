import { Parser } from "htmlparser2";
import { html } from "../html.ts";
import { checkElementDepth } from "./element-depth.ts";

const RECORDING = /<(?:video|audio)\b/i;

interface Recording {
  tag: string;
  /** Start and end of the start tag in the text. */
  start: number;
  end: number;
  title: string;
  poster: string;
  /** Address of the file; empty until known. */
  source: string;
}

/**
 * Replaces `video` and `audio` elements with links to their files; a poster becomes the picture of the link.
 * Drops their content, which is for browsers without players. If the end tag is missing, replaces only the
 * start tag. The addresses are unchecked.
 */
export function replaceRecordingsWithLinks(text: string): string {
  if (!RECORDING.test(text)) return text;
  const pieces: string[] = [];
  let copied = 0;
  let depth = 0;
  let open: Recording | null = null;
  const parser = new Parser({
    onopentag(tag, { src = "", title = "", poster = "" }) {
      depth += 1;
      checkElementDepth(depth);
      if (open !== null) {
        if (tag === "source" && open.source === "") open.source = src;
      } else if (tag === "video" || tag === "audio") {
        const { startIndex: start, endIndex } = parser;
        open = { tag, start, end: endIndex + 1, title, poster, source: src };
      }
    },
    onclosetag(tag, isImplied) {
      depth -= 1;
      if (open?.tag !== tag) return;
      if (open.source !== "") {
        pieces.push(text.slice(copied, open.start), linkTo(open));
        copied = isImplied ? open.end : parser.endIndex + 1;
      }
      open = null;
    },
  });
  parser.end(text);
  return pieces.join("") + text.slice(copied);
}

function linkTo({ source, title, poster }: Recording): string {
  const name = title.trim() === "" ? fileName(source) : title;
  if (poster === "") return html`<a href="${source}">${name}</a>`.text;
  return html`<span class="recording"><a href="${source}"><img src="${poster}" alt="${name}"></a></span>`
    .text;
}

function fileName(address: string): string {
  const name =
    address
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) ?? "";
  if (name === "") return address;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
