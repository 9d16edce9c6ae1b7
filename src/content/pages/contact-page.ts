import type { KeyAttributes } from "../../access/keys/key-attributes.ts";
import { INPUT_CHARACTERS_MAX } from "../../access/submissions/visitor-input.ts";
import { starterTexts } from "../../texts/starter/starter-texts.ts";
import { slugOf } from "../addresses/paths.ts";
import type { ReadingCopy } from "../library.ts";
import {
  type Edition,
  editionForItemLanguage,
  editionPath,
  pathInEditionLanguage,
} from "../site/editions.ts";
import { editorsEmail } from "../site/starter-site.ts";
import {
  buildVisitorForms,
  CONTACT_PATH,
  type FilledForm,
  KEY_CLAIM_PATH,
  KEY_REQUESTED_PATH,
  MESSAGE_SENT_PATH,
  SUBJECT_PAGE_FIELD,
  type VisitorForm,
} from "./contact-forms.ts";
import type { Anchor, Block, InlineContent, PageView } from "./view.ts";

/** A new access key in plain text. It cannot be shown again. */
interface ClaimedKey {
  key: string;
  record: Pick<KeyAttributes, "scopes" | "ratePerMinute" | "expiresAt" | "networks">;
  origin: string;
}

/** The built-in contact page, claim page, or page that confirms a submission; null for other paths. */
export function buildContactPage(
  reading: ReadingCopy,
  edition: Edition,
  path: string,
): PageView | null {
  const { texts } = edition;
  const page = (title: string, blocks: readonly Block[]) =>
    buildBuiltInPage(edition, { path, title, blocks });
  switch (path) {
    case CONTACT_PATH:
      return withContactForms(page(texts.contact.title, []), reading);
    case KEY_CLAIM_PATH:
      return page(texts.claim.title, claimBlocks(edition));
    case MESSAGE_SENT_PATH:
      return page(texts.contact.messageSent, messageSentBlocks(edition));
    case KEY_REQUESTED_PATH:
      return page(texts.contact.requestSent, keyRequestedBlocks(edition));
    default:
      return null;
  }
}

/** Whether the view is the contact page or a translation of it. */
export function isContactPage(view: PageView, reading: ReadingCopy): boolean {
  if (view.subject.kind !== "item") return false;
  const path = contactPath(reading);
  return view.path === path || view.translations.some((translation) => translation.path === path);
}

const contactPaths = new WeakMap<ReadingCopy, { version: number; path: string }>();

/**
 * The current path of the contact page, which may have moved. Cached per version of the reading
 * copy, because every item page needs it.
 */
export function contactPath(reading: ReadingCopy): string {
  const version = reading.version();
  const cached = contactPaths.get(reading);
  if (cached?.version === version) return cached.path;
  const found = reading.resolve(CONTACT_PATH);
  const path = found.kind === "moved" ? found.to : CONTACT_PATH;
  contactPaths.set(reading, { version, path });
  return path;
}

export function withContactForms(view: PageView, reading: ReadingCopy): PageView {
  const email = editorsEmail(reading.site());
  const edition = editionForItemLanguage(reading, view.language);
  const { contact } = edition.texts;
  const privacy = privacyPath(reading, edition);
  const privacyNote: InlineContent[] =
    privacy === null ? [] : [" ", { text: contact.whatWeKeep, to: encodeURI(privacy) }, "."];
  const alsoByMail: InlineContent[] =
    email === null
      ? []
      : [" ", ...contact.alsoByMail<InlineContent>({ text: email, to: `mailto:${email}` })];
  const { message, "key-request": keyRequest } = buildVisitorForms(edition);
  const forms: Block[] = [
    ...buildVisitorFormBlocks(message, [contact.writeIntro, ...alsoByMail, ...privacyNote]),
    ...buildVisitorFormBlocks(keyRequest, contact.askIntro<InlineContent>(claimAnchor(edition))),
  ];
  return { ...view, blocks: [...view.blocks, ...forms] };
}

/** The path of the edition's privacy page; null if the edition has none. */
function privacyPath(reading: ReadingCopy, edition: Edition): string | null {
  const { privacy } = starterTexts(reading.site().language);
  for (const path of [privacy.path, "/privacy"]) {
    const found = reading.resolve(path);
    const translated = pathInEditionLanguage(
      reading,
      edition,
      found.kind === "moved" ? found.to : path,
    );
    if (translated !== null) return translated;
  }
  return null;
}

/** Adds submitted values to a form, and a summary of its problems at the top. */
export function withFilledForm(
  view: PageView,
  { formId, edition }: { formId: VisitorForm["id"]; edition: Edition },
  filled: FilledForm,
): PageView {
  const { texts } = edition;
  const form = buildVisitorForms(edition)[formId];
  const blocks = view.blocks.map((block) =>
    block.kind === "form" && block.form.id === formId ? { ...block, filled } : block,
  );
  const { problems } = filled;
  if (problems.length === 0) return { ...view, blocks };
  return {
    ...view,
    title: texts.form.notSent(view.title),
    blocks: [{ kind: "faults", form, problems }, ...blocks],
  };
}

