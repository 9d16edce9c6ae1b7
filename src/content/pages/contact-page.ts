import type { KeyStatement } from "../../access/keys/key-statement.ts";
import { slugOf } from "../addresses/paths.ts";
import type { ReadingCopy } from "../library.ts";
import {
  CLAIM_FORM,
  CLAIM_PATH,
  CONTACT_PATH,
  type FilledForm,
  KEY_REQUEST_FORM,
  KEY_REQUESTED_PATH,
  MESSAGE_FORM,
  MESSAGE_SENT_PATH,
  type VisitorForm,
} from "./contact-forms.ts";
import type { Anchor, Block, Inline, PageView } from "./view.ts";

/** A new key in plain text, available only now. */
interface ClaimedKey {
  key: string;
  record: Pick<KeyStatement, "scopes" | "ratePerMinute" | "expiresAt" | "networks">;
  origin: string;
}

const CLAIM: Anchor = { text: "Claim your key", to: CLAIM_PATH };

/** A service page for the forms; null for other paths. */
export function contactPage(reading: ReadingCopy, path: string): PageView | null {
  switch (path) {
    case CONTACT_PATH:
      return withContactForms(
        servicePage(reading, { path, title: "Contact", blocks: [] }),
        reading,
      );
    case CLAIM_PATH:
      return servicePage(reading, { path, title: "Claim your key", blocks: claimBlocks() });
    case MESSAGE_SENT_PATH:
      return servicePage(reading, { path, title: "Thank you for your message", blocks: SENT });
    case KEY_REQUESTED_PATH:
      return servicePage(reading, { path, title: "Thank you for your request", blocks: REQUESTED });
    default:
      return null;
  }
}

/**
 * Whether the view is the contact page: the item at `/contact`, the one that moved from there, or a
 * translation.
 */
export function isContactPage(view: PageView, reading: ReadingCopy): boolean {
  if (view.subject.kind !== "item") return false;
  const path = contactPath(reading);
  return view.path === path || view.translations.some((translation) => translation.path === path);
}

const contactPaths = new WeakMap<ReadingCopy, { version: number; path: string }>();

/** Cached per version of the reading copy, as every page of an item asks. */
function contactPath(reading: ReadingCopy): string {
  const version = reading.version();
  const known = contactPaths.get(reading);
  if (known?.version === version) return known.path;
  const found = reading.resolve(CONTACT_PATH);
  const path = found.kind === "moved" ? found.to : CONTACT_PATH;
  contactPaths.set(reading, { version, path });
  return path;
}

/** Appends the contact forms to a page. */
export function withContactForms(view: PageView, reading: ReadingCopy): PageView {
  const { email } = reading.site().contact;
  const hasPrivacyPage = reading.resolve("/privacy").kind === "item";
  const kept: Inline[] = hasPrivacyPage
    ? [" ", { text: "What we keep of it", to: "/privacy" }, "."]
    : [];
  const forms: Block[] = [
    ...formBlocks(MESSAGE_FORM, [
      "A person fills in this form in a browser; a person reads it, and answers by e-mail. You can also write to ",
      { text: email, to: `mailto:${email}` },
      ".",
      ...kept,
    ]),
    ...formBlocks(KEY_REQUEST_FORM, [
      "Every page can be read without a key. The MCP service for research agents needs one, which the administrators issue. A person fills in this form in a browser, and a person decides. Have you got your claim code? ",
      CLAIM,
      ".",
    ]),
  ];
  return { ...view, blocks: [...view.blocks, ...forms] };
}

/** Adds submitted values to a form, and a summary of its problems at the top. */
export function withFilledForm(view: PageView, form: VisitorForm, filled: FilledForm): PageView {
  const blocks = view.blocks.map((block) =>
    block.kind === "form" && block.form.id === form.id ? { ...block, filled } : block,
  );
  const { problems } = filled;
  if (problems.length === 0) return { ...view, blocks };
  return {
    ...view,
    title: `Not sent yet – ${view.title}`,
    blocks: [{ kind: "faults", form, problems }, ...blocks],
  };
}

