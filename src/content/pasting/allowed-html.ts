import sanitizeHtml from "sanitize-html";

/**
 * Limits how deeply elements nest, and thereby the recursion of later steps. Real documents nest
 * less deeply.
 */
const DEPTH_MAX = 60;

/**
 * Keeps the elements that Markdown can express, the attributes that later steps read, and pictures'
 * alternative texts. Drops text that programs embed for their own use.
 */
export function sanitizePaste(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [
      ...["h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "br", "hr", "blockquote", "pre"],
      ...["ul", "ol", "li", "table", "thead", "tbody", "tr", "th", "td", "span", "font"],
      ...["a", "b", "strong", "i", "em", "s", "del", "strike", "code", "sup"],
    ],
    allowedAttributes: { "*": ["style", "class"], a: ["href"], ol: ["start"] },
    allowedSchemes: ["http", "https", "mailto"],
    parseStyleAttributes: false,
    // Pictures are not pasted, only their alternative texts.
    transformTags: {
      img: (_, { alt = "" }) => ({
        tagName: alt.trim() === "" ? "span" : "em",
        attribs: {},
        text: alt,
      }),
    },
    nestingLimit: DEPTH_MAX,
    nonTextTags: ["script", "style", "textarea", "option", "title", "noscript", "xml"],
    exclusiveFilter: ({ attribs }) =>
      /display:\s*none|mso-hide:\s*all/.test(attribs["style"] ?? ""),
  });
}