/**
 * The page shown for a valid claim code: the new key, which is never shown again, and how to use
 * it.
 */
export function buildClaimedKeyPage(edition: Edition, claimed: ClaimedKey): PageView {
  const { key, record, origin } = claimed;
  const { scopes, ratePerMinute, expiresAt, networks } = record;
  const texts = edition.texts.claim;
  const permissions = [
    `${scopes.map((scope) => `\`${scope}\``).join(", ")}`,
    texts.rate(ratePerMinute),
    expiresAt === null ? texts.noEnd : texts.until(expiresAt),
    ...(networks.length === 0 ? [] : [texts.onlyFrom(networks)]),
  ];
  const server = {
    type: "http",
    url: `${origin}/mcp`,
    headers: { Authorization: `Bearer ${key}` },
  };
  const name = slugOf(edition.site.name) || "archive";
  const config = JSON.stringify({ mcpServers: { [name]: server } }, null, 2);
  const isForMcp = scopes.includes("mcp:read");
  const isForMore = scopes.some((scope) => scope !== "mcp:read");
  const markdown = [
    texts.shownOnce,
    codeBlock(key),
    texts.allows(permissions),
    `## ${texts.howToUse}`,
    texts.asHeader,
    codeBlock(`Authorization: Bearer ${key}`),
    ...(isForMcp ? [texts.service(`\`${origin}/mcp\``), codeBlock(config, "json")] : []),
    ...(isForMore ? [texts.interface(`\`${origin}/api/v1\``, "`GET /api/v1/`")] : []),
    texts.ifLost(editionPath(edition, CONTACT_PATH)),
  ].join("\n\n");
  return buildBuiltInPage(edition, {
    path: KEY_CLAIM_PATH,
    title: texts.yourKey,
    blocks: [{ kind: "source", name: "key", markdown, language: edition.language }],
  });
}

function codeBlock(text: string, language = ""): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/**
 * Fills two fields of every form on a page. `opened` is the signed time at which the form was
 * opened. `about` is the path of the page that the message is about.
 */
export function withFormOpeningTime(view: PageView, opened: string, about = ""): PageView {
  const isPath = about.startsWith("/") && about.length <= INPUT_CHARACTERS_MAX.about;
  const values = isPath ? { [SUBJECT_PAGE_FIELD]: about } : {};
  const blocks = view.blocks.map((block) =>
    block.kind === "form"
      ? {
          ...block,
          filled: { ...block.filled, opened, values: { ...values, ...block.filled.values } },
        }
      : block,
  );
  return { ...view, blocks };
}

export function buildVisitorFormBlocks(form: VisitorForm, line: readonly InlineContent[]): Block[] {
  return [
    { kind: "heading", ...form.heading },
    { kind: "paragraph", line },
    { kind: "form", form, filled: { opened: "", values: {}, problems: [] } },
  ];
}

function claimAnchor(edition: Edition): Anchor {
  return { text: edition.texts.claim.title, to: editionPath(edition, KEY_CLAIM_PATH) };
}

function claimBlocks(edition: Edition): Block[] {
  const { claim } = edition.texts;
  const askAgain: Anchor = { text: claim.askAgain, to: editionPath(edition, CONTACT_PATH) };
  return buildVisitorFormBlocks(
    buildVisitorForms(edition).claim,
    claim.intro<InlineContent>(askAgain),
  );
}

function messageSentBlocks(edition: Edition): Block[] {
  const line = [edition.texts.contact.messageSentText];
  return [{ kind: "paragraph", line }, homeBlock(edition)];
}

function keyRequestedBlocks(edition: Edition): Block[] {
  const { contact } = edition.texts;
  const steps: (readonly InlineContent[])[] = [
    [contact.requestIsRead],
    [contact.requestIsAnswered],
    contact.requestIsClaimed<InlineContent>(claimAnchor(edition)),
  ];
  return [
    { kind: "paragraph", line: [contact.requestSentText] },
    { kind: "entries", entries: steps.map((line) => ({ line, note: [] })) },
    homeBlock(edition),
  ];
}

function homeBlock(edition: Edition): Block {
  const { homePage } = edition.texts.contact;
  return { kind: "paragraph", line: [{ text: homePage, to: editionPath(edition, "/") }] };
}

export function buildBuiltInPage(
  edition: Edition,
  { path, title, blocks }: { path: string; title: string; blocks: readonly Block[] },
): PageView {
  const { language, texts, site } = edition;
  const contact: Anchor = { text: texts.contact.title, to: editionPath(edition, CONTACT_PATH) };
  const home: Anchor = { text: texts.frame.home, to: editionPath(edition, "/") };
  return {
    path: editionPath(edition, path),
    query: "",
    title,
    description: `${title} – ${site.name}.`,
    language,
    textLanguage: language,
    updatedAt: null,
    isIndexed: path === CONTACT_PATH,
    subject: { kind: "other", path: editionPath(edition, path), title },
    trail: path === CONTACT_PATH ? [home] : [home, contact],
    translations: [],
    blocks,
  };
}