/** The page after a valid claim code: shows the key, this once, and how to use it. */
export function claimedPage(reading: ReadingCopy, claimed: ClaimedKey): PageView {
  const { key, record, origin } = claimed;
  const { scopes, ratePerMinute, expiresAt, networks } = record;
  const allowed = [
    `${scopes.map((scope) => `\`${scope}\``).join(", ")}`,
    `${ratePerMinute} requests a minute`,
    expiresAt === null ? "no end" : `until ${expiresAt}`,
    ...(networks.length === 0 ? [] : [`from ${networks.join(", ")} only`]),
  ];
  const server = {
    type: "http",
    url: `${origin}/mcp`,
    headers: { Authorization: `Bearer ${key}` },
  };
  const name = slugOf(reading.site().name) || "archive";
  const config = JSON.stringify({ mcpServers: { [name]: server } }, null, 2);
  const isForMcp = scopes.includes("mcp:read");
  const isForMore = scopes.some((scope) => scope !== "mcp:read");
  const markdown = [
    "This page shows the key once, and nobody can show it again. Copy it now and keep it where you keep passwords.",
    codeBlock(key),
    `It allows: ${allowed.join("; ")}.`,
    "## How to use it",
    "Send it as a header with every request, and never put it into an address:",
    codeBlock(`Authorization: Bearer ${key}`),
    ...(isForMcp
      ? [
          `The MCP service is at \`${origin}/mcp\` (streamable HTTP). Many clients take a configuration like this:`,
          codeBlock(config, "json"),
        ]
      : []),
    ...(isForMore
      ? [
          `The administrative interface is at \`${origin}/api/v1\`; \`GET /api/v1/\` tells what the key may ask.`,
        ]
      : []),
    "If the key gets lost, or into wrong hands, [write to us](/contact): we replace it.",
  ].join("\n\n");
  return servicePage(reading, {
    path: CLAIM_PATH,
    title: "Your key",
    blocks: [{ kind: "source", markdown }],
  });
}

function codeBlock(text: string, language = ""): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** Adds the signed opening time to the forms of a page. */
export function withOpenedForms(view: PageView, opened: string): PageView {
  const blocks = view.blocks.map((block) =>
    block.kind === "form" ? { ...block, filled: { ...block.filled, opened } } : block,
  );
  return { ...view, blocks };
}

function formBlocks(form: VisitorForm, line: readonly Inline[]): Block[] {
  return [
    { kind: "heading", ...form.heading },
    { kind: "paragraph", line },
    { kind: "form", form, filled: { opened: "", values: {}, problems: [] } },
  ];
}

function claimBlocks(): Block[] {
  return formBlocks(CLAIM_FORM, [
    "A granted request comes with a claim code. Enter it here to get your key: the code works once, and the key is shown once, so have a safe place for it ready. Did you lose the code, or has it expired? ",
    { text: "Ask for another", to: CONTACT_PATH },
    ".",
  ]);
}

const HOME: Anchor = { text: "Home page", to: "/" };

const SENT: readonly Block[] = [
  {
    kind: "paragraph",
    line: ["It has arrived. The editors answer by e-mail to the address you gave."],
  },
  { kind: "paragraph", line: [HOME] },
];

const REQUESTED: readonly Block[] = [
  { kind: "paragraph", line: ["It has arrived. This is what happens next:"] },
  {
    kind: "entries",
    entries: [
      { line: ["A person reads your request and decides. That can take some days."], note: [] },
      {
        line: [
          "You are told by e-mail, at the address you gave. If the key is granted, you get a claim code.",
        ],
        note: [],
      },
      { line: ["With the code you get the key, within seven days: ", CLAIM, "."], note: [] },
    ],
  },
  { kind: "paragraph", line: [HOME] },
];

function servicePage(
  reading: ReadingCopy,
  { path, title, blocks }: { path: string; title: string; blocks: readonly Block[] },
): PageView {
  const contact: Anchor = { text: "Contact", to: CONTACT_PATH };
  const home: Anchor = { text: "Home", to: "/" };
  return {
    path,
    query: "",
    title,
    description: `${title} – ${reading.site().name}.`,
    language: reading.site().language,
    updatedAt: null,
    isIndexed: path === CONTACT_PATH,
    subject: { kind: "other", path, title },
    trail: path === CONTACT_PATH ? [home] : [home, contact],
    translations: [],
    blocks,
  };
}
